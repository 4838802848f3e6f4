//! The rows of a game, and the moves between them.

use super::part::{LANES, Part, PartBoard};
use crate::rpsw::rules::{Piece, Rules};
use arrayvec::ArrayVec;

/// The code of a row that does not exist.
const NONE: u32 = u32::MAX;
/// An upper bound on the number of moves in a position.
pub(super) const MOVES: usize = 32;

/// The places of a player's rock, paper, scissors and well: a square, or the number after the last
/// open square if the piece was captured.
pub(super) type Places = [u8; 4];

/// A row, mirrored or not.
#[derive(Clone, Copy)]
pub(super) struct RowRef {
    pub row: usize,
    pub mirrored: bool,
}

/// The layout of the bit sets of a game, which maps bits to positions.
pub struct Layout {
    pub(super) rules: Rules,
    /// The number of open squares of a player, which is the place of a captured piece.
    pub(super) taken: u8,
    /// The places of each row's player.
    pub(super) placements: Vec<Places>,
    /// By the code of places: twice the number of the row, plus one if it is mirrored; or [`NONE`].
    pub(super) row_of_code: Vec<u32>,
    /// The squares around each open square.
    pub(super) around: Vec<ArrayVec<u8, 8>>,
    /// The open squares around each open square, a bit each; none around the place of a captured
    /// piece.
    pub(super) near: Vec<u32>,
    pub(super) board: PartBoard,
    /// The greatest number of pieces that the opponent of each row's player may have.
    pub(super) allowed: Vec<u8>,
    /// By number of pieces and part: positions with at most that many pieces, no two on one square.
    pub(super) apart: Vec<Vec<Part>>,
    /// By part: one of each two mirror images.
    pub(super) halves: Vec<Part>,
    /// The mirror image of each place.
    pub(super) mirrored_places: Vec<u8>,
}

