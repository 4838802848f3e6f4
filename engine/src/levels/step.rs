//! Expands one partition of a level into states of the next level.
//!
//! A **partition** contains whole rows. All predecessors of a state lie in one row, so the states
//! produced from a partition are final: no other partition, thread or machine produces the same
//! state, and nothing needs to be merged afterwards. This module is independent of where partitions
//! are stored.

use super::census::LevelCount;
use super::game::{Options, PlacementGame};
use super::state::{State, StateKey};
use crate::tally::{Tally, Width};
use num_bigint::BigUint;
use std::collections::BTreeMap;

/// Receives the states of the next level, each once, in no particular order.
pub trait Sink<K, T> {
    /// The reason why no more states can be taken.
    type Error;
    /// Takes a state.
    fn push(&mut self, key: K, paths: T) -> Result<(), Self::Error>;
}

/// The narrowest tallies, at least as wide as `width`, that hold every sum of a step. A sum is at
/// most the number of all paths into the level times the largest number of moves.
pub fn width_of_sums(width: Width, paths: &BigUint, max_moves: u32) -> Width {
    Width::holding(&(paths * max_moves)).max(width)
}

/// Expands partitions of one level, and counts their states.
#[derive(Default)]
pub struct Expander<K, T> {
    /// The states expanded so far, by their number of moves.
    pub count: LevelCount,
    /// The paths into terminal states, and the number of those states, for each score.
    pub terminals: BTreeMap<i32, (T, u64)>,
    /// The number of states produced.
    pub produced: u64,
    /// The sum of their paths.
    pub paths: T,
    row: RowSums<T>,
    keys: Vec<K>,
    merged: Vec<State<K, T>>,
}

impl<K: StateKey, T: Tally> Expander<K, T> {
    /// Passes the successors of a partition to a sink. Leaves the partition sorted.
    pub fn expand<G: PlacementGame<Key = K>, S: Sink<K, T>>(
        &mut self,
        game: &G,
        turn: u32,
        partition: &mut [State<K, T>],
        sink: &mut S,
    ) -> Result<(), S::Error> {
        partition.sort_unstable_by_key(|&(key, _)| key);
        for states in partition.chunk_by(|a, b| a.0.opponent() == b.0.opponent()) {
            let row = game.row(states[0].0.opponent());
            self.sum_row(game, &row, states, turn);
            self.push_row(game, &row, sink)?;
        }
        Ok(())
    }

    /// Sums the paths of equal successors of a row.
    fn sum_row<G: PlacementGame>(
        &mut self,
        game: &G,
        row: &G::Row,
        states: &[State<K, T>],
        turn: u32,
    ) {
        let own = states.iter().map(|(key, _)| key.own());
        let options = own.clone().map(|own| game.options(row, own, turn));
        let edges = options.clone().map(|options| match options {
            Options::Place(cells) => cells.count_ones() as usize,
            Options::Pass => 1,
            Options::Terminal(_) => 0,
        });
        self.row.clear(edges.sum());
        for ((own, options), (_, paths)) in own.zip(options).zip(states) {
            match options {
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
                    let (sum, states) = self.terminals.entry(score).or_default();
                    sum.add(paths);
                    *states += 1;
                }
            }
        }
    }

    /// Passes the successors of a row, in canonical form, to a sink.
    fn push_row<G: PlacementGame<Key = K>, S: Sink<K, T>>(
        &mut self,
        game: &G,
        row: &G::Row,
        sink: &mut S,
    ) -> Result<(), S::Error> {
        let (sets, sums) = (&self.row.sets, &mut self.row.sums);
        self.keys.resize(sets.len(), K::default());
        game.canonical_successors(row, sets, &mut self.keys);
        sums.iter().for_each(|sum| self.paths.add(sum));
        let mut states = self.keys.iter().copied().zip(sums.drain(..));
        if !game.symmetric(row) {
            self.produced += self.keys.len() as u64;
            return states.try_for_each(|(key, paths)| sink.push(key, paths));
        }
        self.merged.clear();
        self.merged.extend(states);
        self.merged.sort_unstable_by_key(|&(key, _)| key);
        self.merged.dedup_by(|more, kept| {
            let same = more.0 == kept.0;
            if same {
                kept.1.add(&more.1);
            }
            same
        });
        self.produced += self.merged.len() as u64;
        self.merged.drain(..).try_for_each(|(key, paths)| sink.push(key, paths))
    }
}

/// The largest initial number of slots for a row. Most successors have several predecessors, so a
/// row has far fewer successors than moves.
const FIRST_SLOTS: usize = 1 << 16;

#[inline(always)]
fn hash(set: u64, shift: u32) -> usize {
    (set.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> shift) as usize
}

/// The path counts of one row's successors, by the mover's set: a small hash table with linear
/// probing that is cleared for each row.
#[derive(Default)]
struct RowSums<T> {
    /// Slots by hash: one more than the index of the set in `sets`, or 0 if free.
    slots: Vec<u32>,
    shift: u32,
    sets: Vec<u64>,
    sums: Vec<T>,
}

impl<T: Tally> RowSums<T> {
    /// Clears the table for at most `most` sets.
    fn clear(&mut self, most: usize) {
        self.sets.clear();
        self.sums.clear();
        self.rehash((most + 1).next_power_of_two().clamp(16, FIRST_SLOTS));
    }

    /// Distributes the sets over a new number of slots, a power of two.
    fn rehash(&mut self, slots: usize) {
        self.shift = 64 - slots.ilog2();
        self.slots.clear();
        self.slots.resize(slots, 0);
        for (number, &set) in (1u32..).zip(&self.sets) {
            let mut slot = hash(set, self.shift);
            while self.slots[slot] != 0 {
                slot = (slot + 1) & (slots - 1);
            }
            self.slots[slot] = number;
        }
    }

    /// Adds paths to the sum of a set.
    #[inline(always)]
    fn add(&mut self, set: u64, paths: &T) {
        let mut slot = hash(set, self.shift);
        loop {
            match self.slots[slot] {
                0 => {
                    self.sets.push(set);
                    self.sums.push(paths.clone());
                    self.slots[slot] = self.sets.len() as u32;
                    if self.sets.len() > self.slots.len() / 4 * 3 {
                        self.rehash(2 * self.slots.len());
                    }
                    return;
                }
                number if self.sets[number as usize - 1] == set => {
                    self.sums[number as usize - 1].add(paths);
                    return;
                }
                _ => slot = (slot + 1) & (self.slots.len() - 1),
            }
        }
    }
}
