//! Counts of states and playouts, by several methods:
//!
//! * [`levels`](super::LevelGame): states and playouts, turn by turn over every state; the game for
//!   the breadth-first count of `bsq_engine::levels`;
//! * [`pairs`](super::PairKey): canonical pairs of sets of cells, for that count;
//! * [`states`]: states, from the sets of pieces that one player can have;
//! * [`state_bounds`]: the states in which nobody has passed, and an upper bound on all states,
//!   without visiting any;
//! * [`closed_form`]: playouts, from the pairs of sets of pieces that they can end with;
//! * [`territory`]: playouts, backward over the cells that each player may still use.

pub mod closed_form;
pub(super) mod levels;
pub(super) mod pairs;
pub mod state_bounds;
pub mod states;
pub mod territory;
