//! Why a count did not come to its end for want of room, or of a checkpoint.

use bytesize::ByteSize;
use std::path::Path;

/// Something is wrong with the memory or the scratch folder of a count.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LevelsError {
    /// No count could be made with so little.
    #[error("a memory limit of {} is too small to begin; on {threads} threads the least is {}", limit.display().iec(), least.display().iec())]
    LimitTooSmall {
        /// What was allowed.
        limit: ByteSize,
        /// What it takes to begin.
        least: ByteSize,
        /// On so many threads.
        threads: usize,
    },
    /// A level does not fit, and there is nowhere else to put it.
    #[error("the states of turn {turn} take about {}, too much for a memory limit of {}; raise --memory, or give --scratch DIR to keep them on disk", needed.display().iec(), limit.display().iec())]
    LevelTooLarge {
        /// The turn whose states do not fit.
        turn: u32,
        /// What they and the rest of the turn before them take, by what a part of them took.
        needed: ByteSize,
        /// What was allowed.
        limit: ByteSize,
    },
    /// Not even one part of a level fits.
    #[error("a part of the states of turn {turn} does not fit a memory limit of {}; --memory {} would do", limit.display().iec(), needed.display().iec())]
    PartTooLarge {
        /// The turn.
        turn: u32,
        /// A limit that lets the part be handled.
        needed: ByteSize,
        /// What was allowed.
        limit: ByteSize,
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
    #[error(
        "another count is using the scratch folder {folder}; wait for it or give another folder"
    )]
    InUse {
        /// The folder.
        folder: String,
    },
    /// There is a checkpoint that would be lost.
    #[error(
        "the scratch folder {folder} holds the checkpoint of a count of {rules}, up to turn {turn}; go on from it with --resume, give another folder, or remove the checkpoint's files"
    )]
    Occupied {
        /// The folder.
        folder: String,
        /// The rules of the checkpoint.
        rules: String,
        /// The turn that it would go on with.
        turn: u32,
    },
    /// There is no checkpoint to go on from.
    #[error(
        "the scratch folder {folder} holds no checkpoint to resume; leave out --resume to begin"
    )]
    NoCheckpoint {
        /// The folder.
        folder: String,
    },
    /// Of every level that workers shared, the shares of some are nowhere to be found.
    #[error(
        "of turn {turn}, which {workers} workers shared, the states of {missing} are in no process's scratch folder{damaged}; start a process on every machine that has some, with the scratch folder that it had"
    )]
    Incomplete {
        /// The latest turn of which there is something.
        turn: u32,
        /// How many workers shared it.
        workers: usize,
        /// Which shares are missing, in words.
        missing: String,
        /// What else is there, in words.
        damaged: String,
    },
    /// What the workers of a shared count told each other does not fit together.
    #[error(
        "the workers' totals for turn {turn} do not fit together, so nothing after it can be trusted"
    )]
    Mismatch {
        /// The turn.
        turn: u32,
    },
    /// The checkpoint is of another game.
    #[error(
        "the checkpoint in {folder} is of {kept}, not of {asked}; resume it with the same rules, or give another folder"
    )]
    OtherRules {
        /// The folder.
        folder: String,
        /// The rules of the checkpoint.
        kept: String,
        /// The rules asked for.
        asked: String,
    },
    /// The checkpoint was written by another version of the program.
    #[error(
        "the checkpoint in {folder} has format version {found}, and this program reads version {known}; resume it with the program that wrote it, or give another folder"
    )]
    OtherVersion {
        /// The folder.
        folder: String,
        /// The version of the checkpoint.
        found: String,
        /// The version that can be read.
        known: u32,
    },
    /// A file of the checkpoint is not what was written.
    #[error(
        "{path} is damaged: {why}; put it back as it was, or remove the files of the count and begin again without --resume"
    )]
    Damaged {
        /// The file.
        path: String,
        /// How that shows.
        why: String,
    },
}

impl LevelsError {
    /// Whether something else should have been asked for; else the job failed.
    pub fn is_usage(&self) -> bool {
        matches!(
            self,
            LevelsError::LimitTooSmall { .. }
                | LevelsError::InUse { .. }
                | LevelsError::Occupied { .. }
                | LevelsError::NoCheckpoint { .. }
                | LevelsError::Incomplete { .. }
                | LevelsError::OtherRules { .. }
                | LevelsError::OtherVersion { .. }
        )
    }

    pub(super) fn system(what: &'static str, path: &Path, error: &std::io::Error) -> LevelsError {
        LevelsError::System { what, path: path.display().to_string(), why: error.to_string() }
    }

    pub(super) fn damaged(path: &Path, why: impl Into<String>) -> LevelsError {
        LevelsError::Damaged { path: path.display().to_string(), why: why.into() }
    }
}
