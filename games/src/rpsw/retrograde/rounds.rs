//! Rounds, a row at a time: what of it is won, what lost.
//!
//! The functions at the end are compiled for several sets of vector instructions.

use super::part::{Reached, ZERO, and, and_not, is_zero, load, or, select};
use super::{ByMaterial, Seen, Sets};
use crate::rpsw::retrograde::driver::{Found, Part, Rounds, RowMut, Table, nonzero};
use crate::rpsw::rules::Kind;
use arrayvec::ArrayVec;
use bsq_engine::for_each_cpu;

/// The most moves of a player.
pub(super) const MOVES: usize = 32;

/// The places where a piece of one of some kinds stands: words and bits of any part, or, where
/// there is such a rock or such paper, all of a part.
struct Standing {
    rocks: u32,
    papers: u32,
    words: Part,
    /// The words that are not zero, a bit each.
    nonzero: u32,
}

impl Standing {
    /// For each kind the places, a bit each.
    fn new([rocks, papers, scissors, wells]: [u32; 4]) -> Standing {
        let words = select(scissors).map(|word| word | wells);
        Standing { rocks, papers, words, nonzero: nonzero(&words) }
    }

    /// Whether a part is in it with all its words.
    #[inline(always)]
    fn is_whole(&self, rock: usize, paper: usize) -> bool {
        self.rocks >> rock & 1 == 1 || self.papers >> paper & 1 == 1
    }

    /// What of these words is in it.
    #[inline(always)]
    fn of(&self, rock: usize, paper: usize, words: &Part) -> Part {
        if self.is_whole(rock, paper) { *words } else { and(words, &self.words) }
    }
}

impl Sets {
    /// Where a piece that a piece of that kind cannot take stands at a place.
    fn blocked(&self, kind: Kind, place: u8) -> Standing {
        Standing::new(Kind::ALL.map(|other| u32::from(!self.rules.takes(kind, other)) << place))
    }

    /// Where a piece that takes one of that kind stands at a place.
    fn takers(&self, kind: Kind, place: u8) -> Standing {
        Standing::new(Kind::ALL.map(|other| u32::from(self.rules.takes(other, kind)) << place))
    }

    /// The places of pieces with which the mover wins by one step onto the base row of a row's
    /// player.
    fn through(&self, row: usize) -> Standing {
        let here = self.placements[row];
        let opens = |kind: Kind, to: u8| {
            let there = self.rules.flipped(to);
            let on = Kind::ALL.into_iter().find(|other| here[other.index()] == there);
            to >= self.taken && on.is_none_or(|on| self.rules.takes(kind, on))
        };
        Standing::new(Kind::ALL.map(|kind| {
            let near =
                |place: &u8| self.around[usize::from(*place)].iter().any(|&to| opens(kind, to));
            (0..self.taken).filter(near).map(|place| 1 << place).sum()
        }))
    }

    /// The squares of a row's player as the opponent counts them, a bit each, where they are open
    /// to the opponent.
    #[inline(always)]
    fn occupied(&self, row: usize) -> u32 {
        let facing = self.pieces(row).filter_map(|(_, square)| self.facing(square));
        facing.fold(0, |all, place| all | 1 << place)
    }

    /// All positions of a part of a row whose squares are these.
    #[inline(always)]
    fn positions_of(&self, row: usize, occupied: u32, rock: usize, paper: usize) -> Part {
        if occupied >> rock & 1 == 1 || occupied >> paper & 1 == 1 {
            return ZERO;
        }
        let apart = &self.apart[usize::from(self.allowed[row])][rock * self.places() + paper];
        let free = select(!occupied);
        std::array::from_fn(|i| apart[i] & free[i] & !occupied)
    }

    /// A part of a row of words as it is seen.
    #[inline(always)]
    fn part_seen(&self, is_mirrored: bool, words: &[u32], rock: usize, paper: usize) -> Part {
        let n = self.places();
        if !is_mirrored {
            return *load(words, (rock * n + paper) * n);
        }
        let [rock, paper] = [rock, paper].map(|place| usize::from(self.mirrored_places[place]));
        self.board.mirrored(load(words, (rock * n + paper) * n))
    }

