//! A lossy table from pairs of sets of cells to bounds on a value, one atomic double word an
//! entry.
//!
//! A pair of sets of up to 64 cells each is put through a permutation of its `2 n` bits. The half
//! `b` of what comes out is a fraction `b / 2^n` of the table: times the number of lines `l` it is
//! a line and a remainder. Remainders in a line are `l / 2^n` apart, so without their last
//! `log2 l` bits they still tell one `b` from another. That and the other half are the **tag**,
//! which is stored whole: an entry is for one pair and no other, and the table may have any number
//! of lines that leaves the tag no more than [`TAG_BITS`] bits. A line has four entries. The entry that
//! took the least work gives way when a line is full.
//!
//! A word is 0 where the slot is free. All accesses may be relaxed: a word carries everything
//! that a reader learns from it. Two threads may overwrite each other's entries; what is lost
//! then is only work.

use super::memory::{Lines, Ordering, WideLine, prefetch};

/// Bits of a tag.
pub const TAG_BITS: u32 = 107;
const TAG_MASK: u128 = (1 << TAG_BITS) - 1;
const LOWER_SHIFT: u32 = TAG_BITS;
const BOUND_BITS: u32 = 8;
const UPPER_SHIFT: u32 = LOWER_SHIFT + BOUND_BITS;
const EFFORT_SHIFT: u32 = UPPER_SHIFT + BOUND_BITS;
/// Added to a bound, so that it is stored as 0 to 255.
const OFFSET: i32 = 128;
/// The most effort that an entry remembers.
const MAX_EFFORT: u32 = 31;

/// What is known of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The value is at least that.
    pub lower: i32,
    /// The value is at most that.
    pub upper: i32,
}

impl Bounds {
    /// What both say together.
    pub fn and(self, other: Bounds) -> Bounds {
        Bounds { lower: self.lower.max(other.lower), upper: self.upper.min(other.upper) }
    }
}

/// One pair of sets with its bounds, as the table keeps it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The two sets.
    pub pair: (u64, u64),
    /// What is known.
    pub bounds: Bounds,
    /// The binary logarithm of the work that went into it, at least 1.
    pub effort: u32,
}

/// Where a pair belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    line: usize,
    tag: u128,
}

/// The table. See the [module](self).
pub struct TranspositionTable {
    lines: Lines<WideLine>,
    /// Bits of a set.
    bits: u32,
}

impl TranspositionTable {
    /// The largest bound.
    pub const MAX_BOUND: i32 = OFFSET - 1;
    /// Bytes of a line.
    pub const BUCKET_BYTES: usize = size_of::<WideLine>();

    /// The least lines that a table for sets of that many cells, 1 to 64, needs.
    pub fn min_buckets(cells: usize) -> usize {
        let surplus = (2 * cells as u32).saturating_sub(TAG_BITS);
        1 << surplus
    }

    /// The most lines that such a table can use.
    pub fn max_buckets(cells: usize) -> usize {
        1_usize.checked_shl(cells as u32).unwrap_or(usize::MAX)
    }

    /// A table for sets of that many cells with that many lines, or the nearest number that it
    /// can have; none if there is no memory for it.
    pub fn with_buckets(cells: usize, lines: usize) -> Option<TranspositionTable> {
        assert!((1..=64).contains(&cells), "a set fits a word");
        let lines = lines.clamp(Self::min_buckets(cells), Self::max_buckets(cells));
        Some(TranspositionTable { lines: Lines::zeroed(lines)?, bits: cells as u32 })
    }

