//! The layout of a board on the screen.

use bsq_games::british_square::Board;
use ratatui::layout::{Position, Rect};

/// An inner size of cells: columns, rows, and whether lines are drawn between them.
pub type Size = (u16, u16, bool);

/// The sizes of cells in British Square, the largest first.
const SIZES: [Size; 5] = [(9, 3, true), (6, 2, true), (5, 1, true), (4, 1, false), (3, 1, false)];
/// The columns at the left for the numbers of rows.
const MARGIN: u16 = 3;
/// The rows at the top for the letters of columns.
const HEAD: u16 = 1;

/// A board in a part of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    /// The board.
    pub board: Board,
    /// The cells and lines, without letters and numbers.
    pub area: Rect,
    /// Columns inside a cell.
    pub width: u16,
    /// Rows inside a cell.
    pub height: u16,
    /// Whether there are lines between cells.
    pub ruled: bool,
}

impl Grid {
    /// The largest grid of British Square that fits, if any does.
    pub fn fit(board: Board, space: Rect) -> Option<Grid> {
        Grid::fit_one(board, space, &SIZES)
    }

    /// The grid of the first size that fits, if any does.
    pub fn fit_one(board: Board, space: Rect, sizes: &[Size]) -> Option<Grid> {
        sizes.iter().find_map(|&(width, height, ruled)| {
            let line = ruled as usize;
            let columns = board.cols() * (width as usize + line) + line;
            let rows = board.rows() * (height as usize + line) + line;
            let (columns, rows) = (u16::try_from(columns).ok()?, u16::try_from(rows).ok()?);
            let fits = columns.checked_add(MARGIN)? <= space.width
                && rows.checked_add(HEAD)? <= space.height;
            let area = Rect::new(space.x + MARGIN, space.y + HEAD, columns, rows);
            fits.then_some(Grid { board, area, width, height, ruled })
        })
    }

    /// The whole area, with letters and numbers.
    pub fn outer(&self) -> Rect {
        let Rect { x, y, width, height } = self.area;
        Rect::new(x - MARGIN, y - HEAD, width + MARGIN, height + HEAD)
    }

    /// The inside of a cell.
    pub fn cell(&self, cell: usize) -> Rect {
        let (row, col) = ((cell / self.board.cols()) as u16, (cell % self.board.cols()) as u16);
        let [x, y] = self.strides();
        let line = self.ruled as u16;
        Rect::new(
            self.area.x + line + col * x,
            self.area.y + line + row * y,
            self.width,
            self.height,
        )
    }

    /// The cell at a place of the screen; `None` on a line or outside.
    pub fn cell_at(&self, column: u16, row: u16) -> Option<usize> {
        let place = Position::new(column, row);
        (0..self.board.cells()).find(|&cell| self.cell(cell).contains(place))
    }

    /// The columns and rows from a cell to the next.
    fn strides(&self) -> [u16; 2] {
        let line = self.ruled as u16;
        [self.width + line, self.height + line]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_lie_apart_inside_the_area() {
        for (rows, cols) in [(5, 5), (1, 1), (8, 8), (3, 7), (1, 20), (16, 4)] {
            let board = Board::new(rows, cols).unwrap();
            for (width, height) in [(80, 24), (120, 50), (200, 70), (70, 20)] {
                let Some(grid) = Grid::fit(board, Rect::new(2, 1, width, height)) else { continue };
                assert!(Rect::new(2, 1, width, height).intersection(grid.outer()) == grid.outer());
                for cell in 0..board.cells() {
                    let Rect { x, y, width, height } = grid.cell(cell);
                    for (column, row) in [(x, y), (x + width - 1, y + height - 1)] {
                        assert_eq!(grid.cell_at(column, row), Some(cell), "{rows}x{cols}");
                        assert!(grid.area.contains(Position::new(column, row)));
                    }
                }
            }
        }
    }

    #[test]
    fn the_usual_board_fits_the_usual_terminal() {
        let board = Board::new(5, 5).unwrap();
        let grid = Grid::fit(board, Rect::new(0, 1, 52, 20)).unwrap();
        assert_eq!((grid.width, grid.height, grid.ruled), (6, 2, true));
        assert_eq!(Grid::fit(board, Rect::new(0, 0, 17, 6)), None);
        assert!(Grid::fit(Board::new(8, 8).unwrap(), Rect::new(0, 1, 52, 20)).is_some());
    }
}
