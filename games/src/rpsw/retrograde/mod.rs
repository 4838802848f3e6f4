//! All positions as rows of bits, and a whole round of moves at a time.
//!
//! Both players count squares from their own base row, so a position is two placements, the mover's
//! and the other's, and no board is ever turned around. A placement gives each kind an open square,
//! or the number behind the last one if it was taken.
//!
//! A row has the positions with the same pieces of one player: in the table of lost positions the
//! mover's, in the table of won ones the other's. In a row there is a word for each place of the
//! first three kinds of the opponent, and in a word a bit for each place of the fourth. A section of
//! a row is one place of the first kind, a part one of the second. Of two rows that are mirror images one is kept.

mod codes;
pub mod driver;
pub mod journal;
mod part;
mod rounds;

use super::rules::{Kind, Placement, Position, Rules, Square};
use crate::rpsw::retrograde::driver::{LANES, Part};
use arrayvec::ArrayVec;
use part::Board;
use rounds::MOVES;

/// No such row.
const NONE: u32 = u32::MAX;
/// Sets of kinds that a player may still have, a bit each; the first of them is none at all.
pub const MATERIALS: usize = 16;

/// The places of a player's four pieces: a square, or the number behind the last open one.
type Places = [u8; 4];

/// A row, possibly seen in a mirror.
#[derive(Clone, Copy)]
struct Seen {
    row: usize,
    mirrored: bool,
}

/// How many positions there are with each material: the pieces of the row's player, then those of
/// the other one, as bits by kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ByMaterial(pub [[u64; MATERIALS]; MATERIALS]);

impl Default for ByMaterial {
    fn default() -> ByMaterial {
        ByMaterial([[0; MATERIALS]; MATERIALS])
    }
}

impl ByMaterial {
    /// With any material.
    pub fn total(&self) -> u64 {
        self.0.iter().flatten().sum()
    }
}

/// The rows of a game, and how they depend on each other.
pub struct Sets {
    rules: Rules,
    /// Open squares of a player, which is the place of a piece that was taken.
    taken: u8,
    /// The places of each row's player.
    placements: Vec<Places>,
    /// The row of any places, by their code: its number twice, plus one if mirrored; or [`NONE`].
    rows: Vec<u32>,
    /// The squares around each open square.
    around: Vec<ArrayVec<u8, 8>>,
    /// The open ones, a bit each; none around the place of a taken piece.
    near: Vec<u32>,
    board: Board,
    /// The most pieces that the opponent of each row's player has.
    allowed: Vec<u8>,
    /// For each number of pieces, for each part: positions in which no two pieces share a place and
    /// there are not more than that.
    apart: Vec<Vec<Part>>,
    /// For each part: of two positions that are mirror images the one that counts.
    halves: Vec<Part>,
    /// Each place in a mirror.
    mirrored_places: Vec<u8>,
}