    /// Number of slots.
    pub fn slots(&self) -> usize {
        self.lines.len() * size_of::<WideLine>() / size_of::<u128>()
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> u64 {
        self.lines.len() as u64 * Self::BUCKET_BYTES as u64
    }

    /// The share of the slots that are in use, from a sample of the lines.
    pub fn fill(&self) -> f64 {
        const SAMPLE: usize = 4096;
        let sample = || self.lines.iter().take(SAMPLE).flatten();
        let used = sample().filter(|slot| slot.load(Ordering::Relaxed) != 0).count();
        used as f64 / sample().count() as f64
    }

    /// Where a pair belongs. Prefetches that place.
    #[inline(always)]
    pub fn locate(&self, pair: (u64, u64)) -> Slot {
        let (a, b) = scramble(pair, self.bits);
        let product = u128::from(b) * self.lines.len() as u128;
        let line = (product >> self.bits) as usize;
        let remainder = (product as u64 & mask(self.bits)) >> self.dropped();
        prefetch(&self.lines[line]);
        Slot { line, tag: u128::from(remainder) << self.bits | u128::from(a) }
    }

    /// Bits of a remainder that need not be kept.
    #[inline]
    fn dropped(&self) -> u32 {
        self.lines.len().ilog2()
    }

    /// What is known of the pair that belongs there.
    #[inline]
    pub fn get(&self, place: &Slot) -> Option<Bounds> {
        self.lines[place.line].iter().find_map(|slot| {
            let word = slot.load(Ordering::Relaxed);
            (word & TAG_MASK == place.tag && word != 0).then(|| bounds_of(word))
        })
    }

    /// Remembers bounds between -128 and 127, and the binary logarithm of the work they took.
    /// What was known before of the same pair is replaced.
    pub fn put(&self, place: &Slot, bounds: Bounds, effort: u32) {
        let word = place.tag
            | ((bounds.lower + OFFSET) as u128) << LOWER_SHIFT
            | ((bounds.upper + OFFSET) as u128) << UPPER_SHIFT
            | u128::from(effort.clamp(1, MAX_EFFORT)) << EFFORT_SHIFT;
        let line = &self.lines[place.line];
        let rank = |slot: &&portable_atomic::AtomicU128| {
            let word = slot.load(Ordering::Relaxed);
            match word & TAG_MASK == place.tag && word != 0 {
                true => 0,
                false => 1 + (word >> EFFORT_SHIFT) as u32,
            }
        };
        let slot = line.iter().min_by_key(rank).expect("a line has slots");
        slot.store(word, Ordering::Relaxed);
    }

    /// Every entry, in the order of the table.
    pub fn iter(&self) -> impl Iterator<Item = Entry> + '_ {
        let lines = self.lines.len() as u128;
        let entry = move |line: usize, word: u128| {
            let tag = word & TAG_MASK;
            let a = tag as u64 & mask(self.bits);
            let least = (line as u128) << self.bits | (tag >> self.bits) << self.dropped();
            let b = least.div_ceil(lines) as u64;
            Entry {
                pair: scramble((a, b), self.bits),
                bounds: bounds_of(word),
                effort: (word >> EFFORT_SHIFT) as u32,
            }
        };
        let words = self.lines.iter().enumerate();
        let words = words.flat_map(|(i, line)| line.iter().map(move |slot| (i, slot)));
        words
            .map(|(i, slot)| (i, slot.load(Ordering::Relaxed)))
            .filter(|&(_, word)| word != 0)
            .map(move |(i, word)| entry(i, word))
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

/// A permutation of pairs of words of that many bits that leaves no pattern: each half in turn
/// is changed by a hash of the other. Done twice, it is undone.
#[inline(always)]
fn scramble((mut a, mut b): (u64, u64), bits: u32) -> (u64, u64) {
    b ^= hash(a) & mask(bits);
    a ^= hash(b) & mask(bits);
    b ^= hash(a) & mask(bits);
    (a, b)
}

#[inline(always)]
fn hash(word: u64) -> u64 {
    let mixed = word.wrapping_add(0x632B_E59B_D9B4_E019).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mixed = (mixed ^ mixed >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    mixed ^ mixed >> 32
}

#[cfg(test)]
mod tests {
    use super::super::tests::on_four_threads;
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    proptest! {
        #[test]
        fn scrambling_is_undone(a: u64, b: u64, bits in 1_u32..=64) {
            let pair = (a & mask(bits), b & mask(bits));
            prop_assert_eq!(scramble(scramble(pair, bits), bits), pair);
        }

        /// Whatever is found is what was last put there for that very pair.
        #[test]
        fn an_entry_is_for_its_pair_alone(
            puts in prop::collection::vec((any::<[u64; 2]>(), -64_i32..=63, 0_i32..60), 1..200),
            cells in 1_usize..=60,
            lines in 1_usize..40,
        ) {
            let table = TranspositionTable::with_buckets(cells, lines).unwrap();
            let mut last = HashMap::new();
            for ([a, b], lower, width) in puts {
                let pair = (a & mask(cells as u32) & 7, b & mask(cells as u32) & 7);
                let bounds = Bounds { lower, upper: (lower + width).min(63) };
                table.put(&table.locate(pair), bounds, 1 + (a % 40) as u32);
                prop_assert_eq!(table.get(&table.locate(pair)), Some(bounds));
                last.insert(pair, bounds);
            }
            for entry in table.iter() {
                prop_assert_eq!(last.get(&entry.pair), Some(&entry.bounds));
                prop_assert_eq!(table.get(&table.locate(entry.pair)), Some(entry.bounds));
            }
        }
    }

    #[test]
    fn what_took_most_work_stays() {
        let table = TranspositionTable::with_buckets(50, 1).unwrap();
        let known = Bounds { lower: -3, upper: 5 };
        table.put(&table.locate((7, 9)), known, 30);
        for cheap in 0..100 {
            table.put(&table.locate((cheap, 1 << 40)), known, 1 + cheap as u32 % 20);
        }
        assert_eq!(table.get(&table.locate((7, 9))), Some(known));
        assert_eq!(table.iter().count(), table.slots());
        assert_eq!(table.fill(), 1.0);
    }

    #[test]
    fn threads_never_see_half_an_entry() {
        let table = TranspositionTable::with_buckets(60, 2).unwrap();
        let value = |pair: (u64, u64)| (pair.0 * 7 + pair.1 * 3) as i32 % 60 - 30;
        on_four_threads(|thread| {
            for i in 0..20_000 {
                let pair = ((i * 31 + thread) % 50, (i * 17) % 40);
                let place = table.locate(pair);
                if let Some(bounds) = table.get(&place) {
                    assert_eq!((bounds.lower, bounds.upper), (value(pair), value(pair)));
                }
                let bounds = Bounds { lower: value(pair), upper: value(pair) };
                table.put(&place, bounds, (i % 9) as u32);
            }
        });
    }

    #[test]
    fn the_largest_board_needs_a_table_of_some_size() {
        assert_eq!(TranspositionTable::min_buckets(53), 1);
        assert_eq!(TranspositionTable::min_buckets(64), 1 << 21);
        let table = TranspositionTable::with_buckets(64, 1).unwrap();
        let known = Bounds { lower: 1, upper: 2 };
        let pair = (u64::MAX, u64::MAX - 1);
        table.put(&table.locate(pair), known, 3);
        assert_eq!(table.iter().next(), Some(Entry { pair, bounds: known, effort: 3 }));
    }
}
