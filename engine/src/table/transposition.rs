//! A lossy transposition table: bounds on values, by pairs of sets of cells.
//!
//! Each entry is one atomic 128-bit word, and four entries form a bucket, one cache line. A pair of
//! sets of `n` bits each is first permuted among all pairs. One half `b` of the result selects the
//! bucket: the integer part of `b * buckets / 2^n`. The fractional part without its last
//! `log2(buckets)` bits still identifies `b` within the bucket, and together with the other half
//! forms the **tag**, which is stored in full. So an entry belongs to one pair only, and pairs can
//! be recovered from entries (quotienting; Cleary, *Compact Hash Tables Using Bidirectional Linear
//! Probing*, 1984). The number of buckets need not be a power of two, but must leave the tag at
//! most [`TAG_BITS`] bits. In a full bucket the entry that took the least work is replaced
//! (Breuker, Uiterwijk and van den Herik, *Replacement Schemes for Transposition Tables*, 1994).
//!
//! A word is 0 if the slot is free. Relaxed accesses suffice, because an entry is a single word.
//! Threads may overwrite each other's entries, which only repeats work, or store two entries of a
//! pair, both of which are true. `engine/tests/table_model.rs` checks that bounds are those of their
//! pair.
//!
//! ```
//! use bsq_engine::table::{Bounds, TranspositionTable};
//!
//! let table = TranspositionTable::with_buckets(25, 1000).unwrap();
//! let slot = table.locate((0b101, 0b10));
//! assert_eq!(table.get(&slot), None);
//! table.put(&slot, Bounds { lower: -1, upper: 3 }, 5);
//! assert_eq!(table.get(&slot), Some(Bounds { lower: -1, upper: 3 }));
//! ```

use super::memory::{Lines, WideLine, prefetch};
use crate::sync::{AtomicU128, Ordering};

/// The number of bits of a tag.
pub const TAG_BITS: u32 = 107;
const TAG_MASK: u128 = (1 << TAG_BITS) - 1;
const LOWER_SHIFT: u32 = TAG_BITS;
const BOUND_BITS: u32 = 8;
const UPPER_SHIFT: u32 = LOWER_SHIFT + BOUND_BITS;
const EFFORT_SHIFT: u32 = UPPER_SHIFT + BOUND_BITS;
/// Added to a bound to store it as 0 to 255.
const OFFSET: i32 = 128;
/// The largest effort, whose entries are the last to be replaced.
pub const MAX_EFFORT: u32 = 31;

/// Bounds on a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The lower bound.
    pub lower: i32,
    /// The upper bound.
    pub upper: i32,
}

impl Bounds {
    /// The intersection of two pairs of bounds on the same value.
    pub fn and(self, other: Bounds) -> Bounds {
        Bounds { lower: self.lower.max(other.lower), upper: self.upper.min(other.upper) }
    }

    /// The value, if the bounds meet.
    pub fn exact(self) -> Option<i32> {
        (self.lower == self.upper).then_some(self.lower)
    }
}

/// An entry of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The pair of sets, or the two words of another key.
    pub pair: (u64, u64),
    /// The bounds on its value.
    pub bounds: Bounds,
    /// The binary logarithm of the number of nodes searched for them, 1 to 31.
    pub effort: u32,
}

impl Entry {
    /// The pair as one number, the first word in the lower half: the key in a table of classes.
    pub fn key(&self) -> u128 {
        u128::from(self.pair.0) | u128::from(self.pair.1) << u64::BITS
    }
}

/// A bucket, and the tag by which an entry is found in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    pub(super) bucket: usize,
    pub(super) tag: u128,
}

/// A lossy table of bounds. `K` determines how keys become slots: [`Pairs`], or
/// [`Classes`](super::classes::Classes).
pub struct BoundsTable<K> {
    buckets: Lines<WideLine>,
    pub(super) keys: K,
}

/// Keys that are pairs of sets, without equivalent ones.
pub struct Pairs {
    /// The number of bits of a set.
    bits: u32,
}

/// A lossy transposition table of pairs of sets. See the [module](self).
pub type TranspositionTable = BoundsTable<Pairs>;

impl<K> BoundsTable<K> {
    /// The largest bound; the least is one below its negative.
    pub const MAX_BOUND: i32 = OFFSET - 1;
    /// The size of a bucket in bytes.
    pub const BUCKET_BYTES: usize = size_of::<WideLine>();

    /// A table of at least one bucket. `None` if the memory is not available.
    pub(super) fn new(keys: K, buckets: usize) -> Option<BoundsTable<K>> {
        Some(BoundsTable { buckets: Lines::zeroed(buckets)?, keys })
    }

    /// The number of buckets.
    #[inline(always)]
    pub(super) fn buckets(&self) -> usize {
        self.buckets.len()
    }

    /// The number of slots.
    pub fn slots(&self) -> usize {
        self.buckets() * size_of::<WideLine>() / size_of::<u128>()
    }

    /// The size of the table in bytes.
    pub fn bytes(&self) -> u64 {
        self.buckets() as u64 * Self::BUCKET_BYTES as u64
    }

    /// An estimate of the fraction of slots in use, from a sample of buckets.
    pub fn fill(&self) -> f64 {
        const SAMPLE: usize = 4096;
        let sample = || self.buckets.iter().take(SAMPLE).flatten();
        let used = sample().filter(|slot| slot.load(Ordering::Relaxed) != 0).count();
        used as f64 / sample().count() as f64
    }

    /// Prefetches the bucket of a slot. Several should be prefetched one right after the other, so
    /// that the processor translates their addresses at the same time.
    #[inline(always)]
    pub fn prefetch(&self, slot: &Slot) {
        prefetch(&self.buckets[slot.bucket]);
    }

