//! `bsq rpsw probe`.

use super::tablebase::open;
use crate::args::{Format, OutputArgs, RpswProbe};
use crate::lines;
use crate::output::{self, Answer};
use crate::run::Run;
use crate::usage::usage;
use anyhow::Result;
use bsq_analyses::rpsw::probe_table;
use bsq_engine::game::Notation;
use bsq_engine::record::play_all;
use bsq_games::rpsw::tablebase::Tablebase;
use bsq_games::rpsw::{JudgedMove, Position, Rules, Verdict};
use serde_json::{Value, json};

/// Shows what a position and its moves are worth, or many positions line by line.
pub fn run(args: RpswProbe) -> Result<()> {
    let database = open(&args.file)?;
    if args.position == "-" {
        return batch(&database, &args);
    }
    let output = OutputArgs::printed(args.print.format, args.print.work);
    let run = Run::begin(&output.work)?;
    let rules = database.rules();
    let position = rules.parse_position(&args.position).map_err(usage)?;
    let position = play(rules, position, &args.moves)?;
    let table = probe_table(rules, &database, &position)?;
    let command = format!("rpsw probe '{}'", rules.format_position(&position));
    let answer = Answer { command, rules: rules.into(), tables: vec![table] };
    output::deliver(&run, &output, None, &[answer])?;
    run.end();
    Ok(())
}

/// The position after moves as they are typed.
fn play(rules: &Rules, position: Position, moves: &str) -> Result<Position> {
    let played = play_all(rules, &position, moves).map_err(usage)?;
    Ok(played.last().map_or(position, |(_, position)| *position))
}

/// Answers every line of standard input with a line.
fn batch(database: &Tablebase, args: &RpswProbe) -> Result<()> {
    let as_json = args.print.format == Some(Format::Json);
    let header = (!as_json).then_some("line,position,result,plies,best");
    lines::answer_each(header, |number, line| {
        let position = database.rules().parse_position(line).map_err(anyhow::Error::from);
        let position = position.and_then(|position| play(database.rules(), position, &args.moves));
        let position = match position {
            Ok(position) => position,
            Err(error) => return Ok(Err(error)),
        };
        let answer = Probed::new(database, position)?;
        Ok(Ok(if as_json { answer.json(number).to_string() } else { answer.csv(number) }))
    })
}

/// A position of many.
struct Probed<'a> {
    rules: &'a Rules,
    position: Position,
    verdict: Verdict,
    moves: Vec<JudgedMove>,
}

impl Probed<'_> {
    fn new(database: &Tablebase, position: Position) -> Result<Probed<'_>> {
        let rules = database.rules();
        let verdict = database.verdict(&position)?;
        let moves = rules.judged_moves(database, &position)?;
        Ok(Probed { rules, position, verdict, moves })
    }

    /// The best moves, all of them.
    fn best(&self) -> Vec<String> {
        let best = self.moves.iter().take_while(|judged| judged.verdict == self.verdict);
        best.map(|judged| self.rules.format_move(judged.mv)).collect()
    }

    fn csv(&self, line: usize) -> String {
        let plies = self.verdict.plies().map_or(String::new(), |plies| plies.to_string());
        let position = self.rules.format_position(&self.position);
        format!("{line},{position},{},{plies},{}", self.verdict.result(), self.best().join(" "))
    }

    fn json(&self, line: usize) -> Value {
        let moves: Vec<Value> = self
            .moves
            .iter()
            .map(|judged| {
                json!({
                    "move": self.rules.format_move(judged.mv),
                    "result": judged.verdict.result(),
                    "plies": judged.verdict.plies(),
                })
            })
            .collect();
        json!({
            "line": line,
            "position": self.rules.format_position(&self.position),
            "result": self.verdict.result(),
            "plies": self.verdict.plies(),
            "moves": moves,
        })
    }
}
