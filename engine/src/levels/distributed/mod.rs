//! Breadth-first enumeration distributed over workers.
//!
//! A hash of the opponent's set assigns each row of a level to a worker, which stores the row and
//! expands it. Workers send complete states to the worker that owns them (owner-computes, as in
//! Romein, Bal, Schaeffer and Plaat, *Transposition Table Driven Work Scheduling in Distributed
//! Search*, 1999). States are sent through a [`Transport`], so this module does not depend on
//! processes or networks; workers within one thread produce the same result.
//!
//! Every worker produces a level in the same steps:
//!
//! 1. [`LevelTask::run`] expands the worker's shard of the previous level (or sends the initial
//!    state, or rereads shards of an interrupted count) and passes states to the transport.
//!    Meanwhile states arrive and are [received](Worker::receive), possibly some of the next level
//!    already, from a worker that is ahead.
//! 2. When no more states can arrive, [`Worker::finish`] writes the shard to disk and returns a
//!    [`Report`].
//! 3. When the reports of all workers are there, [`Worker::advance`] returns the
//!    [`LevelSummary`], equal at every worker. All shards are on disk then, and those of the
//!    previous level are removed.
//!
//! * `packed.rs`: the files of states; `folder.rs`: the scratch folder and its manifests;
//! * `restart.rs`: the level from which an interrupted count continues, and the readers of its
//!   shards;
//! * `shard.rs`: a worker's states of a level; `totals.rs`: counts of a level; `budget.rs`: memory.

mod budget;
mod folder;
mod packed;
mod restart;
mod shard;
mod totals;

pub use budget::WorkerBudget;
pub use folder::{Folder, Manifest, ShardId};
pub use restart::{Inventory, LAST_TURN, RestartPoint, ShardInfo, restart_point};
pub use totals::{Before, LevelSummary, Report, Totals};

use super::budget::Pool;
use super::error::LevelsError;
use super::game::PlacementGame;
use super::state::{StateKey, each, store, stored_words};
use super::step::{Expander, Sink, width_of_sums};
use crate::tally::{Tally, Width};
use num_bigint::BigUint;
use shard::{Shard, ShardContext, worker_of};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A message: states for the worker that owns them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batch {
    /// The width of the tallies in bits, 0 for unbounded ones.
    pub tally_bits: u32,
    /// The stored states.
    pub words: Vec<u64>,
}

/// Sends states to other workers.
pub trait Transport {
    /// The reason why a batch cannot be sent.
    type Error: From<LevelsError>;
    /// Sends a batch to a worker, possibly to the sender itself. May wait until the receiver has
    /// capacity; batches that arrive meanwhile must be received.
    fn send(&mut self, worker: usize, batch: Batch) -> Result<(), Self::Error>;
}

/// The source of the states of a level.
pub enum Source {
    /// The initial position, which worker 0 sends.
    Start,
    /// Shards of the level itself, written by a count that was interrupted.
    Checkpoint {
        /// The shards that this worker reads.
        manifests: Vec<Manifest>,
        /// The number of states of the whole level.
        states: u64,
    },
    /// The previous level.
    Previous,
}

/// One of the workers of a distributed count.
pub struct Worker<K> {
    rules: String,
    attempt: u32,
    /// The number of the worker, counted from 0 over all processes.
    worker: usize,
    workers: usize,
    batch_words: usize,
    context: ShardContext,
    /// The states that have arrived, by turn.
    shards: BTreeMap<u32, Shard<K>>,
    summary: Option<LevelSummary>,
    /// The number of states of the level that the count continues with.
    resumed: Option<u64>,
    /// An estimate of the number of states of the next level.
    expected: u64,
    /// The totals of the current level; `None` until its task has run.
    totals: Option<Totals>,
    before: Option<super::Census>,
}

/// The task of producing a level. It is separate from the [`Worker`], which receives states while
/// the task runs.
pub struct LevelTask<K> {
    turn: u32,
    workers: usize,
    batch_words: usize,
    folder: Arc<Folder>,
    input: Input<K>,
}

enum Input<K> {
    Start { first: bool },
    Checkpoint(Vec<Manifest>),
    Previous { summary: LevelSummary, shard: Box<Option<Shard<K>>> },
}

