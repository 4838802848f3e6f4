//! All positions as rows of bits, and a whole round of moves at a time.
//!
//! Both players count squares from their own base row, so a position is two placements, the mover's
//! and the other's, and no board is ever turned around. A placement gives each kind an open square,
//! or the number behind the last one if it was taken.
//!
//! A row has the positions with the same pieces of one player: in the table of lost positions the
//! mover's, in the table of won ones the other's. In a row there is a word for each place of the
//! first three kinds of the opponent, and in a word a bit for each place of the fourth. A part of a
//! row is one place of the first kind. Of two rows that are mirror images one is kept.

use super::rules::{Kind, Placement, Position, Rules, Square};
use crate::solve::retrograde::{Rounds, Rows};

/// No such row.
const NONE: u32 = u32::MAX;
/// A side without pieces, and the lines between materials.
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
    /// The open squares around each open square.
    around: Vec<Vec<u8>>,
    /// For each direction how far bits move, and those that stay on the board.
    steps: Vec<(i32, u32)>,
    /// Words in which no two pieces share a place and there are as many as the rules allow.
    apart: Vec<u32>,
    /// Of two places that are mirror images the one that counts, in each word.
    halves: Vec<u32>,
    /// The material of the first three kinds in each word, as bits.
    material: Vec<u8>,
    /// For each column of the board its bits in a word, and how far they move in a mirror.
    columns: Vec<(u32, i32)>,
}

