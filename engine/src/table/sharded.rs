//! A lock-free hash table from 56-bit keys to 8-bit values, with one atomic word per entry.
//!
//! The table uses open addressing in shards. The upper bits of the hash select the shard and, in
//! it, a bucket of eight words, one cache line; a full bucket overflows into the next one of the
//! shard. One compare-and-swap **claims** an entry, which makes exactly one thread responsible for
//! its value; the value is stored into the same word later. Entries are never moved or removed, so
//! a slot stays valid.
//!
//! A word is 0 if the slot is free. Otherwise the lower 56 bits are the key and the upper 8 the
//! value plus 128, or 0 while the value is not known. Relaxed accesses suffice, because an entry is
//! a single word. `engine/tests/table_model.rs` checks every interleaving on a tiny table.
//!
//! ```
//! use bsq_engine::table::{Claim, ShardedTable};
//!
//! let table = ShardedTable::with_capacity_for(100).unwrap();
//! let Ok(Claim::New(slot)) = table.claim(7, table.locate(7)) else { panic!() };
//! assert_eq!(table.claim(7, table.locate(7)), Ok(Claim::Open(slot)));
//! table.settle(slot, -3);
//! assert_eq!(table.get(7), Some(-3));
//! ```

use super::memory::{LINE, Line, Lines, prefetch};
use crate::sync::{AtomicU64, Ordering};

/// The number of bits of a key.
pub const KEY_BITS: u32 = 56;
const KEY_MASK: u64 = (1 << KEY_BITS) - 1;
const VALUE_OFFSET: i32 = 128;

/// The result of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// The key was absent. The caller now owns the slot and must [settle](ShardedTable::settle) it.
    New(usize),
    /// The key is present, but its value is not known yet.
    Open(usize),
    /// The key is present with its value.
    Known(i32),
}

/// A shard has no free slot left.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "shard {shard} of {shards} of the table is full at {slots} slots; nothing was lost, but the table was made too small"
)]
pub struct ShardFull {
    /// The number of the shard.
    pub shard: usize,
    /// The number of shards.
    pub shards: usize,
    /// The number of slots of each.
    pub slots: usize,
}

/// A lock-free hash table in shards. See the [module](self).
///
/// Slots are numbered: eight times the number of the bucket plus the index in it.
pub struct ShardedTable {
    buckets: Lines,
    shards: usize,
}

impl ShardedTable {
    /// The largest number of shards. Small tables have fewer, so that shards fill evenly.
    const MAX_SHARDS: usize = 64;
    const MIN_SHARD_BUCKETS: usize = 512;
    /// Slots per entry, as a ratio: the load factor is at most 2/3.
    const ROOM: (u64, u64) = (3, 2);

    /// Creates a table for the given number of entries, with a load factor of at most 2/3. `None`
    /// if the memory is not available or the number of slots exceeds 32 bits.
    pub fn with_capacity_for(entries: u64) -> Option<ShardedTable> {
        let buckets = Self::buckets_for(entries);
        u32::try_from(buckets.checked_mul(LINE as u64)?).ok()?;
        let shards = (buckets as usize / Self::MIN_SHARD_BUCKETS).clamp(1, Self::MAX_SHARDS);
        ShardedTable::with_shards(shards, (buckets as usize).div_ceil(shards))
    }

    /// The size in bytes of a [table for the given number of entries](Self::with_capacity_for), but
    /// for rounding.
    pub fn bytes_for(entries: u64) -> u64 {
        Self::buckets_for(entries).saturating_mul(size_of::<Line>() as u64)
    }

    fn buckets_for(entries: u64) -> u64 {
        let slots = entries.saturating_mul(Self::ROOM.0) / Self::ROOM.1;
        (slots / LINE as u64 + 1).max(Self::MIN_SHARD_BUCKETS as u64)
    }

    /// Creates a table with the given number of shards of `buckets` buckets of eight slots. `None`
    /// if the memory is not available.
    pub fn with_shards(shards: usize, buckets: usize) -> Option<ShardedTable> {
        let buckets = Lines::zeroed(shards.checked_mul(buckets)?)?;
        Some(ShardedTable { buckets, shards })
    }

    /// The number of slots.
    pub fn slots(&self) -> usize {
        self.buckets.len() * LINE
    }

    /// The size in bytes.
    pub fn bytes(&self) -> u64 {
        size_of_val(&self.buckets[..]) as u64
    }

    #[inline(always)]
    fn slot(&self, slot: usize) -> &AtomicU64 {
        &self.buckets[slot / LINE][slot % LINE]
    }

