//! How many states and playouts there are: one forward pass, a turn at a time.
//!
//! The playouts of a game are the paths from its start to its ends, and the number of paths
//! into a state is the sum of those into the states before it. So two levels are at hand at any
//! time, the states of one turn with their counts and those of the next, and each state is
//! seen once.
//!
//! A move leaves the opponent's pieces alone. So the states of a level lie in **rows** of the
//! same opponent's pieces, and what the moves from a row lead to is summed up inside the row,
//! in the nearest cache. Only a finished sum is turned over, to the row where its mover's
//! pieces are the opponent's: one canonical form and one move through memory for each state,
//! not for each move. Rows are shared out among parts by a hash of those pieces, and the counts
//! are the same for any number of threads and any number of parts.
//!
//! * `step.rs`: a part of a level in, states of the next level out; knows of no memory or disk;
//! * `state.rs`: what a state is, and how it is stored;
//! * `level.rs`: a level, in blocks of memory and runs on disk, and the threads that step it;
//! * `budget.rs`: how much memory there is and how it is shared out;
//! * `runs.rs`: the files of states; `checkpoint.rs`: the scratch folder and what is in it;
//! * `files.rs`: what is the same for all files of a scratch folder;
//! * `distributed/`: the same count shared among workers that only send each other states.

mod budget;
mod census;
mod checkpoint;
pub mod distributed;
mod error;
mod files;
mod level;
mod runs;
mod state;
mod step;

pub use budget::MemoryBudget;
pub use census::{Census, LevelCount, ScoreCount};
pub use checkpoint::Scratch;
pub use error::LevelsError;
pub use state::StateKey;

use crate::monitor::{Monitor, SolveError};
use crate::tally::Width;
use budget::Pool;
use level::{Level, Made, Setup};

/// A game in which a move adds a cell to the mover's set and leaves the opponent's alone.
pub trait PlacementGame: Sync {
    /// What states are told by: one that has room for the cells of the game.
    type Key: StateKey;
    /// What the states with the same opponent's set have in common.
    type Row;

    /// The row of an opponent's set.
    fn row(&self, opponent: u64) -> Self::Row;
    /// What the mover can do with this set of its own.
    fn options(&self, row: &Self::Row, own: u64, turn: u32) -> Options;
    /// For each of the sets that the mover may have after the turn, the canonical word of the
    /// state in which the opponent moves.
    fn canonical_successors(&self, row: &Self::Row, own: &[u64], words: &mut [Self::Key]);
    /// Whether some symmetry leaves the opponent's set as it is, so that two of the mover's
    /// sets may make the same state.
    fn symmetric(&self, row: &Self::Row) -> bool;
    /// No state has more moves.
    fn max_moves(&self) -> u32;
    /// No game has more states. May take half a second.
    fn max_states(&self) -> u64;
    /// The rules in words, by which a checkpoint tells games apart.
    fn rules(&self) -> String;
}

/// What a mover can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Options {
    /// Add one of these cells, at least one.
    Place(u64),
    /// Nothing, this time or ever, but the opponent goes on.
    Pass,
    /// Nothing, and the game is over with that score.
    Terminal(i32),
}

/// So many states are counted before anybody asks how far it is.
const SHORT: u64 = 10_000_000;

/// Counts the states and playouts of a game, turn by turn.
pub fn count<G: PlacementGame>(game: &G, monitor: &Monitor) -> Result<Census, SolveError> {
    count_within(game, &MemoryBudget::default(), monitor)
}

/// The same in so much memory, with a checkpoint after every turn if there is a scratch folder.
/// The checkpoint of a finished count stays there until it is [removed](Scratch::remove).
pub fn count_within<G: PlacementGame>(
    game: &G,
    room: &MemoryBudget,
    monitor: &Monitor,
) -> Result<Census, SolveError> {
    count_at_least(game, Width::Bits64, room, monitor)
}

/// The same with tallies of at least that width; for tests of the wider ones.
pub fn count_at_least<G: PlacementGame>(
    game: &G,
    least: Width,
    room: &MemoryBudget,
    monitor: &Monitor,
) -> Result<Census, SolveError> {
    let plan = room.plan::<G::Key>(rayon::current_num_threads())?;
    let scratch = room.scratch.as_ref();
    let unseen = Monitor { progress: None, ..*monitor };
    let mut setup = Setup { plan, pool: Pool::new(&plan), scratch, monitor: unseen };
    let rules = game.rules();
    let restored = match scratch {
        Some(scratch) => scratch.restore(&rules, monitor)?,
        None => None,
    };
    let save = |census: &Census, made: Made| {
        if let Some(scratch) = scratch {
            scratch.save(&rules, census, &made.level, made.files)?;
        }
        Ok::<Level, SolveError>(made.level)
    };
    let (mut census, mut level) = match restored {
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
        let made = monitor.check().and_then(|()| level.step(game, &setup, &mut census));
        let made = made.and_then(|made| save(&census, made));
        level = made.map_err(|error| match scratch {
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
