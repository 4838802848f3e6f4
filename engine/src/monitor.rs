//! Progress and cancellation of long jobs, and why a job has no result.

use crate::error::{HasKind, Kind};
use crate::sync::{AtomicBool, AtomicU64, Ordering};
use crate::table::{Bounds, ShardFull};
use crate::text::thousands;
use std::time::Duration;
use web_time::Instant;

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
    /// Called with a detail of the work, in a few words, that the user may like to know.
    fn detail(&self, _text: &str) {}
}

/// The means by which the caller of a job observes, limits and cancels it.
#[derive(Clone, Copy, Default)]
pub struct Monitor<'a> {
    /// Receives the progress.
    pub progress: Option<&'a dyn Progress>,
    /// Set by the caller to cancel the job.
    pub stop: Option<&'a AtomicBool>,
    /// When the job is cancelled at the latest.
    pub until: Option<Instant>,
    /// The memory that the job may take.
    pub memory: Memory,
    /// Describes bounds that a search has proved, in the words of the game.
    pub describe: Option<&'a (dyn Fn(Bounds) -> String + Sync)>,
}

/// A limit on memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    /// The most that may be in use, in bytes. `None` for no limit.
    pub limit: Option<u64>,
    /// What the callers of the job hold, in bytes. It counts.
    pub held: u64,
}

/// The state of a search for whether a value reaches a goal.
#[derive(Clone, Copy, Debug)]
pub struct SearchState {
    /// The moves of the root that are known not to reach the goal.
    pub refuted: usize,
    /// The moves of the root that are considered.
    pub moves: usize,
    /// An estimate of the fraction of the table in use.
    pub fill: f64,
}

impl<'a> Monitor<'a> {
    /// The same monitor with a limit on the memory of the job, in bytes.
    pub fn within(&self, limit: Option<u64>) -> Monitor<'a> {
        Monitor { memory: Memory { limit, held: 0 }, ..*self }
    }

    /// The monitor of a part of the job, for a caller that holds so many bytes meanwhile.
    pub fn holding(&self, bytes: u64) -> Monitor<'a> {
        let Memory { limit, held } = self.memory;
        Monitor { memory: Memory { limit, held: held.saturating_add(bytes) }, ..*self }
    }

    /// The same monitor for a search whose bounds mean what `describe` says.
    pub fn describing<'b>(
        &'b self,
        describe: &'b (dyn Fn(Bounds) -> String + Sync),
    ) -> Monitor<'b> {
        Monitor { describe: Some(describe), ..*self }
    }

    /// Asks for memory before it is allocated: `bytes` is what the job is going to take in all.
    ///
    /// # Errors
    ///
    /// [`SolveError::TooMuch`] if that is more than the caller allows.
    ///
    /// ```
    /// use bsq_engine::monitor::{Monitor, SolveError};
    ///
    /// let monitor = Monitor::default().within(Some(1000)).holding(300);
    /// assert_eq!(monitor.allow(700), Ok(()));
    /// let too_much = SolveError::TooMuch { needed: 1001, allowed: 1000 };
    /// assert_eq!(monitor.allow(701), Err(too_much));
    /// ```
    pub fn allow(&self, bytes: u64) -> Result<(), SolveError> {
        let needed = self.memory.held.saturating_add(bytes);
        match self.memory.limit {
            Some(allowed) if needed > allowed => Err(SolveError::TooMuch { needed, allowed }),
            _ => Ok(()),
        }
    }

    /// Asks for memory in a job that does not know how much it is going to take: `bytes` is what
    /// `found` things take, of which `what` is the name in the plural.
    ///
    /// # Errors
    ///
    /// [`SolveError::OverLimit`] if that is more than the caller allows.
    pub fn allow_for(&self, bytes: u64, found: u64, what: &'static str) -> Result<(), SolveError> {
        self.allow(bytes).map_err(|_| {
            let bytes = self.memory.limit.unwrap_or(u64::MAX);
            SolveError::OverLimit { found, what, bytes }
        })
    }

    /// The bytes that the job may take. `None` for no limit.
    pub fn room(&self) -> Option<u64> {
        Some(self.memory.limit?.saturating_sub(self.memory.held))
    }

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

    /// Reports what a search has proved, bounds on the value for the player to move, and its state,
    /// which is determined only if someone listens.
    pub fn tell(&self, bounds: Bounds, state: impl FnOnce() -> SearchState) {
        let Some(progress) = self.progress else { return };
        let SearchState { refuted, moves, fill } = state();
        let proved = self.words(bounds);
        let fill = 100.0 * fill;
        progress.status(&format!(
            "{proved}; {refuted} of {moves} moves refuted, table {fill:.0}% full"
        ));
    }

    /// Bounds that a search has proved, in words.
    pub fn words(&self, bounds: Bounds) -> String {
        match self.describe {
            Some(describe) => describe(bounds),
            None => format!("{} to {}", bounds.lower, bounds.upper),
        }
    }

    /// Reports a fact that the user should know, in a sentence.
    pub fn note(&self, text: &str) {
        if let Some(progress) = self.progress {
            progress.note(text);
        }
    }

    /// Reports a detail of the work in a few words.
    pub fn detail(&self, text: &str) {
        if let Some(progress) = self.progress {
            progress.detail(text);
        }
    }

    /// Checks whether to continue.
    ///
    /// # Errors
    ///
    /// [`SolveError::Stopped`] if the caller has cancelled the job, or if its time is over.
    pub fn check(&self) -> Result<(), SolveError> {
        let is_stopped = self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
        let is_late = || self.until.is_some_and(|until| Instant::now() >= until);
        if is_stopped || is_late() { Err(SolveError::Stopped) } else { Ok(()) }
    }

    /// The same monitor, which cancels the job after some time at the latest. If the time exceeds the
    /// range of the clock, there is no limit.
    ///
    /// ```
    /// use bsq_engine::monitor::{Monitor, SolveError};
    /// use std::time::Duration;
    ///
    /// let monitor = Monitor::default();
    /// assert_eq!(monitor.for_at_most(Duration::from_secs(60)).check(), Ok(()));
    /// assert_eq!(monitor.for_at_most(Duration::ZERO).check(), Err(SolveError::Stopped));
    /// assert_eq!(monitor.for_at_most(Duration::MAX).check(), Ok(()));
    /// ```
    pub fn for_at_most(&self, time: Duration) -> Monitor<'a> {
        let until = [self.until, Instant::now().checked_add(time)].into_iter().flatten().min();
        Monitor { until, ..*self }
    }
}

