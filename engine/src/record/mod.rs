//! Game records: the rules, the first position and the moves of a game, as text and as a value.

mod entries;
mod line;
mod moves;
mod track;

pub use entries::{Form, LineError};
pub use line::{Line, Recorded};
pub use moves::{MovesError, Played, play_all};
