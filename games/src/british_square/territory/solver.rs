//! The value of a territory, by the [driver](bsq_engine::search::driver) of all searches.

use super::board::{Territory, TerritoryBoard};
use super::regions::RegionTable;
use super::search::{Root, SearchTables, Searcher};
use super::static_bounds::{RegionCache, StaticBounds};
use crate::british_square::board::{Cells, MAX_CELLS, cells_of};
use bsq_engine::evaluate::Learned;
use bsq_engine::monitor::{Monitor, SearchState, SolveError};
use bsq_engine::search::Growing;
use bsq_engine::search::driver::{Shared, narrow, on_every_thread};
use bsq_engine::table::transposition::{Entry, MAX_EFFORT};
use bsq_engine::table::{Bounds, TranspositionTable};
use parking_lot::Mutex;
use std::sync::Arc;

/// The largest absolute value, in points.
const MAX_VALUE: i32 = MAX_CELLS as i32;

/// The least memory for the values of small regions, in bytes.
const LEAST_REGIONS: u64 = 8 << 20;

/// The size of the cache for questions about what is known, in bytes.
const KNOWN_CACHE: u64 = 1 << 20;

/// The size in bytes of the first transposition table of [`Solvers`]. It is small, because filling
/// memory takes time.
const FIRST_TABLE: u64 = 64 << 20;

/// The size in bytes of a transposition table that contains most positions of a search from the
/// start on a board with so many cells.
fn suitable_table(cells: usize) -> u64 {
    let bytes = 64.0 * (cells as f64 / 2.0).exp2(); // at least a line
    bytes as u64
}

/// The memory of a solver, in bytes.
struct Memory {
    /// The transposition table.
    table: u64,
    /// The values of small regions.
    regions: u64,
    /// The caches of all threads.
    caches: u64,
}

