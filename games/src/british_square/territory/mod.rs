//! The value of a position of a game of **territory**: alpha-beta over what is still open.
//!
//! In such a game two players in turn take a cell each. A cell taken is a point, and closes the
//! cells within its reach to the opponent. So the rest of a game depends only on which cells
//! each player may still use, a [`Territory`], and not on which pieces stand where. Who has no
//! cell left passes; British Square is such a game.
//!
//! What makes the search small, each proved in `docs/territory.md`:
//!
//! * it never pays to wait, so a cell that nobody can take away any more is a point, and gone
//!   from the position ([`Territory::settle`]);
//! * a move that closes no more than another one does is not needed;
//! * what is left falls apart into **regions** without influence on each other. Small ones are
//!   valued once and for all, as games of their own, with a mean and a temperature;
//!   two that are each other's opposite are worth nothing together, and for a sum of regions the
//!   value lies between the sum of the means and that plus the highest temperature.
//!
//! What remains is searched with null windows and a shared table of bounds.

pub mod board;
mod regions;
mod search;
mod solver;
mod static_bounds;
pub mod strong;
mod thermograph;

pub use solver::{SearchRequest, Solver};
pub use strong::StrongSolution;

/// Where such a game is played.
pub trait Territorial: Sync {
    /// Number of cells, 1 to 64. A set of cells is a word, a bit for each.
    fn cells(&self) -> usize;
    /// What a piece on a cell closes to the opponent: the cell itself and at most four beside it. A
    /// cell is within reach of another one exactly if that one is within its own.
    fn reach(&self, cell: usize) -> u64;
    /// The cells beside those of a set. It may leave out those of the set itself.
    fn neighbours(&self, set: u64) -> u64;
    /// One territory that stands for all its images under the symmetries of the board.
    fn canonical(&self, territory: Territory) -> Territory;
    /// A territory that stands for all which play the same, wherever on the board they lie.
    /// It may be the same for fewer than all, but not for two that play differently.
    fn shape(&self, territory: Territory) -> Territory;
    /// The largest region, in cells, that is worth being valued once and for all: more make the
    /// search shorter and the atlas larger.
    fn small_region(&self) -> u32;
    /// Whether the other player can answer each of the mover's moves with its mirror image, and
    /// the mover likewise: the value is 0. It may be said of fewer territories than it is true of.
    fn is_mirrored(&self, territory: Territory) -> bool;
}

/// The cells that each player may still use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Territory {
    /// The mover's.
    pub own: u64,
    /// The other player's.
    pub other: u64,
}

impl Territory {
    /// Nothing is left for anyone.
    pub const CLOSED: Territory = Territory { own: 0, other: 0 };

    /// The same with the other player to move.
    #[inline]
    pub fn swapped(self) -> Territory {
        Territory { own: self.other, other: self.own }
    }

    /// What is left for both, seen by the opponent, after the mover takes a cell.
    #[inline]
    pub fn take<G: Territorial>(self, field: &G, cell: usize) -> Territory {
        Territory { own: self.other & !field.reach(cell), other: self.own & !(1 << cell) }
    }

    /// All cells that somebody may use.
    #[inline]
    pub fn cells(self) -> u64 {
        self.own | self.other
    }

    /// Without those cells.
    #[inline]
    pub fn without(self, cells: u64) -> Territory {
        Territory { own: self.own & !cells, other: self.other & !cells }
    }

    /// Both together.
    #[inline]
    pub fn and(self, more: Territory) -> Territory {
        Territory { own: self.own | more.own, other: self.other | more.other }
    }

    /// The contested cells: without the free ones, which one player may use and nobody can close
    /// any more.
    #[inline]
    pub fn contested<G: Territorial>(self, field: &G) -> Territory {
        Territory {
            own: self.own & (self.other | field.neighbours(self.other)),
            other: self.other & (self.own | field.neighbours(self.own)),
        }
    }

    /// The free cells as points, the mover's minus the other's; and what is left without them.
    #[inline]
    pub fn settle<G: Territorial>(self, field: &G) -> (i32, Territory) {
        let open = self.contested(field);
        let free = |all: u64, contested: u64| (all ^ contested).count_ones() as i32;
        (free(self.own, open.own) - free(self.other, open.other), open)
    }

    /// The regions of a settled territory.
    #[inline]
    pub fn regions<G: Territorial>(self, field: &G) -> impl Iterator<Item = Territory> {
        let mut rest = self;
        std::iter::from_fn(move || {
            (rest.own != 0).then(|| {
                let region = rest.region(field, rest.own & rest.own.wrapping_neg());
                rest = rest.without(region.cells());
                region
            })
        })
    }

    /// How many cells the mover may use, and the other player.
    #[inline]
    fn sizes(self) -> [i32; 2] {
        [self.own, self.other].map(|set| set.count_ones() as i32)
    }

    /// The region that one of the mover's cells lies in.
    #[inline]
    fn region<G: Territorial>(self, field: &G, seed: u64) -> Territory {
        let mut own = seed;
        loop {
            let other = (own | field.neighbours(own)) & self.other;
            let more = (other | field.neighbours(other)) & self.own;
            if more == own {
                return Territory { own, other };
            }
            own = more;
        }
    }
}

/// Those of the allowed cells, all the mover's, that are worth a thought: a cell that closes a
/// subset of what another one closes is never better, and of equal ones the first will do.
#[inline]
fn best_moves<G: Territorial>(field: &G, territory: Territory, allowed: u64) -> u64 {
    let mut best = 0;
    for cell in cells_of(allowed) {
        let closes = field.reach(cell) & territory.other;
        // Those that close all that, and more or as much.
        let as_good = cells_of(closes).fold(allowed, |set, cell| set & field.reach(cell));
        let better = cells_of(as_good & !(1 << cell)).any(|rival| {
            let rival_closes = field.reach(rival) & territory.other;
            rival_closes != closes || rival < cell
        });
        best |= u64::from(!better) << cell;
    }
    best
}

#[inline]
fn cells_of(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let cell = set.trailing_zeros() as usize;
            set &= set - 1;
            cell
        })
    })
}
