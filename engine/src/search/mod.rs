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
//! All threads search the same tree with a shared transposition table, and postpone moves to
//! positions that another thread is searching ([`InProgress`]). Entries of the table
//! belong to a position by 106 bits of its SipHash-1-3 with 128 bits, up to symmetry. Two of a billion
//! positions have the same 106 bits with a probability of less than 10^-14.
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
//! assert_eq!(found.value(), Some(Value::of_score(1.into())));
//! ```

mod alpha_beta;
mod scale;

use crate::error::{HasKind, Kind};
use crate::evaluate::Learned;
use crate::game::{Game, Player, Value};
use crate::monitor::{Halt, Monitor, SolveError};
use crate::table::transposition::Entry;
use crate::table::{Bounds, InProgress, TranspositionTable};
use crate::text::thousands;
use alpha_beta::{Order, Searcher};
use parking_lot::Mutex;
use scale::{Scale, WIN};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// The bits of each of the two words of a key.
const KEY_BITS: usize = 53;
/// The depth in plies up to which wins are sought first. The search then finds out who wins at all.
const NEAR: u32 = 9;
/// The smallest table, in bytes.
const LEAST_TABLE: u64 = 64 << 10;
/// The table of searches that are not long, in bytes. It is in the caches, and the system need not
/// clear the pages of a large one.
const SMALL_TABLE: u64 = 1 << 20;
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
    /// The caller stopped the search.
    #[error("stopped before the end; so far it is proved: {proved}")]
    Unproved {
        /// A description of what is proved.
        proved: String,
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
            SearchError::Unproved { .. } => Kind::Stopped,
            SearchError::Endless
            | SearchError::TooLong { .. }
            | SearchError::TooMany { .. }
            | SearchError::Result => Kind::Refused,
        }
    }
}

/// What has been proved about the value of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proved {
    bounds: Bounds,
    scale: Scale,
    player: Player,
    score: i32,
}

impl Proved {
    /// The value, if it is proved.
    pub fn value(&self) -> Option<Value> {
        let [least, _] = self.between();
        (self.bounds.lower == self.bounds.upper).then_some(least)
    }

    /// The value.
    ///
    /// # Errors
    ///
    /// [`SearchError::Unproved`] if it is not proved.
    pub fn require_value(&self) -> Result<Value, SearchError> {
        self.value().ok_or_else(|| SearchError::Unproved { proved: self.words() })
    }

    /// Bounds on the value: the worst and the best for the player to move that are not excluded.
    pub fn between(&self) -> [Value; 2] {
        [self.bounds.lower, self.bounds.upper]
            .map(|number| self.scale.value(number, self.player, self.score))
    }

    /// Describes what is proved in a few words.
    fn words(&self) -> String {
        let [least, most] = self.between();
        match self.scale {
            Scale::Points => {
                let [one, other] = [least, most].map(|value| value.points().unwrap_or(0));
                format!("the score is from {} to {}", one.min(other), one.max(other))
            }
            Scale::Plies => {
                let mover = self.player;
                let Bounds { lower, upper } = self.bounds;
                match (lower, upper) {
                    (1.., _) => format!("the {mover} player wins"),
                    (_, ..=-1) => format!("the {} player wins", mover.other()),
                    (0, _) => format!("the {mover} player does not lose"),
                    (_, 0) => format!("the {mover} player does not win"),
                    _ if upper < WIN - 1 => {
                        format!("the {mover} player does not win within {} plies", WIN - 1 - upper)
                    }
                    _ => "nothing yet".to_string(),
                }
            }
        }
    }
}

/// A search of positions of one game. Its tables are kept from one search to the next.
pub struct Search<G: Game> {
    /// What searches share until one of them is long.
    short: Shared<G>,
    /// What they share from then on, with the large table.
    long: OnceLock<Shared<G>>,
    /// The size of the large table in bytes.
    table_bytes: u64,
    /// The order of moves that each thread has learned.
    orders: Vec<Mutex<Order<G::Move>>>,
}

/// What the threads of a search share.
struct Shared<G> {
    game: G,
    scale: Scale,
    table: TranspositionTable,
    searching: InProgress,
    nodes: AtomicU64,
}

