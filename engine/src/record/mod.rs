//! Game records: the rules, the first position and the moves of a game, as text and as a value.

mod game_record;
mod moves;
mod parser;

pub use game_record::{
    GameRecord, Imported, Recorded, WrongMove, begins_with_a_move, set_option, set_options,
    values_of,
};

pub use parser::{RecordError, RecordFormat, ValueError, bare_position};
