//! Solvers. Each knows a game only through a small trait of its own.
//!
//! * [`search`]: the value of every position below a root, by memoised depth-first search;
//! * [`levels`]: how many states and playouts there are, turn by turn;
//! * [`backward`]: how many playouts there are, from what is left of the game;
//! * [`tally`]: the integers that the counts are kept in.

use std::sync::atomic::{AtomicBool, Ordering};

pub mod backward;
pub mod levels;
pub mod search;
pub mod tally;

pub use crate::table::ShardFull;

/// Who hears of a job's progress.
pub trait Progress: Sync {
    /// A job of about that many units begins.
    fn begin(&self, what: &str, units: u64);
    /// So many more units are done.
    fn advance(&self, units: u64);
}

/// How a caller watches a job and stops it.
#[derive(Clone, Copy, Default)]
pub struct Monitor<'a> {
    /// Told how far the job is.
    pub progress: Option<&'a dyn Progress>,
    /// Set from outside to make the job stop soon.
    pub stop: Option<&'a AtomicBool>,
}

impl Monitor<'_> {
    /// Says that a job of about that many units begins.
    pub fn begin(&self, what: &str, units: u64) {
        if let Some(progress) = self.progress {
            progress.begin(what, units);
        }
    }

    /// Says that so many more units are done.
    pub fn advance(&self, units: u64) {
        if let Some(progress) = self.progress {
            progress.advance(units);
        }
    }

    /// Fails if the caller wants the job to stop.
    pub fn check(&self) -> Result<(), SolveError> {
        match self.stop {
            Some(stop) if stop.load(Ordering::Relaxed) => Err(SolveError::Stopped),
            _ => Ok(()),
        }
    }
}

/// Why a job has no result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SolveError {
    /// The caller asked for it.
    #[error("stopped before the end; nothing was kept")]
    Stopped,
    /// The table would be too large.
    #[error("there is no memory for a table of up to {positions} positions")]
    NoRoom {
        /// The bound on their number.
        positions: u64,
    },
    /// The job would take more memory than the caller allows.
    #[error("more memory would be needed than the {} MiB allowed", bytes >> 20)]
    OverLimit {
        /// The limit.
        bytes: u64,
    },
    /// The table was too small.
    #[error(transparent)]
    Full(#[from] ShardFull),
}
