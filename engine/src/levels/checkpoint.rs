//! The folder of a count: the states of its levels, and a checkpoint.
//!
//! After every level the file `checkpoint` has all that has been counted and lists the files with
//! the states of the next turn, see [`container`](crate::storage::container). It replaces the one
//! before it atomically, and only then the files of the turn before are removed, so that the folder
//! holds a complete level at any time. No other file of the folder is touched.

use super::census::{Census, LevelCount, Record};
use super::error::LevelsError;
use super::level::{Level, Part};
use super::runs;
use crate::monitor::{Monitor, SolveError};
use crate::storage::lock::Lock;
use crate::storage::{FileRecord, Format, StorageError, files};
use crate::tally::Width;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

const CHECKPOINT: &str = "checkpoint";
const NEW_CHECKPOINT: &str = "checkpoint.new";
const LOCK: &str = "checkpoint.lock";
const STATES: &str = "states-";
const FORMAT: Format = Format { kind: "levels checkpoint", noun: "checkpoint", version: 2 };

/// A locked folder for the levels and the checkpoint of a count.
#[derive(Debug)]
pub struct ScratchFolder {
    folder: PathBuf,
    /// The checkpoint to resume.
    kept: Option<Kept>,
    /// The files that the checkpoint lists.
    files: Mutex<Vec<FileRecord>>,
    number: AtomicU32,
    lock: Lock,
}

/// The metadata of a checkpoint.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Kept {
    rules: String,
    /// The turn whose states are in the files.
    turn: u32,
    /// Bits of a tally, 0 for unbounded ones.
    tally_bits: u32,
    part_bits: u32,
    states: u64,
    paths: String,
    /// Of the turns before.
    levels: Vec<LevelCount>,
    /// Of the turns before: score, playouts, terminal states.
    outcomes: Vec<(i32, String, u64)>,
    files: Vec<FileRecord>,
}

impl ScratchFolder {
    /// Locks a folder for a new count. It is created if it does not exist.
    ///
    /// # Errors
    ///
    /// [`LevelsError::Occupied`] if the folder holds a checkpoint.
    pub fn begin(folder: &Path) -> Result<ScratchFolder, LevelsError> {
        files::create_folder(folder)?;
        let lock = Lock::acquire(&folder.join(LOCK))?;
        if let Some(Kept { rules, turn, .. }) = load(folder)? {
            let folder = folder.display().to_string();
            return Err(LevelsError::Occupied { folder, rules, turn });
        }
        Ok(ScratchFolder::with(folder, None, lock))
    }

    /// Locks a folder with a checkpoint, to resume its count.
    ///
    /// # Errors
    ///
    /// [`LevelsError::NoCheckpoint`] if the folder holds none.
    pub fn resume(folder: &Path) -> Result<ScratchFolder, LevelsError> {
        let none = || LevelsError::NoCheckpoint { folder: folder.display().to_string() };
        if !folder.join(CHECKPOINT).exists() {
            return Err(none());
        }
        let lock = Lock::acquire(&folder.join(LOCK))?;
        let kept = load(folder)?.ok_or_else(none)?;
        Ok(ScratchFolder::with(folder, Some(kept), lock))
    }

    fn with(folder: &Path, kept: Option<Kept>, lock: Lock) -> ScratchFolder {
        let files = kept.as_ref().map(|kept| kept.files.clone()).unwrap_or_default();
        let files = Mutex::new(files);
        let number = AtomicU32::new(0);
        ScratchFolder { folder: folder.to_path_buf(), kept, files, number, lock }
    }

    /// The count and the level of the checkpoint to resume, if there is one. Fails if it is of other
    /// rules.
    pub(super) fn restore(
        &self,
        rules: &str,
        monitor: &Monitor,
    ) -> Result<Option<(Census, Level)>, SolveError> {
        self.sweep();
        let Some(kept) = &self.kept else { return Ok(None) };
        let restored = self.restore_kept(kept, rules, monitor);
        let restored = restored.map_err(|error| error.kept_at(kept.turn));
        restored.map(Some)
    }

