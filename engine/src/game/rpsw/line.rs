//! A game so far: where it began, the moves, and which of its positions is looked at.
//!
//! As text it is lines of `name: value`, in this order. What the rules say may be left out; a line
//! that begins with a blank goes on with the one before it; `#` begins a comment.
//!
//! ```text
//! game: rock-paper-scissors-well
//! board: 4x6
//! pieces: 4
//! total: 7
//! takes: R:S,P:RW,S:P,W:RS
//! start: rps./..../..../..../..../RPSW first
//! moves: b1b2 c6c5
//! ```

use super::illegal::MoveError;
use super::rules::{Move, Position, Rules};
use crate::game::entries::{Entry, Malformed, entries};
use crate::game::{Game, Notation};
use std::fmt;

/// How many moves stand in a line of text.
const MOVES_A_LINE: usize = 12;
/// The game as its texts call it.
const GAME: &str = "rock-paper-scissors-well";

/// A line of play, whole or cut short, with one of its positions looked at.
///
/// ```
/// use bsq_engine::game::rpsw::{Line, Rules};
///
/// let rules = Rules::standard();
/// let mut line = Line::new(rules.clone());
/// line.play_all("b1b2 c6c5").unwrap();
/// let text = "game: rock-paper-scissors-well\nboard: 4x6\npieces: 4\nmoves: b1b2 c6c5\n";
/// assert_eq!(line.to_string(), text);
/// assert_eq!(Line::parse(text, &rules), Ok(line));
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
    #[error("line {at}: '{text}' is not of the form 'name: value', such as 'moves: b1b2 c6c5'")]
    Malformed {
        /// Which line.
        at: usize,
        /// What stands there.
        text: String,
    },
    /// A name that says nothing.
    #[error("line {at}: '{name}' is not known; a game has {ORDER}")]
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
    #[error("there is no game here; write at least 'moves: b1b2 c6c5'")]
    Empty,
}

/// The names, in the order in which they stand.
const NAMES: [&str; 7] = ["game", "board", "pieces", "total", "takes", "start", "moves"];
const ORDER: &str = "game, board, pieces, total, takes, start, moves";

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

    /// How often the position that is looked at has come up so far, this time included.
    pub fn times(&self) -> usize {
        let so_far = self.positions[..=self.at].iter();
        so_far.filter(|position| *position == self.position()).count()
    }

    /// Plays a move in the position that is looked at. What followed there is forgotten, unless
    /// it was that move. An illegal move changes nothing.
    pub fn play(&mut self, mv: Move) -> Result<(), MoveError> {
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

    /// Plays moves that are written one after another, with blanks or commas between them. Those
    /// before an error are played.
    pub fn play_all(&mut self, moves: &str) -> Result<(), MoveError> {
        let separates = |c: char| c == ',' || c.is_whitespace();
        for word in moves.split(separates).filter(|word| !word.is_empty()) {
            let mv = self.rules.parse_move(&word.to_ascii_lowercase())?;
            self.play(mv)?;
        }
        Ok(())
    }

    /// Reads a line of play by these rules and looks at its last position. A text that says other
    /// rules is refused.
    pub fn parse(text: &str, rules: &Rules) -> Result<Line, LineError> {
        let malformed = |Malformed { at, text }| LineError::Malformed { at, text };
        let entries = entries(text).map_err(malformed)?;
        if entries.is_empty() {
            return Err(LineError::Empty);
        }
        let mut line = Line::new(rules.clone());
        let mut last = None;
        for Entry { at, name, value } in entries {
            let Some(place) = NAMES.iter().position(|known| *known == name) else {
                return Err(LineError::Unknown { at, name });
            };
            if last.replace(place).is_some_and(|last| last >= place) {
                return Err(LineError::Order { at, name });
            }
            line.follow(NAMES[place], &value).map_err(|why| LineError::Value { at, name, why })?;
        }
        Ok(line)
    }

    /// Takes up an entry of a text.
    fn follow(&mut self, name: &str, value: &str) -> Result<(), String> {
        let expected = |known: String| match value.eq_ignore_ascii_case(&known) {
            true => Ok(()),
            false => Err(format!("'{value}' is not what is played here: {known}")),
        };
        match name {
            "game" => expected(GAME.to_string()),
            "board" => expected(board(&self.rules)),
            "pieces" => expected(self.rules.pieces().to_string()),
            "total" => expected(self.rules.total().to_string()),
            "takes" => expected(self.rules.format_takes()),
            "start" => {
                let start = self.rules.parse_position(value).map_err(|error| error.to_string())?;
                *self = Line::from(self.rules.clone(), start);
                Ok(())
            }
            _ => self.play_all(value).map_err(|error| error.to_string()),
        }
    }
}

/// Columns x rows.
fn board(rules: &Rules) -> String {
    format!("{}x{}", rules.cols(), rules.rows())
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let rules = &self.rules;
        writeln!(f, "game: {GAME}\nboard: {}\npieces: {}", board(rules), rules.pieces())?;
        if rules.total() < 2 * rules.pieces() {
            writeln!(f, "total: {}", rules.total())?;
        }
        if rules.capture_table() != Rules::standard().capture_table() {
            writeln!(f, "takes: {}", rules.format_takes())?;
        }
        if self.positions[0] != rules.start() {
            writeln!(f, "start: {}", rules.format_position(&self.positions[0]))?;
        }
        let words: Vec<String> = self.moves.iter().map(|&mv| rules.format_move(mv)).collect();
        let lines: Vec<String> = words.chunks(MOVES_A_LINE).map(|line| line.join(" ")).collect();
        writeln!(f, "{}", format!("moves: {}", lines.join("\n  ")).trim_end())
    }
}
