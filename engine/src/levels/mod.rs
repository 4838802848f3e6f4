//! Breadth-first enumeration of the states of a game, one level (turn) at a time.
//!
//! A playout is a path from the initial position to a terminal one, so the number of paths into a
//! state is the sum over its predecessors. Two levels exist at a time: the states of one turn with
//! their path counts, and those of the next. Each state is expanded once. This is breadth-first
//! search with duplicate detection delayed to the end of a level; on disk it is the method of
//! Korf (*Delayed Duplicate Detection*, 2003), and partitioning states by a hash so that duplicates
//! meet in one partition is that of Korf and Schultze (*Large-Scale Parallel Breadth-First Search*,
//! 2005).
//!
//! In a [placement game](PlacementGame) the states of a level that share the opponent's set form a
//! **row**, and duplicates arise within a row only, except for symmetric images. The successors of
//! a row are summed in a small hash table that stays in the nearest cache, and only the finished
//! sums are brought to canonical form and stored: one canonical form and one store per state
//! instead of one per move. A hash of the opponent's set assigns rows to **partitions**; each is
//! sorted and expanded by one thread. The result does not depend on the number of threads or
//! partitions.
//!
//! * `game.rs`: the trait that a game implements; `count.rs`: the functions that count;
//! * `step.rs`: expands a partition of a level into states of the next, independent of storage;
//! * `state.rs`: keys of states, and how states are stored in words;
//! * `level.rs`: a level in blocks of memory and runs on disk, and the threads that expand it;
//! * `budget.rs`: how much memory there is and how it is divided;
//! * `runs.rs`: the runs of the external-memory sort; `scratch.rs`: the scratch folder;
//!   `checkpoint.rs`: resumes a count from it; `sound.rs`: checks of counts that were read;
//! * `distributed/`: the same enumeration divided among workers that exchange states;
//! * `in_memory/`: what replaces runs, scratch folder and checkpoint without the feature `storage`.

mod budget;
mod census;
#[cfg_attr(not(feature = "storage"), path = "in_memory/checkpoint.rs")]
mod checkpoint;
mod count;
#[cfg(feature = "storage")]
pub mod distributed;
mod error;
mod game;
mod level;
#[cfg_attr(not(feature = "storage"), path = "in_memory/runs.rs")]
mod runs;
#[cfg_attr(not(feature = "storage"), path = "in_memory/scratch.rs")]
mod scratch;
#[cfg(feature = "storage")]
mod sound;
mod state;
mod step;

pub use budget::MemoryBudget;
#[cfg(loom)]
#[doc(hidden)]
pub use budget::{Plan, Pool, Shares};
pub use census::{Census, LevelCount, ScoreCount};
pub use count::{count, count_at_least, count_within};
pub use error::LevelsError;
pub use game::{Options, PlacementGame};
pub use scratch::ScratchFolder;
pub use state::StateKey;
