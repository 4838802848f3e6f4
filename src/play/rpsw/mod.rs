//! Rock-paper-scissors-well on the terminal, judged from a database of all positions.
//!
//! ```text
//! keys, mouse ──> Action ──> App (GameRecord, sides, Judge) ──> screen
//! ```

mod app;
mod judge;
mod keys;
mod plain;
mod screen;
#[cfg(test)]
mod tests;
mod words;

use super::seat::Seat;
use super::{is_interactive, terminal};
use crate::args::Play;
use crate::run::Run;
use crate::usage::usage;
use anyhow::{Context, Result};
use app::App;
use bsq_engine::game::Notation;
use bsq_games::rpsw::tablebase::Tablebase;
use bsq_games::rpsw::{GameRecord, Rules};
use judge::Judge;
use std::path::Path;

/// How to make a database.
const HOW: &str = "\
'bsq rpsw solve --out rpsw.db' makes one (some minutes, 6 GiB of memory, a file of 0.5 GB),
'bsq rpsw solve --pieces 2 --out small.db' one of a smaller game, at once";

/// Plays until the player has enough.
pub fn run(args: Play) -> Result<()> {
    if let Some(flag) = args.given.any_but(&[]) {
        return Err(usage(format!(
            "{flag} says nothing about rock-paper-scissors-well; the rules are those of the database"
        )));
    }
    let seat = |who: &str| Seat::parse(who, "rock-paper-scissors-well");
    let sides = [seat(&args.first)?, seat(&args.second)?];
    let database = open(args.db.as_deref())?;
    let line = line(&args, database.rules())?;
    let run = Run::begin(&args.work)?;
    let judge = Judge::new(line.rules().clone(), database);
    if args.plain || !is_interactive() {
        return plain::Game::new(line, sides, judge, &run, !args.no_values)
            .play(std::io::stdin(), std::io::stdout().lock());
    }
    terminal::play(App::new(line, sides, judge, !args.no_values), &run)
}

fn open(path: Option<&Path>) -> Result<Tablebase> {
    let Some(path) = path else {
        return Err(usage(format!(
            "rock-paper-scissors-well is played from a database of all positions: give it with --db.\n{HOW}"
        )));
    };
    if !path.exists() {
        return Err(usage(format!("there is no file {}.\n{HOW}", path.display())));
    }
    Ok(Tablebase::open(path)?)
}

/// The game to begin with.
fn line(args: &Play, rules: &Rules) -> Result<GameRecord> {
    let mut line = match &args.game {
        None => GameRecord::new(rules.clone()),
        Some(text) => match rules.parse_position(text) {
            Ok(position) => GameRecord::from(rules.clone(), position),
            Err(_) if Path::new(text).exists() => read_game(text, rules)?,
            Err(_) if !text.contains(['/', ' ']) => {
                return Err(usage(format!(
                    "there is no file {text}, and it is no position either"
                )));
            }
            Err(error) => return Err(usage(format!("{error}; nor is there such a file"))),
        },
    };
    line.play_all(&args.moves).map_err(usage)?;
    Ok(line)
}

/// The game of a file, by the rules of the database.
fn read_game(path: &str, rules: &Rules) -> Result<GameRecord> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {path}"))?;
    GameRecord::parse(&text, rules).map_err(|error| usage(format!("{path}: {error}")))
}
