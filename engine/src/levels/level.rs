//! A level: the states of one turn, in memory and on disk, and the threads that expand it.
//!
//! Levels are kept in equal blocks from one pool. A block is returned as soon as its partition has
//! been loaded, so two levels take little more memory than the larger of them, and the memory limit
//! holds whatever the allocator does. With a scratch folder each thread has a share of the free
//! blocks; when it is used up, the thread spills its output to disk as runs. A partition is read
//! back as a whole and sorted in memory: a distribution sort (Aggarwal and Vitter, *The
//! Input/Output Complexity of Sorting and Related Problems*, 1988), which needs no merge.

use super::budget::{Plan, Pool, Shares};
use super::census::{Census, LevelCount};
use super::error::LevelsError;
use super::game::PlacementGame;
use super::runs::{self, Run, RunWriter};
use super::scratch::ScratchFolder;
use super::state::{State, StateKey, least_words, load, store, stored_words, work_bytes};
use super::step::{Expander, Sink, width_of_sums};
use crate::monitor::{Monitor, SolveError};
use crate::storage::FileRecord;
use crate::tally::{Tally, Width};
use bytesize::ByteSize;
use num_bigint::BigUint;
use parking_lot::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The states of one turn, partitioned by a hash of the opponent's set, so that rows stay whole.
pub struct Level {
    pub turn: u32,
    /// The width of the stored tallies.
    pub width: Width,
    /// The partitions; their number is a power of two.
    pub parts: Vec<Part>,
    pub states: u64,
    /// The number of paths into all states.
    pub paths: BigUint,
}

/// A partition: blocks in memory and runs on disk, in no order.
#[derive(Default)]
pub struct Part {
    pub blocks: Vec<Vec<u64>>,
    pub runs: Vec<Run>,
}

impl Part {
    /// Empty partitions, two to the power of `bits`.
    pub fn empty(bits: u32) -> Vec<Part> {
        (0..1 << bits).map(|_| Part::default()).collect()
    }

    /// The number of words of all states.
    pub fn words(&self) -> usize {
        let blocks = self.blocks.iter().map(Vec::len);
        blocks.chain(self.runs.iter().map(Run::words)).sum()
    }
}

#[inline(always)]
fn part_of(opponent: u64, part_bits: u32) -> usize {
    (opponent.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - part_bits)) as usize
}

/// The parameters common to all steps of a count.
pub struct Setup<'a> {
    pub plan: Plan,
    pub pool: Pool,
    pub scratch: Option<&'a ScratchFolder>,
    pub monitor: Monitor<'a>,
}

/// A level that a step produced, and the files that contain all of it if there is a scratch folder.
pub type NewLevel = (Level, Vec<FileRecord>);

impl Level {
    /// The level of turn 1, with the initial position.
    pub fn start<K: StateKey>(setup: &Setup, width: Width) -> Result<NewLevel, SolveError> {
        let part_bits = setup.plan.part_bits(1);
        let parts = Part::empty(part_bits);
        let mut level = Level { turn: 1, width, parts, states: 1, paths: BigUint::from(1u8) };
        let mut block = setup.pool.take().unwrap_or_default();
        match width {
            Width::Bits64 => store(K::default(), &1u64, &mut block),
            Width::Bits128 => store(K::default(), &1u128, &mut block),
            Width::Unbounded => store(K::default(), &BigUint::from(1u8), &mut block),
        }
        let part = &mut level.parts[part_of(0, part_bits)];
        part.blocks.push(block);
        let files = match setup.scratch {
            None => Vec::new(),
            Some(scratch) => {
                let mut writer = RunWriter::new(scratch, 1);
                let blocks = &part.blocks;
                writer.write(part_of(0, part_bits), blocks, &mut Vec::new(), &setup.monitor)?;
                writer.finish()?
            }
        };
        Ok((level, files))
    }

    /// Adds this level to the census and produces the next one, with tallies wide enough for every
    /// sum.
    pub fn step<G: PlacementGame>(
        self,
        game: &G,
        setup: &Setup,
        census: &mut Census,
    ) -> Result<NewLevel, SolveError> {
        let (next, mut files) = match width_of_sums(self.width, &self.paths, game.max_moves()) {
            Width::Bits64 => self.step_in::<G, u64>(game, setup, census),
            Width::Bits128 => self.step_in::<G, u128>(game, setup, census),
            Width::Unbounded => self.step_in::<G, BigUint>(game, setup, census),
        }?;
        files.sort_by(|a, b| a.name.cmp(&b.name));
        Ok((next, files))
    }

