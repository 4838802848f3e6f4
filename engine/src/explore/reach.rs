//! All reachable positions, by breadth-first search.

use super::extent::Extent;
use super::store::{BATCH, CHUNK, Chunk, Found, Slot, Store, UNKNOWN, hash, next_batch};
use super::{ExploreError, Limits, Merging, bytes_for};
use crate::game::{Game, Outcome, Player, Value};
use crate::monitor::Monitor;
use crate::parallel;
use crate::score::Score;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::hash::Hash;
use std::ops::AddAssign;

/// The positions of a game that play can reach from the start.
pub struct Exploration<G: Game> {
    pub(super) game: G,
    pub(super) start: G::Position,
    pub(super) limits: Limits,
    pub(super) store: Store<G>,
    pub(super) kind: Kind,
    plies: Vec<PlyCount>,
    is_acyclic: bool,
}

/// A number of positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// All positions.
    pub positions: u64,
    /// Canonical positions: those up to symmetry.
    pub canonical: u64,
}

impl AddAssign for Count {
    fn add_assign(&mut self, other: Count) {
        self.positions += other.positions;
        self.canonical += other.canonical;
    }
}

/// The positions that play can reach in a number of plies and not earlier.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlyCount {
    /// All of them.
    pub all: Count,
    /// The terminal ones by the result of the [reduced](Game::reduced) position, the best for the
    /// first player first. The result is `None` if that position does not determine it.
    pub terminals: Vec<(Option<Value>, Count)>,
}

/// What the search notices about a game.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Kind {
    /// Whether every move leads from one ply to the next.
    pub is_graded: bool,
    /// Whether terminal positions have a score.
    pub has_points: bool,
    /// Whether terminal positions have a result without a score.
    pub has_outcomes: bool,
    /// Whether [reducing](Game::reduced) changes positions.
    pub reduces: bool,
}

impl Kind {
    fn or(self, other: Kind) -> Kind {
        Kind {
            is_graded: self.is_graded && other.is_graded,
            has_points: self.has_points || other.has_points,
            has_outcomes: self.has_outcomes || other.has_outcomes,
            reduces: self.reduces || other.reduces,
        }
    }
}

/// Sorts counts by result or value, the best for the first player first. Ties come before draws,
/// unknown results last.
pub fn by_result<T>(counts: HashMap<Option<Value>, T>) -> Vec<(Option<Value>, T)> {
    let mut counts: Vec<(Option<Value>, T)> = counts.into_iter().collect();
    counts.sort_by_key(|(result, _)| {
        let is_draw = result.is_some_and(|result| result.outcome == Outcome::Draw);
        (Reverse(result.map(|result| result.rank(Player::First))), is_draw)
    });
    counts
}

/// The number of the first chunks with about so many positions together, at least 1.
fn chunks_of(chunks: &[Chunk], positions: usize) -> usize {
    let mut sum = 0;
    let fitting = chunks.iter().take_while(|(_, range)| {
        sum += range.len();
        sum <= positions
    });
    fitting.count().max(1)
}

/// The positions of a chunk: their successors and their number.
struct Expanded<G: Game> {
    found: Found<G>,
    /// The number of successors found, repeated ones included.
    successors: usize,
    /// A final score that is not an integer.
    fraction: Option<Score>,
    kind: Kind,
    all: Count,
    terminals: HashMap<Option<Value>, Count>,
}

/// Finds all positions that play can reach.
///
/// Takes at most [`bytes_for`](super::bytes_for) the canonical positions, and some tens of megabytes
/// for successors that are not in the table yet.
///
/// # Errors
///
/// If the positions do not fit in the memory allowed, if the results contradict each other, or if
/// the monitor stops the search.
pub fn explore<G: Game>(
    game: G,
    limits: Limits,
    monitor: &Monitor,
) -> Result<Exploration<G>, ExploreError> {
    let start = game.start();
    explore_from(game, &start, limits, monitor)
}

