//! The board: dots in rows, the lines between neighbours, the boxes between four of them.

use crate::rectangle;
use crate::rectangle::Rectangle;
use std::ops::{Deref, Range};

pub use crate::rectangle::bits_of as lines_of;

/// A set of lines, a bit for each, in the order in which they are read: the lines along the top
/// from left to right, the vertical ones of the first row of boxes, the lines below it, and so on.
pub type Lines = u64;

/// A set of boxes, a bit for each, by rows from the top left.
pub type Boxes = u64;

/// The most lines that a board may have.
pub const MOST_LINES: usize = 64;

/// A board of rows x columns of boxes with no more than 64 lines.
///
/// ```
/// use bsq_games::dots::Board;
/// let board = Board::new(5, 5).unwrap();
/// assert_eq!((board.lines(), board.boxes()), (60, 25));
/// assert!(Board::new(5, 6).is_err()); // 71 lines
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    size: Rectangle,
}

/// Why there is no such board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BoardError {
    /// Not of the form `ROWSxCOLS`.
    #[error("'{0}' is no board; write rows x columns of boxes, such as 3x5")]
    Malformed(String),
    /// No boxes.
    #[error("a board has at least one row and one column of boxes")]
    Empty,
    /// More lines than fit a word.
    #[error("a board of {rows}x{cols} boxes has {lines} lines; at most 64 are possible")]
    TooLarge {
        /// Rows of boxes.
        rows: usize,
        /// Columns of boxes.
        cols: usize,
        /// Lines of such a board.
        lines: u128,
    },
}

impl Board {
    /// A board of that many rows and columns of boxes, with at most 64 lines.
    pub fn new(rows: usize, cols: usize) -> Result<Board, BoardError> {
        if rows == 0 || cols == 0 {
            return Err(BoardError::Empty);
        }
        let (r, c) = (rows as u128, cols as u128);
        let lines = r.saturating_mul(c).saturating_mul(2).saturating_add(r + c);
        if lines > MOST_LINES as u128 {
            return Err(BoardError::TooLarge { rows, cols, lines });
        }
        Ok(Board { size: Rectangle::new(rows, cols) })
    }

    /// A board as it is typed: rows x columns of boxes.
    pub fn parse(text: &str) -> Result<Board, BoardError> {
        rectangle::parse(text, Board::new, BoardError::Malformed)
    }

    /// Number of lines, at most 64.
    pub fn lines(&self) -> usize {
        2 * self.boxes() + self.rows() + self.cols()
    }

    /// Number of boxes.
    pub fn boxes(&self) -> usize {
        self.rows() * self.cols()
    }

    /// Every line.
    pub fn all(&self) -> Lines {
        u64::MAX >> (64 - self.lines())
    }

    /// Every box.
    pub fn all_boxes(&self) -> Boxes {
        u64::MAX >> (64 - self.boxes())
    }

    /// The line above a box of that row and column; of row `rows()`, the line below the last row.
    pub fn horizontal(&self, row: usize, col: usize) -> usize {
        debug_assert!(row <= self.rows() && col < self.cols());
        row * self.stride() + col
    }

    /// The line left of a box of that row and column; of column `cols()`, the last one of the row.
    pub fn vertical(&self, row: usize, col: usize) -> usize {
        debug_assert!(row < self.rows() && col <= self.cols());
        row * self.stride() + self.cols() + col
    }

    /// Lines from one row of dots to the next.
    fn stride(&self) -> usize {
        2 * self.cols() + 1
    }

    /// Where a line lies: whether it is vertical, with the row and column as in
    /// [`horizontal`](Self::horizontal) and [`vertical`](Self::vertical).
    pub fn locate(&self, line: usize) -> (bool, usize, usize) {
        let (row, rest) = (line / self.stride(), line % self.stride());
        match rest.checked_sub(self.cols()) {
            Some(col) => (true, row, col),
            None => (false, row, rest),
        }
    }

    /// The four lines around a box.
    pub fn sides(&self, cell: usize) -> Lines {
        let (row, col) = (cell / self.cols(), cell % self.cols());
        let horizontal = [self.horizontal(row, col), self.horizontal(row + 1, col)];
        let vertical = [self.vertical(row, col), self.vertical(row, col + 1)];
        horizontal.into_iter().chain(vertical).fold(0, |set, line| set | 1 << line)
    }

    /// The boxes that a line is a side of: one at the border, else two.
    pub fn beside(&self, line: usize) -> Boxes {
        let (vertical, row, col) = self.locate(line);
        let cell = |row: usize, col: usize| 1 << (row * self.cols() + col);
        let within =
            |at: usize, of: usize| -> Range<usize> { at.saturating_sub(1)..(at + 1).min(of) };
        match vertical {
            true => within(col, self.cols()).fold(0, |set, col| set | cell(row, col)),
            false => within(row, self.rows()).fold(0, |set, row| set | cell(row, col)),
        }
    }

