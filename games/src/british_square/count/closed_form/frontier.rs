//! Filling a board cell by cell, with the frontier as the only memory of the filled cells.
//!
//! Each cell contains a piece of the *closer*, a piece of the *stuck* player, or none. Pieces of
//! different players are not adjacent, and every empty cell is adjacent to a piece of the closer.
//! An empty cell that is not adjacent to a piece of the stuck player is *left over*.

/// The last filled cell of each column, 3 bits each.
pub type Frontier = u32;

/// The frontier before the first and after the last cell.
pub const NOTHING: Frontier = 0;

/// Bits of a column in a frontier.
const BITS: u32 = 3;

/// A filled cell with unfilled neighbours, as far as they depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Cell {
    /// Empty and adjacent to both players, or without unfilled neighbours. Any filling may follow.
    Settled = 0,
    /// A piece of the closer.
    Closer = 1,
    /// A piece of the stuck player.
    Stuck = 2,
    /// Empty, so far adjacent to neither player.
    Bare = 3,
    /// Empty, so far adjacent to the closer only.
    BesideCloser = 4,
    /// Empty, so far adjacent to the stuck player only.
    BesideStuck = 5,
}

use Cell::{Bare, BesideCloser, BesideStuck, Closer, Settled, Stuck};

impl Cell {
    fn from_bits(bits: u32) -> Cell {
        match bits {
            1 => Closer,
            2 => Stuck,
            3 => Bare,
            4 => BesideCloser,
            5 => BesideStuck,
            _ => Settled,
        }
    }

    /// The cell after filling one more neighbour, or `None` if the two would be adjacent pieces of
    /// different players.
    fn beside(self, neighbour: Filling) -> Option<Cell> {
        match (self, neighbour) {
            (Stuck, Filling::Closer) | (Closer, Filling::Stuck) => None,
            (Bare, Filling::Closer) => Some(BesideCloser),
            (Bare, Filling::Stuck) => Some(BesideStuck),
            (BesideStuck, Filling::Closer) | (BesideCloser, Filling::Stuck) => Some(Settled),
            _ => Some(self),
        }
    }

    /// The number of cells left over here, 0 or 1, once all neighbours are filled. `None` if the
    /// cell is empty and not adjacent to the closer.
    fn left_over(self) -> Option<u8> {
        match self {
            Bare | BesideStuck => None,
            BesideCloser => Some(1),
            Settled | Closer | Stuck => Some(0),
        }
    }
}

/// The content of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Filling {
    /// No piece.
    Empty,
    /// A piece of the closer.
    Closer,
    /// A piece of the stuck player.
    Stuck,
}

impl Filling {
    /// All fillings.
    pub const ALL: [Filling; 3] = [Filling::Empty, Filling::Closer, Filling::Stuck];
}

/// The shape of the board. The width, the length of the frontier, is the shorter side.
#[derive(Clone, Copy, Debug)]
pub struct Grid {
    width: usize,
    height: usize,
    empties: Empties,
}

/// The condition on empty cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Empties {
    /// Adjacent to a piece of the closer.
    BesideCloser,
    /// Anywhere. No cell is left over.
    Anywhere,
}

impl Grid {
    /// The grid of a board.
    pub fn new(rows: usize, cols: usize, empties: Empties) -> Grid {
        Grid { width: rows.min(cols), height: rows.max(cols), empties }
    }

    /// The grid with the frontier along the longer side.
    #[cfg(test)]
    pub fn turned(&self) -> Grid {
        Grid { width: self.height, height: self.width, empties: self.empties }
    }

    /// The number of cells.
    pub fn cells(&self) -> usize {
        self.width * self.height
    }

    /// The content of `cell`, the last cell before the frontier, which must not be in the last row.
    pub fn latest(&self, frontier: Frontier, cell: usize) -> Filling {
        match at(frontier, cell % self.width) {
            Closer => Filling::Closer,
            Stuck => Filling::Stuck,
            _ => Filling::Empty,
        }
    }

    /// Fills a cell. Returns the frontier after it and the number of cells found to be left over,
    /// or `None` if the filling is not allowed.
    pub fn fill(&self, before: Frontier, cell: usize, filling: Filling) -> Option<(Frontier, u8)> {
        let column = cell % self.width;
        let above = at(before, column);
        let left = if column > 0 { at(before, column - 1) } else { Settled };
        let new = match filling {
            Filling::Closer => Closer,
            Filling::Stuck => Stuck,
            Filling::Empty if self.empties == Empties::Anywhere => Settled,
            Filling::Empty => {
                let near = [above, left];
                match (near.contains(&Closer), near.contains(&Stuck)) {
                    (true, true) => Settled,
                    (true, false) => BesideCloser,
                    (false, true) => BesideStuck,
                    (false, false) => Bare,
                }
            }
        };
        let mut left_over = above.beside(filling)?.left_over()?;
        let left = left.beside(filling)?;
        let mut after = set(before, column, new);
        if column > 0 {
            after = set(after, column - 1, left);
        }
        // Cells of the last row have no neighbour below.
        if cell / self.width + 1 == self.height {
            if column > 0 {
                left_over += left.left_over()?;
                after = set(after, column - 1, Settled);
            }
            if column + 1 == self.width {
                left_over += new.left_over()?;
                after = set(after, column, Settled);
            }
        }
        Some((after, left_over))
    }
}

fn at(frontier: Frontier, column: usize) -> Cell {
    Cell::from_bits(frontier >> (BITS * column as u32) & ((1 << BITS) - 1))
}

fn set(frontier: Frontier, column: usize, cell: Cell) -> Frontier {
    let shift = BITS * column as u32;
    frontier & !(((1 << BITS) - 1) << shift) | (cell as Frontier) << shift
}
