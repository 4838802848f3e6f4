//! The rest of a game, as the cells that each player may still use.
//!
//! Pieces on the board matter only for which cells the players may still use, and a move takes
//! cells away: its own from the mover's, and its own and those beside it from the other's. A cell
//! is **contested** if a piece on it would take something from the other player, and **free** if
//! not; once free it stays so. Which cells are free does not matter, only how many. When nothing
//! is contested each player fills the free cells in any order, and the end is known.

use super::board::{Board, Cells, cells_of};
use super::permute;
use super::rules::Rules;
use crate::solve::backward::{self, Shrinking};
use crate::solve::tally::Width;
use crate::solve::{Monitor, SolveError};
use num_bigint::BigUint;
use std::collections::BTreeMap;

/// Whether the rest of a game depends on the cells left alone: not where pieces are limited and
/// the limit can be reached.
pub fn takes(rules: &Rules) -> bool {
    rules.pieces.is_none_or(|limit| limit as usize >= rules.board.cells())
}

/// Why playouts cannot be counted in this way.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TerritoryError {
    /// The rules are not [taken](takes).
    #[error("playouts cannot be counted by territory where pieces are limited")]
    Pieces,
    /// The count did not come to its end.
    #[error(transparent)]
    Solve(#[from] SolveError),
}

/// For each score in which play can end, in pieces without the bias, how many playouts end in it;
/// with at most so many bytes for states and counts.
///
/// ```
/// use bsq_engine::game::british_square::{Rules, territory};
/// use bsq_engine::solve::Monitor;
/// let rules = Rules::standard(4, 4).unwrap();
/// let playouts = territory::playouts_by_score(&rules, 1 << 30, &Monitor::default()).unwrap();
/// assert_eq!(playouts.values().sum::<num_bigint::BigUint>(), 47_601_792_u64.into());
/// ```
pub fn playouts_by_score(
    rules: &Rules,
    bytes: u64,
    monitor: &Monitor,
) -> Result<BTreeMap<i32, BigUint>, TerritoryError> {
    count_at_least(rules, Width::Bits64, bytes, monitor)
}

/// The same with tallies of at least that width; for tests of the wider ones.
pub fn count_at_least(
    rules: &Rules,
    least: Width,
    bytes: u64,
    monitor: &Monitor,
) -> Result<BTreeMap<i32, BigUint>, TerritoryError> {
    if !takes(rules) {
        return Err(TerritoryError::Pieces);
    }
    if rules.forbidden_opening() == rules.board.all() {
        // The only cell is the centre: the first player passes, the second takes it.
        return Ok(BTreeMap::from([(-1, 1u8.into())]));
    }
    Ok(backward::count_at_least(&Territory::new(rules), least, bytes, monitor)?)
}

/// What the players may still use: the mover, then the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(Rust, packed)] // there are many
struct Rest {
    contested: [Cells; 2],
    free: [u8; 2],
}

struct Territory<'a> {
    rules: &'a Rules,
    images: ImageTable,
}

impl Territory<'_> {
    fn new(rules: &Rules) -> Territory<'_> {
        Territory { rules, images: ImageTable::new(&rules.board) }
    }

    fn board(&self) -> &Board {
        &self.rules.board
    }

    /// What a move of the player who may use the cells `mover` leaves for the other and for that
    /// player, besides what is free already.
    fn after(&self, [mover, other]: [Cells; 2], cell: usize, [own, theirs]: [u8; 2]) -> Rest {
        let mover = mover & !(1 << cell);
        let other = other & !self.board().reach(cell);
        let contested = [
            other & (mover | self.board().neighbours(mover)),
            mover & (other | self.board().neighbours(other)),
        ];
        let freed =
            [other & !contested[0], mover & !contested[1]].map(|set| set.count_ones() as u8);
        Rest { contested: self.canonical(contested), free: [theirs + freed[0], own + freed[1]] }
    }

    fn canonical(&self, sets: [Cells; 2]) -> [Cells; 2] {
        let [first, second] = sets.map(|set| self.images.of(set));
        let least = first.into_iter().min().unwrap_or_default();
        let images = first.into_iter().zip(second).filter(|&(image, _)| image == least);
        [least, images.map(|(_, image)| image).min().unwrap_or_default()]
    }
}

impl Shrinking for Territory<'_> {
    type State = Rest;

    fn openings(&self) -> Vec<(Rest, u32)> {
        let all = self.board().all();
        let cells = cells_of(all & !self.rules.forbidden_opening());
        cells.map(|cell| (self.after([all, all], cell, [0, 0]), 1)).collect()
    }

    fn size(&self, rest: &Rest) -> usize {
        let contested = rest.contested.map(|set| set.count_ones() as usize);
        contested[0] + contested[1] + usize::from(rest.free[0]) + usize::from(rest.free[1])
    }

    fn largest(&self) -> usize {
        2 * self.board().cells() - 2
    }

    fn hash(&self, rest: &Rest) -> u64 {
        let [own, theirs] = rest.contested;
        let free = u64::from(u16::from_le_bytes(rest.free));
        let mixed = own.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ free.rotate_right(16);
        (mixed ^ mixed >> 32 ^ theirs.rotate_left(32)).wrapping_mul(0xD6E8_FEB8_6659_FD93)
    }

    fn step(&self) -> usize {
        // The cell itself for both, and for the other at most four beside it.
        6
    }

    fn end(&self, rest: &Rest) -> Option<(i32, BigUint)> {
        // What one player contests is beside what the other does.
        let Rest { contested, free: [own, theirs] } = *rest;
        let orders = |n: u8| (1..=n).map(BigUint::from).product::<BigUint>();
        (contested == [0, 0])
            .then(|| (i32::from(own) - i32::from(theirs), orders(own) * orders(theirs)))
    }

    fn moves(&self, rest: &Rest, moves: &mut Vec<(Rest, u32)>) {
        for cell in cells_of(rest.contested[0]) {
            moves.push((self.after(rest.contested, cell, rest.free), 1));
        }
        let [own, theirs] = rest.free;
        if own > 0 {
            let contested = self.canonical([rest.contested[1], rest.contested[0]]);
            moves.push((Rest { contested, free: [theirs, own - 1] }, own.into()));
        }
    }
}

/// All images of a set, one for each symmetry; boards with fewer than eight repeat the set itself.
type Images = [Cells; 8];

/// The images of every set of cells, put together from those of its bytes.
struct ImageTable {
    /// For each byte of a set, by its value.
    bytes: Vec<[Images; 256]>,
}

impl ImageTable {
    fn new(board: &Board) -> ImageTable {
        let symmetries = board.symmetries();
        let image = |set: Cells, lane: usize| match symmetries.get(lane) {
            Some(permutation) => permute(set, permutation),
            None => set,
        };
        let images = |shift: usize, byte: usize| {
            let set = (byte as Cells) << shift & board.all();
            std::array::from_fn(|lane| image(set, lane))
        };
        let shifts = (0..board.cells()).step_by(8);
        let bytes = shifts.map(|shift| std::array::from_fn(|byte| images(shift, byte)));
        ImageTable { bytes: bytes.collect() }
    }

    #[inline]
    fn of(&self, set: Cells) -> Images {
        let mut all = [0; 8];
        for (i, images) in self.bytes.iter().enumerate() {
            let part = &images[(set >> (8 * i) & 0xFF) as usize];
            all.iter_mut().zip(part).for_each(|(image, part)| *image |= part);
        }
        all
    }
}
