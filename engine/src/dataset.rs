//! The positions of a solved game as the rows of a dataset.
//!
//! A source, such as [`Solution::collect`](crate::explore::Solution::collect), passes every position
//! once, up to symmetry, as an [`Entry`] to a [`Collector`]. A game can add [columns](GameColumn) of
//! its own to those that every game has.
//!
//! ```
//! use bsq_engine::dataset::{Collector, Entry};
//! use bsq_engine::explore::{Limits, explore};
//! use bsq_engine::monitor::Monitor;
//! use bsq_engine::nim::Nim;
//!
//! /// Counts the positions with one best move.
//! struct OnlyMoves(u64);
//!
//! impl Collector<Nim> for OnlyMoves {
//!     fn fresh(&self) -> OnlyMoves {
//!         OnlyMoves(0)
//!     }
//!     fn see(&mut self, entry: &impl Entry<Nim>) {
//!         self.0 += u64::from(entry.best_moves() == 1);
//!     }
//!     fn absorb(&mut self, later: OnlyMoves) {
//!         self.0 += later.0;
//!     }
//! }
//!
//! let monitor = Monitor::default();
//! let explored = explore(Nim([1, 1, 1]), Limits::default(), &monitor).unwrap();
//! let solution = explored.solve(&monitor).unwrap();
//! let OnlyMoves(positions) = solution.collect(0, OnlyMoves(0), &monitor).unwrap();
//! assert_eq!(positions, 3); // with one heap left
//! ```

use crate::game::{Game, Value};
use crate::monitor::{Monitor, SolveError};
use crate::parallel;
use std::borrow::Cow;
use std::sync::atomic::{AtomicBool, Ordering};

/// A position of a solved game.
pub trait Entry<G: Game> {
    /// The position. It may be any of its images under the symmetries of the game.
    fn position(&self) -> &G::Position;

    /// Plies before the position, the fewest with which play reaches it. `None` if the source does
    /// not know.
    fn ply(&self) -> Option<u32>;

    /// The value.
    fn value(&self) -> Value;

    /// The number of positions that are equal by symmetry.
    fn orbit_size(&self) -> u64;

    /// The number of legal moves. A pass is one.
    fn legal_moves(&self) -> u32;

    /// Passes every legal move with its value to `see`, in a fixed order. Plies count from before the
    /// move, so that the best moves have the value of the position.
    fn each_move(&self, see: impl FnMut(&G::Move, Value));

    /// The number of best moves: those with the value of the position.
    fn best_moves(&self) -> u32 {
        let (value, mut best) = (self.value(), 0);
        self.each_move(|_, of_move| best += u32::from(of_move == value));
        best
    }
}

/// Collects what is asked of the positions of a dataset.
///
/// Parts of the dataset have collectors of their own, which are combined.
pub trait Collector<G: Game>: Send + Sync + Sized {
    /// An empty collector for another part of the dataset.
    fn fresh(&self) -> Self;

    /// Receives a position.
    fn see(&mut self, entry: &impl Entry<G>);

    /// Adds what another collector has received. If the source has a fixed order, those are the
    /// positions that follow.
    fn absorb(&mut self, later: Self);

    /// Whether no more positions are needed. Asked of a collector of all positions so far.
    fn is_full(&self) -> bool {
        false
    }
}

/// Passes the parts of a dataset to a collector, in order and in parallel: `see` passes the positions
/// of a part to the collector of that part. Eight parts for each thread are in work at a time, so
/// that few are in memory; before them the monitor is asked. Meanwhile the collector absorbs the
/// parts before, until it is [full](Collector::is_full).
///
/// # Errors
///
/// The first error of `see`, or that of a monitor that stops the job.
pub fn collect_parts<G, C, T, E>(
    mut collector: C,
    parts: &[T],
    monitor: &Monitor,
    see: impl Fn(&mut C, &T) -> Result<(), E> + Sync,
) -> Result<C, E>
where
    G: Game,
    C: Collector<G>,
    T: Sync,
    E: From<SolveError> + Send,
{
    let mut before = Vec::new();
    for parts in parts.chunks(8 * rayon::current_num_threads()) {
        monitor.check()?;
        let (fresh, is_full) = (collector.fresh(), AtomicBool::new(false));
        let absorb = || {
            absorb_until_full(&mut collector, std::mem::take(&mut before));
            is_full.store(collector.is_full(), Ordering::Relaxed);
        };
        let collect = || {
            parallel::try_map(parts, |part| {
                let mut seen = fresh.fresh();
                if !is_full.load(Ordering::Relaxed) {
                    see(&mut seen, part)?;
                }
                Ok::<C, E>(seen)
            })
        };
        let ((), seen) = parallel::beside(absorb, collect);
        if collector.is_full() {
            return Ok(collector);
        }
        before = seen?;
    }
    absorb_until_full(&mut collector, before);
    Ok(collector)
}

fn absorb_until_full<G: Game, C: Collector<G>>(collector: &mut C, parts: Vec<C>) {
    for part in parts {
        if collector.is_full() {
            return;
        }
        collector.absorb(part);
    }
}

/// A column that only one game has.
pub struct GameColumn<G: Game> {
    /// The name: words in lower case, joined by `_`.
    pub name: Cow<'static, str>,
    /// What the values are, as a phrase without a full stop.
    pub help: Cow<'static, str>,
    /// How a value is found.
    pub measure: Measure<G>,
}

/// How a value of a column is found. All images of a position under the symmetries of the game have
/// the same value.
pub enum Measure<G: Game> {
    /// A number of a position.
    Number(Box<OfPosition<G, Option<i64>>>),
    /// Whether something is true of a position.
    Truth(Box<OfPosition<G, bool>>),
    /// A number of a legal move; `None` if the move has none.
    MoveNumber(Box<OfMove<G, Option<i64>>>),
}

/// A function of a position.
pub type OfPosition<G, T> = dyn Fn(&<G as Game>::Position) -> T + Send + Sync;

/// A function of a position and a legal move.
pub type OfMove<G, T> = dyn Fn(&<G as Game>::Position, &<G as Game>::Move) -> T + Send + Sync;

impl<G: Game> GameColumn<G> {
    /// A column of numbers of positions, some of which may have none.
    pub fn number(
        name: impl Into<Cow<'static, str>>,
        help: impl Into<Cow<'static, str>>,
        of: impl Fn(&G::Position) -> Option<i64> + Send + Sync + 'static,
    ) -> GameColumn<G> {
        GameColumn::new(name, help, Measure::Number(Box::new(of)))
    }

    /// A column of truth values of positions.
    pub fn truth(
        name: impl Into<Cow<'static, str>>,
        help: impl Into<Cow<'static, str>>,
        of: impl Fn(&G::Position) -> bool + Send + Sync + 'static,
    ) -> GameColumn<G> {
        GameColumn::new(name, help, Measure::Truth(Box::new(of)))
    }

    /// A column of numbers of moves, some of which may have none.
    pub fn move_number(
        name: impl Into<Cow<'static, str>>,
        help: impl Into<Cow<'static, str>>,
        of: impl Fn(&G::Position, &G::Move) -> Option<i64> + Send + Sync + 'static,
    ) -> GameColumn<G> {
        GameColumn::new(name, help, Measure::MoveNumber(Box::new(of)))
    }

    fn new(
        name: impl Into<Cow<'static, str>>,
        help: impl Into<Cow<'static, str>>,
        measure: Measure<G>,
    ) -> GameColumn<G> {
        GameColumn { name: name.into(), help: help.into(), measure }
    }
}
