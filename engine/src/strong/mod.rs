//! The strong solution of acyclic games: the value of every position below a root, by parallel
//! memoised depth-first search with a shared transposition table.
//!
//! The search proceeds in **batches** of positions of the same turn. For a batch it generates the
//! keys of all children and prefetches their slots in the table; reads the slots, most of which
//! already contain a value; claims the children that are new and searches those, batch by batch;
//! and finally stores the values of the batch itself. The latency of memory is thus shared by some
//! hundred look-ups. A claim is one compare-and-swap, so each position is expanded once, by one
//! thread, and passed once to a [`Visitor`], with all its moves and their values.
//!
//! Threads take positions a few plies below the root, in a pseudo-random order, so that they rarely
//! meet. A thread that needs a value claimed by another thread finishes its other work first and
//! then waits. There is no deadlock: a thread that waits for a child at turn `t + 1` holds no
//! unfinished claim from turn `t + 1` on, so the owner of that child can only wait for a later
//! turn, and some thread always makes progress. A thread that ends with an error or a panic
//! releases the threads that wait. Games and visitors must not call rayon: it could run another
//! task on a thread that holds claims.
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
