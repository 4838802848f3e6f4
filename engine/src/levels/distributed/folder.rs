//! The scratch folder of a shared count, and the manifests in it.
//!
//! When a worker's share of a level is on disk, a **manifest** says so: a line of text and a JSON
//! object with the files, the totals of the step that made them, and all that was counted before.
//! A level is finished when the manifests of all workers are there, wherever: on one disk that all
//! processes see, or each on its own. Only then the level before is removed. So whatever happens,
//! one whole level is there, and no file has to be agreed upon.
//!
//! The line is `bsq shared level, version 1, crc32 01234567`, where the checksum is that of the
//! JSON. Version 1 is the only one so far. Names begin with `shared-`, the number of the attempt
//! (each start of the count has its own), turn and worker; nothing else in the folder is touched.

use super::restart::RestartPoint;
use super::totals::Totals;
use crate::levels::census::Census;
use crate::levels::error::LevelsError;
use crate::levels::files::{FileRecord, Stamp, lock, sync_folder};
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::path::{Path, PathBuf};

const PREFIX: &str = "shared-";
const MANIFEST: &str = ".json";
const LOCK: &str = "shared-process-";
const STAMP: Stamp = Stamp { magic: "bsq shared level, version ", version: 1, kind: "manifest" };

/// Whose share of which level something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Label {
    /// The start of the count in which it was made.
    pub attempt: u32,
    /// The turn of the states.
    pub turn: u32,
    /// The worker that has them, counted from 0 over all processes.
    pub worker: usize,
}

impl Label {
    fn stem(self) -> String {
        format!("{PREFIX}{:04}-{:02}-{:04}", self.attempt, self.turn, self.worker)
    }

    /// The label in the name of a file of ours.
    fn of(name: &str) -> Option<Label> {
        let mut numbers = name.strip_prefix(PREFIX)?.split(['-', '.']);
        let [attempt, turn, worker] = [numbers.next()?, numbers.next()?, numbers.next()?];
        let label = Label {
            attempt: attempt.parse().ok()?,
            turn: turn.parse().ok()?,
            worker: worker.parse().ok()?,
        };
        label.attempt.checked_add(2)?; // there are some after it
        let rest = name.strip_prefix(&label.stem())?;
        let number = rest.strip_prefix('-').is_some_and(|n| n.parse::<u32>().is_ok());
        (rest == MANIFEST || number).then_some(label)
    }
}

/// What a manifest says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// Whose share of which level.
    pub label: Label,
    /// So many workers share the level.
    pub workers: usize,
    /// The rules in words.
    pub rules: String,
    /// Of the step that made the level, by this worker.
    pub totals: Totals,
    /// All that was counted before that step, if the worker knew it; one of a level always does.
    pub before: Option<Census>,
    /// The files of states.
    pub files: Vec<FileRecord>,
}

/// A scratch folder, of one process alone or of several.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    lock_path: PathBuf,
    /// Locked as long as this lives.
    _lock: File,
    /// The manifests that were there when it was opened.
    pub manifests: Vec<Manifest>,
    /// Manifests that cannot be read, and why: perhaps a process was stopped while it wrote them.
    pub damaged: Vec<(Label, LevelsError)>,
    /// The number of the last attempt that left something; 0 if none did.
    pub attempt: u32,
}

