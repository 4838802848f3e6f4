//! A game so far: the rules, where it began, the moves, and which of its positions is looked at.
//!
//! As text it is lines of `name: value`, in this order. What is usual may be left out; a line that
//! begins with a blank goes on with the one before it; `#` begins a comment.
//!
//! ```text
//! game: British Square
//! board: 5x5
//! center allowed: yes
//! bias: 2
//! pieces: 9
//! start: ...../.X.../...../...O./..... X
//! moves: 7 19 9 pass
//! ```

use super::board::Board;
use super::notation::{ParseError, words};
use super::rules::{Move, Position, Rules, RulesError};
use crate::game::entries::{Entry, Malformed, entries};
use std::fmt;

/// How many moves stand in a line of text.
const MOVES_A_LINE: usize = 20;

/// A line of play, whole or cut short, with one of its positions looked at.
///
/// ```
/// use bsq_engine::game::british_square::{Line, Move, Rules};
///
/// let mut line = Line::new(Rules::standard(5, 5).unwrap());
/// line.play(Move::Place(6)).unwrap();
/// line.play(Move::Place(18)).unwrap();
/// assert_eq!(line.to_string(), "game: British Square\nboard: 5x5\nmoves: 7 19\n");
/// line.go_to(1);
/// assert_eq!((line.position().turn, line.moves().len()), (2, 2));
/// assert_eq!(Line::parse(&line.to_string()).unwrap().moves(), line.moves());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    rules: Rules,
    moves: Vec<Move>,
    /// The position before each move, and after the last.
    positions: Vec<Position>,
    at: usize,
}

/// What is wrong with a text that should be a line of play. Lines of text count from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    /// Not of the form `name: value`.
    #[error("line {at}: '{text}' is not of the form 'name: value', such as 'moves: 7 19 9'")]
    Malformed {
        /// Which line.
        at: usize,
        /// What stands there.
        text: String,
    },
    /// A name that says nothing.
    #[error(
        "line {at}: '{name}' is not known; a game has game, board, center allowed, bias, pieces, start and moves"
    )]
    Unknown {
        /// Which line.
        at: usize,
        /// The name.
        name: String,
    },
    /// A name that stands there twice, or after what depends on it.
    #[error("line {at}: '{name}' comes too late or twice; the order is {ORDER}")]
    Order {
        /// Which line.
        at: usize,
        /// The name.
        name: String,
    },
    /// A value that cannot be meant.
    #[error("line {at}: {name}: {why}")]
    Value {
        /// Which line.
        at: usize,
        /// The name.
        name: String,
        /// What is wrong, and what would be right.
        why: String,
    },
    /// No moves were given, nor anything else.
    #[error("there is no game here; write at least 'moves: 7 19 9'")]
    Empty,
}

/// The names, in the order in which they stand.
const NAMES: [&str; 7] = ["game", "board", "center allowed", "bias", "pieces", "start", "moves"];
const ORDER: &str = "game, board, center allowed, bias, pieces, start, moves";

impl Line {
    /// The start of a game.
    pub fn new(rules: Rules) -> Line {
        let start = rules.start();
        Line::from(rules, start)
    }