    /// The boxes that these lines close.
    pub fn closed(&self, lines: Lines) -> Boxes {
        let closed = |&cell: &usize| self.sides(cell) & !lines == 0;
        (0..self.boxes()).filter(closed).fold(0, |set, cell| set | 1 << cell)
    }

    /// The boxes that a line closes where those are drawn.
    pub fn closed_by(&self, lines: Lines, line: usize) -> Boxes {
        let closed = |&cell: &usize| self.sides(cell) & !lines == 1 << line;
        lines_of(self.beside(line)).filter(closed).fold(0, |set, cell| set | 1 << cell)
    }

    /// The lines along the border.
    pub fn border(&self) -> Lines {
        let border = |&line: &usize| self.beside(line).count_ones() == 1;
        (0..self.lines()).filter(border).fold(0, |set, line| set | 1 << line)
    }

    /// The lines along the left side and the bottom.
    pub fn left_and_bottom(&self) -> Lines {
        let left = (0..self.rows()).map(|row| self.vertical(row, 0));
        let bottom = (0..self.cols()).map(|col| self.horizontal(self.rows(), col));
        left.chain(bottom).fold(0, |set, line| set | 1 << line)
    }

    /// Where each line goes under each symmetry of the rectangle, the identity first: 8
    /// permutations on a square board, else 4.
    pub fn symmetries(&self) -> Vec<Vec<usize>> {
        let (rows, cols) = (self.rows(), self.cols());
        let image = |code: usize, line: usize| {
            let (mut vertical, mut row, mut col) = self.locate(line);
            if code & 1 != 0 {
                row = rows - usize::from(vertical) - row;
            }
            if code & 2 != 0 {
                col = cols - usize::from(!vertical) - col;
            }
            if code & 4 != 0 {
                (vertical, row, col) = (!vertical, col, row);
            }
            if vertical { self.vertical(row, col) } else { self.horizontal(row, col) }
        };
        let codes = 0..if rows == cols { 8 } else { 4 };
        codes.map(|code| (0..self.lines()).map(|line| image(code, line)).collect()).collect()
    }

    /// Where each box goes under each of the [`symmetries`](Self::symmetries), in the same order.
    pub fn box_symmetries(&self) -> Vec<Vec<usize>> {
        self.cell_symmetries().collect()
    }

    /// Twice the distance of a line's middle from the middle of the board, squared.
    pub fn from_middle(&self, line: usize) -> usize {
        let (vertical, row, col) = self.locate(line);
        let down = (2 * row + usize::from(vertical)).abs_diff(self.rows());
        let right = (2 * col + usize::from(!vertical)).abs_diff(self.cols());
        down * down + right * right
    }

    /// For each box with several lines along the border, those lines. Which of them are drawn makes
    /// no difference, only how many: at each corner two may change places.
    pub fn exchanges(&self) -> Vec<Lines> {
        let border = self.border();
        let shared = (0..self.boxes()).map(|cell| self.sides(cell) & border);
        shared.filter(|lines| lines.count_ones() > 1).collect()
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
mod tests {
    use super::*;

    #[test]
    fn lines_and_boxes_meet() {
        for (rows, cols) in [(1, 1), (1, 21), (21, 1), (2, 3), (5, 5), (4, 6)] {
            let board = Board::new(rows, cols).unwrap();
            for line in 0..board.lines() {
                for cell in 0..board.boxes() {
                    let has = board.sides(cell) >> line & 1;
                    assert_eq!(board.beside(line) >> cell & 1, has, "{board} {line} {cell}");
                }
            }
            assert_eq!(board.border().count_ones() as usize, 2 * (rows + cols));
            assert_eq!(board.left_and_bottom().count_ones() as usize, rows + cols);
            assert_eq!(board.closed(board.all()), board.all_boxes());
            let images = board.symmetries().into_iter().zip(board.box_symmetries());
            assert_eq!(board.symmetries().len(), board.box_symmetries().len());
            for (lines, boxes) in images {
                let image = |set| lines_of(set).fold(0, |image, line| image | 1 << lines[line]);
                assert_eq!(image(board.all()), board.all());
                for (cell, &to) in boxes.iter().enumerate() {
                    assert_eq!(image(board.sides(cell)), board.sides(to));
                }
            }
        }
        assert_eq!(Board::new(3, 3).unwrap().exchanges().len(), 4);
        assert_eq!(Board::new(1, 3).unwrap().exchanges().len(), 3);
    }

    #[test]
    fn too_many_lines_are_refused() {
        for (rows, cols) in [(5, 6), (1, 22), (usize::MAX, usize::MAX), (0, 3), (3, 0)] {
            assert!(Board::new(rows, cols).is_err());
        }
    }
}
