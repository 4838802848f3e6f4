//! The same count, shared among workers that may be far apart.
//!
//! A worker keeps whole rows of every level, those that a hash gives it, and steps them alone; all
//! that passes between workers are states, finished, on their way to who keeps them. How they
//! travel is a [`Transport`]'s matter: nothing here knows of processes or networks, and workers that
//! hand each other states within one thread make the same count.
//!
//! A level is made in these steps, the same at every worker:
//!
//! 1. [`LevelTask::run`] steps the rows of the turn before (or begins the game, or reads the shares
//!    of a stopped count again) and gives states to the transport; meanwhile states arrive and are
//!    [received](Worker::receive), perhaps of the turn after already, from a worker that is ahead;
//! 2. when nothing more can arrive, [`Worker::finish`] puts the share on disk and makes a [`Report`];
//! 3. when the reports of all workers are there, [`Worker::advance`] says how the count stands.
//!    Then all shares are on disk, and those of the turn before are removed.
//!
//! * `packed.rs`: the files of states; `folder.rs`: the scratch folder and its manifests;
//! * `restart.rs`: from which level a stopped count goes on, and who reads what;
//! * `shard.rs`: a share of a level; `totals.rs`: what is counted; `budget.rs`: memory.

mod budget;
mod folder;
mod packed;
mod restart;
mod shard;
mod totals;

pub use budget::WorkerBudget;
pub use folder::{Folder, Label, Manifest};
pub use restart::{Inventory, RestartPoint, ShardInfo, restart_point};
pub use totals::{LevelSummary, Report, Totals};

use super::PlacementGame;
use super::budget::Pool;
use super::error::LevelsError;
use super::state::{StateKey, each, store, stored_words};
use super::step::{Expander, Sink, width_of_sums};
use crate::tally::{Tally, Width};
use num_bigint::BigUint;
use shard::{Shard, ShardContext, worker_of};
use std::collections::BTreeMap;
use std::sync::Arc;

/// States on their way to the worker that keeps them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batch {
    /// Bits of a tally, 0 for unbounded ones.
    pub tally_bits: u32,
    /// The states, as they are stored.
    pub words: Vec<u64>,
}

/// Takes states to other workers.
pub trait Transport {
    /// Why it does not.
    type Error: From<LevelsError>;
    /// Takes a batch to a worker, perhaps the one that sends it. May wait until there is budget
    /// there; what arrives meanwhile must be received.
    fn send(&mut self, worker: usize, batch: Batch) -> Result<(), Self::Error>;
}

/// What a level is made from.
pub enum Source {
    /// The start of the game: worker 0 sends it.
    Start,
    /// Shares of a level that were kept when a count stopped.
    Checkpoint {
        /// Those that this worker reads.
        manifests: Vec<Manifest>,
        /// States of the whole level.
        states: u64,
    },
    /// The level before.
    Previous,
}

/// One of the workers that share a count of a game with those words.
pub struct Worker<W> {
    rules: String,
    attempt: u32,
    /// Counted from 0 over all processes.
    worker: usize,
    workers: usize,
    batch_words: usize,
    context: ShardContext,
    /// By turn: states that have arrived.
    shards: BTreeMap<u32, Shard<W>>,
    summary: Option<LevelSummary>,
    /// About how many states the next level has, by how the levels grow.
    expected: u64,
    /// What a worker says when the level that is being made is on disk; nothing before it is made.
    totals: Option<Totals>,
    before: Option<super::Census>,
}

/// What a worker takes out of itself while it makes a level, so that states can be received.
pub struct LevelTask<W> {
    turn: u32,
    workers: usize,
    batch_words: usize,
    folder: Arc<Folder>,
    from: Supply<W>,
}

enum Supply<W> {
    Start { first: bool },
    Kept(Vec<Manifest>),
    Step { summary: LevelSummary, shard: Box<Option<Shard<W>>> },
}

impl<W: StateKey> Worker<W> {
    /// One of so many workers, of a count of those rules, with levels in that folder.
    pub fn new(
        rules: String,
        attempt: u32,
        (worker, workers): (usize, usize),
        budget: &WorkerBudget,
        folder: Arc<Folder>,
    ) -> Worker<W> {
        let plan = budget.plan;
        let context = ShardContext { plan, pool: Arc::new(Pool::new(&plan)), folder };
        Worker {
            rules,
            attempt,
            worker,
            workers,
            batch_words: budget.batch_words,
            context,
            shards: BTreeMap::new(),
            summary: None,
            expected: 1,
            totals: None,
            before: None,
        }
    }

