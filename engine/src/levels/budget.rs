//! The memory budget of a count, and how it is divided among levels, threads and partitions.

use super::error::LevelsError;
use super::scratch::ScratchFolder;
use super::state::StateKey;
use crate::sync::{AtomicUsize, Mutex, MutexGuard, Ordering};
use bytesize::ByteSize;

/// The memory that a count may take, and the folder to which it spills the rest.
#[derive(Default)]
pub struct MemoryBudget {
    /// The limit on what the count allocates, in bytes. `None` for no limit.
    pub memory: Option<u64>,
    /// The folder for levels that do not fit, and for a checkpoint after every level.
    pub scratch: Option<ScratchFolder>,
    no_reserve: bool,
}

/// The memory of a process and its threads before the first state, in bytes.
pub const FIXED: u64 = 12 << 20;
/// The least memory of a thread without its buffers, in bytes: the sums of short rows and a block
/// for each partition.
pub const MIN_ROW_BYTES: u64 = u64::ROW_BYTES;
/// The number of partitions of a small level, each small enough to be sorted in a near cache.
const MIN_PARTITIONS: u64 = 256;
/// The number of partitions of a large level. Writing to more streams than that is slow.
const MAX_PARTITIONS: u64 = 4096;
/// The number of states of a partition that a near cache holds.
const PARTITION_STATES: u64 = 1 << 16;
/// The number of 64-bit words of a block, memory permitting.
const BLOCK_WORDS: u64 = 1 << 11;
const MIN_BLOCK_WORDS: u64 = 1 << 5;

/// The memory that each thread reserves for the sums of longer rows, in bytes.
pub fn row_reserve<K: StateKey>() -> u64 {
    K::ROW_BYTES - MIN_ROW_BYTES
}

impl MemoryBudget {
    /// A budget of the given number of bytes (`None` for no limit), with or without a scratch
    /// folder.
    pub fn new(memory: Option<u64>, scratch: Option<ScratchFolder>) -> MemoryBudget {
        MemoryBudget { memory, scratch, no_reserve: false }
    }

    /// A budget that reserves nothing for the process and its threads. For tests, whose games are
    /// so small that they would never be spilled.
    pub fn without_reserve(memory: u64, scratch: Option<ScratchFolder>) -> MemoryBudget {
        MemoryBudget { memory: Some(memory), scratch, no_reserve: true }
    }

    /// Divides the memory among threads.
    ///
    /// # Errors
    ///
    /// [`LevelsError::LimitTooSmall`] if there is not enough to begin.
    pub(super) fn plan<K: StateKey>(&self, threads: usize) -> Result<Plan, LevelsError> {
        let limit = self.memory.unwrap_or(u64::MAX);
        let (fixed, rows, per_thread) = match self.no_reserve {
            true => (0, 0, 32 << 10),
            false => (FIXED, row_reserve::<K>() * threads as u64, MIN_ROW_BYTES),
        };
        let least = fixed + rows + per_thread * threads as u64;
        check_limit(limit, least, threads)?;
        Ok(Plan::of(limit, limit - fixed - rows, threads))
    }
}

/// Returns an error if a memory limit is less than the least that suffices to begin.
pub fn check_limit(limit: u64, least: u64, threads: usize) -> Result<(), LevelsError> {
    let (limit, least) = (ByteSize(limit), ByteSize(least));
    match limit < least {
        true => Err(LevelsError::LimitTooSmall { limit, least, threads }),
        false => Ok(()),
    }
}

/// The division of the memory.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// The limit on the memory, in bytes.
    pub limit: u64,
    /// The number of threads.
    pub threads: usize,
    /// The number of words of a block.
    pub block_words: usize,
    /// The largest number of blocks.
    pub max_blocks: usize,
    /// The binary logarithm of the largest number of partitions, such that each thread can have two
    /// blocks for each of them.
    pub max_partition_bits: u32,
    /// The memory for the partitions that are being expanded, in bytes.
    pub partition_bytes: u64,
}

impl Plan {
    /// Divides `usable` bytes, what remains of `limit` after the fixed costs, among threads.
    pub fn of(limit: u64, usable: u64, threads: usize) -> Plan {
        // The remaining eighth is for rows and for the allocator's overhead.
        let (blocks, parts) = (usable / 8 * 5, usable / 4);
        let share = blocks / 8 / threads as u64;
        let block_words = (share / 4096).clamp(MIN_BLOCK_WORDS, BLOCK_WORDS);
        let most_parts = (share / 2 / block_words).clamp(8, MAX_PARTITIONS);
        Plan {
            limit,
            threads,
            block_words: block_words as usize,
            max_blocks: usize::try_from(blocks / 8 / block_words).unwrap_or(usize::MAX),
            max_partition_bits: most_parts.ilog2(),
            partition_bytes: parts,
        }
    }

