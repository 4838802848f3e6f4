//! Questions to the search: which value, between which bounds, by how many threads.

use super::regions::Atlas;
use super::search::Worker;
use super::static_bounds::{Appraisal, Notes};
use super::{Territorial, Territory};
use bsq_engine::monitor::Halt;
use bsq_engine::monitor::{Monitor, SolveError};
use bsq_engine::storage::checkpoint::Learned;
use bsq_engine::table::InProgress;
use bsq_engine::table::transposition::{Entry, Slot};
use bsq_engine::table::{Bounds, TranspositionTable};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What is asked.
#[derive(Clone, Copy, Debug)]
pub struct SearchRequest {
    /// The cells that each player may use.
    pub territory: Territory,
    /// The cells that the first move may take: all, unless the rules are special about it. At
    /// least one of them is the mover's, or the mover has none.
    pub allowed: u64,
    /// What is known of the value beforehand.
    pub known: Bounds,
    /// A guess at the value, which decides what is tested first.
    pub guess: i32,
}

impl SearchRequest {
    /// The value of a territory of which nothing is known.
    pub fn new(territory: Territory) -> SearchRequest {
        let known = Bounds { lower: -64, upper: 64 };
        SearchRequest { territory, allowed: u64::MAX, known, guess: 0 }
    }
}

/// A solver of territories, with all that it has learned so far.
pub struct Solver<G> {
    pub(super) field: G,
    pub(super) atlas: Atlas,
    pub(super) table: TranspositionTable,
    pub(super) busy: InProgress,
    pub(super) nodes: AtomicU64,
    notes: Vec<Mutex<Notes>>,
    /// The first territory asked for, and what is known of it.
    first: Mutex<Option<(Territory, Bounds)>>,
}

/// Where a search begins.
pub(super) struct Root {
    pub seen: Appraisal,
    /// Where the table has it, if every move is allowed.
    pub place: Option<Slot>,
    pub allowed: u64,
}

impl<G: Territorial> Solver<G> {
    /// A solver with a table of no more than that many bytes. Fails if the board needs more.
    pub fn new(field: G, table_bytes: u64) -> Result<Solver<G>, SolveError> {
        let lines =
            usize::try_from(table_bytes).unwrap_or(usize::MAX) / TranspositionTable::BUCKET_BYTES;
        let least = TranspositionTable::min_buckets(field.cells());
        if lines < least {
            let least = (least * TranspositionTable::BUCKET_BYTES) as u64;
            return Err(SolveError::TableTooSmall { least });
        }
        let table = TranspositionTable::with_buckets(field.cells(), lines);
        let table = table.ok_or(SolveError::NoRoom { positions: lines as u64 * 4 })?;
        Ok(Solver {
            field,
            atlas: Atlas::default(),
            table,
            busy: InProgress::default(),
            nodes: AtomicU64::new(0),
            notes: (0..rayon::current_num_threads()).map(|_| Mutex::default()).collect(),
            first: Mutex::default(),
        })
    }

    /// The board.
    pub fn field(&self) -> &G {
        &self.field
    }

    /// Nodes searched so far, by all threads.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// The table of bounds.
    pub fn table(&self) -> &TranspositionTable {
        &self.table
    }

    /// Small regions met so far, images and opposites taken as one.
    pub fn regions(&self) -> usize {
        self.atlas.len()
    }

    /// What is known by now of the value that was asked for first.
    pub fn proved(&self) -> Option<Bounds> {
        lock(&self.first).map(|(_, bounds)| bounds)
    }

    fn prove(&self, territory: Territory, bounds: Bounds) {
        let mut first = lock(&self.first);
        if first.is_none_or(|(asked, _)| asked == territory) {
            *first = Some((territory, bounds));
        }
    }

    /// The value of a territory for its mover: its points minus the other player's, from here
    /// on, under perfect play.
    pub fn value(&self, request: &SearchRequest, monitor: &Monitor) -> Result<i32, SolveError> {
        let SearchRequest { territory, allowed, known, mut guess } = *request;
        let all_allowed = territory.own & !allowed == 0;
        let seen = match all_allowed {
            true => self.worker(0).appraise(territory),
            false => Appraisal::unknown(territory),
        };
        let mut bounds = seen.bounds.and(known);
        let canonical = self.field.canonical(territory);
        if all_allowed && canonical == self.field.canonical(territory.swapped()) {
            bounds.lower = bounds.lower.max(0); // it never pays to wait
        }
        let place = all_allowed.then(|| self.place(seen.territory));
        let root = Root { seen, place, allowed };
        self.prove(territory, bounds);
        while bounds.lower < bounds.upper {
            let goal = guess.clamp(bounds.lower + 1, bounds.upper);
            let found = self.test(&root, goal, monitor)?;
            match found >= goal {
                true => bounds.lower = found.min(bounds.upper),
                false => bounds.upper = found.max(bounds.lower),
            }
            guess = if found >= goal { found + 1 } else { found };
            self.prove(territory, bounds);
            self.tell(bounds, monitor);
        }
        Ok(bounds.lower)
    }

    fn tell(&self, Bounds { lower, upper }: Bounds, monitor: &Monitor) {
        let (nodes, fill) = (self.nodes(), self.table.fill());
        tracing::debug!(lower, upper, nodes, fill, "test");
        monitor.status(&format!("{lower} to {upper} points, table {:.0}% full", 100.0 * fill));
    }

    pub(super) fn place(&self, territory: Territory) -> Slot {
        let Territory { own, other } = self.field.canonical(territory);
        self.table.locate((own, other))
    }

    fn worker(&self, thread: usize) -> Worker<'_, G> {
        Worker::new(self, lock(&self.notes[thread % self.notes.len()]))
    }

    /// Runs a test on every thread; the first to end has the answer.
    fn test(&self, root: &Root, goal: i32, monitor: &Monitor) -> Result<i32, SolveError> {
        let halt = Halt::new(monitor);
        let answers = rayon::broadcast(|thread| self.worker(thread.index()).run(root, goal, &halt));
        let stopped = Err(SolveError::Stopped);
        answers.into_iter().find(|answer| answer.is_ok()).unwrap_or(stopped)
    }
}

/// What these locks guard is whole at any time.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<G: Territorial> Learned for Solver<G> {
    fn table(&self) -> &TranspositionTable {
        &self.table
    }

    fn nodes(&self) -> u64 {
        Solver::nodes(self)
    }

    fn add_nodes(&self, nodes: u64) {
        self.nodes.fetch_add(nodes, Ordering::Relaxed);
    }

    fn admits(&self, Entry { pair, bounds, .. }: &Entry) -> bool {
        let is_set = (pair.0 | pair.1) <= u64::MAX >> (64 - self.field.cells());
        is_set && -64 <= bounds.lower && bounds.lower <= bounds.upper && bounds.upper < 64
    }
}
