//! Features once more, cell by cell from their sentences, and what a rule list likes by them.

use crate::decisions::{may_use, opposite};
use crate::oracle::{FIRST, SECOND, Situation, Variant};
use bsq_engine::heuristic::{Relation, RuleList, Sum};
use std::collections::BTreeSet;

type Cells = BTreeSet<usize>;

/// What each player may still use, seen by the one who chooses.
#[derive(Clone)]
struct View<'a> {
    variant: &'a Variant,
    own: Cells,
    opponent: Cells,
}

impl View<'_> {
    fn near(&self, cell: usize) -> Cells {
        let mut near: Cells = self.variant.beside(cell).into_iter().collect();
        near.insert(cell);
        near
    }

    /// After the chooser, or the other one, has placed a piece.
    fn after(&self, cell: usize, own: bool) -> Self {
        let mut view = self.clone();
        let (mine, theirs) = match own {
            true => (&mut view.own, &mut view.opponent),
            false => (&mut view.opponent, &mut view.own),
        };
        mine.remove(&cell);
        let near = self.near(cell);
        theirs.retain(|other| !near.contains(other));
        view
    }

    /// Cells of the opponent that a piece there would close.
    fn hit(&self, cell: usize, own: bool) -> Cells {
        let cells = if own { &self.opponent } else { &self.own };
        self.near(cell).intersection(cells).copied().collect()
    }

    fn free(&self, own: bool) -> i32 {
        let cells = if own { &self.own } else { &self.opponent };
        cells.iter().filter(|&&cell| self.hit(cell, own).is_empty()).count() as i32
    }

    fn best_claim(&self, own: bool) -> i32 {
        let cells = if own { &self.own } else { &self.opponent };
        cells.iter().map(|&cell| self.hit(cell, own).len() as i32).max().unwrap_or(0)
    }

    fn only(&self, own: bool) -> i32 {
        let (a, b) = (&self.own, &self.opponent);
        if own { a.difference(b).count() as i32 } else { b.difference(a).count() as i32 }
    }
}

/// The value of a feature: of a move, or before it.
pub fn value(name: &str, variant: &Variant, now: &Situation, cell: Option<usize>) -> i32 {
    let (mover, opponent) = (now.mover(), FIRST + SECOND - now.mover());
    let before = View {
        variant,
        own: may_use(variant, now, mover),
        opponent: may_use(variant, now, opponent),
    };
    let view = cell.map_or_else(|| before.clone(), |cell| before.after(cell, true));
    let beside = |owner: u8| {
        let near = variant.beside(cell.expect("a move"));
        near.into_iter().filter(|&near| now.cells[near] == owner).count() as i32
    };
    match name {
        "claim" => (before.opponent.len() - view.opponent.len()) as i32,
        "own-moves" => view.own.len() as i32,
        "opponent-moves" => view.opponent.len() as i32,
        "contested" => view.own.intersection(&view.opponent).count() as i32,
        "own-safe" => view.only(true),
        "opponent-safe" => view.only(false),
        "safe-difference" => view.only(true) - view.only(false),
        "own-free" => view.free(true),
        "opponent-free" => view.free(false),
        "free-difference" => view.free(true) - view.free(false),
        "own-best-claim" => view.best_claim(true),
        "opponent-best-claim" => view.best_claim(false),
        "centre-distance" => from_centre(variant, cell.expect("a move")),
        "edge" => {
            let (row, col) = (cell.unwrap() / variant.cols, cell.unwrap() % variant.cols);
            let last = [variant.rows - 1, variant.cols - 1];
            [row == 0, row == last[0], col == 0, col == last[1]].into_iter().filter(|&t| t).count()
                as i32
        }
        "mirror" => i32::from(now.cells[opposite(variant, cell.expect("a move"))] == opponent),
        "own-neighbours" => beside(mover),
        "turn" => now.turn as i32,
        other => panic!("what is {other}?"),
    }
}

/// Grows with the distance in a straight line: the square of that between opposite cells.
fn from_centre(variant: &Variant, cell: usize) -> i32 {
    let other = opposite(variant, cell);
    let apart = |a: usize, b: usize| a.abs_diff(b).pow(2) as i32;
    apart(cell / variant.cols, other / variant.cols)
        + apart(cell % variant.cols, other % variant.cols)
}

/// The moves that a list likes best among legal ones.
pub fn liked(list: &RuleList, variant: &Variant, now: &Situation, legal: &Cells) -> Cells {
    let sum = |sum: &Sum, cell: Option<usize>| -> i32 {
        let terms = sum.terms.iter();
        terms.map(|t| t.weight * value(t.feature.name, variant, now, cell)).sum()
    };
    let mut left = legal.clone();
    for rule in &list.rules {
        let holds = rule.when.iter().all(|test| {
            let before = sum(&test.sum, None);
            match test.relation {
                Relation::Less => before < test.number,
                Relation::AtMost => before <= test.number,
                Relation::Equal => before == test.number,
                Relation::Unequal => before != test.number,
                Relation::AtLeast => before >= test.number,
                Relation::More => before > test.number,
                Relation::Odd => before.rem_euclid(2) == 1,
                Relation::Even => before.rem_euclid(2) == 0,
            }
        });
        if holds {
            let best = left.iter().map(|&cell| sum(&rule.aim, Some(cell))).max();
            left.retain(|&cell| Some(sum(&rule.aim, Some(cell))) == best);
        }
    }
    left
}
