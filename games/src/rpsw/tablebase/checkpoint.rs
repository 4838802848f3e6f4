//! A folder in which an analysis is kept between rounds, so that another one can go on from there.
//!
//! After every round of lost positions there is a file more, `lost-in-6` and so on, with what
//! [`LostPositions::write_iteration`] writes, and `checkpoint`, a line of text and a line of JSON: the rules,
//! what all rounds have found, and the length and CRC-32 of each file. Each is written beside its
//! place, synced and renamed, the checkpoint last. The line of text has the CRC-32 of the JSON.
//! Nothing else in the folder is touched.

use super::file::WrittenRules;
use crate::rpsw::Rules;
use crate::rpsw::census::{read_counts, written_counts};
use crate::rpsw::retrograde::{Iteration, LostPositions};
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

const NAME: &str = "checkpoint";
const LOCK: &str = "checkpoint.lock";
const MAGIC: &str = "bsq rpsw checkpoint, version 1, crc32 ";

/// Why a folder cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path} {problem}")]
pub struct CheckpointError {
    /// The folder, or a file in it.
    pub path: String,
    /// What is wrong with it.
    pub problem: CheckpointProblem,
}

/// What can be wrong with a folder.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CheckpointProblem {
    /// The system says so.
    #[error("cannot be used: {0}")]
    System(String),
    /// Another process works with it.
    #[error("is in use by another process")]
    Locked,
    /// There is one of an analysis that has not ended.
    #[error("holds a checkpoint already; --resume goes on from it, or give another folder")]
    Occupied,
    /// There is none.
    #[error("holds no checkpoint; leave --resume out to begin")]
    Missing,
    /// It is of another game.
    #[error("holds a checkpoint of a game by other rules")]
    OtherRules,
    /// What is there makes no sense.
    #[error("is damaged; begin again in another folder")]
    Damaged,
}

/// A folder, held by this process alone.
#[derive(Debug)]
pub struct Checkpoint {
    folder: PathBuf,
    kept: Option<Kept>,
    files: Vec<FileRecord>,
    _lock: File,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Kept {
    rules: WrittenRules,
    /// Of each round: row player's material, the other's, positions.
    rounds: Vec<Vec<(u8, u8, u64)>>,
    files: Vec<FileRecord>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct FileRecord {
    plies: u32,
    bytes: u64,
    crc32: u32,
}

impl Checkpoint {
    /// A folder for a new analysis, made if it is not there; or with the checkpoint of one by these
    /// rules, to go on from.
    pub fn open(folder: &Path, rules: &Rules, resume: bool) -> Result<Checkpoint, CheckpointError> {
        if !resume {
            fs::create_dir_all(folder).map_err(|error| system(folder, &error))?;
        } else if !folder.join(NAME).exists() {
            return Err(problem(folder, CheckpointProblem::Missing));
        }
        let lock = File::create(folder.join(LOCK)).map_err(|error| system(folder, &error))?;
        lock.try_lock().map_err(|_| problem(folder, CheckpointProblem::Locked))?;
        let kept = read_kept(&folder.join(NAME))?;
        match &kept {
            Some(_) if !resume => Err(problem(folder, CheckpointProblem::Occupied)),
            Some(kept) if kept.rules != WrittenRules::of(rules) => {
                Err(problem(folder, CheckpointProblem::OtherRules))
            }
            _ => {
                let files = kept.as_ref().map_or(Vec::new(), |kept| kept.files.clone());
                Ok(Checkpoint { folder: folder.to_path_buf(), kept, files, _lock: lock })
            }
        }
    }

    /// The rounds that are kept, none if this is a new analysis; what was lost in them is put into
    /// `lost`.
    pub fn restore(&self, lost: &mut LostPositions) -> Result<Vec<Iteration>, CheckpointError> {
        let Some(kept) = &self.kept else { return Ok(Vec::new()) };
        let damaged = || problem(&self.folder.join(NAME), CheckpointProblem::Damaged);
        let rounds = kept.rounds.iter().zip(1..).map(|(found, plies)| {
            Ok(Iteration { plies, found: read_counts(found).ok_or_else(damaged)? })
        });
        let rounds: Vec<Iteration> = rounds.collect::<Result<_, CheckpointError>>()?;
        let wanted = (4..).step_by(2).take(rounds.len().saturating_sub(2) / 2);
        if rounds.len() % 2 == 1 || !kept.files.iter().map(|file| file.plies).eq(wanted) {
            return Err(damaged());
        }
        for file in &kept.files {
            let path = self.round_path(file.plies);
            let bytes = fs::read(&path).map_err(|error| system(&path, &error))?;
            let intact = bytes.len() as u64 == file.bytes && crc32fast::hash(&bytes) == file.crc32;
            let read = intact.then(|| lost.read_iteration(file.plies, &bytes)).flatten();
            read.ok_or_else(|| problem(&path, CheckpointProblem::Damaged))?;
        }
        Ok(rounds)
    }

    /// Keeps all that was found, the last round being one of lost positions.
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
            let crc32 = crc32fast::hash(&bytes);
            replace(&self.round_path(plies), &[&bytes])?;
            self.files.push(FileRecord { plies, bytes: bytes.len() as u64, crc32 });
        }
        let rounds = rounds.iter().map(|round| written_counts(&round.found)).collect();
        let kept = Kept { rules: WrittenRules::of(rules), rounds, files: self.files.clone() };
        let json = serde_json::to_vec(&kept).expect("numbers can be written");
        let stamp = format!("{MAGIC}{:08x}\n", crc32fast::hash(&json));
        replace(&self.folder.join(NAME), &[stamp.as_bytes(), &json])
    }