    fn restore_kept(
        &self,
        kept: &Kept,
        rules: &str,
        monitor: &Monitor,
    ) -> Result<(Census, Level), SolveError> {
        if kept.rules != rules {
            return Err(LevelsError::OtherRules {
                folder: self.folder.display().to_string(),
                kept: kept.rules.clone(),
                asked: rules.to_string(),
            }
            .into());
        }
        let path = self.folder.join(CHECKPOINT);
        let wrong = || LevelsError::from(StorageError::damaged(&path, "its numbers make no sense"));
        let record = Record { levels: kept.levels.clone(), outcomes: kept.outcomes.clone() };
        let census = Census::try_from(record).map_err(|_| wrong())?;
        if kept.part_bits > 20 || kept.turn as usize != kept.levels.len() + 1 {
            return Err(wrong().into());
        }
        let mut level = Level {
            turn: kept.turn,
            width: Width::of_bits(kept.tally_bits).ok_or_else(wrong)?,
            part_bits: kept.part_bits,
            parts: (0..1 << kept.part_bits).map(|_| Part::default()).collect(),
            states: kept.states,
            paths: kept.paths.parse().map_err(|_| wrong())?,
        };
        let scan = |record| runs::scan(&self.folder, record, level.parts.len(), monitor);
        let runs: Vec<_> = kept.files.par_iter().map(scan).collect::<Result<_, _>>()?;
        for (part, run) in runs.into_iter().flatten() {
            level.parts[part].runs.push(run);
        }
        Ok((census, level))
    }

    /// Creates a file for states of that turn.
    pub(super) fn create(&self, turn: u32) -> Result<(String, PathBuf, File), StorageError> {
        loop {
            let number = self.number.fetch_add(1, Ordering::Relaxed);
            let name = format!("{STATES}{turn:02}-{number:05}");
            let path = self.folder.join(&name);
            match files::create_new(&path) {
                Ok(file) => return Ok((name, path, file)),
                // A file of the checkpoint that was resumed.
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(StorageError::system("write", &path, &error)),
            }
        }
    }

    /// Replaces the checkpoint, and removes the files of the one before it.
    pub(super) fn save(
        &self,
        rules: &str,
        census: &Census,
        level: &Level,
        files: Vec<FileRecord>,
    ) -> Result<(), LevelsError> {
        let Record { levels, outcomes } = census.clone().into();
        let kept = Kept {
            rules: rules.to_string(),
            turn: level.turn,
            tally_bits: level.width.bits(),
            part_bits: level.part_bits,
            states: level.states,
            paths: level.paths.to_string(),
            levels,
            outcomes,
            files,
        };
        FORMAT.write(&self.folder.join(CHECKPOINT), &kept)?;
        *self.files() = kept.files;
        self.sweep();
        Ok(())
    }

    /// Removes the files of states that the checkpoint does not list.
    pub(super) fn sweep(&self) {
        let listed = self.files();
        files::remove_files(&self.folder, |name| {
            name == NEW_CHECKPOINT
                || is_file_of_states(name) && listed.iter().all(|record| record.name != name)
        });
    }

    /// Removes all files of the count, once its result is stored elsewhere.
    pub fn remove(self) -> Result<(), LevelsError> {
        files::remove_file(&self.folder.join(CHECKPOINT))?;
        self.files().clear();
        self.sweep();
        Ok(())
    }

    fn files(&self) -> std::sync::MutexGuard<'_, Vec<FileRecord>> {
        // No code panics while it holds the lock.
        self.files.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl Drop for ScratchFolder {
    /// Removes the lock file of a folder without a checkpoint.
    fn drop(&mut self) {
        if !self.folder.join(CHECKPOINT).exists() {
            self.lock.remove();
        }
    }
}

/// Whether the name is that of a file of states: `states-`, a turn, `-`, a number.
fn is_file_of_states(name: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let numbers = name.strip_prefix(STATES).and_then(|numbers| numbers.split_once('-'));
    numbers.is_some_and(|(turn, number)| digits(turn) && digits(number))
}

/// Reads the checkpoint of a folder, if there is one.
fn load(folder: &Path) -> Result<Option<Kept>, StorageError> {
    FORMAT.read(&folder.join(CHECKPOINT))
}
