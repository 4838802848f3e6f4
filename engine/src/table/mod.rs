//! Transposition tables, shared between threads.
//!
//! * `sharded.rs`: a lock-free table without loss, one value per position, with exclusive claims;
//! * `transposition.rs`: a lossy table of bounds on values, by pairs of sets;
//! * `classes.rs`: the same for classes of equivalent positions;
//! * `in_progress.rs`: the positions being searched, for simplified ABDADA;
//! * `memory.rs`: zeroed cache lines on huge pages.

pub mod classes;
mod in_progress;
mod memory;
pub mod sharded;
pub mod transposition;

pub use classes::ClassTable;
pub use in_progress::InProgress;
pub use memory::Lines;
pub(crate) use memory::prefetch;
pub use sharded::{Claim, ShardFull, ShardedTable};
pub use transposition::{Bounds, TranspositionTable};

#[cfg(test)]
mod tests {
    /// Runs `work` on four threads at once, each with its number. They are joined explicitly,
    /// because ThreadSanitizer does not detect the synchronisation at the end of a scope, which is
    /// inside the standard library.
    pub fn on_four_threads(work: impl Fn(u64) + Sync) {
        std::thread::scope(|scope| {
            let work = &work;
            let threads: Vec<_> = (0..4).map(|thread| scope.spawn(move || work(thread))).collect();
            for thread in threads {
                thread.join().expect("a thread that does not panic");
            }
        });
    }
}
