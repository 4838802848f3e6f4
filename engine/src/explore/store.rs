//! The set of explored positions, with a value for each: a hash table divided into shards.

use super::{ExploreError, Limits};
use crate::game::Game;
use crate::monitor::SolveError;
use crate::parallel;
use crate::table::prefetch;
use foldhash::fast::FixedState;
use std::collections::TryReserveError;
use std::hash::{BuildHasher, Hash};
use std::mem::take;
use std::ops::Range;

/// A draw.
pub const DRAW: i32 = i32::MIN;
/// A value that is not known yet. The absolute value of all others is at most [`WIN`].
pub const UNKNOWN: i32 = i32::MIN + 1;
/// The largest absolute value.
pub const WIN: i32 = 1 << 30;

/// The number of shards, so that many threads can add positions at the same time.
pub const SHARDS: usize = 64;
/// The largest number of positions in a chunk.
pub const CHUNK: usize = 512;
/// The number of chunks that are processed between two checks of the monitor.
pub const BATCH: usize = 64;
/// The memory for successors that are not in a table yet, in bytes. Lists with spare room take up to
/// three times as much.
const MOST_FOUND: usize = 4 << 20;

/// The number of positions to expand at a time, after so many led to so many bytes of successors.
pub fn next_batch(positions: usize, bytes: usize) -> usize {
    let most = MOST_FOUND as u64 * positions as u64 / bytes.max(1) as u64;
    most.clamp(1, (BATCH * CHUNK) as u64) as usize
}

/// The number of insertions between the prefetch of a slot and its use.
const AHEAD: usize = 8;
/// Upper bound on the memory for a position besides the position itself, in bytes: 4 for the value
/// and 4 for alignment; while positions are found, 16 for the slots of a shard that grows, and
/// spare room of an eighth of a position; later 11 for slots, and 12 for a change of value that is
/// not applied yet. Positions of more than 120 bytes take more, because of the spare room.
pub const OVERHEAD: u64 = 40;

/// A set of canonical positions in breadth-first order, with a value for each, in a hash table.
///
/// Positions are added by ply, in an order that does not depend on the number of threads.
pub struct Store<G: Game> {
    shards: Vec<Shard<G::Position>>,
    limits: Limits,
}

/// The positions whose hashes select this shard.
struct Shard<P> {
    entries: Vec<Entry<P>>,
    /// A table with linear probing of the indices of the entries, each with a tag.
    slots: Vec<u32>,
    /// The number of positions up to the end of each ply.
    ends: Vec<usize>,
}

struct Entry<P> {
    position: P,
    value: i32,
}

/// The place of a position in a hash table.
#[derive(Clone, Copy, Debug)]
pub struct Slot {
    shard: u32,
    index: u32,
}

/// A list for each shard.
pub struct ByShard<T>(Vec<Vec<T>>);

impl<T> Default for ByShard<T> {
    fn default() -> ByShard<T> {
        ByShard((0..SHARDS).map(|_| Vec::new()).collect())
    }
}

impl<T> ByShard<T> {
    /// Adds an item to the list of the shard that a hash selects.
    #[inline]
    pub fn push(&mut self, hash: u64, item: T) {
        self.0[shard_of(hash)].push(item);
    }

    /// The number of items.
    pub fn len(&self) -> usize {
        self.0.iter().map(Vec::len).sum()
    }

    /// Returns, for each shard, its lists, in the given order.
    pub fn merged(mut parts: Vec<ByShard<T>>) -> Vec<Vec<Vec<T>>> {
        let lists = |shard: usize| parts.iter_mut().map(|part| take(&mut part.0[shard])).collect();
        (0..SHARDS).map(lists).collect()
    }
}

/// The hash of a position, the same in every run.
#[inline]
pub fn hash<P: Hash>(position: &P) -> u64 {
    FixedState::default().hash_one(position)
}

/// The shard of a hash. Slots use the lowest bits, tags the highest.
#[inline]
fn shard_of(hash: u64) -> usize {
    (hash >> 32) as usize % SHARDS
}

