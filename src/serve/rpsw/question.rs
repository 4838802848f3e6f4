//! What is asked of a position, read from an address.

use crate::serve::api::wrong;
use crate::serve::query::{Query, shorten};
use crate::serve::refusal::Refusal;
use bsq_engine::game::rpsw::{Move, ParseError, Position, Rules};
use bsq_engine::game::{Game, Notation};

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
        let (position, played) =
            play_all(rules, start, moves).map_err(|why| wrong("moves", why))?;
        Ok(Question { position, played, line: usize::try_from(line).unwrap_or(0) })
    }
}

/// Plays moves that blanks or commas separate.
fn play_all(
    rules: &Rules,
    mut position: Position,
    text: &str,
) -> Result<(Position, Vec<Move>), String> {
    let mut played = Vec::new();
    let words = text.split(|c: char| c == ',' || c.is_whitespace());
    for word in words.filter(|word| !word.is_empty()) {
        let mv = rules.parse_move(word).map_err(|why| short(why).to_string())?;
        let legal = rules.moves(&position);
        if !legal.contains(&mv) {
            return Err(illegal(rules, &position, mv, &legal));
        }
        position = rules.play(&position, mv);
        played.push(mv);
    }
    Ok((position, played))
}

fn illegal(rules: &Rules, position: &Position, mv: Move, legal: &[Move]) -> String {
    let at = rules.format_position(position);
    let mv = rules.format_move(mv);
    let legal: Vec<String> = legal.iter().map(|&mv| rules.format_move(mv)).collect();
    match legal.is_empty() {
        true => format!("{mv} is not legal: the game is over at {at}"),
        false => format!("{mv} is not legal at {at}; legal are {}", legal.join(", ")),
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
