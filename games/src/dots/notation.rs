//! Positions and moves as text that can be typed, pasted and parsed back.
//!
//! A position is the rows of its drawing from the top, separated by `/`. In a row of horizontal lines
//! each is `-` (drawn) or `.` (open). In a row of vertical lines these, `|` or `.`, and boxes take
//! turns: a box is `A` or `B` (taken by the first or the second player), `?` (closed, but nobody
//! knows by whom) or `.`. Then `A` or `B`, who is to move; `A` if that is left out. The size of
//! the board follows from the text. A move is the two dots that it joins, a letter for the column
//! and a number for the row, counted from the top left: `a1-b1`.
//!
//! ```
//! use bsq_engine::game::{Game, Notation};
//! use bsq_games::dots::{Board, Rules, parse_position};
//!
//! let rules = Rules::standard(Board::new(1, 2).unwrap());
//! assert_eq!(rules.format_position(&rules.start()), "../...../.. A");
//! let mv = rules.parse_move("B1-B2").unwrap();
//! assert_eq!(rules.format_move(mv), "b1-b2");
//! let position = rules.play(&rules.start(), mv);
//! assert_eq!(rules.format_position(&position), "../..|../.. B");
//! assert_eq!(parse_position("../..|../.. B"), Ok((rules.board, position)));
//! ```

use super::board::{Board, BoardError};
use super::grid::{Element, Mark, Owner, Sketch, letter, player};
use super::rules::{Position, Rules};
use bsq_engine::game::Notation;

/// What is wrong with a text that should be a position or a move. Rows and columns of characters
/// count from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    /// No text at all.
    #[error(
        "no position was given; write the rows from the top, separated by /, such as ../...../.. A"
    )]
    Empty,
    /// The rows are not those of horizontal and vertical lines in turn.
    #[error(
        "{found} row{s} cannot be a board; write rows of level lines and of upright ones in turn, level ones first and last, such as ../...../..",
        s = if *found == 1 { "" } else { "s" }
    )]
    RowCount {
        /// Rows found.
        found: usize,
    },
    /// No board has so many rows and columns.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// A row too long or too short.
    #[error(
        "row {row} is {found} characters long; on a {board} board a row of {kind} has {expected}"
    )]
    RowLength {
        /// The row.
        row: usize,
        /// Its characters.
        found: usize,
        /// How many it should have.
        expected: usize,
        /// What stands in it.
        kind: &'static str,
        /// The board, as the first row and the number of rows have it.
        board: Board,
    },
    /// A character that stands for nothing, or not there.
    #[error("row {row}, column {col}: '{found}' is no {expected}")]
    BadMark {
        /// The row.
        row: usize,
        /// The column.
        col: usize,
        /// The character.
        found: char,
        /// What there should be, and how it is written.
        expected: &'static str,
    },
    /// A box that is said to be closed and is not.
    #[error(
        "row {row}, column {col}: '{found}' stands in a box that is not closed; write . there, or draw all four lines around it"
    )]
    OpenBox {
        /// The row.
        row: usize,
        /// The column.
        col: usize,
        /// The character.
        found: char,
    },
    /// The word after the rows names neither player.
    #[error("'{0}' is no player; end the position with A (first) or B (second), who is to move")]
    NoPlayer(String),
    /// A position on a board other than that of the rules.
    #[error("this is a position on a {found} board; the board here is {expected}")]
    OtherBoard {
        /// The board of the text.
        found: Board,
        /// The board of the rules.
        expected: Board,
    },
    /// Not two dots.
    #[error(
        "'{text}' is no move; write the two dots that it joins, from a1 to {last}, such as a1-b1"
    )]
    BadMove {
        /// What was written.
        text: String,
        /// The last dot.
        last: String,
    },
    /// A dot outside the board.
    #[error("there is no dot {dot} on a {board} board; its dots are a1 to {last}")]
    NoSuchDot {
        /// The dot.
        dot: String,
        /// The board.
        board: Board,
        /// The last dot.
        last: String,
    },
    /// A line joins two dots beside each other.
    #[error(
        "{from} and {to} are not neighbours; a line joins two dots side by side or one above the other"
    )]
    Apart {
        /// One dot.
        from: String,
        /// The other one.
        to: String,
    },
}

