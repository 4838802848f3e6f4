//! From which level a stopped count goes on, and who reads what.

use super::folder::{Folder, Label, Manifest};
use crate::levels::error::LevelsError;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a process has in its scratch folder: what all processes tell each other at the start.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Inventory {
    /// The number of the last attempt that left something; 0 if none did.
    pub attempt: u32,
    /// Finished shards of levels.
    pub shards: Vec<ShardInfo>,
    /// So many manifests cannot be read.
    pub damaged: usize,
}

/// A finished share of a level, by its manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShardInfo {
    /// Whose share of which level.
    pub label: Label,
    /// So many workers share the level.
    pub workers: usize,
    /// States of the level that the worker sent to those that keep them.
    pub sent: u64,
    /// States that it keeps.
    pub kept: u64,
}

impl ShardInfo {
    fn of(manifest: &Manifest) -> ShardInfo {
        let Manifest { label, workers, ref totals, .. } = *manifest;
        ShardInfo { label, workers, sent: totals.sent, kept: totals.kept }
    }
}

/// A count has no more workers.
const MOST_WORKERS: usize = 1 << 16;

impl Inventory {
    /// Whether it can be what some process has.
    pub fn is_sound(&self) -> bool {
        let is_sound = |share: &ShardInfo| {
            share.workers <= MOST_WORKERS
                && share.label.worker < share.workers
                && share.label.attempt <= self.attempt
        };
        self.attempt < u32::MAX - 1 && self.shards.iter().all(is_sound)
    }

    /// What is in a folder. Fails if that is of other rules.
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

/// From where a count goes on: the same at every process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RestartPoint {
    /// The turn whose states are kept.
    pub turn: u32,
    /// The attempt that kept them.
    pub attempt: u32,
    /// How many there are.
    pub states: u64,
    /// For each worker that kept a share, the process that reads it.
    pub readers: Vec<usize>,
}

impl RestartPoint {
    /// What a thread of a process reads, if that process has so many.
    pub fn manifests_for(
        &self,
        folder: &Folder,
        process: usize,
        (thread, threads): (usize, usize),
    ) -> Vec<Manifest> {
        let RestartPoint { attempt, turn, ref readers, .. } = *self;
        let own = readers.iter().zip(0..).filter(|(reader, _)| **reader == process);
        let own = own.skip(thread).step_by(threads);
        let label = |(_, worker)| Label { attempt, turn, worker };
        let named = |label| folder.manifests.iter().find(|manifest| manifest.label == label);
        own.map(label).filter_map(named).cloned().collect()
    }
}

/// What is known of a level.
#[derive(Default)]
struct Known {
    /// So many shared it.
    workers: usize,
    /// For each worker whose share is there: who has it, and the states sent and kept.
    shards: BTreeMap<usize, (Vec<usize>, [u64; 2])>,
}

impl Known {
    /// Whether all states that were sent are there.
    fn is_whole(&self) -> bool {
        self.shards.len() == self.workers && self.states(0) == self.states(1)
    }

    /// States sent, or kept.
    fn states(&self, which: usize) -> u128 {
        self.shards.values().map(|(_, states)| u128::from(states[which])).sum()
    }
}

/// The last level of which all shards are there, by what each process has; nothing if there is
/// not a trace of a count.
pub fn restart_point(inventory: &[Inventory]) -> Result<Option<RestartPoint>, LevelsError> {
    // By turn and attempt.
    let mut levels: BTreeMap<(u32, u32), Known> = BTreeMap::new();
    for (process, inventory) in inventory.iter().enumerate() {
        for &ShardInfo { label, workers, sent, kept } in &inventory.shards {
            let level = levels.entry((label.turn, label.attempt)).or_default();
            level.workers = level.workers.max(workers);
            let share = level.shards.entry(label.worker).or_default();
            share.0.push(process);
            share.1 = [sent, kept];
        }
    }
    if let Some((&(turn, attempt), level)) = levels.iter().rev().find(|(_, l)| l.is_whole()) {
        // Those who have the same take turns.
        let reader = |(worker, (holders, _)): (&usize, &(Vec<usize>, _))| {
            holders[worker % holders.len()] // there is one
        };
        let readers = level.shards.iter().map(reader).collect();
        let states = level.states(1).try_into().map_err(|_| LevelsError::Mismatch { turn })?;
        return Ok(Some(RestartPoint { turn, attempt, states, readers }));
    }
    // Of the start of the game nothing is lost.
    let Some((&(turn @ 2.., _), Known { workers, shards })) = levels.last_key_value() else {
        return Ok(None);
    };
    if shards.len() == *workers {
        return Err(LevelsError::Mismatch { turn });
    }
    let missing: Vec<_> = (0..*workers).filter(|worker| !shards.contains_key(worker)).collect();
    let names: Vec<_> = missing.iter().take(8).map(usize::to_string).collect();
    let more = if missing.len() > 8 { ", ..." } else { "" };
    let word = if missing.len() == 1 { "worker" } else { "workers" };
    let damaged: usize = inventory.iter().map(|inventory| inventory.damaged).sum();
    Err(LevelsError::Incomplete {
        turn,
        workers: *workers,
        missing: format!("{word} {}{more}", names.join(", ")),
        damaged: match damaged {
            0 => String::new(),
            some => format!(" ({some} manifests there cannot be read)"),
        },
    })
}
