//! Positions and moves as text that can be typed, pasted and parsed back.
//!
//! A position consists of the rows of its drawing from the top, separated by `/`, or by blanks or line
//! breaks, and the player to move, `A` (the default) or `B`. A row of horizontal lines has `-` (drawn) or `.` (open) for
//! each. In the other rows vertical lines, `|` or `.`, alternate with boxes: `A` or `B` (taken by
//! the first or the second player), `?` (closed, owner unknown) or `.` (not closed). The size of
//! the board follows from the text. A move is given by the two dots that it joins, each a letter
//! for the column and a number for the row, counted from the top left: `a1-b1`.
//!
//! The notation of OpenSpiel is read as well: a position as a digit for each line, 1 if it is drawn,
//! the horizontal lines by rows before the vertical ones; a move as the number of its line in that
//! order, from 0, or as `P1(h,0,2)`. So are the lists of KSquares: `true` or `false` for each line, from
//! the top, rows of horizontal and of vertical lines in turn.
//!
//! ```
//! use bsq_engine::game::{Game, Notation};
//! use bsq_games::dots::{Board, Rules, parse_position};
//!
//! let rules = Rules::standard(Board::new(1, 2).unwrap());
//! assert_eq!(rules.format_position(&rules.start()), "../...../.. A");
//! let start = rules.start();
//! let mv = rules.parse_move(&start, "B1-B2").unwrap();
//! assert_eq!(rules.format_move(&start, mv), "b1-b2");
//! let position = rules.play(&rules.start(), mv);
//! assert_eq!(rules.format_position(&position), "../..|../.. B");
//! assert_eq!(parse_position("../..|../.. B"), Ok((rules.board, position)));
//! ```

use super::board::{Board, BoardError};
use super::grid::{Characters, Element, Reading, Sketch, element, grid, letter, player};
use super::rules::{Position, Rules};
use crate::rectangle::Rectangle;
use bsq_engine::game::{Notation, Player};

/// Why a text is not a position or a move. Rows and columns of characters count from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    /// The text is empty.
    #[error(
        "no position was given; write the rows from the top, separated by /, such as ../...../.. A"
    )]
    Empty,
    /// The number of rows is even or less than 3.
    #[error(
        "{found} row{s} cannot be a board; write rows of horizontal and of vertical lines in turn, beginning and ending with horizontal ones, such as ../...../..",
        s = if *found == 1 { "" } else { "s" }
    )]
    RowCount {
        /// The number of rows.
        found: usize,
    },
    /// The board is invalid.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// A row is too long or too short.
    #[error(
        "row {row} is {found} characters long; on a {board} board a row of {kind} has {expected}"
    )]
    RowLength {
        /// The row.
        row: usize,
        /// Its number of characters.
        found: usize,
        /// The number that it should have.
        expected: usize,
        /// Its content.
        kind: &'static str,
        /// The board that follows from the first row and the number of rows.
        board: Rectangle,
    },
    /// A character is invalid there.
    #[error("row {row}, column {col}: '{found}' is not {expected}")]
    BadMark {
        /// The row.
        row: usize,
        /// The column.
        col: usize,
        /// The character.
        found: char,
        /// The valid characters.
        expected: &'static str,
    },
    /// A box is marked as closed, and a side of it is open.
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
    /// The word after the rows is not a player.
    #[error("'{0}' is not a player; end the position with A (first) or B (second), who is to move")]
    NoPlayer(String),
    /// The position is on another board than that of the rules.
    #[error("this is a position on a {found} board; the board here is {expected}")]
    OtherBoard {
        /// The board of the text.
        found: Rectangle,
        /// The board of the rules.
        expected: Rectangle,
    },
    /// Lines or owners of boxes differ from those that are not in play.
    #[error(
        "the position lacks lines that are drawn before this game begins, or other players have their boxes"
    )]
    OtherPart,
    /// The line is not in play.
    #[error("{0} is drawn before the game begins")]
    NotInPlay(String),
    /// The text is not two dots.
    #[error(
        "'{text}' is not a move; write the two dots that it joins, from a1 to {last}, such as a1-b1"
    )]
    BadMove {
        /// The text.
        text: String,
        /// The last dot.
        last: String,
    },
    /// A dot is outside the board.
    #[error("there is no dot {dot} on a {board} board; its dots are a1 to {last}")]
    NoSuchDot {
        /// The dot.
        dot: String,
        /// The board.
        board: Rectangle,
        /// The last dot.
        last: String,
    },
    /// No line has that number.
    #[error(
        "there is no line {number} on a {board} board; they are numbered from 0 to {last}, the horizontal ones first"
    )]
    NoSuchLine {
        /// The number.
        number: usize,
        /// The board.
        board: Rectangle,
        /// The last number.
        last: usize,
    },
    /// An action of OpenSpiel names a line that is not there.
    #[error(
        "'{action}' is not on a {board} board, where {kind} lines have rows 0 to {row} and columns 0 to {col}"
    )]
    OffBoard {
        /// The action.
        action: String,
        /// The board.
        board: Rectangle,
        /// `horizontal` or `vertical`.
        kind: &'static str,
        /// The last row.
        row: usize,
        /// The last column.
        col: usize,
    },
    /// A position as digits or truth values of another board.
    #[error("{found} {what} are not the lines of a {board} board, which has {lines}")]
    LineDigits {
        /// `digits` or `truth values`.
        what: &'static str,
        /// Their number.
        found: usize,
        /// The board of the rules.
        board: Rectangle,
        /// Its number of lines.
        lines: usize,
    },
    /// The dots are not neighbours.
    #[error(
        "{from} and {to} are not neighbours; a line joins two dots side by side or one above the other"
    )]
    Apart {
        /// One dot.
        from: String,
        /// The other dot.
        to: String,
    },
}

