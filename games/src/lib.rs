//! Small two-player games, each in a folder of its own: rules, notation, symmetry, and the
//! algorithms that serve only that game.
//!
//! A **score** is the first player's points minus the second player's: positive when the first
//! player wins. In British Square a piece is a point, and the second player's bias, if any, is
//! subtracted.
//!
//! ```
//! use bsq_engine::monitor::Monitor;
//! use bsq_engine::strong;
//! use bsq_games::british_square::{BritishSquare, Rules};
//!
//! let game = BritishSquare::new(Rules::standard(3, 3).unwrap()).unwrap();
//! let solved = strong::solve(&game, &game.root(), &Monitor::default()).unwrap();
//! assert_eq!(solved.value(), 1); // first player's pieces minus second player's
//! ```

pub mod british_square;
mod cells;
pub mod dots;
mod first_plies;
pub mod graph;
pub mod mnk;
mod rectangle;
pub mod rpsw;
mod ties;

use bsq_engine::definition::Definition;

/// The short name of every game of this crate. The conformance suite covers each of them.
pub const GAMES: &[&str] = &[british_square::NAME, dots::NAME, rpsw::NAME, mnk::NAME];

/// Passes every game of this crate, in the order of [`GAMES`], to a visitor.
pub fn visit_all(visitor: &mut impl Visitor) {
    visitor.visit(british_square::Definition);
    visitor.visit(dots::Definition);
    visitor.visit(rpsw::Definition);
    visitor.visit(mnk::Rules::tic_tac_toe());
}

/// A job that [`visit_all`] does for each game.
pub trait Visitor {
    /// Visits a game.
    fn visit<D: Definition>(&mut self, game: D);
}
