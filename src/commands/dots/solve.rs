//! `bsq dots solve`.

use super::answer::Solved;
use super::patience::Patience;
use super::question::Question;
use crate::checkpoint::Checkpoint;
use crate::cli::args::{DotsSolve, Format};
use crate::memory;
use crate::output;
use crate::run::Run;
use anyhow::{Context, Result, bail};
use bsq_engine::evaluate::{Detail, Evaluator as _};
use bsq_engine::monitor::Monitor;
use bsq_games::dots::Evaluator;
use bsq_games::dots::evaluator::{Optional, suitable_table};
use bytesize::ByteSize;
use std::io::Write;
use std::path::PathBuf;

/// The size of the smallest table by default, however little memory is free, in bytes.
const LEAST: u64 = 1 << 20;
/// The memory for nimbers if the system does not report free memory, in bytes.
const MOST: u64 = 1 << 30;
/// The size in bytes of a first, small table, because filling memory takes time, and the number of
/// positions after which the search starts again with a larger one.
const FIRST: u64 = 64 << 20;
const FIRST_POSITIONS: u64 = 2 << 20;

/// Solves a position and prints its value, its moves and its principal variation.
pub fn run(args: DotsSolve) -> Result<()> {
    let run = Run::begin(&args.output.work)?;
    let mut question = Question::read(&args.question, args.variant)?;
    question.penalty = args.penalty.unwrap_or(question.penalty);
    let bytes = size(&question, &args);
    let is_free = args.table_size.is_none() && args.checkpoint.is_none();
    let trial = is_free && bytes > 4 * FIRST;
    let first = evaluator(&question, &args, if trial { FIRST } else { bytes })?;
    let out = output::Folder::open(&args.output)?;
    let patience = Patience::new(&run, FIRST_POSITIONS);
    let monitor = if trial { patience.monitor() } else { run.monitor() };
    let (evaluator, solved) = match solve(&first, question, &args, &run, &monitor) {
        Err(_) if patience.is_over() => {
            let evaluator = evaluator(&question, &args, bytes)?;
            let solved = solve(&evaluator, question, &args, &run, &run.monitor());
            (evaluator, solved)
        }
        solved => (first, solved),
    };
    report(&evaluator, &run);
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

/// The size of the table in bytes: the requested size, or one that suits the position and free
/// memory.
fn size(question: &Question, args: &DotsSolve) -> u64 {
    match args.table_size {
        Some(size) => size.as_u64(),
        None => {
            let free = memory::available().unwrap_or(u64::MAX);
            suitable_table(question.open()).min((free / 2).max(LEAST))
        }
    }
}

/// An evaluator with tables of the given number of bytes, if they fit the memory.
fn evaluator(question: &Question, args: &DotsSolve, bytes: u64) -> Result<Evaluator> {
    // Memory is only allocated as a table fills, so a table that is too large would fail during the
    // search.
    let available = memory::available();
    let nimber = args.nimstring.then(|| available.unwrap_or(MOST).saturating_sub(bytes) / 2);
    let optional = Optional { loony: args.loony, nimber };
    let evaluator = Evaluator::searching(question.board, question.penalty, bytes, optional);
    let evaluator = evaluator.with_context(|| format!("cannot search {}", question.board))?;
    if let Some(available) = available.filter(|&available| evaluator.bytes() > available) {
        let [bytes, available] =
            [evaluator.bytes(), available].map(|size| ByteSize::b(size).display().iec());
        bail!("this takes {bytes} of memory, and {available} are free");
    }
    Ok(evaluator)
}

fn solve(
    evaluator: &Evaluator,
    question: Question,
    args: &DotsSolve,
    run: &Run,
    monitor: &Monitor,
) -> Result<Solved> {
    let Question { board, position, penalty, .. } = question;
    // A table is valid for all positions of the board, so the label does not contain the position.
    let marks = if args.loony { ", with marks" } else { "" };
    let kept = format!("Dots-and-Boxes {board}, penalty {penalty}{marks}");
    let open = |path: &PathBuf| Checkpoint::open(path, evaluator.learned(), kept, run);
    let checkpoint = args.checkpoint.as_ref().map(open).transpose()?;
    monitor.begin("positions", 0);
    let detail = if args.moves { Detail::Moves } else { Detail::Value };
    let search = || -> Result<_> {
        let evaluation = evaluator.evaluate(&position, detail, monitor)?;
        let line = (!args.no_line).then(|| evaluator.steps(&position, usize::MAX, monitor));
        Ok((evaluation, line.transpose()?))
    };
    let (evaluation, line) = Checkpoint::keep(checkpoint.as_ref(), run, search)?;
    Ok(Solved { question, evaluation, marks: args.loony, line })
}

/// Reports the work done if it took a while.
fn report(evaluator: &Evaluator, run: &Run) {
    let (learned, seconds) = (evaluator.learned(), run.seconds());
    let nodes: u64 = learned.iter().map(|solver| solver.nodes()).sum();
    let fills = learned.iter().map(|solver| solver.table().fill());
    let fill = fills.sum::<f64>() / learned.len() as f64;
    tracing::info!(nodes, seconds, fill, "searched");
    if seconds >= 1.0 {
        let rate = nodes as f64 / seconds / 1e6;
        let size = ByteSize::b(evaluator.bytes()).display().iec();
        run.note(&format!(
            "{nodes} positions searched in {seconds:.1} s, {rate:.2} million a second; table of {size} {:.0}% full",
            100.0 * fill
        ));
    }
}
