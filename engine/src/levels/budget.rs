//! How much memory a count may take, and how it is shared out.

use super::checkpoint::Scratch;
use super::error::LevelsError;
use super::state::StateKey;
use bytesize::ByteSize;
use std::sync::Mutex;

/// The memory that a count may take, and where it may put what does not fit.
#[derive(Default)]
pub struct MemoryBudget {
    /// Bytes for all that the count allocates; none for no limit.
    pub memory: Option<u64>,
    /// A folder for levels that do not fit, and for a checkpoint after every level.
    pub scratch: Option<Scratch>,
    without_reserve: bool,
}

/// What a process and its threads take before the first state.
pub const FIXED: u64 = 12 << 20;
/// What every thread takes at least, buffers apart: the sums of short rows, a block for each part.
pub const LEAST_ROW_BYTES: u64 = u64::ROW_BYTES;
/// Parts of a small level, each small enough to be sorted in a near cache.
const PARTS: usize = 256;
/// Parts of a large one: more streams than that to write to are slow.
const MOST_PARTS: usize = 4096;
/// States of a part that a near cache holds.
const PART_STATES: u64 = 1 << 16;
/// 64-bit words of a block, if there is memory.
const BLOCK_WORDS: u64 = 1 << 11;
const LEAST_BLOCK_WORDS: u64 = 1 << 5;

/// What every thread is given for the sums of longer rows.
pub fn row_reserve<W: StateKey>() -> u64 {
    W::ROW_BYTES - LEAST_ROW_BYTES
}

impl MemoryBudget {
    /// So many bytes, or no limit, and perhaps a scratch folder.
    pub fn new(memory: Option<u64>, scratch: Option<Scratch>) -> MemoryBudget {
        MemoryBudget { memory, scratch, without_reserve: false }
    }

    /// The same without what a process needs to begin with: for tests, whose games are so small
    /// that they would never leave memory.
    pub fn without_reserve(memory: u64, scratch: Option<Scratch>) -> MemoryBudget {
        MemoryBudget { memory: Some(memory), scratch, without_reserve: true }
    }

    /// How the memory is shared out among threads.
    pub(super) fn plan<W: StateKey>(&self, threads: usize) -> Result<Plan, LevelsError> {
        let limit = self.memory.unwrap_or(u64::MAX);
        let (fixed, rows, per_thread) = match self.without_reserve {
            true => (0, 0, 32 << 10),
            false => (FIXED, row_reserve::<W>() * threads as u64, LEAST_ROW_BYTES),
        };
        let least = fixed + rows + per_thread * threads as u64;
        if limit < least {
            let (limit, least) = (ByteSize(limit), ByteSize(least));
            return Err(LevelsError::LimitTooSmall { limit, least, threads });
        }
        Ok(Plan::of(limit, limit - fixed - rows, threads))
    }
}

/// How memory is shared out.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    pub limit: u64,
    pub threads: usize,
    /// Words of a block.
    pub block_words: usize,
    /// Blocks that may exist.
    pub most_blocks: usize,
    /// A level may be cut into two to this power parts, so that each thread can have a block for
    /// each of them, twice over.
    pub most_part_bits: u32,
    /// Bytes for the parts that are worked on.
    pub part_bytes: u64,
}

impl Plan {
    /// Shares out what is left of a limit when all that is fixed has been taken off.
    pub fn of(limit: u64, usable: u64, threads: usize) -> Plan {
        // The rest is for rows and for what the allocator cannot help to waste.
        let (blocks, parts) = (usable / 8 * 5, usable / 4);
        let share = blocks / 8 / threads as u64;
        let block_words = (share / 4096).clamp(LEAST_BLOCK_WORDS, BLOCK_WORDS);
        let most_parts = share / 2 / block_words;
        let most_parts = (most_parts.max(8) as usize).min(MOST_PARTS);
        Plan {
            limit,
            threads,
            block_words: block_words as usize,
            most_blocks: (blocks / 8 / block_words) as usize,
            most_part_bits: most_parts.ilog2(),
            part_bytes: parts,
        }
    }

    /// Two to which power parts a level of about so many states is cut into.
    pub fn part_bits(&self, states: u64) -> u32 {
        let wanted = (states / PART_STATES).max(PARTS as u64).next_power_of_two();
        wanted.ilog2().min(self.most_part_bits)
    }
}

/// Blocks of memory that levels are kept in. A block given back is taken again, so that what the
/// count takes does not depend on the order in which memory is freed.
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
    pub fn new(plan: &Plan) -> Pool {
        Pool { words: plan.block_words, most: plan.most_blocks, blocks: Mutex::default() }
    }

    /// An empty block, unless all are taken.
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

    /// Takes a block back.
    pub fn give(&self, mut block: Vec<u64>) {
        block.clear();
        // A tally without bound may be longer than a block.
        if block.capacity() > 2 * self.words {
            block = Vec::with_capacity(self.words);
        }
        self.lock().free.push(block);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Blocks> {
        // Nothing in here panics half way.
        self.blocks.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}
