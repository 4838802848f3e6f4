//! `bsq solve`.

use super::game::{LONGEST_LINE, check_pv, is_board, two_boards};
use crate::checkpoint::Checkpoint;
use crate::cli::args::{DEFAULT_BOARD, Format, Solve};
use crate::output::{self, Answer};
use crate::run::Run;
use crate::solution::{MAPPED_CELLS, Solution};
use crate::usage::{CENTRE_OPTION, usage, with_centre_option};
use anyhow::{Context, Result};
use bsq_analyses::rules_label;
use bsq_engine::evaluate::{Detail, Evaluator as _};
use bsq_engine::table::Bounds;
use bsq_games::british_square::{Board, Evaluator, GameRecord, Position, Rules};
use bytesize::ByteSize;
use std::io::{Read, Write};
use std::path::PathBuf;

/// Solves a position and prints its value, and optionally the values of its moves.
pub fn run(mut args: Solve) -> Result<()> {
    let rules = rules(&mut args)?;
    if rules.pieces.is_some() && (args.checkpoint.is_some() || args.table_size.is_some()) {
        return Err(usage(
            "with --pieces all states are searched; --checkpoint and --table-size do not apply",
        ));
    }
    check_pv(args.pv, &args.output)?;
    let run = Run::begin(&args.output.work)?;
    let evaluator = Evaluator::new(&rules, args.table_size.map(|size| size.as_u64()));
    let evaluator = evaluator.with_context(|| format!("cannot search {}", rules.board))?;
    let position = position(&rules, &args)?;
    let out = output::Folder::open(&args.output)?;
    let label = format!("{}: {}", rules_label(&rules), rules.format_position(&position));
    let open = |path: &PathBuf| Checkpoint::open(path, evaluator.learned(), label, &run);
    let checkpoint = args.checkpoint.as_ref().map(open).transpose()?;
    let detail = match args.values || rules.board.cells() <= MAPPED_CELLS {
        true => Detail::Moves,
        false => Detail::Value,
    };
    let work = || {
        let (monitor, limit) = (run.monitor(), if args.pv { LONGEST_LINE } else { 0 });
        let found = evaluator.evaluate(&position, detail, &monitor)?;
        Ok((found, evaluator.principal_variation(&position, limit, &monitor)?))
    };
    let found = Checkpoint::keep(checkpoint.as_ref(), &run, work);
    report(&evaluator, &run, found.is_err());
    let (found, line) = found?;
    let line: Vec<String> = line.into_iter().map(|mv| rules.move_name(mv)).collect();
    let answer = Solution::unknown(rules, position).with(&found);
    let format = output::format(&args.output);
    let tables = vec![answer.table()];
    let command = format!("solve '{}'", answer.rules.format_position(&answer.position));
    let export = Answer { command, rules: (&answer.rules).into(), tables };
    if let Some(out) = out {
        out.write(&run, std::slice::from_ref(&export))?;
    }
    run.clear();
    match format {
        None => {}
        Some(Format::Csv) => output::csv::write(std::io::stdout(), &export.tables[0])?,
        Some(Format::Json) => {
            let mut json = answer.json();
            if args.pv {
                json["principal_variation"] = line.into();
            }
            output::json::print(&json)?;
        }
        Some(Format::Table) => {
            let mut text = answer.text();
            if args.pv {
                text += &format!("\nPrincipal variation: {}\n", line.join(" "));
            }
            std::io::stdout().write_all(text.as_bytes())?;
        }
    }
    run.end();
    Ok(())
}

/// The rules. A position that is the size of a board changes them.
fn rules(args: &mut Solve) -> Result<Rules> {
    let mut rules = args.rules.rules();
    if let Some(size) = args.position.take_if(|text| is_board(text)) {
        let board = Board::parse(&size).map_err(usage)?;
        if rules.board != board && rules.board.to_string() != DEFAULT_BOARD {
            return Err(two_boards(&size));
        }
        rules.board = board;
    }
    Ok(rules)
}

/// Reports the work done if it took a while, and the bounds proved if it was stopped.
fn report(evaluator: &Evaluator, run: &Run, stopped: bool) {
    let Some(solver) = evaluator.solver() else { return };
    let (nodes, seconds) = (solver.nodes(), run.seconds());
    let (regions, fill) = (solver.regions(), solver.table().fill());
    tracing::info!(nodes, seconds, regions, fill, "searched");
    match solver.proved() {
        Some(Bounds { lower, upper }) if stopped && lower < upper => run.note(&format!(
            "so far: the mover makes at least {lower} and at most {upper} points more from here on"
        )),
        Some(Bounds { lower, .. }) if stopped => run.note(&format!(
            "the mover makes {lower} points more from here on; not every move was valued"
        )),
        _ => {}
    }
    if seconds >= 1.0 {
        let rate = nodes as f64 / seconds / 1e6;
        let size = ByteSize::b(solver.table().bytes()).display().iec();
        run.note(&format!(
            "{nodes} positions searched in {seconds:.1} s, {rate:.2} million a second; table of {size} {:.0}% full",
            100.0 * fill
        ));
    }
}

/// Parses the position and plays the moves.
fn position(rules: &Rules, args: &Solve) -> Result<Position> {
    let mut text = args.position.clone();
    if text.as_deref() == Some("-") {
        let mut typed = String::new();
        // A longer text is not a position.
        let read = std::io::stdin().take(1 << 16).read_to_string(&mut typed);
        read.map_err(|error| usage(format!("standard input is no position: {error}")))?;
        text = Some(typed);
    }
    let position = match text {
        None => rules.start(),
        Some(text) => rules
            .parse_position(&text)
            .map_err(|error| with_centre_option(&error, Some(&error), CENTRE_OPTION))
            .map_err(usage)?,
    };
    let mut line = GameRecord::from(rules.clone(), position);
    line.play_all(&args.moves).map_err(usage)?;
    Ok(*line.position())
}
