//! A game so far: where it began, the lines drawn, and which of its positions is looked at.
//!
//! As text it is lines of `name: value`, in this order. What is usual may be left out; a line that
//! begins with a blank goes on with the one before it; `#` begins a comment.
//!
//! ```text
//! game: Dots-and-Boxes
//! board: 2x2
//! variant: icelandic
//! penalty: -1
//! start: ../|..../../|..../-- A
//! moves: a1-b1 b1-b2
//! ```

use super::board::Board;
use super::notation::{ParseError, format_position, parse_position};
use super::rules::{Position, Rules, Variant};
use crate::game::entries::{Form, LineError, read};
use crate::game::track::Track;
use crate::game::{MovesError, Notation, play_all};
use std::fmt;

/// How many moves stand in a line of text.
const MOVES_A_LINE: usize = 12;
/// The game as its texts call it.
const GAME: &str = "Dots-and-Boxes";
/// How a game is written down.
const FORM: Form = Form {
    names: &["game", "board", "variant", "penalty", "start", "moves"],
    example: "board: 3x3",
};

/// A line of play, whole or cut short, with one of its positions looked at.
///
/// ```
/// use bsq_engine::game::dots::{Board, Line, Rules};
///
/// let mut line = Line::new(Rules::standard(Board::new(2, 2).unwrap()));
/// line.play_all("a1-b1 b2-b1").unwrap();
/// assert_eq!(line.to_string(), "game: Dots-and-Boxes\nboard: 2x2\nmoves: a1-b1 b1-b2\n");
/// assert_eq!(Line::parse(&line.to_string()), Ok(line));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    rules: Rules,
    track: Track<Position, usize>,
}

/// What is wrong with moves that were typed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    /// No move at all.
    #[error(transparent)]
    Parse(#[from] ParseError),
    /// There already.
    #[error("{0} is drawn already")]
    Drawn(String),
}

impl From<MovesError<ParseError>> for MoveError {
    fn from(error: MovesError<ParseError>) -> MoveError {
        match error {
            MovesError::Word(error) => MoveError::Parse(error),
            // Whatever is not drawn yet may be.
            MovesError::Illegal { mv, .. } => MoveError::Drawn(mv),
        }
    }
}

impl Line {
    /// The start of a game.
    pub fn new(rules: Rules) -> Line {
        Line::from(rules, rules.start())
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
    pub fn moves(&self) -> &[usize] {
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

    /// Plays moves that are written one after another, with blanks or commas between them, all or
    /// none of them. What followed the position that is looked at is forgotten, unless it was these.
    pub fn play_all(&mut self, moves: &str) -> Result<(), MoveError> {
        for (mv, next) in play_all(&self.rules, self.position(), moves)? {
            self.track.play(mv, next);
        }
        Ok(())
    }

    /// Draws a line that is open.
    pub fn play(&mut self, line: usize) -> Result<(), MoveError> {
        self.play_all(&self.rules.format_move(line))
    }

    /// Reads a line of play and looks at its last position.
    pub fn parse(text: &str) -> Result<Line, LineError> {
        let board = Board::new(3, 3).expect("a board");
        let mut line = Line::new(Rules::standard(board));
        read(text, &FORM, |name, value| line.follow(name, value))?;
        Ok(line)
    }

    /// Takes up an entry of a text. What comes later cannot change the rules any more.
    fn follow(&mut self, name: &str, value: &str) -> Result<(), String> {
        let mut rules = self.rules;
        match name {
            "game" if value.eq_ignore_ascii_case(GAME) => {}
            "game" => return Err(format!("'{value}' is not {GAME}")),
            "board" => rules.board = Board::parse(value).map_err(|error| error.to_string())?,
            "variant" => {
                let named = Variant::ALL.into_iter().find(|variant| variant.name() == value);
                let names = Variant::ALL.map(Variant::name).join(", ");
                rules.variant =
                    named.ok_or(format!("'{value}' is no variant; there are {names}"))?;
            }
            "penalty" => {
                let penalty = value.parse().ok().filter(|penalty| rules.takes_penalty(*penalty));
                rules.penalty = penalty.ok_or_else(|| rules.no_penalty(value))?;
            }
            "start" => {
                let (board, start) = parse_position(value).map_err(|error| error.to_string())?;
                rules.board = board;
                *self = Line::from(rules, start);
                return Ok(());
            }
            _ => return self.play_all(value).map_err(|error| error.to_string()),
        }
        *self = Line::new(rules);
        Ok(())
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Rules { board, variant, penalty } = &self.rules;
        writeln!(f, "game: {GAME}\nboard: {board}")?;
        if *variant != Variant::Standard {
            writeln!(f, "variant: {}", variant.name())?;
        }
        if *penalty != 0 {
            writeln!(f, "penalty: {penalty}")?;
        }
        if self.positions()[0] != self.rules.start() {
            writeln!(f, "start: {}", format_position(board, &self.positions()[0]))?;
        }
        let words: Vec<String> =
            self.moves().iter().map(|&mv| self.rules.format_move(mv)).collect();
        let lines: Vec<String> = words.chunks(MOVES_A_LINE).map(|line| line.join(" ")).collect();
        writeln!(f, "{}", format!("moves: {}", lines.join("\n  ")).trim_end())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_read_as_it_is_written() {
        let text = "game: Dots-and-Boxes\nboard: 2x2\nvariant: swedish\npenalty: -1\n\
                    start: --/|?|.|/-./|...|/-- B\nmoves: b2-c2 b2-b3\n";
        let line = Line::parse(text).unwrap();
        assert_eq!(line.to_string(), text);
        assert_eq!((line.at(), line.positions().len()), (2, 3));
        for (text, says) in [
            ("", "there is no game here; write at least 'board: 3x3'"),
            ("rows: 3", "line 1: 'rows' is not known; a game has game, board, variant, penalty"),
            ("variant: odd", "'odd' is no variant; there are standard, icelandic, swedish"),
            ("penalty: 1", "line 1: penalty: '1' is no penalty here; it can be from -118 to 0"),
            ("moves: a1-b1\n board: 3x3", "line 1: moves: 'board:' is no move"),
            ("board: 1x1\nmoves: a1-b1 a1-b1", "line 2: moves: a1-b1 is drawn already"),
            ("board: 2x2\nboard: 3x3", "line 2: 'board' comes too late or twice"),
        ] {
            let error = Line::parse(text).unwrap_err().to_string();
            assert!(error.contains(says), "{error}");
        }
    }

    #[test]
    fn a_line_is_gone_back_and_on() {
        let mut line = Line::new(Rules::standard(Board::new(1, 2).unwrap()));
        line.play_all("a1-b1 b1-c1").unwrap();
        let after = *line.position();
        line.go_to(1);
        assert!(line.play_all("a1-a2 a1-b1").is_err());
        line.play_all("b1-c1").unwrap();
        assert_eq!((line.position(), line.moves().len()), (&after, 2));
        line.go_to(0);
        line.play_all("a1-a2").unwrap();
        assert_eq!((line.at(), line.moves().len()), (1, 1));
    }
}
