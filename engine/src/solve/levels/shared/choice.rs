//! From which level a stopped count goes on, and who reads what.

use super::folder::{Folder, Label, Manifest};
use crate::solve::levels::error::RoomError;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a process has in its scratch folder: what all processes tell each other at the start.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Held {
    /// The number of the last attempt that left something; 0 if none did.
    pub attempt: u32,
    /// Finished shares of levels, each with how many workers shared the level.
    pub shares: Vec<(Label, usize)>,
    /// So many manifests cannot be read.
    pub damaged: usize,
}

impl Held {
    /// What is in a folder. Fails if that is of other rules.
    pub fn of(folder: &Folder, rules: &str) -> Result<Held, RoomError> {
        let other = folder.manifests.iter().find(|manifest| manifest.rules != rules);
        if let Some(Manifest { rules: kept, .. }) = other {
            return Err(RoomError::OtherRules {
                folder: folder.path().display().to_string(),
                kept: kept.clone(),
                asked: rules.to_string(),
            });
        }
        let shares = folder.manifests.iter().map(|manifest| (manifest.label, manifest.workers));
        let (attempt, damaged) = (folder.attempt, folder.damaged.len());
        Ok(Held { attempt, shares: shares.collect(), damaged })
    }
}

/// From where a count goes on: the same at every process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The turn whose states are kept.
    pub turn: u32,
    /// The attempt that kept them.
    pub attempt: u32,
    /// For each worker that kept a share, the process that reads it.
    pub readers: Vec<usize>,
}

impl Choice {
    /// What a thread of a process reads, if that process has so many.
    pub fn share(
        &self,
        folder: &Folder,
        process: usize,
        (thread, threads): (usize, usize),
    ) -> Vec<Manifest> {
        let Choice { attempt, turn, ref readers } = *self;
        let own = readers.iter().zip(0..).filter(|(reader, _)| **reader == process);
        let own = own.skip(thread).step_by(threads);
        let label = |(_, worker)| Label { attempt, turn, worker };
        let named = |label| folder.manifests.iter().find(|manifest| manifest.label == label);
        own.map(label).filter_map(named).cloned().collect()
    }
}

/// The last level of which all shares are there, by what each process has; nothing if there is
/// not a trace of a count.
pub fn choose(held: &[Held]) -> Result<Option<Choice>, RoomError> {
    // By turn and attempt: how many shared the level, and for each of them who has its share.
    type Shares = BTreeMap<usize, Vec<usize>>;
    let mut levels: BTreeMap<(u32, u32), (usize, Shares)> = BTreeMap::new();
    for (process, held) in held.iter().enumerate() {
        for &(Label { attempt, turn, worker }, workers) in &held.shares {
            let level = levels.entry((turn, attempt)).or_default();
            level.0 = level.0.max(workers);
            level.1.entry(worker).or_default().push(process);
        }
    }
    let whole = levels.iter().rev().find(|(_, (workers, shares))| shares.len() == *workers);
    if let Some((&(turn, attempt), (_, shares))) = whole {
        // Those who have the same take turns.
        let reader = |(worker, holders): (&usize, &Vec<usize>)| holders[worker % holders.len()];
        return Ok(Some(Choice { turn, attempt, readers: shares.iter().map(reader).collect() }));
    }
    // Of the start of the game nothing is lost.
    let Some((&(turn @ 2.., _), (workers, shares))) = levels.last_key_value() else {
        return Ok(None);
    };
    let missing: Vec<_> = (0..*workers).filter(|worker| !shares.contains_key(worker)).collect();
    let names: Vec<_> = missing.iter().take(8).map(usize::to_string).collect();
    let more = if missing.len() > 8 { ", ..." } else { "" };
    let word = if missing.len() == 1 { "worker" } else { "workers" };
    let damaged: usize = held.iter().map(|held| held.damaged).sum();
    Err(RoomError::Incomplete {
        turn,
        workers: *workers,
        missing: format!("{word} {}{more}", names.join(", ")),
        damaged: match damaged {
            0 => String::new(),
            some => format!(" ({some} manifests there cannot be read)"),
        },
    })
}
