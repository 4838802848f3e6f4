//! A worker's shard of a level: in memory as far as the budget allows, the rest on disk.

use super::folder::{Folder, ShardId};
use super::packed::{self, RUN_WORDS};
use crate::levels::budget::{Plan, Pool};
use crate::levels::error::LevelsError;
use crate::levels::level::Part;
use crate::levels::state::{State, StateKey, each, least_words, load, store, work_bytes};
use crate::storage::FileRecord;
use crate::storage::runs::Writer;
use crate::tally::{Tally, Width};
use num_bigint::BigUint;
use std::marker::PhantomData;
use std::sync::Arc;

/// The memory and the folder in which a worker keeps its shards.
#[derive(Clone)]
pub struct ShardContext {
    pub plan: Plan,
    pub pool: Arc<Pool>,
    pub folder: Arc<Folder>,
    /// The number of workers.
    pub workers: usize,
    /// All cells of the game.
    pub cells: u64,
}

/// The rows of a level that a worker owns, partitioned by a hash of the opponent's set.
pub struct Shard<K> {
    context: ShardContext,
    pub turn: u32,
    /// The worker that owns the rows.
    worker: usize,
    pub width: Width,
    part_bits: u32,
    /// Blocks are unsorted, or sorted if they are on disk as well.
    parts: Vec<Part>,
    pub states: u64,
    writer: Writer<'static>,
    word: PhantomData<K>,
}