    fn step_in<G: PlacementGame, T: Tally>(
        self,
        game: &G,
        setup: &Setup,
        census: &mut Census,
    ) -> Result<NewLevel, SolveError> {
        let threads = self.threads::<G::Key, T>(setup)?;
        let part_bits = setup.plan.part_bits(census.expected_after(self.states));
        let resident = self.parts.iter().map(|part| part.blocks.len()).sum();
        let work = Work {
            setup,
            turn: self.turn,
            width: self.width,
            parts: self.parts.len(),
            queue: Mutex::new(self.parts.into_iter()),
            done: AtomicUsize::new(0),
            part_bits,
            shares: Shares::new(&setup.plan, threads, resident),
            failed: AtomicBool::new(false),
        };
        let found: Vec<_> = rayon::broadcast(|thread| {
            let idle = thread.index() >= threads;
            let found = if idle { Ok(None) } else { work.run::<G, T>(game) };
            if found.is_err() {
                work.failed.store(true, Ordering::Relaxed);
            }
            found
        });
        let mut next = Level {
            turn: self.turn + 1,
            width: T::WIDTH,
            parts: Part::empty(part_bits),
            states: 0,
            paths: BigUint::default(),
        };
        let mut count = LevelCount::default();
        let mut files = Vec::new();
        for found in found.into_iter().collect::<Result<Vec<_>, _>>()?.into_iter().flatten() {
            count.absorb(&found.expander.count);
            for (score, (paths, states)) in found.expander.terminals {
                census.add(score, paths, states);
            }
            next.states += found.expander.produced;
            next.paths += found.expander.paths.into();
            for (part, blocks) in next.parts.iter_mut().zip(found.blocks) {
                part.blocks.extend(blocks);
            }
            for (part, run) in found.runs {
                next.parts[part].runs.push(run);
            }
            files.extend(found.files);
        }
        tracing::debug!(turn = self.turn, states = count.states(), "level");
        census.levels.push(count);
        Ok((next, files))
    }

    /// The number of threads that have enough memory to expand a partition each.
    fn threads<K: StateKey, T: Tally>(&self, setup: &Setup) -> Result<usize, LevelsError> {
        let plan = &setup.plan;
        let largest = self.parts.iter().map(Part::words).max().unwrap_or(0);
        let bytes = work_bytes::<K, T>(largest / least_words::<K>(self.width) + 1, &self.paths);
        match (plan.partition_bytes / bytes).min(plan.threads as u64) {
            0 => Err(plan.part_too_large(self.turn, bytes, plan.partition_bytes / 1024)),
            threads => Ok(threads as usize),
        }
    }
}

/// The state shared by the threads of a step.
struct Work<'a> {
    setup: &'a Setup<'a>,
    turn: u32,
    /// The width of this level's stored tallies.
    width: Width,
    parts: usize,
    /// The partitions that no thread has taken yet.
    queue: Mutex<std::vec::IntoIter<Part>>,
    /// The number of partitions taken.
    done: AtomicUsize,
    /// The binary logarithm of the number of partitions of the next level.
    part_bits: u32,
    shares: Shares,
    failed: AtomicBool,
}

/// The output of one thread of a step.
struct Found<K, T> {
    expander: Expander<K, T>,
    blocks: Vec<Vec<Vec<u64>>>,
    runs: Vec<(usize, Run)>,
    files: Vec<FileRecord>,
}

impl Work<'_> {
    /// Expands partitions until none is left. `None` if another thread failed, which reports the
    /// error.
    fn run<G: PlacementGame, T: Tally>(
        &self,
        game: &G,
    ) -> Result<Option<Found<G::Key, T>>, SolveError> {
        let mut expander = Expander::default();
        let mut output = Output::new(self);
        let mut states = Vec::new();
        let mut counted = 0;
        let next = || self.queue.lock().next();
        while let Some(part) = next() {
            self.setup.monitor.check()?;
            if self.failed.load(Ordering::Relaxed) {
                return Ok(None);
            }
            self.done.fetch_add(1, Ordering::Relaxed);
            if part.words() == 0 {
                continue;
            }
            self.load(part, &mut states)?;
            expander.expand(game, self.turn, &mut states, &mut output)?;
            self.setup.monitor.advance(expander.count.states() - counted);
            counted = expander.count.states();
        }
        drop(states);
        output.finish(expander).map(Some)
    }

    /// Loads the states of a partition, in any order, and returns its blocks to the pool.
    fn load<K: StateKey, T: Tally>(
        &self,
        part: Part,
        states: &mut Vec<State<K, T>>,
    ) -> Result<(), LevelsError> {
        states.clear();
        states.reserve_exact(part.words() / least_words::<K>(self.width));
        for block in part.blocks {
            let left = load(self.width, &block, states);
            debug_assert_eq!(left, 0, "a block holds whole states");
            self.shares.give(&self.setup.pool, block);
        }
        let mut rest = Vec::new();
        for run in part.runs {
            runs::read(&run, |words| match self.width {
                Width::Unbounded => {
                    rest.extend_from_slice(words);
                    let left = load(self.width, &rest, states);
                    rest.drain(..rest.len() - left);
                    Some(())
                }
                _ => (load(self.width, words, states) == 0).then_some(()),
            })?;
        }
        Ok(())
    }
}