const CHARACTERS: Characters = Characters {
    dot: None,
    open: '.',
    unknown: '?',
    expected: [
        "",
        "a horizontal line; write - (drawn) or . (open)",
        "a vertical line; write | (drawn) or . (open)",
        "a box; write A or B (taken), ? (closed, nobody knows by whom) or . (open)",
    ],
};

/// The name of a dot, row and column from 0.
pub(super) fn dot_name(row: usize, col: usize) -> String {
    format!("{}{}", char::from(b'a' + col as u8), row + 1)
}

/// The name of a line right of a dot, or below it.
pub(super) fn line_name(vertical: bool, row: usize, col: usize) -> String {
    let to = if vertical { (row + 1, col) } else { (row, col + 1) };
    format!("{}-{}", dot_name(row, col), dot_name(to.0, to.1))
}

/// Parses a dot: its row from 1, its column from 0, and the rest of the text.
fn dot(text: &str) -> Option<((usize, usize), &str)> {
    let letter = text.bytes().next().filter(u8::is_ascii_alphabetic)?;
    let rest = &text[1..];
    let (row, rest) = rest.split_at(rest.bytes().take_while(u8::is_ascii_digit).count());
    Some(((row.parse().ok()?, usize::from(letter.to_ascii_lowercase() - b'a')), rest))
}

impl Board {
    /// The name of a dot: a letter for the column and a number for the row, from the top left.
    /// There is one more row of dots than of boxes, and one more column.
    ///
    /// ```
    /// use bsq_games::dots::Board;
    /// assert_eq!(Board::new(1, 21).unwrap().dot_name(1, 21), "v2");
    /// ```
    pub fn dot_name(&self, row: usize, col: usize) -> String {
        debug_assert!(row <= self.rows() && col <= self.cols());
        dot_name(row, col)
    }

    /// The name of a line: the two dots that it joins, the left or upper one first.
    pub fn line_name(&self, line: usize) -> String {
        let (vertical, row, col) = self.locate(line);
        line_name(vertical, row, col)
    }