/// The hash of a row. Its upper half selects the worker, its lower half the partition.
#[inline(always)]
fn mix(opponent: u64) -> u64 {
    let hash = opponent.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (hash ^ (hash >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93)
}

/// The worker that owns the row of a state.
#[inline(always)]
pub fn worker_of(word: impl StateKey, workers: usize) -> usize {
    worker_of_hash(mix(word.opponent()), workers)
}

#[inline(always)]
fn worker_of_hash(hash: u64, workers: usize) -> usize {
    (((hash >> 32) * workers as u64) >> 32) as usize
}

impl<K: StateKey> Shard<K> {
    /// Creates an empty shard for about `expected` states.
    pub fn new(context: &ShardContext, label: ShardId, width: Width, expected: u64) -> Shard<K> {
        let part_bits = context.plan.part_bits(expected);
        Shard {
            context: context.clone(),
            turn: label.turn,
            worker: label.worker,
            width,
            part_bits,
            parts: Part::empty(part_bits),
            states: 0,
            writer: packed::writer(context.folder.clone(), label),
            word: PhantomData,
        }
    }

    /// Adds stored states, whose tallies have this shard's width, from the worker `from`.
    ///
    /// # Errors
    ///
    /// [`LevelsError::Implausible`] if they are not states that this worker owns.
    pub fn put(&mut self, from: usize, words: &[u64]) -> Result<(), LevelsError> {
        let mask = (1u64 << self.part_bits) - 1;
        let turn = self.turn;
        let implausible = |what| LevelsError::Implausible { turn, worker: from, what };
        let mut left = words.len();
        // A tally of unbounded width is preceded by its length.
        let tally = K::WORDS + usize::from(self.width == Width::Unbounded);
        for state in each::<K>(self.width, words) {
            left -= state.len();
            let key = K::load(state);
            let hash = mix(key.opponent());
            if key.opponent() & key.own() != 0
                || (key.opponent() | key.own()) & !self.context.cells != 0
                || state[tally..].iter().all(|&word| word == 0)
            {
                return Err(implausible("a state that the game does not have"));
            }
            if worker_of_hash(hash, self.context.workers) != self.worker {
                return Err(implausible("a state that another worker owns"));
            }
            let part = ((hash >> 8) & mask) as usize;
            let fits = self.parts[part].blocks.last();
            if fits.is_none_or(|block| block.capacity() - block.len() < state.len()) {
                self.grow(part, state.len())?;
            }
            if let Some(block) = self.parts[part].blocks.last_mut() {
                block.extend_from_slice(state);
            }
            self.states += 1;
        }
        match left {
            0 => Ok(()),
            _ => Err(implausible("a part of a state")),
        }
    }

    /// Takes a new block for a partition, and spills the shard if the pool is empty.
    #[cold]
    #[inline(never)]
    fn grow(&mut self, part: usize, needed: usize) -> Result<(), LevelsError> {
        let block = match self.context.pool.take() {
            Some(block) => block,
            None => {
                self.write(|_| false)?;
                // The rest of the previous level uses at most half of the pool.
                self.context.pool.take().unwrap_or_default()
            }
        };
        self.parts[part].blocks.push(block);
        if let Some(block) = self.parts[part].blocks.last_mut() {
            block.reserve(needed); // an unbounded tally may be longer than a block
        }
        Ok(())
    }

    /// Writes the blocks to disk as sorted runs. Blocks of partitions that `keep` rejects, given
    /// the number of their blocks, are returned to the pool.
    fn write(&mut self, keep: impl FnMut(usize) -> bool) -> Result<(), LevelsError> {
        match self.width {
            Width::Bits64 => self.write_in::<u64>(keep),
            Width::Bits128 => self.write_in::<u128>(keep),
            Width::Unbounded => self.write_in::<BigUint>(keep),
        }
    }

    fn write_in<T: Tally>(
        &mut self,
        mut keep: impl FnMut(usize) -> bool,
    ) -> Result<(), LevelsError> {
        let most = self.context.plan.partition_bytes / 4 / size_of::<State<K, T>>().max(32) as u64;
        let most = most.clamp(1, RUN_WORDS as u64 / 4) as usize;
        let (mut sorted, mut words) = (Vec::<State<K, T>>::new(), Vec::new());
        for (number, part) in self.parts.iter_mut().enumerate() {
            let keeps = keep(part.blocks.len());
            let mut runs = Vec::new();
            let mut blocks = std::mem::take(&mut part.blocks).into_iter().peekable();
            while blocks.peek().is_some() {
                sorted.clear();
                let mut taken = Vec::new();
                while let Some(block) = blocks.next_if(|_| sorted.len() < most) {
                    load(self.width, &block, &mut sorted);
                    taken.push(block);
                }
                sorted.sort_unstable_by_key(|&(word, _)| word);
                words.clear();
                sorted.drain(..).for_each(|(word, paths)| store(word, &paths, &mut words));
                runs.push(packed::write::<K>(&mut self.writer, number, self.width, &words)?);
                if keeps {
                    part.blocks.append(&mut refill::<K>(taken, self.width, &words));
                } else {
                    taken.into_iter().for_each(|block| self.context.pool.give(block));
                }
            }
            if !keeps {
                part.runs.append(&mut runs);
            }
        }
        Ok(())
    }

    /// Writes the whole shard to disk, synced. Keeps as much in memory as leaves half of the pool
    /// for the next level.
    pub fn finish(&mut self) -> Result<Vec<FileRecord>, LevelsError> {
        let most = self.context.plan.max_blocks / 2;
        let mut kept = 0;
        self.write(|blocks| {
            let keeps = kept + blocks <= most;
            kept += if keeps { blocks } else { 0 };
            keeps
        })?;
        Ok(self.writer.finish()?)
    }

    /// Checks that each partition can be expanded within the memory budget.
    ///
    /// # Errors
    ///
    /// [`LevelsError::PartTooLarge`] if one cannot.
    pub fn check<T: Tally>(&self, most: &BigUint) -> Result<(), LevelsError> {
        let plan = &self.context.plan;
        let largest = self.parts.iter().map(Part::words).max().unwrap_or(0);
        // The words that are read, and the states decoded from them.
        let bytes = work_bytes::<K, T>(largest / least_words::<K>(self.width) + 1, most)
            + 8 * largest as u64;
        match bytes <= plan.partition_bytes / 4 * 3 {
            true => Ok(()),
            false => Err(plan.part_too_large(self.turn, bytes, plan.partition_bytes / 4096 * 3)),
        }
    }

    /// Removes a partition and loads its states. `None` when no partition is left.
    pub fn take<T: Tally>(
        &mut self,
        taken: &mut Vec<State<K, T>>,
    ) -> Result<Option<()>, LevelsError> {
        taken.clear();
        let Some(part) = self.parts.pop() else { return Ok(None) };
        taken.reserve_exact(part.words() / least_words::<K>(self.width));
        for block in part.blocks {
            load(self.width, &block, taken);
            self.context.pool.give(block);
        }
        let mut words = Vec::new();
        for run in part.runs {
            words.clear();
            packed::read::<K>(&run, self.width, &mut words)?;
            load(self.width, &words, taken);
        }
        Ok(Some(()))
    }
}

/// Stores sorted states in the blocks that held them unsorted.
fn refill<K: StateKey>(mut blocks: Vec<Vec<u64>>, width: Width, words: &[u64]) -> Vec<Vec<u64>> {
    let mut place = 0;
    blocks.iter_mut().for_each(Vec::clear);
    for state in each::<K>(width, words) {
        while place + 1 < blocks.len() {
            let block = &blocks[place];
            if block.capacity() - block.len() >= state.len() {
                break;
            }
            place += 1;
        }
        if let Some(block) = blocks.get_mut(place) {
            block.extend_from_slice(state);
        }
    }
    blocks
}