    /// Takes up what the level of that turn is made from.
    pub fn begin(&mut self, turn: u32, source: Source) -> Result<LevelTask<W>, LevelsError> {
        let from = match source {
            Source::Start => Supply::Start { first: self.worker == 0 },
            Source::Checkpoint { manifests, states } => {
                self.expected = states;
                Supply::Kept(manifests)
            }
            Source::Previous => {
                let summary = self.summary.clone().ok_or(LevelsError::Mismatch { turn })?;
                self.before = Some(summary.census.clone());
                let shard = Box::new(self.shards.remove(&(turn - 1)));
                Supply::Step { summary, shard }
            }
        };
        let (workers, batch_words) = (self.workers, self.batch_words);
        Ok(LevelTask { turn, workers, batch_words, folder: self.context.folder.clone(), from })
    }

    /// Notes what was made: what this worker will say of it.
    pub fn made(&mut self, totals: Totals, before: Option<super::Census>) {
        self.totals = Some(totals);
        self.before = before.or(self.before.take());
    }

    /// Takes states of a level in.
    pub fn receive(&mut self, turn: u32, batch: &Batch) -> Result<(), LevelsError> {
        let width = Width::of_bits(batch.tally_bits).ok_or(LevelsError::Mismatch { turn })?;
        let shard = self.shard(turn, width);
        match shard.width == width {
            true => shard.put(&batch.words),
            false => Err(LevelsError::Mismatch { turn }),
        }
    }

    fn shard(&mut self, turn: u32, width: Width) -> &mut Shard<W> {
        let expected = self.expected / self.workers as u64;
        let label = Label { attempt: self.attempt, turn, worker: self.worker };
        let context = &self.context;
        self.shards.entry(turn).or_insert_with(|| Shard::new(context, label, width, expected))
    }

    /// Puts all that arrived of a level on disk, with a manifest; for when nothing more can. Fails
    /// if this worker has not made its part of it.
    pub fn finish(&mut self, turn: u32) -> Result<Report, LevelsError> {
        let mut files = Vec::new();
        let mut totals = self.totals.take().ok_or(LevelsError::Mismatch { turn })?;
        if let Some(shard) = self.shards.get_mut(&turn) {
            files = shard.finish()?;
            totals.kept = shard.states;
            totals.tally_bits = Some(shard.width.bits());
        }
        let before = self.before.take();
        let manifest = Manifest {
            label: Label { attempt: self.attempt, turn, worker: self.worker },
            workers: self.workers,
            rules: self.rules.clone(),
            totals: totals.clone(),
            before: before.clone(),
            files,
        };
        self.context.folder.finish(&manifest)?;
        Ok(Report { worker: self.worker, totals, before })
    }

    /// How the count stands when all workers have made the level of that turn, by their reports.
    /// All that is older than that level is removed from the scratch folder.
    pub fn advance(&mut self, turn: u32, reports: &[Report]) -> Result<&LevelSummary, LevelsError> {
        let summary = LevelSummary::after(turn, self.workers, reports);
        let summary = summary.ok_or(LevelsError::Mismatch { turn })?;
        self.context.folder.sweep(self.attempt, turn);
        self.expected = summary.census.expected_after(summary.states);
        Ok(self.summary.insert(summary))
    }
}

impl<W: StateKey> LevelTask<W> {
    /// Sends what the level is made of; says what this worker has made, and what was counted
    /// before if it has read that.
    pub fn run<G: PlacementGame<Key = W>, C: Transport>(
        self,
        game: &G,
        transport: &mut C,
    ) -> Result<(Totals, Option<super::Census>), C::Error> {
        let LevelTask { turn, workers, batch_words, folder, from } = self;
        let output = SendBuffers::new(transport, workers, batch_words);
        match from {
            Supply::Start { first: false } => Ok(Default::default()),
            Supply::Start { first: true } => {
                output.of(Width::Bits64).only(W::default(), 1u64)?;
                let paths = BigUint::from(1u8);
                let tally_bits = Some(Width::Bits64.bits());
                Ok((Totals { sent: 1, paths, tally_bits, ..Totals::default() }, None))
            }
            Supply::Kept(manifests) => read::<W, C>(&manifests, turn, &folder, output),
            Supply::Step { summary, shard } => {
                let Some(shard) = *shard else { return Ok(Default::default()) };
                let width = width_of_sums(summary.width, &summary.paths, game.max_moves());
                let output = output.of(width);
                let made = match width {
                    Width::Bits64 => step::<u64, G, C>(game, &summary, shard, output),
                    Width::Bits128 => step::<u128, G, C>(game, &summary, shard, output),
                    Width::Unbounded => step::<BigUint, G, C>(game, &summary, shard, output),
                };
                Ok((made?, None))
            }
        }
    }
}

