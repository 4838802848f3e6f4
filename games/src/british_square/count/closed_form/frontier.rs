//! Boards filled cell by cell, and what later cells need to know of the earlier ones.
//!
//! Every cell is a piece of the player who *closes* the board, a piece of the player who is then
//! *stuck*, or empty. Pieces of the two do not touch, and every empty cell is beside a piece of
//! the closer. An empty cell that is beside no piece of the stuck player is *left over*.

/// What is known of the latest cell in each column, three bits a column.
pub type Frontier = u32;

/// The frontier before the first cell, and after the last.
pub const NOTHING: Frontier = 0;

/// Bits of a column in a frontier.
const BITS: u32 = 3;

/// A cell whose neighbours are not all known, as far as they can matter to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Cell {
    /// Empty and beside both players, or past all its neighbours: nothing matters any more.
    Settled = 0,
    /// A piece of the player who closes the board.
    Closer = 1,
    /// A piece of the player who is stuck.
    Stuck = 2,
    /// Empty, so far beside neither.
    Bare = 3,
    /// Empty, so far beside the closer only.
    BesideCloser = 4,
    /// Empty, so far beside the stuck player only.
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

    /// The same with one more neighbour known; nothing where the two may not touch.
    fn beside(self, neighbour: Filling) -> Option<Cell> {
        match (self, neighbour) {
            (Stuck, Filling::Closer) | (Closer, Filling::Stuck) => None,
            (Bare, Filling::Closer) => Some(BesideCloser),
            (Bare, Filling::Stuck) => Some(BesideStuck),
            (BesideStuck, Filling::Closer) | (BesideCloser, Filling::Stuck) => Some(Settled),
            _ => Some(self),
        }
    }

    /// How many cells are left over here, 0 or 1, now that all neighbours are known; nothing
    /// where an empty cell is not beside the closer.
    fn left_over(self) -> Option<u8> {
        match self {
            Bare | BesideStuck => None,
            BesideCloser => Some(1),
            Settled | Closer | Stuck => Some(0),
        }
    }
}

/// What a cell is filled with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Filling {
    /// Nothing.
    Empty,
    /// A piece of the player who closes the board.
    Closer,
    /// A piece of the player who is stuck.
    Stuck,
}

impl Filling {
    /// All of them.
    pub const ALL: [Filling; 3] = [Filling::Empty, Filling::Closer, Filling::Stuck];
}

/// The shape of the board, its shorter side as the width: the frontier is as long as that.
#[derive(Clone, Copy, Debug)]
pub struct Grid {
    width: usize,
    height: usize,
    empties: Empties,
}

/// Where cells may be empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Empties {
    /// Beside a piece of the closer.
    BesideCloser,
    /// Anywhere, and none is left over.
    Anywhere,
}

impl Grid {
    /// The grid of a board with these sides, in any order.
    pub fn new(rows: usize, cols: usize, empties: Empties) -> Grid {
        Grid { width: rows.min(cols), height: rows.max(cols), empties }
    }

    /// The same with the frontier along the longer side.
    #[cfg(test)]
    pub fn turned(&self) -> Grid {
        Grid { width: self.height, height: self.width, empties: self.empties }
    }

    /// Number of cells.
    pub fn cells(&self) -> usize {
        self.width * self.height
    }

    /// What the latest cell before a frontier is filled with. On the last row that is forgotten.
    pub fn latest(&self, frontier: Frontier, cell: usize) -> Filling {
        match at(frontier, cell % self.width) {
            Closer => Filling::Closer,
            Stuck => Filling::Stuck,
            _ => Filling::Empty,
        }
    }

    /// Fills a cell: the frontier after it and how many cells are known to be left over since.
    /// Nothing where that breaks a rule.
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
        // In the last row no cell has one below it.
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
