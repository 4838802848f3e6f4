//! A folder with the state of an analysis between iterations, from which another process can
//! resume.
//!
//! Every iteration of lost positions adds a file, `lost-in-6` and so on, with the output of
//! [`LostPositions::write_iteration`], and replaces `checkpoint`: a header as described in
//! [`container`](bsq_engine::storage::container) with the rules, the results of all iterations, and
//! the files. All files are atomic. No other file of the folder is touched.

use super::file::WrittenRules;
use crate::rpsw::Rules;
use crate::rpsw::census::{read_counts, written_counts};
use crate::rpsw::retrograde::{Iteration, LostPositions};
use bsq_engine::error::{HasKind, Kind};
use bsq_engine::storage::Digest;
use bsq_engine::storage::files::{self, AtomicFile, NEW};
use bsq_engine::storage::lock::Lock;
use bsq_engine::storage::{FileRecord, Format, StorageError};
use serde::{Deserialize, Serialize};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

const NAME: &str = "checkpoint";
const LOCK: &str = "checkpoint.lock";
const ROUND: &str = "lost-in-";
const FORMAT: Format =
    Format { kind: "rpsw checkpoint", noun: "checkpoint of a tablebase", version: 2 };

/// Why a folder cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CheckpointError {
    /// The checkpoint is of another game.
    #[error("{0} holds a checkpoint of a game by other rules")]
    OtherRules(String),
    /// The folder or a file in it cannot be used.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl HasKind for CheckpointError {
    fn kind(&self) -> Kind {
        match self {
            CheckpointError::OtherRules(_) => Kind::Usage,
            CheckpointError::Storage(error) => error.kind(),
        }
    }
}

/// A locked folder.
#[derive(Debug)]
pub struct Checkpoint {
    folder: PathBuf,
    kept: Option<Kept>,
    files: Vec<FileRecord>,
    lock: Lock,
}

/// The metadata of a checkpoint.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Kept {
    rules: WrittenRules,
    /// For each iteration: the material of the player to move, that of the opponent, and positions.
    rounds: Vec<Vec<(u8, u8, u64)>>,
    /// The files of the iterations of 4 plies, 6, and so on.
    files: Vec<FileRecord>,
}

impl Checkpoint {
    /// Locks a folder, and creates it if it does not exist. If it holds a checkpoint, that is
    /// continued.
    ///
    /// # Errors
    ///
    /// If the checkpoint is of other rules, or cannot be read.
    pub fn open(folder: &Path, rules: &Rules) -> Result<Checkpoint, CheckpointError> {
        files::create_folder(folder)?;
        let lock = Lock::acquire(&folder.join(LOCK))?;
        let kept: Option<Kept> = FORMAT.read(&folder.join(NAME))?;
        match &kept {
            Some(kept) if kept.rules != WrittenRules::of(rules) => {
                Err(CheckpointError::OtherRules(folder.display().to_string()))
            }
            _ => {
                let files = kept.as_ref().map_or(Vec::new(), |kept| kept.files.clone());
                Ok(Checkpoint { folder: folder.to_path_buf(), kept, files, lock })
            }
        }
    }

    /// The number of iterations of the checkpoint, 0 for a new analysis.
    pub fn iterations(&self) -> usize {
        self.kept.as_ref().map_or(0, |kept| kept.rounds.len())
    }

    /// The iterations of the checkpoint, none for a new analysis. Their lost positions are added to
    /// `lost`.
    pub fn restore(&self, lost: &mut LostPositions) -> Result<Vec<Iteration>, CheckpointError> {
        let Some(kept) = &self.kept else { return Ok(Vec::new()) };
        let damaged = || self.damaged();
        let rounds = kept.rounds.iter().zip(1..).map(|(found, plies)| {
            Ok(Iteration { plies, found: read_counts(found).ok_or_else(damaged)? })
        });
        let rounds: Vec<Iteration> = rounds.collect::<Result<_, CheckpointError>>()?;
        let wanted = (4..).step_by(2).take(rounds.len().saturating_sub(2) / 2).map(round_name);
        if rounds.len() % 2 == 1 || !kept.files.iter().map(|file| file.name.clone()).eq(wanted) {
            return Err(damaged());
        }
        for (file, plies) in kept.files.iter().zip((4..).step_by(2)) {
            let path = self.folder.join(&file.name);
            let bytes = match files::read(&path, file.bytes) {
                Err(error) if error.kind() == ErrorKind::FileTooLarge => Vec::new(),
                bytes => bytes.map_err(|error| StorageError::system("read", &path, &error))?,
            };
            let is_intact = bytes.len() as u64 == file.bytes && Digest::of(&bytes) == file.sha256;
            let read = is_intact.then(|| lost.read_iteration(plies, &bytes)).flatten();
            read.ok_or_else(|| StorageError::damaged(&path, "its checksum is wrong"))?;
        }
        Ok(rounds)
    }

    /// The error of a checkpoint whose numbers contradict each other.
    pub(super) fn damaged(&self) -> CheckpointError {
        StorageError::damaged(&self.folder.join(NAME), "its numbers make no sense").into()
    }

    /// Replaces the checkpoint. The last iteration must be one of lost positions.
    pub fn save(
        &mut self,
        rules: &Rules,
        rounds: &[Iteration],
        lost: &LostPositions,
    ) -> Result<(), CheckpointError> {
        let plies = rounds.len() as u32;
        if plies > 2 {
            let mut bytes = Vec::new();
            lost.write_iteration(plies, &mut bytes).expect("memory can be written");
            let (name, sha256) = (round_name(plies), Digest::of(&bytes));
            let path = self.folder.join(&name);
            let mut file = AtomicFile::create(&path)?;
            file.write_all(&bytes).map_err(|error| StorageError::system("write", &path, &error))?;
            file.rename()?;
            self.files.push(FileRecord { name, bytes: bytes.len() as u64, sha256 });
        }
        let rounds = rounds.iter().map(|round| written_counts(&round.found)).collect();
        let kept = Kept { rules: WrittenRules::of(rules), rounds, files: self.files.clone() };
        Ok(FORMAT.write(&self.folder.join(NAME), &kept)?)
    }

    /// Removes all files; the folder too, if it holds no others.
    pub fn remove(self) {
        // The checkpoint is removed first, because it lists the other files. A process that was
        // killed may have left files that it does not list.
        files::remove_files(&self.folder, |name| name == NAME);
        files::remove_files(&self.folder, is_own);
    }
}

impl Drop for Checkpoint {
    /// Removes the lock of a folder without a checkpoint, and the folder if it is empty.
    fn drop(&mut self) {
        if !self.folder.join(NAME).exists() {
            self.lock.remove();
            files::remove_folder(&self.folder);
        }
    }
}

/// The name of the file of the positions that are lost in the given number of plies.
fn round_name(plies: u32) -> String {
    format!("{ROUND}{plies}")
}

/// Whether the name is that of a file of an iteration, or of a file that was not finished.
fn is_own(name: &str) -> bool {
    let (name, is_unfinished) = match name.strip_suffix(NEW) {
        Some(name) => (name, true),
        None => (name, false),
    };
    let plies = name.strip_prefix(ROUND).and_then(|plies| plies.parse().ok());
    plies.is_some_and(|plies| round_name(plies) == name) || is_unfinished && name == NAME
}
