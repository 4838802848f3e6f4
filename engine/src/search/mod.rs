//! The value of one position of any game whose play ends, by search.
//!
//! [`Search`] needs the rules alone, and [`Game::remaining`], by which a game states that its play
//! ends. It proves bounds on the value by a series of alpha-beta searches with null windows (A.
//! Plaat, J. Schaeffer, W. Pijls and A. de Bruin, *Best-first fixed-depth minimax algorithms*,
//! 1996), each of which raises the lower or lowers the upper bound, so that there is an answer at any
//! time. In games without points these searches also limit the depth: the question whether a player
//! wins within n plies is answered without looking further. A game may order its moves, leave out
//! those that a rule proves needless ([`Game::candidates`]), and state bounds.
//!
//! Games with searches of their own have their own moves, bounds and order; the [`driver`] and the
//! tables that [grow](Growing) are the same.
//!
//! All threads search the same tree with a shared transposition table, and postpone moves to
//! positions that another thread is searching ([`InProgress`](crate::table::InProgress)). Entries of
//! the table belong to a position by 106 bits of its SipHash-1-3 with 128 bits, up to symmetry. Two of
//! a billion positions have the same 106 bits with a probability of less than 10^-14.
//!
//! A game in which a position can occur again has no such bound on its plies, and values that may
//! depend on the path. [`explore`](mod@crate::explore) solves it.
//!
//! ```
//! use bsq_engine::game::{Game, Value};
//! use bsq_engine::monitor::Monitor;
//! use bsq_engine::nim::Nim;
//! use bsq_engine::search::Search;
//!
//! let search = Search::new(Nim([9, 12, 15]), 1 << 20).unwrap();
//! let start = search.game().start();
//! let found = search.prove(&start, &Monitor::default()).unwrap();
//! assert_eq!(found.exact(), Some(Value::of_score(1.into())));
//! ```

mod alpha_beta;
pub mod driver;
mod growing;
mod scale;

use crate::error::{HasKind, Kind};
use crate::evaluate::{Learned, first_move};
use crate::game::{Game, Measure, Value};
use crate::monitor::{Halt, Monitor, SearchState, SolveError, WorkLimit};
use crate::proved::Proved;
use crate::table::transposition::Entry;
use crate::table::{Bounds, TranspositionTable};
use alpha_beta::{Node, Order, Searcher};
use driver::{Shared, narrow, on_every_thread};
pub use growing::{Growing, Learner};
use parking_lot::Mutex;
use scale::{Scale, WIN};

/// The bits of each of the two words of a key.
const KEY_BITS: usize = 53;
/// The depth in plies up to which wins are sought first. The search then finds out who wins at all.
const NEAR: u32 = 9;
/// The smallest table, in bytes.
const LEAST_TABLE: u64 = 64 << 10;
/// The nodes of a search that is too short for more than one thread.
const SHORT: u64 = 1 << 14;

/// Why a game is not searched.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SearchError {
    /// The game states no bound on the plies to its end.
    #[error("positions of this game may occur again, so it is not searched but explored")]
    Endless,
    /// A value does not fit in the table.
    #[error("play may take {plies} plies, and a search is limited to {}", WIN - 1)]
    TooLong {
        /// The plies.
        plies: u32,
    },
    /// The points do not fit in the table.
    #[error("up to {points} points are to come, and a search is limited to {WIN}")]
    TooMany {
        /// The largest number of points to come.
        points: i32,
    },
    /// A result of the rules is not one that the search can hold.
    #[error("a result is not an integer of points, or is neither a win nor a draw")]
    Result,
    /// There is no memory for the table, or the job was stopped.
    #[error(transparent)]
    Solve(#[from] SolveError),
}

impl HasKind for SearchError {
    fn kind(&self) -> Kind {
        match self {
            SearchError::Solve(error) => error.kind(),
            SearchError::Endless
            | SearchError::TooLong { .. }
            | SearchError::TooMany { .. }
            | SearchError::Result => Kind::Refused,
        }
    }
}

