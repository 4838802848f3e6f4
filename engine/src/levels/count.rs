//! Counts the states and playouts of a placement game, level by level.

use super::budget::{MemoryBudget, Pool};
use super::census::Census;
use super::checkpoint;
use super::game::PlacementGame;
use super::level::{Level, NewLevel, Setup};
use crate::monitor::{Monitor, SolveError};
use crate::tally::Width;

/// Counts of fewer states than this finish before progress is worth showing.
const SHORT: u64 = 10_000_000;

/// Counts the states and playouts of a game, with no limit on memory.
pub fn count<G: PlacementGame>(game: &G, monitor: &Monitor) -> Result<Census, SolveError> {
    count_within(game, &MemoryBudget::default(), monitor)
}

/// Counts the states and playouts of a game within a memory budget. With a scratch folder, levels
/// that do not fit are spilled to disk, and a checkpoint is saved after every turn.
///
/// The checkpoint of a finished count stays in the folder until it is
/// [removed](super::ScratchFolder::remove).
pub fn count_within<G: PlacementGame>(
    game: &G,
    budget: &MemoryBudget,
    monitor: &Monitor,
) -> Result<Census, SolveError> {
    count_at_least(game, Width::Bits64, budget, monitor)
}

/// Counts as [`count_within`] does, with tallies of at least the given width. For tests of the
/// wider tallies, which small games do not need.
pub fn count_at_least<G: PlacementGame>(
    game: &G,
    least: Width,
    budget: &MemoryBudget,
    monitor: &Monitor,
) -> Result<Census, SolveError> {
    let plan = budget.plan::<G::Key>(rayon::current_num_threads())?;
    let scratch = budget.scratch.as_ref();
    let silent = Monitor { progress: None, ..*monitor };
    let mut setup = Setup { plan, pool: Pool::new(&plan), scratch, monitor: silent };
    let rules = game.rules();
    let save = |census: &Census, new: NewLevel| match scratch {
        Some(scratch) => checkpoint::save(scratch, &rules, census, new),
        None => Ok(new.0),
    };
    let restored = scratch.map(|scratch| checkpoint::restore(scratch, game, monitor));
    let (mut census, mut level) = match restored.transpose()?.flatten() {
        Some(restored) => restored,
        None => {
            let census = Census::default();
            let level = save(&census, Level::start::<G::Key>(&setup, least)?)?;
            (census, level)
        }
    };
    while level.states > 0 {
        let turn = level.turn;
        if setup.monitor.progress.is_none() && census.states() + level.states > SHORT {
            setup.monitor = *monitor;
            monitor.begin("states", game.max_states());
            monitor.advance(census.states());
        }
        let new = monitor.check().and_then(|()| level.step(game, &setup, &mut census));
        let new = new.and_then(|new| save(&census, new));
        level = new.map_err(|error| match scratch {
            Some(scratch) => {
                scratch.sweep();
                error.kept_at(turn)
            }
            None => error,
        })?;
    }
    tracing::info!(states = census.states(), playouts = %census.playouts(), "counted");
    Ok(census)
}
