//! Parses the query of a request about a position.

use crate::serve::api::wrong;
use crate::serve::query::{Query, shorten};
use crate::serve::refusal::Refusal;
use bsq_engine::record::play_all;
use bsq_games::dots::{
    Board, BoardError, MoveError, ParseError, Position, Rules, Variant, parse_position,
};

/// The names of parameters.
pub const NAMES: [&str; 6] = ["board", "variant", "penalty", "position", "moves", "values"];
/// The lowest penalty, which is valid on every board.
const LEAST_PENALTY: i32 = -100;

/// A position, the moves played, and whether values are requested.
pub struct Question {
    pub rules: Rules,
    pub position: Position,
    pub played: Vec<usize>,
    pub with_values: bool,
}

impl Question {
    /// Reads the parameters.
    pub fn read(query: &Query) -> Result<Question, Refusal> {
        let with_values = query.truth("values").map_err(Refusal::bad)?.unwrap_or(true);
        let penalty = query.number("penalty", LEAST_PENALTY, 0).map_err(Refusal::bad)?;
        let (mut rules, start) = start(query)?;
        rules.penalty = penalty.unwrap_or(0).into();
        let moves = query.text("moves").unwrap_or("");
        let played = play_all(&rules, &start, moves)
            .map_err(|why| wrong("moves", cut(MoveError::from(why))))?;
        let position = played.last().map_or(start, |(_, position)| *position);
        let played = played.into_iter().map(|(line, _)| line).collect();
        Ok(Question { rules, position, played, with_values })
    }
}

/// The rules and the position before the moves.
fn start(query: &Query) -> Result<(Rules, Position), Refusal> {
    let Some(text) = query.text("position") else {
        let board = board(query.text("board").unwrap_or("3x3"))?;
        let rules = Rules { variant: variant(query)?, ..Rules::standard(board) };
        return Ok((rules, rules.start()));
    };
    for name in ["board", "variant"] {
        if query.text(name).is_some() {
            return Err(wrong(name, "it cannot be given with a position, which says it itself"));
        }
    }
    match parse_position(text) {
        Ok((board, position)) => Ok((Rules::standard(board), position)),
        Err(ParseError::Board(why)) => Err(too_large("position", why)),
        Err(why) => Err(wrong("position", short(why))),
    }
}

fn board(text: &str) -> Result<Board, Refusal> {
    Board::parse(text).map_err(|why| match why {
        BoardError::Malformed(text) => wrong("board", BoardError::Malformed(shorten(&text))),
        why => too_large("board", why),
    })
}

fn too_large(name: &str, why: BoardError) -> Refusal {
    match why {
        BoardError::TooLarge { .. } => Refusal::beyond(format!("{name}: {why}")),
        why => wrong(name, why),
    }
}

fn variant(query: &Query) -> Result<Variant, Refusal> {
    let Some(text) = query.text("variant") else { return Ok(Variant::Standard) };
    let found = Variant::ALL.into_iter().find(|variant| variant.name() == text);
    found.ok_or_else(|| {
        let names = Variant::ALL.map(Variant::name).join(", ");
        wrong("variant", format!("'{}' is none; there are {names}", shorten(text)))
    })
}

fn cut(why: MoveError) -> MoveError {
    match why {
        MoveError::Parse(why) => MoveError::Parse(short(why)),
        other => other,
    }
}

/// Truncates the client's text in an error.
fn short(why: ParseError) -> ParseError {
    match why {
        ParseError::BadMove { text, last } => ParseError::BadMove { text: shorten(&text), last },
        ParseError::NoSuchDot { dot, board, last } => {
            ParseError::NoSuchDot { dot: shorten(&dot), board, last }
        }
        ParseError::NoPlayer(text) => ParseError::NoPlayer(shorten(&text)),
        other => other,
    }
}
