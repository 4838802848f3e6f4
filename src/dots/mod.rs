//! Code common to all commands on Dots-and-Boxes: parsing positions, and their scores.

mod given;
mod scores;

pub use given::{Given, read_text};
pub use scores::{Scored, Scores, find, is_stored};
