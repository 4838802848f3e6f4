//! Code common to all commands on Dots-and-Boxes: parsing positions, and their scores.

mod given;
mod scores;

pub use given::Given;
pub use scores::{Found, Scored, Scores, find};