/// Steps a worker's share of a level.
fn step<T: Tally, G: PlacementGame, C: Transport>(
    game: &G,
    summary: &LevelSummary,
    mut shard: Shard<G::Key>,
    mut output: SendBuffers<C>,
) -> Result<Totals, C::Error> {
    shard.check::<T>(&summary.paths)?;
    let mut expander = Expander::<G::Key, T>::default();
    let mut states = Vec::new();
    while shard.take::<T>(&mut states)?.is_some() {
        expander.expand(game, summary.turn, &mut states, &mut output)?;
    }
    output.finish()?;
    Ok(Totals::of(expander))
}

/// Sends the states of kept shares to who keeps them now, and repeats what their workers said.
fn read<W: StateKey, C: Transport>(
    manifests: &[Manifest],
    turn: u32,
    folder: &Folder,
    output: SendBuffers<C>,
) -> Result<(Totals, Option<super::Census>), C::Error> {
    let mut totals = Totals::default();
    manifests.iter().for_each(|manifest| totals.absorb(&manifest.totals));
    let before = manifests.iter().find_map(|manifest| manifest.before.clone());
    // What it keeps itself remains to be seen.
    let kept = std::mem::take(&mut totals.kept);
    totals.sent = 0;
    let Some(bits) = totals.tally_bits else { return Ok((totals, before)) };
    let width = Width::of_bits(bits).ok_or(LevelsError::Mismatch { turn })?;
    let mut output = output.of(width);
    for record in manifests.iter().flat_map(|manifest| &manifest.files) {
        packed::read_file::<W, _>(folder.path(), record, width, |words| {
            each::<W>(width, words).try_for_each(|state| {
                totals.sent += 1;
                output.put(W::load(state), state)
            })
        })?;
    }
    output.finish()?;
    match totals.sent == kept {
        true => Ok((totals, before)),
        false => Err(LevelsError::Mismatch { turn }.into()),
    }
}

/// The states that a worker sends, gathered by who keeps them.
struct SendBuffers<'a, C> {
    transport: &'a mut C,
    tally_bits: u32,
    batches: Vec<Vec<u64>>,
    batch_words: usize,
}

impl<'a, C: Transport> SendBuffers<'a, C> {
    fn new(transport: &'a mut C, workers: usize, batch_words: usize) -> Self {
        let batches = (0..workers).map(|_| Vec::new()).collect();
        SendBuffers { transport, tally_bits: 64, batches, batch_words }
    }

    /// For states with tallies of that width.
    fn of(self, width: Width) -> Self {
        SendBuffers { tally_bits: width.bits(), ..self }
    }

    /// A batch for the worker of that state, with budget for so many more words.
    #[inline(always)]
    fn batch(&mut self, word: impl StateKey, needed: usize) -> Result<&mut Vec<u64>, C::Error> {
        let worker = worker_of(word, self.batches.len());
        if self.batches[worker].len() + needed > self.batch_words {
            self.flush(worker)?;
        }
        Ok(&mut self.batches[worker])
    }

    #[inline(never)]
    fn flush(&mut self, worker: usize) -> Result<(), C::Error> {
        let empty = Vec::with_capacity(self.batch_words);
        let words = std::mem::replace(&mut self.batches[worker], empty);
        match words.is_empty() {
            true => Ok(()),
            false => self.transport.send(worker, Batch { tally_bits: self.tally_bits, words }),
        }
    }

    /// Takes a state as it is stored.
    fn put(&mut self, word: impl StateKey, state: &[u64]) -> Result<(), C::Error> {
        self.batch(word, state.len())?.extend_from_slice(state);
        Ok(())
    }

    fn only<W: StateKey, T: Tally>(mut self, word: W, paths: T) -> Result<(), C::Error> {
        self.send(word, paths)?;
        self.finish()
    }

    fn finish(mut self) -> Result<(), C::Error> {
        (0..self.batches.len()).try_for_each(|worker| self.flush(worker))
    }
}

impl<W: StateKey, T: Tally, C: Transport> Sink<W, T> for SendBuffers<'_, C> {
    type Error = C::Error;

    #[inline(always)]
    fn send(&mut self, word: W, paths: T) -> Result<(), C::Error> {
        let batch = self.batch(word, stored_words::<W, T>(&paths))?;
        store(word, &paths, batch);
        Ok(())
    }
}