    /// The line right of a dot, or below it.
    fn line_in_play(&self, vertical: bool, row: usize, col: usize) -> Result<usize, ParseError> {
        let not_in_play = || ParseError::NotInPlay(line_name(vertical, row, col));
        self.line_at(vertical, row, col).ok_or_else(not_in_play)
    }

    /// Parses the name of a line: the dots in either order, letters of either case, the hyphen
    /// optional; or an action of OpenSpiel, such as `5` or `P1(h,1,2)`.
    pub fn parse_line(&self, text: &str) -> Result<usize, ParseError> {
        let text = text.trim();
        if let Some(line) = self.parse_action(text) {
            return line;
        }
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
                Err(ParseError::NoSuchDot { dot, board: self.rectangle(), last: last() })
            }
        };
        let (one, two) = (named(one)?, named(two)?);
        let (from, to) = (one.min(two), one.max(two));
        match from {
            (row, col) if to == (row, col + 1) => self.line_in_play(false, row, col),
            (row, col) if to == (row + 1, col) => self.line_in_play(true, row, col),
            _ => {
                let [from, to] = [one, two].map(|(row, col)| dot_name(row, col));
                Err(ParseError::Apart { from, to })
            }
        }
    }

    /// Parses an action of OpenSpiel: the [number](Self::numbered) of a line, or the player, `h` or
    /// `v`, and its row and column from 0. `None` if the text is neither.
    fn parse_action(&self, text: &str) -> Option<Result<usize, ParseError>> {
        if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
            let number = text.parse().unwrap_or(usize::MAX);
            let last = self.all_lines() - 1;
            let error = ParseError::NoSuchLine { number, board: self.rectangle(), last };
            let place = self.numbered(number).ok_or(error);
            return Some(
                place.and_then(|(vertical, row, col)| self.line_in_play(vertical, row, col)),
            );
        }
        let lower = text.to_ascii_lowercase();
        let place = lower.strip_prefix("p1(").or_else(|| lower.strip_prefix("p2("))?;
        let mut parts = place.strip_suffix(')')?.split(',').map(str::trim);
        let kind = parts.next()?;
        let (row, col): (usize, usize) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
        match kind {
            "h" if row <= self.rows() && col < self.cols() => {
                Some(self.line_in_play(false, row, col))
            }
            "v" if row < self.rows() && col <= self.cols() => {
                Some(self.line_in_play(true, row, col))
            }
            "h" => Some(Err(self.off_board(text, "horizontal", self.rows(), self.cols() - 1))),
            "v" => Some(Err(self.off_board(text, "vertical", self.rows() - 1, self.cols()))),
            _ => None,
        }
    }

    fn off_board(&self, text: &str, kind: &'static str, row: usize, col: usize) -> ParseError {
        let (action, board) = (text.to_string(), self.rectangle());
        ParseError::OffBoard { action, board, kind, row, col }
    }

    /// The line with a number of OpenSpiel: from 0, the horizontal lines by rows, then the vertical
    /// ones. Whether it is vertical, and the dot at its left or upper end.
    fn numbered(&self, number: usize) -> Option<(bool, usize, usize)> {
        let horizontal = (self.rows() + 1) * self.cols();
        match number.checked_sub(horizontal) {
            None => Some((false, number / self.cols(), number % self.cols())),
            Some(at) if number < self.all_lines() => {
                Some((true, at / (self.cols() + 1), at % (self.cols() + 1)))
            }
            Some(_) => None,
        }
    }

    /// Parses a position on this board, or on one of another size, or digits for the lines of this
    /// one, and returns the board too.
    pub(super) fn parse_position(&self, text: &str) -> Result<(Board, Position), ParseError> {
        let (sketch, to_move) = match self.parse_digits(text).or_else(|| self.parse_truths(text)) {
            Some(list) => list?,
            None => parse_sketch(text)?,
        };
        match self.position(&sketch, to_move) {
            Some(position) => Ok((*self, position)),
            None => on_own_board(&sketch, to_move),
        }
    }

    /// Parses the notation of OpenSpiel for positions, a digit for each line by its
    /// [number](Self::numbered), 1 if it is drawn, with the player to move if it is not the first.
    /// `None` if the text is of another form.
    fn parse_digits(&self, text: &str) -> Option<Result<(Sketch, Player), ParseError>> {
        let (digits, mover) = text.trim().split_once(char::is_whitespace).unwrap_or((text, "A"));
        let digits = digits.trim().as_bytes();
        if digits.len() < FEWEST_LINES || digits.iter().any(|digit| !b"01".contains(digit)) {
            return None;
        }
        let drawn: Vec<bool> = digits.iter().map(|digit| *digit == b'1').collect();
        Some(self.listed("digits", &drawn, mover, |number| self.numbered(number)))
    }

    /// Parses a list of KSquares: `true` or `false` for each line in reading order, separated by commas
    /// or blanks, with or without parentheses, and the player to move if it is not the first. `None` if
    /// the text is of another form.
    fn parse_truths(&self, text: &str) -> Option<Result<(Sketch, Player), ParseError>> {
        let between = |mark: char| mark.is_whitespace() || ",()".contains(mark);
        let mut words: Vec<&str> = text.split(between).filter(|word| !word.is_empty()).collect();
        let truth = |word: &str| word.to_ascii_lowercase().parse::<bool>().ok();
        let has_mover = words.last().is_some_and(|word| truth(word).is_none());
        let mover = if has_mover { words.pop() } else { None }.unwrap_or("A");
        let drawn = words.into_iter().map(truth).collect::<Option<Vec<bool>>>()?;
        if drawn.is_empty() {
            return None;
        }
        let whole = Board::whole(self.rectangle());
        Some(self.listed("truth values", &drawn, mover, |number| Some(whole.locate(number))))
    }

    /// The lines of a list that says of each line whether it is drawn.
    fn listed(
        &self,
        what: &'static str,
        drawn: &[bool],
        mover: &str,
        line: impl Fn(usize) -> Option<(bool, usize, usize)>,
    ) -> Result<(Sketch, Player), ParseError> {
        if drawn.len() != self.all_lines() {
            let (found, lines, board) = (drawn.len(), self.all_lines(), self.rectangle());
            return Err(ParseError::LineDigits { what, found, board, lines });
        }
        let mut sketch = self.before();
        sketch.drawn = [0; 2];
        let drawn = (0..).zip(drawn).filter(|(_, is_drawn)| **is_drawn);
        for (vertical, row, col) in drawn.filter_map(|(number, _)| line(number)) {
            sketch.draw(vertical, row, col);
        }
        Ok((sketch, parse_player(mover)?))
    }
}

