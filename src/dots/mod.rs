//! What all commands on Dots-and-Boxes share: positions as they are given, and what they are worth.

mod given;
mod scores;

pub use given::{Given, read_text};
pub use scores::{Found, Scored, Scores, find, is_stored};
