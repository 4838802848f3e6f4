//! `bsq GAME query`.

use super::analyze::explained;
use super::command_of;
use crate::cli::args::Format;
use crate::cli::query::{QUERY, Query};
use crate::commands::plot::{Plotting, deliver};
use crate::errors::usage;
use crate::output::{self, Computed, Folder, StandardOutput};
use crate::run::Run;
use anyhow::Result;
use bsq_analyses::query::options::{COLUMNS, CONDITION};
use bsq_analyses::{Analysis, AnalysisError, Cell, Chart, Job, Table};
use bsq_api::Game;
use bsq_api::command;
use bsq_engine::options::borrowed;

/// Answers a query.
pub fn run(game: &dyn Game, mut args: Query) -> Result<()> {
    args.output.is_plotted = args.plot.plot.is_some();
    let Some(query) = game.query() else { return Err(usage("there are no queries")) };
    let job = query.prepare(&borrowed(&args.given), Some(args.memory));
    let job = job.map_err(|error| marked(game, error))?;
    match job.chart() {
        Some(chart) => chart.with(|chart| answer(game, args, &job, &[chart])),
        None if args.plot.plot.is_some() => Err(usage("a chart needs --by with one or two keys")),
        None => answer(game, args, &job, &[]),
    }
}

/// Runs the job and delivers its tables.
fn answer(game: &dyn Game, mut args: Query, job: &Job, charts: &[&Chart]) -> Result<()> {
    let plotting = Plotting::begin(&args.plot, charts)?;
    let run = Run::begin(&args.output.work)?;
    let folder = Folder::open(&args.output)?;
    let tables = job.run(&run.monitor()).map_err(|error| marked(game, error))?;
    let is_listed = args.given.iter().any(|(name, _)| *name == COLUMNS.name);
    if is_listed && output::format(&args.output) == Some(Format::Table) {
        return list(&tables);
    }
    let command = command_line(game, &args);
    let answer = Computed { command, rules: job.described().clone(), tables };
    deliver(&run, &mut args.output, folder, &[answer], plotting)?;
    run.end();
    Ok(())
}

/// Prints the columns, for reading: each with its meaning.
fn list(tables: &[Table]) -> Result<()> {
    let text = |cell: &Cell| match cell {
        Cell::Text(text) => text.clone(),
        _ => String::new(),
    };
    let rows = tables.iter().flat_map(|table| &table.rows);
    let rows: Vec<Vec<String>> = rows.map(|row| row.iter().map(text).collect()).collect();
    output::print_list(rows.iter().map(|row| (row[0].as_str(), row[2].clone())))?;
    for note in tables.iter().filter_map(|table| table.note.as_ref()) {
        StandardOutput.print(format!("\n{note}\n").as_bytes())?;
    }
    Ok(())
}

/// The error as the command presents it. That of a condition marks the part that is wrong.
pub(super) fn marked(game: &dyn Game, error: AnalysisError) -> anyhow::Error {
    match error {
        AnalysisError::Option { name, why } if name == CONDITION.name => usage(why),
        error => explained(game, error),
    }
}

/// The command that repeats the query.
fn command_line(game: &dyn Game, args: &Query) -> String {
    let options = game.query().into_iter().flat_map(Analysis::options);
    command_of(
        game,
        &format!("{QUERY}{}", command::arguments(&CONDITION.name, options, &borrowed(&args.given))),
    )
}