/// A search of positions of one game. Its table is kept from one search to the next.
pub struct Search<G: Game> {
    game: G,
    scale: Scale,
    shared: Shared<TranspositionTable>,
    /// The order of moves that each thread has learned.
    orders: Vec<Mutex<Order<G::Move>>>,
}

impl<G: Game> Search<G> {
    /// A search with a transposition table of at most `table_bytes` bytes.
    ///
    /// # Errors
    ///
    /// If the game states no bound on its plies or too large a one, if the table is smaller than
    /// 64 KiB, or if there is no memory.
    pub fn new(game: G, table_bytes: u64) -> Result<Search<G>, SearchError> {
        let remaining = game.remaining(&game.start()).ok_or(SearchError::Endless)?;
        let points = remaining.lower.abs().max(remaining.upper.abs());
        let scale = match game.measure() {
            Measure::Plies => Scale::Plies,
            Measure::Points | Measure::Fractions => Scale::Points,
        };
        if scale == Scale::Points && points > WIN {
            return Err(SearchError::TooMany { points });
        }
        if scale == Scale::Plies && remaining.plies >= WIN as u32 {
            return Err(SearchError::TooLong { plies: remaining.plies });
        }
        if table_bytes < LEAST_TABLE {
            return Err(SolveError::TableTooSmall { least: LEAST_TABLE }.into());
        }
        let buckets = (table_bytes / TranspositionTable::BUCKET_BYTES as u64) as usize;
        let no_room = SolveError::NoRoom { positions: table_bytes / size_of::<u128>() as u64 };
        let table = TranspositionTable::with_buckets(KEY_BITS, buckets).ok_or(no_room)?;
        let orders = (0..rayon::current_num_threads()).map(|_| Mutex::default()).collect();
        Ok(Search { game, scale, shared: Shared::new(table), orders })
    }

    /// The rules.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// The bounds on the value of a position that the table and the rules give, without a search.
    pub fn known(&self, position: &G::Position) -> Proved<Value> {
        if let Some(result) = self.game.result(position) {
            return Proved::exactly(result);
        }
        self.proved(position, self.bounds(&self.node(position)))
    }

    /// Narrows the bounds on the value of a position until they meet, or until the monitor stops the
    /// search. The result contains what has been proved by then.
    ///
    /// # Errors
    ///
    /// If a result of the rules is not one that a search can hold.
    pub fn prove(
        &self,
        position: &G::Position,
        monitor: &Monitor,
    ) -> Result<Proved<Value>, SearchError> {
        let bounds = self.narrowed(position, &self.node(position), monitor)?;
        Ok(self.proved(position, bounds))
    }

    fn narrowed(
        &self,
        position: &G::Position,
        node: &Node<G::Position>,
        monitor: &Monitor,
    ) -> Result<Bounds, SearchError> {
        let describe = |bounds| self.proved(position, bounds).to_string();
        let monitor = &Monitor { describe: monitor.describe.or(Some(&describe)), ..*monitor };
        let mut plies = 0;
        narrow(
            monitor,
            self.bounds(node),
            0,
            |bounds, guess| next_goal(self.scale, &mut plies, bounds, guess),
            |bounds, goal| monitor.tell(bounds, || self.state(node, goal)),
            |goal, tell| self.null_window(node, goal, tell, monitor),
        )
    }

    /// A bound on the value of a node that decides whether it reaches a goal.
    fn null_window(
        &self,
        node: &Node<G::Position>,
        goal: i32,
        tell: &(dyn Fn() + Sync),
        monitor: &Monitor,
    ) -> Result<i32, SearchError> {
        let search = |thread: usize, halt: &Halt| {
            let order = self.orders[thread % self.orders.len()].lock();
            Searcher::new(self, order, halt).run(node, goal)
        };
        // Only a search that is not short needs other threads.
        let limit = WorkLimit::new(monitor, SHORT);
        match search(0, &Halt::new(&limit.monitor())) {
            Err(_) if limit.is_exceeded() => on_every_thread(monitor, tell, search),
            found => found,
        }
    }

