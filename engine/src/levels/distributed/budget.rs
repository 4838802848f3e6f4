//! The memory budget of a process, divided among its workers.

use crate::levels::budget::{FIXED, MIN_ROW_BYTES, Plan, check_limit, row_reserve};
use crate::levels::error::LevelsError;
use crate::levels::state::StateKey;

/// The memory for the buffers of a connection to another process, and again for those that each
/// worker has for it, in bytes.
const PER_LINK: u64 = 4 << 20;
/// The number of words of a batch: 32 KiB.
const BATCH_WORDS: usize = 1 << 12;
/// The least and the greatest flow-control window: the batches that may be in flight from a worker
/// to another.
const WINDOW: (u64, u64) = (2, 32);

/// The memory budget of a worker.
#[derive(Clone, Copy, Debug)]
pub struct WorkerBudget {
    pub(super) plan: Plan,
    pub(super) batch_words: usize,
    /// The flow-control window: the words that may be in flight from a worker to another.
    pub window_words: usize,
}

impl WorkerBudget {
    /// The budget of each of `threads` workers in each of `processes` processes, if a process may
    /// allocate `memory` bytes (`None` for no limit).
    ///
    /// # Errors
    ///
    /// [`LevelsError::LimitTooSmall`] if that is not enough to begin.
    pub fn new<K: StateKey>(
        memory: Option<u64>,
        threads: usize,
        processes: usize,
    ) -> Result<WorkerBudget, LevelsError> {
        let limit = memory.unwrap_or(u64::MAX);
        let (workers, links) = (threads as u64 * processes as u64, processes as u64 - 1);
        let batch = BATCH_WORDS as u64 * 8;
        // Batches being filled, in flight from here, in flight to here.
        let in_flight = |window: u64| workers * batch * (1 + 2 * window);
        let rows = row_reserve::<K>();
        let each = MIN_ROW_BYTES + rows + PER_LINK * links + in_flight(WINDOW.0);
        let fixed = FIXED + PER_LINK * links;
        let least = fixed + each * threads as u64;
        check_limit(limit, least, threads)?;
        let share = (limit - fixed) / threads as u64 - PER_LINK * links - rows;
        let window = (share / 8 / workers / batch / 2).clamp(WINDOW.0, WINDOW.1);
        let plan = Plan::of(limit, share - in_flight(window), 1);
        let window_words = window as usize * BATCH_WORDS;
        Ok(WorkerBudget { plan, batch_words: BATCH_WORDS, window_words })
    }

    /// A budget of the given number of bytes for states alone. For tests, whose games are so small
    /// that they would never be spilled.
    pub fn without_reserve(memory: u64) -> WorkerBudget {
        WorkerBudget { plan: Plan::of(memory, memory, 1), batch_words: 30, window_words: 60 }
    }
}
