//! `bsq rpsw probe`.

use super::tablebase::open;
use crate::cli::args::{Format, OutputArgs, RpswProbe};
use crate::lines;
use crate::output::{self, Answer};
use crate::run::Run;
use crate::usage::usage;
use anyhow::Result;
use bsq_analyses::rpsw::probe_table;
use bsq_engine::evaluate::{Detail, Evaluator as _};
use bsq_engine::game::{Notation, Value};
use bsq_engine::monitor::Monitor;
use bsq_engine::record::play_all;
use bsq_games::rpsw::{Evaluation, Evaluator, Position, Rules, outcome_for};
use serde_json::json;

/// Prints the value of a position and of its moves, or of many positions line by line.
pub fn run(args: RpswProbe) -> Result<()> {
    let tablebase = open(&args.file)?;
    let evaluator = Evaluator::Tablebase(&tablebase);
    if args.position == "-" {
        return batch(evaluator, &args);
    }
    let output = OutputArgs::printed(args.print.format, args.print.work);
    let run = Run::begin(&output.work)?;
    let rules = tablebase.rules();
    let position = rules.parse_position(&args.position).map_err(usage)?;
    let position = play(rules, position, &args.moves)?;
    let table = probe_table(evaluator, &position)?;
    let command = format!("rpsw probe '{}'", rules.format_position(&position));
    let answer = Answer { command, rules: rules.into(), tables: vec![table] };
    output::deliver(&run, &output, None, &[answer])?;
    run.end();
    Ok(())
}

/// The position after the moves of a text.
fn play(rules: &Rules, position: Position, moves: &str) -> Result<Position> {
    let played = play_all(rules, &position, moves).map_err(usage)?;
    Ok(played.last().map_or(position, |(_, position)| *position))
}

/// Prints a line for every line of standard input.
fn batch(evaluator: Evaluator, args: &RpswProbe) -> Result<()> {
    let rules = evaluator.game();
    let as_json = args.print.format == Some(Format::Json);
    let header = (!as_json).then_some("line,position,result,plies,best");
    lines::answer_each(std::io::stdout().lock(), header, |number, line| {
        let position = rules.parse_position(line).map_err(anyhow::Error::from);
        let position = position.and_then(|position| play(rules, position, &args.moves));
        let position = match position {
            Ok(position) => position,
            Err(error) => return Ok(Err(error)),
        };
        let found = evaluator.evaluate(&position, Detail::Moves, &Monitor::default())?;
        let answer = Probed { rules, position, found };
        Ok(Ok(if as_json { answer.json(number).to_string() } else { answer.csv(number) }))
    })
}

/// A position with its evaluation.
struct Probed<'a> {
    rules: &'a Rules,
    position: Position,
    found: Evaluation,
}

impl Probed<'_> {
    /// The outcome of a value for the player to move.
    fn outcome(&self, value: Option<Value>) -> Option<&'static str> {
        value.map(|value| outcome_for(self.position.to_move, &value))
    }

    fn csv(&self, line: usize) -> String {
        let value = self.found.value;
        let plies = value.and_then(|value| value.plies).map_or(String::new(), |it| it.to_string());
        let position = self.rules.format_position(&self.position);
        let best: Vec<String> = self.found.best().map(|mv| self.rules.format_move(mv)).collect();
        let outcome = self.outcome(value).unwrap_or_default();
        format!("{line},{position},{outcome},{plies},{}", best.join(" "))
    }

    fn json(&self, line: usize) -> serde_json::Value {
        let moves = self.found.moves.iter().flatten().map(|evaluated| {
            json!({
                "move": self.rules.format_move(evaluated.mv),
                "result": self.outcome(evaluated.value),
                "plies": evaluated.value.and_then(|value| value.plies),
            })
        });
        json!({
            "line": line,
            "position": self.rules.format_position(&self.position),
            "result": self.outcome(self.found.value),
            "plies": self.found.value.and_then(|value| value.plies),
            "moves": moves.collect::<Vec<_>>(),
        })
    }
}