/// Memory that the threads of a job take while they go on.
///
/// ```
/// use bsq_engine::monitor::{Growth, Monitor, SolveError};
///
/// let monitor = Monitor::default().within(Some(1000));
/// let growth = Growth::new(&monitor, "positions");
/// assert!(growth.add(600, 2).is_ok());
/// let over = SolveError::OverLimit { found: 5, what: "positions", bytes: 1000 };
/// assert_eq!(growth.add(600, 3), Err(over));
/// growth.release(600, 3);
/// assert!(growth.add(300, 1).is_ok());
/// ```
pub struct Growth<'a> {
    monitor: &'a Monitor<'a>,
    what: &'static str,
    bytes: AtomicU64,
    found: AtomicU64,
}

impl<'a> Growth<'a> {
    /// No memory yet. `what` names the things that take it, in the plural.
    pub fn new(monitor: &'a Monitor<'a>, what: &'static str) -> Growth<'a> {
        Growth { monitor, what, bytes: AtomicU64::new(0), found: AtomicU64::new(0) }
    }

    /// Adds `found` things that take so many bytes.
    ///
    /// # Errors
    ///
    /// [`SolveError::OverLimit`] if all together take more than the caller of the job allows.
    pub fn add(&self, bytes: u64, found: u64) -> Result<(), SolveError> {
        let sum = |all: &AtomicU64, more: u64| all.fetch_add(more, Ordering::Relaxed) + more;
        self.monitor.allow_for(sum(&self.bytes, bytes), sum(&self.found, found), self.what)
    }

    /// Takes away `found` things of those added before, which took so many bytes.
    pub fn release(&self, bytes: u64, found: u64) {
        self.bytes.fetch_sub(bytes, Ordering::Relaxed);
        self.found.fetch_sub(found, Ordering::Relaxed);
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
        Monitor { progress: Some(self), stop: Some(&self.stop), ..*self.monitor }
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

    fn detail(&self, text: &str) {
        self.monitor.detail(text);
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
    /// Reports what the search has proved.
    tell: Option<&'a (dyn Fn() + Sync)>,
}

impl<'a> Halt<'a> {
    /// Creates the state of a search that is running.
    pub fn new(monitor: &'a Monitor<'a>) -> Halt<'a> {
        Halt { monitor, done: AtomicBool::new(false), tell: None }
    }

    /// The state of a search that can report what it has proved.
    pub fn telling(monitor: &'a Monitor<'a>, tell: &'a (dyn Fn() + Sync)) -> Halt<'a> {
        Halt { tell: Some(tell), ..Halt::new(monitor) }
    }

    /// Reports what the search has proved.
    pub fn tell(&self) {
        if let Some(tell) = self.tell {
            tell();
        }
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
    #[error(
        "the limit of {} does not suffice for the {what}, of which there are {} or more",
        bytesize::ByteSize::b(*bytes).display().iec(),
        thousands(found)
    )]
    OverLimit {
        /// How many things the job had found when the limit was reached.
        found: u64,
        /// Their name, in the plural.
        what: &'static str,
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
