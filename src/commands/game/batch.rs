//! `bsq GAME solve -`: the values of many positions.

use super::{LONGEST_LINE, PositionArgs, advised, command_of, of_rules, series};
use crate::cli::args::{Format, OutputArgs};
use crate::cli::solve::Solve;
use crate::errors::{answered_so_far, is_stopped, usage};
use crate::inputs::{Inputs, StandardInput};
use crate::output::{self, Folder, Outlets, Pieces};
use crate::printable::message;
use crate::run::Run;
use anyhow::{Result, bail};
use bsq_api::command;
use bsq_api::{Engine, Game, Kind, PositionValues, ValuesRequest, ValuesSchema};
use std::io::Write;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

/// The time after Ctrl-C in which the answers to lines should end.
const GRACE: Duration = Duration::from_millis(300);
/// About the number of moves of a position.
const MOVES: usize = 32;

/// Answers each input of standard input with a row, or with a row for each move.
pub fn run(game: &dyn Game, args: Solve) -> Result<()> {
    let Solve { position, values, pv, checkpoint, output } = args;
    if checkpoint.is_some() {
        return Err(usage("--checkpoint is for one position, not for those of '-'"));
    }
    if series::is_given(game, &position) {
        return Err(usage(
            "'-' takes one value of each rule; a list of values is for one position",
        ));
    }
    let output = with_rows(output)?;
    let run = Run::begin(&output.work)?;
    let engine = game.engine(&position.rules(), &position.resources());
    let engine = engine.map_err(|error| advised(error, None))?;
    let request = ValuesRequest {
        moves: position.moves.clone(),
        of_moves: values,
        line: if pv { LONGEST_LINE } else { 0 },
        time: position.time,
    };
    let schema = game.values_schema(&position.rules(), &position.resources(), &request);
    let schema = schema.map_err(|error| advised(error, None))?;
    let batch = Batch { engine, request, schema: &schema, run: &run };
    let (folder, empty) = (Folder::open(&output)?, schema.batch().finish());
    let mut outlets = Outlets::open(&output, folder, schema.table(), &empty)?;
    let at_least = match (outlets.is_binary(), values) {
        (false, _) => 1,
        (true, false) => outlets.batch_rows(),
        (true, true) => outlets.batch_rows() / MOVES,
    };
    // Ctrl-C does not end the wait for a line.
    let watch = run.exit_when_stuck(GRACE, tell_stop);
    let answered = batch.answer_all(&StandardInput::begin(at_least), &mut outlets);
    drop(watch);
    run.clear();
    let failed = match answered {
        // Files appear when they are complete.
        Err(error) if is_stopped(&error) && output.file.is_none() && output.out.is_none() => {
            outlets.flush()?;
            return Err(answered_so_far());
        }
        answered => answered?,
    };
    let rules = match &position.tablebase {
        Some(path) => game.tablebase_rules(path),
        None => game.rules(&position.rules()),
    };
    let rules = rules.map_err(|error| advised(error, None))?;
    outlets.finish(&run, &command_line(game, &position, values, pv), &of_rules(game, &rules))?;
    run.end();
    match failed {
        0 => Ok(()),
        1 => bail!("1 of the lines has no answer; the column 'error' says why"),
        _ => bail!("{failed} of the lines have no answer; the column 'error' says why"),
    }
}

fn tell_stop() {
    // The message is dropped if standard error is closed.
    let _ = writeln!(std::io::stderr(), "error: stopped before the end");
}

/// The output with a format of rows: on a terminal as well, CSV by default.
fn with_rows(output: OutputArgs) -> Result<OutputArgs> {
    let is_given = output.format.is_some() || output.file.is_some();
    let format = match output::format(&output).filter(|_| is_given) {
        Some(Format::Table) => {
            return Err(usage(
                "'-' answers in rows; choose --format csv, jsonl, parquet or arrow, and a file without the ending .txt",
            ));
        }
        Some(Format::Json) => Some(Format::Jsonl),
        None if !is_given && output.out.is_none() => Some(Format::Csv),
        _ => output.format,
    };
    Ok(OutputArgs { format, ..output })
}

/// The command that answers the same inputs.
fn command_line(game: &dyn Game, position: &PositionArgs, values: bool, pv: bool) -> String {
    let mut verb = "solve -".to_string();
    verb += &command::flags(game.options(), &position.rules());
    verb += &super::solve::switches(position, values, pv);
    command_of(game, &verb)
}

/// How inputs are answered.
struct Batch<'a> {
    engine: Arc<dyn Engine>,
    request: ValuesRequest,
    schema: &'a ValuesSchema,
    run: &'a Run,
}

/// The answers to some inputs.
struct Answers {
    pieces: Pieces,
    failed: usize,
    is_stopped: bool,
}

impl Batch<'_> {
    /// Writes the rows of all inputs, in order. Returns the number of inputs without an answer.
    fn answer_all(&self, input: &StandardInput, outlets: &mut Outlets) -> Result<usize> {
        let mut failed = 0;
        while let Some(inputs) = input.next(self.run)? {
            for answers in self.answers(&inputs, outlets) {
                let answers = answers?;
                outlets.append(answers.pieces)?;
                failed += answers.failed;
                if answers.is_stopped {
                    self.run.monitor().check()?;
                }
            }
            // The process at the other end of a pipe may wait for these answers.
            outlets.flush()?;
        }
        Ok(failed)
    }

    /// Answers inputs on all threads.
    ///
    /// The threads are not those of the solvers, because a solver that waits for its own threads must
    /// not begin another line.
    fn answers(&self, inputs: &Inputs, outlets: &Outlets) -> Vec<Result<Answers>> {
        let threads = rayon::current_num_threads();
        if inputs.len() == 1 || threads == 1 {
            return vec![self.part(inputs, outlets)];
        }
        thread::scope(|scope| {
            let parts: Vec<_> = inputs
                .chunks(inputs.len().div_ceil(threads))
                .map(|part| scope.spawn(move || self.part(part, outlets)))
                .collect();
            let joined = parts.into_iter().map(|part| part.join());
            joined.map(|answers| answers.unwrap_or_else(|panic| resume_unwind(panic))).collect()
        })
    }

    /// Answers inputs one after the other, until the job is stopped: the last row then contains what
    /// is proved.
    fn part(&self, inputs: &[(u64, Result<String, String>)], outlets: &Outlets) -> Result<Answers> {
        let monitor = self.run.monitor();
        let (mut batch, mut failed, mut is_stopped) = (self.schema.batch(), 0, false);
        for (number, input) in inputs {
            let found = match input {
                Ok(text) => self.engine.values(text, &self.request, &monitor),
                Err(why) => {
                    failed += 1;
                    batch.push(*number, &PositionValues::default(), Some(why));
                    continue;
                }
            };
            is_stopped = found.error.as_ref().is_some_and(|error| error.kind == Kind::Stopped);
            let message = found.error.clone().filter(|_| !is_stopped).map(|error| {
                failed += 1;
                message(&format!("{:#}", advised(error, None))).into_owned()
            });
            batch.push(*number, &found, message.as_deref());
            if is_stopped {
                break;
            }
        }
        Ok(Answers { pieces: outlets.encode(batch.finish())?, failed, is_stopped })
    }
}
