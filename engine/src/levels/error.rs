//! Errors of a count that are due to its memory limit or to its folder.

use crate::storage::StorageError;
use bytesize::ByteSize;

/// The reason why a count cannot begin or continue: its memory limit or its folder.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LevelsError {
    /// The memory limit is too small for any count.
    #[error("a memory limit of {} is too small to begin; on {threads} threads the least is {}", limit.display().iec(), least.display().iec())]
    LimitTooSmall {
        /// The memory limit.
        limit: ByteSize,
        /// The least limit that suffices to begin.
        least: ByteSize,
        /// The number of threads.
        threads: usize,
    },
    /// A level does not fit into memory, and there is no folder for it.
    #[error("the states of turn {turn} take about {}, too much for a memory limit of {}", needed.display().iec(), limit.display().iec())]
    LevelTooLarge {
        /// The turn whose states do not fit.
        turn: u32,
        /// An estimate of the memory that they and the rest of the turn before them take.
        needed: ByteSize,
        /// The memory limit.
        limit: ByteSize,
    },
    /// A single part of a level does not fit into memory.
    #[error("a part of the states of turn {turn} does not fit a memory limit of {}, but one of {}", limit.display().iec(), needed.display().iec())]
    PartTooLarge {
        /// The turn.
        turn: u32,
        /// A limit that suffices for the part.
        needed: ByteSize,
        /// The memory limit.
        limit: ByteSize,
    },
    /// A file cannot be used.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// No level of a distributed count is complete: shards are missing.
    #[error(
        "of turn {turn}, which {workers} workers shared, the states of {missing} are in no process's scratch folder{damaged}"
    )]
    Incomplete {
        /// The latest turn with a shard.
        turn: u32,
        /// The number of workers that shared it.
        workers: usize,
        /// The workers whose shards are missing, as text.
        missing: String,
        /// The manifests that cannot be read, as text.
        damaged: String,
    },
    /// The totals of the workers of a distributed count contradict each other.
    #[error(
        "the workers' totals for turn {turn} do not fit together, so nothing after it can be trusted"
    )]
    Mismatch {
        /// The turn.
        turn: u32,
    },
    /// A worker of a distributed count sent what it cannot have.
    #[error("worker {worker} sent {what} in turn {turn}, so nothing after it can be trusted")]
    Implausible {
        /// The turn.
        turn: u32,
        /// The worker, counted from 0 over all processes.
        worker: usize,
        /// What it sent.
        what: &'static str,
    },
    /// The checkpoint is of another game.
    #[error("the checkpoint in {folder} is of {kept}, not of {asked}")]
    OtherRules {
        /// The folder.
        folder: String,
        /// The rules of the checkpoint.
        kept: String,
        /// The requested rules.
        asked: String,
    },
}

impl LevelsError {
    /// Whether the arguments of the count are at fault.
    pub fn is_usage(&self) -> bool {
        matches!(
            self,
            LevelsError::LimitTooSmall { .. }
                | LevelsError::Storage(
                    StorageError::InUse { .. } | StorageError::OtherVersion { .. }
                )
                | LevelsError::Incomplete { .. }
                | LevelsError::OtherRules { .. }
        )
    }
}
