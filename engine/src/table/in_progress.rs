//! Which positions the threads of a search are at.

use std::sync::atomic::{AtomicU64, Ordering};

/// Large positions that some thread is searching, by a number that is most likely theirs alone. A
/// wrong answer costs work only.
pub struct InProgress(Box<[AtomicU64]>);

impl Default for InProgress {
    fn default() -> InProgress {
        InProgress((0..1 << InProgress::BITS).map(|_| AtomicU64::new(0)).collect())
    }
}

impl InProgress {
    const BITS: u32 = 12;

    fn slot(&self, position: u64) -> (&AtomicU64, u64) {
        let hash = position.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (&self.0[(hash >> (64 - InProgress::BITS)) as usize], hash | 1)
    }

    /// A thread begins with a position.
    pub fn begin(&self, position: u64) {
        let (slot, hash) = self.slot(position);
        slot.store(hash, Ordering::Relaxed);
    }

    /// A thread is through with a position.
    pub fn end(&self, position: u64) {
        self.slot(position).0.store(0, Ordering::Relaxed);
    }

    /// Whether a thread is at a position.
    pub fn has(&self, position: u64) -> bool {
        let (slot, hash) = self.slot(position);
        slot.load(Ordering::Relaxed) == hash
    }
}
