//! The driver that all searches share: null-window searches on every thread, which narrow the bounds on
//! a value.

use crate::error::{HasKind, Kind};
use crate::monitor::{Halt, Monitor, SolveError};
use crate::sync::{AtomicU64, Ordering};
use crate::table::{Bounds, InProgress};

/// The nodes between two looks at whether the search is over. A node may take a millisecond if the
/// system has to provide memory of the table.
const CHECKED: u64 = 1 << 4;
/// The nodes between two reports of their number, a multiple of those.
const REPORTED: u64 = 1 << 10;
/// The nodes of a thread between two reports of the state of the search, a multiple of those.
const TOLD: u64 = 1 << 14;

/// What the threads of a search share, whatever the game.
pub struct Shared<T> {
    /// The transposition table.
    pub table: T,
    /// The positions that some thread is searching.
    pub in_progress: InProgress,
    nodes: AtomicU64,
}

impl<T> Shared<T> {
    /// The state of a search that has not begun.
    pub fn new(table: T) -> Shared<T> {
        Shared { table, in_progress: InProgress::default(), nodes: AtomicU64::new(0) }
    }

    /// The number of nodes searched.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// Adds to the number of nodes searched.
    pub fn add_nodes(&self, nodes: u64) {
        self.nodes.fetch_add(nodes, Ordering::Relaxed);
    }
}

/// The nodes that one thread has searched. They are reported when it is dropped, and regularly before.
pub struct Nodes<'a> {
    all: &'a AtomicU64,
    halt: &'a Halt<'a>,
    count: u64,
    /// The nodes at the next look at whether the search is over.
    next: u64,
    reported: u64,
}

impl<'a> Nodes<'a> {
    /// No nodes, of a search that `halt` ends.
    pub fn new<T>(shared: &'a Shared<T>, halt: &'a Halt<'a>) -> Nodes<'a> {
        Nodes { all: &shared.nodes, halt, count: 0, next: CHECKED, reported: 0 }
    }

    /// The number of nodes.
    #[inline(always)]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Counts a node, and looks from time to time whether to continue.
    ///
    /// # Errors
    ///
    /// [`SolveError::Stopped`] if the search is over or cancelled.
    #[inline(always)]
    pub fn add(&mut self) -> Result<(), SolveError> {
        self.count += 1;
        if self.count >= self.next { self.check() } else { Ok(()) }
    }

    /// The binary logarithm of the number of nodes since `before`, as the effort of an entry of the
    /// table: 1 or more.
    #[inline(always)]
    pub fn effort_since(&self, before: u64) -> u32 {
        1 + (self.count - before + 1).ilog2()
    }

    #[cold]
    fn check(&mut self) -> Result<(), SolveError> {
        self.next += CHECKED;
        if self.count.is_multiple_of(REPORTED) {
            self.report();
        }
        if self.count.is_multiple_of(TOLD) {
            self.halt.tell();
        }
        self.halt.check()
    }

    fn report(&mut self) {
        let new = self.count - self.reported;
        self.all.fetch_add(new, Ordering::Relaxed);
        self.halt.monitor.advance(new);
        self.reported = self.count;
    }
}

impl Drop for Nodes<'_> {
    fn drop(&mut self) {
        self.report();
    }
}

/// Narrows bounds on a value until they meet, or until the search is stopped: the result contains what
/// has been proved by then.
///
/// The monitor is asked before each null-window search, because short ones do not ask it.
///
/// `goal` chooses the goal of the next search, above the lower bound and at most the upper one, near
/// the guess that it is given. `tell` reports what is proved, and the goal. `null_window` returns a
/// lower bound on the value if that is at least the goal, otherwise an upper bound; it may call its
/// second argument, which reports again.
///
/// # Errors
///
/// Those of `null_window`, except that it was stopped.
pub fn narrow<E: HasKind>(
    monitor: &Monitor,
    mut bounds: Bounds,
    mut guess: i32,
    mut goal: impl FnMut(Bounds, i32) -> i32,
    tell: impl Fn(Bounds, i32) + Sync,
    mut null_window: impl FnMut(i32, &(dyn Fn() + Sync)) -> Result<i32, E>,
) -> Result<Bounds, E> {
    while bounds.lower < bounds.upper && monitor.check().is_ok() {
        let goal = goal(bounds, guess);
        let tell = || tell(bounds, goal);
        tell();
        let found = match null_window(goal, &tell) {
            Err(error) if error.kind() == Kind::Stopped => break,
            found => found?,
        };
        if found >= goal {
            bounds.lower = found.min(bounds.upper);
            guess = found + 1;
        } else {
            bounds.upper = found.max(bounds.lower);
            guess = found;
        }
    }
    Ok(bounds)
}

/// Runs the same search on every thread, by the number of the thread. The first to finish has the
/// result, and ends the others.
///
/// # Errors
///
/// Those of the searches; that they were stopped only if all of them were.
pub fn on_every_thread<E: HasKind + From<SolveError> + Send>(
    monitor: &Monitor,
    tell: &(dyn Fn() + Sync),
    search: impl Fn(usize, &Halt) -> Result<i32, E> + Sync,
) -> Result<i32, E> {
    let halt = Halt::telling(monitor, tell);
    let found = rayon::broadcast(|thread| {
        let found = search(thread.index(), &halt);
        if found.is_ok() {
            halt.finish();
        }
        found
    });
    let is_stopped =
        |found: &Result<i32, E>| found.as_ref().is_err_and(|error| error.kind() == Kind::Stopped);
    found.into_iter().find(|found| !is_stopped(found)).unwrap_or(Err(SolveError::Stopped.into()))
}
