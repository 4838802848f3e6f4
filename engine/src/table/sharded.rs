//! A lock-free hash table from 56-bit keys to 8-bit values, one atomic word an entry.
//!
//! Open addressing in shards, which the top of the hash chooses; within a shard the next bits
//! choose a cache line of eight words, and a full line sends on to the next. An entry is
//! claimed by one compare-and-swap, which makes exactly one thread responsible for its value;
//! the value is stored later into the same word. Entries are never moved or removed, so a
//! slot, once known, stays valid.
//!
//! A word is 0 where the slot is free; otherwise the key in the low 56 bits and, above it, the
//! value plus 128, or 0 as long as the value is not known. All accesses may be relaxed: a word
//! carries everything that a reader learns from it.

use super::memory::{AtomicU64, LINE, Lines, Ordering, prefetch};

/// Bits of a key.
pub const KEY_BITS: u32 = 56;
const KEY_MASK: u64 = (1 << KEY_BITS) - 1;
const VALUE_OFFSET: i32 = 128;

/// What a claim found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// The key was absent; the slot is the caller's, who owes it a value.
    New(usize),
    /// The key is there and its value is still to come.
    Open(usize),
    /// The key is there with its value.
    Known(i32),
}

/// A shard has no free slot left.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "shard {shard} of {shards} of the table is full at {slots} slots; nothing was lost, but the table was made too small"
)]
pub struct ShardFull {
    /// Which shard.
    pub shard: usize,
    /// How many shards there are.
    pub shards: usize,
    /// Slots in each.
    pub slots: usize,
}

/// The table. See the [module](self).
///
/// A slot is named by its number: eight times the number of its line, plus its place there.
pub struct ShardedTable {
    lines: Lines,
    shards: usize,
}

impl ShardedTable {
    /// The largest shard count; tables of few entries have fewer shards, so that each is
    /// large enough for chance not to fill it.
    const MAX_SHARDS: usize = 64;
    const MIN_SHARD_LINES: usize = 512;
    /// Slots per entry, as a ratio: at most two thirds of them will be used.
    const ROOM: (u64, u64) = (3, 2);

    /// A table with room for that many entries, a third of its slots to spare; none if memory
    /// does not suffice, or slots would not be counted by 32 bits.
    pub fn with_capacity_for(entries: u64) -> Option<ShardedTable> {
        let slots = entries.checked_mul(Self::ROOM.0)? / Self::ROOM.1;
        let slots = u32::try_from(slots).ok()? as usize;
        let lines = (slots / LINE + 1).max(Self::MIN_SHARD_LINES);
        let shards = (lines / Self::MIN_SHARD_LINES).clamp(1, Self::MAX_SHARDS);
        ShardedTable::with_shards(shards, lines.div_ceil(shards))
    }

    /// A table of that many shards of that many lines of eight slots.
    pub fn with_shards(shards: usize, lines: usize) -> Option<ShardedTable> {
        let lines = Lines::zeroed(shards.checked_mul(lines)?)?;
        Some(ShardedTable { lines, shards })
    }

    /// Number of slots.
    pub fn slots(&self) -> usize {
        self.lines.len() * LINE
    }

    #[inline(always)]
    fn slot(&self, slot: usize) -> &AtomicU64 {
        &self.lines[slot / LINE][slot % LINE]
    }

    /// Where the search for a key begins. Prefetches that place.
    #[inline(always)]
    pub fn locate(&self, key: u64) -> usize {
        let home = self.home(key);
        self.fetch(home);
        home
    }

    /// Prefetches a slot.
    #[inline(always)]
    pub fn fetch(&self, slot: usize) {
        prefetch(&self.lines[slot / LINE]);
    }

    #[inline(always)]
    fn home(&self, key: u64) -> usize {
        let hash = mix(key);
        let line = (u128::from(hash) * self.lines.len() as u128) >> 64;
        line as usize * LINE + (hash as usize % LINE)
    }

    /// Looks at the first two places where a key can be, and nowhere else: whether its value is
    /// there, and the value, which means nothing otherwise. No branch depends on the table,
    /// which is what loops over many keys need.
    #[inline(always)]
    pub fn glance(&self, key: u64, home: usize) -> (bool, i8) {
        let line = &self.lines[home / LINE];
        let near = line[home % LINE].load(Ordering::Relaxed);
        let next = line[(home % LINE) ^ 1].load(Ordering::Relaxed);
        let word = if near & KEY_MASK == key { near } else { next };
        let biased = (word >> KEY_BITS) as i32;
        ((word & KEY_MASK == key) & (biased != 0), (biased - VALUE_OFFSET) as i8)
    }

    /// The value of a key, if the table has it.
    pub fn get(&self, key: u64) -> Option<i32> {
        let found = self.probe(self.home(key), |_, word| {
            (word == 0 || word & KEY_MASK == key).then(|| known(word, key))
        });
        found.ok().flatten()
    }

    /// Finds a key or takes a free slot for it. `home` is what [`locate`](Self::locate) said.
    #[inline]
    pub fn claim(&self, key: u64, home: usize) -> Result<Claim, ShardFull> {
        debug_assert!(key != 0 && key <= KEY_MASK);
        self.probe(home, |slot, mut word| {
            if word == 0 {
                let free = self.slot(slot);
                match free.compare_exchange(0, key, Ordering::Relaxed, Ordering::Relaxed) {
                    Ok(_) => return Some(Claim::New(slot)),
                    Err(found) => word = found,
                }
            }
            (word & KEY_MASK == key).then(|| match known(word, key) {
                Some(value) => Claim::Known(value),
                None => Claim::Open(slot),
            })
        })
    }

