//! Playouts counted from how play can end, without following it.
//!
//! Pieces of different players never touch, a cell once lost to a player stays lost, and who
//! passes once passes for good. So from the two sets of pieces at the end alone follows who
//! passed and how often, and every order of the placements is legal if it leaves the passing
//! player without a cell in time and does not open on a forbidden centre. Those orders are
//! counted with factorials; no position in between is ever made.

use super::{EMPTY, FIRST, SECOND, Variant};
use std::collections::BTreeMap;

/// What is known about how play ends in one score.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ends {
    pub playouts: u128,
    /// Ends of play, images taken as one.
    pub terminals: u64,
}

/// Sets of cells as bits.
type Set = u32;

/// Counts the playouts of a game by their score. Pieces must be without limit, and the first
/// player must have an opening.
pub fn count(variant: &Variant) -> BTreeMap<i32, Ends> {
    assert!(variant.pieces.is_none() && (variant.size() > 1 || variant.center_allowed));
    let forbidden = variant.centre().filter(|_| !variant.center_allowed);
    let mut search = Search {
        variant,
        beside: (0..variant.size())
            .map(|cell| variant.beside(cell).iter().fold(0, |set, near| set | 1 << near))
            .collect(),
        forbidden: forbidden.map_or(0, |cell| 1 << cell),
        cells: vec![EMPTY; variant.size()],
        ends: BTreeMap::new(),
    };
    search.fill(0, 0, 0);
    search.ends
}

struct Search<'a> {
    variant: &'a Variant,
    beside: Vec<Set>,
    /// Where the first piece may not go: a set of one cell or none.
    forbidden: Set,
    cells: Vec<u8>,
    ends: BTreeMap<i32, Ends>,
}

impl Search<'_> {
    /// Decides on one cell after the other.
    fn fill(&mut self, cell: usize, first: Set, second: Set) {
        // The cell a row up has all its neighbours now.
        let decided = cell.checked_sub(self.variant.cols + 1);
        if decided.is_some_and(|above| !self.is_closed(above, first, second)) {
            return;
        }
        if cell == self.variant.size() {
            if (0..cell).all(|any| self.is_closed(any, first, second)) {
                self.end(first, second);
            }
            return;
        }
        self.fill(cell + 1, first, second);
        if self.beside[cell] & second == 0 {
            self.cells[cell] = FIRST;
            self.fill(cell + 1, first | 1 << cell, second);
        }
        if self.beside[cell] & first == 0 {
            self.cells[cell] = SECOND;
            self.fill(cell + 1, first, second | 1 << cell);
        }
        self.cells[cell] = EMPTY;
    }

    /// Whether the cell is taken or lost to both players.
    fn is_closed(&self, cell: usize, first: Set, second: Set) -> bool {
        let lost_to_both = self.beside[cell] & first != 0 && self.beside[cell] & second != 0;
        (first | second) >> cell & 1 == 1 || lost_to_both
    }

    fn end(&mut self, first: Set, second: Set) {
        let orders = self.orders(first, second);
        if orders == 0 {
            return;
        }
        let score = first.count_ones() as i32 - second.count_ones() as i32;
        let images = self.variant.images(&self.cells);
        let ends = self.ends.entry(score).or_default();
        ends.playouts += orders;
        ends.terminals += (images.first() == Some(&self.cells)) as u64;
    }

    /// In how many orders play can end with these pieces.
    fn orders(&self, first: Set, second: Set) -> u128 {
        let (a, b) = (first.count_ones(), second.count_ones());
        if a > b + 1 {
            // The second player was stuck after b + 1 of the first player's pieces.
            let early = self.stuck_by(second, first, b + 1);
            let sum: u128 = early.map(|set| self.openings(set)).sum();
            sum * factorial(b) * factorial(a - b - 1)
        } else if b > a {
            // The first player was stuck after as many of the second player's pieces.
            let early = self.stuck_by(first, second, a).count() as u128;
            self.openings(first) * early * factorial(a) * factorial(b - a)
        } else {
            self.openings(first) * factorial(b)
        }
    }

    /// The subsets of so many of the opponent's pieces that leave a player nothing.
    fn stuck_by(&self, own: Set, opponent: Set, count: u32) -> impl Iterator<Item = Set> {
        let reach = move |set: Set| {
            let cells = (0..self.beside.len()).filter(move |cell| set >> cell & 1 == 1);
            cells.fold(set, |reach, cell| reach | self.beside[cell])
        };
        let all = (1 << self.variant.size()) - 1;
        subsets(opponent, count).filter(move |&set| own | reach(set) == all)
    }

    /// The orders of the first player's early pieces that begin on an allowed cell.
    fn openings(&self, pieces: Set) -> u128 {
        let allowed = (pieces & !self.forbidden).count_ones();
        let count = pieces.count_ones();
        if count == 0 { 1 } else { u128::from(allowed) * factorial(count - 1) }
    }
}

fn factorial(n: u32) -> u128 {
    (1..=u128::from(n)).product()
}

/// The subsets of a set that have so many cells.
fn subsets(set: Set, count: u32) -> impl Iterator<Item = Set> {
    let members: Vec<Set> =
        (0..Set::BITS).map(|cell| set & 1 << cell).filter(|&m| m != 0).collect();
    let end: Set = 1 << members.len();
    let next = |&choice: &Set| {
        // The next larger number with as many bits.
        let low = choice & choice.wrapping_neg();
        let carried = choice + low;
        Some(carried | ((choice ^ carried) >> 2).checked_div(low)?)
    };
    let choices = std::iter::successors(Some((1 << count) - 1), next);
    choices.take_while(move |&choice| choice < end).map(move |choice| {
        let chosen = members.iter().enumerate().filter(|(i, _)| choice >> i & 1 == 1);
        chosen.map(|(_, member)| member).sum()
    })
}
