//! The MTD(f)-style driver of the territory search.
//!
//! The value is found by a series of null-window searches, each of which raises the lower or lowers
//! the upper bound (A. Plaat, J. Schaeffer, W. Pijls and A. de Bruin, *Best-first fixed-depth
//! minimax algorithms*, 1996). The window always lies inside the bounds proved so far.

use super::board::{Territory, TerritoryBoard};
use super::regions::RegionTable;
use super::search::{Root, SearchTables, Searcher};
use super::static_bounds::{RegionCache, StaticBounds};
use crate::british_square::board::{Cells, MAX_CELLS};
use bsq_engine::evaluate::Learned;
use bsq_engine::monitor::{Halt, Monitor, SolveError};
use bsq_engine::table::transposition::Entry;
use bsq_engine::table::{Bounds, InProgress, TranspositionTable};
use parking_lot::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// The largest absolute value, in points.
const MAX_VALUE: i32 = MAX_CELLS as i32;

/// The least memory for the values of small regions, in bytes.
const LEAST_REGIONS: u64 = 8 << 20;

/// The size in bytes of a transposition table that contains most positions of a search from the
/// start on a board with so many cells.
fn suitable_table(cells: usize) -> u64 {
    let bytes = 64.0 * (cells as f64 / 2.0).exp2(); // at least a line
    bytes as u64
}

/// A territory to be valued, with known bounds on its value.
#[derive(Clone, Copy, Debug)]
pub struct SearchRequest {
    /// The cells that each player may use.
    pub territory: Territory,
    /// The cells on which the first move may be: all, unless a rule forbids some. Contains at least
    /// one of the mover's cells, unless the mover has none.
    pub allowed: Cells,
    /// Bounds known beforehand; -64 to 64 points if there are none.
    pub known: Bounds,
    /// A guess at the value, in points. It sets the window of the first search.
    pub guess: i32,
}

impl SearchRequest {
    /// Creates a request for the value of a territory, with all moves allowed and no bounds known.
    pub fn new(territory: Territory) -> SearchRequest {
        let known = Bounds { lower: -MAX_VALUE, upper: MAX_VALUE };
        SearchRequest { territory, allowed: Cells::MAX, known, guess: 0 }
    }
}

/// A solver of territories on one board. Its tables persist from one request to the next.
pub struct Solver {
    tables: SearchTables,
    caches: Vec<Mutex<RegionCache>>,
}

impl Solver {
    /// Creates a solver with tables of at most `memory` bytes: a transposition table that is not
    /// larger than is useful on the board, and the values of small regions, which take a quarter if
    /// memory is scarce, and may take 8 MiB in any case. Besides, the caches of all threads take up
    /// to an eighth.
    ///
    /// # Errors
    ///
    /// [`SolveError::TableTooSmall`] if the board needs a larger table, and [`SolveError::NoRoom`]
    /// if the memory cannot be allocated.
    pub fn new(board: TerritoryBoard, memory: u64) -> Result<Solver, SolveError> {
        let least_buckets = TranspositionTable::min_buckets(board.cells());
        let least = (least_buckets * TranspositionTable::BUCKET_BYTES) as u64;
        if memory < least {
            return Err(SolveError::TableTooSmall { least });
        }
        let most = suitable_table(board.cells()).max(least);
        let table_bytes = (memory - memory / 4).clamp(least, most);
        let region_bytes = (memory - table_bytes).min(table_bytes).max(LEAST_REGIONS);
        let buckets =
            usize::try_from(table_bytes).unwrap_or(usize::MAX) / TranspositionTable::BUCKET_BYTES;
        let table = TranspositionTable::with_buckets(board.cells(), buckets);
        let transpositions = table.ok_or(SolveError::NoRoom { positions: buckets as u64 * 4 })?;
        let tables = SearchTables {
            board,
            regions: RegionTable::with_bytes(region_bytes),
            transpositions,
            in_progress: InProgress::default(),
            nodes: AtomicU64::new(0),
        };
        let threads = rayon::current_num_threads();
        let cache = || Mutex::new(RegionCache::new(memory / 8 / threads as u64));
        let caches = (0..threads).map(|_| cache()).collect();
        Ok(Solver { tables, caches })
    }