impl Memory {
    /// Divides memory between the tables of a solver on a board with so many cells.
    fn divided(cells: usize, memory: u64) -> Result<Memory, SolveError> {
        let least_buckets = TranspositionTable::min_buckets(cells);
        let least = (least_buckets * TranspositionTable::BUCKET_BYTES) as u64;
        if memory < least {
            return Err(SolveError::TableTooSmall { least });
        }
        let most = suitable_table(cells).max(least);
        let table = (memory - memory / 4).clamp(least, most);
        let regions = (memory - table).min(table).max(LEAST_REGIONS);
        Ok(Memory { table, regions, caches: memory / 8 })
    }
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
    /// The cache of each thread, which it holds during a search.
    caches: Vec<Mutex<RegionCache>>,
    /// The cache for questions about what is known, which may be asked during a search.
    known: Mutex<RegionCache>,
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
        let Memory { table, regions, caches } = Memory::divided(board.cells(), memory)?;
        Solver::with_tables(board, table, Arc::new(RegionTable::with_bytes(regions)), caches)
    }

    fn with_tables(
        board: TerritoryBoard,
        table_bytes: u64,
        regions: Arc<RegionTable>,
        cache_bytes: u64,
    ) -> Result<Solver, SolveError> {
        let buckets =
            usize::try_from(table_bytes).unwrap_or(usize::MAX) / TranspositionTable::BUCKET_BYTES;
        let table = TranspositionTable::with_buckets(board.cells(), buckets);
        let table = table.ok_or(SolveError::NoRoom { positions: buckets as u64 * 4 })?;
        let tables = SearchTables { board, regions, shared: Shared::new(table) };
        let threads = rayon::current_num_threads();
        let cache = || Mutex::new(RegionCache::new(cache_bytes / threads as u64));
        let caches = (0..threads).map(|_| cache()).collect();
        let known = Mutex::new(RegionCache::new(KNOWN_CACHE));
        Ok(Solver { tables, caches, known })
    }

    /// The board.
    pub fn board(&self) -> &TerritoryBoard {
        &self.tables.board
    }

    /// The number of nodes searched so far, by all threads.
    pub fn nodes(&self) -> u64 {
        self.tables.shared.nodes()
    }

    /// The transposition table.
    pub fn table(&self) -> &TranspositionTable {
        &self.tables.shared.table
    }

    /// The value of a territory for the player to move: its points minus the opponent's, from here
    /// on, under perfect play.
    ///
    /// # Errors
    ///
    /// [`SolveError::Stopped`] if the monitor stops the search.
    pub fn value(&self, request: &SearchRequest, monitor: &Monitor) -> Result<i32, SolveError> {
        let root = self.root(request);
        let null_window =
            |goal, tell: &(dyn Fn() + Sync)| self.null_window(&root, goal, tell, monitor);
        let tell = |bounds, goal| monitor.tell(bounds, || self.state(request, goal));
        let near = |bounds: Bounds, guess: i32| guess.clamp(bounds.lower + 1, bounds.upper);
        narrow(monitor, self.known(request), request.guess, near, tell, null_window)?
            .exact()
            .ok_or(SolveError::Stopped)
    }

    /// Stores the value of a territory, unless some moves are forbidden in it.
    pub fn learn(&self, request: &SearchRequest, value: i32) {
        let Root { slot: Some(slot), bounds, .. } = self.root(request) else { return };
        let rest = value - bounds.score;
        self.table().put(&slot, Bounds { lower: rest, upper: rest }, MAX_EFFORT);
    }

    /// Whether the value of a territory for the player to move is at least `goal`.
    ///
    /// # Errors
    ///
    /// [`SolveError::Stopped`] if the monitor stops the search.
    pub fn reaches(
        &self,
        request: &SearchRequest,
        goal: i32,
        monitor: &Monitor,
    ) -> Result<bool, SolveError> {
        let known = self.known(request);
        if known.lower >= goal || known.upper < goal {
            return Ok(known.lower >= goal);
        }
        Ok(self.null_window(&self.root(request), goal, &|| (), monitor)? >= goal)
    }

    /// A lower bound on the value of a root if that is at least `goal`, otherwise an upper bound.
    fn null_window(
        &self,
        root: &Root,
        goal: i32,
        tell: &(dyn Fn() + Sync),
        monitor: &Monitor,
    ) -> Result<i32, SolveError> {
        on_every_thread(monitor, tell, |thread, halt| {
            let cache = self.caches[thread % self.caches.len()].lock();
            Searcher::new(&self.tables, cache, halt).run(root, goal)
        })
    }

    /// The bounds on the value of a territory that are known without a search.
    pub fn known(&self, request: &SearchRequest) -> Bounds {
        let SearchRequest { territory, known, .. } = *request;
        let board = self.board();
        let root = self.root(request);
        let mut bounds = root.bounds.bounds.and(known);
        let Some(slot) = &root.slot else {
            return self.known_by_moves(request).map_or(bounds, |by_moves| bounds.and(by_moves));
        };
        if let Some(Bounds { lower, upper }) = self.table().get(slot) {
            let score = root.bounds.score;
            bounds = bounds.and(Bounds { lower: lower + score, upper: upper + score });
        }
        if board.canonical(territory) == board.canonical(territory.swapped()) {
            // Moving is never worse than passing, and passing leads to the negative.
            bounds.lower = bounds.lower.max(0);
        }
        bounds
    }

    /// The bounds that those of the allowed moves give. `None` if there is no such move.
    fn known_by_moves(&self, request: &SearchRequest) -> Option<Bounds> {
        self.moves(request).reduce(|one, other| Bounds {
            lower: one.lower.max(other.lower),
            upper: one.upper.max(other.upper),
        })
    }

    /// The bounds on the values of the allowed moves, without those that others dominate.
    fn moves(&self, request: &SearchRequest) -> impl Iterator<Item = Bounds> {
        let SearchRequest { territory, allowed, .. } = *request;
        let moves = cells_of(territory.undominated(self.board(), territory.own & allowed));
        moves.map(move |cell| {
            let after = SearchRequest::new(territory.take(self.board(), cell));
            let Bounds { lower, upper } = self.known(&after);
            Bounds { lower: 1 - upper, upper: 1 - lower }
        })
    }

    fn state(&self, request: &SearchRequest, goal: i32) -> SearchState {
        let moves: Vec<Bounds> = self.moves(request).collect();
        let refuted = moves.iter().filter(|bounds| bounds.upper < goal).count();
        SearchState { refuted, moves: moves.len(), fill: self.table().fill() }
    }

    fn root(&self, request: &SearchRequest) -> Root {
        let SearchRequest { territory, allowed, .. } = *request;
        let SearchTables { board, regions, .. } = &self.tables;
        if territory.own & !allowed != 0 {
            let bounds = StaticBounds::by_size(territory);
            return Root { bounds, slot: None, allowed };
        }
        let mut cache = self.known.lock();
        let mut bounds = StaticBounds::new(board, regions, &mut cache, territory);
        bounds.generalize(board, regions, &mut cache);
        Root { slot: Some(self.tables.slot(bounds.territory)), bounds, allowed: Cells::MAX }
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

    fn nodes(&self) -> u64 {
        Solver::nodes(self)
    }

    fn add_nodes(&self, nodes: u64) {
        self.tables.shared.add_nodes(nodes);
    }

    fn admits(&self, Entry { pair, bounds, .. }: &Entry) -> bool {
        let is_set = (pair.0 | pair.1) <= self.board().board().all();
        is_set
            && -MAX_VALUE <= bounds.lower
            && bounds.lower <= bounds.upper
            && bounds.upper < MAX_VALUE
    }
}

