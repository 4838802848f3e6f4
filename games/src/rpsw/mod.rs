//! Rock-paper-scissors-well: a small chess-like game on 4x6.
//!
//! Each player has a rock, a paper, scissors and a well, and begins with them on the row nearest
//! to them, in any order. A piece moves to one of the eight squares around it, if that is empty or
//! has an opponent's piece that it takes. Who reaches the opponent's base row, or takes the last
//! piece, has won. A player who cannot move ends the game in a draw.
//!
//! * [`rules`]: what is legal, what a move undoes to, variants;
//! * [`notation`]: positions and moves as text;
//! * [`GameRecord`]: a game so far, as text too;
//! * [`verdict`]: who wins a position, and how soon, from what is stored of all;
//! * `layout`: all positions as rows of bits, and a whole round of moves at a time;
//! * `census`: how many positions are won, lost and drawn;
//! * `database`: a file of what every position is worth.
//!
//! Rules and published counts: the *Boardgame Enumerator* and its list of iterations.

mod board;
pub mod census;
mod illegal;
pub mod notation;
mod record;
pub mod retrograde;
pub mod rules;
mod symmetry;
pub mod tablebase;
pub mod value;

pub use board::Square;
pub use illegal::{Illegal, MoveError};
pub use notation::{ParseError, TakesError};
pub use record::GameRecord;
pub use rules::{Move, Piece, Placement, Position, Rules, RulesError};
pub use value::{JudgedMove, Store, Verdict, VerdictError};

/// The name under which this game is registered.
pub const NAME: &str = "rpsw";
