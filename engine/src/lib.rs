//! Algorithms and data structures for the exact analysis of two-player games of perfect
//! information. No game is defined here.
//!
//! A **score** is the first player's points minus the second player's: positive when the first
//! player wins.
//!
//! * [`game`]: the traits that a game implements;
//! * [`score`]: exact scores;
//! * [`evaluate`]: the value of a position and of its moves;
//! * [`record`]: game records, as text and as moves played so far;
//! * [`strong`]: the strong solution of acyclic games, by parallel depth-first search with a shared
//!   transposition table;
//! * [`levels`]: states and playouts counted breadth-first, in memory, on disk, or distributed over
//!   several processes;
//! * [`table`]: transposition tables;
//! * [`storage`]: checkpoints of searches, in files;
//! * [`tally`]: integers wide enough for the counts they hold;
//! * [`monitor`]: progress and cancellation;
//! * [`nim`]: the toy game of the examples and tests.

#[cfg(not(loom))]
mod cpu;
#[cfg(not(loom))]
pub mod evaluate;
#[cfg(not(loom))]
pub mod game;
#[cfg(not(loom))]
pub mod levels;
#[cfg(not(loom))]
pub mod monitor;
#[cfg(not(loom))]
pub mod nim;
#[cfg(not(loom))]
pub mod record;
#[cfg(not(loom))]
pub mod score;
#[cfg(not(loom))]
pub mod storage;
#[cfg(not(loom))]
pub mod strong;
pub mod table;
#[cfg(not(loom))]
pub mod tally;