impl Sets {
    /// The rows of a game by these rules.
    pub fn new(rules: Rules) -> Sets {
        let taken = rules.open_squares() as u8;
        let open = |square: &Square| *square < taken;
        let around = (0..taken).map(|square| rules.around(square).filter(open).collect()).collect();
        let mut sets = Sets {
            taken,
            placements: Vec::new(),
            rows: Vec::new(),
            around,
            steps: steps(&rules),
            apart: Vec::new(),
            halves: Vec::new(),
            material: Vec::new(),
            columns: columns(&rules),
            rules,
        };
        sets.list_rows();
        sets.list_words();
        sets
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Places of a piece.
    fn places(&self) -> usize {
        usize::from(self.taken) + 1
    }

    fn list_rows(&mut self) {
        let count = self.places().pow(4);
        self.rows = vec![NONE; count];
        for code in 0..count {
            let places = self.decode(code);
            if !self.is_placement(&places) {
                continue;
            }
            let mirror = self.encode(&self.mirror(&places));
            if mirror < code {
                self.rows[code] = self.rows[mirror] | 1;
            } else {
                self.rows[code] = (self.placements.len() as u32) << 1;
                self.placements.push(places);
            }
        }
    }

    fn list_words(&mut self) {
        let words = self.places().pow(3);
        for word in 0..words {
            let [_, a, b, c] = self.decode(word);
            let bit = |place: &u8| u32::from(self.is_placement(&[a, b, c, *place])) << place;
            self.apart.push((0..self.taken + 1).map(|place| bit(&place)).sum());
            let counts = |place: &u8| {
                let places = [a, b, c, *place];
                self.encode(&places) <= self.encode(&self.mirror(&places))
            };
            let half = (0..self.taken + 1).filter(counts).map(|place| 1 << place).sum();
            self.halves.push(half);
            let here = |(kind, place): (usize, &u8)| u8::from(*place != self.taken) << kind;
            self.material.push([a, b, c].iter().enumerate().map(here).sum());
        }
    }

    /// Whether a player can have these places: at least one piece, not too many, no two at one.
    fn is_placement(&self, places: &Places) -> bool {
        let here: Vec<&u8> = places.iter().filter(|place| **place != self.taken).collect();
        let apart = here.iter().enumerate().all(|(i, place)| !here[..i].contains(place));
        apart && (1..=self.rules.pieces()).contains(&here.len())
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
        if place == self.taken { place } else { self.rules.mirrored(place) }
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

    /// Every move of a row's player: kind, square left, square entered.
    fn moves(&self, row: usize) -> impl Iterator<Item = (Kind, u8, u8)> + '_ {
        let places = self.placements[row];
        self.pieces(row).flat_map(move |(kind, from)| {
            // The number of the first square behind the open ones is the place of what was taken.
            let free = move |to: &u8| *to >= self.taken || !places.contains(to);
            let to = self.rules.around(from).filter(free);
            to.map(move |to| (kind, from, to)).collect::<Vec<_>>()
        })
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

    /// A word in a mirror.
    fn mirrored_word(&self, word: u32) -> u32 {
        let part = |&(column, by): &(u32, i32)| shifted(word & column, by);
        self.columns.iter().map(part).fold(word & 1 << self.taken, |all, part| all | part)
    }

    /// A set of parts in a mirror.
    fn mirrored_parts(&self, parts: u32) -> u32 {
        self.mirrored_word(parts)
    }

    /// Calls with every word of some parts that has a given place of a kind, as runs of words and
    /// the bits that matter in them.
    fn at(&self, kind: Kind, place: u8, parts: u32, mut each: impl FnMut(usize, usize, u32)) {
        let (n, place) = (self.places(), usize::from(place));
        for part in (0..n).filter(|part| parts >> part & 1 == 1) {
            let start = part * n * n;
            match kind {
                Kind::Rock if part == place => each(start, n * n, u32::MAX),
                Kind::Rock => {}
                Kind::Paper => each(start + place * n, n, u32::MAX),
                Kind::Scissors => {
                    (0..n).for_each(|paper| each(start + paper * n + place, 1, u32::MAX));
                }
                Kind::Well => each(start, n * n, 1 << place),
            }
        }
    }

    /// The distance in words, and in bits, from a place of a kind to the place of a taken one.
    fn to_taken(&self, kind: Kind, place: u8) -> (usize, u32) {
        let (n, by) = (self.places(), usize::from(self.taken - place));
        match kind {
            Kind::Rock => (by * n * n, 0),
            Kind::Paper => (by * n, 0),
            Kind::Scissors => (by, 0),
            Kind::Well => (0, by as u32),
        }
    }

    /// Leaves of each word only positions: nobody stands where the row's player does.
    fn keep_positions(&self, row: usize, parts: u32, out: &mut [u32]) {
        let occupied = self.pieces(row).filter_map(|(_, square)| self.facing(square));
        let occupied: u32 = occupied.map(|place| 1 << place).sum();
        let n = self.places();
        for part in (0..n).filter(|part| parts >> part & 1 == 1) {
            let range = part * n * n..(part + 1) * n * n;
            let words = &mut out[range.clone()];
            if occupied >> part & 1 == 1 {
                words.fill(0);
                continue;
            }
            for (word, apart) in words.iter_mut().zip(&self.apart[range]) {
                *word &= apart & !occupied;
            }
            for place in (0..n).filter(|place| occupied >> place & 1 == 1) {
                words[place * n..(place + 1) * n].fill(0);
                words.iter_mut().skip(place).step_by(n).for_each(|word| *word = 0);
            }
        }
    }

    /// Keeps of `out` what is in a row too, as it is seen.
    fn and(&self, seen: Seen, rows: &Rows, parts: u32, out: &mut [u32]) {
        let (n, row) = (self.places(), rows.row(seen.row));
        for part in (0..n).filter(|part| parts >> part & 1 == 1) {
            let out = &mut out[part * n * n..(part + 1) * n * n];
            if !seen.mirrored {
                let source = &row[part * n * n..(part + 1) * n * n];
                out.iter_mut().zip(source).for_each(|(out, word)| *out &= word);
                continue;
            }
            let part = usize::from(self.mirrored_place(part as u8));
            for (paper, out) in out.chunks_exact_mut(n).enumerate() {
                let paper = usize::from(self.mirrored_place(paper as u8));
                let source = &row[(part * n + paper) * n..][..n];
                for (place, out) in out.iter_mut().enumerate() {
                    let place = usize::from(self.mirrored_place(place as u8));
                    *out &= self.mirrored_word(source[place]);
                }
            }
        }
    }

    /// The words of a row as it is seen.
    fn word(&self, seen: Seen, rows: &Rows, index: usize) -> u32 {
        if !seen.mirrored {
            return rows.row(seen.row)[index];
        }
        let [_, a, b, c] = self.decode(index);
        let [a, b, c] = [a, b, c].map(|place| self.mirrored_place(place));
        let mirror = self.encode(&[0, a, b, c]);
        self.mirrored_word(rows.row(seen.row)[mirror])
    }

    /// What is lost once the other player has moved into these parts: the row itself, and where a
    /// piece of its player was taken the row without it.
    fn reached(&self, row: usize, lost: &Rows, parts: u32, out: &mut [u32]) {
        let n = self.places();
        for part in (0..n).filter(|part| parts >> part & 1 == 1) {
            let range = part * n * n..(part + 1) * n * n;
            out[range.clone()].copy_from_slice(&lost.row(row)[range]);
        }
        for (kind, square) in self.pieces(row) {
            let Some(place) = self.facing(square) else { continue };
            let left = self.without(row, kind);
            for taker in Kind::ALL.into_iter().filter(|&taker| self.rules.takes(taker, kind)) {
                self.at(taker, place, parts, |start, length, bits| {
                    for (i, out) in out[start..start + length].iter_mut().enumerate() {
                        let index = start + i;
                        // Who has no piece left has lost.
                        let all = self.apart[index];
                        *out |= bits & left.map_or(all, |left| self.word(left, lost, index));
                    }
                });
            }
        }
    }

    /// Parts from which a move leads into these.
    fn parts_around(&self, parts: u32) -> u32 {
        parts | self.spread(parts)
    }

    /// Bits beside these on the board.
    fn spread(&self, word: u32) -> u32 {
        let step = |&(by, stays): &(i32, u32)| shifted(word & stays, by);
        self.steps.iter().map(step).fold(0, |all, step| all | step)
    }

    /// Adds positions whose mover wins with one step, or by taking nothing at all.
    fn add_through(&self, row: usize, parts: u32, out: &mut [u32]) {
        let here = self.placements[row];
        for kind in Kind::ALL {
            let opens = |place: &u8| {
                self.rules.around(*place).filter(|&to| to >= self.taken).any(|to| {
                    let there = self.rules.flipped(to);
                    let on = Kind::ALL.into_iter().find(|other| here[other.index()] == there);
                    on.is_none_or(|on| self.rules.takes(kind, on))
                })
            };
            for place in (0..self.taken).filter(opens) {
                self.at(kind, place, parts, |start, length, bits| {
                    out[start..start + length].iter_mut().for_each(|word| *word |= bits);
                });
            }
        }
    }

    /// Leaves only positions in which a piece that cannot be taken by that kind stands there.
    fn keep_blocked(&self, kind: Kind, place: u8, parts: u32, out: &mut [u32]) {
        let n = self.places();
        let mut blocked = vec![0; out.len()];
        for other in Kind::ALL.into_iter().filter(|&other| !self.rules.takes(kind, other)) {
            self.at(other, place, parts, |start, length, bits| {
                blocked[start..start + length].iter_mut().for_each(|word| *word |= bits);
            });
        }
        for part in (0..n).filter(|part| parts >> part & 1 == 1) {
            let range = part * n * n..(part + 1) * n * n;
            let words = out[range.clone()].iter_mut().zip(&blocked[range]);
            words.for_each(|(out, blocked)| *out &= blocked);
        }
    }

    /// Takes positions away in which the row's player cannot move at all.
    fn remove_stalemates(&self, row: usize, parts: u32, out: &mut [u32]) {
        let mut targets: Vec<u8> = self.moves(row).map(|(_, _, to)| to).collect();
        targets.sort_unstable();
        targets.dedup();
        let open = targets.iter().any(|&to| self.rules.flipped(to) >= self.taken);
        if targets.len() > self.rules.pieces() || open {
            return; // there are not enough pieces in the way
        }
        let mut stuck = vec![u32::MAX; out.len()];
        for (kind, _, to) in self.moves(row) {
            self.keep_blocked(kind, self.rules.flipped(to), parts, &mut stuck);
        }
        out.iter_mut().zip(&stuck).for_each(|(out, stuck)| *out &= !stuck);
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
        Some([self.place(&own, &other)?, self.place(&other, &own)?])
    }
}

/// A word moved by that many bits, up if it is positive.
#[inline]
fn shifted(word: u32, by: i32) -> u32 {
    if by >= 0 { word << by } else { word >> -by }
}

/// For each of eight directions how far a square is, and which squares have it.
fn steps(rules: &Rules) -> Vec<(i32, u32)> {
    let cols = rules.cols() as i32;
    let open = rules.open_squares() as i32;
    let mut steps = Vec::new();
    for (up, right) in [(0, 1), (1, -1), (1, 0), (1, 1), (0, -1), (-1, 1), (-1, 0), (-1, -1)] {
        let by = up * cols + right;
        let stays = |square: &i32| {
            (0..cols).contains(&(square % cols + right)) && (0..open).contains(&(square + by))
        };
        let squares = (0..open).filter(stays).map(|square| 1 << square).sum();
        steps.push((by, squares));
    }
    steps
}

fn columns(rules: &Rules) -> Vec<(u32, i32)> {
    let cols = rules.cols();
    let column = |col: usize| {
        let squares = (0..rules.open_squares()).filter(|square| square % cols == col);
        let bits = squares.map(|square| 1 << square).sum();
        (bits, cols as i32 - 1 - 2 * col as i32)
    };
    (0..cols).map(column).collect()
}

impl Rounds for Sets {
    type Tally = ByMaterial;

    fn rows(&self) -> usize {
        self.placements.len()
    }

    fn words(&self) -> usize {
        self.places().pow(3)
    }

    fn parts(&self) -> usize {
        self.places()
    }

    fn won_parts(&self, row: usize, lost: &[u32]) -> u32 {
        let mut parts = lost[row];
        for (kind, square) in self.pieces(row) {
            if self.facing(square).is_none() {
                continue;
            }
            if let Some(Seen { row, mirrored }) = self.without(row, kind) {
                parts |= if mirrored { self.mirrored_parts(lost[row]) } else { lost[row] };
            }
        }
        self.parts_around(parts)
    }

    fn won(&self, row: usize, lost: &Rows, parts: u32, out: &mut [u32]) {
        let n = self.places();
        let mut reached = vec![0; out.len()];
        self.reached(row, lost, self.parts_around(parts), &mut reached);
        for part in (0..n).filter(|part| parts >> part & 1 == 1) {
            let here = &reached[part * n * n..(part + 1) * n * n];
            let out = &mut out[part * n * n..(part + 1) * n * n];
            // The last kind moves inside each word.
            for (out, &word) in out.iter_mut().zip(here) {
                *out = self.spread(word);
            }
            for (place, around) in self.around.iter().enumerate() {
                for &to in around {
                    let to = usize::from(to);
                    if place == part {
                        let there = &reached[to * n * n..(to + 1) * n * n];
                        out.iter_mut().zip(there).for_each(|(out, word)| *out |= word);
                    }
                    let there = &here[to * n..(to + 1) * n];
                    let out = &mut out[place * n..(place + 1) * n];
                    out.iter_mut().zip(there).for_each(|(out, word)| *out |= word);
                }
            }
            for (out, here) in out.chunks_exact_mut(n).zip(here.chunks_exact(n)) {
                for (place, around) in self.around.iter().enumerate() {
                    for &to in around {
                        out[place] |= here[usize::from(to)];
                    }
                }
            }
        }
        self.add_through(row, parts, out);
        self.keep_positions(row, parts, out);
    }

    fn lost_parts(&self, row: usize, won: &[u32]) -> u32 {
        let mut parts = 0;
        for (kind, _, to) in self.moves(row).filter(|&(_, _, to)| to < self.taken) {
            let Seen { row, mirrored } = self.after(row, kind, to);
            parts |= if mirrored { self.mirrored_parts(won[row]) } else { won[row] };
        }
        parts
    }

    fn lost(&self, row: usize, won: &Rows, parts: u32, out: &mut [u32]) {
        out.fill(u32::MAX);
        for (kind, _, to) in self.moves(row) {
            match to < self.taken {
                true => self.and(self.after(row, kind, to), won, parts, out),
                false => self.keep_blocked(kind, self.rules.flipped(to), parts, out),
            }
        }
        self.remove_stalemates(row, parts, out);
        self.keep_positions(row, parts, out);
    }

    /// Where the opponent stands on a square of the row's player: as after being taken there, or
    /// won, since the move there is not legal, by a piece that does not take it.
    fn complete_won(&self, row: usize, parts: u32, words: &mut [u32]) -> u32 {
        let mut changed = parts;
        for (kind, square) in self.pieces(row) {
            let Some(place) = self.facing(square) else { continue };
            for other in Kind::ALL {
                let takes = self.rules.takes(kind, other);
                if takes && other == Kind::Rock && parts >> self.taken & 1 == 1 {
                    changed |= 1 << place;
                }
                let parts = if other == Kind::Rock { u32::MAX } else { parts };
                let (ahead, bits_ahead) = self.to_taken(other, place);
                self.at(other, place, parts, |start, length, bits| {
                    for index in start..start + length {
                        let then = words[index + ahead] >> bits_ahead;
                        words[index] = match takes {
                            true => words[index] & !bits | then & bits,
                            false => words[index] | bits,
                        };
                    }
                });
            }
        }
        changed
    }

    fn positions(&self, row: usize, out: &mut [u32]) {
        out.fill(u32::MAX);
        self.keep_positions(row, u32::MAX, out);
    }

    fn tally(&self, row: usize, part: usize, words: &[u32], tally: &mut ByMaterial) {
        let here = |(kind, place): (usize, &u8)| usize::from(*place != self.taken) << kind;
        let own: usize = self.placements[row].iter().enumerate().map(here).sum();
        let taken = 1 << self.taken;
        let start = part * words.len();
        // Where the row's player stands in the middle column, both images are in the row.
        let symmetric = self.mirror(&self.placements[row]) == self.placements[row];
        for (i, (&word, &material)) in words.iter().zip(&self.material[start..]).enumerate() {
            let word = if symmetric { word & self.halves[start + i] } else { word };
            let material = usize::from(material);
            tally.0[own][material] += u64::from((word & taken).count_ones());
            tally.0[own][material | 8] += u64::from((word & !taken).count_ones());
        }
    }

    fn merge(&self, into: &mut ByMaterial, other: ByMaterial) {
        for (into, other) in into.0.iter_mut().flatten().zip(other.0.iter().flatten()) {
            *into += other;
        }
    }
}
