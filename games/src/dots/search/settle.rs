//! Boxes that can be taken at once.

use super::scale::Scale;
use crate::dots::{Field, Open};

/// What the player on the move can take, and what is left then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settled {
    /// Boxes to take.
    pub boxes: i32,
    /// What it costs to leave the last of them to the opponent instead, if that can be done.
    pub price: Option<i32>,
    /// The last move was loony: a box can be taken whose neighbour has two open sides.
    pub loony: bool,
    /// The open lines once all of them are taken.
    pub open: Open,
}

impl Settled {
    /// Takes what can be taken.
    ///
    /// It never hurts to take a box, but for the last two of a chain or the last four of a closed
    /// one: to leave those hands the move over. All but one chain are taken whole, and the one to
    /// choose in is the cheapest.
    pub fn new(field: &Field, open: Open) -> Settled {
        let mut price = None;
        for last in bits(field.valences(open).one) {
            price = cheaper(price, price_of_last(field, open, last));
        }
        let mut settled = Settled { boxes: 0, price, loony: false, open };
        loop {
            let valences = field.valences(settled.open);
            let Some(cell) = bits(valences.one).next() else { return settled };
            let next = field.boxes_at(field.lines_at(settled.open, cell)) & valences.two;
            settled.loony |= next != 0;
            settled.take(field, cell);
        }
    }

    fn take(&mut self, field: &Field, cell: u64) {
        self.boxes += take(field, &mut self.open, cell);
    }

    /// The value for the player on the move, from that of what is left, whose score is odd or not.
    pub fn value(&self, scale: Scale, rest: i32, odd: bool) -> i32 {
        if !self.loony {
            return scale.value(self.boxes, 0) + rest;
        }
        let rest = scale.score(rest, odd);
        let leaving = self.price.map_or(i32::MIN, |price| self.boxes - price - rest);
        scale.value((self.boxes + rest).max(leaving), 1)
    }
}

/// Draws the last line of a box: how many boxes it closes.
#[inline(always)]
pub fn take(field: &Field, open: &mut Open, cell: u64) -> i32 {
    let line = field.lines_at(*open, cell);
    let closed = field.boxes_at(line) & field.valences(*open).one;
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
fn price_of_last(field: &Field, open: Open, last: u64) -> Option<i32> {
    let mut rest = Settled { boxes: 0, price: None, loony: false, open };
    loop {
        let valences = field.valences(rest.open);
        let chain = field.connected(rest.open, last, valences.one | valences.two);
        match bits(valences.one & !chain).next() {
            Some(other) => rest.take(field, other),
            None => {
                let boxes = chain.count_ones();
                let closed = valences.one & chain != last;
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
