//! Counts playouts from the terminal positions, without enumerating positions in between.
//!
//! Pieces of different players are never adjacent, a cell closed to a player stays closed, and a
//! player who passes once passes until the end. The two sets of pieces at the end therefore
//! determine who passed and how often, and an order of placements is legal if it leaves the passing
//! player without a cell in time and does not begin on a forbidden centre. These orders are counted
//! with factorials.

use super::{EMPTY, FIRST, SECOND, Variant};
use std::collections::BTreeMap;

/// The terminal states and playouts of a score.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ends {
    pub playouts: u128,
    /// Terminal states; symmetric images count once.
    pub terminals: u64,
}

/// Sets of cells as bits.
type Set = u32;

/// Counts the playouts of a game by score. Pieces must be unlimited, and the first player must have
/// a legal first move.
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
    /// The cells on which the first move is forbidden: the centre, or none.
    forbidden: Set,
    cells: Vec<u8>,
    ends: BTreeMap<i32, Ends>,
}

impl Search<'_> {
    /// Fills the board cell by cell.
    fn fill(&mut self, cell: usize, first: Set, second: Set) {
        // All neighbours of the cell above are decided now.
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

    /// Whether the cell is occupied or closed to both players.
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

    /// The number of legal orders of placing these pieces.
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

    /// The subsets of `count` of the opponent's pieces that leave a player no legal cell.
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

/// The subsets of a set with this number of cells.
fn subsets(set: Set, count: u32) -> impl Iterator<Item = Set> {
    let members: Vec<Set> =
        (0..Set::BITS).map(|cell| set & 1 << cell).filter(|&m| m != 0).collect();
    let end: Set = 1 << members.len();
    let next = |&choice: &Set| {
        // The next larger number with the same number of bits set.
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
