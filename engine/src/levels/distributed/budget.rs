//! How the memory of a process is shared out among its workers.

use crate::levels::budget::{FIXED, LEAST_ROW_BYTES, Plan, row_reserve};
use crate::levels::error::LevelsError;
use crate::levels::state::StateKey;
use bytesize::ByteSize;

/// Buffers of a connection to another process, and of a worker's part in it.
const PER_LINK: u64 = 4 << 20;
/// A batch has so many words: 32 KiB.
const PARCEL_WORDS: usize = 1 << 12;
/// A worker has so many batches under way to another, at least and at most.
const WINDOW: (u64, u64) = (2, 32);

/// The memory of a worker.
#[derive(Clone, Copy, Debug)]
pub struct WorkerBudget {
    pub(super) plan: Plan,
    pub(super) batch_words: usize,
    /// So many words may be under way from a worker to another.
    pub window_words: usize,
}

impl WorkerBudget {
    /// What each of so many workers in each of so many processes may take if a process may take
    /// so many bytes; no limit if left out.
    pub fn new<W: StateKey>(
        memory: Option<u64>,
        threads: usize,
        processes: usize,
    ) -> Result<WorkerBudget, LevelsError> {
        let limit = memory.unwrap_or(u64::MAX);
        let (workers, links) = (threads as u64 * processes as u64, processes as u64 - 1);
        let batch = PARCEL_WORDS as u64 * 8;
        // Being filled, under way from here, under way to here.
        let under_way = |window: u64| workers * batch * (1 + 2 * window);
        let rows = row_reserve::<W>();
        let each = LEAST_ROW_BYTES + rows + PER_LINK * links + under_way(WINDOW.0);
        let fixed = FIXED + PER_LINK * links;
        let least = fixed + each * threads as u64;
        if limit < least {
            let (limit, least) = (ByteSize(limit), ByteSize(least));
            return Err(LevelsError::LimitTooSmall { limit, least, threads });
        }
        let share = (limit - fixed) / threads as u64 - PER_LINK * links - rows;
        let window = (share / 8 / workers / batch / 2).clamp(WINDOW.0, WINDOW.1);
        let plan = Plan::of(limit, share - under_way(window), 1);
        let window_words = window as usize * PARCEL_WORDS;
        Ok(WorkerBudget { plan, batch_words: PARCEL_WORDS, window_words })
    }

    /// So many bytes for the states of a worker: for tests, whose games are so small that they
    /// would never leave memory.
    pub fn without_reserve(memory: u64) -> WorkerBudget {
        WorkerBudget { plan: Plan::of(memory, memory, 1), batch_words: 30, window_words: 60 }
    }
}
