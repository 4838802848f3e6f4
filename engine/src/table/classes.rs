//! A lossy transposition table for classes of equivalent positions without a normal form.
//!
//! The table is for positions whose equivalence can be decided, but for which a representative of
//! the class is expensive to find. An invariant of the class serves as its **signature**. Part of
//! the signature selects the bucket. The rest is stored with the entry, together with the whole key
//! of the position that was valued. An entry with the right signature is used only if its key is
//! the same or equivalent. A signature that two classes share therefore costs time, but never gives
//! a wrong bound.
//!
//! Entries, buckets and replacement are those of the [table of pairs](super::transposition).
//!
//! ```
//! use bsq_engine::table::{Bounds, ClassTable};
//!
//! // Keys are equivalent if they are equal modulo 10.
//! let table = ClassTable::with_buckets(8, 1000).unwrap();
//! let signature = |key: u128| key as u64 % 10;
//! let slot = table.locate(signature(3), 3);
//! table.put(&slot, Bounds { lower: -1, upper: 3 }, 5);
//! let mut slot = table.locate(signature(23), 23);
//! let found = table.get(&mut slot, |key| key % 10 == 3);
//! assert_eq!(found, Some(Bounds { lower: -1, upper: 3 }));
//! ```

use super::transposition::{Bounds, BoundsTable, Entry, Slot, TAG_BITS, hash};

/// Keys of positions, some of which are equivalent.
pub struct Classes {
    key_bits: u32,
}

/// A lossy transposition table for classes. See the [module](self).
pub type ClassTable = BoundsTable<Classes>;

impl ClassTable {
    /// Creates a table for keys of 1 to [`TAG_BITS`] bits with the given number of buckets, at
    /// least one. `None` if the memory is not available.
    pub fn with_buckets(key_bits: u32, buckets: usize) -> Option<ClassTable> {
        assert!((1..=TAG_BITS).contains(&key_bits), "a key fits a tag");
        ClassTable::new(Classes { key_bits }, buckets.max(1))
    }

    /// The slot of a key whose class has the given signature.
    #[inline(always)]
    pub fn locate(&self, signature: u64, key: u128) -> Slot {
        debug_assert_eq!(key >> self.keys.key_bits, 0, "a key has {} bits", self.keys.key_bits);
        let signature = hash(signature);
        let bucket = (u128::from(signature) * self.buckets() as u128) >> 64;
        let rest = u128::from(signature) << self.keys.key_bits & ((1 << TAG_BITS) - 1);
        Slot { bucket: bucket as usize, tag: rest | key }
    }

    /// Returns the bounds of an entry with the signature of a slot.
    ///
    /// The entry may be that of another class with the same signature.
    #[inline(always)]
    pub fn glance(&self, slot: &Slot) -> Option<Bounds> {
        self.find(slot.bucket, |tag| self.signature_is(tag, slot)).map(|(_, bounds)| bounds)
    }

    /// Returns the bounds of the class, if the table has them.
    ///
    /// `equivalent` decides whether another key with the same signature is equivalent. The slot
    /// becomes that of the entry, so that [`put`](Self::put) replaces it.
    #[inline(always)]
    pub fn get(&self, slot: &mut Slot, equivalent: impl Fn(u128) -> bool) -> Option<Bounds> {
        let mask = (1_u128 << self.keys.key_bits) - 1;
        let (tag, bounds) = self.find(slot.bucket, |tag| {
            self.signature_is(tag, slot) && (tag == slot.tag || equivalent(tag & mask))
        })?;
        slot.tag = tag;
        Some(bounds)
    }

    #[inline(always)]
    fn signature_is(&self, tag: u128, slot: &Slot) -> bool {
        (tag ^ slot.tag) >> self.keys.key_bits == 0
    }

    /// Iterates over all entries, in the order of the table. The pair of an entry is the lower and
    /// the upper half of its [key](Entry::key).
    pub fn iter(&self) -> impl Iterator<Item = Entry> + '_ {
        self.slots_in_use().map(|(slot, bounds, effort)| {
            let key = slot.tag & ((1 << self.keys.key_bits) - 1);
            Entry { pair: (key as u64, (key >> 64) as u64), bounds, effort }
        })
    }
}

#[cfg(test)]
mod tests;