    /// Shows the slots where a key can be, with their words, until the caller has what it
    /// wants: all of its line from the home slot on, nearest neighbours first, then likewise the
    /// following lines of the shard, round to where it began.
    #[inline(always)]
    fn probe<T>(
        &self,
        home: usize,
        mut look: impl FnMut(usize, u64) -> Option<T>,
    ) -> Result<T, ShardFull> {
        match self.probe_line(home, &mut look) {
            Some(found) => Ok(found),
            None => self.probe_next_lines(home, look),
        }
    }

    #[inline(always)]
    fn probe_line<T>(
        &self,
        home: usize,
        look: &mut impl FnMut(usize, u64) -> Option<T>,
    ) -> Option<T> {
        let line = &self.lines[home / LINE];
        (0..LINE).find_map(|i| {
            let slot = home ^ i;
            look(slot, line[slot % LINE].load(Ordering::Relaxed))
        })
    }

    #[cold]
    fn probe_next_lines<T>(
        &self,
        home: usize,
        mut look: impl FnMut(usize, u64) -> Option<T>,
    ) -> Result<T, ShardFull> {
        let slots = self.slots() / self.shards;
        let shard = home / slots;
        let first = shard * slots;
        let mut homes = (1..slots / LINE).map(|line| first + (home - first + line * LINE) % slots);
        let found = homes.find_map(|home| self.probe_line(home, &mut look));
        found.ok_or(ShardFull { shard, shards: self.shards, slots })
    }

    /// The value in a claimed slot, if it is known by now.
    #[inline]
    pub fn value_in(&self, slot: usize) -> Option<i32> {
        let word = self.slot(slot).load(Ordering::Relaxed);
        known(word, word & KEY_MASK)
    }

    /// Stores the value, between -127 and 127, of a slot that the caller claimed.
    #[inline]
    pub fn settle(&self, slot: usize, value: i32) {
        debug_assert!((1 - VALUE_OFFSET..VALUE_OFFSET).contains(&value));
        let slot = self.slot(slot);
        let key = slot.load(Ordering::Relaxed) & KEY_MASK;
        let word = key | ((value + VALUE_OFFSET) as u64) << KEY_BITS;
        slot.store(word, Ordering::Relaxed);
    }

    /// Every key with a known value, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = (u64, i32)> + '_ {
        self.lines.iter().flatten().filter_map(|word| {
            let word = word.load(Ordering::Relaxed);
            known(word, word & KEY_MASK).map(|value| (word & KEY_MASK, value))
        })
    }
}

#[inline(always)]
fn known(word: u64, key: u64) -> Option<i32> {
    let value = (word >> KEY_BITS) as i32;
    (word & KEY_MASK == key && value != 0).then_some(value - VALUE_OFFSET)
}

/// Spreads a key over all 64 bits.
#[inline(always)]
fn mix(key: u64) -> u64 {
    let hash = key.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (hash ^ hash >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93)
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::super::tests::on_four_threads;
    use super::*;

    fn put(table: &ShardedTable, key: u64, value: i32) -> Result<(), ShardFull> {
        match table.claim(key, table.locate(key))? {
            Claim::New(slot) => table.settle(slot, value),
            other => panic!("{key} was there: {other:?}"),
        }
        Ok(())
    }

    #[test]
    fn holds_what_was_put_until_every_slot_is_taken() {
        let table = ShardedTable::with_shards(1, 4).unwrap();
        for key in 1..=32 {
            assert_eq!(table.get(key), None);
            put(&table, key, key as i32 - 16).unwrap();
        }
        for key in 1..=32 {
            assert_eq!(table.get(key), Some(key as i32 - 16));
            assert_eq!(table.claim(key, table.locate(key)), Ok(Claim::Known(key as i32 - 16)));
        }
        let full = put(&table, 99, 0).unwrap_err();
        assert_eq!(full, ShardFull { shard: 0, shards: 1, slots: 32 });
        assert_eq!(table.iter().count(), 32);
    }

    #[test]
    fn a_full_shard_leaves_the_others_alone() {
        let table = ShardedTable::with_shards(4, 1).unwrap();
        let results: Vec<bool> = (1..200).map(|key| put(&table, key, 1).is_ok()).collect();
        assert_eq!(results.iter().filter(|&&stored| stored).count(), 32);
        assert_eq!(table.iter().count(), 32);
    }

    #[test]
    fn an_open_entry_has_no_value() {
        let table = ShardedTable::with_capacity_for(10).unwrap();
        let Ok(Claim::New(slot)) = table.claim(7, table.locate(7)) else { panic!() };
        assert_eq!(table.claim(7, table.locate(7)), Ok(Claim::Open(slot)));
        assert_eq!((table.get(7), table.value_in(slot)), (None, None));
        table.settle(slot, -127);
        assert_eq!((table.get(7), table.value_in(slot)), (Some(-127), Some(-127)));
    }

    #[test]
    fn threads_claim_each_key_once() {
        let table = ShardedTable::with_capacity_for(20_000).unwrap();
        let claimed = std::sync::atomic::AtomicUsize::new(0);
        on_four_threads(|thread| {
            for i in 0..20_000 {
                let key = 1 + (i * 7919 + thread * 4999) % 20_000;
                if let Ok(Claim::New(slot)) = table.claim(key, table.locate(key)) {
                    claimed.fetch_add(1, Ordering::Relaxed);
                    table.settle(slot, (key % 255) as i32 - 127);
                }
            }
        });
        assert_eq!(claimed.into_inner(), 20_000);
        assert!(table.iter().all(|(key, value)| value == (key % 255) as i32 - 127));
        assert_eq!(table.iter().count(), 20_000);
    }
}
