//! `bsq GAME sample`.

use super::analyze::explained;
use super::command_of;
use crate::cli::sample::{SAMPLE, Sample};
use crate::errors::usage;
use crate::output::{self, Computed, Folder};
use crate::run::Run;
use anyhow::Result;
use bsq_analyses::AnalysisError;
use bsq_analyses::sample::NUMBER;
use bsq_api::Game;
use bsq_api::command;
use bsq_engine::options::borrowed;

/// Draws random positions.
pub fn run(game: &dyn Game, args: &Sample) -> Result<()> {
    let Some(sample) = game.sample() else { return Err(usage("there are no samples")) };
    let given = borrowed(&args.given);
    let job = sample.prepare(&given, Some(args.memory));
    let job = job.map_err(|error| match error {
        AnalysisError::Option { name, why } if name == NUMBER.name => usage(why),
        error => explained(game, error),
    })?;
    let run = Run::begin(&args.output.work)?;
    let folder = Folder::open(&args.output)?;
    let tables = job.run(&run.monitor()).map_err(|error| explained(game, error))?;
    let arguments = command::arguments(&NUMBER.name, sample.options(), &given);
    let command = command_of(game, &format!("{SAMPLE}{arguments}"));
    let answer = Computed { command, rules: job.described().clone(), tables };
    output::deliver(&run, &args.output, folder, &[answer])?;
    run.end();
    Ok(())
}