impl<K: StateKey> Worker<K> {
    /// Creates worker number `worker` of `workers` for a count of `game`, which keeps its shards in
    /// `folder`. `attempt` is the number of this start of the count.
    pub fn new(
        game: &impl PlacementGame<Key = K>,
        attempt: u32,
        (worker, workers): (usize, usize),
        budget: &WorkerBudget,
        folder: Arc<Folder>,
    ) -> Worker<K> {
        let (plan, cells) = (budget.plan, game.cells());
        let context =
            ShardContext { plan, pool: Arc::new(Pool::new(&plan)), folder, workers, cells };
        Worker {
            rules: game.rules(),
            attempt,
            worker,
            workers,
            batch_words: budget.batch_words,
            context,
            shards: BTreeMap::new(),
            summary: None,
            resumed: None,
            expected: 1,
            totals: None,
            before: None,
        }
    }

    /// Starts the level of a turn.
    ///
    /// # Errors
    ///
    /// [`LevelsError::Mismatch`] if the previous level is not finished.
    pub fn begin(&mut self, turn: u32, source: Source) -> Result<LevelTask<K>, LevelsError> {
        let input = match source {
            Source::Start => Input::Start { first: self.worker == 0 },
            Source::Checkpoint { manifests, states } => {
                (self.expected, self.resumed) = (states, Some(states));
                Input::Checkpoint(manifests)
            }
            Source::Previous => {
                let summary = self.summary.clone().ok_or(LevelsError::Mismatch { turn })?;
                self.before = Some(summary.census.clone());
                let shard = Box::new(self.shards.remove(&(turn - 1)));
                Input::Previous { summary, shard }
            }
        };
        let (workers, batch_words) = (self.workers, self.batch_words);
        Ok(LevelTask { turn, workers, batch_words, folder: self.context.folder.clone(), input })
    }

    /// Records what the task of the current level returned, for the report.
    pub fn complete(&mut self, totals: Totals, before: Option<super::Census>) {
        self.totals = Some(totals);
        self.before = before.or(self.before.take());
    }

    /// Stores states of a level that have arrived from the worker `from`.
    ///
    /// # Errors
    ///
    /// [`LevelsError::Implausible`] if they are not states that this worker owns.
    pub fn receive(&mut self, turn: u32, from: usize, batch: &Batch) -> Result<(), LevelsError> {
        let wrong = LevelsError::Implausible {
            turn,
            worker: from,
            what: "states with tallies of a wrong width",
        };
        let width = Width::of_bits(batch.tally_bits).ok_or(wrong.clone())?;
        let shard = self.shard(turn, width);
        match shard.width == width {
            true => shard.put(from, &batch.words),
            false => Err(wrong),
        }
    }

    fn shard(&mut self, turn: u32, width: Width) -> &mut Shard<K> {
        let expected = self.expected / self.workers as u64;
        let label = ShardId { attempt: self.attempt, turn, worker: self.worker };
        let context = &self.context;
        self.shards.entry(turn).or_insert_with(|| Shard::new(context, label, width, expected))
    }

    /// Writes the states of a level to disk, with a manifest. To be called when no more can arrive.
    ///
    /// # Errors
    ///
    /// [`LevelsError::Mismatch`] if this worker's own task has not run.
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
            label: ShardId { attempt: self.attempt, turn, worker: self.worker },
            workers: self.workers,
            rules: self.rules.clone(),
            totals: totals.clone(),
            before: before.clone(),
            files,
        };
        self.context.folder.finish(&manifest)?;
        Ok(Report { worker: self.worker, totals, before })
    }

    /// Combines the reports of all workers on the level of a turn. Removes older levels from the
    /// scratch folder.
    ///
    /// # Errors
    ///
    /// [`LevelsError::Mismatch`] if the reports contradict each other, and
    /// [`LevelsError::Implausible`] if one of them contradicts itself or the previous level.
    pub fn advance(&mut self, turn: u32, reports: &[Report]) -> Result<&LevelSummary, LevelsError> {
        let before = match self.resumed.take() {
            Some(states) => Before::Stored { states },
            None => self.summary.as_ref().map_or(Before::Start, Before::Level),
        };
        let summary = LevelSummary::combine(turn, self.workers, reports, before)?;
        self.context.folder.sweep(self.attempt, turn);
        self.expected = summary.census.expected_after(summary.states);
        Ok(self.summary.insert(summary))
    }
}