impl<G> Shared<G> {
    fn new(game: G, scale: Scale, table_bytes: u64) -> Result<Shared<G>, SearchError> {
        let buckets = (table_bytes / TranspositionTable::BUCKET_BYTES as u64) as usize;
        let table = TranspositionTable::with_buckets(KEY_BITS, buckets);
        let no_room = SolveError::NoRoom { positions: table_bytes / size_of::<u128>() as u64 };
        let table = table.ok_or(no_room)?;
        Ok(Shared {
            game,
            scale,
            table,
            searching: InProgress::default(),
            nodes: AtomicU64::new(0),
        })
    }

    fn add_entry(&self, Entry { pair, bounds, effort }: &Entry) {
        self.table.put(&self.table.locate(*pair), *bounds, *effort);
    }
}

impl<G: Game + Clone> Search<G> {
    /// A search with a transposition table of at most `table_bytes` bytes.
    ///
    /// # Errors
    ///
    /// If the game states no bound on its plies or too large a one, if the table is smaller than
    /// 64 KiB, or if there is no memory.
    pub fn new(game: G, table_bytes: u64) -> Result<Search<G>, SearchError> {
        let remaining = game.remaining(&game.start()).ok_or(SearchError::Endless)?;
        let points = remaining.lower.abs().max(remaining.upper.abs());
        if remaining.has_points && points > WIN {
            return Err(SearchError::TooMany { points });
        }
        if !remaining.has_points && remaining.plies >= WIN as u32 {
            return Err(SearchError::TooLong { plies: remaining.plies });
        }
        let scale = if remaining.has_points { Scale::Points } else { Scale::Plies };
        if table_bytes < LEAST_TABLE {
            return Err(SolveError::TableTooSmall { least: LEAST_TABLE }.into());
        }
        let short = Shared::new(game, scale, table_bytes.min(SMALL_TABLE))?;
        let orders = (0..rayon::current_num_threads()).map(|_| Mutex::default()).collect();
        Ok(Search { short, long: OnceLock::new(), table_bytes, orders })
    }

    fn current(&self) -> &Shared<G> {
        self.long.get().unwrap_or(&self.short)
    }

    /// Makes the large table, with what the small one contains. The first long search does so; a
    /// checkpoint needs it before.
    ///
    /// # Errors
    ///
    /// If there is no memory.
    pub fn enlarge(&self) -> Result<(), SearchError> {
        if self.long.get().is_none() && self.table_bytes > SMALL_TABLE {
            let Shared { game, scale, table, .. } = &self.short;
            let long = Shared::new(game.clone(), *scale, self.table_bytes)?;
            table.iter().for_each(|entry| long.add_entry(&entry));
            // Another thread may have done the same meanwhile.
            let _ = self.long.set(long);
        }
        Ok(())
    }

    /// The rules.
    pub fn game(&self) -> &G {
        &self.short.game
    }

    /// The number of positions searched.
    pub fn nodes(&self) -> u64 {
        let long = self.long.get().map_or(0, |long| long.nodes.load(Ordering::Relaxed));
        self.short.nodes.load(Ordering::Relaxed) + long
    }

    /// The bounds on the value of a position that the table and the rules give, without a search.
    pub fn known(&self, position: &G::Position) -> Proved {
        let shared = self.current();
        self.proved(position, shared.bounds(&shared.node(position)))
    }

    /// Narrows the bounds on the value of a position until they meet, or until the monitor stops the
    /// search. The result contains what has been proved by then.
    ///
    /// # Errors
    ///
    /// If a result of the rules is not one that a search can hold.
    pub fn prove(&self, position: &G::Position, monitor: &Monitor) -> Result<Proved, SearchError> {
        let shared = self.current();
        let mut bounds = shared.bounds(&shared.node(position));
        let mut goals = Goals { scale: shared.scale, guess: 0, plies: 0 };
        while bounds.lower < bounds.upper {
            if monitor.progress.is_some() {
                self.report(self.proved(position, bounds), monitor);
            }
            let goal = goals.next(bounds);
            let found = match self.null_window(position, goal, monitor) {
                Err(SearchError::Solve(SolveError::Stopped)) => break,
                found => found?,
            };
            bounds = bounds.and(if found >= goal {
                Bounds { lower: found, upper: WIN }
            } else {
                Bounds { lower: -WIN, upper: found }
            });
            goals.guess = if found >= goal { found + 1 } else { found };
        }
        Ok(self.proved(position, bounds))
    }

