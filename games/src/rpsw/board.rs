//! The geometry of the board, with the squares as each player numbers them.

use bsq_engine::game::Player;

/// The number of a square for a player: row by row, from the first column of the player's home row.
///
/// Both players number the columns alike. The first row of one is the last row of the other.
pub type Square = u8;

/// A board of 1 to 4 columns and 3 to 6 rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    cols: u8,
    rows: u8,
}

impl Board {
    /// The board of the standard game.
    pub(super) const STANDARD: Board = Board { cols: 4, rows: 6 };

    /// A board of the given number of columns and rows, if they are in range.
    pub(super) fn new(cols: usize, rows: usize) -> Option<Board> {
        let is_valid = matches!((cols, rows), (1..=4, 3..=6));
        is_valid.then_some(Board { cols: cols as u8, rows: rows as u8 })
    }

    /// The number of columns, 1 to 4.
    pub fn cols(&self) -> usize {
        self.cols as usize
    }

    /// The number of rows, 3 to 6.
    pub fn rows(&self) -> usize {
        self.rows as usize
    }

    /// The number of squares, at most 24.
    pub fn squares(&self) -> usize {
        self.cols() * self.rows()
    }

    /// The number of squares that a player's piece can occupy before the game is over: all but the
    /// opponent's home row.
    pub fn open_squares(&self) -> usize {
        self.squares() - self.cols()
    }

    /// The number that the opponent gives to a square.
    pub fn flipped(&self, square: Square) -> Square {
        let (row, col) = (square / self.cols, square % self.cols);
        (self.rows - 1 - row) * self.cols + col
    }

    /// Converts the first player's number of a square to that of a player, or back.
    pub fn counted_by(&self, player: Player, square: Square) -> Square {
        match player {
            Player::First => square,
            Player::Second => self.flipped(square),
        }
    }

    /// The mirror image of a square, with the columns reversed.
    pub fn mirrored(&self, square: Square) -> Square {
        let (row, col) = (square / self.cols, square % self.cols);
        row * self.cols + self.cols - 1 - col
    }

    /// The squares around a square, at most eight, in ascending order.
    pub fn around(&self, square: Square) -> impl Iterator<Item = Square> + '_ {
        let first = square.saturating_sub(self.cols + 1);
        let end = (square + self.cols + 2).min(self.squares() as Square);
        (first..end).filter(move |&other| self.is_beside(square, other))
    }

    /// Whether two squares touch, so that a piece can move from one to the other.
    pub(super) fn is_beside(&self, one: Square, other: Square) -> bool {
        let across = (one % self.cols).abs_diff(other % self.cols);
        one != other && across <= 1 && (one / self.cols).abs_diff(other / self.cols) <= 1
    }
}
