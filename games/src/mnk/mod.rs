//! m,n,k games: tic-tac-toe and its generalisations.
//!
//! Two players take turns placing a piece on an empty cell of a rectangular board. The first player
//! to have `k` pieces in a row, horizontally, vertically or diagonally, wins. A full board without
//! such a row is a tie. Tic-tac-toe is 3x3 with k = 3.
//!
//! * `rules`: the rules, and the symmetries of the board;
//! * [`notation`], `view`: positions and moves as text that can be parsed back, and drawings;
//! * `record`: game records, and the game as front ends see it.
//!
//! Games are solved and counted by the [explorer](bsq_engine::explore).
//!
//! ```
//! use bsq_engine::explore::{Limits, explore};
//! use bsq_engine::monitor::Monitor;
//! use bsq_games::mnk::Rules;
//!
//! let monitor = Monitor::default();
//! let explored = explore(Rules::tic_tac_toe(), Limits::default(), &monitor).unwrap();
//! assert_eq!(explored.count().canonical, 765); // up to symmetry
//! assert_eq!(explored.playouts(&monitor).unwrap().total(), 255_168u32.into());
//! ```
//!
//! Literature: Uiterwijk and van den Herik, *The advantage of the initiative*, 2000 (m,n,k games).

mod definition;
pub mod notation;
mod record;
mod rules;
mod view;

pub use rules::{Cells, Error, MAX_CELLS, Position, Rules};

/// The name under which this game is registered.
pub const NAME: &str = "mnk";

#[cfg(test)]
mod tests;
