//! Game records: the rules, the first position and the moves of a game, as text and as a value.

mod entries;
mod game_record;
mod moves;

pub use entries::{RecordError, RecordFormat, ValueError};
pub use game_record::{GameRecord, Recorded, set_option, set_options, values_of};
pub use moves::{MovesError, Played, play_all};
