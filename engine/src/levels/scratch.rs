//! The scratch folder of a count: files of states, and the checkpoint that lists them.
//!
//! After every level the file `checkpoint` contains the census so far and lists the files with the
//! states of the next turn, see [`header`](crate::storage::header). It replaces the previous
//! checkpoint atomically, and only then are the files of the previous turn removed, so the folder
//! always holds a complete level. No other file of the folder is touched.

use super::census::Census;
use super::error::LevelsError;
use crate::storage::files::File;
use crate::storage::lock::Lock;
use crate::storage::{FileRecord, Format, StorageError, files};
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// The name of the checkpoint.
pub const CHECKPOINT: &str = "checkpoint";
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
    /// The files that the checkpoint lists, or one that may have replaced it.
    files: Mutex<Vec<FileRecord>>,
    number: AtomicU32,
    lock: Lock,
}

/// The metadata of a checkpoint.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Kept {
    pub rules: String,
    /// The turn whose states are in the files.
    pub turn: u32,
    /// Bits of a tally, 0 for unbounded ones.
    pub tally_bits: u32,
    pub part_bits: u32,
    pub states: u64,
    pub paths: String,
    /// The census of the turns before.
    pub census: Census,
    pub files: Vec<FileRecord>,
}

impl ScratchFolder {
    /// Locks a folder, and creates it if it does not exist. A count continues from the checkpoint in
    /// it, if there is one.
    ///
    /// # Errors
    ///
    /// If another process uses the folder, or the checkpoint cannot be read.
    pub fn open(folder: &Path) -> Result<ScratchFolder, LevelsError> {
        files::create_folder(folder)?;
        let lock = Lock::acquire(&folder.join(LOCK))?;
        let kept = load(folder)?;
        let files = kept.as_ref().map(|kept| kept.files.clone()).unwrap_or_default();
        let files = Mutex::new(files);
        let number = AtomicU32::new(0);
        Ok(ScratchFolder { folder: folder.to_path_buf(), kept, files, number, lock })
    }

    /// The turn whose states the checkpoint contains, if there is one.
    pub fn turn(&self) -> Option<u32> {
        self.kept.as_ref().map(|kept| kept.turn)
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

    /// The checkpoint to resume, if there is one.
    pub(super) fn kept(&self) -> Option<&Kept> {
        self.kept.as_ref()
    }

    /// The path.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Replaces the checkpoint, and removes the files of the one before it.
    pub(super) fn save(&self, kept: Kept) -> Result<(), StorageError> {
        // If this fails, either checkpoint may be the one on the disk.
        self.files.lock().extend(kept.files.iter().cloned());
        FORMAT.write(&self.folder.join(CHECKPOINT), &kept)?;
        *self.files.lock() = kept.files;
        self.sweep();
        Ok(())
    }

    /// Removes the files of states that the checkpoint does not list.
    pub(super) fn sweep(&self) {
        let listed = self.files.lock();
        files::remove_files(&self.folder, |name| {
            name == NEW_CHECKPOINT
                || is_file_of_states(name) && listed.iter().all(|record| record.name != name)
        });
    }

    /// Removes all files of the count, once its result is stored elsewhere.
    pub fn remove(self) -> Result<(), LevelsError> {
        files::remove_file(&self.folder.join(CHECKPOINT))?;
        self.files.lock().clear();
        self.sweep();
        Ok(())
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
