//! Counts of sequences of moves: complete playouts, and those of a given length.

use super::extent::Extent;
use super::reach::{Exploration, by_result};
use super::store::{ByShard, CHUNK, SHARDS, hash, next_batch};
use super::{ExploreError, Limits};
use crate::game::{Game, Value};
use crate::monitor::Monitor;
use crate::parallel;
use foldhash::fast::FixedState;
use num_bigint::BigUint;
use num_traits::{CheckedAdd, One};
use std::collections::HashMap;
use std::hash::Hash;

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
    let normal = |position: &G::Position| game.reduced(position);
    let paths = count(game, &game.start(), Some(depth), &normal, limits, monitor)?;
    Ok(paths.into_iter().map(|ply| ply.sequences).collect())
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

/// The sequences of some length.
struct Paths {
    sequences: BigUint,
    /// Those that end a game, by result.
    ended: HashMap<Option<Value>, BigUint>,
}

/// Counts sequences by their length. Numbers of 128 bits are tried first.
fn count<G: Game>(
    game: &G,
    start: &G::Position,
    depth: Option<usize>,
    normal: &(dyn Fn(&G::Position) -> G::Position + Sync),
    limits: Limits,
    monitor: &Monitor,
) -> Result<Vec<Paths>, ExploreError> {
    let counter = Counter { game, depth, normal, limits, monitor };
    match counter.count::<u128>(start)? {
        Some(paths) => Ok(paths),
        None => Ok(counter.count::<BigUint>(start)?.expect("integers of any size do not overflow")),
    }
}

struct Counter<'a, G: Game> {
    game: &'a G,
    depth: Option<usize>,
    /// Returns the position to be counted instead of a position, before symmetry is used.
    normal: &'a (dyn Fn(&G::Position) -> G::Position + Sync),
    limits: Limits,
    monitor: &'a Monitor<'a>,
}

/// A number of sequences.
trait Number: Clone + CheckedAdd + One + Into<BigUint> + Send + Sync {
    /// About how many bytes a number takes on the heap.
    const ON_HEAP: u64;
}
impl Number for u128 {
    const ON_HEAP: u64 = 0;
}
impl Number for BigUint {
    const ON_HEAP: u64 = 48;
}

/// The positions of a ply with the number of sequences to each, by shard.
type Level<P, N> = Vec<HashMap<P, N, FixedState>>;
/// The successors of some positions with the number of sequences to each, and the sequences that
/// end a game by result.
type Expanded<P, N> = (ByShard<(P, N)>, Vec<(Option<Value>, N)>);

impl<G: Game> Counter<'_, G> {
    /// Counts level by level. `None` if a number overflows.
    fn count<T: Number>(&self, start: &G::Position) -> Result<Option<Vec<Paths>>, ExploreError> {
        let mut level = vec![(self.representative(start), T::one())];
        let mut paths = Vec::new();
        let extent = Extent::new(self.limits.memory, self.monitor);
        while !level.is_empty() {
            let sequences = level.iter().map(|(_, count)| count.clone().into()).sum();
            let mut ended = HashMap::new();
            let mut next: Level<G::Position, T> = vec![HashMap::default(); SHARDS];
            let (mut left, mut batch) = (&level[..], CHUNK);
            while !left.is_empty() {
                self.monitor.check()?;
                let (now, later) = left.split_at(batch.min(left.len()));
                left = later;
                let parts = parallel::map(now.chunks(CHUNK), |part| self.expand(part));
                let bytes = size_of::<(G::Position, T)>();
                let bytes = parts.iter().map(|(found, _)| found.len() * bytes).sum();
                batch = next_batch(now.len(), bytes);
                let mut found = Vec::new();
                for (successors, terminals) in parts {
                    found.push(successors);
                    for (result, count) in terminals {
                        *ended.entry(result).or_insert(BigUint::ZERO) += count.into();
                    }
                }
                if !merge(&mut next, found) {
                    return Ok(None);
                }
                let bytes = self.allowed::<T>(level.len(), &next)?;
                extent.advance(paths.len(), now.len(), bytes);
            }
            paths.push(Paths { sequences, ended });
            if self.depth.is_some_and(|depth| paths.len() > depth) {
                break;
            }
            level = Vec::new();
            level.reserve_exact(next.iter().map(HashMap::len).sum());
            level.extend(next.into_iter().flatten());
        }
        Ok(Some(paths))
    }

    fn expand<T: Number>(&self, positions: &[(G::Position, T)]) -> Expanded<G::Position, T> {
        let mut found = ByShard::default();
        let mut ended = Vec::new();
        for (position, count) in positions {
            let moves = self.game.moves(position);
            if moves.is_empty() {
                ended.push((self.game.result(position), count.clone()));
            }
            for mv in moves {
                let next = self.representative(&self.game.play(position, mv));
                found.push(hash(&next), (next, count.clone()));
            }
        }
        (found, ended)
    }

    fn representative(&self, position: &G::Position) -> G::Position {
        self.limits.representative(self.game, (self.normal)(position))
    }

    /// The memory in use, in bytes, if so much is allowed.
    fn allowed<T: Number>(
        &self,
        level: usize,
        next: &Level<G::Position, T>,
    ) -> Result<u64, ExploreError> {
        let entry = size_of::<(G::Position, T)>() as u64;
        let capacity: usize = next.iter().map(HashMap::capacity).sum();
        let found: u64 = next.iter().map(|shard| shard.len() as u64).sum();
        // The level that is counted, or the list of the next one.
        let lists = entry * (level as u64).max(found);
        let positions = level as u64 + found;
        let used = lists + (entry + 1) * capacity as u64 * 8 / 7 + T::ON_HEAP * positions;
        // The allocator keeps some of the tables that were freed.
        let needed = used + used / 4;
        match self.limits.memory {
            Some(bytes) if needed > bytes => Err(ExploreError::OverLimit { positions, bytes }),
            _ => Ok(needed),
        }
    }
}

/// Adds sequences to a level. Returns `false` if a number overflows.
fn merge<P: Eq + Hash + Send + Sync, T: Number>(
    level: &mut Level<P, T>,
    found: Vec<ByShard<(P, T)>>,
) -> bool {
    let merged = parallel::map(level.iter_mut().zip(ByShard::merged(found)), |(level, found)| {
        found.into_iter().flatten().all(|(position, count)| {
            let sum = match level.get(&position) {
                Some(sum) => sum.checked_add(&count),
                None => Some(count),
            };
            sum.map(|sum| level.insert(position, sum)).is_some()
        })
    });
    !merged.contains(&false)
}