    /// Returns the home slot of a key, where probing begins, and prefetches it.
    #[inline(always)]
    pub fn locate(&self, key: u64) -> usize {
        let home = self.home(key);
        self.fetch(home);
        home
    }

    /// Prefetches a slot.
    #[inline(always)]
    pub fn fetch(&self, slot: usize) {
        prefetch(&self.buckets[slot / LINE]);
    }

    #[inline(always)]
    fn home(&self, key: u64) -> usize {
        let hash = mix(key);
        let bucket = (u128::from(hash) * self.buckets.len() as u128) >> 64;
        bucket as usize * LINE + (hash as usize % LINE)
    }

    /// Looks for a key in the first two slots of its probe sequence only. Returns whether its value
    /// is there, and the value, which is arbitrary otherwise. No branch depends on the content of
    /// the table, as loops over many keys require.
    #[inline(always)]
    pub fn glance(&self, key: u64, home: usize) -> (bool, i8) {
        let bucket = &self.buckets[home / LINE];
        let near = bucket[home % LINE].load(Ordering::Relaxed);
        let next = bucket[(home % LINE) ^ 1].load(Ordering::Relaxed);
        let word = if near & KEY_MASK == key { near } else { next };
        let biased = (word >> KEY_BITS) as i32;
        ((word & KEY_MASK == key) & (biased != 0), (biased - VALUE_OFFSET) as i8)
    }

    /// Returns the value of a key, if the table has it.
    pub fn get(&self, key: u64) -> Option<i32> {
        let found = self.probe(self.home(key), |_, word| {
            (word == 0 || word & KEY_MASK == key).then(|| known(word, key))
        });
        found.ok().flatten()
    }

    /// Finds a key, or claims a free slot for it. `home` is the result of [`locate`](Self::locate).
    /// The key must be between 1 and 2^56 - 1.
    ///
    /// # Errors
    ///
    /// If the key is absent and its shard is full. The table stays valid.
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

    /// Passes the slots of a probe sequence, with their words, to `look` until it returns a result:
    /// first the home bucket, from the home slot on, then the following buckets of the shard,
    /// cyclically.
    #[inline(always)]
    fn probe<T>(
        &self,
        home: usize,
        mut look: impl FnMut(usize, u64) -> Option<T>,
    ) -> Result<T, ShardFull> {
        match self.probe_bucket(home, &mut look) {
            Some(found) => Ok(found),
            None => self.probe_next_buckets(home, look),
        }
    }

    #[inline(always)]
    fn probe_bucket<T>(
        &self,
        home: usize,
        look: &mut impl FnMut(usize, u64) -> Option<T>,
    ) -> Option<T> {
        let bucket = &self.buckets[home / LINE];
        (0..LINE).find_map(|i| {
            let slot = home ^ i;
            look(slot, bucket[slot % LINE].load(Ordering::Relaxed))
        })
    }

    #[cold]
    fn probe_next_buckets<T>(
        &self,
        home: usize,
        mut look: impl FnMut(usize, u64) -> Option<T>,
    ) -> Result<T, ShardFull> {
        let slots = self.slots() / self.shards;
        let shard = home / slots;
        let first = shard * slots;
        let mut homes =
            (1..slots / LINE).map(|bucket| first + (home - first + bucket * LINE) % slots);
        let found = homes.find_map(|home| self.probe_bucket(home, &mut look));
        found.ok_or(ShardFull { shard, shards: self.shards, slots })
    }

    /// Returns the value of a claimed slot, if it is known.
    #[inline]
    pub fn value_in(&self, slot: usize) -> Option<i32> {
        let word = self.slot(slot).load(Ordering::Relaxed);
        known(word, word & KEY_MASK)
    }

    /// Stores the value of a slot that the caller claimed, between -127 and 127.
    #[inline]
    pub fn settle(&self, slot: usize, value: i32) {
        debug_assert!((1 - VALUE_OFFSET..VALUE_OFFSET).contains(&value));
        let slot = self.slot(slot);
        let key = slot.load(Ordering::Relaxed) & KEY_MASK;
        let word = key | ((value + VALUE_OFFSET) as u64) << KEY_BITS;
        slot.store(word, Ordering::Relaxed);
    }

    /// Iterates over all keys with a known value, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = (u64, i32)> + '_ {
        self.buckets.iter().flatten().filter_map(|word| {
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

/// Hashes a key to all 64 bits.
#[inline(always)]
fn mix(key: u64) -> u64 {
    let hash = key.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (hash ^ hash >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93)
}

#[cfg(test)]
mod tests;
