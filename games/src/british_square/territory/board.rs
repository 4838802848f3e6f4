//! Territories, and boards with the tables of the territory search.

use crate::british_square::board::{Board, Cells, MAX_CELLS, cells_of};
use crate::british_square::rules::{Position, Rules};

/// The cells that each player may still use.
///
/// The rest of a game depends on nothing else, apart from the rule about the first move and a limit
/// on pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Territory {
    /// Cells that the player to move may use.
    pub own: Cells,
    /// Cells that the opponent may use.
    pub other: Cells,
}

impl Territory {
    /// The territory without cells: the game is over.
    pub const CLOSED: Territory = Territory { own: 0, other: 0 };

    /// The same cells with the other player to move.
    #[inline]
    pub fn swapped(self) -> Territory {
        Territory { own: self.other, other: self.own }
    }

    /// The territory after the player to move places a piece on `cell`, seen by the opponent.
    #[inline]
    pub fn take(self, board: &TerritoryBoard, cell: usize) -> Territory {
        Territory { own: self.other & !board.reach(cell), other: self.own & !(1 << cell) }
    }

    /// The cells that at least one player may use.
    #[inline]
    pub fn cells(self) -> Cells {
        self.own | self.other
    }

    /// The territory without the given cells.
    #[inline]
    pub fn without(self, cells: Cells) -> Territory {
        Territory { own: self.own & !cells, other: self.other & !cells }
    }

    /// The union of two territories, player by player.
    #[inline]
    pub fn union(self, more: Territory) -> Territory {
        Territory { own: self.own | more.own, other: self.other | more.other }
    }

    /// The contested cells of each player: those that the opponent can still close.
    #[inline]
    pub fn contested(self, board: &TerritoryBoard) -> Territory {
        Territory {
            own: self.own & (self.other | board.neighbours(self.other)),
            other: self.other & (self.own | board.neighbours(self.own)),
        }
    }

    /// Splits off the free cells, which the opponent can no longer close: returns their number,
    /// the mover's minus the opponent's, and the contested cells. The value of the territory is the
    /// sum of that number and the value of the contested cells.
    #[inline]
    pub fn settle(self, board: &TerritoryBoard) -> (i32, Territory) {
        let contested = self.contested(board);
        let free = |all: Cells, contested: Cells| (all ^ contested).count_ones() as i32;
        (free(self.own, contested.own) - free(self.other, contested.other), contested)
    }

    /// The regions of a settled territory: the components of the disjunctive sum.
    #[inline]
    pub fn regions(self, board: &TerritoryBoard) -> impl Iterator<Item = Territory> {
        let mut rest = self;
        std::iter::from_fn(move || {
            (rest.own != 0).then(|| {
                let region = rest.region(board, rest.own & rest.own.wrapping_neg());
                rest = rest.without(region.cells());
                region
            })
        })
    }

    /// The region that contains `seed`, one of the mover's cells.
    #[inline]
    fn region(self, board: &TerritoryBoard, seed: Cells) -> Territory {
        let mut own = seed;
        loop {
            let other = (own | board.neighbours(own)) & self.other;
            let more = (other | board.neighbours(other)) & self.own;
            if more == own {
                return Territory { own, other };
            }
            own = more;
        }
    }

    /// The numbers of cells that the mover and the opponent may use.
    #[inline]
    pub(super) fn sizes(self) -> [i32; 2] {
        [self.own, self.other].map(|set| set.count_ones() as i32)
    }

    /// The moves among `allowed`, a subset of the mover's cells, that are not dominated. A move is
    /// dominated if another allowed move closes a proper superset of its cells, or the same cells
    /// and has a lower index.
    #[inline]
    pub(super) fn undominated(self, board: &TerritoryBoard, allowed: Cells) -> Cells {
        let mut best = 0;
        for cell in cells_of(allowed) {
            let closes = board.reach(cell) & self.other;
            let supersets = cells_of(closes).fold(allowed, |set, cell| set & board.reach(cell));
            let dominated = cells_of(supersets & !(1 << cell)).any(|rival| {
                let rival_closes = board.reach(rival) & self.other;
                rival_closes != closes || rival < cell
            });
            best |= Cells::from(!dominated) << cell;
        }
        best
    }
}

/// The number of images of a set of cells, one for each symmetry of a square. Boards with fewer
/// symmetries repeat theirs.
const LANES: usize = 8;
/// The number of cells whose images are read from the table at once.
const SLICE: usize = 8;

/// A board with the tables of the territory search: the reach of each cell, and the images of sets
/// of cells under the symmetries.
#[derive(Clone, Debug)]
pub struct TerritoryBoard {
    board: Board,
    reach: [Cells; MAX_CELLS],
    /// The cells that are within reach of their own point reflection. All cells if mirrored
    /// territories are not to be recognized.
    near_reflection: Cells,
    /// The images of each set of cells within each slice of [`SLICE`] cells.
    images: Vec<[[Cells; LANES]; 1 << SLICE]>,
}

