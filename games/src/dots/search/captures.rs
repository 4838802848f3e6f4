//! Captures: the boxes that the player to move can take at once, and the cost of leaving the last
//! ones.

use super::encoding::Encoding;
use crate::dots::bitboard::first;
use crate::dots::{Bitboard, OpenLines, Word, lines_of};
use bsq_engine::table::Bounds;

/// The captures of a position, and the position after them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Captures<W = u64> {
    /// The number of boxes that can be taken.
    pub boxes: i32,
    /// The cost of control: the mover's loss by a double-dealing move, which leaves the last boxes
    /// to the opponent. 4 for two boxes, 8 for four; `None` if there is no such move.
    pub control_cost: Option<i32>,
    /// Whether the last move was loony: a box can be taken whose neighbour has two open sides.
    pub loony: bool,
    /// The open lines after all captures.
    pub open: OpenLines<W>,
}

impl<W: Word> Captures<W> {
    /// Takes all boxes that can be taken.
    ///
    /// Taking a box is never a mistake, except for the last two of a chain or the last four of a
    /// loop: leaving these passes the turn. All chains but one are taken completely; the exception
    /// is the one with the least cost of control.
    pub fn new(bitboard: &Bitboard<W>, open: OpenLines<W>) -> Captures<W> {
        let lasts = bits(bitboard.degrees(open).one);
        let control_cost =
            lasts.filter_map(|last| control_cost_of_last(bitboard, open, last)).min();
        let mut captures = Captures { boxes: 0, control_cost, loony: false, open };
        loop {
            let degrees = bitboard.degrees(captures.open);
            let cell = first(degrees.one);
            if cell == W::zero() {
                return captures;
            }
            let next = bitboard.boxes_at(bitboard.lines_at(captures.open, cell)) & degrees.two;
            captures.loony |= next != W::zero();
            captures.take(bitboard, cell);
        }
    }

    fn take(&mut self, bitboard: &Bitboard<W>, cell: W) {
        self.boxes += take(bitboard, &mut self.open, cell);
    }

    /// The value for the player to move, from the value of the rest, whose scores are odd or even.
    pub fn value(&self, encoding: Encoding, rest: i32, odd: bool) -> i32 {
        if !self.loony {
            return encoding.value(self.boxes, 0) + rest;
        }
        let rest = encoding.score(rest, odd);
        let leaving =
            self.control_cost.map_or(i32::MIN, |control_cost| self.boxes - control_cost - rest);
        encoding.value((self.boxes + rest).max(leaving), 1)
    }

    /// Bounds on the score of the player to move, from those on the score of the rest.
    pub fn bounds(&self, rest: Bounds) -> Bounds {
        let taking = |rest: i32| self.boxes + rest;
        let (lower, upper) = (taking(rest.lower), taking(rest.upper));
        let Some(cost) = self.control_cost.filter(|_| self.loony) else {
            return Bounds { lower, upper };
        };
        // By leaving the last boxes the player gets more, the less the rest is worth; both are equal
        // if it is worth minus half the cost.
        let leaving = |rest: i32| self.boxes - cost - rest;
        Bounds {
            lower: lower.max(leaving(rest.upper)).max(self.boxes - cost / 2),
            upper: upper.max(leaving(rest.lower)),
        }
    }
}

/// Draws the last open line of a box. Returns the number of boxes that it closes.
#[inline(always)]
pub fn take<W: Word>(bitboard: &Bitboard<W>, open: &mut OpenLines<W>, cell: W) -> i32 {
    let line = bitboard.lines_at(*open, cell);
    let closed = bitboard.boxes_at(line) & bitboard.degrees(*open).one;
    *open = open.without(line);
    closed.count_ones() as i32
}

/// The cost of leaving some boxes of the chain that ends in box `last`, after all others are taken.
fn control_cost_of_last<W: Word>(
    bitboard: &Bitboard<W>,
    open: OpenLines<W>,
    last: W,
) -> Option<i32> {
    let mut rest = Captures { boxes: 0, control_cost: None, loony: false, open };
    loop {
        let degrees = bitboard.degrees(rest.open);
        let chain = bitboard.connected(rest.open, last, degrees.one | degrees.two);
        let others = degrees.one & !chain;
        if others == W::zero() {
            let boxes = chain.count_ones();
            let closed = degrees.one & chain != last;
            return if closed { (boxes >= 4).then_some(8) } else { (boxes >= 2).then_some(4) };
        }
        rest.take(bitboard, first(others));
    }
}

/// The members of a set as sets of one.
fn bits<W: Word>(set: W) -> impl Iterator<Item = W> {
    lines_of(set).map(|at| W::one() << at)
}
