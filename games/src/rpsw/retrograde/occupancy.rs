//! Sets of positions in which certain pieces stand at certain places, and the parts of a row.

use super::bit_set::{TrackedSet, nonzero};
use super::layout::{Layout, RowRef};
use super::part::Part;
use super::part::{ZERO, and, load, select};
use crate::rpsw::rules::Piece;

/// The positions in which a piece of certain kinds stands at certain places.
///
/// Such a set has the same words and bits in each part, except that it contains the whole part if
/// the rock or the paper is such a piece.
pub(super) struct Occupancy {
    rocks: u32,
    papers: u32,
    words: Part,
    /// The words that are not zero, a bit each.
    pub nonzero: u32,
}

impl Occupancy {
    /// The places of each kind of piece, a bit each.
    fn new([rocks, papers, scissors, wells]: [u32; 4]) -> Occupancy {
        let words = select(scissors).map(|word| word | wells);
        Occupancy { rocks, papers, words, nonzero: nonzero(&words) }
    }

    /// Whether the set contains the whole part.
    #[inline(always)]
    pub fn is_whole(&self, rock: usize, paper: usize) -> bool {
        self.rocks >> rock & 1 == 1 || self.papers >> paper & 1 == 1
    }

    /// The positions of a part that are in the set.
    #[inline(always)]
    pub fn of(&self, rock: usize, paper: usize, words: &Part) -> Part {
        if self.is_whole(rock, paper) { *words } else { and(words, &self.words) }
    }
}

impl Layout {
    /// The positions in which a piece that `kind` cannot capture stands at a place.
    pub(super) fn blocked(&self, kind: Piece, place: u8) -> Occupancy {
        Occupancy::new(Piece::ALL.map(|other| u32::from(!self.rules.takes(kind, other)) << place))
    }

    /// The positions in which a piece that captures `kind` stands at a place.
    pub(super) fn takers(&self, kind: Piece, place: u8) -> Occupancy {
        Occupancy::new(Piece::ALL.map(|other| u32::from(self.rules.takes(other, kind)) << place))
    }

    /// The positions in which the opponent, who moves, wins by a step onto the home row of the
    /// row's player.
    pub(super) fn through(&self, row: usize) -> Occupancy {
        let here = self.placements[row];
        let opens = |kind: Piece, to: u8| {
            let there = self.rules.board().flipped(to);
            let on = Piece::ALL.into_iter().find(|other| here[other.index()] == there);
            to >= self.taken && on.is_none_or(|on| self.rules.takes(kind, on))
        };
        Occupancy::new(Piece::ALL.map(|kind| {
            let near =
                |place: &u8| self.around[usize::from(*place)].iter().any(|&to| opens(kind, to));
            (0..self.taken).filter(near).map(|place| 1 << place).sum()
        }))
    }

    /// The squares of the row's player as the opponent counts them, a bit each, without those in
    /// the opponent's last row, which the opponent never occupies.
    #[inline(always)]
    pub(super) fn occupied(&self, row: usize) -> u32 {
        let facing = self.pieces(row).filter_map(|(_, square)| self.facing(square));
        facing.fold(0, |all, place| all | 1 << place)
    }

    /// All positions in a part of a row whose `occupied` squares are given.
    #[inline(always)]
    pub(super) fn positions_of(
        &self,
        row: usize,
        occupied: u32,
        rock: usize,
        paper: usize,
    ) -> Part {
        if occupied >> rock & 1 == 1 || occupied >> paper & 1 == 1 {
            return ZERO;
        }
        let apart = &self.apart[usize::from(self.allowed[row])][rock * self.places() + paper];
        let free = select(!occupied);
        std::array::from_fn(|i| apart[i] & free[i] & !occupied)
    }

    /// A part of a row, mirrored if need be. `words` are those of the row.
    #[inline(always)]
    pub(super) fn part_of(
        &self,
        is_mirrored: bool,
        words: &[u32],
        rock: usize,
        paper: usize,
    ) -> Part {
        let n = self.places();
        if !is_mirrored {
            return *load(words, (rock * n + paper) * n);
        }
        let [rock, paper] = [rock, paper].map(|place| usize::from(self.mirrored_places[place]));
        self.board.mirrored(load(words, (rock * n + paper) * n))
    }

    /// The changed sections of a row, mirrored if need be, a bit each.
    #[inline(always)]
    pub(super) fn changed_sections(&self, at: RowRef, set: &TrackedSet) -> u32 {
        let sections = set.changed_sections(at.row);
        if at.mirrored { self.board.mirrored_word(sections) } else { sections }
    }

    /// The changed words of a part of a row, mirrored if need be, a bit each.
    #[inline(always)]
    pub(super) fn changed_words(
        &self,
        at: RowRef,
        set: &TrackedSet,
        rock: usize,
        paper: usize,
    ) -> u32 {
        let (n, changed) = (self.places(), set.changed_words(at.row));
        if !at.mirrored {
            return changed[rock * n + paper];
        }
        let [rock, paper] = [rock, paper].map(|place| usize::from(self.mirrored_places[place]));
        self.board.mirrored_word(changed[rock * n + paper])
    }
}
