//! `bsq [GAME] play`: a game on the terminal, with the value of every move.
//!
//! ```text
//! keys, mouse ──> screen (Contest) ──> text and colours
//! words ────────> Conversation (Contest) ──> text
//! ```
//!
//! A [`contest::Contest`] is a session with its players. Only full builds have the screen.

mod contest;
mod input;
mod plain;
#[cfg(feature = "full")]
mod screen;

use crate::output::StandardOutput;
use crate::run::Run;
use anyhow::Result;
use bsq_api::{Error, Info, Player, Session};
use contest::{Contest, Side};
use plain::Conversation;
use std::io::{IsTerminal, Write};
use std::time::Duration;

/// The largest number of legal moves for which a search of their values is considered quick.
const SOON: usize = 31;
/// Follows a move that is not known to be the best: the time was over, or values cannot be found.
const SO_FAR: &str = ", the best move so far";

/// A game to be played.
pub struct Play {
    /// The name and rules of the game.
    pub info: Info,
    /// The options of the rules in a few words.
    pub rules: String,
    /// The game in progress.
    pub session: Box<dyn Session>,
    /// The names of the first and of the second player: `you`, or an agent.
    pub sides: [String; 2],
    /// The random seed of agents.
    pub seed: u64,
    /// The time for the move of an agent, and for values.
    pub time: Duration,
    /// Whether values are shown at first.
    pub show_values: bool,
    /// Whether the game is controlled by words even on a terminal.
    pub plain: bool,
}

/// Plays until the person quits.
pub fn play(
    Play { info, rules, session, sides, seed, time, show_values, plain }: Play,
    run: &Run,
) -> Result<()> {
    let side = |player: Player| -> Result<Side, Error> {
        // The error is about the option of the player.
        let unknown = |error| Error { location: Some(player.name().to_string()), ..error };
        match sides[player.index()].as_str() {
            Side::YOU => Ok(Side::You),
            name => Ok(Side::Agent(session.agent(name).map_err(unknown)?.name)),
        }
    };
    let sides = [side(Player::First)?, side(Player::Second)?];
    let contest = Contest::new(session, sides, seed, time)?;
    if !plain && is_interactive() {
        #[cfg(feature = "full")]
        return screen::play(contest, (info, rules), show_values, run);
        #[cfg(not(feature = "full"))]
        run.note("this build plays in words; a build with --features full has a screen");
    }
    let title =
        if rules.is_empty() { info.title.to_string() } else { format!("{}, {rules}", info.title) };
    let mut game = Conversation { contest, title, run, show_values };
    let mut out = StandardOutput;
    let played = game.play(std::io::stdin(), &mut out);
    if played.is_err() && run.is_stopped() && !game.contest.session.moves().is_empty() {
        // The game continues after an interrupted search.
        write!(out, "\n{}", game.contest.session.record())?;
    }
    played
}

/// Whether input and output are a terminal that can show a screen.
fn is_interactive() -> bool {
    let dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
    std::io::stdin().is_terminal() && std::io::stdout().is_terminal() && !dumb
}