    fn proved(&self, position: &G::Position, bounds: Bounds) -> Proved {
        let Shared { game, scale, .. } = &self.short;
        let score = if *scale == Scale::Points { game.score(position) } else { 0 };
        Proved { bounds, scale: *scale, player: game.to_move(position), score }
    }

    fn report(&self, proved: Proved, monitor: &Monitor) {
        let (nodes, fill) = (thousands(self.nodes()), 100.0 * self.fill());
        let proved = proved.words();
        monitor.status(&format!("{proved}; {nodes} positions, table {fill:.0}% full"));
    }

    /// Runs a null-window search: a short one on this thread, a longer one on every thread. The first
    /// thread to finish has the result.
    fn null_window(
        &self,
        position: &G::Position,
        goal: i32,
        monitor: &Monitor,
    ) -> Result<i32, SearchError> {
        let is_found = |found: &Result<i32, SearchError>| {
            !found.as_ref().is_err_and(|error| *error == SolveError::Stopped.into())
        };
        let search = |thread: usize, most_nodes: u64, halt: &Halt| {
            let order = self.orders[thread % self.orders.len()].lock();
            let shared = self.current();
            Searcher::new(shared, order, most_nodes).run(&shared.node(position), goal, halt)
        };
        let alone = search(0, SHORT, &Halt::new(monitor));
        if is_found(&alone) || monitor.check().is_err() {
            return alone;
        }
        self.enlarge()?;
        let halt = Halt::new(monitor);
        let answers = rayon::broadcast(|thread| search(thread.index(), u64::MAX, &halt));
        answers.into_iter().find(is_found).unwrap_or(Err(SolveError::Stopped.into()))
    }
}

/// The goals of a series of null-window searches.
struct Goals {
    scale: Scale,
    /// The value near which the next goal lies, in games with points.
    guess: i32,
    /// The plies within which a win has been sought.
    plies: u32,
}

impl Goals {
    /// The next goal, above the lower bound and not above the upper one.
    ///
    /// In games without points, the first goals are wins within a few plies. The next ones decide who
    /// wins at all, and the last ones within how many plies.
    fn next(&mut self, bounds: Bounds) -> i32 {
        let goal = match self.scale {
            Scale::Points => self.guess,
            Scale::Plies if bounds.lower > 0 => bounds.upper,
            Scale::Plies if bounds.upper < 0 => bounds.lower + 1,
            Scale::Plies if self.plies < NEAR => {
                self.plies += 1;
                let near = WIN - self.plies as i32;
                if near <= bounds.upper { near } else { 1 - near }
            }
            Scale::Plies if bounds.upper > 0 => 1,
            Scale::Plies => 0,
        };
        goal.clamp(bounds.lower + 1, bounds.upper)
    }
}

impl<G: Game + Clone> Learned for Search<G> {
    fn entries(&self) -> Box<dyn Iterator<Item = Entry> + '_> {
        Box::new(self.current().table.iter())
    }

    fn add_entry(&self, entry: &Entry) {
        self.current().add_entry(entry);
    }

    fn fill(&self) -> f64 {
        self.current().table.fill()
    }

    fn table_bytes(&self) -> u64 {
        self.current().table.bytes()
    }

    fn bytes(&self) -> u64 {
        self.table_bytes
    }

    fn nodes(&self) -> u64 {
        Search::nodes(self)
    }

    fn add_nodes(&self, nodes: u64) {
        self.short.nodes.fetch_add(nodes, Ordering::Relaxed);
    }

    fn admits(&self, Entry { pair, bounds, .. }: &Entry) -> bool {
        (pair.0 | pair.1) >> KEY_BITS == 0
            && -WIN <= bounds.lower
            && bounds.lower <= bounds.upper
            && bounds.upper <= WIN
    }
}