/// What the marks of a horizontal line, a vertical line and a box may be.
const HORIZONTAL: &str = "level line; write - (drawn) or . (open)";
const VERTICAL: &str = "upright line; write | (drawn) or . (open)";
const BOX: &str = "box; write A or B (taken), ? (closed, nobody knows by whom) or . (open)";

/// A dot by name, row and column from 0.
fn dot_name(row: usize, col: usize) -> String {
    format!("{}{}", char::from(b'a' + col as u8), row + 1)
}

/// Reads a dot, its row counted from 1 and its column from 0, and what follows.
fn dot(text: &str) -> Option<((usize, usize), &str)> {
    let letter = text.bytes().next().filter(u8::is_ascii_alphabetic)?;
    let rest = &text[1..];
    let (row, rest) = rest.split_at(rest.bytes().take_while(u8::is_ascii_digit).count());
    Some(((row.parse().ok()?, usize::from(letter.to_ascii_lowercase() - b'a')), rest))
}

impl Board {
    /// The name of a dot: a letter for the column and a number for the row from the top left.
    /// There is one row of dots more than of boxes, and one column more.
    ///
    /// ```
    /// use bsq_games::dots::Board;
    /// assert_eq!(Board::new(1, 21).unwrap().dot_name(1, 21), "v2");
    /// ```
    pub fn dot_name(&self, row: usize, col: usize) -> String {
        debug_assert!(row <= self.rows() && col <= self.cols());
        dot_name(row, col)
    }

    /// The name of a line: the dots that it joins, the left or upper one first.
    pub fn line_name(&self, line: usize) -> String {
        let (vertical, row, col) = self.locate(line);
        let to = if vertical { (row + 1, col) } else { (row, col + 1) };
        format!("{}-{}", dot_name(row, col), dot_name(to.0, to.1))
    }

    /// Reads the name of a line: the dots in either order, letters of either case, with a hyphen
    /// or without.
    pub fn parse_line(&self, text: &str) -> Result<usize, ParseError> {
        let text = text.trim();
        let last = || dot_name(self.rows(), self.cols());
        let bad = || ParseError::BadMove { text: text.to_string(), last: last() };
        let (one, rest) = dot(text).ok_or_else(bad)?;
        let (two, rest) = dot(rest.strip_prefix('-').unwrap_or(rest)).ok_or_else(bad)?;
        if !rest.is_empty() {
            return Err(bad());
        }
        let named = |(row, col): (usize, usize)| match row.checked_sub(1) {
            Some(row) if row <= self.rows() && col <= self.cols() => Ok((row, col)),
            _ => {
                let dot = format!("{}{row}", char::from(b'a' + col as u8));
                Err(ParseError::NoSuchDot { dot, board: *self, last: last() })
            }
        };
        let (one, two) = (named(one)?, named(two)?);
        let (from, to) = (one.min(two), one.max(two));
        match from {
            (row, col) if to == (row, col + 1) => Ok(self.horizontal(row, col)),
            (row, col) if to == (row + 1, col) => Ok(self.vertical(row, col)),
            _ => {
                let [from, to] = [one, two].map(|(row, col)| dot_name(row, col));
                Err(ParseError::Apart { from, to })
            }
        }
    }
}

/// A position as one line of text.
pub fn format_position(board: &Board, position: &Position) -> String {
    let line = |line: usize, drawn: char| if position.lines >> line & 1 == 1 { drawn } else { '.' };
    let mark = |place: Element| match place {
        Element::Dot => None,
        Element::Horizontal(at) => Some(line(at, '-')),
        Element::Vertical(at) => Some(line(at, '|')),
        Element::Box(cell) => Some(match board.owner(position, cell) {
            Owner::Unclosed => '.',
            Owner::Unknown => '?',
            Owner::Known(player) => letter(player),
        }),
    };
    let (rows, cols) = board.grid();
    let row = |row: usize| -> String {
        (0..cols).filter_map(|col| mark(board.element(row, col))).collect()
    };
    let rows: Vec<String> = (0..rows).map(row).collect();
    format!("{} {}", rows.join("/"), letter(position.to_move))
}

