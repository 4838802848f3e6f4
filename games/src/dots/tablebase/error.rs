//! Why layers are not there.

use bsq_engine::monitor::SolveError;
use bytesize::ByteSize;
use std::path::Path;

/// Why a run did not come to its end, or a book cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TablebaseError {
    /// Lines that are not on the board.
    #[error("lines are drawn at the start that a board of {0} does not have")]
    NoSuchLines(String),
    /// More points than a byte holds, or a reward.
    #[error("a penalty of {penalty} is not possible on this board; it can be from {least} to 0")]
    Penalty {
        /// What was asked for, in points.
        penalty: i32,
        /// The least that is possible.
        least: i32,
    },
    /// The caller allows too little.
    #[error("a limit of {} of {what} is too small; this takes {}", limit.display().iec(), needed.display().iec())]
    LimitTooSmall {
        /// `memory` or `disk`.
        what: &'static str,
        /// What was allowed.
        limit: ByteSize,
        /// What it takes.
        needed: ByteSize,
    },
    /// More than could ever be done.
    #[error("{positions} positions are too many; about {} on disk would be needed", disk.display().iec())]
    TooLarge {
        /// How many, images apart.
        positions: u128,
        /// The most that would be on disk at a time.
        disk: ByteSize,
    },
    /// The system refused something.
    #[error("cannot {what} {path}: {why}")]
    System {
        /// Which action.
        what: &'static str,
        /// On which file or folder.
        path: String,
        /// In the system's words.
        why: String,
    },
    /// Another process is at work there.
    #[error("{0} is in use by another process")]
    InUse(String),
    /// There is a run that would be lost.
    #[error(
        "{folder} holds a run of {kept} already; --resume goes on from it, or give another folder"
    )]
    Occupied {
        /// The folder.
        folder: String,
        /// What the run is of.
        kept: String,
    },
    /// There is none.
    #[error("{0} holds no run; 'bsq dots enumerate BOARD --out DIR' makes one")]
    Missing(String),
    /// There is one that has not ended.
    #[error("the run in {0} has not come to its end; 'bsq dots enumerate' with --resume goes on")]
    Unfinished(String),
    /// The run is of something else.
    #[error(
        "{folder} holds a run of {kept}, not of {asked}; ask for the same, or give another folder"
    )]
    Other {
        /// The folder.
        folder: String,
        /// What the run is of.
        kept: String,
        /// What was asked for.
        asked: String,
    },
    /// Written by another version of the program.
    #[error("{path} is of version {found} of the format, and this program reads version {known}")]
    Version {
        /// The file.
        path: String,
        /// Its version.
        found: String,
        /// The version that can be read.
        known: u32,
    },
    /// A file is not what was written.
    #[error("{path} is damaged: {why}; make it anew, or copy it again")]
    Damaged {
        /// The file.
        path: String,
        /// How that shows.
        why: String,
    },
    /// Whole, but wrong.
    #[error(
        "{folder} contradicts the rules: lines {lines:#x} are worth {stored} there, and by the moves {follows}"
    )]
    Wrong {
        /// The folder.
        folder: String,
        /// The lines of the position.
        lines: u64,
        /// Its value as it is stored.
        stored: i32,
        /// Its value by those after its moves.
        follows: i32,
    },
    /// The caller asked for it.
    #[error("stopped before the end; {kept} of {layers} layers are kept{}", if *kept > 0 { ", --resume goes on from there" } else { "" })]
    Stopped {
        /// How many layers are kept.
        kept: usize,
        /// How many there are in all.
        layers: usize,
    },
    /// The same where nothing is to be kept.
    #[error(transparent)]
    Solve(#[from] SolveError),
}

impl TablebaseError {
    /// Whether something else should have been asked for; else the job failed.
    pub fn is_usage(&self) -> bool {
        use TablebaseError::*;
        matches!(
            self,
            NoSuchLines(_)
                | Penalty { .. }
                | LimitTooSmall { .. }
                | TooLarge { .. }
                | InUse(_)
                | Occupied { .. }
                | Missing(_)
                | Unfinished(_)
                | Other { .. }
                | Version { .. }
        )
    }

    /// Whether the caller had it stopped.
    pub fn is_stopped(&self) -> bool {
        matches!(self, TablebaseError::Stopped { .. } | TablebaseError::Solve(SolveError::Stopped))
    }

    pub(super) fn system(
        what: &'static str,
        path: &Path,
        error: &std::io::Error,
    ) -> TablebaseError {
        TablebaseError::System { what, path: path.display().to_string(), why: error.to_string() }
    }

    pub(super) fn damaged(path: &Path, why: impl Into<String>) -> TablebaseError {
        TablebaseError::Damaged { path: path.display().to_string(), why: why.into() }
    }
}
