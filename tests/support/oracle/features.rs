//! Independent implementations of the features, cell by cell from their descriptions, and of the
//! evaluation of decision lists.

use super::decisions::{may_use, opposite};
use super::{FIRST, SECOND, Situation, Variant};
use bsq_games::british_square::heuristic::{DecisionList, Relation, Sum, Term};
use std::collections::BTreeSet;

type Cells = BTreeSet<usize>;

/// The cells that each player may still use, from the point of view of the player who chooses.
#[derive(Clone)]
struct View<'a> {
    variant: &'a Variant,
    own: Cells,
    opponent: Cells,
}

impl<'a> View<'a> {
    fn before(variant: &'a Variant, now: &Situation) -> Self {
        let own = may_use(variant, now, now.mover());
        let opponent = may_use(variant, now, FIRST + SECOND - now.mover());
        View { variant, own, opponent }
    }

    fn near(&self, cell: usize) -> Vec<usize> {
        let mut near = self.variant.beside(cell);
        near.push(cell);
        near
    }

    /// The cells after a placement by the player who chooses, or by the opponent.
    fn after(&self, cell: usize, own: bool) -> Self {
        let mut view = self.clone();
        let (mine, theirs) = if own {
            (&mut view.own, &mut view.opponent)
        } else {
            (&mut view.opponent, &mut view.own)
        };
        mine.remove(&cell);
        let near = self.near(cell);
        theirs.retain(|other| !near.contains(other));
        view
    }

    /// The other player's cells that a piece of a player on this cell closes.
    fn hit(&self, cell: usize, own: bool) -> Vec<usize> {
        let cells = if own { &self.opponent } else { &self.own };
        self.near(cell).into_iter().filter(|near| cells.contains(near)).collect()
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

impl View<'_> {
    fn cells(&self, own: bool) -> &Cells {
        if own { &self.own } else { &self.opponent }
    }

    /// The number of a player's cells that conflict with this number of the opponent's.
    fn with(&self, own: bool, conflicts: usize) -> i32 {
        let cells = self.cells(own).iter();
        cells.filter(|&&cell| self.hit(cell, own).len() == conflicts).count() as i32
    }

    fn claims(&self, own: bool) -> Vec<i32> {
        let cells = self.cells(own).iter();
        let mut claims: Vec<i32> = cells.map(|&cell| self.hit(cell, own).len() as i32).collect();
        claims.sort_unstable_by(|a, b| b.cmp(a));
        claims
    }

    fn chances(&self, own: bool) -> i32 {
        self.cells(own).iter().map(|&cell| 60 / (1 + self.hit(cell, own).len() as i32)).sum()
    }

    fn unsettled(&self) -> i32 {
        let cells = 0..self.variant.size();
        let hot = |own: bool, cell: &usize| {
            self.cells(own).contains(cell) && !self.hit(*cell, own).is_empty()
        };
        cells.filter(|cell| hot(true, cell) || hot(false, cell)).count() as i32
    }

    /// The largest number of cells that a move on a cell in conflict makes free, plus those that it
    /// closes if `takes` is set.
    fn best_gain(&self, own: bool, takes: bool) -> i32 {
        let in_conflict = self.cells(own).iter().filter(|&&cell| !self.hit(cell, own).is_empty());
        let gain = |&cell: &usize| {
            let taken = if takes { self.hit(cell, own).len() as i32 } else { 0 };
            taken + self.after(cell, own).free(own) - self.free(own)
        };
        in_conflict.map(gain).max().unwrap_or(0)
    }

    fn best_cut(&self, own: bool) -> i32 {
        let cut = |&cell: &usize| -> i32 {
            let closed = self.hit(cell, own).into_iter();
            closed.map(|closed| self.hit(closed, !own).len() as i32).sum()
        };
        self.cells(own).iter().map(cut).max().unwrap_or(0)
    }

    /// The regions: the connected components of the conflicts between cells.
    fn regions(&self) -> Vec<View<'_>> {
        let all = [true, false].into_iter();
        let mut left: BTreeSet<(bool, usize)> = all
            .flat_map(|own| self.cells(own).iter().map(move |&cell| (own, cell)))
            .filter(|&(own, cell)| !self.hit(cell, own).is_empty())
            .collect();
        let mut regions = Vec::new();
        while let Some(first) = left.pop_first() {
            let mut region = vec![first];
            let mut at = 0;
            while at < region.len() {
                let (own, cell) = region[at];
                for other in self.hit(cell, own) {
                    if left.remove(&(!own, other)) {
                        region.push((!own, other));
                    }
                }
                at += 1;
            }
            let of = |whose: bool| {
                region.iter().filter(|(own, _)| *own == whose).map(|&(_, cell)| cell).collect()
            };
            regions.push(View { variant: self.variant, own: of(true), opponent: of(false) });
        }
        regions
    }