    /// Of the sections of a row that have changed those that are seen.
    #[inline(always)]
    fn sections_seen(&self, seen: Seen, table: &Table) -> u32 {
        let sections = table.sections(seen.row);
        if seen.mirrored { self.board.mirrored_word(sections) } else { sections }
    }

    /// The words of a part that have changed, as it is seen.
    #[inline(always)]
    fn fresh_seen(&self, seen: Seen, table: &Table, rock: usize, paper: usize) -> u32 {
        let (n, fresh) = (self.places(), table.fresh(seen.row));
        if !seen.mirrored {
            return fresh[rock * n + paper];
        }
        let [rock, paper] = [rock, paper].map(|place| usize::from(self.mirrored_places[place]));
        self.board.mirrored_word(fresh[rock * n + paper])
    }

    /// What is lost now once the other player has moved there: the row itself, and where a piece
    /// of its player was taken the row without it.
    #[inline(always)]
    fn reach(&self, row: usize, lost: &Table, reached: &mut Reached) {
        let n = self.places();
        reached.clear();
        let (words, fresh) = (lost.row(row), lost.fresh(row));
        for rock in bits(lost.sections(row)) {
            for paper in 0..n {
                let fresh = fresh[rock * n + paper];
                if fresh != 0 {
                    let words = load(words, (rock * n + paper) * n);
                    reached.add(rock, paper, &and(words, &select(fresh)));
                }
            }
        }
        for (kind, square) in self.pieces(row) {
            let Some(place) = self.facing(square) else { continue };
            let takers = self.takers(kind, place);
            match self.without(row, kind) {
                Some(seen) => self.reach_taken(seen, lost, &takers, reached),
                None => self.reach_end(row, &takers, reached),
            }
        }
    }

    /// Adds what is lost now in the row that is left after one of these takes a piece.
    #[inline(always)]
    fn reach_taken(&self, seen: Seen, lost: &Table, takers: &Standing, reached: &mut Reached) {
        let words = lost.row(seen.row);
        for rock in bits(self.sections_seen(seen, lost)) {
            for paper in 0..self.places() {
                let mut fresh = self.fresh_seen(seen, lost, rock, paper);
                if !takers.is_whole(rock, paper) {
                    fresh &= takers.nonzero;
                }
                if fresh != 0 {
                    let words = self.part_seen(seen.mirrored, words, rock, paper);
                    let words = takers.of(rock, paper, &words);
                    reached.add(rock, paper, &and(&words, &select(fresh)));
                }
            }
        }
    }

    /// Who has no piece left has lost.
    fn reach_end(&self, row: usize, takers: &Standing, reached: &mut Reached) {
        let n = self.places();
        for (part, apart) in self.apart[usize::from(self.allowed[row])].iter().enumerate() {
            reached.add(part / n, part % n, &takers.of(part / n, part % n, apart));
        }
    }

    /// In each section the parts from which a move leads into the live ones, a bit each.
    #[inline(always)]
    fn touched(&self, live: &[u32]) -> [u32; 32] {
        let mut touched = [0; 32];
        for (rock, &here) in live.iter().enumerate().filter(|section| *section.1 != 0) {
            touched[rock] |= here | self.board.spread(here);
            bits(self.near[rock]).for_each(|from| touched[from] |= here);
        }
        touched
    }

