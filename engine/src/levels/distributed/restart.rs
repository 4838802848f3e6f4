//! Chooses the level from which an interrupted count continues, and the process that reads each
//! shard.

use super::folder::{Folder, Manifest, ShardId};
use crate::levels::error::LevelsError;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The shards in a process's scratch folder. Processes exchange their inventories when they start.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Inventory {
    /// The number of the latest attempt that left files; 0 if there are none.
    pub attempt: u32,
    /// The finished shards.
    pub shards: Vec<ShardInfo>,
    /// The number of manifests that cannot be read.
    pub damaged: usize,
}

/// A finished shard of a level, from its manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShardInfo {
    /// The attempt, turn and worker of the shard.
    pub label: ShardId,
    /// The number of workers among which the level is divided.
    pub workers: usize,
    /// The number of states of the level that the worker sent.
    pub sent: u64,
    /// The number of states of the shard.
    pub kept: u64,
}

impl ShardInfo {
    fn of(manifest: &Manifest) -> ShardInfo {
        let Manifest { label, workers, ref totals, .. } = *manifest;
        ShardInfo { label, workers, sent: totals.sent, kept: totals.kept }
    }
}

/// The largest number of workers.
const MAX_WORKERS: usize = 1 << 16;
/// The latest turn of any game: every turn but the last adds one of at most 64 cells, or is a pass
/// between two that do. After it comes an empty level.
pub const LAST_TURN: u32 = 2 * 64 + 2;

impl Inventory {
    /// Whether the inventory is consistent: one received from another process may not be.
    pub fn is_sound(&self) -> bool {
        let is_sound = |shard: &ShardInfo| {
            (1..=LAST_TURN).contains(&shard.label.turn)
                && shard.workers <= MAX_WORKERS
                && shard.label.worker < shard.workers
                && shard.label.attempt <= self.attempt
        };
        let mut labels: Vec<_> = self.shards.iter().map(|shard| shard.label).collect();
        labels.sort_unstable();
        // The next attempt needs a number that names of files can have.
        self.attempt < u32::MAX - 2
            && self.shards.iter().all(is_sound)
            && labels.windows(2).all(|pair| pair[0] != pair[1])
    }

    /// The inventory of a folder.
    ///
    /// # Errors
    ///
    /// [`LevelsError::OtherRules`] if the folder contains a count with other rules.
    pub fn of(folder: &Folder, rules: &str) -> Result<Inventory, LevelsError> {
        let other = folder.manifests.iter().find(|manifest| manifest.rules != rules);
        if let Some(Manifest { rules: kept, .. }) = other {
            return Err(LevelsError::OtherRules {
                folder: folder.path().display().to_string(),
                kept: kept.clone(),
                asked: rules.to_string(),
            });
        }
        let shards = folder.manifests.iter().map(ShardInfo::of).collect();
        let (attempt, damaged) = (folder.attempt, folder.damaged.len());
        Ok(Inventory { attempt, shards, damaged })
    }
}

/// The level from which a count continues: equal at every process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RestartPoint {
    /// The turn of the level.
    pub turn: u32,
    /// The attempt that wrote it.
    pub attempt: u32,
    /// The number of its states.
    pub states: u64,
    /// For each worker that wrote a shard, the process that reads it.
    pub readers: Vec<usize>,
}

impl RestartPoint {
    /// The shards that thread `thread` of `threads` in a process reads.
    pub fn manifests_for(
        &self,
        folder: &Folder,
        process: usize,
        (thread, threads): (usize, usize),
    ) -> Vec<Manifest> {
        let RestartPoint { attempt, turn, ref readers, .. } = *self;
        let own = readers.iter().zip(0..).filter(|(reader, _)| **reader == process);
        let own = own.skip(thread).step_by(threads);
        let label = |(_, worker)| ShardId { attempt, turn, worker };
        let named = |label| folder.manifests.iter().find(|manifest| manifest.label == label);
        own.map(label).filter_map(named).cloned().collect()
    }
}

impl Folder {
    /// Removes the files of earlier attempts, except for the level that is resumed.
    pub fn tidy(&self, attempt: u32, restart: Option<&RestartPoint>) {
        let needed = restart.map(|restart| (restart.attempt, restart.turn));
        self.clear(|label| label.attempt < attempt && Some((label.attempt, label.turn)) != needed);
    }
}

/// The shards of a level that are in some inventory.
#[derive(Default)]
struct LevelShards {
    /// The number of workers of the level.
    workers: usize,
    /// For each worker whose shard exists: the processes that have it, and the states sent and
    /// kept.
    shards: BTreeMap<usize, (Vec<usize>, [u64; 2])>,
}

impl LevelShards {
    /// Whether all shards exist and contain all states that were sent.
    fn is_complete(&self) -> bool {
        self.shards.len() == self.workers && self.states(0) == self.states(1)
    }

    /// The number of states sent (0) or kept (1).
    fn states(&self, which: usize) -> u128 {
        self.shards.values().map(|(_, states)| u128::from(states[which])).sum()
    }
}

/// Finds the latest level of which all shards exist in some inventory. `None` if no level after the
/// first was ever begun.
///
/// # Errors
///
/// [`LevelsError::Incomplete`] if shards of every level are missing, [`LevelsError::Mismatch`] if
/// shards contradict each other.
pub fn restart_point(inventories: &[Inventory]) -> Result<Option<RestartPoint>, LevelsError> {
    // By turn and attempt.
    let mut levels: BTreeMap<(u32, u32), LevelShards> = BTreeMap::new();
    for (process, inventory) in inventories.iter().enumerate() {
        for &ShardInfo { label, workers, sent, kept } in &inventory.shards {
            let level = levels.entry((label.turn, label.attempt)).or_default();
            level.workers = level.workers.max(workers);
            let (holders, states) =
                level.shards.entry(label.worker).or_insert((Vec::new(), [sent, kept]));
            holders.push(process);
            if *states != [sent, kept] {
                return Err(LevelsError::Mismatch { turn: label.turn });
            }
        }
    }
    if let Some((&(turn, attempt), level)) = levels.iter().rev().find(|(_, l)| l.is_complete()) {
        // Processes that have the same shards take turns.
        let reader = |(worker, (holders, _)): (&usize, &(Vec<usize>, _))| {
            holders[worker % holders.len()] // at least one
        };
        let readers = level.shards.iter().map(reader).collect();
        let states = level.states(1).try_into().map_err(|_| LevelsError::Mismatch { turn })?;
        return Ok(Some(RestartPoint { turn, attempt, states, readers }));
    }
    // The first level can be produced again.
    let Some((&(turn @ 2.., _), LevelShards { workers, shards })) = levels.last_key_value() else {
        return Ok(None);
    };
    if shards.len() == *workers {
        return Err(LevelsError::Mismatch { turn });
    }
    // A manifest may name any number of workers.
    let missing = (0..*workers).filter(|worker| !shards.contains_key(worker));
    let names: Vec<_> = missing.take(9).map(|worker| worker.to_string()).collect();
    let more = if names.len() > 8 { ", ..." } else { "" };
    let word = if names.len() == 1 { "worker" } else { "workers" };
    let damaged: usize = inventories.iter().map(|inventory| inventory.damaged).sum();
    Err(LevelsError::Incomplete {
        turn,
        workers: *workers,
        missing: format!("{word} {}{more}", names[..names.len().min(8)].join(", ")),
        damaged: match damaged {
            0 => String::new(),
            some => format!(" ({some} manifests there cannot be read)"),
        },
    })
}
