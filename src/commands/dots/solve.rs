//! `bsq dots solve`.

use super::answer::Solved;
use super::patience::Patience;
use super::question::Question;
use crate::args::{DotsSolve, Format};
use crate::checkpoint::Checkpoint;
use crate::memory;
use crate::output;
use crate::run::Run;
use anyhow::{Context, Result, bail};
use bsq_engine::monitor::{Monitor, SolveError};
use bsq_games::dots::evaluator::suitable_table;
use bsq_games::dots::search::Analyst;
use bsq_games::dots::{Nimber, Nimstring};
use bytesize::ByteSize;
use std::io::Write;
use std::path::PathBuf;

/// The smallest table made without being asked for, however little memory is free, in bytes.
const LEAST: u64 = 1 << 20;
/// The memory assumed to be free where the system does not tell.
const MOST: u64 = 1 << 30;
/// Where a much larger table would suit the number of lines, a search begins with one of that many
/// bytes, since to fill memory takes time, and gives up after so many positions.
const FIRST: u64 = 64 << 20;
const FIRST_POSITIONS: u64 = 2 << 20;

/// Solves a position and shows what it is worth, its moves and a line of best play.
pub fn run(args: DotsSolve) -> Result<()> {
    let run = Run::begin(&args.output.work)?;
    let mut question = Question::read(&args.question, args.variant)?;
    question.penalty = args.penalty.unwrap_or(question.penalty);
    let bytes = size(&question, &args);
    let is_free = args.table_size.is_none() && args.checkpoint.is_none();
    let trial = is_free && bytes > 4 * FIRST;
    let first = analyst(&question, &args, if trial { FIRST } else { bytes })?;
    let out = output::Folder::open(&args.output)?;
    let patience = Patience::new(&run, FIRST_POSITIONS);
    let monitor = if trial { patience.monitor() } else { run.monitor() };
    let (analyst, solved) = match solve(&first, question, &args, &run, &monitor) {
        Err(_) if patience.is_over() => {
            let analyst = analyst(&question, &args, bytes)?;
            let solved = solve(&analyst, question, &args, &run, &run.monitor());
            (analyst, solved)
        }
        solved => (first, solved),
    };
    report(&analyst, &run);
    let solved = solved?;
    let answer = solved.answer();
    let in_files = out.is_some();
    if let Some(out) = out {
        out.write(&run, std::slice::from_ref(&answer))?;
    }
    run.clear();
    match output::format(&args.output) {
        None => {}
        Some(Format::Csv) => {
            output::csv::write(std::io::stdout(), &answer.tables[0])?;
            let others: Vec<&str> = answer.tables[1..].iter().map(|t| t.name.as_str()).collect();
            if !in_files && !others.is_empty() {
                run.note(&format!(
                    "also computed: {}; --out DIR writes everything",
                    others.join(", ")
                ));
            }
        }
        Some(Format::Json) => output::json::print(&solved.json())?,
        Some(Format::Table) => std::io::stdout().write_all(solved.text().as_bytes())?,
    }
    run.end();
    Ok(())
}

/// Bytes for the table: as many as were asked for, or as suit the position and what is free.
fn size(question: &Question, args: &DotsSolve) -> u64 {
    match args.table_size {
        Some(size) => size.as_u64(),
        None => {
            let free = memory::available().unwrap_or(u64::MAX);
            suitable_table(question.open()).min((free / 2).max(LEAST))
        }
    }
}

/// An analyst with tables of that many bytes, if there is room for them.
fn analyst(question: &Question, args: &DotsSolve, bytes: u64) -> Result<Analyst> {
    let make = if args.loony { Analyst::with_marks } else { Analyst::new };
    let analyst = make(question.board, question.penalty, bytes);
    let analyst = analyst.with_context(|| format!("cannot search {}", question.board))?;
    // A table takes memory when it fills; one that does not fit would end in the middle.
    let available = memory::available().unwrap_or(u64::MAX);
    if analyst.table_bytes() > available {
        let [bytes, available] =
            [analyst.table_bytes(), available].map(|size| ByteSize::b(size).display().iec());
        bail!("this takes {bytes} of memory, and {available} are free");
    }
    Ok(analyst)
}

fn solve(
    analyst: &Analyst,
    question: Question,
    args: &DotsSolve,
    run: &Run,
    monitor: &Monitor,
) -> Result<Solved> {
    let (board, position) = (question.board, question.position);
    // What is known of a position is known wherever it comes up.
    let marks = if args.loony { ", with marks" } else { "" };
    let kept = format!("Dots-and-Boxes {board}, penalty {}{marks}", question.penalty);
    let open = |path: &PathBuf| Checkpoint::open(path, analyst.learned(), kept, run);
    let checkpoint = args.checkpoint.as_ref().map(open).transpose()?;
    monitor.begin("positions", 0);
    let search = || -> Result<_, SolveError> {
        let value = analyst.value(position.lines, monitor)?;
        let moves = args.moves.then(|| analyst.moves(position.lines, monitor)).transpose()?;
        let line = (!args.no_line).then(|| analyst.line(&position, monitor)).transpose()?;
        Ok((value, moves, line, analyst.loony(position.lines, monitor)?))
    };
    let (value, moves, line, loony) = Checkpoint::keep(checkpoint.as_ref(), run, search)?;
    let lead = position.lead(&board);
    let nimber = args.nimstring.then(|| nimber(&question, monitor)).transpose()?;
    Ok(Solved { question, value, lead, marks: args.loony, loony, nimber, moves, line })
}

/// The value in Nimstring, in memory of no more than half of what is free.
fn nimber(question: &Question, monitor: &Monitor) -> Result<Nimber> {
    let memory = memory::available().unwrap_or(MOST) / 2;
    let value = Nimstring::new(question.board, memory).value(question.position.lines, monitor);
    value.context("cannot find the value in Nimstring")
}

/// How much work it was, said aloud if it took a while.
fn report(analyst: &Analyst, run: &Run) {
    let (nodes, seconds, fill) = (analyst.nodes(), run.seconds(), analyst.fill());
    tracing::info!(nodes, seconds, fill, "searched");
    if seconds >= 1.0 {
        let rate = nodes as f64 / seconds / 1e6;
        let size = ByteSize::b(analyst.table_bytes()).display().iec();
        run.note(&format!(
            "{nodes} positions searched in {seconds:.1} s, {rate:.2} million a second; table of {size} {:.0}% full",
            100.0 * fill
        ));
    }
}
