//! Analyses of any game, from its rules alone.
//!
//! Each takes what [`explore`](bsq_engine::explore) finds and returns a table. Where a game has a
//! faster method of its own, such as the closed form of British Square's playouts, the analysis of
//! that game uses it, and tests compare it with the one here.
//!
//! ```
//! use bsq_analyses::any;
//! use bsq_engine::explore::{Limits, explore};
//! use bsq_engine::monitor::Monitor;
//! use bsq_games::mnk::Rules;
//!
//! let monitor = Monitor::default();
//! let explored = explore(Rules::tic_tac_toe(), Limits::default(), &monitor).unwrap();
//! let playouts = any::playouts::table(&explored, &monitor).unwrap();
//! assert_eq!(playouts.rows[0][..3], ["first".into(), None::<u32>.into(), 131_184u32.into()]);
//! let solution = explored.solve(&monitor).unwrap();
//! assert_eq!(any::openings::table(&solution).rows.len(), 9);
//! ```

pub mod depths;
pub mod only_moves;
pub mod openings;
pub mod perft;
pub mod playouts;
pub mod positions;

use crate::column::{Column, integer, text};
use crate::table::Cell;
use bsq_engine::game::{Outcome, Value};
use num_bigint::BigInt;

/// The column of the outcome of a value.
const OUTCOME: Column = text("outcome", "who wins: first, second, tie (equal points), draw");
/// The column of the score of a value.
const SCORE: Column =
    integer("score", "first player's points minus second player's; empty in games without points");
/// The column of the depth to win of a value.
const PLIES: Column =
    integer("plies", "plies until the win; empty in games with points and if nobody wins");

/// `first`, `second`, `tie` or `draw`.
fn outcome(value: Value) -> &'static str {
    match value.outcome {
        Outcome::Win(player) => player.name(),
        Outcome::Tie => "tie",
        Outcome::Draw => "draw",
    }
}

/// The cell of the score of a value. Final scores that the explorer admits are integers.
fn score(value: Value) -> Cell {
    value.points().map(BigInt::from).into()
}
