//! Even iterations: positions in which every move of the row's player leads to a won position.
//!
//! A row of the set of lost positions has the same pieces of the player to move, so each move maps
//! the row to a whole other row, and the intersection of these rows is taken.

use super::bit_set::{Found, TrackedSet};
use super::layout::{Layout, MOVES, RowRef, bits};
use super::occupancy::Occupancy;
use super::part::{and, and_not, is_zero, load, select};
use arrayvec::ArrayVec;
use bsq_engine::for_each_cpu;

/// An upper bound on the number of parts of a row.
const CANDIDATES: usize = 21 * 21;

impl Layout {
    /// Finds the positions of a row, not yet `known`, that have become lost by the changed words of
    /// `won`.
    pub(super) fn lost(&self, row: usize, won: &TrackedSet, known: &[u32], found: &mut Found) {
        lost(self, row, won, known, found);
    }

    /// The words of each part that may be lost because something has become won in the rows `after`
    /// a move, a bit each; and the sections with such words, a bit each.
    #[inline(always)]
    fn candidates(&self, after: &[RowRef], won: &TrackedSet) -> (u32, [u32; CANDIDATES]) {
        let n = self.places();
        let (mut sections, mut candidates) = (0, [0; CANDIDATES]);
        for &next in after {
            let here = self.changed_sections(next, won);
            sections |= here;
            let changed = won.changed_words(next.row);
            for rock in bits(here) {
                let out = &mut candidates[rock * n..(rock + 1) * n];
                if next.mirrored {
                    for (paper, out) in out.iter_mut().enumerate() {
                        *out |= self.changed_words(next, won, rock, paper);
                    }
                } else {
                    let changed = &changed[rock * n..(rock + 1) * n];
                    out.iter_mut().zip(changed).for_each(|(out, changed)| *out |= changed);
                }
            }
        }
        (sections, candidates)
    }

    /// The rows after the moves that stay off the opponent's home row, those with the fewest won
    /// positions first; and the positions in which the other moves are blocked.
    fn moves_of(
        &self,
        row: usize,
        won: &TrackedSet,
    ) -> (ArrayVec<RowRef, MOVES>, ArrayVec<Occupancy, MOVES>) {
        let (mut after, mut through) = (ArrayVec::new(), ArrayVec::new());
        for (kind, to) in self.moves(row) {
            if to < self.taken {
                after.push(self.after(row, kind, to));
            } else {
                through.push(self.blocked(kind, self.rules.board().flipped(to)));
            }
        }
        after.sort_unstable_by_key(|next: &RowRef| won.weight(next.row));
        (after, through)
    }

    /// For each move the positions in which it is blocked; none if the opponent has too few pieces
    /// to block all of them. A player who cannot move has not lost.
    fn stuck(&self, row: usize) -> Option<ArrayVec<Occupancy, MOVES>> {
        let moves = self.moves(row);
        let targets = moves.iter().fold(0u32, |all, &(_, to)| all | 1 << to);
        let open = moves.iter().any(|&(_, to)| self.rules.board().flipped(to) >= self.taken);
        let can_be = targets.count_ones() <= u32::from(self.allowed[row]) && !open;
        let blocked = |(kind, to)| self.blocked(kind, self.rules.board().flipped(to));
        can_be.then(|| moves.into_iter().map(blocked).collect())
    }

    /// See [`lost`](Layout::lost).
    #[inline(always)]
    fn find_lost(&self, row: usize, won: &TrackedSet, known: &[u32], found: &mut Found) {
        let n = self.places();
        let (after, through) = self.moves_of(row, won);
        let (sections, candidates) = self.candidates(&after, won);
        if sections == 0 {
            return;
        }
        let stuck = self.stuck(row);
        let occupied = self.occupied(row);
        for rock in bits(sections & !occupied) {
            'parts: for paper in bits(self.all_places() & !occupied) {
                let part = rock * n + paper;
                if candidates[part] == 0 {
                    continue;
                }
                let mut words = self.positions_of(row, occupied, rock, paper);
                words = and(&words, &select(candidates[part]));
                words = and_not(&words, load(known, part * n));
                for blocked in &through {
                    words = blocked.of(rock, paper, &words);
                }
                for next in &after {
                    words =
                        and(&words, &self.part_of(next.mirrored, won.row(next.row), rock, paper));
                    if is_zero(&words) {
                        continue 'parts;
                    }
                }
                if let Some(stuck) = &stuck {
                    let all = |words, blocked: &Occupancy| blocked.of(rock, paper, &words);
                    let stuck = stuck.iter().fold(words, all);
                    words = and_not(&words, &stuck);
                }
                if !is_zero(&words) {
                    found.push(part, words);
                }
            }
        }
    }
}

for_each_cpu! {
    fn lost(layout: &Layout, row: usize, won: &TrackedSet, known: &[u32], found: &mut Found) {
        layout.find_lost(row, won, known, found);
    }
}
