//! Counts of sequences of moves: complete playouts, and those of a given length.

use super::flow::{Amount, Arrived, Flow};
use super::reach::{Exploration, by_result};
use super::{ExploreError, Limits};
use crate::game::{Game, Value};
use crate::monitor::Monitor;
use num_bigint::BigUint;
use num_traits::One;
use std::collections::HashMap;

/// The complete playouts of a game by result. A playout is a sequence of legal moves from the start
/// to a terminal position; symmetric ones count separately.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Playouts {
    /// The playouts of each result, the best for the first player first.
    pub by_result: Vec<(Option<Value>, BigUint)>,
    /// The playouts of each length in plies, from 0.
    pub by_length: Vec<BigUint>,
}

impl Playouts {
    /// The number of all playouts.
    pub fn total(&self) -> BigUint {
        self.by_result.iter().map(|(_, count)| count).sum()
    }
}

/// Counts the sequences of 0, 1, ... `depth` legal moves from the start (*perft*). Terminal
/// positions end shorter sequences, which do not count. The list ends early after the longest
/// sequences.
///
/// # Errors
///
/// If the positions of two plies do not fit in the memory allowed, or if the monitor stops the
/// count.
///
/// ```
/// use bsq_engine::explore::{Limits, perft};
/// use bsq_engine::monitor::Monitor;
/// use bsq_engine::nim::Nim;
///
/// let counts = perft(&Nim([1, 1, 1]), 4, Limits::default(), &Monitor::default()).unwrap();
/// assert_eq!(counts, [1u32, 3, 6, 6].map(Into::into));
/// ```
pub fn perft<G: Game>(
    game: &G,
    depth: usize,
    limits: Limits,
    monitor: &Monitor,
) -> Result<Vec<BigUint>, ExploreError> {
    perft_from(game, &game.start(), depth, limits, monitor)
}

/// Counts the sequences of 0, 1, ... `depth` legal moves from a position, as [`perft`] does from the
/// start.
///
/// # Errors
///
/// As for [`perft`].
pub fn perft_from<G: Game>(
    game: &G,
    start: &G::Position,
    depth: usize,
    limits: Limits,
    monitor: &Monitor,
) -> Result<Vec<BigUint>, ExploreError> {
    let normal = |position: &G::Position| game.reduced(position);
    let paths = count(game, start, Some(depth), &normal, limits, monitor)?;
    Ok(paths.into_iter().filter_map(|ply| ply.all).collect())
}

impl<G: Game> Exploration<G> {
    /// Counts the complete playouts.
    ///
    /// # Errors
    ///
    /// [`ExploreError::Endless`] if positions can recur; also if the positions of two plies do not
    /// fit in the memory allowed, or if the monitor stops the count.
    pub fn playouts(&self, monitor: &Monitor) -> Result<Playouts, ExploreError> {
        if !self.is_acyclic() {
            return Err(ExploreError::Endless);
        }
        // The result of a playout may depend on what a reduced position omits.
        let normal = G::Position::clone;
        let memory = self.limits.memory.map(|bytes| bytes.saturating_sub(self.store.bytes()));
        let limits = Limits { memory, ..self.limits };
        let paths = count(&self.game, &self.start, None, &normal, limits, monitor)?;
        let (mut counts, mut by_length) = (HashMap::new(), Vec::new());
        for ply in paths {
            by_length.push(ply.ended.values().sum());
            for (result, count) in ply.ended {
                *counts.entry(result).or_insert(BigUint::ZERO) += count;
            }
        }
        Ok(Playouts { by_result: by_result(counts), by_length })
    }
}

/// Counts sequences by their length. Numbers of 128 bits are tried first.
fn count<G: Game>(
    game: &G,
    start: &G::Position,
    depth: Option<usize>,
    normal: &(dyn Fn(&G::Position) -> G::Position + Sync),
    limits: Limits,
    monitor: &Monitor,
) -> Result<Vec<Arrived<BigUint>>, ExploreError> {
    let narrow = Flow { game, depth, normal, divide: &to_each(game), limits, monitor };
    if let Some(paths) = narrow.follow(start, 1u128, &mut |_| Ok(()))? {
        return Ok(paths);
    }
    let wide = Flow { game, depth, normal, divide: &to_each(game), limits, monitor };
    Ok(wide
        .follow(start, BigUint::one(), &mut |_| Ok(()))?
        .expect("integers of any size do not overflow"))
}

/// Every legal move continues all sequences that lead to a position.
fn to_each<G: Game, T: Clone>(game: &G) -> impl Fn(&G::Position, &T) -> Vec<(G::Move, T)> + Sync {
    |position, count| game.moves(position).into_iter().map(|mv| (mv, count.clone())).collect()
}

impl Amount for u128 {
    type Sum = BigUint;

    fn plus(&self, other: &u128) -> Option<u128> {
        self.checked_add(*other)
    }
}

impl Amount for BigUint {
    type Sum = BigUint;

    const ON_HEAP: u64 = 48;

    fn plus(&self, other: &BigUint) -> Option<BigUint> {
        Some(self + other)
    }
}
