//! The scratch folder of a count, and the checkpoint in it.
//!
//! After every level the folder holds `checkpoint`, a line of text and a JSON object with all
//! that has been counted and a list of the files with the states of the next turn. It is written
//! beside, synced and renamed, and only then the files of the turn before are removed: whatever
//! happens, one whole level is there. Nothing else in the folder is touched.
//!
//! The line is `bsq levels checkpoint, version 1, crc32 01234567`, where the checksum is that of
//! the JSON. Version 1 is the only one so far.

use super::census::{Census, LevelCount, Record};
use super::error::LevelsError;
use super::files;
use super::files::{FileRecord, Stamp, sync_folder};
use super::level::{Level, Part};
use super::runs;
use crate::monitor::{Monitor, SolveError};
use crate::tally::Width;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

const CHECKPOINT: &str = "checkpoint";
const NEW_CHECKPOINT: &str = "checkpoint.new";
const LOCK: &str = "checkpoint.lock";
const STATES: &str = "states-";
const STAMP: Stamp =
    Stamp { magic: "bsq levels checkpoint, version ", version: 1, kind: "checkpoint" };

/// A folder for levels and checkpoints, held by this process alone.
#[derive(Debug)]
pub struct Scratch {
    folder: PathBuf,
    /// The checkpoint to go on from.
    kept: Option<Kept>,
    /// The files that the checkpoint in the folder lists.
    files: Mutex<Vec<FileRecord>>,
    number: AtomicU32,
    /// Locked as long as this lives.
    _lock: File,
}

/// What a checkpoint says.
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

impl Scratch {
    /// A folder for a new count. It is made if there is none; a checkpoint in it is an error.
    pub fn begin(folder: &Path) -> Result<Scratch, LevelsError> {
        fs::create_dir_all(folder).map_err(|error| LevelsError::system("make", folder, &error))?;
        let lock = lock(folder)?;
        if let Some(Kept { rules, turn, .. }) = load(folder)? {
            let folder = folder.display().to_string();
            return Err(LevelsError::Occupied { folder, rules, turn });
        }
        Ok(Scratch::with(folder, None, lock))
    }

    /// A folder with the checkpoint of a count, to go on from.
    pub fn resume(folder: &Path) -> Result<Scratch, LevelsError> {
        let none = || LevelsError::NoCheckpoint { folder: folder.display().to_string() };
        if !folder.join(CHECKPOINT).exists() {
            return Err(none());
        }
        let lock = lock(folder)?;
        let kept = load(folder)?.ok_or_else(none)?;
        Ok(Scratch::with(folder, Some(kept), lock))
    }

    fn with(folder: &Path, kept: Option<Kept>, lock: File) -> Scratch {
        let files = kept.as_ref().map(|kept| kept.files.clone()).unwrap_or_default();
        let files = Mutex::new(files);
        let number = AtomicU32::new(0);
        Scratch { folder: folder.to_path_buf(), kept, files, number, _lock: lock }
    }

    /// Where the checkpoint stands, if it is of these rules.
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
        let wrong = || LevelsError::damaged(&path, "its numbers make no sense");
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

    /// A new file for states of that turn.
    pub(super) fn create(&self, turn: u32) -> Result<(String, PathBuf, File), LevelsError> {
        loop {
            let number = self.number.fetch_add(1, Ordering::Relaxed);
            let name = format!("{STATES}{turn:02}-{number:05}");
            let path = self.folder.join(&name);
            match File::create_new(&path) {
                Ok(file) => return Ok((name, path, file)),
                // One that this count goes on from.
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(LevelsError::system("write", &path, &error)),
            }
        }
    }

    /// Makes a level the one to go on from.
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
        let (path, new) = (self.folder.join(CHECKPOINT), self.folder.join(NEW_CHECKPOINT));
        let write = || {
            STAMP.write(File::create(&new)?, &kept)?;
            sync_folder(&self.folder)?; // the new files of states, before they are relied on
            fs::rename(&new, &path)?;
            sync_folder(&self.folder)
        };
        write().map_err(|error: std::io::Error| LevelsError::system("write", &path, &error))?;
        *self.files() = kept.files;
        self.sweep();
        Ok(())
    }

    /// Removes the files of states that the checkpoint does not list: those of the turn before,
    /// or of one that was not finished. What cannot be removed is in nobody's way.
    pub(super) fn sweep(&self) {
        let _ = fs::remove_file(self.folder.join(NEW_CHECKPOINT));
        let listed = self.files();
        for entry in fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let ours = name.to_str().is_some_and(is_file_of_states);
            if ours && listed.iter().all(|record| *record.name != *name) {
                let _ = fs::remove_file(entry.path());
            }
        }
    }

    /// Removes all that the count left in the folder. For when its result is safe.
    pub fn remove(self) -> Result<(), LevelsError> {
        let path = self.folder.join(CHECKPOINT);
        fs::remove_file(&path).map_err(|error| LevelsError::system("remove", &path, &error))?;
        self.files().clear();
        self.sweep();
        Ok(())
    }

    fn files(&self) -> std::sync::MutexGuard<'_, Vec<FileRecord>> {
        // Nothing in here panics half way.
        self.files.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl Drop for Scratch {
    /// Where there is nothing to go on from the folder is left as it was.
    fn drop(&mut self) {
        if !self.folder.join(CHECKPOINT).exists() {
            let _ = fs::remove_file(self.folder.join(LOCK));
        }
    }
}

/// Whether a file of that name is one of ours: `states-`, a turn, `-`, a number.
fn is_file_of_states(name: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let numbers = name.strip_prefix(STATES).and_then(|numbers| numbers.split_once('-'));
    numbers.is_some_and(|(turn, number)| digits(turn) && digits(number))
}

fn lock(folder: &Path) -> Result<File, LevelsError> {
    files::lock(folder, &folder.join(LOCK))
}

/// Reads the checkpoint of a folder, if there is one.
fn load(folder: &Path) -> Result<Option<Kept>, LevelsError> {
    STAMP.read(&folder.join(CHECKPOINT))
}
