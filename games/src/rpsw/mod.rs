//! Rock-paper-scissors-well: a small chess-like game on 4 columns and 6 rows.
//!
//! Each player has a rock, a paper, scissors and a well, and begins with them on the home row, in
//! any order. A piece moves to one of the eight squares around it that is empty or has an
//! opponent's piece that it captures. A player wins by reaching the opponent's home row or by
//! capturing the last piece. A player who cannot move ends the game in a draw.
//!
//! * [`rules`], `board`, `symmetry`: legal moves and their inverses, variants, squares, mirror
//!   images;
//! * [`notation`], `record`, `illegal`: positions, moves and games as text, and reasons why moves
//!   are illegal;
//! * `evaluator`: the value of a position and of its moves; `dtw`: the depth to win from the stored
//!   entries;
//! * [`retrograde`]: bit-set retrograde analysis;
//! * [`census`]: numbers of won, lost and drawn positions;
//! * [`tables`], `longest`: tables of a census, and of the longest win;
//! * [`tablebase`]: a file with the value of every position.
//!
//! Rules and published counts: the *Boardgame Enumerator* and its list of iterations.

mod board;
pub mod census;
mod definition;
mod dtw;
mod evaluator;
mod illegal;
#[cfg(feature = "storage")]
mod longest;
pub mod notation;
mod record;
pub mod retrograde;
pub mod rules;
mod starts;
mod symmetry;
pub mod tablebase;
pub mod tables;
mod view;

pub use board::{Board, Square};
pub use definition::{Definition, Probe};
pub use dtw::Dtw;
pub use evaluator::{Evaluation, Evaluator, EvaluatorError, outcome_for};
pub use illegal::{Illegal, MoveError};
pub use notation::{ParseError, TakesError};
pub use record::GameRecord;
pub use rules::{Move, Piece, Placement, Position, Rules, RulesError};

/// The name under which this game is registered.
pub const NAME: &str = "rpsw";
