//! Amounts that flow from a position along its moves, ply by ply, until play ends.

use super::extent::Extent;
use super::store::{ByShard, CHUNK, SHARDS, hash, next_batch};
use super::{ExploreError, Limits};
use crate::game::{Game, Value};
use crate::monitor::Monitor;
use crate::parallel;
use foldhash::fast::FixedState;
use std::collections::HashMap;
use std::hash::Hash;
use std::ops::AddAssign;

/// What flows, such as a number of sequences of moves or a probability.
pub trait Amount: Clone + Send + Sync {
    /// A sum of any number of amounts.
    type Sum: From<Self> + AddAssign;

    /// About how many bytes an amount takes on the heap.
    const ON_HEAP: u64 = 0;

    /// The sum of two amounts. `None` if it is too large.
    fn plus(&self, other: &Self) -> Option<Self>;
}

/// The amounts that arrive after some number of plies.
pub struct Arrived<S> {
    /// All of them; `None` if play has ended before.
    pub all: Option<S>,
    /// Those that end a game, by result.
    pub ended: HashMap<Option<Value>, S>,
}

/// How amounts flow.
pub struct Flow<'a, G: Game, T> {
    pub game: &'a G,
    /// The number of plies after which the flow stops. `None` for that of the longest play.
    pub depth: Option<usize>,
    /// Returns the position that stands for a position, before symmetry is used.
    pub normal: &'a (dyn Fn(&G::Position) -> G::Position + Sync),
    /// Divides the amount of a position among its legal moves; not all need get some.
    pub divide: &'a Divide<'a, G, T>,
    pub limits: Limits,
    pub monitor: &'a Monitor<'a>,
}

/// Divides an amount among the legal moves of a position.
type Divide<'a, G, T> =
    dyn Fn(&<G as Game>::Position, &T) -> Vec<(<G as Game>::Move, T)> + Sync + 'a;

/// Receives the positions of a ply with their amounts.
pub type EachPly<'a, G, T> =
    dyn FnMut(&[(<G as Game>::Position, T)]) -> Result<(), ExploreError> + 'a;

/// The positions of a ply with their amounts, by shard.
type Level<P, T> = Vec<HashMap<P, T, FixedState>>;
/// The amounts that some positions pass on, by the position that gets them, and those that end a
/// game, by result.
type Expanded<P, T> = (ByShard<(P, T)>, Vec<(Option<Value>, T)>);

impl<G: Game, T: Amount> Flow<'_, G, T> {
    /// Follows an amount from a position on, and passes the positions of each ply with their amounts to
    /// `each`. Returns what arrives after 0, 1, ... plies; `None` if a sum is too large.
    pub fn follow(
        &self,
        start: &G::Position,
        amount: T,
        each: &mut EachPly<G, T>,
    ) -> Result<Option<Vec<Arrived<T::Sum>>>, ExploreError> {
        let mut level = vec![(self.representative(start), amount)];
        let mut arrived = Vec::new();
        let extent = Extent::new(self.limits.memory, self.monitor);
        while !level.is_empty() {
            each(&level)?;
            let mut all = None;
            level.iter().for_each(|(_, amount)| add(&mut all, amount.clone()));
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
                for (passed, terminals) in parts {
                    found.push(passed);
                    for (result, amount) in terminals {
                        add(ended.entry(result).or_insert(None), amount);
                    }
                }
                if !merge(&mut next, found) {
                    return Ok(None);
                }
                let bytes = self.allowed(level.len(), &next)?;
                extent.advance(arrived.len(), now.len(), bytes);
            }
            let ended = ended.into_iter().filter_map(|(result, sum)| Some((result, sum?)));
            arrived.push(Arrived { all, ended: ended.collect() });
            if self.depth.is_some_and(|depth| arrived.len() > depth) {
                break;
            }
            level = Vec::new();
            level.reserve_exact(next.iter().map(HashMap::len).sum());
            level.extend(next.into_iter().flatten());
        }
        Ok(Some(arrived))
    }

    fn expand(&self, positions: &[(G::Position, T)]) -> Expanded<G::Position, T> {
        let mut found = ByShard::default();
        let mut ended = Vec::new();
        for (position, amount) in positions {
            let moves = (self.divide)(position, amount);
            if moves.is_empty() && self.game.moves(position).is_empty() {
                ended.push((self.game.result(position), amount.clone()));
            }
            for (mv, amount) in moves {
                let next = self.representative(&self.game.play(position, mv));
                found.push(hash(&next), (next, amount));
            }
        }
        (found, ended)
    }

    fn representative(&self, position: &G::Position) -> G::Position {
        self.limits.representative(self.game, (self.normal)(position))
    }

    /// The memory in use, in bytes, if so much is allowed.
    fn allowed(&self, level: usize, next: &Level<G::Position, T>) -> Result<u64, ExploreError> {
        let entry = size_of::<(G::Position, T)>() as u64;
        let capacity: usize = next.iter().map(HashMap::capacity).sum();
        let found: u64 = next.iter().map(|shard| shard.len() as u64).sum();
        // The level that is followed, or the list of the next one.
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

/// Adds an amount to a sum, which is missing if there is none yet.
fn add<T: Amount>(sum: &mut Option<T::Sum>, amount: T) {
    match sum {
        Some(sum) => *sum += T::Sum::from(amount),
        None => *sum = Some(amount.into()),
    }
}

/// Adds amounts to those of a level. Returns `false` if a sum is too large.
fn merge<P: Eq + Hash + Send + Sync, T: Amount>(
    level: &mut Level<P, T>,
    found: Vec<ByShard<(P, T)>>,
) -> bool {
    let merged = parallel::map(level.iter_mut().zip(ByShard::merged(found)), |(level, found)| {
        found.into_iter().flatten().all(|(position, amount)| {
            let sum = match level.get(&position) {
                Some(sum) => sum.plus(&amount),
                None => Some(amount),
            };
            sum.map(|sum| level.insert(position, sum)).is_some()
        })
    });
    !merged.contains(&false)
}