impl TerritoryBoard {
    /// Builds the tables of a board.
    pub fn new(board: Board) -> TerritoryBoard {
        let mut reach = [0; MAX_CELLS];
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
        let images = (0..board.cells()).step_by(SLICE).map(slice).collect();
        let in_reach = |cell: usize| reach[cell] >> board.opposite(cell) & 1;
        let near_reflection = (0..board.cells()).fold(0, |set, cell| set | in_reach(cell) << cell);
        TerritoryBoard { board, reach, near_reflection, images }
    }

    /// The same board on which [`is_mirrored`](TerritoryBoard::is_mirrored) finds no territory, for
    /// tests of that shortcut.
    pub fn without_mirroring(self) -> TerritoryBoard {
        TerritoryBoard { near_reflection: self.board.all(), ..self }
    }

    /// The board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The number of cells, 1 to 64.
    pub fn cells(&self) -> usize {
        self.board.cells()
    }

    /// The cells that a piece on `cell` closes to the opponent: the cell itself and the adjacent
    /// ones. Reach is symmetric.
    #[inline]
    pub fn reach(&self, cell: usize) -> Cells {
        self.reach[cell]
    }

    /// The cells adjacent to some cell of `set`.
    #[inline]
    pub fn neighbours(&self, set: Cells) -> Cells {
        self.board.neighbours(set)
    }

    /// The territory of a position. The rule about the first move is not applied; a player who has
    /// placed all pieces has no usable cell.
    pub fn territory(&self, rules: &Rules, position: &Position) -> Territory {
        let [own, other] = position.seen_by(position.to_move);
        Territory { own: rules.usable(own, other), other: rules.usable(other, own) }
    }

    /// The least image of a territory under the symmetries of the board.
    #[inline]
    pub fn canonical(&self, territory: Territory) -> Territory {
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

    /// A representative of all territories that differ by a translation or a symmetry of the board.
    pub fn shape(&self, territory: Territory) -> Territory {
        let (own, other) = (self.images(territory.own), self.images(territory.other));
        let images = own.iter().zip(&other).map(|(&own, &other)| {
            let margin = self.margin(own | other);
            Territory { own: own >> margin, other: other >> margin }
        });
        images.min().unwrap_or(territory)
    }

    /// The largest region, in cells, that is valued by its thermograph. Larger limits shorten the
    /// search and enlarge the region table; these were found by experiment. Thin boards have few
    /// shapes of regions, and long searches amortize more of them.
    #[inline]
    pub fn max_table_region(&self) -> u32 {
        match (self.board.rows().min(self.board.cols()), self.board.cells()) {
            (1, _) => 14,
            (2, _) => 11,
            (_, ..=25) => 6,
            (_, ..=42) => 9,
            _ => 10,
        }
    }

    /// Whether the point reflection of the board exchanges the two sets of the territory, and no
    /// cell is within reach of its image. Each move can then be answered by its reflection, and the
    /// value is 0.
    #[inline]
    pub fn is_mirrored(&self, territory: Territory) -> bool {
        let reflection = territory.own.reverse_bits() >> (64 - self.board.cells());
        reflection == territory.other && territory.cells() & self.near_reflection == 0
    }

    #[inline]
    fn images(&self, mut set: Cells) -> [Cells; LANES] {
        let mut images = [0; LANES];
        for slice in &self.images {
            let part = &slice[set as usize % (1 << SLICE)];
            for (image, part) in images.iter_mut().zip(part) {
                *image |= part;
            }
            set >>= SLICE;
        }
        images
    }

    /// The shift, in bits, that moves a set to the top left corner.
    fn margin(&self, set: Cells) -> u32 {
        let cols = self.board.cols() as u32;
        let top = set.trailing_zeros() / cols;
        let rows = (0..self.board.rows() as u32).map(|row| set >> (row * cols));
        let columns = rows.fold(0, |all, row| all | row & (u64::MAX >> (64 - cols)));
        top * cols + columns.trailing_zeros()
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
            let tables = TerritoryBoard::new(board);
            let territory = Territory { own: own & board.all(), other: other & board.all() };
            let images = board.symmetries().into_iter().map(|p| Territory {
                own: permute(territory.own, &p),
                other: permute(territory.other, &p),
            });
            prop_assert_eq!(tables.canonical(territory), images.min().unwrap());
        }

        /// Translations and symmetries do not change the shape.
        #[test]
        fn shapes_can_be_moved_and_turned(own in 0_u64..512, other in 0_u64..512, down in 0..4, right in 0..3, lane in 0_usize..8) {
            prop_assume!(own | other != 0);
            let tables = TerritoryBoard::new(Board::new(7, 6).unwrap());
            let symmetries = tables.board.symmetries();
            // Three rows of three cells each, on a larger board.
            let spread = |set: u64| (0..9).filter(|bit| set >> bit & 1 == 1).fold(0, |all, bit| all | 1 << (bit / 3 * 6 + bit % 3));
            let here = Territory { own: spread(own), other: spread(other) };
            let moved = |set: u64| permute(set << (down * 6 + right), &symmetries[lane % symmetries.len()]);
            let there = Territory { own: moved(here.own), other: moved(here.other) };
            prop_assert_eq!(tables.shape(here), tables.shape(there));
        }
    }
}
