//! How many playouts there are, from what remains of a game: the cells that each player may use.
//!
//! That is a [`Territory`], as where values are searched for. A cell is **contested** if a piece on
//! it would close something to the other player, and **free** if not; once free it stays so. A
//! value needs no more of the free cells than their points. Playouts need to know how many each
//! player has, because they are filled in any order, but not which. When nothing is contested the
//! end is known.

use crate::british_square::board::cells_of;
use crate::british_square::count::backward;
use crate::british_square::count::backward::Shrinking;
use crate::british_square::rules::Rules;
use crate::british_square::territory::board::TerritoryBoard;
use crate::british_square::territory::{Territorial, Territory};
use bsq_engine::monitor::{Monitor, SolveError};
use bsq_engine::tally::Width;
use num_bigint::BigUint;
use std::collections::BTreeMap;

/// Whether the rest of a game depends on the cells left alone: not where pieces are limited and
/// the limit can be reached.
pub fn supports(rules: &Rules) -> bool {
    rules.pieces.is_none_or(|limit| limit as usize >= rules.board.cells())
}

/// Why playouts cannot be counted in this way.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TerritoryCountError {
    /// The rules are not [supported](supports).
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
/// use bsq_games::british_square::Rules;
/// use bsq_games::british_square::count::territory;
/// use bsq_engine::monitor::Monitor;
/// let rules = Rules::standard(4, 4).unwrap();
/// let playouts = territory::playouts_by_score(&rules, 1 << 30, &Monitor::default()).unwrap();
/// assert_eq!(playouts.values().sum::<num_bigint::BigUint>(), 47_601_792_u64.into());
/// ```
pub fn playouts_by_score(
    rules: &Rules,
    bytes: u64,
    monitor: &Monitor,
) -> Result<BTreeMap<i32, BigUint>, TerritoryCountError> {
    count_at_least(rules, Width::Bits64, bytes, monitor)
}

/// The same with tallies of at least that width; for tests of the wider ones.
pub fn count_at_least(
    rules: &Rules,
    least: Width,
    bytes: u64,
    monitor: &Monitor,
) -> Result<BTreeMap<i32, BigUint>, TerritoryCountError> {
    if !supports(rules) {
        return Err(TerritoryCountError::Pieces);
    }
    if rules.forbidden_opening() == rules.board.all() {
        // The only cell is the centre: the first player passes, the second takes it.
        return Ok(BTreeMap::from([(-1, 1u8.into())]));
    }
    Ok(backward::count_at_least(&Remaining::new(rules), least, bytes, monitor)?)
}

/// What the players may still use: the mover, then the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(Rust, packed)] // there are many
struct Rest {
    contested: Territory,
    free: [u8; 2],
}

struct Remaining<'a> {
    rules: &'a Rules,
    field: TerritoryBoard,
}

impl Remaining<'_> {
    fn new(rules: &Rules) -> Remaining<'_> {
        Remaining { rules, field: TerritoryBoard::new(rules.board) }
    }

    /// What a move on a cell leaves, besides what is free already.
    fn after(&self, open: Territory, cell: usize, [own, theirs]: [u8; 2]) -> Rest {
        let left = open.take(&self.field, cell);
        let contested = left.contested(&self.field);
        let freed = [left.own ^ contested.own, left.other ^ contested.other];
        let freed = freed.map(|set| set.count_ones() as u8);
        let contested = self.field.canonical(contested);
        Rest { contested, free: [theirs + freed[0], own + freed[1]] }
    }
}

impl Shrinking for Remaining<'_> {
    type State = Rest;

    fn openings(&self) -> Vec<(Rest, u32)> {
        let all = self.rules.board.all();
        let cells = cells_of(all & !self.rules.forbidden_opening());
        let open = Territory { own: all, other: all };
        cells.map(|cell| (self.after(open, cell, [0, 0]), 1)).collect()
    }

    fn size(&self, rest: &Rest) -> usize {
        let Rest { contested: Territory { own, other }, free } = *rest;
        let contested = (own.count_ones() + other.count_ones()) as usize;
        contested + usize::from(free[0]) + usize::from(free[1])
    }

    fn largest(&self) -> usize {
        2 * self.rules.board.cells() - 2
    }

    fn hash(&self, rest: &Rest) -> u64 {
        let Territory { own, other } = rest.contested;
        let free = u64::from(u16::from_le_bytes(rest.free));
        let mixed = own.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ free.rotate_right(16);
        (mixed ^ mixed >> 32 ^ other.rotate_left(32)).wrapping_mul(0xD6E8_FEB8_6659_FD93)
    }

    fn step(&self) -> usize {
        // The cell itself for both, and for the other at most four beside it.
        6
    }

    fn end(&self, rest: &Rest) -> Option<(i32, BigUint)> {
        // What one player contests is beside what the other does.
        let Rest { contested, free: [own, theirs] } = *rest;
        let orders = |n: u8| (1..=n).map(BigUint::from).product::<BigUint>();
        (contested == Territory::CLOSED)
            .then(|| (i32::from(own) - i32::from(theirs), orders(own) * orders(theirs)))
    }

    fn moves(&self, rest: &Rest, moves: &mut Vec<(Rest, u32)>) {
        let Rest { contested, free: [own, theirs] } = *rest;
        for cell in cells_of(contested.own) {
            moves.push((self.after(contested, cell, [own, theirs]), 1));
        }
        if own > 0 {
            let contested = self.field.canonical(contested.swapped());
            moves.push((Rest { contested, free: [theirs, own - 1] }, own.into()));
        }
    }
}
