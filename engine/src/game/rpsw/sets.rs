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
use std::ops::Range;

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
    /// The open squares around each open square.
    around: Vec<Vec<u8>>,
    /// For each direction how bits of a word move.
    steps: [Shift; 8],
    /// The same from word to word.
    neighbours: Neighbours,
    /// Words in which no two pieces share a place and there are as many as the rules allow.
    apart: Vec<u32>,
    /// Of two places that are mirror images the one that counts, in each word.
    halves: Vec<u32>,
    /// The material of the first three kinds in each word, as bits.
    material: Vec<u8>,
    /// For each column of the board how its bits move in a mirror.
    columns: [Shift; 4],
    /// Each place in a mirror.
    mirrored_places: Vec<u8>,
    /// Each word of a row in a mirror.
    mirrored_words: Vec<u16>,
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
            neighbours: Neighbours::new(&rules),
            apart: Vec::new(),
            halves: Vec::new(),
            material: Vec::new(),
            columns: columns(&rules),
            mirrored_places: Vec::new(),
            mirrored_words: Vec::new(),
            rules,
        };
        sets.list_mirrored();
        sets.list_rows();
        sets.list_words();
        sets
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Places of a piece: its open squares, and one for being taken.
    pub fn places(&self) -> usize {
        usize::from(self.taken) + 1
    }

    fn list_mirrored(&mut self) {
        let mirrored = |place| if place == self.taken { place } else { self.rules.mirrored(place) };
        self.mirrored_places = (0..=self.taken).map(mirrored).collect();
        let word = |word: usize| {
            let [_, a, b, c] = self.decode(word);
            let [a, b, c] = [a, b, c].map(|place| self.mirrored_place(place));
            self.encode(&[0, a, b, c]) as u16
        };
        self.mirrored_words = (0..self.places().pow(3)).map(word).collect();
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
    #[inline]
    fn mirrored_word(&self, word: u32) -> u32 {
        let [a, b, c, d] = self.columns.map(|column| column.of(word));
        word & 1 << self.taken | a | b | c | d
    }

    /// Of these parts of each row those of one, as it is seen.
    fn parts_of(&self, seen: Seen, parts: &[u32]) -> u32 {
        let parts = parts[seen.row];
        if seen.mirrored { self.mirrored_word(parts) } else { parts }
    }

    /// Each of these parts with its words of a row.
    fn ranges(&self, parts: u32) -> impl Iterator<Item = (usize, Range<usize>)> + use<> {
        let (count, length) = (self.places(), self.places().pow(2));
        let range = move |part| (part, part * length..(part + 1) * length);
        (0..count).filter(move |part| parts >> part & 1 == 1).map(range)
    }

    /// Calls with every word of some parts that has a given place of a kind, as runs of words and
    /// the bits that matter in them.
    fn at(&self, kind: Kind, place: u8, parts: u32, mut each: impl FnMut(usize, usize, u32)) {
        let (n, place) = (self.places(), usize::from(place));
        for (part, Range { start, .. }) in self.ranges(parts) {
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
        for (part, range) in self.ranges(parts) {
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

    /// Keeps of a part what is in the same part of a row too, as it is seen; tells whether anything
    /// is left.
    fn and(&self, seen: Seen, rows: &Rows, part: usize, out: &mut [u32]) -> bool {
        let (n, row) = (self.places(), rows.row(seen.row));
        let mut left = 0;
        if !seen.mirrored {
            for (out, word) in out.iter_mut().zip(&row[part * n * n..]) {
                *out &= word;
                left |= *out;
            }
            return left != 0;
        }
        let part = usize::from(self.mirrored_places[part]);
        for (out, &paper) in out.chunks_exact_mut(n).zip(&self.mirrored_places) {
            let source = &row[(part * n + usize::from(paper)) * n..][..n];
            let mut turned = [0; LANES];
            for (word, &place) in turned.iter_mut().zip(&self.mirrored_places) {
                *word = source[usize::from(place)];
            }
            let turned = turned.map(|word| self.mirrored_word(word));
            for (out, word) in out.iter_mut().zip(turned) {
                *out &= word;
                left |= *out;
            }
        }
        left != 0
    }

    /// A word of a row as it is seen.
    fn word(&self, seen: Seen, rows: &Rows, index: usize) -> u32 {
        match seen.mirrored {
            false => rows.row(seen.row)[index],
            true => self.mirrored_word(rows.row(seen.row)[usize::from(self.mirrored_words[index])]),
        }
    }

    /// What is lost once the other player has moved into these parts: the row itself, and where a
    /// piece of its player was taken the row without it.
    fn reached(&self, row: usize, lost: &Rows, parts: u32, out: &mut [u32]) {
        for (_, range) in self.ranges(parts) {
            out[range.clone()].copy_from_slice(&lost.row(row)[range]);
        }
        for (kind, square) in self.pieces(row) {
            let Some(place) = self.facing(square) else { continue };
            let left = self.without(row, kind);
            for taker in Kind::ALL.into_iter().filter(|&taker| self.rules.takes(taker, kind)) {
                self.at(taker, place, parts, |start, length, bits| {
                    let out = out[start..start + length].iter_mut();
                    let source = match left {
                        // Who has no piece left has lost.
                        None => &self.apart,
                        Some(Seen { row, mirrored: false }) => lost.row(row),
                        Some(seen) => {
                            let words = out.enumerate();
                            return words.for_each(|(i, out)| {
                                *out |= self.word(seen, lost, start + i) & bits;
                            });
                        }
                    };
                    let words = out.zip(&source[start..]);
                    words.for_each(|(out, word)| *out |= word & bits);
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
        self.steps.iter().fold(0, |all, step| all | step.of(word))
    }

    /// Adds positions whose mover wins with one step onto the other player's base row.
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
        let (n, place) = (self.places(), usize::from(place));
        let stops = Kind::ALL.map(|other| !self.rules.takes(kind, other));
        let [rock, paper, scissors, well] = stops;
        let bits = u32::from(well) << place;
        for (_, range) in self.ranges(parts).filter(|&(part, _)| !(rock && part == place)) {
            let words = &mut out[range];
            for (at, words) in words.chunks_exact_mut(n).enumerate() {
                if paper && at == place {
                    continue;
                }
                let kept = words[place];
                words.iter_mut().for_each(|word| *word &= bits);
                if scissors {
                    words[place] = kept;
                }
            }
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

    /// Rows of a table.
    pub fn row_count(&self) -> usize {
        self.placements.len()
    }

    /// The row of a position whose game goes on in the table of lost positions, and its number in
    /// there: its word times the places, plus its bit.
    pub fn code(&self, position: &Position) -> Option<(usize, u32)> {
        let [(row, word, bit), _] = self.rank(position)?;
        Some((row, (word * self.places()) as u32 + bit))
    }

    /// The position with a code, the first player to move, if there is one.
    pub fn position(&self, row: usize, code: u32) -> Option<Position> {
        let (own, other) = (self.placements[row], self.decode(code as usize));
        let apart = |place: &u8| self.facing(*place).is_none_or(|there| !own.contains(&there));
        let count = |places: &Places| places.iter().filter(|place| **place != self.taken).count();
        let here = other.iter().filter(|place| **place != self.taken);
        let is_position = self.is_placement(&other)
            && here.clone().all(apart)
            && count(&own) + count(&other) <= self.rules.total();
        let placement = |places: Places| places.map(|place| (place != self.taken).then_some(place));
        let pieces = [placement(own), placement(other)];
        is_position.then_some(Position { pieces, to_move: crate::game::Player::First })
    }

    /// Of positions of a row of won ones, the row's player not to move, calls with row and code of
    /// those that are not lost.
    pub fn not_lost(
        &self,
        row: usize,
        positions: &[u32],
        lost: &Rows,
        mut each: impl FnMut(u32, u32),
    ) {
        let (n, here) = (self.places(), self.placements[row]);
        let codes = [here, self.mirror(&here)].map(|places| self.encode(&places));
        for (word, &bits) in positions.iter().enumerate().filter(|&(_, &bits)| bits != 0) {
            for bit in (0..n).filter(|bit| bits >> bit & 1 == 1) {
                let seen = self.rows[word * n + bit];
                let (row, code) = ((seen >> 1) as usize, codes[(seen & 1) as usize]);
                if lost.row(row)[code / n] >> (code % n) & 1 == 0 {
                    each(row as u32, code as u32);
                }
            }
        }
    }
}

/// Bits of a word that move together, up or down.
#[derive(Clone, Copy, Default)]
struct Shift {
    bits: u32,
    up: u32,
    down: u32,
}

impl Shift {
    /// Bits that move up by so many places, down if negative.
    fn new(bits: u32, by: i32) -> Shift {
        Shift { bits, up: by.max(0) as u32, down: (-by).max(0) as u32 }
    }

    #[inline]
    fn of(&self, word: u32) -> u32 {
        (word & self.bits) << self.up >> self.down
    }
}

/// For each of eight directions how bits move that stay on the board.
fn steps(rules: &Rules) -> [Shift; 8] {
    let cols = rules.cols() as i32;
    let open = rules.open_squares() as i32;
    let directions = [(0, 1), (1, -1), (1, 0), (1, 1), (0, -1), (-1, 1), (-1, 0), (-1, -1)];
    directions.map(|(up, right)| {
        let by = up * cols + right;
        let stays = |square: &i32| {
            (0..cols).contains(&(square % cols + right)) && (0..open).contains(&(square + by))
        };
        Shift::new((0..open).filter(stays).map(|square| 1 << square).sum(), by)
    })
}

fn columns(rules: &Rules) -> [Shift; 4] {
    let cols = rules.cols();
    std::array::from_fn(|col| {
        let squares = (0..rules.open_squares()).filter(|square| square % cols == col);
        let bits = squares.map(|square| 1 << square).sum();
        Shift::new(bits, cols as i32 - 1 - 2 * col as i32)
    })
}

/// At least as many words as there are places of a piece; some more, for the machine's sake.
const LANES: usize = 24;
/// Room beside them for a step over the edge.
const EDGE: usize = 8;

/// Steps from word to word, where each word is a place: ones where a step stays on the board.
struct Neighbours {
    cols: usize,
    taken: usize,
    open: [u32; LANES],
    from_left: [u32; LANES],
    from_right: [u32; LANES],
}

impl Neighbours {
    fn new(rules: &Rules) -> Neighbours {
        let (cols, taken) = (rules.cols(), rules.open_squares());
        let all = |stays: &dyn Fn(usize) -> bool| {
            std::array::from_fn(|place| if place < taken && stays(place) { u32::MAX } else { 0 })
        };
        Neighbours {
            cols,
            taken,
            open: all(&|_| true),
            from_left: all(&|place| place % cols > 0),
            from_right: all(&|place| place % cols + 1 < cols),
        }
    }

    /// Adds to each word those of the places around it.
    #[inline]
    fn add(&self, words: &[u32], out: &mut [u32]) {
        let mut line = [0; EDGE + LANES + EDGE];
        line[EDGE..EDGE + self.taken].copy_from_slice(&words[..self.taken]);
        let at = |from: usize| -> &[u32; LANES] {
            line[from..from + LANES].try_into().expect("so many words")
        };
        let [below, here, above] = [EDGE - self.cols, EDGE, EDGE + self.cols]
            .map(|row| [at(row - 1), at(row), at(row + 1)]);
        let around: [u32; LANES] = std::array::from_fn(|i| {
            let left = below[0][i] | here[0][i] | above[0][i];
            let right = below[2][i] | here[2][i] | above[2][i];
            let column = below[1][i] | above[1][i];
            self.open[i] & column | self.from_left[i] & left | self.from_right[i] & right
        });
        out.iter_mut().zip(around).for_each(|(out, around)| *out |= around);
    }
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
            if let Some(seen) = self.without(row, kind) {
                parts |= self.parts_of(seen, lost);
            }
        }
        self.parts_around(parts)
    }

    fn won(&self, row: usize, lost: &Rows, parts: u32, out: &mut [u32]) {
        let n = self.places();
        let mut reached = vec![0; out.len()];
        self.reached(row, lost, self.parts_around(parts), &mut reached);
        for (part, range) in self.ranges(parts) {
            let here = &reached[range.clone()];
            let out = &mut out[range];
            // The last kind moves inside each word.
            out.fill(0);
            for step in &self.steps {
                out.iter_mut().zip(here).for_each(|(out, &word)| *out |= step.of(word));
            }
            for &to in self.around.get(part).into_iter().flatten() {
                let there = &reached[usize::from(to) * n * n..][..n * n];
                out.iter_mut().zip(there).for_each(|(out, word)| *out |= word);
            }
            for (place, around) in self.around.iter().enumerate() {
                let out = &mut out[place * n..(place + 1) * n];
                for &to in around {
                    let there = &here[usize::from(to) * n..][..n];
                    out.iter_mut().zip(there).for_each(|(out, word)| *out |= word);
                }
            }
            for (out, here) in out.chunks_exact_mut(n).zip(here.chunks_exact(n)) {
                self.neighbours.add(here, out);
            }
        }
        self.keep_positions(row, parts, out);
    }

    fn won_at_once(&self, row: usize, out: &mut [u32]) {
        self.add_through(row, u32::MAX, out);
        self.keep_positions(row, u32::MAX, out);
    }

    fn lost_parts(&self, row: usize, won: &[u32]) -> u32 {
        let mut parts = 0;
        for (kind, _, to) in self.moves(row).filter(|&(_, _, to)| to < self.taken) {
            parts |= self.parts_of(self.after(row, kind, to), won);
        }
        parts
    }

    fn lost(&self, row: usize, won: &Rows, parts: u32, out: &mut [u32]) {
        out.fill(u32::MAX);
        let (inside, through): (Vec<_>, Vec<_>) =
            self.moves(row).partition(|&(_, _, to)| to < self.taken);
        for (kind, _, to) in through {
            self.keep_blocked(kind, self.rules.flipped(to), parts, out);
        }
        let after: Vec<Seen> =
            inside.into_iter().map(|(kind, _, to)| self.after(row, kind, to)).collect();
        for (part, range) in self.ranges(parts) {
            // Until nothing is left.
            let _ = after.iter().all(|&seen| self.and(seen, won, part, &mut out[range.clone()]));
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
            if word == 0 {
                continue;
            }
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
