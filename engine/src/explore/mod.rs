//! Explores any game of which only the rules are known: reachable positions, playouts, and the
//! value of every position.
//!
//! * [`explore`] finds all positions that play can reach, by breadth-first search, up to symmetry
//!   where the game defines one, and [`explore_from`] those from any position on;
//! * [`Exploration::solve`] finds the value of each: the score, or the winner and the depth to win,
//!   by retrograde analysis. A position from which neither player can force a win, or an end with
//!   equal points, is a draw;
//! * [`Exploration::playouts`] and [`perft`] count sequences of moves;
//! * [`chances`] finds how probable each result is if moves are drawn at random;
//! * [`PlayoutSampler`] draws playouts with equal probability;
//! * [`seen_ahead`] finds the moves that look best a few plies ahead;
//! * [`Explored`] is the [`Evaluator`](crate::evaluate::Evaluator) of any game small enough.
//!
//! All of it runs on all threads of the current pool. The results do not depend on their number.
//!
//! ```
//! use bsq_engine::explore::{Limits, explore};
//! use bsq_engine::game::{Game, Player};
//! use bsq_engine::monitor::Monitor;
//! use bsq_engine::nim::Nim;
//!
//! let (nim, monitor) = (Nim([1, 2, 3]), Monitor::default());
//! let explored = explore(nim, Limits::default(), &monitor).unwrap();
//! assert_eq!(explored.plies().len(), 7); // at most six moves, with one object each
//! let playouts = explored.playouts(&monitor).unwrap();
//! assert_eq!(playouts.total(), 182u32.into());
//!
//! let solution = explored.solve(&monitor).unwrap();
//! let start = solution.game().start();
//! // Both players play well: the second player takes the last object.
//! assert_eq!(solution.value(&start).unwrap().winner(), Some(Player::Second));
//! ```
//!
//! # Method
//!
//! Breadth-first search adds the positions of a ply in parallel, each thread to other shards of a
//! hash table. A game is *graded* if every move leads from one ply to the next; then one pass over
//! the plies, last to first, finds all values. Other games without cycles take several passes. In
//! games with cycles, values are found in rounds: round n decides the positions that are won or
//! lost in n plies, and positions that no round decides are draws (K. Thompson, *Retrograde
//! analysis of certain endgames*, ICCA Journal, 1986). Successors are generated again in each pass
//! instead of being stored, so memory does not grow with their number.

mod chances;
mod collect;
mod evaluator;
mod extent;
mod flow;
mod look_ahead;
mod on_demand;
mod playouts;
mod reach;
mod sample;
mod solve;
mod store;
#[cfg(test)]
mod tests;

pub use chances::{Choose, Fixed, Probability, chances};
pub use evaluator::Explored;
pub use look_ahead::seen_ahead;
pub use on_demand::OnDemand;
pub use playouts::{Playouts, perft, perft_from};
pub use reach::{Count, Exploration, PlyCount, by_result, explore, explore_from};
pub use sample::PlayoutSampler;
pub use solve::Solution;
pub use store::bytes_for;

use crate::error::{HasKind, Kind};
use crate::game::Game;
use crate::monitor::SolveError;
use crate::search::SearchError;
use crate::text::thousands;
use bytesize::ByteSize;

/// How a game is explored.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// The largest amount of memory, in bytes. `None` for no limit.
    pub memory: Option<u64>,
    /// Which symmetric positions are merged.
    pub merging: Merging,
}

/// Which symmetric positions are merged. Values are the same in any case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Merging {
    /// Those of a game whose symmetries do not change its first position. Then a canonical position
    /// counts as all of its images, and counts are those without symmetry.
    #[default]
    Exact,
    /// All of them. If symmetries change the first position, counts contain the positions that play
    /// reaches from its images, too.
    All,
    /// None, which is slower.
    Nothing,
}

impl Limits {
    /// The position that stands for the given one and for those symmetric to it.
    fn representative<G: Game>(&self, game: &G, position: G::Position) -> G::Position {
        if self.merging == Merging::Nothing { position } else { game.canonical(&position) }
    }
}

/// Why a game is not explored, or a position not evaluated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExploreError {
    /// The game has more positions than fit in the memory allowed.
    #[error("the limit of {} does not suffice for the positions, of which there are {} or more", ByteSize::b(*bytes).display().iec(), thousands(positions))]
    OverLimit {
        /// The number of positions found when the limit was reached.
        positions: u64,
        /// The limit.
        bytes: u64,
    },
    /// The game has more positions than a table can have.
    #[error("a table cannot have {} positions", thousands(positions))]
    TooMany {
        /// The number of positions.
        positions: u64,
    },
    /// A score, a depth to win or a number of plies does not fit in the table.
    #[error("a score or a number of plies is too large for the table, which holds up to {most}")]
    OutOfRange {
        /// The largest absolute value.
        most: i32,
    },
    /// Some results have a score and others do not.
    #[error("some results of the game have a score and others have none")]
    MixedResults,
    /// A final score is not an integer.
    #[error("the final score {0} is not an integer")]
    Fraction(crate::score::Score),
    /// Points are made while positions can repeat.
    #[error("points made so far are no part of the positions, which can repeat")]
    PointsRecur,
    /// The number of playouts is infinite.
    #[error("positions can repeat, so the number of playouts is infinite")]
    Endless,
    /// A position has too many playouts to draw one.
    #[error("a position has 2^128 playouts or more, too many to draw one")]
    TooManyPlayouts,
    /// Play from the start does not reach the position.
    #[error("play from the start does not reach the position {0}")]
    Unreached(String),
    /// The search of a position failed.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// The caller cancelled the job.
    #[error(transparent)]
    Solve(#[from] SolveError),
}

impl HasKind for ExploreError {
    fn kind(&self) -> Kind {
        match self {
            ExploreError::Endless | ExploreError::Unreached(_) => Kind::Usage,
            ExploreError::Solve(error) => error.kind(),
            ExploreError::Search(error) => error.kind(),
            ExploreError::OverLimit { .. }
            | ExploreError::TooMany { .. }
            | ExploreError::OutOfRange { .. }
            | ExploreError::MixedResults
            | ExploreError::Fraction(_)
            | ExploreError::PointsRecur
            | ExploreError::TooManyPlayouts => Kind::Refused,
        }
    }
}
