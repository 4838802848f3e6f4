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
use crate::game::entries::{Form, LineError, read};
use crate::game::track::Track;
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
    track: Track<Position, Move>,
}

/// How a game is written down.
const FORM: Form = Form {
    names: &["game", "board", "pieces", "total", "takes", "start", "moves"],
    example: "moves: b1b2 c6c5",
};

impl Line {
    /// The start of a game.
    pub fn new(rules: Rules) -> Line {
        let start = rules.start();
        Line::from(rules, start)
    }

    /// A game that begins with a position.
    pub fn from(rules: Rules, start: Position) -> Line {
        Line { rules, track: Track::new(start) }
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The position that is looked at.
    pub fn position(&self) -> &Position {
        self.track.position()
    }

    /// Every position of the line, the first one included.
    pub fn positions(&self) -> &[Position] {
        self.track.positions()
    }

    /// Every move of the line, those after the position that is looked at included.
    pub fn moves(&self) -> &[Move] {
        self.track.moves()
    }

    /// How many moves lead to the position that is looked at.
    pub fn at(&self) -> usize {
        self.track.at()
    }

    /// Looks at the position after that many moves, or the last one.
    pub fn go_to(&mut self, at: usize) {
        self.track.go_to(at);
    }

    /// How often the position that is looked at has come up so far, this time included.
    pub fn times(&self) -> usize {
        let so_far = self.positions()[..=self.at()].iter();
        so_far.filter(|position| *position == self.position()).count()
    }

    /// Plays a move in the position that is looked at. What followed there is forgotten, unless
    /// it was that move. An illegal move changes nothing.
    pub fn play(&mut self, mv: Move) -> Result<(), MoveError> {
        let next = self.rules.try_play(self.position(), mv)?;
        self.track.play(mv, next);
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
        let mut line = Line::new(rules.clone());
        read(text, &FORM, |name, value| line.follow(name, value))?;
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
        if self.positions()[0] != rules.start() {
            writeln!(f, "start: {}", rules.format_position(&self.positions()[0]))?;
        }
        let words: Vec<String> = self.moves().iter().map(|&mv| rules.format_move(mv)).collect();
        let lines: Vec<String> = words.chunks(MOVES_A_LINE).map(|line| line.join(" ")).collect();
        writeln!(f, "{}", format!("moves: {}", lines.join("\n  ")).trim_end())
    }
}
