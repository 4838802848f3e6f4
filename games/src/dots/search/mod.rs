//! The value of one position of Dots-and-Boxes: alpha-beta over positions without a box to take.
//! [`Every`] values all positions of a small board instead, plainly.

mod answer;
mod endings;
mod every;
mod move_history;
mod nimstring;
mod node;
mod scale;
mod score;
mod search;
mod settle;
mod solver;
mod variation;

pub use answer::{Analyst, Choice};
pub use every::{Every, EveryError};
pub use nimstring::{Nimber, Nimstring};
pub use node::Reductions;
pub use score::Score;
pub use settle::Settled;
pub use solver::{Loony, Marked, Solver};
pub use variation::{MoveKind, Step};
