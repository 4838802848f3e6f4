//! The step from a level to the next one, a part at a time: states in, states out.
//!
//! A **part** of a level has all states of each of its rows. What the moves from a row lead to
//! is summed up inside the row, so that each part can be expanded alone, in any order, on any
//! machine; what comes out of it is final and needs only to be laid beside what comes out of
//! the other parts. Nothing here knows where parts are kept.

use super::census::LevelCount;
use super::state::{State, StateKey};
use super::{Options, PlacementGame};
use crate::tally::{Tally, Width};
use num_bigint::BigUint;
use std::collections::BTreeMap;

/// Takes the states of the next level, in no particular order, each once.
pub trait Sink<W, T> {
    /// Why it takes no more.
    type Error;
    /// Takes a state.
    fn send(&mut self, word: W, paths: T) -> Result<(), Self::Error>;
}

/// The tallies of a step, no narrower than those of its level, that hold every sum: each is at most
/// all paths into the level times the largest number of moves.
pub fn width_of_sums(width: Width, paths: &BigUint, max_moves: u32) -> Width {
    Width::holding(&(paths * max_moves)).max(width)
}

/// Expands parts of one level, and counts them.
pub struct Expander<W, T> {
    /// The states expanded so far.
    pub count: LevelCount,
    /// For each score in which some of them are over, the paths that end so and the states.
    pub over: BTreeMap<i32, (T, u64)>,
    /// States sent.
    pub sent: u64,
    /// All paths into the states sent; none before the first.
    pub paths: Option<T>,
    row: RowSums<T>,
    words: Vec<W>,
    merged: Vec<State<W, T>>,
}

impl<W, T> Default for Expander<W, T> {
    fn default() -> Self {
        Expander {
            count: LevelCount::default(),
            over: BTreeMap::new(),
            sent: 0,
            paths: None,
            row: RowSums::default(),
            words: Vec::new(),
            merged: Vec::new(),
        }
    }
}

impl<W: StateKey, T: Tally> Expander<W, T> {
    /// Sends what the moves from a part lead to. Leaves the part sorted.
    pub fn expand<G: PlacementGame<Key = W>, S: Sink<W, T>>(
        &mut self,
        game: &G,
        turn: u32,
        part: &mut [State<W, T>],
        sink: &mut S,
    ) -> Result<(), S::Error> {
        part.sort_unstable_by_key(|&(word, _)| word);
        for states in part.chunk_by(|a, b| a.0.opponent() == b.0.opponent()) {
            let row = game.row(states[0].0.opponent());
            self.sum_row(game, &row, states, turn);
            self.send_row(game, &row, sink)?;
        }
        Ok(())
    }

    /// Sums up what the moves from a row lead to.
    fn sum_row<G: PlacementGame>(
        &mut self,
        game: &G,
        row: &G::Row,
        states: &[State<W, T>],
        turn: u32,
    ) {
        let own = states.iter().map(|(word, _)| word.own());
        let outlook = own.clone().map(|own| game.options(row, own, turn));
        let edges = outlook.clone().map(|placed| match placed {
            Options::Place(cells) => cells.count_ones() as usize,
            Options::Pass => 1,
            Options::Terminal(_) => 0,
        });
        self.row.clear(edges.sum());
        for ((own, placed), (_, paths)) in own.zip(outlook).zip(states) {
            match placed {
                Options::Place(mut cells) => {
                    self.count.count(cells.count_ones() as usize);
                    while cells != 0 {
                        self.row.add(own | (cells & cells.wrapping_neg()), paths);
                        cells &= cells - 1;
                    }
                }
                Options::Pass => {
                    self.count.count(0);
                    self.row.add(own, paths);
                }
                Options::Terminal(score) => {
                    self.count.terminals += 1;
                    let ends = self.over.entry(score);
                    ends.and_modify(|(sum, states)| {
                        sum.add(paths);
                        *states += 1;
                    })
                    .or_insert_with(|| (paths.clone(), 1));
                }
            }
        }
    }

    /// Turns the sums over to the rows of the next level.
    fn send_row<G: PlacementGame<Key = W>, S: Sink<W, T>>(
        &mut self,
        game: &G,
        row: &G::Row,
        sink: &mut S,
    ) -> Result<(), S::Error> {
        let (sets, sums) = (&self.row.sets, &mut self.row.sums);
        self.words.resize(sets.len(), W::default());
        game.canonical_successors(row, sets, &mut self.words);
        for sum in &*sums {
            match &mut self.paths {
                Some(all) => all.add(sum),
                None => self.paths = Some(sum.clone()),
            }
        }
        let mut states = self.words.iter().copied().zip(sums.drain(..));
        if !game.symmetric(row) {
            self.sent += self.words.len() as u64;
            return states.try_for_each(|(word, paths)| sink.send(word, paths));
        }
        self.merged.clear();
        self.merged.extend(states);
        self.merged.sort_unstable_by_key(|&(word, _)| word);
        self.merged.dedup_by(|more, kept| {
            let same = more.0 == kept.0;
            if same {
                kept.1.add(&more.1);
            }
            same
        });
        self.sent += self.merged.len() as u64;
        self.merged.drain(..).try_for_each(|(word, paths)| sink.send(word, paths))
    }
}

/// A row begins with no more slots: most of what moves lead to is led to by several.
const FIRST_SLOTS: usize = 1 << 16;

#[inline(always)]
fn hash(set: u64, shift: u32) -> usize {
    (set.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> shift) as usize
}

/// Sums by the mover's set, for the sets of one row: a small hash table that is cleared often.
struct RowSums<T> {
    /// One more than the set's place in `sets`, or 0, by hash.
    places: Vec<u32>,
    shift: u32,
    sets: Vec<u64>,
    sums: Vec<T>,
}

impl<T> Default for RowSums<T> {
    fn default() -> Self {
        RowSums { places: Vec::new(), shift: 0, sets: Vec::new(), sums: Vec::new() }
    }
}

impl<T: Tally> RowSums<T> {
    /// Empties the table, for at most that many sets.
    fn clear(&mut self, most: usize) {
        self.sets.clear();
        self.sums.clear();
        self.lay_out((most + 1).next_power_of_two().clamp(16, FIRST_SLOTS));
    }

    /// Gives every set its place among so many.
    fn lay_out(&mut self, slots: usize) {
        self.shift = 64 - slots.ilog2();
        self.places.clear();
        self.places.resize(slots, 0);
        for (place, &set) in (1u32..).zip(&self.sets) {
            let mut slot = hash(set, self.shift);
            while self.places[slot] != 0 {
                slot = (slot + 1) & (slots - 1);
            }
            self.places[slot] = place;
        }
    }

    #[inline(always)]
    fn add(&mut self, set: u64, paths: &T) {
        let mut slot = hash(set, self.shift);
        loop {
            match self.places[slot] {
                0 => {
                    self.sets.push(set);
                    self.sums.push(paths.clone());
                    self.places[slot] = self.sets.len() as u32;
                    if self.sets.len() > self.places.len() / 4 * 3 {
                        self.lay_out(2 * self.places.len());
                    }
                    return;
                }
                place if self.sets[place as usize - 1] == set => {
                    self.sums[place as usize - 1].add(paths);
                    return;
                }
                _ => slot = (slot + 1) & (self.places.len() - 1),
            }
        }
    }
}
