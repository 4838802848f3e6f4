//! Resumes a count from the checkpoint of its scratch folder, and replaces the checkpoint.

use super::census::Census;
use super::error::LevelsError;
use super::level::{Level, NewLevel, Part};
use super::runs;
use super::scratch::{CHECKPOINT, Kept, ScratchFolder};
use crate::monitor::{Monitor, SolveError};
use crate::storage::StorageError;
use crate::tally::Width;
use rayon::prelude::*;

/// The count and the level of the checkpoint to resume, if there is one. Fails if it is of other
/// rules.
pub fn restore(
    scratch: &ScratchFolder,
    rules: &str,
    monitor: &Monitor,
) -> Result<Option<(Census, Level)>, SolveError> {
    scratch.sweep();
    let Some(kept) = scratch.kept() else {
        monitor.note("starts a new count");
        return Ok(None);
    };
    let restored = level_of(kept, scratch, rules, monitor);
    restored.map(Some).map_err(|error| error.kept_at(kept.turn))
}

fn level_of(
    kept: &Kept,
    scratch: &ScratchFolder,
    rules: &str,
    monitor: &Monitor,
) -> Result<(Census, Level), SolveError> {
    if kept.rules != rules {
        return Err(LevelsError::OtherRules {
            folder: scratch.folder().display().to_string(),
            kept: kept.rules.clone(),
            asked: rules.to_string(),
        }
        .into());
    }
    let path = scratch.folder().join(CHECKPOINT);
    let wrong = || LevelsError::from(StorageError::damaged(&path, "its numbers make no sense"));
    if kept.part_bits > 20 || kept.turn as usize != kept.census.levels.len() + 1 {
        return Err(wrong().into());
    }
    let mut level = Level {
        turn: kept.turn,
        width: Width::of_bits(kept.tally_bits).ok_or_else(wrong)?,
        parts: Part::empty(kept.part_bits),
        states: kept.states,
        paths: kept.paths.parse().map_err(|_| wrong())?,
    };
    let scan = |record| runs::scan(scratch.folder(), record, level.parts.len(), monitor);
    let runs: Vec<_> = kept.files.par_iter().map(scan).collect::<Result<_, _>>()?;
    for (part, run) in runs.into_iter().flatten() {
        level.parts[part].runs.push(run);
    }
    monitor.note(&format!("continues the count with turn {}", kept.turn));
    Ok((kept.census.clone(), level))
}

/// Replaces the checkpoint by one of a new level, and removes the files of the one before it.
pub fn save(
    scratch: &ScratchFolder,
    rules: &str,
    census: &Census,
    (level, files): NewLevel,
) -> Result<Level, SolveError> {
    scratch.save(Kept {
        rules: rules.to_string(),
        turn: level.turn,
        tally_bits: level.width.bits(),
        part_bits: level.parts.len().ilog2(),
        states: level.states,
        paths: level.paths.to_string(),
        census: census.clone(),
        files,
    })?;
    Ok(level)
}
