//! Dots-and-Boxes in plain mode, with scores from a search or a tablebase.

mod plain;
mod thinker;
mod words;

use super::plain::Conversation;
use super::side::Side;
use crate::cli::args::Play;
use crate::dots::{Given, read_text};
use crate::run::Run;
use crate::usage::usage;
use anyhow::Result;
use bsq_games::dots::tablebase::{Plan, Tablebase};
use bsq_games::dots::{Board, BoardError, Evaluator, GameRecord, Position, Rules, parse_position};
use std::io::Write;
use std::path::Path;
use thinker::Thinker;

/// The table of a search by default, in bytes.
const TABLE_BYTES: u64 = 256 << 20;

/// Plays until the player quits.
pub fn run(args: Play) -> Result<()> {
    if let Some(flag) = args.given.any_but(&["table_size"]) {
        return Err(usage(format!(
            "{flag} says nothing about Dots-and-Boxes; give the board as it is, such as 3x4"
        )));
    }
    let side = |who: &str| Side::parse(who, "Dots-and-Boxes");
    let sides = [side(&args.first)?, side(&args.second)?];
    // Tablebases are opened with the threads of the run.
    let run = Run::begin(&args.work)?;
    let tablebase = args.db.as_deref().map(Tablebase::open).transpose()?;
    let line = line(&args, tablebase.as_ref().map(Tablebase::plan))?;
    let bytes = args.table_size.map_or(TABLE_BYTES, |size| size.as_u64());
    let evaluator = Evaluator::new(*line.rules(), tablebase, bytes, u32::MAX);
    let thinker = Thinker::new(evaluator, &run);
    let mut game = Conversation::new(thinker, line, sides, &run, !args.no_values);
    let mut out = std::io::stdout().lock();
    let played = game.play(std::io::stdin(), &mut out);
    if played.is_err() && run.is_stopped() && !game.line.moves().is_empty() {
        // The game continues after an interrupted search.
        write!(out, "\n{}", game.line)?;
    }
    played
}

/// The game at the beginning.
fn line(args: &Play, plan: Option<&Plan>) -> Result<GameRecord> {
    let mut line = match &args.game {
        None => begun(args, plan.map_or(Board::new(3, 3)?, |plan| *plan.board()), plan)?,
        Some(text) => match Board::parse(text) {
            Ok(board) => begun(args, board, plan)?,
            Err(BoardError::Malformed(_)) => read(args, text, plan)?,
            Err(error) => return Err(usage(error)),
        },
    };
    if let Some(plan) = plan {
        let Rules { board, penalty, .. } = *line.rules();
        if (board, penalty) != (*plan.board(), plan.penalty().into()) {
            return Err(usage(format!(
                "the folder is for {} with a penalty of {}, and this is {board} with one of {penalty}",
                plan.board(),
                plan.penalty()
            )));
        }
    }
    line.play_all(&args.moves).map_err(usage)?;
    Ok(line)
}

/// The start of a game on a board. The default variant is that of the tablebase, if there is one.
fn begun(args: &Play, board: Board, plan: Option<&Plan>) -> Result<GameRecord> {
    let variant = args.variant.unwrap_or_default();
    let rules = Rules { board, variant, penalty: penalty(args, &board, None, plan)?.into() };
    let from = plan.filter(|plan| args.variant.is_none() && *plan.board() == board);
    Ok(match from.map_or(0, |plan| plan.from()) {
        0 => GameRecord::new(rules),
        lines => GameRecord::from(rules, Position::of_lines(lines)),
    })
}

/// Reads a position, or the game or position of a file.
fn read(args: &Play, text: &str, plan: Option<&Plan>) -> Result<GameRecord> {
    if args.variant.is_some() {
        return Err(usage("--variant is for the start of a game; leave it out here"));
    }
    let given = match parse_position(text) {
        Err(_) if Path::new(text).is_file() => {
            let said = read_text(text)?;
            // Files of the analyser begin with the penalty, games with a name.
            if !said.trim_start().starts_with(|first: char| first == '-' || first.is_ascii_digit())
            {
                if args.penalty.is_some() {
                    return Err(usage("a game says its own penalty; leave --penalty out"));
                }
                let usual = Rules::standard(Board::new(3, 3)?);
                let line = GameRecord::parse(&said, &usual);
                return line.map_err(|error| usage(format!("{text}: {error}")));
            }
            Given::of_file(&said, text)?
        }
        _ => Given::read(text)?,
    };
    let penalty = penalty(args, &given.board, given.penalty, plan)?;
    Ok(GameRecord::from(
        Rules { penalty: penalty.into(), ..Rules::standard(given.board) },
        given.position,
    ))
}

/// The given penalty, otherwise that of a file, otherwise that of the tablebase.
fn penalty(args: &Play, board: &Board, said: Option<i32>, plan: Option<&Plan>) -> Result<i32> {
    let least = Rules::least_penalty(board);
    let known = args.penalty.or(said).or(plan.map(|plan| plan.penalty()));
    let penalty = known.unwrap_or(0);
    match (least..=0).contains(&penalty) {
        true => Ok(penalty),
        false => Err(usage(format!("'{penalty}' is no penalty here; it can be from {least} to 0"))),
    }
}