/// Finds all positions that play from a given position can reach.
///
/// # Errors
///
/// As for [`explore`].
pub fn explore_from<G: Game>(
    game: G,
    start: &G::Position,
    limits: Limits,
    monitor: &Monitor,
) -> Result<Exploration<G>, ExploreError> {
    Exploration::with(game, start, limits, monitor)
}

impl<G: Game> Exploration<G> {
    fn with(
        game: G,
        start: &G::Position,
        limits: Limits,
        monitor: &Monitor,
    ) -> Result<Exploration<G>, ExploreError> {
        let reduced = game.reduced(start);
        let kind = Kind { is_graded: true, reduces: reduced != *start, ..Kind::default() };
        // A canonical position counts as all of its images. Play reaches each of them, and after as
        // many plies, only if it starts from a position that is its own image.
        let is_symmetric = game.images(&reduced).iter().all(|image| *image == reduced);
        let merging = match limits.merging {
            Merging::Exact if !is_symmetric => Merging::Nothing,
            given => given,
        };
        let limits = Limits { merging, ..limits };
        let (start, store, plies) = (start.clone(), Store::new(limits), Vec::new());
        let mut explored =
            Exploration { game, start, limits, store, kind, plies, is_acyclic: true };
        explored.search(monitor)?;
        if explored.kind.has_points && explored.kind.has_outcomes {
            return Err(ExploreError::MixedResults);
        }
        explored.is_acyclic = explored.kind.is_graded || explored.always_ends(monitor)?;
        Ok(explored)
    }

    /// Finds the positions, ply by ply.
    fn search(&mut self, monitor: &Monitor) -> Result<(), ExploreError> {
        let mut found = Found::<G>::default();
        let start = self.representative(&self.start);
        found.push(hash(&start), (hash(&start), start));
        self.store.merge(vec![found])?;
        let extent = Extent::new(self.limits.memory, monitor);
        let mut batch = CHUNK;
        loop {
            self.store.end_ply();
            let ply = self.plies.len();
            let (mut all, mut terminals) = (Count::default(), HashMap::new());
            let chunks = self.store.chunks(ply);
            let mut left = &chunks[..];
            while !left.is_empty() {
                monitor.check()?;
                let (now, later) = left.split_at(chunks_of(left, batch));
                left = later;
                let expanded = parallel::map(now, |chunk| self.expand(chunk));
                let successors: usize = expanded.iter().map(|part| part.successors).sum();
                let positions = now.iter().map(|(_, range)| range.len()).sum();
                batch = next_batch(positions, successors * size_of::<(u64, G::Position)>());
                let mut found = Vec::new();
                for part in expanded {
                    if let Some(score) = part.fraction {
                        return Err(ExploreError::Fraction(score));
                    }
                    all += part.all;
                    self.kind = self.kind.or(part.kind);
                    for (result, count) in part.terminals {
                        *terminals.entry(result).or_insert(Count::default()) += count;
                    }
                    found.push(part.found);
                }
                self.kind.is_graded &= !self.store.merge(found)?;
                extent.advance(ply, positions, bytes_for::<G>(self.store.positions()));
            }
            if all == Count::default() {
                return Ok(());
            }
            self.plies.push(PlyCount { all, terminals: by_result(terminals) });
        }
    }

    fn expand(&self, chunk: &Chunk) -> Expanded<G> {
        let mut expanded = Expanded {
            found: Found::<G>::default(),
            successors: 0,
            fraction: None,
            kind: Kind { is_graded: true, ..self.kind },
            all: Count::default(),
            terminals: HashMap::new(),
        };
        self.store.each(chunk, |_, position| {
            let count = Count { positions: self.images(position), canonical: 1 };
            expanded.all += count;
            let moves = self.game.moves(position);
            if moves.is_empty() {
                let result = self.game.result(position);
                let score = result.and_then(|result| result.score);
                let fraction = score.filter(|score| score.to_integer().is_none());
                expanded.fraction = expanded.fraction.or(fraction);
                let has_score = result.is_none() || score.is_some();
                expanded.kind.has_points |= has_score;
                expanded.kind.has_outcomes |= !has_score;
                *expanded.terminals.entry(result).or_default() += count;
            }
            expanded.successors += moves.len();
            for mv in moves {
                let next = self.game.play(position, mv);
                if !expanded.kind.reduces {
                    expanded.kind.reduces = self.game.reduced(&next) != next;
                }
                let next = self.representative(&next);
                let hash = hash(&next);
                expanded.found.push(hash, (hash, next));
            }
        });
        expanded
    }

