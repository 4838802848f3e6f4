//! Long searches that can be stopped and resumed: `--checkpoint FILE`.

use crate::errors::{is_stopped, stopped_and_saved, usage};
use crate::new_file::NewFile;
use crate::run::Run;
use anyhow::{Context, Result};
use bsq_api::Session;
use bsq_engine::error::{Error, HasKind};
use bsq_engine::storage::StorageError;
use bsq_engine::storage::checkpoint;
use bsq_engine::storage::files::{self, File, folder_of};
use bsq_engine::storage::lock::Lock;
use bsq_engine::text::thousands;
use std::io::{BufReader, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// The time between two checkpoints.
const EVERY: Duration = Duration::from_secs(300);

/// Keeps other processes from the use of a checkpoint. The lock is a file beside it.
pub struct Claim(Lock);

impl Claim {
    /// Locks a checkpoint.
    pub fn of(path: &Path) -> Result<Claim> {
        // A symbolic link and its target are the same checkpoint.
        let path = &std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        let Some(name) = path.file_name() else {
            return Err(usage(format!("{} is not the name of a file", path.display())));
        };
        let lock = folder_of(path).join(format!(".{}.lock", name.to_string_lossy()));
        Lock::acquire(&lock).map(Claim).map_err(|error| match error {
            StorageError::InUse { .. } => {
                usage(format!("the checkpoint {} is in use by another process", path.display()))
            }
            error => error.into(),
        })
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        self.0.remove();
    }
}

/// The checkpoint of a search.
pub struct Checkpoint<'a> {
    path: PathBuf,
    _claim: Claim,
    /// The game whose search it is. Its tables grow, and those of the moment are saved.
    session: &'a dyn Session,
    /// A text that identifies the question.
    question: String,
    /// The number of positions searched before, if the search continues.
    before: Option<u64>,
}

/// The bytes of the tables for each byte of a checkpoint, so that few of its entries replace others.
const TABLE_BYTES: u64 = 2;

impl<'a> Checkpoint<'a> {
    /// Reads the file if it exists. Returns an error if it cannot be used, or if it cannot be
    /// created later.
    pub fn open(
        path: &Path,
        session: &'a dyn Session,
        question: String,
        run: &Run,
    ) -> Result<Checkpoint<'a>> {
        let claim = Claim::of(path)?;
        let path_buf = path.to_path_buf();
        let mut new = Checkpoint { path: path_buf, _claim: claim, session, question, before: None };
        match open_if_there(path)? {
            Some(file) => {
                let bytes = file.metadata().map_or(0, |metadata| metadata.len());
                session.grow(bytes.saturating_mul(TABLE_BYTES))?;
                let mut file = BufReader::new(file);
                let loaded = checkpoint::load(&session.learned(), &new.question, &mut file);
                loaded.map_err(|error| unusable(path, error))?;
                let nodes = new.nodes();
                run.note(&format!("continues the search after {} positions", thousands(nodes)));
                new.before = Some(nodes);
            }
            None => run.note("starts a new search"),
        }
        Ok(new)
    }

    /// The number of positions searched before the search was resumed.
    pub fn before(&self) -> u64 {
        self.before.unwrap_or(0)
    }

    /// The number of positions searched.
    fn nodes(&self) -> u64 {
        self.session.learned().iter().map(|solver| solver.nodes()).sum()
    }

    /// Runs a search. Saves its state at regular intervals, at the end, and when it is stopped.
    /// Returns the answer, which need not be complete, and whether the last state was saved.
    pub fn keep<T>(
        &self,
        run: &Run,
        work: impl FnOnce() -> Result<T>,
        is_complete: impl Fn(&T) -> bool,
    ) -> (Result<T>, Result<()>) {
        let (done, wait) = channel::<()>();
        let answer = std::thread::scope(|scope| {
            scope.spawn(move || {
                while wait.recv_timeout(EVERY) == Err(RecvTimeoutError::Timeout) {
                    if let Err(error) = self.save() {
                        run.note(&format!("cannot write a checkpoint for now: {error:#}"));
                    }
                }
            });
            let answer = work();
            if answer.as_ref().is_ok_and(&is_complete) && self.before == Some(self.nodes()) {
                run.note("the search had already finished");
            }
            drop(done);
            answer
        });
        match (self.save(), answer) {
            (Ok(()), Err(error)) if is_stopped(&error) => (Err(stopped_and_saved()), Ok(())),
            (Err(error), Err(stopped)) if is_stopped(&stopped) => {
                (Err(error.context("stopped before the end, and no state was saved")), Ok(()))
            }
            (saved, answer) => (answer, saved),
        }
    }

    fn save(&self) -> Result<()> {
        let mut file = NewFile::begin(&self.path)?;
        checkpoint::save(&self.session.learned(), &self.question, &mut file)?;
        file.finish()
    }
}

/// Opens a checkpoint. Returns `None` if the file does not exist, and an error if it cannot be
/// created later.
pub fn open_if_there(path: &Path) -> Result<Option<File>> {
    match files::open(path) {
        Ok((file, _)) => Ok(Some(file)),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            NewFile::begin(path)?;
            Ok(None)
        }
        Err(error) => Err(error).context(format!("cannot read {}", path.display())),
    }
}

/// The error of a checkpoint that belongs to another question or is damaged.
pub fn unusable(path: &Path, why: impl HasKind) -> anyhow::Error {
    let path = path.display();
    let message = format!(
        "cannot resume from the checkpoint {path}: {why}; give another file, or remove this one to start again"
    );
    Error::of(why.kind(), message).into()
}
