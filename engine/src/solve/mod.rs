//! Solvers. Each knows a game only through a small trait of its own.
//!
//! * [`search`]: the value of every position below a root, by memoised depth-first search;
//! * [`levels`]: how many states and playouts there are, turn by turn;
//! * `retrograde`: which positions are won and lost, and how soon, from the ends backward;
//! * `journal`: when a retrograde analysis has decided what;
//! * [`backward`]: how many playouts there are, from what is left of the game;
//! * `territory`: the value of one position on larger boards, by alpha-beta over what is open;
//! * `checkpoint`: what such a search knows, in a file;
//! * [`tally`]: the integers that the counts are kept in.

use std::sync::atomic::{AtomicBool, Ordering};

pub mod backward;
pub mod busy;
#[cfg(not(loom))]
pub mod checkpoint;
#[cfg(not(loom))]
pub mod dots;
#[cfg(not(loom))]
pub mod journal;
pub mod levels;
#[cfg(not(loom))]
pub mod retrograde;
pub mod search;
pub mod tally;
#[cfg(not(loom))]
pub mod territory;

pub use crate::table::ShardFull;

/// Who hears of a job's progress.
pub trait Progress: Sync {
    /// A job of about that many units begins.
    fn begin(&self, what: &str, units: u64);
    /// So many more units are done.
    fn advance(&self, units: u64);
    /// What else there is to say for now, in a few words.
    fn status(&self, _text: &str) {}
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

    /// Says how things stand, in a few words.
    pub fn status(&self, text: &str) {
        if let Some(progress) = self.progress {
            progress.status(text);
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
    /// The same, but what is known was saved.
    #[error("stopped before the end; what is known was saved, the same command goes on from there")]
    StoppedSaved,
    /// The same, but a checkpoint is there.
    #[error("stopped in turn {turn}; the turns before it are kept, --resume goes on from there")]
    StoppedAt {
        /// The turn that a resumed count begins with.
        turn: u32,
    },
    /// The caller asked for it, but rounds of a retrograde analysis are kept.
    #[error("stopped after round {rounds}; the rounds up to there are kept, --resume goes on")]
    StoppedAfter {
        /// How many.
        rounds: u32,
    },
    /// The count could not go on, but a checkpoint is there.
    #[error("{error}; the turns before turn {turn} are kept, --resume goes on from there")]
    FailedAt {
        /// What went wrong.
        error: levels::RoomError,
        /// The turn that a resumed count begins with.
        turn: u32,
    },
    /// The memory or the scratch folder of a count is not what it takes.
    #[error(transparent)]
    Room(#[from] levels::RoomError),
    /// The table would be too large.
    #[error("there is no memory for a table of up to {positions} positions")]
    NoRoom {
        /// The bound on their number.
        positions: u64,
    },
    /// The caller allows too little memory for a table.
    #[error("the table is too small for the board; it takes at least {}", bytesize::ByteSize::b(*least).display().iec())]
    TableTooSmall {
        /// Bytes that would do.
        least: u64,
    },
    /// The job would take more memory than the caller allows.
    #[error("more memory would be needed than the {} allowed", bytesize::ByteSize::b(*bytes).display().iec())]
    OverLimit {
        /// The limit.
        bytes: u64,
    },
    /// The table was too small.
    #[error(transparent)]
    Full(#[from] ShardFull),
}

impl SolveError {
    /// The same where a checkpoint of the turns before that one is there.
    fn kept_at(self, turn: u32) -> SolveError {
        use levels::RoomError;
        match self {
            SolveError::Stopped => SolveError::StoppedAt { turn },
            SolveError::Room(
                error @ (RoomError::System { .. } | RoomError::PartTooLarge { .. }),
            ) => SolveError::FailedAt { error, turn },
            error => error,
        }
    }
}