    /// Sets the values of positions, each after those of its successors. `value` returns
    /// [`UNKNOWN`] as long as that of a successor is. Returns whether all are set: a position that
    /// can recur, or that leads to one, is left unknown.
    pub(super) fn settle(
        &mut self,
        monitor: &Monitor,
        value: fn(&Self, &G::Position) -> Result<i32, ExploreError>,
    ) -> Result<bool, ExploreError> {
        self.store.fill(UNKNOWN);
        let mut left = self.count().canonical;
        monitor.begin("positions", left);
        loop {
            let before = left;
            for ply in (0..self.plies.len()).rev() {
                let values = self.in_ply(ply, monitor, |place, position| {
                    if self.store.value(place) != UNKNOWN {
                        return Ok(None);
                    }
                    let value = value(self, position)?;
                    Ok((value != UNKNOWN).then_some(value))
                })?;
                left -= values.len() as u64;
                monitor.advance(values.len() as u64);
                values.into_iter().for_each(|(place, value)| self.store.set(place, value));
            }
            if left == 0 || left == before {
                return Ok(left == 0);
            }
        }
    }

    /// Whether no position can recur.
    fn always_ends(&mut self, monitor: &Monitor) -> Result<bool, ExploreError> {
        self.settle(monitor, |explored, position| {
            let waits = explored.successors(position).any(|(_, _, value)| value == UNKNOWN);
            Ok(if waits { UNKNOWN } else { 0 })
        })
    }

    /// The legal moves of a position, the positions after them, and the stored values of these,
    /// each negated if players were exchanged.
    pub(super) fn successors(
        &self,
        position: &G::Position,
    ) -> impl Iterator<Item = (G::Move, G::Position, i32)> {
        let moves = self.game.moves(position).into_iter();
        let next = moves.map(|mv| {
            let next = self.game.play(position, mv.clone());
            let representative = self.representative(&next);
            let hash = self.store.hash(&representative);
            (mv, next, representative, hash)
        });
        // All hashes come first, so that reads from memory overlap.
        next.collect::<Vec<_>>().into_iter().map(|(mv, next, representative, hash)| {
            let value = self.stored_at(&next, &representative, hash);
            (mv, next, value.expect("the search found every successor"))
        })
    }

    /// The stored value of a position, negated if players were exchanged. `None` if the search did
    /// not find it.
    pub(super) fn stored(&self, position: &G::Position) -> Option<i32> {
        let representative = self.representative(position);
        let hash = self.store.hash(&representative);
        self.stored_at(position, &representative, hash)
    }

    fn stored_at(
        &self,
        position: &G::Position,
        representative: &G::Position,
        hash: u64,
    ) -> Option<i32> {
        let value = self.store.value(self.store.place(hash, representative)?);
        let is_exchanged = self.game.to_move(representative) != self.game.to_move(position);
        Some(if is_exchanged && value > UNKNOWN { -value } else { value })
    }

    /// Passes to `take`, in order, what `of` returns for the chunks of a ply, in parallel.
    fn each_chunk<T: Send>(
        &self,
        ply: usize,
        monitor: &Monitor,
        of: impl Fn(&Chunk) -> T + Sync,
        mut take: impl FnMut(T) -> Result<(), ExploreError>,
    ) -> Result<(), ExploreError> {
        for chunks in self.store.chunks(ply).chunks(BATCH) {
            monitor.check()?;
            parallel::map(chunks, &of).into_iter().try_for_each(&mut take)?;
        }
        Ok(())
    }