    /// A game that begins with a position.
    pub fn from(rules: Rules, start: Position) -> Line {
        Line { rules, moves: Vec::new(), positions: vec![start], at: 0 }
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The position that is looked at.
    pub fn position(&self) -> &Position {
        &self.positions[self.at]
    }

    /// Every position of the line, the first one included.
    pub fn positions(&self) -> &[Position] {
        &self.positions
    }

    /// Every move of the line, those after the position that is looked at included.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// How many moves lead to the position that is looked at.
    pub fn at(&self) -> usize {
        self.at
    }

    /// Looks at the position after that many moves, or the last one.
    pub fn go_to(&mut self, at: usize) {
        self.at = at.min(self.moves.len());
    }

    /// Plays a move in the position that is looked at. What followed there is forgotten, unless
    /// it was that move. An illegal move changes nothing.
    pub fn play(&mut self, mv: Move) -> Result<(), ParseError> {
        let next = self.rules.try_play(self.position(), mv)?;
        if self.moves.get(self.at) != Some(&mv) {
            self.moves.truncate(self.at);
            self.positions.truncate(self.at + 1);
            self.moves.push(mv);
            self.positions.push(next);
        }
        self.at += 1;
        Ok(())
    }

    /// Reads a line of play and looks at its last position.
    pub fn parse(text: &str) -> Result<Line, LineError> {
        let mut rules = Rules::standard(5, 5).expect("a board");
        let mut start = None;
        let mut moves = None;
        let mut last = None;
        let malformed = |Malformed { at, text }| LineError::Malformed { at, text };
        let entries = entries(text).map_err(malformed)?;
        if entries.is_empty() {
            return Err(LineError::Empty);
        }
        for Entry { at, name, value } in &entries {
            let place = NAMES.iter().position(|known| known == name);
            let place = place.ok_or(LineError::Unknown { at: *at, name: name.clone() })?;
            if last.is_some_and(|last| last >= place) {
                return Err(LineError::Order { at: *at, name: name.clone() });
            }
            last = Some(place);
            let wrong = |why: String| LineError::Value { at: *at, name: name.clone(), why };
            match NAMES[place] {
                "game" if value.eq_ignore_ascii_case("British Square") => {}
                "game" => return Err(wrong(format!("'{value}' is not British Square"))),
                "board" => {
                    rules.board = Board::parse(value).map_err(|error| wrong(error.to_string()))?
                }
                "center allowed" => {
                    let said = [("yes", true), ("no", false)];
                    let said = said.iter().find(|(word, _)| word == value);
                    let no_answer = || wrong(format!("'{value}' is neither yes nor no"));
                    rules.center_allowed = said.ok_or_else(no_answer)?.1;
                }
                "bias" => rules.bias = number(value).map_err(wrong)?,
                "pieces" => rules.pieces = Some(number(value).map_err(wrong)?),
                "start" => {
                    let position = rules.parse_position(value);
                    start = Some(position.map_err(|error| wrong(error.to_string()))?);
                }
                _ => moves = Some((*at, value)),
            }
            rules.check().map_err(|error: RulesError| wrong(error.to_string()))?;
        }
        let start = start.unwrap_or_else(|| rules.start());
        let mut line = Line::from(rules, start);
        if let Some((at, moves)) = moves {
            let name = "moves".to_string();
            line.play_all(moves).map_err(|error| LineError::Value {
                at,
                name,
                why: error.to_string(),
            })?;
        }
        Ok(line)
    }

    /// Plays moves that are written one after another, with blanks or commas between them: tiles,
    /// coordinates, what [`Rules::format_move`] writes, `pass`. Those before an error are played.
    pub fn play_all(&mut self, moves: &str) -> Result<(), ParseError> {
        for word in words(moves) {
            let mv = self.rules.parse_move(&word)?;
            self.play(mv)?;
        }
        Ok(())
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Rules { board, center_allowed, bias, pieces } = &self.rules;
        writeln!(f, "game: British Square\nboard: {board}")?;
        if *center_allowed {
            writeln!(f, "center allowed: yes")?;
        }
        if *bias != 0 {
            writeln!(f, "bias: {bias}")?;
        }
        if let Some(pieces) = pieces {
            writeln!(f, "pieces: {pieces}")?;
        }
        if self.positions[0] != self.rules.start() {
            writeln!(f, "start: {}", self.rules.format_position(&self.positions[0]))?;
        }
        let words: Vec<String> = self.moves.iter().map(|&mv| self.rules.move_name(mv)).collect();
        let lines: Vec<String> = words.chunks(MOVES_A_LINE).map(|line| line.join(" ")).collect();
        writeln!(f, "{}", format!("moves: {}", lines.join("\n  ")).trim_end())
    }
}

fn number<N: std::str::FromStr>(text: &str) -> Result<N, String> {
    text.parse().map_err(|_| format!("'{text}' is no whole number that fits here"))
}