    /// The positions of a part from which a move leads into what is reached.
    #[inline(always)]
    fn before(&self, reached: &Reached, rock: usize, paper: usize) -> Part {
        let live = reached.live();
        let mut words = match reached.is_live(rock, paper) {
            true => reached.inside(&self.board, rock, paper),
            false => ZERO,
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

    #[inline(always)]
    fn find_won(
        &self,
        row: usize,
        lost: &Table,
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

    /// All places, a bit each.
    fn all_places(&self) -> u32 {
        (1 << self.places()) - 1
    }

    /// The words of each part that may be lost since something is won in the rows after, a bit
    /// each; and a bit for each section with any.
    #[inline(always)]
    fn candidates(&self, after: &[Seen], won: &Table) -> (u32, [u32; CANDIDATES]) {
        let n = self.places();
        let (mut sections, mut candidates) = (0, [0; CANDIDATES]);
        for &seen in after {
            let here = self.sections_seen(seen, won);
            sections |= here;
            let fresh = won.fresh(seen.row);
            for rock in bits(here) {
                let out = &mut candidates[rock * n..(rock + 1) * n];
                if !seen.mirrored {
                    let fresh = &fresh[rock * n..(rock + 1) * n];
                    out.iter_mut().zip(fresh).for_each(|(out, fresh)| *out |= fresh);
                } else {
                    for (paper, out) in out.iter_mut().enumerate() {
                        *out |= self.fresh_seen(seen, won, rock, paper);
                    }
                }
            }
        }
        (sections, candidates)
    }

    /// The rows after the moves inside, those first in which least is won; and the squares blocked
    /// if no other move is to be legal.
    fn moves_of(
        &self,
        row: usize,
        won: &Table,
    ) -> (ArrayVec<Seen, MOVES>, ArrayVec<Standing, MOVES>) {
        let (mut after, mut through) = (ArrayVec::new(), ArrayVec::new());
        for (kind, to) in self.moves(row) {
            match to < self.taken {
                true => after.push(self.after(row, kind, to)),
                false => through.push(self.blocked(kind, self.rules.flipped(to))),
            }
        }
        after.sort_unstable_by_key(|seen: &Seen| won.weight(seen.row));
        (after, through)
    }

    /// What keeps the row's player from moving at all, if there are enough pieces for it.
    fn stuck(&self, row: usize) -> Option<ArrayVec<Standing, MOVES>> {
        let moves = self.moves(row);
        let targets = moves.iter().fold(0u32, |all, &(_, to)| all | 1 << to);
        let open = moves.iter().any(|&(_, to)| self.rules.flipped(to) >= self.taken);
        let can_be = targets.count_ones() <= u32::from(self.allowed[row]) && !open;
        let blocked = |(kind, to)| self.blocked(kind, self.rules.flipped(to));
        can_be.then(|| moves.into_iter().map(blocked).collect())
    }

    #[inline(always)]
    fn find_lost(&self, row: usize, won: &Table, known: &[u32], found: &mut Found) {
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
                for seen in &after {
                    words =
                        and(&words, &self.part_seen(seen.mirrored, won.row(seen.row), rock, paper));
                    if is_zero(&words) {
                        continue 'parts;
                    }
                }
                if let Some(stuck) = &stuck {
                    let all = |words, blocked: &Standing| blocked.of(rock, paper, &words);
                    let stuck = stuck.iter().fold(words, all);
                    words = and_not(&words, &stuck);
                }
                if !is_zero(&words) {
                    found.push(part, words);
                }
            }
        }
    }

    /// Where the opponent stands on a square of the row's player: as after being taken there.
    #[inline(always)]
    fn complete(&self, row: usize, found: &Found, out: &mut RowMut) {
        let n = self.places();
        let taken = usize::from(self.taken);
        for (kind, square) in self.pieces(row) {
            let Some(place) = self.facing(square) else { continue };
            let at = usize::from(place);
            let [rock_too, paper_too, scissors_too, well_too] =
                Kind::ALL.map(|other| self.rules.takes(kind, other));
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
                    out.fresh[part] |= 1 << at;
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

    /// Where the opponent stands on a square of the row's player, who does not take it: won, since
    /// the move there is not legal.
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

    /// Adds words to a part of a row.
    #[inline(always)]
    fn write(&self, part: usize, words: &Part, out: &mut RowMut) {
        let start = part * self.places();
        let sum = or(load(out.words, start), words);
        out.words[start..start + sum.len()].copy_from_slice(&sum);
        out.fresh[part] |= nonzero(words);
    }

    #[inline(always)]
    fn count(&self, row: usize, found: &Found, tally: &mut ByMaterial) {
        let (n, taken) = (self.places(), usize::from(self.taken));
        let here = |(kind, place): (usize, &u8)| usize::from(*place != self.taken) << kind;
        let own: usize = self.placements[row].iter().enumerate().map(here).sum();
        // Where the row's player stands in the middle column, both images are in the row.
        let symmetric = self.mirror(&self.placements[row]) == self.placements[row];
        for (part, words) in found.parts() {
            let words = if symmetric { and(words, &self.halves[part]) } else { *words };
            let wells = |word: u32| u64::from((word & !(1 << taken)).count_ones());
            let others = |word: u32| u64::from(word >> taken & 1);
            let [with, without] = [
                words.iter().map(|&word| (word & !(1 << taken)).count_ones()).sum::<u32>(),
                words.iter().map(|&word| word >> taken & 1).sum(),
            ];
            let material = usize::from(part / n != taken) | usize::from(part % n != taken) << 1;
            let last = words[taken];
            tally.0[own][material] += others(last);
            tally.0[own][material | 8] += wells(last);
            tally.0[own][material | 4] += u64::from(without) - others(last);
            tally.0[own][material | 12] += u64::from(with) - wells(last);
        }
    }
}

/// At least as many as a row has parts.
const CANDIDATES: usize = 21 * 21;

/// The numbers of bits that are set, ascending.
#[inline(always)]
pub(super) fn bits(mut set: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let first = set.trailing_zeros();
        (set != 0).then(|| {
            set &= set - 1;
            first as usize
        })
    })
}

for_each_cpu! {
    fn won(
        sets: &Sets,
        row: usize,
        lost: &Table,
        known: &[u32],
        is_first: bool,
        reached: &mut Reached,
        found: &mut Found,
    ) {
        sets.find_won(row, lost, known, is_first, reached, found);
    }

    fn lost(sets: &Sets, row: usize, won: &Table, known: &[u32], found: &mut Found) {
        sets.find_lost(row, won, known, found);
    }

    fn complete(sets: &Sets, row: usize, found: &Found, out: &mut RowMut) {
        sets.complete(row, found, out);
    }

    fn count(sets: &Sets, row: usize, found: &Found, tally: &mut ByMaterial) {
        sets.count(row, found, tally);
    }
}

impl Rounds for Sets {
    type Tally = ByMaterial;
    type Scratch = Reached;