impl<K: StateKey> LevelTask<K> {
    /// Sends the states of the level to their owners. Returns this worker's totals, and the census
    /// of the earlier levels if it was read from a manifest.
    pub fn run<G: PlacementGame<Key = K>, C: Transport>(
        self,
        game: &G,
        transport: &mut C,
    ) -> Result<(Totals, Option<super::Census>), C::Error> {
        let LevelTask { turn, workers, batch_words, folder, input } = self;
        let batches = vec![Vec::new(); workers];
        let output = |width| SendBuffers { transport, width, batches, batch_words };
        match input {
            Input::Start { first: false } => Ok(Default::default()),
            Input::Start { first: true } => {
                output(Width::Bits64).send_one(K::default(), 1u64)?;
                let paths = BigUint::from(1u8);
                let tally_bits = Some(Width::Bits64.bits());
                Ok((Totals { sent: 1, paths, tally_bits, ..Totals::default() }, None))
            }
            Input::Checkpoint(manifests) => read::<K, C>(&manifests, turn, &folder, output),
            Input::Previous { summary, shard } => {
                let Some(shard) = *shard else { return Ok(Default::default()) };
                let width = width_of_sums(summary.width, &summary.paths, game.max_moves());
                let totals = match width {
                    Width::Bits64 => step::<u64, G, C>(game, &summary, shard, output(width)),
                    Width::Bits128 => step::<u128, G, C>(game, &summary, shard, output(width)),
                    Width::Unbounded => step::<BigUint, G, C>(game, &summary, shard, output(width)),
                };
                Ok((totals?, None))
            }
        }
    }
}

/// Expands a worker's shard of a level.
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

/// Sends the states of stored shards to their present owners, and returns the totals in the
/// manifests.
fn read<'a, K: StateKey, C: Transport + 'a>(
    manifests: &[Manifest],
    turn: u32,
    folder: &Folder,
    output: impl FnOnce(Width) -> SendBuffers<'a, C>,
) -> Result<(Totals, Option<super::Census>), C::Error> {
    let mut totals = Totals::default();
    let absorbed = manifests.iter().try_for_each(|manifest| totals.absorb(&manifest.totals));
    absorbed.ok_or(LevelsError::Mismatch { turn })?;
    let before = manifests.iter().find_map(|manifest| manifest.before.clone());
    // The number of states that this worker owns is not known until all have arrived.
    let kept = std::mem::take(&mut totals.kept);
    totals.sent = 0;
    let Some(bits) = totals.tally_bits else { return Ok((totals, before)) };
    let width = Width::of_bits(bits).ok_or(LevelsError::Mismatch { turn })?;
    let mut output = output(width);
    for record in manifests.iter().flat_map(|manifest| &manifest.files) {
        packed::read_file::<K, _>(folder.path(), record, width, |words| {
            each::<K>(width, words).try_for_each(|state| {
                totals.sent += 1;
                output.put(K::load(state), state)
            })
        })?;
    }
    output.finish()?;
    match totals.sent == kept {
        true => Ok((totals, before)),
        false => Err(LevelsError::Mismatch { turn }.into()),
    }
}

/// States to be sent, buffered by their owner.
struct SendBuffers<'a, C> {
    transport: &'a mut C,
    /// The width of the tallies.
    width: Width,
    batches: Vec<Vec<u64>>,
    batch_words: usize,
}

impl<C: Transport> SendBuffers<'_, C> {
    /// Returns the buffer for the owner of a state, with space for `needed` more words.
    #[inline(always)]
    fn batch(&mut self, key: impl StateKey, needed: usize) -> Result<&mut Vec<u64>, C::Error> {
        let worker = worker_of(key, self.batches.len());
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
            false => self.transport.send(worker, Batch { tally_bits: self.width.bits(), words }),
        }
    }

    /// Sends a stored state.
    fn put(&mut self, key: impl StateKey, state: &[u64]) -> Result<(), C::Error> {
        self.batch(key, state.len())?.extend_from_slice(state);
        Ok(())
    }

    /// Sends a single state.
    fn send_one<K: StateKey, T: Tally>(mut self, key: K, paths: T) -> Result<(), C::Error> {
        self.push(key, paths)?;
        self.finish()
    }

    fn finish(mut self) -> Result<(), C::Error> {
        (0..self.batches.len()).try_for_each(|worker| self.flush(worker))
    }
}

impl<K: StateKey, T: Tally, C: Transport> Sink<K, T> for SendBuffers<'_, C> {
    type Error = C::Error;

    #[inline(always)]
    fn push(&mut self, key: K, paths: T) -> Result<(), C::Error> {
        let batch = self.batch(key, stored_words::<K, T>(&paths))?;
        store(key, &paths, batch);
        Ok(())
    }
}