impl Sets {
    /// The rows of a game by these rules.
    pub fn new(rules: Rules) -> Sets {
        let taken = rules.open_squares() as u8;
        let around: Vec<ArrayVec<u8, 8>> =
            (0..taken).map(|square| rules.around(square).collect()).collect();
        let open = |squares: &ArrayVec<u8, 8>| {
            squares.iter().filter(|&&to| to < taken).map(|to| 1 << to).sum()
        };
        let near = around.iter().map(open).chain([0]).collect();
        let mut sets = Sets {
            taken,
            placements: Vec::new(),
            rows: Vec::new(),
            around,
            near,
            board: Board::new(&rules),
            allowed: Vec::new(),
            apart: Vec::new(),
            halves: Vec::new(),
            mirrored_places: Vec::new(),
            rules,
        };
        sets.list_mirrored();
        sets.list_rows();
        sets.list_parts();
        sets
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Places of a piece.
    #[inline(always)]
    pub fn places(&self) -> usize {
        usize::from(self.taken) + 1
    }

    fn list_mirrored(&mut self) {
        let mirrored = |place| if place == self.taken { place } else { self.rules.mirrored(place) };
        self.mirrored_places = (0..=self.taken).map(mirrored).collect();
    }

    fn list_rows(&mut self) {
        let count = self.places().pow(4);
        // The opponent has at least one piece.
        let most = self.rules.pieces().min(self.rules.total() - 1);
        self.rows = vec![NONE; count];
        for code in 0..count {
            let places = self.decode(code);
            if !self.is_placement(&places, most) {
                continue;
            }
            let mirror = self.encode(&self.mirror(&places));
            if mirror < code {
                self.rows[code] = self.rows[mirror] | 1;
            } else {
                self.rows[code] = (self.placements.len() as u32) << 1;
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

    fn pieces_at(&self, places: &Places) -> usize {
        places.iter().filter(|place| **place != self.taken).count()
    }

    /// Whether a player can have these places: at least one piece, not too many, no two at one.
    fn is_placement(&self, places: &Places, most: usize) -> bool {
        let alone = |(i, place): (usize, &u8)| *place == self.taken || !places[..i].contains(place);
        places.iter().enumerate().all(alone) && (1..=most).contains(&self.pieces_at(places))
    }

    fn encode(&self, places: &Places) -> usize {
        places.iter().fold(0, |code, &place| code * self.places() + usize::from(place))
    }

    fn decode(&self, mut code: usize) -> Places {
        let mut places = [0; 4];
        for place in places.iter_mut().rev() {
            *place = (code % self.places()) as u8;
            code /= self.places();
        }
        places
    }

    fn mirrored_place(&self, place: u8) -> u8 {
        self.mirrored_places[usize::from(place)]
    }

    fn mirror(&self, places: &Places) -> Places {
        places.map(|place| self.mirrored_place(place))
    }

    /// The row of places that a player can have.
    fn row_of(&self, places: &Places) -> Option<Seen> {
        let found = self.rows[self.encode(places)];
        (found != NONE).then_some(Seen { row: (found >> 1) as usize, mirrored: found & 1 == 1 })
    }

    /// The place where the opponent would stand on a player's square, if it is open to them.
    fn facing(&self, square: u8) -> Option<u8> {
        Some(self.rules.flipped(square)).filter(|&place| place < self.taken)
    }

    /// The pieces of a row's player: kind and square.
    fn pieces(&self, row: usize) -> impl Iterator<Item = (Kind, u8)> + '_ {
        let places = self.placements[row];
        let here = move |kind: Kind| (kind, places[kind.index()]);
        Kind::ALL.into_iter().map(here).filter(|&(_, place)| place != self.taken)
    }

    /// Every move of a row's player: kind, square entered.
    fn moves(&self, row: usize) -> ArrayVec<(Kind, u8), MOVES> {
        let places = self.placements[row];
        // The number of the first square behind the open ones is the place of what was taken.
        let free = |to: &u8| *to >= self.taken || !places.contains(to);
        let moves = self.pieces(row).flat_map(|(kind, from)| {
            let to = self.around[usize::from(from)].iter().copied().filter(free);
            to.map(move |to| (kind, to))
        });
        moves.collect()
    }

    /// The row after one of its player's pieces went to another open square.
    fn after(&self, row: usize, kind: Kind, to: u8) -> Seen {
        let mut places = self.placements[row];
        places[kind.index()] = to;
        self.row_of(&places).expect("the square was free")
    }

    /// The row without one of its player's pieces; none if that was the last.
    fn without(&self, row: usize, kind: Kind) -> Option<Seen> {
        let mut places = self.placements[row];
        places[kind.index()] = self.taken;
        self.row_of(&places)
    }

    /// The bit of a position: row, word, bit; none where the game is over.
    fn place(&self, own: &Places, other: &Places) -> Option<(usize, usize, u32)> {
        let seen = self.row_of(own)?;
        let other = if seen.mirrored { self.mirror(other) } else { *other };
        self.row_of(&other)?;
        let [a, b, c, last] = other;
        Some((seen.row, self.encode(&[0, a, b, c]), u32::from(last)))
    }

    fn as_places(&self, placement: &Placement) -> Option<Places> {
        let place = |square: &Option<Square>| square.unwrap_or(self.taken);
        let open = placement.iter().flatten().all(|&square| square < self.taken);
        open.then(|| std::array::from_fn(|kind| place(&placement[kind])))
    }

    /// Where the tables have a position whose game goes on: row, word, bit in the table of lost
    /// positions, then in the table of won ones.
    pub fn rank(&self, position: &Position) -> Option<[(usize, usize, u32); 2]> {
        let [own, other] = position.seen_by(position.to_move);
        let (own, other) = (self.as_places(&own)?, self.as_places(&other)?);
        if self.pieces_at(&own) + self.pieces_at(&other) > self.rules.total() {
            return None;
        }
        Some([self.place(&own, &other)?, self.place(&other, &own)?])
    }
}
