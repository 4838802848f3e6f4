//! The value of one position of Dots-and-Boxes: alpha-beta over positions without a box to take.
//! [`Every`] values all positions of a small board instead, plainly.

mod endings;
mod every;
mod nimstring;
mod node;
mod scale;
mod search;
mod settle;
mod solver;

pub use every::{Every, EveryError};
pub use nimstring::{Nimber, Nimstring};
pub use node::Reductions;
pub use settle::Settled;
pub use solver::{Loony, Marked, Solver};
