//! Boards: cells, neighbours, symmetries, and the names of tiles.

use crate::rectangle;
use crate::rectangle::Rectangle;
use std::ops::Deref;

pub use crate::rectangle::bits_of as cells_of;

/// The largest number of cells of a board: one bit for each in a 64-bit word.
pub const MAX_CELLS: usize = 64;

/// A set of cells as a bitboard: bit `i` stands for the cell of index `i`, numbered by rows from
/// the top left.
pub type Cells = u64;

/// A rectangular board of `rows` x `cols` cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    size: Rectangle,
    all: Cells,
    not_left: Cells,
}

/// An error in the size of a board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BoardError {
    /// A side has length zero.
    #[error("a {rows}x{cols} board has no cells; give both sides a length of at least 1")]
    Empty {
        /// The requested number of rows.
        rows: usize,
        /// The requested number of columns.
        cols: usize,
    },
    /// The board has more than 64 cells.
    #[error("a {rows}x{cols} board is too large; a board has at most {MAX_CELLS} cells")]
    TooLarge {
        /// The requested number of rows.
        rows: usize,
        /// The requested number of columns.
        cols: usize,
    },
    /// The text is not of the form `RxC`.
    #[error("'{0}' is not a board; write rows x columns, such as 5x5 or 4x6")]
    Malformed(String),
}

impl Board {
    /// Creates a board of 1 to 64 cells.
    pub fn new(rows: usize, cols: usize) -> Result<Board, BoardError> {
        if rows == 0 || cols == 0 {
            return Err(BoardError::Empty { rows, cols });
        }
        let cells = rows.checked_mul(cols).filter(|&n| n <= MAX_CELLS);
        let cells = cells.ok_or(BoardError::TooLarge { rows, cols })?;
        let all = Cells::MAX >> (MAX_CELLS - cells);
        let left = (0..rows).fold(0, |mask, r| mask | 1 << (r * cols));
        Ok(Board { size: Rectangle::new(rows, cols), all, not_left: all & !left })
    }

    /// Parses `RxC`, such as `5x5`.
    ///
    /// ```
    /// use bsq_games::british_square::Board;
    /// assert_eq!(Board::parse("4x5").unwrap().cells(), 20);
    /// assert!(Board::parse("4by5").is_err());
    /// ```
    pub fn parse(text: &str) -> Result<Board, BoardError> {
        rectangle::parse(text, Board::new, BoardError::Malformed)
    }

    /// The set of all cells.
    pub fn all(&self) -> Cells {
        self.all
    }

    /// The centre cell, if both sides are odd.
    pub fn centre(&self) -> Option<usize> {
        (self.rows() % 2 == 1 && self.cols() % 2 == 1).then(|| self.cells() / 2)
    }

    /// The cells adjacent to some cell of the set. May contain cells of the set.
    #[inline]
    pub fn neighbours(&self, cells: Cells) -> Cells {
        self.shifted(cells).into_iter().fold(0, |all, cells| all | cells)
    }

    /// The set shifted by one cell right, left, down and up. Cells shifted off the board are
    /// dropped.
    #[inline]
    pub fn shifted(&self, cells: Cells) -> [Cells; 4] {
        let [down, up] = match self.rows() {
            1 => [0, 0], // On a 1x64 board the shift would overflow.
            _ => [(cells << self.cols()) & self.all, cells >> self.cols()],
        };
        [(cells << 1) & self.not_left, (cells & self.not_left) >> 1, down, up]
    }

    /// The reach of a cell: the cell itself and the adjacent ones.
    #[inline]
    pub fn reach(&self, cell: usize) -> Cells {
        1 << cell | self.neighbours(1 << cell)
    }

    /// The group of symmetries as permutations of the cells, the identity first: 8 for a square, 4
    /// for another rectangle, fewer for boards one cell wide, where some coincide.
    pub fn symmetries(&self) -> Vec<Vec<usize>> {
        let mut all: Vec<Vec<usize>> = Vec::new();
        for permutation in self.cell_symmetries() {
            if !all.contains(&permutation) {
                all.push(permutation);
            }
        }
        all
    }

    /// The point reflection of a cell.
    #[inline]
    pub fn opposite(&self, cell: usize) -> usize {
        self.cells() - 1 - cell
    }

    /// The tile number of a cell, from 1 at the top left, by rows.
    pub fn tile(&self, cell: usize) -> usize {
        cell + 1
    }
}

impl Deref for Board {
    type Target = Rectangle;

    fn deref(&self) -> &Rectangle {
        &self.size
    }
}

impl std::fmt::Display for Board {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.size.fmt(f)
    }
}

#[cfg(test)]
mod tests;
