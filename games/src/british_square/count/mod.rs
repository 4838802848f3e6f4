//! Counts of states and playouts, by several methods:
//!
//! * [`transfer_matrix`]: states, cell by cell, without visiting sets;
//! * [`sets`]: states, from the sets of pieces that one player can have;
//! * [`depth_first`]: states, by the search of the strong solution;
//! * [`state_bounds`]: the states in which nobody has passed, and an upper bound on all states,
//!   without visiting any;
//! * [`closed_form`]: playouts, from the pairs of sets of pieces that they can end with;
//! * [`explorer`]: states and playouts, by visiting all states;
//! * [`territory`]: playouts, backward over the cells that each player may still use.

mod census;
pub mod closed_form;
pub mod depth_first;
pub mod explorer;
pub mod sets;
pub mod state_bounds;
pub mod territory;
pub mod transfer_matrix;

pub use census::{Census, LevelCount, ScoreCount, StateCounts};
