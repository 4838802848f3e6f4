//! Dots-and-Boxes: what boards are worth, whether rules of thumb hold, how many positions there are.
//!
//! * [`boards`]: every small board, with the score of every first move;
//! * [`rules`]: three rules against perfect play at every position of a board;
//! * [`positions`]: how many positions there are, images taken apart and as one.

pub mod boards;
mod follower;
pub mod positions;
pub mod rules;
mod thumb;

pub use thumb::{Ground, Kind as PositionKind, Rule, Situation};

use crate::Table;
use bsq_engine::monitor::{Monitor, SolveError};
use bsq_games::dots::Board;
use bsq_games::dots::search::EveryError;

/// What is asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The most lines that are open at the start of a board, 1 to 64; for `boards`.
    pub lines: usize,
    /// The board; for all others.
    pub board: Board,
}

/// A question.
pub struct Pass {
    /// How the command calls it.
    pub name: &'static str,
    /// What it answers, in a line.
    pub about: &'static str,
    /// Whether it is about one board, or about all up to a number of lines.
    pub one_board: bool,
    /// Says what is wrong with the question before any work is done.
    pub check: fn(&Asked) -> Result<(), PassError>,
    /// Makes its tables.
    pub run: fn(&Asked, &Monitor) -> Result<Vec<Table>, PassError>,
}

/// Every question.
pub const PASSES: &[Pass] = &[
    Pass {
        name: "boards",
        about: "every board of up to --lines open lines: value and first moves",
        one_board: false,
        check: |_| Ok(()),
        run: boards::run,
    },
    Pass {
        name: "rules",
        about: "three rules of thumb against perfect play at every position of --board",
        one_board: true,
        check: rules::check,
        run: rules::run,
    },
    Pass {
        name: "positions",
        about: "how many positions --board has, by lines drawn",
        one_board: true,
        check: |_| Ok(()),
        run: positions::run,
    },
];

/// Why a question has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PassError {
    /// Not every position of the board can be valued.
    #[error(transparent)]
    Every(EveryError),
    /// The solver did not come to its end.
    #[error(transparent)]
    Solve(#[from] SolveError),
}

impl From<EveryError> for PassError {
    fn from(error: EveryError) -> PassError {
        match error {
            EveryError::Solve(error) => PassError::Solve(error),
            error => PassError::Every(error),
        }
    }
}
