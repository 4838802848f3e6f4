//! The board as the territory solver sees it: who can take what from whom, and what looks alike.

use crate::british_square::board::{Board, Cells};
use crate::british_square::rules::{Position, Rules};
use crate::british_square::territory::{Territorial, Territory};

/// Symmetries kept: as many as a square has. Boards with fewer repeat theirs.
const LANES: usize = 8;
/// Cells that one table look-up turns.
const SLICE: usize = 8;

/// A board with its symmetries worked out, for boards of up to 64 cells.
#[derive(Clone, Debug)]
pub struct TerritoryBoard {
    board: Board,
    reach: [Cells; 64],
    /// The cells that their image through the centre is within reach of.
    middle: Cells,
    /// For each slice of eight cells and each of its sets, the images of the set.
    turned: Vec<[[Cells; LANES]; 1 << SLICE]>,
}

impl TerritoryBoard {
    /// The field of a board.
    pub fn new(board: Board) -> TerritoryBoard {
        let mut reach = [0; 64];
        for (cell, reach) in reach.iter_mut().enumerate().take(board.cells()) {
            *reach = board.reach(cell);
        }
        let symmetries = board.symmetries();
        let slice = |first: usize| {
            std::array::from_fn(|set| {
                std::array::from_fn(|lane| {
                    let permutation = &symmetries[lane % symmetries.len()];
                    let cells = (first..board.cells().min(first + SLICE)).enumerate();
                    let cells = cells.filter(|(bit, _)| set >> bit & 1 == 1);
                    cells.fold(0, |image, (_, cell)| image | 1 << permutation[cell])
                })
            })
        };
        let turned = (0..board.cells()).step_by(SLICE).map(slice).collect();
        let in_reach = |cell: usize| reach[cell] >> board.opposite(cell) & 1;
        let middle = (0..board.cells()).fold(0, |set, cell| set | in_reach(cell) << cell);
        TerritoryBoard { board, reach, middle, turned }
    }

    /// The board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// What is still open to whom in a position, the mover first; the rule about the opening,
    /// and a limit on pieces, apart.
    pub fn territory(&self, rules: &Rules, position: &Position) -> Territory {
        let [own, other] = position.seen_by(position.to_move);
        Territory { own: rules.usable(own, other), other: rules.usable(other, own) }
    }

    #[inline]
    fn images(&self, mut set: Cells) -> [Cells; LANES] {
        let mut images = [0; LANES];
        for slice in &self.turned {
            let part = &slice[set as usize % (1 << SLICE)];
            for (image, part) in images.iter_mut().zip(part) {
                *image |= part;
            }
            set >>= SLICE;
        }
        images
    }

    /// How far a set is from the top left corner, in bits.
    fn margin(&self, set: Cells) -> u32 {
        let cols = self.board.cols() as u32;
        let top = set.trailing_zeros() / cols;
        let rows = (0..self.board.rows() as u32).map(|row| set >> (row * cols));
        let columns = rows.fold(0, |all, row| all | row & (u64::MAX >> (64 - cols)));
        top * cols + columns.trailing_zeros()
    }
}

impl Territorial for TerritoryBoard {
    fn cells(&self) -> usize {
        self.board.cells()
    }

    #[inline]
    fn reach(&self, cell: usize) -> Cells {
        self.reach[cell]
    }

    #[inline]
    fn neighbours(&self, set: Cells) -> Cells {
        self.board.neighbours(set)
    }

    #[inline]
    fn canonical(&self, territory: Territory) -> Territory {
        let (own, other) = (self.images(territory.own), self.images(territory.other));
        let cells = self.board.cells();
        if cells <= 32 {
            // Both sets in a word are compared at once.
            let words = own.iter().zip(&other).map(|(own, other)| own << cells | other);
            let least = words.fold(u64::MAX, u64::min);
            return Territory { own: least >> cells, other: least & self.board.all() };
        }
        let images = own.iter().zip(&other).map(|(&own, &other)| Territory { own, other });
        images.min().unwrap_or(territory)
    }

    fn shape(&self, territory: Territory) -> Territory {
        let (own, other) = (self.images(territory.own), self.images(territory.other));
        let images = own.iter().zip(&other).map(|(&own, &other)| {
            let margin = self.margin(own | other);
            Territory { own: own >> margin, other: other >> margin }
        });
        images.min().unwrap_or(territory)
    }

    /// By trial. On thin boards there are few shapes of regions; long searches need many.
    #[inline]
    fn small_region(&self) -> u32 {
        match (self.board.rows().min(self.board.cols()), self.board.cells()) {
            (1, _) => 14,
            (2, _) => 11,
            (_, ..=25) => 6,
            (_, ..=42) => 9,
            _ => 10,
        }
    }

    /// Through the centre of the board.
    #[inline]
    fn is_mirrored(&self, territory: Territory) -> bool {
        let opposite = territory.own.reverse_bits() >> (64 - self.board.cells());
        opposite == territory.other && territory.cells() & self.middle == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::british_square::permute;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn canonical_is_the_least_image(rows in 1_usize..=8, cols in 1_usize..=8, own: u64, other: u64) {
            let board = Board::new(rows, cols).unwrap();
            let field = TerritoryBoard::new(board);
            let territory = Territory { own: own & board.all(), other: other & board.all() };
            let images = board.symmetries().into_iter().map(|p| Territory {
                own: permute(territory.own, &p),
                other: permute(territory.other, &p),
            });
            prop_assert_eq!(field.canonical(territory), images.min().unwrap());
        }

        /// A shape is the same wherever it lies and however it is turned.
        #[test]
        fn shapes_can_be_moved_and_turned(own in 0_u64..512, other in 0_u64..512, down in 0..4, right in 0..3, lane in 0_usize..8) {
            prop_assume!(own | other != 0);
            let field = TerritoryBoard::new(Board::new(7, 6).unwrap());
            let symmetries = field.board.symmetries();
            // Three rows of three cells each, on a board with room to spare.
            let spread = |set: u64| (0..9).filter(|bit| set >> bit & 1 == 1).fold(0, |all, bit| all | 1 << (bit / 3 * 6 + bit % 3));
            let here = Territory { own: spread(own), other: spread(other) };
            let moved = |set: u64| permute(set << (down * 6 + right), &symmetries[lane % symmetries.len()]);
            let there = Territory { own: moved(here.own), other: moved(here.other) };
            prop_assert_eq!(field.shape(here), field.shape(there));
        }
    }
}