    /// The values that `find` returns for positions of a ply, in parallel.
    pub(super) fn in_ply(
        &self,
        ply: usize,
        monitor: &Monitor,
        find: impl Fn(Slot, &G::Position) -> Result<Option<i32>, ExploreError> + Sync,
    ) -> Result<Vec<(Slot, i32)>, ExploreError> {
        let of_chunk = |chunk: &Chunk| {
            let (mut values, mut failure) = (Vec::new(), None);
            self.store.each(chunk, |place, position| match find(place, position) {
                Ok(value) => values.extend(value.map(|value| (place, value))),
                Err(error) => failure = Some(error),
            });
            failure.map_or(Ok(values), Err)
        };
        let mut all = Vec::new();
        self.each_chunk(ply, monitor, of_chunk, |values| {
            all.extend(values?);
            Ok(())
        })?;
        Ok(all)
    }

    /// Likewise for the positions of all plies.
    pub(super) fn in_all_plies(
        &self,
        monitor: &Monitor,
        find: impl Fn(Slot, &G::Position) -> Result<Option<i32>, ExploreError> + Sync,
    ) -> Result<Vec<(Slot, i32)>, ExploreError> {
        let mut all = Vec::new();
        for ply in 0..self.plies.len() {
            all.extend(self.in_ply(ply, monitor, &find)?);
        }
        Ok(all)
    }

    /// Counts positions by the key that `key` returns, given the ply and a canonical position;
    /// positions without a key do not count.
    ///
    /// # Errors
    ///
    /// If the monitor stops the count.
    pub fn count_by<K: Eq + Hash + Send>(
        &self,
        monitor: &Monitor,
        key: impl Fn(usize, &G::Position) -> Option<K> + Sync,
    ) -> Result<HashMap<K, Count>, ExploreError> {
        let mut total = HashMap::new();
        for ply in 0..self.plies.len() {
            let of_chunk = |chunk: &Chunk| {
                let mut counts = HashMap::new();
                self.store.each(chunk, |_, position| {
                    if let Some(key) = key(ply, position) {
                        let count = Count { positions: self.images(position), canonical: 1 };
                        *counts.entry(key).or_insert(Count::default()) += count;
                    }
                });
                counts
            };
            self.each_chunk(ply, monitor, of_chunk, |counts| {
                for (key, count) in counts {
                    *total.entry(key).or_insert(Count::default()) += count;
                }
                Ok(())
            })?;
        }
        Ok(total)
    }

    /// The position that stands for the given one in the store.
    fn representative(&self, position: &G::Position) -> G::Position {
        self.limits.representative(&self.game, self.game.reduced(position))
    }

    /// The number of positions for which a canonical position stands.
    pub(super) fn images(&self, position: &G::Position) -> u64 {
        if self.limits.merging == Merging::Nothing { 1 } else { self.game.orbit_size(position) }
    }

    /// The rules.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// The position in which play begins.
    pub fn start(&self) -> &G::Position {
        &self.start
    }

    /// The numbers of positions by ply, the start first.
    pub fn plies(&self) -> &[PlyCount] {
        &self.plies
    }

    /// The number of positions.
    pub fn count(&self) -> Count {
        self.plies.iter().fold(Count::default(), |mut sum, ply| {
            sum += ply.all;
            sum
        })
    }

    /// The terminal positions of all plies by result, the best for the first player first.
    pub fn terminals(&self) -> Vec<(Option<Value>, Count)> {
        let mut sums = HashMap::new();
        for (result, count) in self.plies.iter().flat_map(|ply| &ply.terminals) {
            *sums.entry(*result).or_insert(Count::default()) += *count;
        }
        by_result(sums)
    }

    /// Whether no position can recur, so that every game ends.
    pub fn is_acyclic(&self) -> bool {
        self.is_acyclic
    }

    /// The memory in use, in bytes.
    pub fn bytes(&self) -> u64 {
        self.store.bytes()
    }
}
