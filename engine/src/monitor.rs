//! Progress and cancellation of long jobs, and why a job has no result.

use crate::error::{HasKind, Kind};
use crate::sync::{AtomicBool, AtomicU64, Ordering};
use crate::table::ShardFull;
use crate::text::thousands;

/// Receives the progress of a job.
pub trait Progress: Sync {
    /// Called when a job of about `units` units begins. `what` names the unit, in the plural.
    fn begin(&self, what: &str, units: u64);
    /// Called when `units` more units are done.
    fn advance(&self, units: u64);
    /// Called with a few words about the state of the job.
    fn status(&self, _text: &str) {}
    /// Called with a fact about the job that the user should know, in a sentence.
    fn note(&self, _text: &str) {}
}

/// The means by which the caller of a job observes and cancels it.
#[derive(Clone, Copy, Default)]
pub struct Monitor<'a> {
    /// Receives the progress.
    pub progress: Option<&'a dyn Progress>,
    /// Set by the caller to cancel the job.
    pub stop: Option<&'a AtomicBool>,
}

impl Monitor<'_> {
    /// Reports that a job of about `units` units begins.
    pub fn begin(&self, what: &str, units: u64) {
        if let Some(progress) = self.progress {
            progress.begin(what, units);
        }
    }

    /// Reports that `units` more units are done.
    pub fn advance(&self, units: u64) {
        if let Some(progress) = self.progress {
            progress.advance(units);
        }
    }

    /// Reports the state of the job in a few words.
    pub fn status(&self, text: &str) {
        if let Some(progress) = self.progress {
            progress.status(text);
        }
    }

    /// Reports a fact that the user should know, in a sentence.
    pub fn note(&self, text: &str) {
        if let Some(progress) = self.progress {
            progress.note(text);
        }
    }

    /// Checks whether to continue.
    ///
    /// # Errors
    ///
    /// [`SolveError::Stopped`] if the caller has cancelled the job.
    pub fn check(&self) -> Result<(), SolveError> {
        match self.stop {
            Some(stop) if stop.load(Ordering::Relaxed) => Err(SolveError::Stopped),
            _ => Ok(()),
        }
    }
}

/// A job with a limit on its work. It is cancelled when it exceeds the limit, or when its caller
/// cancels it.
///
/// The work is counted with relaxed ordering, so a thread that stops may not yet see the work of
/// the others. Call [`is_exceeded`](WorkLimit::is_exceeded) after the job has ended.
pub struct WorkLimit<'a> {
    monitor: &'a Monitor<'a>,
    most: u64,
    done: AtomicU64,
    stop: AtomicBool,
}

impl<'a> WorkLimit<'a> {
    /// Creates a limit of `most` units of work for a job that the caller observes by `monitor`.
    pub fn new(monitor: &'a Monitor<'a>, most: u64) -> WorkLimit<'a> {
        WorkLimit { monitor, most, done: AtomicU64::new(0), stop: AtomicBool::new(false) }
    }

    /// The monitor of the job.
    pub fn monitor(&self) -> Monitor<'_> {
        Monitor { progress: Some(self), stop: Some(&self.stop) }
    }

    /// Whether the job has done more work than the limit.
    pub fn is_exceeded(&self) -> bool {
        self.done.load(Ordering::Relaxed) > self.most
    }
}

impl Progress for WorkLimit<'_> {
    fn begin(&self, what: &str, units: u64) {
        self.monitor.begin(what, units);
    }

    fn advance(&self, units: u64) {
        self.monitor.advance(units);
        self.done.fetch_add(units, Ordering::Relaxed);
        if self.is_exceeded() || self.monitor.check().is_err() {
            self.stop.store(true, Ordering::Relaxed);
        }
    }

    fn note(&self, text: &str) {
        self.monitor.note(text);
    }

    fn status(&self, text: &str) {
        self.monitor.status(text);
    }
}

/// Cancels the threads of a search, at the request of the caller or because one of them has the
/// result.
///
/// Relaxed ordering suffices, because the threads return their results and the flag guards no data.
/// A thread ends the search when it has a result, or when the caller has cancelled it.
pub struct Halt<'a> {
    /// The caller's monitor.
    pub monitor: &'a Monitor<'a>,
    /// Whether the search is over.
    done: AtomicBool,
}

impl<'a> Halt<'a> {
    /// Creates the state of a search that is running.
    pub fn new(monitor: &'a Monitor<'a>) -> Halt<'a> {
        Halt { monitor, done: AtomicBool::new(false) }
    }

    /// Ends the search for all threads.
    pub fn finish(&self) {
        self.done.store(true, Ordering::Relaxed);
    }

    /// Checks whether to continue.
    ///
    /// # Errors
    ///
    /// [`SolveError::Stopped`] if the search is over or cancelled.
    pub fn check(&self) -> Result<(), SolveError> {
        if self.done.load(Ordering::Relaxed) {
            Err(SolveError::Stopped)
        } else {
            self.monitor.check()
        }
    }
}

/// Why a job has no result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SolveError {
    /// The caller cancelled the job.
    #[error("stopped before the end; nothing was kept")]
    Stopped,
    /// The operating system does not provide the memory for a table.
    #[error("there is no memory for a table of up to {} positions", thousands(positions))]
    NoRoom {
        /// An upper bound on the number of positions.
        positions: u64,
    },
    /// The caller allows less memory than a table takes.
    #[error("the table is too small for the board; it takes at least {}", bytesize::ByteSize::b(*least).display().iec())]
    TableTooSmall {
        /// The least number of bytes that suffices.
        least: u64,
    },
    /// The job takes more memory than the caller allows, and was not begun.
    #[error(
        "this takes about {} of memory, and {} are allowed",
        bytesize::ByteSize::b(*needed).display().iec(),
        bytesize::ByteSize::b(*allowed).display().iec()
    )]
    TooMuch {
        /// An estimate of the memory, in bytes.
        needed: u64,
        /// The limit in bytes.
        allowed: u64,
    },
    /// The job took more memory than the caller allows.
    #[error("more memory would be needed than the {} allowed", bytesize::ByteSize::b(*bytes).display().iec())]
    OverLimit {
        /// The limit in bytes.
        bytes: u64,
    },
    /// A table is full.
    #[error(transparent)]
    Full(#[from] ShardFull),
}

impl HasKind for SolveError {
    fn kind(&self) -> Kind {
        match self {
            SolveError::Stopped => Kind::Stopped,
            SolveError::NoRoom { .. } | SolveError::Full(_) => Kind::Failed,
            SolveError::TableTooSmall { .. }
            | SolveError::TooMuch { .. }
            | SolveError::OverLimit { .. } => Kind::Refused,
        }
    }
}
