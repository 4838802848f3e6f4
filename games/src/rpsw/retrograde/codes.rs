//! Positions of a row by number, and those of another row that are the same ones.

use super::{Places, Sets};
use crate::rpsw::retrograde::driver::Rows;
use crate::rpsw::rules::Position;
use bsq_engine::game::Player;

impl Sets {
    /// Rows of a table.
    pub fn row_count(&self) -> usize {
        self.placements.len()
    }

    /// The row of a position whose game goes on in the table of lost positions, and its code in
    /// there: its word times the places, plus its bit.
    pub fn code(&self, position: &Position) -> Option<(usize, u32)> {
        let [(row, word, bit), _] = self.rank(position)?;
        Some((row, (word * self.places()) as u32 + bit))
    }

    /// The position with a code, the first player to move, if there is one.
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

    /// Of positions of a row of won ones, whose word is told, the row's player not to move, calls
    /// with row and code of those that are not lost.
    pub fn not_lost(
        &self,
        row: usize,
        (word, bits): (usize, u32),
        lost: &Rows,
        mut each: impl FnMut(u32, u32),
    ) {
        let (n, here) = (self.places(), self.placements[row]);
        let codes = [here, self.mirror(&here)].map(|places| self.encode(&places));
        for bit in (0..n).filter(|bit| bits >> bit & 1 == 1) {
            let seen = self.rows[word * n + bit];
            let (row, code) = ((seen >> 1) as usize, codes[(seen & 1) as usize]);
            if lost.row(row)[code / n] >> (code % n) & 1 == 0 {
                each(row as u32, code as u32);
            }
        }
    }
}
