//! What is true about small two-player games: their rules, their values, their counts.
//!
//! Everywhere in this crate a **score** is the first player's points minus the second
//! player's. It is positive when the first player wins. In British Square a piece is a
//! point, and the second player's bias, if any, has been subtracted.
//!
//! The layers, each using only the ones before it:
//!
//! * [`game`]: the traits that a game implements, and the games;
//! * [`table`]: the lock-free sharded table of values;
//! * [`solve`]: solvers, which know a game only through small capability traits;
//! * `heuristic`: rules of thumb, and how to measure one against perfect play.
//!
//! ```
//! use bsq_engine::game::british_square::{BritishSquare, Rules};
//! use bsq_engine::solve::{search, Monitor};
//!
//! let game = BritishSquare::new(Rules::standard(3, 3).unwrap()).unwrap();
//! let solved = search::solve(&game, &game.root(), &Monitor::default()).unwrap();
//! assert_eq!(solved.value(), 1); // first player's pieces minus second player's
//! ```

mod cpu;
pub mod game;
#[cfg(not(loom))]
pub mod heuristic;
pub mod solve;
pub mod table;
