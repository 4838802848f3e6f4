//! Dots-and-Boxes.
//!
//! Dots stand in rows. The players in turn draw a line between two neighbours; who draws the
//! fourth side of a box takes it and moves again. Who has more boxes at the end wins.
//!
//! * [`board`](Board): dots, lines, boxes, symmetries;
//! * [`rules`](Rules): what is legal; variants and the penalty for the last line;
//! * `layers`: the value of every position, in files.
//!
//! Rules, words and file format: David Wilson's *Dots-and-Boxes Analysis*.

mod board;
#[cfg(not(loom))]
pub mod layers;
mod rules;

pub use board::{Board, BoardError, Boxes, Lines, MOST_LINES, lines_of};
pub use rules::{Position, Rules, Variant};

/// The name under which this game is registered.
pub const NAME: &str = "dots";
