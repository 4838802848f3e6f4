//! The folder of a process of a distributed count: shards of levels, and their manifests.
//!
//! When a shard is on disk, a **manifest** is written: a header as described in
//! [`header`](crate::storage::header) with the files, the totals of the step that made them, and
//! the census before that step. A level is complete when the manifests of all workers exist, in one
//! folder that all processes see or in several. Only then is the previous level removed, so the
//! folders always hold a complete level, without any coordination of files.
//!
//! Names begin with `shared-`, the number of the attempt (each start of the count has its own),
//! turn and worker. No other file of the folder is touched.

use super::totals::Totals;
use crate::levels::census::Census;
use crate::levels::error::LevelsError;
use crate::storage::files::File;
use crate::storage::lock::Lock;
use crate::storage::{FileRecord, Format, StorageError, files};
use serde::{Deserialize, Serialize};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

const PREFIX: &str = "shared-";
const MANIFEST: &str = ".json";
const NEW_MANIFEST: &str = ".json.new";
const LOCK: &str = "shared-process-";
const FORMAT: Format = Format { kind: "shared level", noun: "manifest", version: 2 };

/// Identifies a shard of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ShardId {
    /// The number of the start of the count that wrote it.
    pub attempt: u32,
    /// The turn of the states.
    pub turn: u32,
    /// The worker, counted from 0 over all processes.
    pub worker: usize,
}

impl ShardId {
    fn stem(self) -> String {
        format!("{PREFIX}{:04}-{:02}-{:04}", self.attempt, self.turn, self.worker)
    }

    /// The shard of a file, by its name; `None` for a file of another origin.
    fn of(name: &str) -> Option<ShardId> {
        let mut numbers = name.strip_prefix(PREFIX)?.split(['-', '.']);
        let [attempt, turn, worker] = [numbers.next()?, numbers.next()?, numbers.next()?];
        let label = ShardId {
            attempt: attempt.parse().ok()?,
            turn: turn.parse().ok()?,
            worker: worker.parse().ok()?,
        };
        label.attempt.checked_add(2)?; // later attempts have larger numbers
        let rest = name.strip_prefix(&label.stem())?;
        let number = rest.strip_prefix('-').is_some_and(|n| n.parse::<u32>().is_ok());
        (rest == MANIFEST || rest == NEW_MANIFEST || number).then_some(label)
    }
}

/// The metadata of a manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The shard.
    pub label: ShardId,
    /// The number of workers that share the level.
    pub workers: usize,
    /// The rules, as text.
    pub rules: String,
    /// The totals of this worker's part of the step that produced the level.
    pub totals: Totals,
    /// The census before that step. At least one manifest of a level has it.
    pub before: Option<Census>,
    /// The files of states.
    pub files: Vec<FileRecord>,
}

impl Manifest {
    /// Returns the manifest of the file at that path, unless it is of another shard, or its files
    /// are, or its counts contradict each other.
    fn checked(self, path: &Path) -> Result<Manifest, StorageError> {
        let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
        // Only files of this shard are opened.
        let is_own = |name: &str| ShardId::of(name) == Some(self.label);
        let counts = [Some(&self.totals.counted), self.before.as_ref()];
        let why = if !is_own(name) || !self.files.iter().all(|record| is_own(&record.name)) {
            "it names files that are not its own"
        } else if self.label.worker >= self.workers {
            "it is of a worker that does not exist"
        } else if !counts.into_iter().flatten().all(Census::is_sound) {
            "its counts contradict each other"
        } else {
            return Ok(self);
        };
        Err(StorageError::damaged(path, why))
    }
}

/// A folder of one process or of several.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    lock: Lock,
    /// The manifests that existed when it was opened.
    pub manifests: Vec<Manifest>,
    /// Manifests that cannot be read: perhaps a process was killed while it wrote them.
    pub damaged: Vec<(ShardId, LevelsError)>,
    /// The number of the last attempt that left a file; 0 if none did.
    pub attempt: u32,
}

impl Folder {
    /// Opens a folder for the process of that number. It is created if it does not exist.
    pub fn open(path: &Path, process: usize) -> Result<Folder, LevelsError> {
        files::create_folder(path)?;
        let lock = Lock::acquire(&path.join(format!("{LOCK}{process}.lock")))?;
        let (manifests, damaged) = (Vec::new(), Vec::new());
        let mut folder = Folder { path: path.to_path_buf(), lock, manifests, damaged, attempt: 0 };
        for (name, label) in folder.names()? {
            folder.attempt = folder.attempt.max(label.attempt);
            if name.ends_with(MANIFEST) {
                match load(&folder.path.join(name)) {
                    // None if another process has removed it meanwhile.
                    Ok(manifest) => folder.manifests.extend(manifest),
                    Err(error @ StorageError::Damaged { .. }) => {
                        folder.damaged.push((label, error.into()));
                    }
                    Err(error) => return Err(error.into()),
                }
            }
        }
        folder.manifests.sort_by_key(|manifest| manifest.label);
        Ok(folder)
    }

    /// The path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The names of the files of counts, with their shards, sorted.
    fn names(&self) -> Result<Vec<(String, ShardId)>, StorageError> {
        let names = files::names(&self.path)?.into_iter();
        let mut names: Vec<_> =
            names.filter_map(|name| ShardId::of(&name).map(|label| (name, label))).collect();
        names.sort();
        Ok(names)
    }

    /// Creates a file for states of a shard.
    pub(super) fn create_file(
        &self,
        label: ShardId,
        number: usize,
    ) -> Result<(String, PathBuf, File), StorageError> {
        let name = format!("{}-{number:05}", label.stem());
        let path = self.path.join(&name);
        let file = files::create_new(&path);
        let file = file.map_err(|error| StorageError::system("write", &path, &error))?;
        Ok((name, path, file))
    }

    /// Writes the manifest of a shard whose files are on the disk.
    pub(super) fn finish(&self, manifest: &Manifest) -> Result<(), LevelsError> {
        Ok(FORMAT.write(&self.path.join(manifest.label.stem() + MANIFEST), manifest)?)
    }

    /// Removes all files of the selected shards. Failures are ignored.
    pub(super) fn clear(&self, selected: impl Fn(ShardId) -> bool) {
        let selected = |name: &str| ShardId::of(name).is_some_and(&selected);
        // Manifests first: the files of states must exist as long as they do.
        files::remove_files(&self.path, |name| name.ends_with(MANIFEST) && selected(name));
        files::remove_files(&self.path, selected);
    }

    /// Removes the files of earlier attempts, and those of this attempt before that turn.
    pub fn sweep(&self, attempt: u32, turn: u32) {
        self.clear(|label| (label.attempt, label.turn) < (attempt, turn));
    }

    /// Removes all files of the count, up to its last attempt, once its result is stored elsewhere.
    pub fn remove(&self, attempt: u32) {
        self.sweep(attempt, u32::MAX);
        self.lock.remove();
        for name in files::names(&self.path).unwrap_or_default() {
            // The lock of a process that was killed is free.
            if name.starts_with(LOCK)
                && name.ends_with(".lock")
                && let Ok(lock) = Lock::acquire(&self.path.join(name))
            {
                lock.remove();
            }
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        self.lock.remove();
    }
}

fn load(path: &Path) -> Result<Option<Manifest>, StorageError> {
    FORMAT.read::<Manifest>(path)?.map(|manifest| manifest.checked(path)).transpose()
}
