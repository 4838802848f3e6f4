//! The largest boards of the algorithms that enumerate states.

use super::board::Board;
use super::rules::RulesError;
pub use super::symmetry::SET_BITS as MAX_SOLVED_CELLS;

/// An error in preparing a game for one of these algorithms.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TooLarge {
    /// The board is too large for the strong solution.
    #[error("a {0} board has {cells} cells; the search for values takes boards of up to {MAX_SOLVED_CELLS} cells, such as 5x5 or 4x6", cells = .0.cells())]
    Search(Board),
    /// The rules are invalid.
    #[error(transparent)]
    Rules(#[from] RulesError),
}

bsq_engine::usage_errors!(TooLarge);