    /// The binary logarithm of the number of partitions of a level of about the given number of
    /// states.
    pub fn part_bits(&self, states: u64) -> u32 {
        let wanted = (states / PARTITION_STATES).max(MIN_PARTITIONS).next_power_of_two();
        wanted.ilog2().min(self.max_partition_bits)
    }

    /// The error for a partition that takes the given number of bytes, of which `1024 * unit` are
    /// available.
    pub fn part_too_large(&self, turn: u32, bytes: u64, unit: u64) -> LevelsError {
        let scale = u128::from(bytes / unit.max(1) + 1);
        let needed = (u128::from(self.limit) * scale / 1024).min(u64::MAX.into()) as u64;
        LevelsError::PartTooLarge { turn, needed: ByteSize(needed), limit: ByteSize(self.limit) }
    }
}

/// A pool of equal blocks of memory, in which levels are kept. Blocks are reused, so that the
/// memory of the process does not depend on the allocator's treatment of freed memory.
pub struct Pool {
    words: usize,
    most: usize,
    blocks: Mutex<Blocks>,
}

#[derive(Default)]
struct Blocks {
    made: usize,
    free: Vec<Vec<u64>>,
}

impl Pool {
    /// An empty pool, which makes blocks as they are taken.
    pub fn new(plan: &Plan) -> Pool {
        Pool { words: plan.block_words, most: plan.max_blocks, blocks: Mutex::default() }
    }

    /// Takes an empty block. `None` if all are in use.
    pub fn take(&self) -> Option<Vec<u64>> {
        let mut blocks = self.lock();
        if let Some(block) = blocks.free.pop() {
            return Some(block);
        }
        if blocks.made == self.most {
            return None;
        }
        blocks.made += 1;
        drop(blocks);
        Some(Vec::with_capacity(self.words))
    }

    /// Returns a block to the pool.
    pub fn give(&self, mut block: Vec<u64>) {
        block.clear();
        // A block is larger than usual if it had to hold a single unbounded tally.
        if block.capacity() > 2 * self.words {
            block = Vec::with_capacity(self.words);
        }
        self.lock().free.push(block);
    }

    fn lock(&self) -> MutexGuard<'_, Blocks> {
        // No critical section panics.
        self.blocks.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

/// The blocks of a pool that the threads of a step may take, while the level that they expand gives
/// its own back.
///
/// The counts are relaxed, although they promise blocks of the pool: a thread counts a block after it
/// has given it back, so whoever sees the count locks the pool later, and finds the block there. A
/// thread that sees an old count has a smaller share than it could.
pub struct Shares {
    /// The number of blocks of the pool, and of threads that take from it.
    most: usize,
    threads: usize,
    /// Blocks of this level that have not been given back yet.
    resident: AtomicUsize,
    /// Blocks of the next level that stay in memory in addition to their copy on disk.
    kept: AtomicUsize,
}

impl Shares {
    /// The shares of a number of threads, while a level has `resident` blocks in memory.
    pub fn new(plan: &Plan, threads: usize, resident: usize) -> Shares {
        let (resident, kept) = (AtomicUsize::new(resident), AtomicUsize::new(0));
        Shares { most: plan.max_blocks, threads, resident, kept }
    }

    /// Returns a block of this level to the pool.
    pub fn give(&self, pool: &Pool, block: Vec<u64>) {
        pool.give(block);
        self.resident.fetch_sub(1, Ordering::Relaxed);
    }

    /// The number of blocks that this level does not use.
    pub fn unused(&self) -> usize {
        self.most.saturating_sub(self.resident.load(Ordering::Relaxed))
    }

    /// The number of blocks that a thread may take: an equal part of those that this level does not
    /// use. It only grows as the level is expanded, so all threads can have their quota.
    pub fn quota(&self) -> usize {
        self.unused() / self.threads
    }

    /// Whether blocks of the next level may stay in memory, in addition to those that do: at most
    /// half of all. The other half is for the output of the next step.
    pub fn keep(&self, blocks: usize) -> bool {
        let kept = self.kept.fetch_add(blocks, Ordering::Relaxed) + blocks;
        if kept > self.most / 2 {
            self.kept.fetch_sub(blocks, Ordering::Relaxed);
            return false;
        }
        true
    }
}