    /// The first entry of a bucket whose tag meets a condition: the tag and the bounds.
    #[inline(always)]
    pub(super) fn find(
        &self,
        bucket: usize,
        mut wanted: impl FnMut(u128) -> bool,
    ) -> Option<(u128, Bounds)> {
        self.buckets[bucket].iter().find_map(|entry| {
            let word = entry.load(Ordering::Relaxed);
            let tag = word & TAG_MASK;
            (word != 0 && wanted(tag)).then(|| (tag, bounds_of(word)))
        })
    }

    /// Stores bounds, between -128 and 127, with the binary logarithm of the work they took.
    /// Replaces earlier bounds of the same key, otherwise those that took the least work.
    pub fn put(&self, slot: &Slot, bounds: Bounds, effort: u32) {
        let word = slot.tag
            | ((bounds.lower + OFFSET) as u128) << LOWER_SHIFT
            | ((bounds.upper + OFFSET) as u128) << UPPER_SHIFT
            | u128::from(effort.clamp(1, MAX_EFFORT)) << EFFORT_SHIFT;
        let bucket = &self.buckets[slot.bucket];
        let rank = |entry: &&AtomicU128| {
            let word = entry.load(Ordering::Relaxed);
            if word & TAG_MASK == slot.tag && word != 0 {
                0
            } else {
                1 + (word >> EFFORT_SHIFT) as u32
            }
        };
        let entry = bucket.iter().min_by_key(rank).expect("a bucket has entries");
        entry.store(word, Ordering::Relaxed);
    }

    /// Iterates over the slots in use, with their bounds and efforts.
    pub(super) fn slots_in_use(&self) -> impl Iterator<Item = (Slot, Bounds, u32)> + '_ {
        let words = self.buckets.iter().enumerate();
        let words = words.flat_map(|(i, bucket)| bucket.iter().map(move |slot| (i, slot)));
        let words = words.map(|(i, slot)| (i, slot.load(Ordering::Relaxed)));
        words.filter(|&(_, word)| word != 0).map(|(bucket, word)| {
            let slot = Slot { bucket, tag: word & TAG_MASK };
            (slot, bounds_of(word), (word >> EFFORT_SHIFT) as u32)
        })
    }
}

impl TranspositionTable {
    /// The least number of buckets of a table for sets of 1 to 64 cells.
    pub fn min_buckets(cells: usize) -> usize {
        let surplus = (2 * cells as u32).saturating_sub(TAG_BITS);
        1 << surplus
    }

    /// The greatest number of buckets that such a table can use.
    pub fn max_buckets(cells: usize) -> usize {
        1_usize.checked_shl(cells as u32).unwrap_or(usize::MAX)
    }

    /// Creates a table for sets of 1 to 64 cells with the given number of buckets, or the nearest
    /// possible one. `None` if the memory is not available.
    pub fn with_buckets(cells: usize, buckets: usize) -> Option<TranspositionTable> {
        assert!((1..=64).contains(&cells), "a set fits a word");
        let buckets = buckets.clamp(Self::min_buckets(cells), Self::max_buckets(cells));
        TranspositionTable::new(Pairs { bits: cells as u32 }, buckets)
    }

    /// Computes the bucket and the tag of a pair.
    #[inline(always)]
    pub fn locate(&self, pair: (u64, u64)) -> Slot {
        let (a, b) = scramble(pair, self.keys.bits);
        let product = u128::from(b) * self.buckets() as u128;
        let bucket = (product >> self.keys.bits) as usize;
        let remainder = (product as u64 & mask(self.keys.bits)) >> self.dropped();
        Slot { bucket, tag: u128::from(remainder) << self.keys.bits | u128::from(a) }
    }

    /// The number of bits of the fractional part that the tag omits.
    #[inline]
    fn dropped(&self) -> u32 {
        self.buckets().ilog2()
    }

    /// Returns the bounds of a pair, if the table has them.
    #[inline]
    pub fn get(&self, slot: &Slot) -> Option<Bounds> {
        self.find(slot.bucket, |tag| tag == slot.tag).map(|(_, bounds)| bounds)
    }

    /// Iterates over all entries, in the order of the table.
    pub fn iter(&self) -> impl Iterator<Item = Entry> + '_ {
        let buckets = self.buckets() as u128;
        self.slots_in_use().map(move |(Slot { bucket, tag }, bounds, effort)| {
            let a = tag as u64 & mask(self.keys.bits);
            let least =
                (bucket as u128) << self.keys.bits | (tag >> self.keys.bits) << self.dropped();
            let b = least.div_ceil(buckets) as u64;
            Entry { pair: scramble((a, b), self.keys.bits), bounds, effort }
        })
    }
}

#[inline]
fn bounds_of(word: u128) -> Bounds {
    let bound = |shift: u32| (word >> shift) as i32 & 255;
    Bounds { lower: bound(LOWER_SHIFT) - OFFSET, upper: bound(UPPER_SHIFT) - OFFSET }
}

fn mask(bits: u32) -> u64 {
    u64::MAX >> (64 - bits)
}

/// A pseudo-random permutation of pairs of words of the given number of bits, a Feistel network of
/// three rounds (Luby and Rackoff, 1988). It is its own inverse.
#[inline(always)]
fn scramble((mut a, mut b): (u64, u64), bits: u32) -> (u64, u64) {
    b ^= hash(a) & mask(bits);
    a ^= hash(b) & mask(bits);
    b ^= hash(a) & mask(bits);
    (a, b)
}

#[inline(always)]
pub(super) fn hash(word: u64) -> u64 {
    let mixed = word.wrapping_add(0x632B_E59B_D9B4_E019).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mixed = (mixed ^ mixed >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    mixed ^ mixed >> 32
}

#[cfg(test)]
mod tests;
