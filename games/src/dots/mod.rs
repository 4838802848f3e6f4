//! Dots-and-Boxes.
//!
//! Dots stand in rows. The players in turn draw a line between two neighbours; who draws the
//! fourth side of a box takes it and moves again. Who has more boxes at the end wins.
//!
//! * [`board`](Board): dots, lines, boxes, symmetries;
//! * [`rules`](Rules): what is legal; variants and the penalty for the last line;
//! * `symmetry`: the images of a position;
//! * `grid`: what stands where in a drawing;
//! * [`notation`](parse_position): positions and moves as words;
//! * [`penalty`](Penalty): what the last line costs, exactly;
//! * [`bitboard`](Bitboard): open lines as words, for what looks at the whole board at once;
//! * [`file`](BoardFile): files of Wilson's analyser;
//! * `drawing`: the board for people;
//! * [`line`](GameRecord): a game so far;
//! * `layers`: the value of every position, in files.
//!
//! Rules, words and file format: David Wilson's *Dots-and-Boxes Analysis*.

mod bitboard;
mod board;
mod grid;
mod nimstring;
mod notation;
mod penalty;
mod record;
mod rules;
pub mod search;
mod symmetry;
pub mod tablebase;
mod view;
mod wilson;

pub use bitboard::{Bitboard, Degrees, OpenLines};
pub use board::{Board, BoardError, Boxes, Lines, MOST_LINES, lines_of};
pub use grid::letter;
pub use nimstring::{Nimber, Nimstring};
pub use notation::{ParseError, format_position, parse_position};
pub use penalty::{Penalty, PenaltyError};
pub use record::{GameRecord, MoveError};
pub use rules::{Position, Rules, Variant};
pub use wilson::{BoardFile, FileError, FileProblem};

/// The name under which this game is registered.
pub const NAME: &str = "dots";