    fn rows(&self) -> usize {
        self.placements.len()
    }

    fn sections(&self) -> usize {
        self.places()
    }

    fn scratch(&self) -> Reached {
        Reached::new(self.places())
    }

    fn won(
        &self,
        row: usize,
        lost: &Table,
        known: &[u32],
        is_first: bool,
        reached: &mut Reached,
        found: &mut Found,
    ) {
        won(self, row, lost, known, is_first, reached, found);
    }

    fn lost(&self, row: usize, won: &Table, known: &[u32], found: &mut Found) {
        lost(self, row, won, known, found);
    }

    fn complete_won(&self, row: usize, found: &Found, is_first: bool, mut out: RowMut) {
        if is_first {
            self.complete_first(row, &mut out);
        }
        complete(self, row, found, &mut out);
    }

    fn positions(&self, row: usize, found: &mut Found) {
        let (n, occupied) = (self.places(), self.occupied(row));
        for part in 0..n * n {
            found.push(part, self.positions_of(row, occupied, part / n, part % n));
        }
    }

    fn tally(&self, row: usize, found: &Found, tally: &mut ByMaterial) {
        count(self, row, found, tally);
    }

    fn count(&self, tally: &ByMaterial) -> u64 {
        tally.total()
    }

    fn merge(&self, into: &mut ByMaterial, other: ByMaterial) {
        for (into, other) in into.0.iter_mut().flatten().zip(other.0.iter().flatten()) {
            *into += other;
        }
    }
}