/// Solvers of one board whose transposition tables [grow](Growing). They share the values of small
/// regions.
pub struct Solvers {
    board: TerritoryBoard,
    regions: Arc<RegionTable>,
    cache_bytes: u64,
    growing: Growing<Solver>,
}

impl Solvers {
    /// Creates the first solver. Its tables and those of the next ones take at most `memory` bytes,
    /// and are not larger than is useful on the board.
    ///
    /// # Errors
    ///
    /// As for [`Solver::new`].
    pub fn new(board: TerritoryBoard, memory: u64) -> Result<Solvers, SolveError> {
        let Memory { table, regions, caches } = Memory::divided(board.cells(), memory)?;
        let regions = Arc::new(RegionTable::with_bytes(regions));
        let growing = Growing::new(FIRST_TABLE, table);
        let solvers = Solvers { board, regions, cache_bytes: caches, growing };
        solvers.grow(0)?;
        Ok(solvers)
    }

    fn solver(&self, table_bytes: u64) -> Result<Solver, SolveError> {
        Solver::with_tables(
            self.board.clone(),
            table_bytes,
            Arc::clone(&self.regions),
            self.cache_bytes,
        )
    }

    /// The board.
    pub fn board(&self) -> &TerritoryBoard {
        &self.board
    }

    /// The solver with the largest table so far.
    pub fn largest(&self) -> &Solver {
        self.growing.largest().expect("the first one is there")
    }

    /// Makes a solver with a table of at least so many bytes, or the largest one.
    ///
    /// # Errors
    ///
    /// [`SolveError::NoRoom`] if its memory cannot be allocated.
    pub fn grow(&self, bytes: u64) -> Result<(), SolveError> {
        self.growing.grow(bytes, |bytes| self.solver(bytes)).map(|_| ())
    }

    /// Searches with the largest table so far, and goes on with the next one when it is too small.
    ///
    /// # Errors
    ///
    /// Those of `search`, and [`SolveError::NoRoom`] if the memory of a table cannot be allocated.
    pub fn search<T>(
        &self,
        monitor: &Monitor,
        search: impl Fn(&Solver, &Monitor) -> Result<T, SolveError>,
    ) -> Result<T, SolveError> {
        self.growing.search(monitor, |bytes| self.solver(bytes), search)
    }

    /// The bytes of the tables in use so far.
    pub fn bytes(&self) -> u64 {
        // The system provides the memory of a table when it is first written to.
        let used = self.growing.iter().filter(|solver| solver.nodes() > 0);
        let used: u64 = used.map(|solver| solver.table().bytes()).sum();
        if used == 0 { 0 } else { used + self.regions.most_bytes() }
    }

    /// The bytes that the tables may take when they have grown.
    pub fn most_bytes(&self) -> u64 {
        self.growing.sizes().sum::<u64>() + self.regions.most_bytes()
    }
}
