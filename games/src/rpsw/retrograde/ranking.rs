//! Maps positions to bits and bits to positions.
//!
//! The **code** of a position in its row is the number of its word times the number of places, plus
//! the number of its bit.

use super::bit_set::{BitSet, Found};
use super::layout::{Layout, Places};
use crate::rpsw::board::Square;
use crate::rpsw::rules::{Placement, Position};
use bsq_engine::game::Player;

impl Layout {
    /// The bits of a position: row, word and bit in the set of lost positions, then in the set of
    /// won ones. `None` if the game is over, or if the rules do not admit the position.
    pub fn rank(&self, position: &Position) -> Option<[(usize, usize, u32); 2]> {
        let [own, other] = position.seen_by(position.to_move);
        let (own, other) = (self.as_places(&own)?, self.as_places(&other)?);
        if self.pieces_at(&own) + self.pieces_at(&other) > self.rules.total() {
            return None;
        }
        Some([self.place(&own, &other)?, self.place(&other, &own)?])
    }

    /// The row and the code of a position in the set of lost positions, see [`rank`](Self::rank).
    pub fn code(&self, position: &Position) -> Option<(usize, u32)> {
        let [(row, word, bit), _] = self.rank(position)?;
        Some((row, (word * self.places()) as u32 + bit))
    }

    /// The position with a code, the first player to move; `None` if there is no such position.
    pub fn position(&self, row: usize, code: u32) -> Option<Position> {
        let (own, other) = (self.placements[row], self.decode(code as usize));
        let apart = |place: &u8| self.facing(*place).is_none_or(|there| !own.contains(&there));
        let mut here = other.iter().filter(|place| **place != self.taken);
        let is_position = self.is_placement(&other, self.rules.pieces())
            && here.all(apart)
            && self.pieces_at(&own) + self.pieces_at(&other) <= self.rules.total();
        let placement = |places: Places| places.map(|place| (place != self.taken).then_some(place));
        let pieces = [placement(own), placement(other)];
        is_position.then_some(Position { pieces, to_move: Player::First })
    }

    /// Finds all positions of a row.
    pub fn positions(&self, row: usize, found: &mut Found) {
        let (n, occupied) = (self.places(), self.occupied(row));
        for part in 0..n * n {
            found.push(part, self.positions_of(row, occupied, part / n, part % n));
        }
    }

    /// Calls `each` with the row and the code, in the set of lost positions, of those positions of
    /// a word that are not lost. The word belongs to a row of the set of won positions, and the
    /// row's player is not to move. Over all rows and words each position is passed once, and so is
    /// its mirror image if it has the same row.
    pub fn not_lost(
        &self,
        row: usize,
        (word, bits): (usize, u32),
        lost: &BitSet,
        mut each: impl FnMut(u32, u32),
    ) {
        let (n, here) = (self.places(), self.placements[row]);
        let codes = [here, self.mirror(&here)].map(|places| self.encode(&places));
        let is_symmetric = codes[0] == codes[1];
        for bit in (0..n).filter(|bit| bits >> bit & 1 == 1) {
            let other = self.row_of_code[word * n + bit];
            let (row, code) = ((other >> 1) as usize, codes[(other & 1) as usize]);
            if lost.row(row)[code / n] >> (code % n) & 1 == 1 {
                continue;
            }
            if !is_symmetric {
                each(row as u32, code as u32);
                // The mover's row has both mirror images, this row only one of them.
                if self.mirror(&self.placements[row]) == self.placements[row] {
                    each(row as u32, codes[1] as u32);
                }
            } else if other & 1 == 0 {
                // This row has both mirror images, the mover's row only one of them.
                each(row as u32, code as u32);
            }
        }
    }

    /// The bit of a position with these places of the row's player and of the opponent.
    fn place(&self, own: &Places, other: &Places) -> Option<(usize, usize, u32)> {
        let at = self.row_of(own)?;
        let other = if at.mirrored { self.mirror(other) } else { *other };
        self.row_of(&other)?;
        let [a, b, c, last] = other;
        Some((at.row, self.encode(&[0, a, b, c]), u32::from(last)))
    }

    /// The places of a player's pieces; none if one of them is on the opponent's home row.
    fn as_places(&self, placement: &Placement) -> Option<Places> {
        let place = |square: &Option<Square>| square.unwrap_or(self.taken);
        let open = placement.iter().flatten().all(|&square| square < self.taken);
        open.then(|| std::array::from_fn(|kind| place(&placement[kind])))
    }
}
