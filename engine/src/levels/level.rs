//! The states of one turn, in memory and on disk, and the threads that turn them into the next.

use super::PlacementGame;
use super::budget::{Plan, Pool};
use super::census::{Census, LevelCount};
use super::checkpoint::Scratch;
use super::error::LevelsError;
use super::files::FileRecord;
use super::runs::{Run, RunWriter};
use super::state::{State, StateKey, least_words, load, store, stored_words, work_bytes};
use super::step::{Expander, Sink, width_of_sums};
use crate::monitor::{Monitor, SolveError};
use crate::tally::{Tally, Width};
use bytesize::ByteSize;
use num_bigint::BigUint;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// The states of one turn: cut by a hash of the opponent's set, so that a part has all of a row.
pub struct Level {
    pub turn: u32,
    /// How tallies are stored.
    pub width: Width,
    /// There are two to that power parts.
    pub part_bits: u32,
    pub parts: Vec<Part>,
    pub states: u64,
    /// All paths into them.
    pub paths: BigUint,
}

/// Some blocks in memory, some runs on disk.
#[derive(Default)]
pub struct Part {
    pub blocks: Vec<Vec<u64>>,
    pub runs: Vec<Run>,
}

impl Part {
    fn words(&self) -> usize {
        let blocks = self.blocks.iter().map(Vec::len);
        blocks.chain(self.runs.iter().map(|run| run.words)).sum()
    }
}

#[inline(always)]
fn part_of(opponent: u64, part_bits: u32) -> usize {
    (opponent.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - part_bits)) as usize
}

/// What the steps of a count share.
pub struct Setup<'a> {
    pub plan: Plan,
    pub pool: Pool,
    pub scratch: Option<&'a Scratch>,
    pub monitor: Monitor<'a>,
}

/// What a step made.
pub struct Made {
    pub level: Level,
    /// The files with all of the level, if there is a scratch folder.
    pub files: Vec<FileRecord>,
}

impl Level {
    /// The start of the game.
    pub fn start<W: StateKey>(setup: &Setup, width: Width) -> Result<Made, SolveError> {
        let part_bits = setup.plan.part_bits(1);
        let parts = (0..1 << part_bits).map(|_| Part::default()).collect();
        let mut level =
            Level { turn: 1, width, part_bits, parts, states: 1, paths: BigUint::from(1u8) };
        let mut block = setup.pool.take().unwrap_or_default();
        match width {
            Width::Bits64 => store(W::default(), &1u64, &mut block),
            Width::Bits128 => store(W::default(), &1u128, &mut block),
            Width::Unbounded => store(W::default(), &BigUint::from(1u8), &mut block),
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
        Ok(Made { level, files })
    }

    /// Counts this level and makes the next one, in tallies that hold every sum of the step.
    pub fn step<G: PlacementGame>(
        self,
        game: &G,
        setup: &Setup,
        census: &mut Census,
    ) -> Result<Made, SolveError> {
        match width_of_sums(self.width, &self.paths, game.max_moves()) {
            Width::Bits64 => self.step_in::<G, u64>(game, setup, census),
            Width::Bits128 => self.step_in::<G, u128>(game, setup, census),
            Width::Unbounded => self.step_in::<G, BigUint>(game, setup, census),
        }
    }

    fn step_in<G: PlacementGame, T: Tally>(
        self,
        game: &G,
        setup: &Setup,
        census: &mut Census,
    ) -> Result<Made, SolveError> {
        let workers = self.workers::<G::Key, T>(setup)?;
        let part_bits = setup.plan.part_bits(census.expected_after(self.states));
        let resident = self.parts.iter().map(|part| part.blocks.len()).sum();
        let work = Work {
            setup,
            turn: self.turn,
            width: self.width,
            parts: self.parts.len(),
            left: Mutex::new(self.parts.into_iter()),
            done: AtomicUsize::new(0),
            part_bits,
            workers,
            resident: AtomicUsize::new(resident),
            kept: AtomicUsize::new(0),
            failed: AtomicBool::new(false),
        };
        let found: Vec<_> = rayon::broadcast(|thread| {
            let idle = thread.index() >= workers;
            let found = if idle { Ok(None) } else { work.run::<G, T>(game) };
            if found.is_err() {
                work.failed.store(true, Ordering::Relaxed);
            }
            found
        });
        let mut next = Level {
            turn: self.turn + 1,
            width: T::WIDTH,
            part_bits,
            parts: (0..1 << part_bits).map(|_| Part::default()).collect(),
            states: 0,
            paths: BigUint::default(),
        };
        let mut count = LevelCount::default();
        let mut files = Vec::new();
        for found in found.into_iter().collect::<Result<Vec<_>, _>>()?.into_iter().flatten() {
            count.absorb(&found.expander.count);
            for (score, (paths, states)) in found.expander.over {
                census.add(score, paths, states);
            }
            next.states += found.expander.sent;
            next.paths += found.expander.paths.map(Into::into).unwrap_or_default();
            for (part, blocks) in next.parts.iter_mut().zip(found.blocks) {
                part.blocks.extend(blocks);
            }
            for (part, run) in found.runs {
                next.parts[part].runs.push(run);
            }
            files.extend(found.files);
        }
        files.sort_by(|a: &FileRecord, b| a.name.cmp(&b.name));
        tracing::debug!(turn = self.turn, states = count.states(), "level");
        census.levels.push(count);
        Ok(Made { level: next, files })
    }

    /// How many threads can work on a part each.
    fn workers<W: StateKey, T: Tally>(&self, setup: &Setup) -> Result<usize, LevelsError> {
        let plan = &setup.plan;
        let largest = self.parts.iter().map(Part::words).max().unwrap_or(0);
        let bytes = work_bytes::<W, T>(largest / least_words::<W>(self.width) + 1, &self.paths);
        match (plan.part_bytes / bytes).min(plan.threads as u64) {
            0 => {
                let scale = (bytes / (plan.part_bytes / 1024).max(1) + 1) as u128;
                let needed = (u128::from(plan.limit) * scale / 1024) as u64;
                let limit = ByteSize(plan.limit);
                Err(LevelsError::PartTooLarge { turn: self.turn, needed: ByteSize(needed), limit })
            }
            workers => Ok(workers as usize),
        }
    }
}

/// The work of a step.
struct Work<'a> {
    setup: &'a Setup<'a>,
    turn: u32,
    /// How this level's tallies are stored.
    width: Width,
    parts: usize,
    left: Mutex<std::vec::IntoIter<Part>>,
    /// Parts taken up so far.
    done: AtomicUsize,
    part_bits: u32,
    workers: usize,
    /// Blocks of this level that are still to be expanded.
    resident: AtomicUsize,
    /// Blocks of the next level that stay in memory though they are on disk too.
    kept: AtomicUsize,
    failed: AtomicBool,
}