/// The number of bits of the tag in a slot. Tags are positive, so that a slot in use is not 0.
const TAG_BITS: u32 = 6;
/// The largest number of positions in a shard.
const MOST: usize = (1 << (u32::BITS - TAG_BITS)) - 1;

#[inline]
fn tag(hash: u64) -> u32 {
    ((hash >> (u64::BITS - TAG_BITS)) as u32).max(1)
}

impl<P: Eq + Hash> Shard<P> {
    /// The slot of a position, or the free one where it belongs.
    #[inline]
    fn slot(&self, hash: u64, position: &P) -> (usize, Option<usize>) {
        let (mask, tag) = (self.slots.len() - 1, tag(hash));
        let mut at = hash as usize & mask;
        loop {
            match self.slots[at] {
                0 => return (at, None),
                slot if slot % (1 << TAG_BITS) == tag => {
                    let index = (slot >> TAG_BITS) as usize;
                    if self.entries[index].position == *position {
                        return (at, Some(index));
                    }
                }
                _ => {}
            }
            at = (at + 1) & mask;
        }
    }

    #[inline]
    fn prefetch(&self, hash: u64) {
        prefetch(&self.slots[hash as usize & (self.slots.len() - 1)]);
    }

    /// Adds positions. Returns whether a position of an earlier ply is among them.
    fn add(&mut self, found: Vec<(u64, P)>) -> Result<bool, TryReserveError> {
        let end = self.ends.last().copied().unwrap_or(0);
        let mut repeated = false;
        let hashes: Vec<u64> = found.iter().map(|(hash, _)| *hash).collect();
        for (at, (hash, position)) in found.into_iter().enumerate() {
            if let Some(&ahead) = hashes.get(at + AHEAD) {
                self.prefetch(ahead);
            }
            let (slot, index) = self.slot(hash, &position);
            if let Some(index) = index {
                repeated |= index < end;
                continue;
            }
            self.slots[slot] = (self.entries.len() as u32) << TAG_BITS | tag(hash);
            if self.entries.len() == self.entries.capacity() {
                // Grows by less than a factor of 2, because memory counts.
                self.entries.try_reserve_exact(self.entries.len() / 8 + 16)?;
            }
            self.entries.push(Entry { position, value: UNKNOWN });
            if self.entries.len() * 4 > self.slots.len() * 3 {
                self.grow()?;
            }
        }
        Ok(repeated)
    }

    /// Doubles the number of slots.
    fn grow(&mut self) -> Result<(), TryReserveError> {
        let slots = self.slots.len() * 2;
        self.slots.clear();
        self.slots.try_reserve_exact(slots)?;
        self.slots.resize(slots, 0);
        let mask = self.slots.len() - 1;
        for (index, entry) in self.entries.iter().enumerate() {
            let hash = hash(&entry.position);
            let mut at = hash as usize & mask;
            while self.slots[at] != 0 {
                at = (at + 1) & mask;
            }
            self.slots[at] = (index as u32) << TAG_BITS | tag(hash);
        }
        Ok(())
    }

    fn ply(&self, ply: usize) -> Range<usize> {
        let start = if ply == 0 { 0 } else { self.ends[ply - 1] };
        start..self.ends[ply]
    }
}

/// Some positions of a ply: a shard, and their indices in it.
pub type Chunk = (usize, Range<usize>);
/// Positions to be added, with their hashes.
pub type Found<G> = ByShard<(u64, <G as Game>::Position)>;

impl<G: Game> Store<G> {
    pub fn new(limits: Limits) -> Store<G> {
        let shard = || Shard { entries: Vec::new(), slots: vec![0; 16], ends: Vec::new() };
        Store { shards: (0..SHARDS).map(|_| shard()).collect(), limits }
    }
}

/// An upper bound on the memory for the given number of canonical positions, in bytes. Memory that
/// positions own on the heap is not included.
///
/// ```
/// use bsq_engine::explore::bytes_for;
/// use bsq_engine::nim::Nim;
///
/// assert_eq!(bytes_for::<Nim>(1000), 44_000);
/// ```
pub fn bytes_for<G: Game>(positions: u64) -> u64 {
    let position = size_of::<G::Position>() as u64;
    let overhead = OVERHEAD.max(24 + (position + 8).div_ceil(8));
    positions.saturating_mul(overhead + position)
}