    /// The board.
    pub fn board(&self) -> &TerritoryBoard {
        &self.tables.board
    }

    /// The number of nodes searched so far, by all threads.
    pub fn nodes(&self) -> u64 {
        self.tables.nodes.load(Ordering::Relaxed)
    }

    /// The transposition table.
    pub fn table(&self) -> &TranspositionTable {
        &self.tables.transpositions
    }

    /// The value of a territory for the player to move: its points minus the opponent's, from here
    /// on, under perfect play.
    pub fn value(&self, request: &SearchRequest, monitor: &Monitor) -> Result<i32, SolveError> {
        let SearchRequest { territory, allowed, known, mut guess } = *request;
        let board = self.board();
        let all_allowed = territory.own & !allowed == 0;
        let root = if all_allowed {
            self.searcher(0).static_bounds(territory)
        } else {
            StaticBounds::by_size(territory)
        };
        let mut bounds = root.bounds.and(known);
        if all_allowed && board.canonical(territory) == board.canonical(territory.swapped()) {
            // Moving is never worse than passing, and passing leads to the negative.
            bounds.lower = bounds.lower.max(0);
        }
        let slot = all_allowed.then(|| self.tables.slot(root.territory));
        let root = Root { bounds: root, slot, allowed };
        while bounds.lower < bounds.upper {
            self.report(bounds, monitor);
            let goal = guess.clamp(bounds.lower + 1, bounds.upper);
            let found = self.null_window(&root, goal, monitor)?;
            if found >= goal {
                bounds.lower = found.min(bounds.upper);
            } else {
                bounds.upper = found.max(bounds.lower);
            }
            guess = if found >= goal { found + 1 } else { found };
        }
        Ok(bounds.lower)
    }

    fn report(&self, Bounds { lower, upper }: Bounds, monitor: &Monitor) {
        let (nodes, fill, regions) = (self.nodes(), self.table().fill(), self.tables.regions.len());
        tracing::debug!(lower, upper, nodes, fill, regions, "test");
        monitor.status(&format!("{lower} to {upper} points, table {:.0}% full", 100.0 * fill));
    }

    fn searcher(&self, thread: usize) -> Searcher<'_> {
        Searcher::new(&self.tables, self.caches[thread % self.caches.len()].lock())
    }

    /// Runs a null-window search on every thread. The first thread to finish has the answer.
    fn null_window(&self, root: &Root, goal: i32, monitor: &Monitor) -> Result<i32, SolveError> {
        let halt = Halt::new(monitor);
        let answers =
            rayon::broadcast(|thread| self.searcher(thread.index()).run(root, goal, &halt));
        let stopped = Err(SolveError::Stopped);
        answers.into_iter().find(|answer| answer.is_ok()).unwrap_or(stopped)
    }
}

impl Learned for Solver {
    fn entries(&self) -> Box<dyn Iterator<Item = Entry> + '_> {
        Box::new(self.table().iter())
    }

    fn add_entry(&self, Entry { pair, bounds, effort }: &Entry) {
        self.table().put(&self.table().locate(*pair), *bounds, *effort);
    }

    fn fill(&self) -> f64 {
        self.table().fill()
    }

    fn table_bytes(&self) -> u64 {
        self.table().bytes()
    }

    fn bytes(&self) -> u64 {
        self.table().bytes() + self.tables.regions.most_bytes()
    }

    fn nodes(&self) -> u64 {
        Solver::nodes(self)
    }

    fn add_nodes(&self, nodes: u64) {
        self.tables.nodes.fetch_add(nodes, Ordering::Relaxed);
    }

    fn admits(&self, Entry { pair, bounds, .. }: &Entry) -> bool {
        let is_set = (pair.0 | pair.1) <= self.board().board().all();
        is_set
            && -MAX_VALUE <= bounds.lower
            && bounds.lower <= bounds.upper
            && bounds.upper < MAX_VALUE
    }
}
