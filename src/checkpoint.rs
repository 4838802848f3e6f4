//! A long search that can be stopped and goes on another day: `--checkpoint FILE`.

use crate::files::NewFile;
use crate::run::Run;
use crate::stop::{StoppedSaved, is_stopped};
use crate::usage::usage;
use anyhow::{Context, Result};
use bsq_engine::evaluate::Learned;
use bsq_engine::storage::checkpoint;
use std::fs::File;
use std::io::{BufReader, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// How long a search runs between two checkpoints.
const EVERY: Duration = Duration::from_secs(300);

/// Where a search is kept.
pub struct Checkpoint<'a> {
    path: PathBuf,
    solvers: Vec<&'a dyn Learned>,
    /// What is asked, in words.
    question: String,
}

impl<'a> Checkpoint<'a> {
    /// Reads the file if it is there. Fails if it cannot be used, or not be written later.
    pub fn open(
        path: &Path,
        solvers: Vec<&'a dyn Learned>,
        question: String,
        run: &Run,
    ) -> Result<Checkpoint<'a>> {
        let path = path.to_path_buf();
        match File::open(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                NewFile::begin(&path)?; // say so before hours of work
            }
            Err(error) => return Err(error).context(format!("cannot read {}", path.display())),
            Ok(file) => {
                let loaded = checkpoint::load(&solvers, &question, &mut BufReader::new(file));
                loaded.map_err(|error| {
                    usage(format!(
                        "cannot go on from the checkpoint {}: {error}; give another file, or remove this one to begin anew",
                        path.display()
                    ))
                })?;
                let nodes: u64 = solvers.iter().map(|solver| solver.nodes()).sum();
                run.note(&format!("going on after {nodes} positions"));
            }
        }
        Ok(Checkpoint { path, solvers, question })
    }

    /// Does the work, saving now and then, when it is done, and if it is stopped.
    pub fn keep<T>(
        this: Option<&Checkpoint>,
        run: &Run,
        work: impl FnOnce() -> Result<T>,
    ) -> Result<T> {
        let Some(this) = this else { return work() };
        let (done, wait) = channel::<()>();
        let answer = std::thread::scope(|scope| {
            scope.spawn(move || {
                while wait.recv_timeout(EVERY) == Err(RecvTimeoutError::Timeout) {
                    if let Err(error) = this.save() {
                        run.note(&format!("no checkpoint for now: {error:#}"));
                    }
                }
            });
            let answer = work();
            drop(done);
            answer
        });
        // An answer is not lost because the search that led to it cannot be kept.
        match (this.save(), answer) {
            (Ok(()), Err(error)) if is_stopped(&error) => Err(StoppedSaved.into()),
            (Err(error), answer) => {
                run.note(&format!("no checkpoint: {error:#}"));
                answer
            }
            (Ok(()), answer) => answer,
        }
    }

    fn save(&self) -> Result<()> {
        let mut file = NewFile::begin(&self.path)?;
        checkpoint::save(&self.solvers, &self.question, &mut file)
            .with_context(|| format!("cannot write the checkpoint {}", self.path.display()))?;
        file.finish()
    }
}
