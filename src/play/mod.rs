//! `bsq play`: a game on the terminal, with the value of every move.
//!
//! ```text
//! keys, mouse ──> Action ──> App (GameRecord, sides, evaluations) ──> screen
//! words ──> Conversation (GameRecord, sides, evaluations) ──> text
//! ```

mod app;
mod british_square;
mod dots;
mod grid;
mod input;
mod look;
mod plain;
mod rpsw;
mod side;
mod terminal;
#[cfg(test)]
mod tests;

pub use app::OFTEN;
pub use input::{Next, Talk, print, talk};

use crate::cli::args::{GameName, Play};
use crate::usage::usage;
use anyhow::{Context, Result};
use bsq_engine::record::{GameRecord, Recorded};
use std::fmt::Display;
use std::io::IsTerminal;
use std::path::Path;

/// Plays a game until the person quits.
pub fn run(args: Play) -> Result<()> {
    let of_dots = args.variant.is_some() || args.penalty.is_some();
    if of_dots && args.which != GameName::Dots {
        return Err(usage("--variant and --penalty are for --game dots"));
    }
    match args.which {
        GameName::BritishSquare => british_square::run(args),
        GameName::Rpsw => rpsw::run(args),
        GameName::Dots => dots::run(args),
    }
}

/// Whether input and output are a terminal that can show a screen.
fn is_interactive() -> bool {
    let dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
    std::io::stdin().is_terminal() && std::io::stdout().is_terminal() && !dumb
}

/// The record to begin with: of a position, of a file, or of the start of the game. `parse` takes a
/// path, the text of the file and the rules; `advise` formats the error of a position.
fn begin<G: Recorded>(
    game: Option<&str>,
    rules: G,
    parse: impl FnOnce(&str, &str, &G) -> Result<GameRecord<G>>,
    advise: impl FnOnce(G::Error) -> String,
) -> Result<GameRecord<G>> {
    let Some(text) = game else { return Ok(GameRecord::new(rules)) };
    match rules.parse_position(text) {
        Ok(position) => Ok(GameRecord::from(rules, position)),
        Err(_) if Path::new(text).exists() => {
            let found = std::fs::read_to_string(text);
            parse(text, &found.with_context(|| format!("cannot read {text}"))?, &rules)
        }
        Err(_) if !text.contains(['/', ' ']) => {
            Err(usage(format!("there is no file {text}, and it is no position either")))
        }
        Err(error) => Err(usage(format!("{}; nor is there such a file", advise(error)))),
    }
}

/// Names of moves or other words, separated by spaces.
fn joined<T: Display>(names: impl Iterator<Item = T>) -> String {
    names.map(|name| name.to_string()).collect::<Vec<_>>().join(" ")
}