/// Reads a position on a board of any size, and tells the board. Whether play can lead to the
/// position depends on the variant and is not asked.
pub fn parse_position(text: &str) -> Result<(Board, Position), ParseError> {
    let text = text.trim();
    let (drawing, mover) = text.split_once(char::is_whitespace).unwrap_or((text, "A"));
    if drawing.is_empty() {
        return Err(ParseError::Empty);
    }
    let rows: Vec<&str> = drawing.split('/').collect();
    if rows.len() < 3 || rows.len().is_multiple_of(2) {
        return Err(ParseError::RowCount { found: rows.len() });
    }
    let board = Board::new(rows.len() / 2, rows[0].chars().count())?;
    let mut sketch = Sketch::default();
    for (row, marks) in rows.iter().enumerate() {
        read_row(&board, row, marks, &mut sketch)?;
    }
    let mover = mover.trim();
    let mut letters = mover.chars().map(|letter| letter.to_ascii_uppercase());
    let to_move = match (letters.next().and_then(player), letters.next()) {
        (Some(player), None) => player,
        _ => return Err(ParseError::NoPlayer(mover.to_string())),
    };
    let open = |Mark { mark, at, .. }: Mark| {
        let (row, col) = (at.0 + 1, at.1 + 1);
        ParseError::OpenBox { row, col, found: mark }
    };
    Ok((board, sketch.finish(&board, to_move).map_err(open)?))
}

/// Reads a row of lines, counted from 0.
fn read_row(board: &Board, row: usize, marks: &str, sketch: &mut Sketch) -> Result<(), ParseError> {
    let (_, cols) = board.grid();
    let (kind, expected) = match row % 2 {
        0 => ("level lines", board.cols()),
        _ => ("upright lines and boxes", cols),
    };
    let found = marks.chars().count();
    if found != expected {
        return Err(ParseError::RowLength { row: row + 1, found, expected, kind, board: *board });
    }
    let places =
        (0..cols).map(|col| board.element(row, col)).filter(|&place| place != Element::Dot);
    for (at, (place, mark)) in places.zip(marks.chars()).enumerate() {
        let expected = match (place, mark) {
            (_, '.') => continue,
            (Element::Horizontal(line), '-') | (Element::Vertical(line), '|') => {
                sketch.lines |= 1 << line;
                continue;
            }
            (Element::Box(cell), _) => {
                let owner = player(mark.to_ascii_uppercase());
                if owner.is_some() || mark == '?' {
                    sketch.mark(cell, owner, mark, (row, at));
                    continue;
                }
                BOX
            }
            (Element::Horizontal(_), _) => HORIZONTAL,
            _ => VERTICAL,
        };
        return Err(ParseError::BadMark { row: row + 1, col: at + 1, found: mark, expected });
    }
    Ok(())
}

impl Notation for Rules {
    type Error = ParseError;

    fn format_position(&self, position: &Position) -> String {
        format_position(&self.board, position)
    }

    /// Any position on the board of the rules, whether or not play can lead there: lines that the
    /// variant draws before play begins may be missing.
    fn parse_position(&self, text: &str) -> Result<Position, ParseError> {
        let (board, position) = parse_position(text)?;
        match board == self.board {
            true => Ok(position),
            false => Err(ParseError::OtherBoard { found: board, expected: self.board }),
        }
    }

    fn format_move(&self, line: usize) -> String {
        self.board.line_name(line)
    }

    fn parse_move(&self, text: &str) -> Result<usize, ParseError> {
        self.board.parse_line(text)
    }
}

#[cfg(test)]
mod tests;