impl Folder {
    /// Opens the folder for that process; it is made if there is none.
    pub fn open(path: &Path, process: usize) -> Result<Folder, LevelsError> {
        fs::create_dir_all(path).map_err(|error| LevelsError::system("make", path, &error))?;
        let lock_path = path.join(format!("{LOCK}{process}.lock"));
        let lock = lock(path, &lock_path)?;
        let mut folder = Folder {
            path: path.to_path_buf(),
            lock_path,
            _lock: lock,
            manifests: Vec::new(),
            damaged: Vec::new(),
            attempt: 0,
        };
        for (name, label) in folder.names()? {
            folder.attempt = folder.attempt.max(label.attempt);
            if name.ends_with(MANIFEST) {
                match load(&folder.path.join(name)) {
                    // None if another process has removed it meanwhile.
                    Ok(manifest) => folder.manifests.extend(manifest),
                    Err(error @ LevelsError::Damaged { .. }) => folder.damaged.push((label, error)),
                    Err(error) => return Err(error),
                }
            }
        }
        folder.manifests.sort_by_key(|manifest| manifest.label);
        Ok(folder)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The names of our files with what they are of.
    fn names(&self) -> Result<Vec<(String, Label)>, LevelsError> {
        let error = |error| LevelsError::system("read", &self.path, &error);
        let mut names = Vec::new();
        for entry in fs::read_dir(&self.path).map_err(error)? {
            let name = entry.map_err(error)?.file_name();
            let Some(name) = name.to_str() else { continue };
            names.extend(Label::of(name).map(|label| (name.to_string(), label)));
        }
        names.sort();
        Ok(names)
    }

    /// A new file for states of that share.
    pub(super) fn create_file(
        &self,
        label: Label,
        number: usize,
    ) -> Result<(String, PathBuf, File), LevelsError> {
        let name = format!("{}-{number:05}", label.stem());
        let path = self.path.join(&name);
        let file = File::create_new(&path);
        let file = file.map_err(|error| LevelsError::system("write", &path, &error))?;
        Ok((name, path, file))
    }

    /// Says that a worker's share is finished: its files are on disk.
    pub(super) fn finish(&self, manifest: &Manifest) -> Result<(), LevelsError> {
        let path = self.path.join(manifest.label.stem() + MANIFEST);
        let write = || {
            STAMP.write(File::create_new(&path)?, manifest)?;
            sync_folder(&self.path) // the names of the files of states too
        };
        write().map_err(|error: std::io::Error| LevelsError::system("write", &path, &error))
    }

    /// Removes all files of some labels. What cannot be removed is in nobody's way.
    fn clear(&self, goes: impl Fn(Label) -> bool) {
        let mut names = self.names().unwrap_or_default();
        // A manifest says that files are there: it goes first.
        names.sort_by_key(|(name, _)| !name.ends_with(MANIFEST));
        for (name, _) in names.into_iter().filter(|(_, label)| goes(*label)) {
            let _ = fs::remove_file(self.path.join(name));
        }
    }

    /// Removes what attempts before that one left, and its own levels before that turn.
    pub fn sweep(&self, attempt: u32, turn: u32) {
        self.clear(|label| (label.attempt, label.turn) < (attempt, turn));
    }

    /// Removes what attempts before that one left, but for the level that it goes on from.
    pub fn tidy(&self, attempt: u32, restart: Option<&RestartPoint>) {
        let needed = restart.map(|restart| (restart.attempt, restart.turn));
        self.clear(|label| label.attempt < attempt && Some((label.attempt, label.turn)) != needed);
    }

    /// Removes all that the count left in the folder up to that attempt, its last one. For when
    /// the result is safe.
    pub fn remove(&self, attempt: u32) {
        self.sweep(attempt, u32::MAX);
        let _ = fs::remove_file(&self.lock_path);
        for entry in fs::read_dir(&self.path).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let is_lock = |name: &str| name.starts_with(LOCK) && name.ends_with(".lock");
            // A process that was killed has left its lock; one that lives still holds it.
            if name.to_str().is_some_and(is_lock) && lock(&self.path, &entry.path()).is_ok() {
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.lock_path);
    }
}

fn load(path: &Path) -> Result<Option<Manifest>, LevelsError> {
    let Some(manifest) = STAMP.read::<Manifest>(path)? else { return Ok(None) };
    // What is named in a manifest is opened: nothing but our own files.
    let ours = |record: &FileRecord| Label::of(&record.name) == Some(manifest.label);
    match manifest.files.iter().all(ours) && manifest.label.worker < manifest.workers {
        true => Ok(Some(manifest)),
        false => Err(LevelsError::damaged(path, "it names files that are not its own")),
    }
}
