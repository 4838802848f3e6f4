//! What threads share: the types of the standard library, or those of loom, which runs the models in
//! `engine/tests/table_model.rs` in every interleaving.
//!
//! Structures whose correctness depends on interleavings take their atomics from here. Flags that
//! only end a loop earlier, and counts that are only printed, need no model.

#[cfg(loom)]
pub use loom::{
    hint::spin_loop,
    sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering},
    thread::yield_now,
};
#[cfg(not(loom))]
pub use portable_atomic::AtomicU128;
#[cfg(not(loom))]
pub use std::{
    hint::spin_loop,
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
    thread::yield_now,
};
#[cfg(loom)]
pub use wide::AtomicU128;

#[cfg(loom)]
mod wide {
    use super::{AtomicUsize, Ordering};
    use std::sync::{Mutex, PoisonError};

    /// A 128-bit atomic, which loom does not have: the atomic index of a value in a list that only
    /// grows. The list is private to the model: loom does not switch threads while it is locked.
    pub struct AtomicU128 {
        index: AtomicUsize,
        values: Mutex<Vec<u128>>,
    }

    impl Default for AtomicU128 {
        fn default() -> AtomicU128 {
            AtomicU128 { index: AtomicUsize::new(0), values: Mutex::new(vec![0]) }
        }
    }

    impl AtomicU128 {
        pub fn load(&self, order: Ordering) -> u128 {
            let index = self.index.load(order);
            self.values.lock().unwrap_or_else(PoisonError::into_inner)[index]
        }

        pub fn store(&self, value: u128, order: Ordering) {
            let index = {
                let mut values = self.values.lock().unwrap_or_else(PoisonError::into_inner);
                values.push(value);
                values.len() - 1
            };
            self.index.store(index, order);
        }
    }
}