    /// Removes what was kept; the folder too, if nothing else is in it.
    pub fn remove(self) {
        // What cannot be removed is in nobody's way.
        let _ = fs::remove_file(self.folder.join(NAME));
        for file in &self.files {
            let _ = fs::remove_file(self.round_path(file.plies));
        }
    }

    fn round_path(&self, plies: u32) -> PathBuf {
        self.folder.join(format!("lost-in-{plies}"))
    }
}

impl Drop for Checkpoint {
    /// Leaves no folder behind in which nothing is kept.
    fn drop(&mut self) {
        if !self.folder.join(NAME).exists() {
            let _ = fs::remove_file(self.folder.join(LOCK));
            let _ = fs::remove_dir(&self.folder);
        }
    }
}

fn problem(path: &Path, problem: CheckpointProblem) -> CheckpointError {
    CheckpointError { path: path.display().to_string(), problem }
}

fn system(path: &Path, error: &io::Error) -> CheckpointError {
    problem(path, CheckpointProblem::System(error.to_string()))
}

/// What a checkpoint says, if there is one.
fn read_kept(path: &Path) -> Result<Option<Kept>, CheckpointError> {
    let text = match fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        read => read.map_err(|error| system(path, &error))?,
    };
    let kept = || {
        let (crc, json) = text.strip_prefix(MAGIC.as_bytes())?.split_at_checked(9)?;
        let intact = crc == format!("{:08x}\n", crc32fast::hash(json)).as_bytes();
        intact.then(|| serde_json::from_slice(json).ok()).flatten()
    };
    kept().map(Some).ok_or_else(|| problem(path, CheckpointProblem::Damaged))
}

/// Puts a file in its place, whole.
fn replace(path: &Path, bytes: &[&[u8]]) -> Result<(), CheckpointError> {
    let new = path.with_extension("new");
    let write = || -> io::Result<()> {
        let mut file = BufWriter::new(File::create(&new)?);
        bytes.iter().try_for_each(|bytes| file.write_all(bytes))?;
        file.into_inner().map_err(|error| error.into_error())?.sync_all()?;
        fs::rename(&new, path)
    };
    write().map_err(|error| {
        let _ = fs::remove_file(&new);
        system(path, &error)
    })
}
