//! Resumes a count from the checkpoint of its scratch folder, and replaces the checkpoint.

use super::census::{Census, parse_digits};
use super::error::LevelsError;
use super::game::PlacementGame;
use super::level::{Level, NewLevel, Part};
use super::runs::{self, Sums};
use super::scratch::{CHECKPOINT, Kept, ScratchFolder};
use super::state::StateKey;
use crate::monitor::{Monitor, SolveError};
use crate::parallel;
use crate::storage::StorageError;
use crate::tally::Width;

/// The count and the level of the checkpoint to resume, if there is one. Fails if it is of other
/// rules.
pub fn restore<G: PlacementGame>(
    scratch: &ScratchFolder,
    game: &G,
    monitor: &Monitor,
) -> Result<Option<(Census, Level)>, SolveError> {
    scratch.sweep();
    let Some(kept) = scratch.kept() else {
        monitor.note("starts a new count");
        return Ok(None);
    };
    let restored = level_of::<G::Key>(kept, scratch, &game.rules(), monitor);
    restored.map(Some).map_err(|error| error.kept_at(kept.turn))
}

fn level_of<K: StateKey>(
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
    if !kept.census.is_sound()
        || kept.part_bits > 20
        || kept.turn as usize != kept.census.levels.len() + 1
    {
        return Err(wrong().into());
    }
    let mut level = Level {
        turn: kept.turn,
        width: Width::of_bits(kept.tally_bits).ok_or_else(wrong)?,
        parts: Part::empty(kept.part_bits),
        states: kept.states,
        paths: parse_digits(&kept.paths).map_err(|_| wrong())?,
    };
    let (parts, width) = (level.parts.len(), level.width);
    let scan = |record| runs::scan::<K>(scratch.folder(), record, parts, width, monitor);
    let scanned = parallel::try_map(&kept.files, scan)?;
    let mut sums = Sums::default();
    for (runs, found) in scanned {
        sums.add(found);
        for (part, run) in runs {
            level.parts[part].runs.push(run);
        }
    }
    if (sums.states, &sums.paths) != (level.states, &level.paths) {
        return Err(wrong().into());
    }
    monitor.note(&format!("continues the count with turn {}", kept.turn));
    Ok((kept.census.clone(), level))
}

impl ScratchFolder {
    /// Checks the checkpoint and all files that it lists, as a count does before it continues.
    /// Returns the turn whose states they contain; `None` if there is no checkpoint.
    ///
    /// # Errors
    ///
    /// If the checkpoint is of other rules, or a file is damaged.
    pub fn check(
        &self,
        game: &impl PlacementGame,
        monitor: &Monitor,
    ) -> Result<Option<u32>, SolveError> {
        Ok(restore(self, game, monitor)?.map(|(_, level)| level.turn))
    }
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
