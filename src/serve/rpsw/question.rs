//! What is asked of a position, read from an address.

use crate::serve::api::wrong;
use crate::serve::query::{Query, shorten};
use crate::serve::refusal::Refusal;
use bsq_engine::game::{Game, Notation};
use bsq_engine::record::{MovesError, play_all};
use bsq_games::rpsw::{Move, ParseError, Position, Rules};

/// What can be said of a position.
pub const NAMES: [&str; 3] = ["position", "moves", "line"];
/// The longest line of best play, and the usual one: the longest win has fewer plies.
const LINE: i32 = 70;

/// A position, how it came about, and what is wanted.
pub struct Question {
    pub position: Position,
    pub played: Vec<Move>,
    /// The most moves of the line of best play.
    pub line: usize,
}

impl Question {
    /// Fails with what is wrong with a parameter.
    pub fn read(query: &Query, rules: &Rules) -> Result<Question, Refusal> {
        let start = match query.text("position") {
            Some(text) => {
                rules.parse_position(text).map_err(|why| wrong("position", short(why)))?
            }
            None => rules.start(),
        };
        let line = query.number("line", 0, LINE).map_err(Refusal::bad)?.unwrap_or(LINE);
        let moves = query.text("moves").unwrap_or("");
        let played = play_all(rules, &start, moves).map_err(|why| wrong("moves", cut(why)))?;
        let position = played.last().map_or(start, |(_, position)| *position);
        let played = played.into_iter().map(|(mv, _)| mv).collect();
        Ok(Question { position, played, line: usize::try_from(line).unwrap_or(0) })
    }
}

/// The same without a long word from outside.
fn cut(why: MovesError<ParseError>) -> MovesError<ParseError> {
    match why {
        MovesError::Word(why) => MovesError::Word(short(why)),
        other => other,
    }
}

/// The same without a long text from outside.
fn short(why: ParseError) -> ParseError {
    match why {
        ParseError::Shape { text, rows, cols } => {
            ParseError::Shape { text: shorten(&text), rows, cols }
        }
        ParseError::BadMove { text, last } => ParseError::BadMove { text: shorten(&text), last },
        other => other,
    }
}