    /// The first legal move that leads to the value of a position. `None` if there is no move. The
    /// values of the others are not found.
    ///
    /// # Errors
    ///
    /// [`SolveError::Stopped`] if the monitor stops the search, or as for [`prove`](Search::prove).
    ///
    /// ```
    /// use bsq_engine::game::Game;
    /// use bsq_engine::monitor::Monitor;
    /// use bsq_engine::nim::{Nim, Take};
    /// use bsq_engine::search::Search;
    ///
    /// let search = Search::new(Nim([1, 1, 3]), 1 << 20).unwrap();
    /// let best = search.best_move(&search.game().start(), &Monitor::default()).unwrap();
    /// assert_eq!(best, Some(Take(2, 3)));
    /// ```
    pub fn best_move(
        &self,
        position: &G::Position,
        monitor: &Monitor,
    ) -> Result<Option<G::Move>, SearchError> {
        let node = self.node(position);
        let moves = self.game.moves(position);
        if moves.len() < 2 {
            return Ok(moves.into_iter().next());
        }
        let value = self.narrowed(position, &node, monitor)?;
        if value.lower < value.upper {
            return Err(SolveError::Stopped.into());
        }
        let goal = value.lower;
        first_move(&self.game, position, |next| {
            let (step, after) = (self.step(position, next), self.node(next));
            let goal_after = self.scale.goal_after(step, goal);
            let found = self.null_window(&after, goal_after, &|| (), monitor)?;
            Ok(self.scale.after(step, found) >= goal)
        })
    }

    fn state(&self, node: &Node<G::Position>, goal: i32) -> SearchState {
        let moves = self.children(node, self.game.candidates(&node.position));
        let refuted = moves.iter().filter(|child| child.bounds.upper < goal).count();
        SearchState { refuted, moves: moves.len(), fill: self.shared.table.fill() }
    }

    fn proved(&self, position: &G::Position, bounds: Bounds) -> Proved<Value> {
        let Search { game, scale, .. } = self;
        let score = if *scale == Scale::Points { game.score(position) } else { 0 };
        let plies = game.remaining(position).map_or(u32::MAX, |remaining| remaining.plies);
        let player = game.to_move(position);
        let [worst, best] = [bounds.lower, bounds.upper].map(|number| {
            let value = scale.value(number, player, score);
            // A win whose plies are not bounded takes as many as play does.
            Value { plies: value.plies.map(|known| known.min(plies)), ..value }
        });
        Proved::of_player(player, worst, best)
    }
}

/// The goals of a series of null-window searches.
///
/// In games without points, the first goals are wins within a few plies. The next ones decide who
/// wins at all, and the last ones within how many plies.
fn next_goal(scale: Scale, plies: &mut u32, bounds: Bounds, guess: i32) -> i32 {
    let goal = match scale {
        Scale::Points => guess,
        Scale::Plies if bounds.lower > 0 => bounds.upper,
        Scale::Plies if bounds.upper < 0 => bounds.lower + 1,
        Scale::Plies if *plies < NEAR => {
            *plies += 1;
            let near = WIN - *plies as i32;
            if near <= bounds.upper { near } else { 1 - near }
        }
        Scale::Plies if bounds.upper > 0 => 1,
        Scale::Plies => 0,
    };
    goal.clamp(bounds.lower + 1, bounds.upper)
}

impl<G: Game> Learned for Search<G> {
    fn entries(&self) -> Box<dyn Iterator<Item = Entry> + '_> {
        Box::new(self.shared.table.iter())
    }

    fn add_entry(&self, Entry { pair, bounds, effort }: &Entry) {
        self.shared.table.put(&self.shared.table.locate(*pair), *bounds, *effort);
    }

    fn fill(&self) -> f64 {
        self.shared.table.fill()
    }

    fn table_bytes(&self) -> u64 {
        self.shared.table.bytes()
    }

    fn nodes(&self) -> u64 {
        self.shared.nodes()
    }

    fn add_nodes(&self, nodes: u64) {
        self.shared.add_nodes(nodes);
    }

    fn admits(&self, Entry { pair, bounds, .. }: &Entry) -> bool {
        (pair.0 | pair.1) >> KEY_BITS == 0
            && -WIN <= bounds.lower
            && bounds.lower <= bounds.upper
            && bounds.upper <= WIN
    }
}
