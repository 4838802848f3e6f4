//! Searches with a limit on work.

use crate::run::Run;
use bsq_engine::monitor::{Monitor, Progress};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Reports the progress of a job to a run. Cancels the job after some work, or when the run is
/// stopped.
pub struct Patience<'a> {
    run: &'a Run,
    most: u64,
    done: AtomicU64,
    over: AtomicBool,
}

impl<'a> Patience<'a> {
    /// A job of at most this number of units of work.
    pub fn new(run: &'a Run, most: u64) -> Patience<'a> {
        Patience { run, most, done: AtomicU64::new(0), over: AtomicBool::new(false) }
    }

    /// The monitor of the job.
    pub fn monitor(&self) -> Monitor<'_> {
        Monitor { progress: Some(self), stop: Some(&self.over) }
    }

    /// Whether the job was cancelled because it reached the limit on work.
    pub fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed) && !self.run.is_stopped()
    }
}

impl Progress for Patience<'_> {
    fn begin(&self, what: &str, units: u64) {
        self.run.monitor().begin(what, units);
    }

    fn advance(&self, units: u64) {
        self.run.monitor().advance(units);
        let done = self.done.fetch_add(units, Ordering::Relaxed) + units;
        if done > self.most || self.run.is_stopped() {
            self.over.store(true, Ordering::Relaxed);
        }
    }

    fn status(&self, text: &str) {
        self.run.monitor().status(text);
    }
}