    fn territory(&self, name: &str) -> Option<i32> {
        Some(match name {
            "own-moves" => self.own.len() as i32,
            "opponent-moves" => self.opponent.len() as i32,
            "half-points" => {
                let points = |own: bool| self.cells(own).len() as i32 + self.free(own);
                points(true) - points(false)
            }
            "contested" => self.own.intersection(&self.opponent).count() as i32,
            "own-safe" => self.only(true),
            "opponent-safe" => self.only(false),
            "safe-difference" => self.only(true) - self.only(false),
            "own-free" => self.free(true),
            "opponent-free" => self.free(false),
            "free-difference" => self.free(true) - self.free(false),
            "own-best-claim" => self.best_claim(true),
            "opponent-best-claim" => self.best_claim(false),
            "own-second-claim" => self.claims(true).get(1).copied().unwrap_or(0),
            "opponent-second-claim" => self.claims(false).get(1).copied().unwrap_or(0),
            "conflicts" => self.own.iter().map(|&cell| self.hit(cell, true).len() as i32).sum(),
            "own-single" => self.with(true, 1),
            "opponent-single" => self.with(false, 1),
            "own-double" => self.with(true, 2),
            "opponent-double" => self.with(false, 2),
            "own-triple" => self.with(true, 3),
            "opponent-triple" => self.with(false, 3),
            "own-quadruple" => self.with(true, 4),
            "opponent-quadruple" => self.with(false, 4),
            "own-best-cut" => self.best_cut(true),
            "opponent-best-cut" => self.best_cut(false),
            "own-best-gain" => self.best_gain(true, true),
            "own-most-freed" => self.best_gain(true, false),
            "gains-difference" => {
                let gain = |r: &View| r.best_gain(true, true) - r.best_gain(false, true);
                self.regions().iter().map(gain).sum()
            }
            "unsettled" => self.unsettled(),
            "left-unsettled" => {
                let after = |&cell: &usize| self.after(cell, false).unsettled();
                self.opponent.iter().map(after).max().unwrap_or(0)
            }
            "own-next-free" => {
                let lead = |view: &View| view.free(true) - view.free(false);
                let conflicting = self.own.iter().filter(|&&cell| !self.hit(cell, true).is_empty());
                let twice = conflicting.map(|&cell| lead(&self.after(cell, true)));
                twice.max().unwrap_or(lead(self))
            }
            "chances" => self.chances(true) - self.chances(false),
            "regions" => self.regions().len() as i32,
            "odd-regions" => (self.regions().len() % 2) as i32,
            "largest-region" => {
                let size = |r: &View| (r.own.len() + r.opponent.len()) as i32;
                self.regions().iter().map(size).max().unwrap_or(0)
            }
            "claims-difference" => {
                let lead = |r: &View| r.best_claim(true) - r.best_claim(false);
                self.regions().iter().map(lead).sum()
            }
            "alternation" => {
                let heat = |r: &View| r.best_claim(true) + r.best_claim(false);
                let mut heats: Vec<i32> = self.regions().iter().map(heat).collect();
                heats.sort_unstable();
                // Alternating sum, computed from the lowest heat up.
                heats.iter().fold(0, |rest, heat| heat - rest)
            }
            _ => return None,
        })
    }
}

/// The minimum of a sum over the replies.
fn least_after_reply(terms: &[Term], variant: &Variant, now: &Situation, cell: usize) -> i32 {
    let after = View::before(variant, now).after(cell, true);
    let conflicting = |&&reply: &&usize| !after.hit(reply, false).is_empty();
    let mut replies: Vec<usize> = after.opponent.iter().filter(conflicting).copied().collect();
    if replies.is_empty() {
        replies = after.opponent.iter().copied().collect();
    }
    let sum = |view: &View| -> i32 {
        let value = |term: &Term| view.territory(term.feature.name).expect("of territory");
        terms.iter().map(|term| term.weight * value(term)).sum()
    };
    let least = replies.iter().map(|&reply| sum(&after.after(reply, false))).min();
    least.unwrap_or_else(|| sum(&after))
}

