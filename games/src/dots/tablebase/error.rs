//! Errors of tablebases.

use bsq_engine::error::{HasKind, Kind};
use bsq_engine::monitor::SolveError;
use bsq_engine::storage::StorageError;
use bsq_engine::text::thousands;
use bytesize::ByteSize;

/// Why a tablebase cannot be built or read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TablebaseError {
    /// Only a part of the board is in play.
    #[error("a tablebase is of a whole board, such as 3x3, and not of a part of one")]
    Part,
    /// The start has lines that the board does not have.
    #[error("lines are drawn at the start that a board of {0} does not have")]
    NoSuchLines(String),
    /// Values would not fit in a byte.
    #[error(
        "a penalty of {penalty} is not possible on this board; it can be from -{most} to {most}"
    )]
    Penalty {
        /// The penalty in points.
        penalty: i32,
        /// The highest possible penalty.
        most: i32,
    },
    /// The limit on memory or disk is too small.
    #[error("a limit of {} of {what} is too small; this takes {}", limit.display().iec(), needed.display().iec())]
    LimitTooSmall {
        /// `memory` or `disk`.
        what: &'static str,
        /// The limit.
        limit: ByteSize,
        /// The least limit that suffices.
        needed: ByteSize,
    },
    /// There are too many positions for any machine.
    #[error("{} positions are too many; about {} on disk would be needed", thousands(positions), disk.display().iec())]
    TooLarge {
        /// The number of positions, up to symmetry.
        positions: u128,
        /// The peak usage of the disk.
        disk: ByteSize,
    },
    /// A file cannot be used.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// The folder holds no tablebase.
    #[error("{0} holds no tablebase")]
    Missing(String),
    /// The tablebase is unfinished.
    #[error("the tablebase in {0} is unfinished")]
    Unfinished(String),
    /// The tablebase has another start.
    #[error("{folder} holds a tablebase of {kept}, not of {asked}")]
    Other {
        /// The folder.
        folder: String,
        /// The start of the tablebase in the folder.
        kept: String,
        /// The start of the plan.
        asked: String,
    },
    /// A value contradicts the rules.
    #[error(
        "{folder} contradicts the rules: lines {lines:#x} are worth {stored} there, and by the moves {follows}"
    )]
    Wrong {
        /// The folder.
        folder: String,
        /// The lines of the position.
        lines: u64,
        /// The stored value.
        stored: i32,
        /// The value that follows from the positions after its moves.
        follows: i32,
    },
    /// A new tablebase of the same plan is different.
    #[error("{0} is wrong: a tablebase that was built again has other values")]
    Differs(String),
    /// The caller cancelled the job.
    #[error("stopped before the end; {}", kept_layers(*kept, *layers))]
    Stopped {
        /// The number of finished layers in the folder.
        kept: usize,
        /// The number of all layers.
        layers: usize,
    },
    /// The job was cancelled or failed, and no layer is kept.
    #[error(transparent)]
    Solve(#[from] SolveError),
}

/// What remains of a build that was stopped.
fn kept_layers(kept: usize, layers: usize) -> String {
    match kept {
        0 => "nothing was kept".to_string(),
        _ => format!("{kept} of {layers} layers are kept"),
    }
}

impl HasKind for TablebaseError {
    fn kind(&self) -> Kind {
        use TablebaseError::*;
        match self {
            Part
            | NoSuchLines(_)
            | Penalty { .. }
            | TooLarge { .. }
            | Missing(_)
            | Unfinished(_)
            | Other { .. } => Kind::Usage,
            LimitTooSmall { .. } => Kind::Refused,
            Wrong { .. } | Differs(_) => Kind::Failed,
            Stopped { .. } => Kind::Stopped,
            Storage(error) => error.kind(),
            Solve(error) => error.kind(),
        }
    }
}
