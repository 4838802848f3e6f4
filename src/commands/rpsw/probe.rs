//! `bsq rpsw probe`.

use super::open;
use crate::args::{Format, OutputArgs, RpswProbe};
use crate::exit::usage;
use crate::output::{self, Answer};
use crate::run::Run;
use anyhow::{Context, Result, bail};
use bsq_analyses::rpsw::probe_table;
use bsq_engine::game::rpsw::database::Database;
use bsq_engine::game::rpsw::{JudgedMove, Position, Rules, Verdict};
use bsq_engine::game::{Game, Notation};
use serde_json::{Value, json};
use std::io::{BufRead, Read, Write};

/// Bytes of a line of standard input that are looked at.
const LONGEST_LINE: u64 = 1 << 10;

/// Shows what a position and its moves are worth, or many positions line by line.
pub fn run(args: RpswProbe) -> Result<()> {
    let database = open(&args.file)?;
    if args.position == "-" {
        return batch(&database, &args);
    }
    let output = OutputArgs { format: args.format, out: None, out_flag: "--out", work: args.work };
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
fn play(rules: &Rules, mut position: Position, moves: &str) -> Result<Position> {
    for word in moves.split_whitespace() {
        let mv = rules.parse_move(word).map_err(usage)?;
        let legal = rules.moves(&position);
        if !legal.contains(&mv) {
            let legal: Vec<String> = legal.iter().map(|&mv| rules.format_move(mv)).collect();
            let legal = if legal.is_empty() { "none".to_string() } else { legal.join(" ") };
            let text = rules.format_position(&position);
            return Err(usage(format!("{word} is no move in {text}; there is {legal}")));
        }
        position = rules.play(&position, mv);
    }
    Ok(position)
}

/// Answers every line of standard input with a line.
fn batch(database: &Database, args: &RpswProbe) -> Result<()> {
    let mut out = std::io::stdout().lock();
    let as_json = args.format == Some(Format::Json);
    if !as_json {
        writeln!(out, "line,position,result,plies,best")?;
    }
    let mut wrong = 0;
    let mut lines = std::io::stdin().lock();
    for number in 1.. {
        let Some(line) =
            next_line(&mut lines).context("cannot read positions from standard input")?
        else {
            break;
        };
        if line.trim().is_empty() {
            continue;
        }
        let position = database.rules().parse_position(&line).map_err(anyhow::Error::from);
        let position = position.and_then(|position| play(database.rules(), position, &args.moves));
        match position {
            Ok(position) => {
                let answer = Probed::new(database, position)?;
                let text =
                    if as_json { answer.json(number).to_string() } else { answer.csv(number) };
                writeln!(out, "{text}")?;
                // Who asks line by line waits for the answer.
                out.flush()?;
            }
            Err(error) => {
                wrong += 1;
                // Nobody is left to tell if standard error is closed.
                let _ = writeln!(std::io::stderr(), "line {number}: {error:#}");
            }
        }
    }
    match wrong {
        0 => Ok(()),
        _ => bail!("{wrong} of the lines have no answer"),
    }
}

/// The next line, cut off where it is longer than any position. What is no text in it is replaced,
/// so that it is wrong in its place.
fn next_line(lines: &mut impl BufRead) -> std::io::Result<Option<String>> {
    let mut bytes = Vec::new();
    if lines.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    if bytes.last() != Some(&b'\n') && bytes.len() as u64 == LONGEST_LINE {
        lines.skip_until(b'\n')?;
    }
    Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
}

/// A position of many.
struct Probed<'a> {
    rules: &'a Rules,
    position: Position,
    verdict: Verdict,
    moves: Vec<JudgedMove>,
}

impl Probed<'_> {
    fn new(database: &Database, position: Position) -> Result<Probed<'_>> {
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
