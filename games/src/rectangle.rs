//! Rectangular boards: their size, its notation, and their symmetries.

use bsq_engine::view;
use num_traits::PrimInt;
use std::fmt;

/// The size of a rectangular board. Cells are numbered by rows from the top left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rectangle {
    rows: u8,
    cols: u8,
}

impl Rectangle {
    /// Creates a size. Sides are at most 255.
    pub(crate) fn new(rows: usize, cols: usize) -> Rectangle {
        debug_assert!(rows.max(cols) <= u8::MAX.into());
        Rectangle { rows: rows as u8, cols: cols as u8 }
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows as usize
    }

    /// The number of columns.
    pub fn cols(&self) -> usize {
        self.cols as usize
    }

    /// The number of cells.
    pub fn cells(&self) -> usize {
        self.rows() * self.cols()
    }

    /// The coordinate of a cell: column letter from the left, row number from the top. On 5x5 cell
    /// 0 is `a1` and cell 7 is `c2`. After column `z` comes `aa`.
    pub fn coordinate(&self, cell: usize) -> String {
        view::coordinate(cell / self.cols(), cell % self.cols())
    }

    /// The cell that a text names by its [coordinate](Rectangle::coordinate), with letters of either
    /// case, or by its number from 1.
    pub(crate) fn cell_named(self, text: &str) -> Option<usize> {
        let wanted = text.trim().to_ascii_lowercase();
        let is_wanted =
            |&cell: &usize| wanted == (cell + 1).to_string() || wanted == self.coordinate(cell);
        (0..self.cells()).find(is_wanted)
    }

    /// The cells of a row as characters: `X` on the first of two sets of cells, `O` on the second,
    /// and `.` elsewhere.
    pub(crate) fn symbols(self, sets: [u64; 2], row: usize) -> impl Iterator<Item = char> {
        let cells = row * self.cols()..(row + 1) * self.cols();
        cells.map(move |cell| match sets.map(|set| set >> cell & 1) {
            [1, _] => 'X',
            [_, 1] => 'O',
            _ => '.',
        })
    }

    /// The symmetries as permutations of the cells, the identity first: 8 for a square, otherwise
    /// 4. On rectangles one cell wide some permutations are equal.
    pub(crate) fn cell_symmetries(self) -> impl Iterator<Item = Vec<usize>> {
        let (rows, cols) = (self.rows(), self.cols());
        let image = move |code: usize, cell: usize| {
            let (mut row, mut col) = (cell / cols, cell % cols);
            if code & 1 != 0 {
                row = rows - 1 - row;
            }
            if code & 2 != 0 {
                col = cols - 1 - col;
            }
            if code & 4 != 0 {
                (row, col) = (col, row);
            }
            row * cols + col
        };
        let codes = 0..if rows == cols { 8 } else { 4 };
        codes.map(move |code| (0..rows * cols).map(|cell| image(code, cell)).collect())
    }

    /// The images of a set of cells of a board of at most 64 under the symmetries, in the order of
    /// [`cell_symmetries`](Rectangle::cell_symmetries). Only the first 4 are set on boards that are
    /// not square.
    #[inline]
    fn images(self, set: u64) -> [u64; 8] {
        let [a, b, c, d] = self.flipped(set);
        if self.rows != self.cols {
            return [a, b, c, d, 0, 0, 0, 0];
        }
        let [e, f, g, h] = self.flipped(self.transposed(set));
        [a, b, c, d, e, g, f, h]
    }

    /// The images of two sets of cells of a board of at most 64 under the same symmetries, in the
    /// order of [`cell_symmetries`](Rectangle::cell_symmetries).
    #[inline]
    pub(crate) fn images_of(self, [first, second]: [u64; 2]) -> impl Iterator<Item = [u64; 2]> {
        let (first, second) = (self.images(first), self.images(second));
        let symmetries = if self.rows == self.cols { 8 } else { 4 };
        (0..symmetries).map(move |at| [first[at], second[at]])
    }

    /// The set, with reversed rows, with reversed columns, and with both reversed.
    #[inline]
    fn flipped(self, set: u64) -> [u64; 4] {
        let upside_down = self.upside_down(set);
        [set, upside_down, self.rotated(upside_down), self.rotated(set)]
    }

    /// The set with reversed rows.
    #[inline]
    fn upside_down(self, set: u64) -> u64 {
        if self.rows == 1 {
            return set;
        }
        let row = (1 << self.cols) - 1;
        let rows = (0..self.rows()).map(|at| set >> (at * self.cols()) & row);
        rows.fold(0, |image, row| image << self.cols | row)
    }

    /// The set rotated by half a turn.
    #[inline]
    fn rotated(self, set: u64) -> u64 {
        set.reverse_bits() >> (64 - self.cells())
    }

    /// The set reflected in the main diagonal, on a square board of at most 64 cells.
    #[inline]
    fn transposed(self, set: u64) -> u64 {
        let side = self.rows() % COMBS.len();
        let [column, gather] = COMBS[side];
        let row = |col: usize| {
            // The bits of a column are `side` apart. The product has them side by side.
            let product = (set >> col & column).wrapping_mul(gather);
            product >> ((side - 1) * (side - 1)) & ((1 << side) - 1)
        };
        (0..side).fold(0, |image, col| image | row(col) << (col * side))
    }
}

/// By the side of a square, as many bits as it has rows, once `side` and once `side - 1` apart.
const COMBS: [[u64; 2]; 9] = {
    let mut combs = [[0; 2]; 9];
    let mut side = 1;
    while side <= 8 {
        let mut at = 0;
        while at < side {
            combs[side][0] |= 1 << (at * side);
            combs[side][1] |= 1 << (at * (side - 1));
            at += 1;
        }
        side += 1;
    }
    combs
};

impl fmt::Display for Rectangle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.rows, self.cols)
    }
}

/// Parses `ROWSxCOLS` and passes the sides to `new`. Text of any other form is `malformed`.
pub(crate) fn parse<B, E>(
    text: &str,
    new: impl FnOnce(usize, usize) -> Result<B, E>,
    malformed: impl FnOnce(String) -> E,
) -> Result<B, E> {
    let side = |side: &str| side.trim().parse().ok();
    let sides = text.split_once(['x', 'X']).and_then(|(r, c)| Some((side(r)?, side(c)?)));
    let (rows, cols) = sides.ok_or_else(|| malformed(text.to_string()))?;
    new(rows, cols)
}

/// Iterates over the indices of the bits of a set, lowest first.
#[inline]
pub fn bits_of<S: PrimInt>(mut set: S) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (set != S::zero()).then(|| {
            let bit = set.trailing_zeros() as usize;
            set = set & (set - S::one());
            bit
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_mapped_as_their_cells_are() {
        for (rows, cols) in [(1, 1), (1, 64), (64, 1), (8, 8), (3, 5), (5, 3), (4, 4), (7, 9)] {
            let board = Rectangle::new(rows, cols);
            for seed in 1..50u64 {
                let set = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - board.cells());
                let moved = |image: Vec<usize>| {
                    bits_of(set).fold(0, |moved: u64, cell| moved | 1 << image[cell])
                };
                let wanted: Vec<u64> = board.cell_symmetries().map(moved).collect();
                let images = board.images_of([set, 0]).map(|[image, _]| image);
                assert_eq!(images.collect::<Vec<u64>>(), wanted, "{board} {set:b}");
            }
        }
    }
}
