//! The text form of positions and moves.
//!
//! A position is its rows from the top, separated by `/`: `X` for the first player's pieces, `O`
//! for the second player's, and `.` for an empty cell. The first player is to move if the number of
//! pieces is even. Positions that play does not reach are accepted, unless both players have k in a
//! row.
//! A move is a letter for the column and a number for the row, counted from the top left.
//!
//! ```
//! use bsq_engine::game::{Game, Notation};
//! use bsq_games::mnk::Rules;
//!
//! let rules = Rules::tic_tac_toe();
//! let position = rules.play(&rules.start(), rules.parse_move(&rules.start(), "b2").unwrap());
//! assert_eq!(rules.format_position(&position), ".../.X./...");
//! assert_eq!(rules.parse_position(".../.X./..."), Ok(position));
//! ```

use super::rules::{Cells, Error, MAX_CELLS, Position, Rules};
use crate::rectangle::bits_of;
use bsq_engine::game::Notation;

impl Notation for Rules {
    type Error = Error;

    fn format_position(&self, position: &Position) -> String {
        let row = |row| self.board().symbols(position.pieces, row).collect::<String>();
        (0..self.board().rows()).map(row).collect::<Vec<_>>().join("/")
    }

    fn parse_position(&self, text: &str) -> Result<Position, Error> {
        let wanted = text.trim().to_ascii_uppercase();
        let mut position = Position::default();
        for (at, cell) in wanted.replace('/', "").chars().take(MAX_CELLS).enumerate() {
            if let Some(player) = "XO".find(cell) {
                position.pieces[player] |= 1 << at;
            }
        }
        if self.format_position(&position) != wanted {
            return Err(Error::Position(text.to_string(), self.board()));
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
        let (name, board) = (text.trim().to_ascii_lowercase(), self.board());
        let found = (0..board.cells()).find(|&cell| board.coordinate(cell) == name);
        found.ok_or_else(|| Error::Move(text.to_string(), board.coordinate(board.cells() - 1)))
    }
}
