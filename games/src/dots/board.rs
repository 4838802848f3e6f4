//! Boards: lines between neighbouring dots, and the boxes that they enclose.

use crate::rectangle;
use crate::rectangle::Rectangle;
use std::ops::Deref;

pub use crate::rectangle::bits_of as lines_of;

/// A set of lines, one bit for each: first the lines along the top from left to right, then the
/// vertical lines of the first row of boxes, then the lines below it, and so on.
pub type Lines = u64;

/// A set of boxes, one bit for each, by rows from the top left.
pub type Boxes = u64;

/// The largest number of lines of a board.
pub const MOST_LINES: usize = 64;

/// A board of rows x columns of boxes with at most 64 lines.
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

/// Why a board is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BoardError {
    /// The text is not of the form `ROWSxCOLS`.
    #[error("'{0}' is not a board; write rows x columns of boxes, such as 3x5")]
    Malformed(String),
    /// The board has no boxes.
    #[error("a board has at least one row and one column of boxes")]
    Empty,
    /// The board has more than [`MOST_LINES`] lines.
    #[error("a board of {rows}x{cols} boxes has {lines} lines; at most 64 are possible")]
    TooLarge {
        /// Rows of boxes.
        rows: usize,
        /// Columns of boxes.
        cols: usize,
        /// The number of lines.
        lines: u128,
    },
}

impl Board {
    /// Creates a board with at most [`MOST_LINES`] lines.
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

    /// Parses `ROWSxCOLS`, such as `3x5`.
    pub fn parse(text: &str) -> Result<Board, BoardError> {
        rectangle::parse(text, Board::new, BoardError::Malformed)
    }

    /// The number of lines.
    pub fn lines(&self) -> usize {
        2 * self.boxes() + self.rows() + self.cols()
    }

    /// The number of boxes.
    pub fn boxes(&self) -> usize {
        self.rows() * self.cols()
    }

    /// The set of all lines.
    pub fn all(&self) -> Lines {
        u64::MAX >> (64 - self.lines())
    }

    /// The set of all boxes.
    pub fn all_boxes(&self) -> Boxes {
        u64::MAX >> (64 - self.boxes())
    }

    /// The line above a box; in row `rows()`, the line below the last row.
    pub fn horizontal(&self, row: usize, col: usize) -> usize {
        debug_assert!(row <= self.rows() && col < self.cols());
        row * self.stride() + col
    }

    /// The line left of a box; in column `cols()`, the line right of the last column.
    pub fn vertical(&self, row: usize, col: usize) -> usize {
        debug_assert!(row < self.rows() && col <= self.cols());
        row * self.stride() + self.cols() + col
    }

    /// The number of lines from one row of dots to the next.
    fn stride(&self) -> usize {
        2 * self.cols() + 1
    }

    /// Whether a line is vertical, and its row and column as in [`horizontal`](Self::horizontal)
    /// and [`vertical`](Self::vertical).
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
        set_of(horizontal.into_iter().chain(vertical))
    }

    /// The boxes of which a line is a side: one for a line along the border, otherwise two.
    pub fn beside(&self, line: usize) -> Boxes {
        let (vertical, row, col) = self.locate(line);
        let cell = |row: usize, col: usize| row * self.cols() + col;
        let within = |at: usize, of: usize| at.saturating_sub(1)..(at + 1).min(of);
        if vertical {
            set_of(within(col, self.cols()).map(|col| cell(row, col)))
        } else {
            set_of(within(row, self.rows()).map(|row| cell(row, col)))
        }
    }

    /// The boxes that are closed if these lines are drawn.
    pub fn closed(&self, lines: Lines) -> Boxes {
        set_of((0..self.boxes()).filter(|&cell| self.sides(cell) & !lines == 0))
    }

    /// The boxes that an open line closes if these lines are drawn.
    pub fn closed_by(&self, lines: Lines, line: usize) -> Boxes {
        let closed = |&cell: &usize| self.sides(cell) & !lines == 1 << line;
        set_of(lines_of(self.beside(line)).filter(closed))
    }

    /// The lines along the border.
    pub fn border(&self) -> Lines {
        set_of((0..self.lines()).filter(|&line| self.beside(line).count_ones() == 1))
    }

    /// The lines along the left side and the bottom.
    pub fn left_and_bottom(&self) -> Lines {
        let left = (0..self.rows()).map(|row| self.vertical(row, 0));
        let bottom = (0..self.cols()).map(|col| self.horizontal(self.rows(), col));
        set_of(left.chain(bottom))
    }

    /// The symmetries of the rectangle as permutations of the lines, the identity first: 8 on a
    /// square board, otherwise 4.
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

    /// The [`symmetries`](Self::symmetries) as permutations of the boxes, in the same order.
    pub fn box_symmetries(&self) -> Vec<Vec<usize>> {
        self.cell_symmetries().collect()
    }

    /// The square of twice the distance from the middle of a line to the middle of the board.
    pub fn from_middle(&self, line: usize) -> usize {
        let (vertical, row, col) = self.locate(line);
        let down = (2 * row + usize::from(vertical)).abs_diff(self.rows());
        let right = (2 * col + usize::from(!vertical)).abs_diff(self.cols());
        down * down + right * right
    }

    /// For each box with several lines along the border, those lines. They are interchangeable:
    /// only the number of them that are drawn matters.
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

/// The set of some lines or boxes.
pub(super) fn set_of(members: impl IntoIterator<Item = usize>) -> u64 {
    members.into_iter().fold(0, |set, member| set | 1 << member)
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
                let image = |set| set_of(lines_of(set).map(|line| lines[line]));
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
