//! m,n,k games: tic-tac-toe and its generalisations.
//!
//! Two players take turns placing a piece on an empty cell of a rectangular board. The first player
//! to have `k` pieces in a row, horizontally, vertically or diagonally, wins. A full board without
//! such a row is a draw. Tic-tac-toe is 3x3 with k = 3.
//!
//! * `rules`: the rules, and the symmetries of the board;
//! * [`notation`], `view`: positions and moves as text that can be parsed back, and drawings;
//! * `record`: game records, and the game as front ends see it;
//! * `solving`: the game as an input of the strong solution and of the breadth-first count.
//!
//! ```
//! use bsq_engine::levels;
//! use bsq_engine::monitor::Monitor;
//! use bsq_games::mnk::Rules;
//!
//! let census = levels::count(&Rules::tic_tac_toe(), &Monitor::default()).unwrap();
//! assert_eq!(census.states(), 765); // up to symmetry
//! assert_eq!(census.playouts(), 255_168u32.into());
//! ```
//!
//! Literature: Uiterwijk and van den Herik, *The advantage of the initiative*, 2000 (m,n,k games).

pub mod notation;
mod record;
mod rules;
mod solving;
mod view;

pub use rules::{Cells, Error, MAX_CELLS, Position, Rules};

/// The name under which this game is registered.
pub const NAME: &str = "mnk";

#[cfg(test)]
mod tests;
