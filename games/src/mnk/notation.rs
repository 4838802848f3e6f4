//! The text form of positions and moves.
//!
//! A position is its rows from the top, separated by `/`, line breaks, blanks or commas, or all in one
//! word: `X` for the first player's pieces, `O` for the second player's, and `.`, `-`, `_` or `b` for
//! an empty cell. The first player is to move if the number of pieces is even; `X` or `O` at the end may
//! say so. Positions that play does not reach are accepted, unless both players have k in a
//! row.
//! A move is a letter for the column and a number for the row, counted from the top left, or the number
//! of the cell, counted by rows from 1.
//!
//! ```
//! use bsq_engine::game::{Game, Notation};
//! use bsq_games::mnk::Rules;
//!
//! let rules = Rules::tic_tac_toe();
//! let position = rules.play(&rules.start(), rules.parse_move(&rules.start(), "b2").unwrap());
//! assert_eq!(rules.format_position(&position), ".../.X./...");
//! assert_eq!(rules.parse_position(".../.X./..."), Ok(position));
//! assert_eq!(rules.parse_position("b,b,b,b,x,b,b,b,b"), Ok(position));
//! ```

use super::rules::{Cells, Error, Position, Rules};
use crate::cells::{Alphabet, X_AND_O, parse_x_and_o};
use crate::rectangle::bits_of;
use bsq_engine::game::{Game, Notation};

/// Empty cells may be `b` as well.
const ALPHABET: Alphabet = Alphabet {
    is_cell: |found| (X_AND_O.is_cell)(found) || found.eq_ignore_ascii_case(&'b'),
    players: "X (first) or O (second), who is to move, or with nothing",
    ..X_AND_O
};

impl Notation for Rules {
    type Error = Error;

    fn format_position(&self, position: &Position) -> String {
        let row = |row| self.board().symbols(position.pieces, row).collect::<String>();
        (0..self.board().rows()).map(row).collect::<Vec<_>>().join("/")
    }

    fn parse_position(&self, text: &str) -> Result<Position, Error> {
        let (pieces, mover) = parse_x_and_o(text, self.board(), &ALPHABET)?;
        let position = Position { pieces };
        if mover.is_some_and(|mover| mover != self.to_move(&position)) {
            return Err(Error::Mover { to_move: self.to_move(&position) });
        }
        if position.pieces.iter().all(|&pieces| self.has_line(pieces)) {
            return Err(Error::TwoWinners(text.to_string(), self.k()));
        }
        Ok(position)
    }

    /// Whether the players have alternated, and nobody had k in a row before the last move.
    fn is_reachable(&self, position: &Position) -> bool {
        let [first, second] = position.pieces.map(Cells::count_ones);
        let [own, last] = self.sides(position);
        let before = bits_of(last).any(|cell| !self.has_line(last & !(1 << cell)));
        (second..=second + 1).contains(&first) && !self.has_line(own) && (last == 0 || before)
    }

    fn format_move(&self, _: &Position, cell: usize) -> String {
        self.board().coordinate(cell)
    }

    fn parse_move(&self, _: &Position, text: &str) -> Result<usize, Error> {
        let board = self.board();
        board.cell_named(text).ok_or_else(|| Error::Move {
            text: text.to_string(),
            cells: board.cells(),
            last: board.coordinate(board.cells() - 1),
        })
    }
}