/// The value of a feature: of a move, or before it.
pub fn value(name: &str, variant: &Variant, now: &Situation, cell: Option<usize>) -> i32 {
    let (mover, opponent) = (now.mover(), FIRST + SECOND - now.mover());
    let before = View::before(variant, now);
    let view = cell.map_or_else(|| before.clone(), |cell| before.after(cell, true));
    let beside = |owner: u8| {
        let near = variant.beside(cell.expect("a move"));
        near.into_iter().filter(|&near| now.cells[near] == owner).count() as i32
    };
    match name {
        "claim" => (before.opponent.len() - view.opponent.len()) as i32,
        "centre-distance" => from_centre(variant, cell.expect("a move")),
        "edge" => {
            let (row, col) = (cell.unwrap() / variant.cols, cell.unwrap() % variant.cols);
            let last = [variant.rows - 1, variant.cols - 1];
            [row == 0, row == last[0], col == 0, col == last[1]].into_iter().filter(|&t| t).count()
                as i32
        }
        "ring" => {
            let [down, right] = to_centre(variant, cell.expect("a move"));
            down.max(right)
        }
        "off-colour" => {
            let [down, right] = to_centre(variant, cell.expect("a move"));
            (down + right) / 2 % 2
        }
        "own-farthest" => {
            let owned = (0..variant.size()).filter(|&at| now.cells[at] == mover);
            let apart = |at: usize| {
                let far = |a: usize, b: usize| a.abs_diff(b).pow(2) as i32;
                let cell = cell.expect("a move");
                far(at / variant.cols, cell / variant.cols)
                    + far(at % variant.cols, cell % variant.cols)
            };
            owned.map(apart).max().unwrap_or(0)
        }
        "opponent-in-line" => {
            let cell = cell.expect("a move");
            let row = (0..variant.size()).filter(|at| at / variant.cols == cell / variant.cols);
            let col = (0..variant.size()).filter(|at| at % variant.cols == cell % variant.cols);
            let line: BTreeSet<usize> = row.chain(col).collect();
            line.into_iter().filter(|&at| now.cells[at] == opponent).count() as i32
        }
        "mirrored" => {
            let all = 0..variant.size();
            let pairs = all.map(|at| (now.cells[at], now.cells[opposite(variant, at)]));
            let is_pair = |(a, b): (u8, u8)| (a == mover) == (b == opponent);
            i32::from(pairs.into_iter().all(is_pair))
        }
        "mirror" => i32::from(now.cells[opposite(variant, cell.expect("a move"))] == opponent),
        "own-neighbours" => beside(mover),
        "turn" => now.turn as i32,
        other => view.territory(other).unwrap_or_else(|| panic!("what is {other}?")),
    }
}

/// The distances in rows and columns to the opposite cell.
fn to_centre(variant: &Variant, cell: usize) -> [i32; 2] {
    let other = opposite(variant, cell);
    let cols = variant.cols;
    [(cell / cols).abs_diff(other / cols) as i32, (cell % cols).abs_diff(other % cols) as i32]
}

/// The square of the Euclidean distance to the opposite cell, which increases with the distance to
/// the centre.
fn from_centre(variant: &Variant, cell: usize) -> i32 {
    let other = opposite(variant, cell);
    let apart = |a: usize, b: usize| a.abs_diff(b).pow(2) as i32;
    apart(cell / variant.cols, other / variant.cols)
        + apart(cell % variant.cols, other % variant.cols)
}

/// The legal moves that a list likes.
pub fn liked(list: &DecisionList, variant: &Variant, now: &Situation, legal: &Cells) -> Cells {
    let sum = |sum_of: &Sum, cell: Option<usize>| -> i32 {
        let terms = sum_of.terms.iter();
        let sum: i32 = terms.map(|t| t.weight * value(t.feature.name, variant, now, cell)).sum();
        if sum_of.reply.is_empty() {
            sum
        } else {
            sum + least_after_reply(&sum_of.reply, variant, now, cell.expect("a move"))
        }
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
            let counts = |cell: usize| match (sum(&rule.aim, Some(cell)), rule.enough) {
                (value, Some(enough)) if value > enough => enough,
                (value, _) => value,
            };
            let counted: Vec<_> = left.iter().map(|&cell| (cell, counts(cell))).collect();
            let best = counted.iter().map(|(_, count)| *count).max();
            let liked = counted.into_iter().filter(|(_, count)| Some(*count) == best);
            left = liked.map(|(cell, _)| cell).collect();
        }
    }
    left
}