/// The number of lines of the smallest board.
const FEWEST_LINES: usize = 4;

/// Formats a position.
pub fn format_position(board: &Board, position: &Position) -> String {
    format!("{} {}", format_rows(board, position), letter(position.to_move))
}

/// Formats a position without the player to move.
pub(super) fn format_rows(board: &Board, position: &Position) -> String {
    CHARACTERS.rows(board, position).join("/")
}

/// Parses the rows of a position, separated by `/`.
pub(super) fn parse_rows(text: &str) -> Result<Sketch, ParseError> {
    Ok(parse_sketch(text)?.0)
}

/// Parses the player to move, a letter of either case.
fn parse_player(text: &str) -> Result<Player, ParseError> {
    let mut letters = text.trim().chars().map(|letter| letter.to_ascii_uppercase());
    match (letters.next().and_then(player), letters.next()) {
        (Some(player), None) => Ok(player),
        _ => Err(ParseError::NoPlayer(text.trim().to_string())),
    }
}

/// Parses a position on a board of any size, and returns the board too. The position need not be
/// reachable, which depends on the variant.
pub fn parse_position(text: &str) -> Result<(Board, Position), ParseError> {
    let (sketch, to_move) = parse_sketch(text)?;
    on_own_board(&sketch, to_move)
}

