//! Odd iterations: positions in which some move of the opponent of the row's player wins.
//!
//! A row of the set of won positions has the same pieces of the player who does not move. A move of
//! the other player stays in the row, or captures a piece and leads to the row without it.

use super::bit_set::{Found, RowMut, TrackedSet, nonzero};
use super::layout::{Layout, RowRef, bits};
use super::occupancy::Occupancy;
use super::part::Part;
use super::part::{Reached, ZERO, and, and_not, is_zero, load, or, select};
use crate::rpsw::rules::Piece;
use bsq_engine::for_each_cpu;

impl Layout {
    /// Finds the positions of a row, not yet `known`, that have become won by the changed words of
    /// `lost`; in the first iteration, those won by a single move as well.
    pub(super) fn won(
        &self,
        row: usize,
        lost: &TrackedSet,
        known: &[u32],
        is_first: bool,
        reached: &mut Reached,
        found: &mut Found,
    ) {
        won(self, row, lost, known, is_first, reached, found);
    }

    /// Sets bits of a row that stand for no position, after these positions were found in it, and
    /// marks their words as changed. Even iterations read them: a move that is illegal because of
    /// the opponent's pieces must look won. They are never counted.
    pub(super) fn complete_won(&self, row: usize, found: &Found, is_first: bool, out: &mut RowMut) {
        if is_first {
            self.complete_first(row, out);
        }
        complete(self, row, found, out);
    }

    /// Collects the positions after a move of the opponent that have become lost for the row's
    /// player: those of the row itself, and those of the rows without a piece, captured by that
    /// move.
    #[inline(always)]
    fn reach(&self, row: usize, lost: &TrackedSet, reached: &mut Reached) {
        let n = self.places();
        reached.clear();
        let (words, changed) = (lost.row(row), lost.changed_words(row));
        for rock in bits(lost.changed_sections(row)) {
            for paper in 0..n {
                let changed = changed[rock * n + paper];
                if changed != 0 {
                    let words = load(words, (rock * n + paper) * n);
                    reached.add(rock, paper, &and(words, &select(changed)));
                }
            }
        }
        for (kind, square) in self.pieces(row) {
            let Some(place) = self.facing(square) else { continue };
            let takers = self.takers(kind, place);
            match self.without(row, kind) {
                Some(rest) => self.reach_taken(rest, lost, &takers, reached),
                None => self.reach_end(row, &takers, reached),
            }
        }
    }

    /// Adds the positions that have become lost in a row without a piece, which one of the `takers`
    /// has captured.
    #[inline(always)]
    fn reach_taken(
        &self,
        rest: RowRef,
        lost: &TrackedSet,
        takers: &Occupancy,
        reached: &mut Reached,
    ) {
        let words = lost.row(rest.row);
        for rock in bits(self.changed_sections(rest, lost)) {
            for paper in 0..self.places() {
                let mut changed = self.changed_words(rest, lost, rock, paper);
                if !takers.is_whole(rock, paper) {
                    changed &= takers.nonzero;
                }
                if changed != 0 {
                    let words = self.part_of(rest.mirrored, words, rock, paper);
                    let words = takers.of(rock, paper, &words);
                    reached.add(rock, paper, &and(&words, &select(changed)));
                }
            }
        }
    }

    /// Adds the positions in which one of the `takers` has captured the last piece.
    fn reach_end(&self, row: usize, takers: &Occupancy, reached: &mut Reached) {
        let n = self.places();
        for (part, apart) in self.apart[usize::from(self.allowed[row])].iter().enumerate() {
            reached.add(part / n, part % n, &takers.of(part / n, part % n, apart));
        }
    }

    /// The parts of each section from which a move leads into a live part, a bit each.
    #[inline(always)]
    fn touched(&self, live: &[u32]) -> [u32; 32] {
        let mut touched = [0; 32];
        for (rock, &here) in live.iter().enumerate().filter(|section| *section.1 != 0) {
            touched[rock] |= here | self.board.spread(here);
            bits(self.near[rock]).for_each(|from| touched[from] |= here);
        }
        touched
    }

