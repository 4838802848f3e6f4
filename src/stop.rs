//! Jobs that the user stopped.

use crate::advice::find;
use bsq_engine::monitor::SolveError;

/// A job that the user stopped, whose state was saved.
#[derive(Debug, thiserror::Error)]
#[error("stopped before the end; the progress was saved; the same command resumes from there")]
pub struct StoppedSaved;

/// Whether the user stopped the job.
pub fn is_stopped(error: &anyhow::Error) -> bool {
    find::<StoppedSaved>(error).is_some()
        || find::<bsq_api::Error>(error).is_some_and(|error| error.code == bsq_api::Code::Stopped)
        || find::<SolveError>(error).is_some_and(SolveError::is_stopped)
}
