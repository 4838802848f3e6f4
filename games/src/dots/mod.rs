//! Dots-and-Boxes.
//!
//! Players take turns drawing a line between two neighbouring dots. Completing a box scores it and
//! grants another turn. The player with more boxes wins.
//!
//! * `rules`, `board`, `symmetry`: legal moves, variants, lines and boxes, equivalent positions;
//! * `notation`, `record`, `grid`, `view`: positions, moves and games as text and as drawings;
//! * `wilson`: files of Wilson's analyser;
//! * `penalty`: the penalty for the last line, an exact fraction;
//! * `bitboard`: sets of open lines for operations on the whole board;
//! * [`evaluator`]: the value of a position and of its moves;
//! * [`search`]: the value of one position by alpha-beta;
//! * `chains_and_loops`: endgames of any number of chains and loops;
//! * [`heuristic`]: rules of thumb, and what they guarantee;
//! * `nimstring`: nimbers;
//! * [`tablebase`]: the value of every position, in files.
//!
//! Rules, terms and file format: David Wilson, *Dots-and-Boxes Analysis*. Theory: Elwyn Berlekamp,
//! *The Dots-and-Boxes Game* (2000).

mod bitboard;
mod board;
mod chains_and_loops;
mod columns;
mod definition;
pub mod evaluator;
mod grid;
pub mod heuristic;
mod nimstring;
mod notation;
mod penalty;
mod record;
mod rules;
pub mod search;
mod symmetry;
#[cfg_attr(not(feature = "storage"), path = "no_tablebase.rs")]
pub mod tablebase;
mod view;
mod wilson;

pub use bitboard::{Bitboard, Degrees, OpenLines, Word};
pub use board::{Board, BoardError, Boxes, Lines, MOST_BOXES, MOST_LINES, lines_of};
pub use chains_and_loops::{ChainsAndLoops, EndgameError, SolvedEndgame};
pub use definition::Definition;
pub use evaluator::{Evaluation, Evaluator, EvaluatorError};
pub use grid::letter;
pub use nimstring::{Nimber, Nimstring};
pub use notation::{ParseError, format_position, parse_position};
pub use penalty::{Penalty, PenaltyError};
pub use record::{GameRecord, MoveError};
pub use rules::{Position, Rules, Variant};
pub use search::Component;
pub use wilson::{BoardFile, FileError, FileProblem};

/// The name under which this game is registered.
pub const NAME: &str = "dots";
