//! Captures: the boxes that the player to move can take at once, and what the last of them cost to leave.

use super::encoding::Encoding;
use crate::dots::{Bitboard, OpenLines};

/// The captures of a position, and the position after them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Captures {
    /// Boxes to take.
    pub boxes: i32,
    /// The cost of control: what the mover loses by a double-dealing move, which leaves the last boxes
    /// to the opponent. 4 for two boxes, 8 for four; none if it is impossible.
    pub control_cost: Option<i32>,
    /// The last move was loony: a box can be taken whose neighbour has two open sides.
    pub loony: bool,
    /// The open lines once all of them are taken.
    pub open: OpenLines,
}

impl Captures {
    /// Takes what can be taken.
    ///
    /// It never hurts to take a box, but for the last two of a chain or the last four of a closed
    /// one: to leave those hands the move over. All but one chain are taken whole, and the one to
    /// choose in is the cheapest.
    pub fn new(bitboard: &Bitboard, open: OpenLines) -> Captures {
        let mut control_cost = None;
        for last in bits(bitboard.degrees(open).one) {
            control_cost = cheaper(control_cost, control_cost_of_last(bitboard, open, last));
        }
        let mut captures = Captures { boxes: 0, control_cost, loony: false, open };
        loop {
            let degrees = bitboard.degrees(captures.open);
            let Some(cell) = bits(degrees.one).next() else { return captures };
            let next = bitboard.boxes_at(bitboard.lines_at(captures.open, cell)) & degrees.two;
            captures.loony |= next != 0;
            captures.take(bitboard, cell);
        }
    }

    fn take(&mut self, bitboard: &Bitboard, cell: u64) {
        self.boxes += take(bitboard, &mut self.open, cell);
    }

    /// The value for the player on the move, from that of what is left, whose score is odd or not.
    pub fn value(&self, encoding: Encoding, rest: i32, odd: bool) -> i32 {
        if !self.loony {
            return encoding.value(self.boxes, 0) + rest;
        }
        let rest = encoding.score(rest, odd);
        let leaving =
            self.control_cost.map_or(i32::MIN, |control_cost| self.boxes - control_cost - rest);
        encoding.value((self.boxes + rest).max(leaving), 1)
    }
}

/// Draws the last line of a box: how many boxes it closes.
#[inline(always)]
pub fn take(bitboard: &Bitboard, open: &mut OpenLines, cell: u64) -> i32 {
    let line = bitboard.lines_at(*open, cell);
    let closed = bitboard.boxes_at(line) & bitboard.degrees(*open).one;
    *open = open.without(line);
    closed.count_ones() as i32
}

fn cheaper(a: Option<i32>, b: Option<i32>) -> Option<i32> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

/// What it costs to leave some boxes of the chain that ends in this one, all others being taken.
fn control_cost_of_last(bitboard: &Bitboard, open: OpenLines, last: u64) -> Option<i32> {
    let mut rest = Captures { boxes: 0, control_cost: None, loony: false, open };
    loop {
        let degrees = bitboard.degrees(rest.open);
        let chain = bitboard.connected(rest.open, last, degrees.one | degrees.two);
        match bits(degrees.one & !chain).next() {
            Some(other) => rest.take(bitboard, other),
            None => {
                let boxes = chain.count_ones();
                let closed = degrees.one & chain != last;
                return match closed {
                    true => (boxes >= 4).then_some(8),
                    false => (boxes >= 2).then_some(4),
                };
            }
        }
    }
}

fn bits(mut set: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let bit = set & set.wrapping_neg();
            set ^= bit;
            bit
        })
    })
}
