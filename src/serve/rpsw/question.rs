//! Parses the query of a request about a position.

use crate::serve::api::wrong;
use crate::serve::query::{Query, shorten};
use crate::serve::refusal::Refusal;
use bsq_engine::game::{Game, Notation};
use bsq_engine::record::{MovesError, play_all};
use bsq_games::rpsw::{Move, ParseError, Position, Rules};

/// The parameters of a question.
pub const NAMES: [&str; 3] = ["position", "moves", "line"];
/// The limit of a principal variation, and its default. The longest win has fewer plies.
const LINE: i32 = 70;

/// A position, the moves that led to it, and the options of the answer.
pub struct Question {
    pub position: Position,
    pub played: Vec<Move>,
    /// The largest number of moves of the principal variation.
    pub line: usize,
}

impl Question {
    /// Parses a query. An invalid parameter is an error.
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

/// The error with its text shortened, since clients send it.
fn cut(why: MovesError<ParseError>) -> MovesError<ParseError> {
    match why {
        MovesError::Word(why) => MovesError::Word(short(why)),
        other => other,
    }
}

/// The error with its text shortened, since clients send it.
fn short(why: ParseError) -> ParseError {
    match why {
        ParseError::Shape { text, rows, cols } => {
            ParseError::Shape { text: shorten(&text), rows, cols }
        }
        ParseError::BadMove { text, last } => ParseError::BadMove { text: shorten(&text), last },
        other => other,
    }
}
