//! The strong solution of acyclic games: the value of every position below a root, by parallel
//! memoised depth-first search with a shared transposition table.
//!
//! The search proceeds in **batches** of positions of the same turn. For a batch it generates the
//! keys of all children and prefetches their slots in the table; reads the slots, most of which
//! already contain a value; claims the children that are new and searches those, batch by batch;
//! and finally stores the values of the batch itself. The latency of memory is thus shared by some
//! hundred look-ups. A claim is one compare-and-swap, so each position is settled once, by one
//! thread, and passed once to a [`Visitor`], with all its moves and their values.
//!
//! The search is divided into **tasks** of rayon, whose idle threads steal the oldest and largest
//! ones. The task of a position spawns a task for each of its children, in a pseudo-random order,
//! so that threads rarely meet; a child that already has a task gets no second one. A budget, which
//! depends on the expected number of positions but not on the number of threads, is divided among
//! the children. Where it is used up, a task claims up to eight siblings and searches all positions
//! below them. The positions above are claimed by no task: when all tasks have ended, a last search
//! from the root computes their values from those in the table.
//!
//! A thread that needs a value claimed by another thread finishes its other work first and then
//! waits. There is no deadlock, for two reasons:
//!
//! * A thread that waits for a child at turn `t + 1` holds no unfinished claim from turn `t + 1`
//!   on, so the owner of that child can only wait for a later turn, and some thread always makes
//!   progress.
//! * A thread that holds a claim never enters rayon, which could run another task on it; that task
//!   could wait for a claim of the interrupted one. Tasks that spawn others hold no claims, and the
//!   thread that waits for the end of all tasks holds none. Games, visitors and monitors must not
//!   call rayon either.
//!
//! A thread that ends with an error or a panic releases the threads that wait, and no task begins
//! after that. [`Solved::stolen_tasks`] tells how many tasks were stolen.
//!
//! * `game.rs`: the trait that a game implements, [`Edges`] and [`Visitor`];
//! * `search.rs`: the search; `states.rs`: the solved positions in order, as a table.

mod game;
mod search;
mod states;

pub use game::{AcyclicGame, Edges, Visitor};
#[cfg(loom)]
#[doc(hidden)]
pub use search::{Failure, search_nodes};
pub use search::{Solved, solve, solve_visiting};
pub use states::{DecodeKey, State, States};
