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
use super::rules::{Move, Position, Rules};
use crate::game::entries::{Form, LineError, read};
use crate::game::track::Track;
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
    track: Track<Position, Move>,
}

/// How a game is written down.
const FORM: Form = Form {
    names: &["game", "board", "center allowed", "bias", "pieces", "start", "moves"],
    example: "moves: 7 19 9",
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

    /// Plays a move in the position that is looked at. What followed there is forgotten, unless
    /// it was that move. An illegal move changes nothing.
    pub fn play(&mut self, mv: Move) -> Result<(), ParseError> {
        let next = self.rules.try_play(self.position(), mv)?;
        self.track.play(mv, next);
        Ok(())
    }

    /// Reads a line of play and looks at its last position.
    pub fn parse(text: &str) -> Result<Line, LineError> {
        let mut line = Line::new(Rules::standard(5, 5).expect("a board"));
        read(text, &FORM, |name, value| line.follow(name, value))?;
        Ok(line)
    }

    /// Takes up an entry of a text. What comes later cannot change the rules any more.
    fn follow(&mut self, name: &str, value: &str) -> Result<(), String> {
        let mut rules = self.rules.clone();
        match name {
            "game" if value.eq_ignore_ascii_case("British Square") => {}
            "game" => return Err(format!("'{value}' is not British Square")),
            "board" => rules.board = Board::parse(value).map_err(|error| error.to_string())?,
            "center allowed" => {
                let said = [("yes", true), ("no", false)];
                let said = said.iter().find(|(word, _)| *word == value);
                rules.center_allowed = said.ok_or(format!("'{value}' is neither yes nor no"))?.1;
            }
            "bias" => rules.bias = number(value)?,
            "pieces" => rules.pieces = Some(number(value)?),
            "start" => {
                let start = rules.parse_position(value).map_err(|error| error.to_string())?;
                *self = Line::from(rules, start);
                return Ok(());
            }
            _ => return self.play_all(value).map_err(|error| error.to_string()),
        }
        rules.check().map_err(|error| error.to_string())?;
        *self = Line::new(rules);
        Ok(())
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
        if self.positions()[0] != self.rules.start() {
            writeln!(f, "start: {}", self.rules.format_position(&self.positions()[0]))?;
        }
        let words: Vec<String> = self.moves().iter().map(|&mv| self.rules.move_name(mv)).collect();
        let lines: Vec<String> = words.chunks(MOVES_A_LINE).map(|line| line.join(" ")).collect();
        writeln!(f, "{}", format!("moves: {}", lines.join("\n  ")).trim_end())
    }
}

fn number<N: std::str::FromStr>(text: &str) -> Result<N, String> {
    text.parse().map_err(|_| format!("'{text}' is no whole number that fits here"))
}