/// The states of the next level that a thread produced.
struct Output<'a> {
    work: &'a Work<'a>,
    /// The block of each partition that is being filled.
    tails: Vec<Vec<u64>>,
    /// The full blocks of each partition.
    full: Vec<Vec<Vec<u64>>>,
    /// The number of blocks taken from the pool since the last spill.
    taken: usize,
    writer: Option<RunWriter<'a>>,
    runs: Vec<(usize, Run)>,
}

impl<K: StateKey, T: Tally> Sink<K, T> for Output<'_> {
    type Error = SolveError;

    #[inline(always)]
    fn push(&mut self, key: K, paths: T) -> Result<(), SolveError> {
        let part = part_of(key.opponent(), self.work.part_bits);
        let needed = stored_words::<K, T>(&paths);
        if self.tails[part].capacity() - self.tails[part].len() < needed {
            self.grow(part, needed)?;
        }
        store(key, &paths, &mut self.tails[part]);
        Ok(())
    }
}

impl<'a> Output<'a> {
    fn new(work: &'a Work) -> Output<'a> {
        let parts = 1 << work.part_bits;
        Output {
            work,
            tails: (0..parts).map(|_| Vec::new()).collect(),
            full: (0..parts).map(|_| Vec::new()).collect(),
            taken: 0,
            writer: work.setup.scratch.map(|scratch| RunWriter::new(scratch, work.turn + 1)),
            runs: Vec::new(),
        }
    }

    /// Takes a new block for a partition, with space for a state of `needed` words.
    #[cold]
    #[inline(never)]
    fn grow(&mut self, part: usize, needed: usize) -> Result<(), SolveError> {
        if self.writer.is_some() && self.taken >= self.work.shares.quota() {
            self.spill()?;
        }
        let block = self.work.setup.pool.take();
        let mut block = block.ok_or_else(|| self.work.too_large())?;
        block.reserve(needed); // an unbounded tally may be longer than a block
        self.taken += 1;
        let tail = std::mem::replace(&mut self.tails[part], block);
        if tail.capacity() > 0 {
            self.full[part].push(tail);
        }
        Ok(())
    }

    /// Writes all blocks to disk as runs.
    fn spill(&mut self) -> Result<(), SolveError> {
        let Output { work, tails, full, writer: Some(writer), runs, .. } = self else {
            return Ok(());
        };
        for (part, (blocks, tail)) in full.iter_mut().zip(tails).enumerate() {
            blocks.extend(used(std::mem::take(tail)));
            writer.write(part, blocks, runs, &work.setup.monitor)?;
            blocks.drain(..).for_each(|block| work.setup.pool.give(block));
        }
        self.taken = 0;
        Ok(())
    }

    /// Ends the output. With a scratch folder everything is in the files, and blocks stay in memory
    /// as far as space permits.
    fn finish<K, T>(mut self, expander: Expander<K, T>) -> Result<Found<K, T>, SolveError> {
        for (blocks, tail) in self.full.iter_mut().zip(self.tails) {
            blocks.extend(used(tail));
        }
        let Some(mut writer) = self.writer else {
            return Ok(Found { expander, blocks: self.full, runs: self.runs, files: Vec::new() });
        };
        let setup = self.work.setup;
        for (part, blocks) in self.full.iter_mut().enumerate() {
            let mut written = Vec::new();
            writer.write(part, blocks, &mut written, &setup.monitor)?;
            if !self.work.shares.keep(blocks.len()) {
                // The next step reads these from disk.
                blocks.drain(..).for_each(|block| setup.pool.give(block));
                self.runs.append(&mut written);
            }
        }
        Ok(Found { expander, blocks: self.full, runs: self.runs, files: writer.finish()? })
    }
}

impl Work<'_> {
    /// The error for a level that fills the memory where there is no scratch folder.
    fn too_large(&self) -> LevelsError {
        let plan = &self.setup.plan;
        // Extrapolates from the partitions that have been expanded.
        let used = self.shares.unused() as f64;
        let done = self.done.load(Ordering::Relaxed).max(1) as f64 / self.parts as f64;
        let scale = (used / done / plan.max_blocks as f64).max(1.01);
        LevelsError::LevelTooLarge {
            turn: self.turn + 1,
            needed: ByteSize((plan.limit as f64 * scale) as u64),
            limit: ByteSize(plan.limit),
        }
    }
}

/// Returns the block if it was taken from the pool.
fn used(block: Vec<u64>) -> Option<Vec<u64>> {
    (block.capacity() > 0).then_some(block)
}
