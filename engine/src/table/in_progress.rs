//! The positions being searched by the threads of a parallel search.
//!
//! This is the simplified form of ABDADA (Weill, *The ABDADA Distributed Minimax Search Algorithm*,
//! 1996): all threads search the same tree with a shared transposition table, and a thread
//! postpones moves to positions that another thread is searching. The marks are in a separate small
//! table, not in the transposition table.

use crate::sync::{AtomicU64, Ordering};

/// A lossy set of positions that are being searched, by a hash of the position. A wrong answer only
/// repeats work.
///
/// Relaxed accesses suffice, because a mark says nothing about other memory. A thread removes a mark
/// after it set one in the same slot, in this order for every thread, so the last write to a slot
/// leaves none. `engine/tests/table_model.rs` checks it.
///
/// ```
/// use bsq_engine::table::InProgress;
///
/// let searching = InProgress::default();
/// searching.begin(42);
/// assert!(searching.has(42));
/// searching.end(42);
/// assert!(!searching.has(42));
/// ```
pub struct InProgress(Box<[AtomicU64]>);

impl Default for InProgress {
    fn default() -> InProgress {
        InProgress((0..1 << InProgress::BITS).map(|_| AtomicU64::new(0)).collect())
    }
}

impl InProgress {
    /// The binary logarithm of the number of slots.
    const BITS: u32 = if cfg!(loom) { 1 } else { 12 };

    fn slot(&self, position: u64) -> (&AtomicU64, u64) {
        let hash = position.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (&self.0[(hash >> (64 - InProgress::BITS)) as usize], hash | 1)
    }

    /// Marks a position.
    pub fn begin(&self, position: u64) {
        let (slot, hash) = self.slot(position);
        slot.store(hash, Ordering::Relaxed);
    }

    /// Removes the mark of a position.
    pub fn end(&self, position: u64) {
        self.slot(position).0.store(0, Ordering::Relaxed);
    }

    /// Whether a position is marked.
    pub fn has(&self, position: u64) -> bool {
        let (slot, hash) = self.slot(position);
        slot.load(Ordering::Relaxed) == hash
    }
}