impl<G: Game> Store<G> {
    /// The positions of a ply, in chunks.
    pub fn chunks(&self, ply: usize) -> Vec<Chunk> {
        let cut = |(shard, positions): (usize, Range<usize>)| {
            let starts = positions.clone().step_by(CHUNK);
            starts.map(move |start| (shard, start..positions.end.min(start + CHUNK)))
        };
        self.shards.iter().map(|shard| shard.ply(ply)).enumerate().flat_map(cut).collect()
    }

    /// Passes the positions of a chunk to `see`, in order.
    pub fn each(&self, (shard, range): &Chunk, mut see: impl FnMut(Slot, &G::Position)) {
        for (at, entry) in range.clone().zip(&self.shards[*shard].entries[range.clone()]) {
            see(Slot { shard: *shard as u32, index: at as u32 }, &entry.position);
        }
    }

    /// Adds the positions found to the ply that is being built. Returns whether a position of an
    /// earlier ply is among them.
    pub fn merge(&mut self, found: Vec<Found<G>>) -> Result<bool, ExploreError> {
        let lists = ByShard::merged(found);
        let repeated = parallel::try_map(self.shards.iter_mut().zip(lists), |(shard, lists)| {
            lists.into_iter().try_fold(false, |repeated, list| Ok(shard.add(list)? | repeated))
        });
        let positions = self.positions();
        let repeated = repeated.map_err(|_: TryReserveError| SolveError::NoRoom { positions })?;
        let repeated = repeated.contains(&true);
        match self.limits.memory {
            Some(bytes) if bytes_for::<G>(positions) > bytes => {
                Err(ExploreError::OverLimit { positions, bytes })
            }
            // A batch adds fewer positions to a shard than the other half.
            _ if self.shards.iter().any(|shard| shard.entries.len() > MOST / 2) => {
                Err(ExploreError::TooMany { positions })
            }
            _ => Ok(repeated),
        }
    }

    /// The number of positions found.
    pub fn positions(&self) -> u64 {
        self.shards.iter().map(|shard| shard.entries.len()).sum::<usize>() as u64
    }

    /// Ends the ply that is being built.
    pub fn end_ply(&mut self) {
        for shard in &mut self.shards {
            shard.ends.push(shard.entries.len());
        }
    }

    /// The hash of a position. Prefetches what [`place`](Store::place) reads.
    #[inline]
    pub fn hash(&self, position: &G::Position) -> u64 {
        let hash = hash(position);
        self.shards[shard_of(hash)].prefetch(hash);
        hash
    }

    /// The place of a position with its hash. `None` if it was not found.
    #[inline]
    pub fn place(&self, hash: u64, position: &G::Position) -> Option<Slot> {
        let shard = shard_of(hash);
        let (_, index) = self.shards[shard].slot(hash, position);
        Some(Slot { shard: shard as u32, index: index? as u32 })
    }

    /// Sets all values to the given one.
    pub fn fill(&mut self, value: i32) {
        for Shard { entries, .. } in &mut self.shards {
            entries.shrink_to_fit();
            entries.iter_mut().for_each(|entry| entry.value = value);
        }
    }

    /// The value at a place.
    #[inline]
    pub fn value(&self, Slot { shard, index }: Slot) -> i32 {
        self.shards[shard as usize].entries[index as usize].value
    }

    /// Sets the value at a place.
    #[inline]
    pub fn set(&mut self, Slot { shard, index }: Slot, value: i32) {
        self.shards[shard as usize].entries[index as usize].value = value;
    }

    /// The memory in use, in bytes.
    pub fn bytes(&self) -> u64 {
        let bytes = |shard: &Shard<G::Position>| {
            size_of::<Entry<G::Position>>() * shard.entries.capacity()
                + size_of::<u32>() * shard.slots.capacity()
        };
        self.shards.iter().map(|shard| bytes(shard) as u64).sum()
    }
}
