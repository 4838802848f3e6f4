//! `bsq merge`.

use super::game::command_line;
use super::plot::{Plotting, deliver};
use crate::cli::args::Merge;
use crate::output::{Computed, Folder};
use crate::run::Run;
use anyhow::{Context, Result};
use bsq_analyses::parts;
use bsq_api::Registry;
use bsq_games::british_square;

/// Adds the parts of a count, and prints the result as the undivided command does.
pub fn run(registry: &Registry, mut args: Merge) -> Result<()> {
    args.output.shown = Some(args.table);
    let game = registry.get(british_square::NAME).context("British Square is not registered")?;
    let merged = parts::merge(&args.files)?;
    let analysis = game
        .analyses()
        .iter()
        .find(|analysis| analysis.name() == merged.analysis())
        .context("the analysis is not registered")?;
    let plotting = Plotting::begin(&args.plot, analysis.charts())?;
    let run = Run::begin(&args.output.work)?;
    let folder = Folder::open(&args.output)?;
    let command = command_line(game, analysis, &merged.given());
    let answer = Computed { command, rules: merged.described(), tables: merged.tables() };
    deliver(&run, &mut args.output, folder, &[answer], plotting)?;
    run.end();
    Ok(())
}