impl Layout {
    /// The layout for a game by these rules.
    pub fn new(rules: Rules) -> Layout {
        let taken = rules.board().open_squares() as u8;
        let around: Vec<ArrayVec<u8, 8>> =
            (0..taken).map(|square| rules.board().around(square).collect()).collect();
        let open = |squares: &ArrayVec<u8, 8>| {
            squares.iter().filter(|&&to| to < taken).map(|to| 1 << to).sum()
        };
        let near = around.iter().map(open).chain([0]).collect();
        let mirrored = |place| if place == taken { place } else { rules.board().mirrored(place) };
        let mut layout = Layout {
            taken,
            placements: Vec::new(),
            row_of_code: Vec::new(),
            around,
            near,
            board: PartBoard::new(&rules),
            allowed: Vec::new(),
            apart: Vec::new(),
            halves: Vec::new(),
            mirrored_places: (0..=taken).map(mirrored).collect(),
            rules,
        };
        layout.list_rows();
        layout.list_parts();
        layout
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The number of rows of a bit set.
    pub fn rows(&self) -> usize {
        self.placements.len()
    }

    /// The number of places of a piece, at most 21.
    #[inline(always)]
    pub fn places(&self) -> usize {
        usize::from(self.taken) + 1
    }

    /// The pieces of a row's player, with a bit for each.
    pub fn material(&self, row: usize) -> usize {
        let here = |(kind, place): (usize, &u8)| usize::from(*place != self.taken) << kind;
        self.placements[row].iter().enumerate().map(here).sum()
    }

    fn list_rows(&mut self) {
        let count = self.places().pow(4);
        // The opponent has at least one piece.
        let most = self.rules.pieces().min(self.rules.total() - 1);
        self.row_of_code = vec![NONE; count];
        for code in 0..count {
            let places = self.decode(code);
            if !self.is_placement(&places, most) {
                continue;
            }
            let mirror = self.encode(&self.mirror(&places));
            if mirror < code {
                self.row_of_code[code] = self.row_of_code[mirror] | 1;
            } else {
                self.row_of_code[code] = (self.placements.len() as u32) << 1;
                self.placements.push(places);
                let left = self.rules.total() - self.pieces_at(&places);
                self.allowed.push(self.rules.pieces().min(left) as u8);
            }
        }
    }

    fn list_parts(&mut self) {
        let words = |is_in: &dyn Fn(&Places) -> bool| {
            let n = self.places();
            let mut parts = vec![[0; LANES]; n * n];
            for code in 0..n.pow(4) {
                let places = self.decode(code);
                if is_in(&places) {
                    let [.., scissors, well] = places;
                    parts[code / (n * n)][usize::from(scissors)] |= 1 << well;
                }
            }
            parts
        };
        let most = 0..=self.rules.pieces();
        let apart = most.map(|most| words(&|places| self.is_placement(places, most))).collect();
        let half = words(&|places| self.encode(places) <= self.encode(&self.mirror(places)));
        (self.apart, self.halves) = (apart, half);
    }

    /// All places, a bit each.
    #[inline(always)]
    pub(super) fn all_places(&self) -> u32 {
        (1 << self.places()) - 1
    }

    pub(super) fn pieces_at(&self, places: &Places) -> usize {
        places.iter().filter(|place| **place != self.taken).count()
    }

    /// Whether a player can have these places: 1 to `most` pieces, no two on one square.
    pub(super) fn is_placement(&self, places: &Places, most: usize) -> bool {
        let alone = |(i, place): (usize, &u8)| *place == self.taken || !places[..i].contains(place);
        places.iter().enumerate().all(alone) && (1..=most).contains(&self.pieces_at(places))
    }

    /// The code of places: a number with a digit for each place.
    pub(super) fn encode(&self, places: &Places) -> usize {
        places.iter().fold(0, |code, &place| code * self.places() + usize::from(place))
    }

    pub(super) fn decode(&self, mut code: usize) -> Places {
        let mut places = [0; 4];
        for place in places.iter_mut().rev() {
            *place = (code % self.places()) as u8;
            code /= self.places();
        }
        places
    }

    pub(super) fn mirror(&self, places: &Places) -> Places {
        places.map(|place| self.mirrored_places[usize::from(place)])
    }

    /// The row of these places; none if a player cannot have them.
    pub(super) fn row_of(&self, places: &Places) -> Option<RowRef> {
        let found = self.row_of_code[self.encode(places)];
        (found != NONE).then_some(RowRef { row: (found >> 1) as usize, mirrored: found & 1 == 1 })
    }

    /// A square of a player as the opponent counts, if it is open to the opponent.
    pub(super) fn facing(&self, square: u8) -> Option<u8> {
        Some(self.rules.board().flipped(square)).filter(|&place| place < self.taken)
    }

    /// The pieces of a row's player, each with its square.
    pub(super) fn pieces(&self, row: usize) -> impl Iterator<Item = (Piece, u8)> + '_ {
        let places = self.placements[row];
        let here = move |kind: Piece| (kind, places[kind.index()]);
        Piece::ALL.into_iter().map(here).filter(|&(_, place)| place != self.taken)
    }

    /// The moves of a row's player on an otherwise empty board: the piece, and the square entered.
    pub(super) fn moves(&self, row: usize) -> ArrayVec<(Piece, u8), MOVES> {
        let places = self.placements[row];
        // The place of a captured piece has the number of the first square that is not open.
        let free = |to: &u8| *to >= self.taken || !places.contains(to);
        let moves = self.pieces(row).flat_map(|(kind, from)| {
            let to = self.around[usize::from(from)].iter().copied().filter(free);
            to.map(move |to| (kind, to))
        });
        moves.collect()
    }

    /// The row after a piece of a row's player moved to an empty open square.
    pub(super) fn after(&self, row: usize, kind: Piece, to: u8) -> RowRef {
        let mut places = self.placements[row];
        places[kind.index()] = to;
        self.row_of(&places).expect("the square was empty")
    }

    /// The row without a piece of its player; none if it was the last one.
    pub(super) fn without(&self, row: usize, kind: Piece) -> Option<RowRef> {
        let mut places = self.placements[row];
        places[kind.index()] = self.taken;
        self.row_of(&places)
    }
}

/// The numbers of the bits that are set, in ascending order.
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
