//! The text form of positions and moves.
//!
//! A position is its rows from the top, separated by `/`: `X` for the first player's pieces, `O` for
//! the second player's, and `.` for an empty cell. The player to move follows from the pieces. A move
//! is a letter for the column and a number for the row, counted from the top left.
//!
//! ```
//! use bsq_engine::game::{Game, Notation};
//! use bsq_games::mnk::Rules;
//!
//! let rules = Rules::tic_tac_toe();
//! let position = rules.play(&rules.start(), rules.parse_move("b2").unwrap());
//! assert_eq!(rules.format_position(&position), ".../.X./...");
//! assert_eq!(rules.parse_position(".../.X./..."), Ok(position));
//! ```

use super::rules::{Cells, Position, Rules};
use bsq_engine::game::Notation;

/// An error in the text of a position or a move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    /// The text does not have the rows of the board.
    #[error("'{text}' is not a position; write {rows} rows of {cols} cells, separated by /")]
    Shape {
        /// The text.
        text: String,
        /// The number of rows of the board.
        rows: usize,
        /// The number of columns of the board.
        cols: usize,
    },
    /// A character is not a cell.
    #[error("'{0}' is not a cell; write X (first player), O (second player) or . (empty)")]
    Cell(char),
    /// The numbers of pieces do not fit alternating turns.
    #[error("{first} X and {second} O; there are as many X as O, or one more")]
    Turns {
        /// The first player's pieces.
        first: u32,
        /// The second player's pieces.
        second: u32,
    },
    /// The game would have ended before the last move.
    #[error("no game reaches this position, because it ends with the first {0} in a row")]
    Over(usize),
    /// The text is not a cell of the board.
    #[error("'{text}' is not a move; write a letter and a number, from a1 to {last}")]
    Move {
        /// The text.
        text: String,
        /// The last cell of the board.
        last: String,
    },
}

impl Rules {
    /// Whether the game can end with these pieces, or is not over: one move completed all rows of the
    /// winner.
    fn is_reachable(&self, position: &Position) -> bool {
        let last = position.to_move().other().index();
        let common =
            self.full_lines(position.pieces[last]).fold(Cells::MAX, |all, line| all & line);
        !self.has_line(position.pieces[1 - last]) && common != 0
    }
}

impl Notation for Rules {
    type Error = ParseError;

    fn format_position(&self, position: &Position) -> String {
        let cell = |at: usize| match position.pieces.map(|pieces| pieces >> at & 1) {
            [1, _] => 'X',
            [_, 1] => 'O',
            _ => '.',
        };
        let cols = self.board().cols();
        let row = |row: usize| (row * cols..(row + 1) * cols).map(cell).collect::<String>();
        (0..self.board().rows()).map(row).collect::<Vec<_>>().join("/")
    }

    fn parse_position(&self, text: &str) -> Result<Position, ParseError> {
        let (rows, cols) = (self.board().rows(), self.board().cols());
        let found: Vec<&str> = text.trim().split('/').collect();
        if found.len() != rows || found.iter().any(|row| row.chars().count() != cols) {
            return Err(ParseError::Shape { text: text.to_string(), rows, cols });
        }
        let mut position = Position::default();
        for (at, cell) in found.concat().chars().enumerate() {
            match cell.to_ascii_uppercase() {
                'X' => position.pieces[0] |= 1 << at,
                'O' => position.pieces[1] |= 1 << at,
                '.' => {}
                _ => return Err(ParseError::Cell(cell)),
            }
        }
        let [first, second] = position.pieces.map(Cells::count_ones);
        match first == second || first == second + 1 {
            false => Err(ParseError::Turns { first, second }),
            true if self.is_reachable(&position) => Ok(position),
            true => Err(ParseError::Over(self.k())),
        }
    }

    fn format_move(&self, cell: usize) -> String {
        let (row, col) = (cell / self.board().cols(), cell % self.board().cols());
        format!("{}{}", char::from(b'a' + col as u8), row + 1)
    }

    fn parse_move(&self, text: &str) -> Result<usize, ParseError> {
        let (wanted, cells) = (text.trim().to_ascii_lowercase(), self.board().cells());
        let found = (0..cells).find(|&cell| self.format_move(cell) == wanted);
        let last = || self.format_move(cells - 1);
        found.ok_or_else(|| ParseError::Move { text: text.to_string(), last: last() })
    }
}