/// The board of a sketch, and the position on it.
fn on_own_board(sketch: &Sketch, to_move: Player) -> Result<(Board, Position), ParseError> {
    let board = Board::of(sketch)?;
    let position = board.position(sketch, to_move).expect("it is the board of the sketch");
    Ok((board, position))
}

/// Parses the lines and boxes of a position, and the player to move.
fn parse_sketch(text: &str) -> Result<(Sketch, Player), ParseError> {
    let text = text.trim();
    let (rows, mover) = if text.contains('/') {
        let (rows, mover) = text.split_once(char::is_whitespace).unwrap_or((text, "A"));
        (rows.split('/').collect(), mover)
    } else {
        let mut words: Vec<&str> = text.split_whitespace().collect();
        let is_name = |word: &str| word.chars().all(char::is_alphanumeric);
        let has_mover = words.len() > 1 && words.last().is_some_and(|word| is_name(word));
        let mover = if has_mover { words.pop() } else { None }.unwrap_or("A");
        (words, mover)
    };
    if rows.is_empty() {
        return Err(ParseError::Empty);
    }
    if rows.len() < 3 || rows.len().is_multiple_of(2) {
        return Err(ParseError::RowCount { found: rows.len() });
    }
    let size = Board::size(rows.len() / 2, rows[0].chars().count())?;
    let mut reading = Reading::new(size);
    for (row, marks) in rows.iter().enumerate() {
        read_row(size, row, marks, &mut reading)?;
    }
    let to_move = parse_player(mover)?;
    let sketch = reading.finish().map_err(|(row, col)| {
        let found = rows[row].chars().nth(col).unwrap_or_default();
        ParseError::OpenBox { row: row + 1, col: col + 1, found }
    })?;
    Ok((sketch, to_move))
}

/// Reads a row, counted from 0.
fn read_row(
    size: Rectangle,
    row: usize,
    marks: &str,
    reading: &mut Reading,
) -> Result<(), ParseError> {
    let (_, cols) = grid(size);
    let (kind, expected) = match row % 2 {
        0 => ("horizontal lines", size.cols()),
        _ => ("vertical lines and boxes", cols),
    };
    let found = marks.chars().count();
    if found != expected {
        return Err(ParseError::RowLength { row: row + 1, found, expected, kind, board: size });
    }
    let elements = (0..cols).map(|col| element(row, col)).filter(|&at| at != Element::Dot);
    for (at, (element, found)) in elements.zip(marks.chars()).enumerate() {
        reading.read(&CHARACTERS, element, found.to_ascii_uppercase(), (row, at)).map_err(
            |expected| ParseError::BadMark { row: row + 1, col: at + 1, found, expected },
        )?;
    }
    Ok(())
}

impl Notation for Rules {
    type Error = ParseError;

    fn format_position(&self, position: &Position) -> String {
        format_position(&self.board, position)
    }

    /// Parses any position on the board of the rules, reachable or not: lines that the variant
    /// draws at the start may be missing.
    fn parse_position(&self, text: &str) -> Result<Position, ParseError> {
        let (board, position) = self.board.parse_position(text)?;
        let (found, expected) = (board.rectangle(), self.board.rectangle());
        if board == self.board {
            Ok(position)
        } else if found == expected {
            Err(ParseError::OtherPart)
        } else {
            Err(ParseError::OtherBoard { found, expected })
        }
    }

    fn states_points(&self) -> bool {
        false
    }

    fn format_move(&self, _: &Position, line: usize) -> String {
        self.board.line_name(line)
    }

    fn parse_move(&self, _: &Position, text: &str) -> Result<usize, ParseError> {
        self.board.parse_line(text)
    }
}

#[cfg(test)]
mod tests;
