//! The full screen.
//!
//! ```text
//! keys, mouse ──> App (Contest, Values) ──> drawing
//! ```
//!
//! Another thread finds values and the moves of agents.

mod app;
mod board;
mod drawing;
mod grid;
mod keys;
mod panel;
mod style;
mod terminal;
#[cfg(test)]
mod tests;
mod values;

use super::contest::Contest;
use crate::run::Run;
use anyhow::{Context, Result};
use app::App;
use bsq_api::Info;
use style::Look;

/// Plays on the screen until the person quits. `game` is the game, and its rules in a few words.
pub fn play(contest: Contest, game: (Info, String), show_values: bool, run: &Run) -> Result<()> {
    let app = App::new(contest, game, Look::of_environment(), show_values);
    terminal::play(app.context("cannot start a thread for values")?, run)
}