/// What one thread of a step found.
struct Found<W, T> {
    expander: Expander<W, T>,
    blocks: Vec<Vec<Vec<u64>>>,
    runs: Vec<(usize, Run)>,
    files: Vec<FileRecord>,
}

impl Work<'_> {
    /// Nothing where another thread failed, which says why.
    fn run<G: PlacementGame, T: Tally>(
        &self,
        game: &G,
    ) -> Result<Option<Found<G::Key, T>>, SolveError> {
        let mut expander = Expander::default();
        let mut outbox = Outbox::new(self);
        let mut states = Vec::new();
        let mut counted = 0;
        let next = || self.left.lock().unwrap_or_else(PoisonError::into_inner).next();
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
            expander.expand(game, self.turn, &mut states, &mut outbox)?;
            self.setup.monitor.advance(expander.count.states() - counted);
            counted = expander.count.states();
        }
        drop(states);
        let (blocks, runs, files) = outbox.finish()?;
        Ok(Some(Found { expander, blocks, runs, files }))
    }

    /// The states of a part, in any order.
    fn load<W: StateKey, T: Tally>(
        &self,
        part: Part,
        states: &mut Vec<State<W, T>>,
    ) -> Result<(), LevelsError> {
        states.clear();
        states.reserve_exact(part.words() / least_words::<W>(self.width));
        let resident = part.blocks.len();
        for block in part.blocks {
            let left = load(self.width, &block, states);
            debug_assert_eq!(left, 0, "made here, of whole states");
            self.setup.pool.give(block);
        }
        self.resident.fetch_sub(resident, Ordering::Relaxed);
        let mut rest = Vec::new();
        for run in part.runs {
            run.read(|words| match self.width {
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

/// The states that a thread sends to the next level.
struct Outbox<'a> {
    work: &'a Work<'a>,
    /// The last block of each part.
    tails: Vec<Vec<u64>>,
    full: Vec<Vec<Vec<u64>>>,
    /// Blocks taken.
    held: usize,
    writer: Option<RunWriter<'a>>,
    runs: Vec<(usize, Run)>,
}

impl<W: StateKey, T: Tally> Sink<W, T> for Outbox<'_> {
    type Error = SolveError;

    #[inline(always)]
    fn send(&mut self, word: W, paths: T) -> Result<(), SolveError> {
        let part = part_of(word.opponent(), self.work.part_bits);
        let needed = stored_words::<W, T>(&paths);
        if self.tails[part].capacity() - self.tails[part].len() < needed {
            self.grow(part, needed)?;
        }
        store(word, &paths, &mut self.tails[part]);
        Ok(())
    }
}

impl<'a> Outbox<'a> {
    fn new(work: &'a Work) -> Outbox<'a> {
        let parts = 1 << work.part_bits;
        Outbox {
            work,
            tails: (0..parts).map(|_| Vec::new()).collect(),
            full: (0..parts).map(|_| Vec::new()).collect(),
            held: 0,
            writer: work.setup.scratch.map(|scratch| RunWriter::new(scratch, work.turn + 1)),
            runs: Vec::new(),
        }
    }

    /// A new block for a part.
    #[cold]
    #[inline(never)]
    fn grow(&mut self, part: usize, needed: usize) -> Result<(), SolveError> {
        // With a scratch folder each thread has its share of what is free.
        if self.writer.is_some() && self.held >= self.work.share() {
            self.spill()?;
        }
        let block = self.work.setup.pool.take();
        let mut block = block.ok_or_else(|| self.work.too_large())?;
        block.reserve(needed); // for a tally longer than any block
        self.held += 1;
        let tail = std::mem::replace(&mut self.tails[part], block);
        if tail.capacity() > 0 {
            self.full[part].push(tail);
        }
        Ok(())
    }

    /// Puts everything on disk.
    fn spill(&mut self) -> Result<(), SolveError> {
        let Outbox { work, tails, full, writer: Some(writer), runs, .. } = self else {
            return Ok(());
        };
        for (part, (blocks, tail)) in full.iter_mut().zip(tails).enumerate() {
            blocks.extend(used(std::mem::take(tail)));
            writer.write(part, blocks, runs, &work.setup.monitor)?;
            blocks.drain(..).for_each(|block| work.setup.pool.give(block));
        }
        self.held = 0;
        Ok(())
    }

    /// Everything, in memory or on disk; with a scratch folder on disk in any case.
    #[allow(clippy::type_complexity)] // taken apart at once
    fn finish(
        mut self,
    ) -> Result<(Vec<Vec<Vec<u64>>>, Vec<(usize, Run)>, Vec<FileRecord>), SolveError> {
        for (blocks, tail) in self.full.iter_mut().zip(self.tails) {
            blocks.extend(used(tail));
        }
        let Some(mut writer) = self.writer else { return Ok((self.full, self.runs, Vec::new())) };
        let setup = self.work.setup;
        for (part, blocks) in self.full.iter_mut().enumerate() {
            let mut written = Vec::new();
            writer.write(part, blocks, &mut written, &setup.monitor)?;
            let kept = self.work.kept.fetch_add(blocks.len(), Ordering::Relaxed) + blocks.len();
            if kept > setup.plan.most_blocks / 2 {
                // What the next step makes needs room too: it reads these again.
                self.work.kept.fetch_sub(blocks.len(), Ordering::Relaxed);
                blocks.drain(..).for_each(|block| setup.pool.give(block));
                self.runs.append(&mut written);
            }
        }
        Ok((self.full, self.runs, writer.finish()?))
    }
}

impl Work<'_> {
    /// How many blocks a thread may take: its share of those that the level left over. That only
    /// grows while the level is used up, so all threads' shares are there.
    fn share(&self) -> usize {
        let most = self.setup.plan.most_blocks;
        (most - self.resident.load(Ordering::Relaxed)) / self.workers
    }

    /// What to say when there is no block left and no scratch folder.
    fn too_large(&self) -> LevelsError {
        let plan = &self.setup.plan;
        // What the part of the level that is done made, for all of the level.
        let made = plan.most_blocks.saturating_sub(self.resident.load(Ordering::Relaxed)) as f64;
        let done = self.done.load(Ordering::Relaxed).max(1) as f64 / self.parts as f64;
        let scale = (made / done / plan.most_blocks as f64).max(1.01);
        LevelsError::LevelTooLarge {
            turn: self.turn + 1,
            needed: ByteSize((plan.limit as f64 * scale) as u64),
            limit: ByteSize(plan.limit),
        }
    }
}

/// The block, unless it was never taken from the pool and has no room for anything.
fn used(block: Vec<u64>) -> Option<Vec<u64>> {
    (block.capacity() > 0).then_some(block)
}