    /// The positions of a part from which a move leads into a reached position.
    #[inline(always)]
    fn before(&self, reached: &Reached, rock: usize, paper: usize) -> Part {
        let live = reached.live();
        let mut words = if reached.is_live(rock, paper) {
            reached.inside(&self.board, rock, paper)
        } else {
            ZERO
        };
        for to in bits(live[rock] & self.near[paper]) {
            words = or(&words, reached.part(rock, to));
        }
        for to in bits(self.near[rock]) {
            if live[to] >> paper & 1 == 1 {
                words = or(&words, reached.part(to, paper));
            }
        }
        words
    }

    /// See [`won`](Layout::won).
    #[inline(always)]
    fn find_won(
        &self,
        row: usize,
        lost: &TrackedSet,
        known: &[u32],
        is_first: bool,
        reached: &mut Reached,
        found: &mut Found,
    ) {
        let n = self.places();
        self.reach(row, lost, reached);
        let occupied = self.occupied(row);
        let through = is_first.then(|| self.through(row));
        let touched = if is_first { [u32::MAX; 32] } else { self.touched(reached.live()) };
        let free = !occupied & self.all_places();
        for rock in bits(free) {
            for paper in bits(touched[rock] & free) {
                let mut words = self.before(reached, rock, paper);
                if let Some(through) = &through {
                    words = or(&words, &through.of(rock, paper, &[u32::MAX; _]));
                }
                let part = rock * n + paper;
                words = and(&words, &self.positions_of(row, occupied, rock, paper));
                words = and_not(&words, load(known, part * n));
                if !is_zero(&words) {
                    found.push(part, words);
                }
            }
        }
    }

    /// Sets bits in which the opponent's piece stands on a square of the row's player, copied from
    /// those of the captured piece.
    #[inline(always)]
    fn complete(&self, row: usize, found: &Found, out: &mut RowMut) {
        let n = self.places();
        let taken = usize::from(self.taken);
        for (kind, square) in self.pieces(row) {
            let Some(place) = self.facing(square) else { continue };
            let at = usize::from(place);
            let [rock_too, paper_too, scissors_too, well_too] =
                Piece::ALL.map(|other| self.rules.takes(kind, other));
            for (part, words) in found.parts() {
                let (rock, paper) = (part / n, part % n);
                if rock_too && rock == taken {
                    self.write(at * n + paper, words, out);
                }
                if paper_too && paper == taken {
                    self.write(rock * n + at, words, out);
                }
                if scissors_too && words[taken] != 0 {
                    out.words[part * n + at] |= words[taken];
                    out.changed[part] |= 1 << at;
                }
                if well_too {
                    let then = words.map(|word| (word >> taken & 1) << at);
                    if !is_zero(&then) {
                        self.write(part, &then, out);
                    }
                }
            }
        }
    }

    /// Sets bits in which the opponent stands on a square of the row's player that cannot be
    /// captured: the move to it is illegal, so it counts as won.
    fn complete_first(&self, row: usize, out: &mut RowMut) {
        let n = self.places();
        for (kind, square) in self.pieces(row) {
            let Some(place) = self.facing(square) else { continue };
            let blocked = self.blocked(kind, place);
            for part in 0..n * n {
                let all = select(self.all_places());
                self.write(part, &blocked.of(part / n, part % n, &all), out);
            }
        }
    }

    /// Adds words to a part of a row, and marks them as changed.
    #[inline(always)]
    fn write(&self, part: usize, words: &Part, out: &mut RowMut) {
        let start = part * self.places();
        let sum = or(load(out.words, start), words);
        out.words[start..start + sum.len()].copy_from_slice(&sum);
        out.changed[part] |= nonzero(words);
    }
}

for_each_cpu! {
    fn won(
        layout: &Layout,
        row: usize,
        lost: &TrackedSet,
        known: &[u32],
        is_first: bool,
        reached: &mut Reached,
        found: &mut Found,
    ) {
        layout.find_won(row, lost, known, is_first, reached, found);
    }

    fn complete(layout: &Layout, row: usize, found: &Found, out: &mut RowMut) {
        layout.complete(row, found, out);
    }
}
