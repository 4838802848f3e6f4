//! `bsq play`: a game on the terminal, with the value of every move in sight. Here British Square;
//! the other game is in [`rpsw`].
//!
//! ```text
//! keys, mouse ──> Action ──> App (GameRecord, sides, Values) ──> screen
//! ```

mod app;
mod dots;
mod grid;
mod input;
mod keys;
mod look;
mod plain;
mod rpsw;
mod screen;
mod seat;
mod side;
mod terminal;
#[cfg(test)]
mod tests;
mod values;

use crate::args::{GameName, Play};
use crate::lists::{heuristic, read_lists};
use crate::run::Run;
use crate::usage::{CENTRE_OPTION, usage, with_centre_option};
use anyhow::{Context, Result};
use app::App;
use bsq_engine::record::{RecordError, ValueError};
use bsq_games::british_square::heuristic::{ALL, Heuristic};
use bsq_games::british_square::{Evaluator, GameRecord, Rules};
use side::Side;
use std::io::IsTerminal;
use values::Values;

/// Plays until the player has enough.
pub fn run(args: Play) -> Result<()> {
    let of_dots = args.variant.is_some() || args.penalty.is_some();
    if of_dots && args.which != GameName::Dots {
        return Err(usage("--variant and --penalty are for --game dots"));
    }
    match args.which {
        GameName::BritishSquare => british_square(args),
        GameName::Rpsw => rpsw::run(args),
        GameName::Dots => dots::run(args),
    }
}

fn british_square(args: Play) -> Result<()> {
    if args.db.is_some() {
        return Err(usage(
            "--db is for --game rpsw or dots; British Square is searched as it is played",
        ));
    }
    let lists = args.lists.as_deref().map(read_lists).transpose()?.unwrap_or_default();
    let sides = [side(&args.first, &lists)?, side(&args.second, &lists)?];
    let line = line(&args)?;
    let run = Run::begin(&args.work)?;
    let evaluator = Evaluator::new(line.rules(), args.table_size.map(|size| size.as_u64()));
    let evaluator = evaluator.with_context(|| format!("cannot search {}", line.rules().board))?;
    if args.plain || !is_interactive() {
        return plain::Game::new(line, sides, evaluator, &run, !args.no_values)
            .play(std::io::stdin(), std::io::stdout().lock());
    }
    let named = lists.into_iter().chain(ALL.iter().cloned());
    let others: Vec<Side> = named.map(|list| Side::Heuristic(Box::new(list))).collect();
    let mut app = App::new(line, sides, others, Values::of(evaluator)?);
    (app.show_values, app.warn) = (!args.no_values, !args.no_values);
    terminal::play(app, &run)
}

/// Whether someone looks and types.
fn is_interactive() -> bool {
    let dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
    std::io::stdin().is_terminal() && std::io::stdout().is_terminal() && !dumb
}

/// Who plays, by name.
fn side(text: &str, lists: &[Heuristic]) -> Result<Side> {
    Ok(match text {
        "you" => Side::You,
        "perfect" => Side::Perfect,
        text => {
            let found = heuristic(text, lists);
            let found = found.map_err(|e| usage(format!("{e}\n'you' and 'perfect' play too")));
            Side::Heuristic(Box::new(found?))
        }
    })
}

/// The game to begin with.
fn line(args: &Play) -> Result<GameRecord> {
    let rules = args.rules.rules();
    let mut line = match &args.game {
        None => GameRecord::new(rules),
        Some(text) => match rules.parse_position(text) {
            Ok(position) => GameRecord::from(rules, position),
            Err(_) if std::path::Path::new(text).exists() => read_game(text, &rules)?,
            Err(_) if !text.contains(['/', ' ']) => {
                return Err(usage(format!(
                    "there is no file {text}, and it is no position either"
                )));
            }
            Err(error) => {
                let error = with_centre_option(&error, Some(&error), CENTRE_OPTION);
                return Err(usage(format!("{error}; nor is there such a file")));
            }
        },
    };
    line.rules().check().map_err(usage)?;
    line.play_all(&args.moves).map_err(usage)?;
    Ok(line)
}

/// The game of a file, which says its own rules.
fn read_game(path: &str, rules: &Rules) -> Result<GameRecord> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {path}"))?;
    let usual = Rules::standard(5, 5)?;
    let line = GameRecord::parse(&text, &usual).map_err(|error| {
        let cause = match &error {
            RecordError::Value { why: ValueError::Play(cause), .. } => Some(cause),
            _ => None,
        };
        let error = with_centre_option(&error, cause, CENTRE_OPTION);
        usage(format!("{path}: {error}"))
    })?;
    if *rules != usual && rules != line.rules() {
        return Err(usage(format!("{path} says other rules than the flags; leave the flags out")));
    }
    Ok(line)
}
