//! Breadth-first enumeration of the states by size, and the count of their playouts in reverse.
//!
//! States are found layer by layer, from the largest size down to 0, and then counted from size 0
//! up. Scores are those still to come, seen by the player to move, so that states reached with
//! different scores so far, or with the players exchanged, are one. A layer is dropped once no move
//! of a later layer can lead to it.

use super::state::{Game, MAX_STEP, State};
use super::tally::{Tally, Width};
use bsq_engine::monitor::{Monitor, SolveError};
use bsq_engine::parallel;
use num_bigint::BigUint;
use rayon::prelude::*;
use std::collections::BTreeMap;

/// The number of playouts through each of the given states, by the points still to come. These
/// include the point of the move that leads to the state, and count for the player who makes it.
/// Tallies have at least the given width.
///
/// # Errors
///
/// [`SolveError::OverLimit`] if the memory of the monitor does not suffice, and [`SolveError::Stopped`] if the
/// count was cancelled.
pub fn count(
    game: &Game,
    starts: &[State],
    least: Width,
    monitor: &Monitor,
) -> Result<Vec<BTreeMap<i32, BigUint>>, SolveError> {
    monitor.begin("layers", 2 * (game.max_size() as u64 + 1));
    let mut memory = Memory { monitor, used: 0, states: 0 };
    let found = find_states(game, starts, &mut memory, monitor)?;
    let states: usize = found.iter().map(Vec::len).sum();
    tracing::info!(states, bytes = memory.used, "states found");
    let mut counted = Counted { layers: Vec::new(), most: BigUint::from(1u8) };
    for (size, states) in found.into_iter().enumerate() {
        monitor.check()?;
        if let Some(out_of_reach) = size.checked_sub(MAX_STEP + 1) {
            counted.drop_layer(out_of_reach, &mut memory);
        }
        let layer = match Width::holding(&counted.bound(&states)).max(least) {
            Width::Bits64 => counted.next::<u64>(game, states, &mut memory, monitor)?,
            Width::Bits128 => counted.next::<u128>(game, states, &mut memory, monitor)?,
            Width::Unbounded => counted.next::<BigUint>(game, states, &mut memory, monitor)?,
        };
        counted.layers.push(layer);
        monitor.advance(1);
    }
    tracing::info!(bytes = memory.used, "counted");
    let mut sum = Sum::<BigUint>::new(game.max_size() + 1);
    let through = starts.iter().map(|state| {
        counted.add(&mut sum, state, 1);
        let (first, counts) = sum.take();
        (first..).zip(counts).filter(|(_, count)| *count != BigUint::ZERO).collect()
    });
    Ok(through.collect())
}

/// Memory in use, in bytes, and its limit.
struct Memory<'a> {
    monitor: &'a Monitor<'a>,
    used: u64,
    /// The number of states found.
    states: u64,
}

impl Memory<'_> {
    fn check(&self, more: usize) -> Result<(), SolveError> {
        self.monitor.allow_for(self.used + more as u64, self.states, "states")
    }

    fn take(&mut self, bytes: usize) -> Result<(), SolveError> {
        self.check(bytes)?;
        self.used += bytes as u64;
        Ok(())
    }
}

/// States found of one size, with duplicates.
struct Found {
    states: Vec<State>,
    /// The number of states at which duplicates are removed.
    full: usize,
}

impl Found {
    fn extend(&mut self, more: &[State]) {
        self.states.extend_from_slice(more);
        if self.states.len() > self.full {
            self.dedup();
            self.full = (2 * self.states.len()).max(1 << 16);
        }
    }

    fn dedup(&mut self) {
        self.states.par_sort_unstable();
        self.states.dedup();
    }
}

/// Finds all states, by size up to the largest, and sorts those of each size. The layers of the
/// starts are kept to the end, because their sizes differ by less than a move.
fn find_states(
    game: &Game,
    starts: &[State],
    memory: &mut Memory,
    monitor: &Monitor,
) -> Result<Vec<Vec<State>>, SolveError> {
    let bytes = size_of::<State>();
    let mut found: Vec<Found> =
        (0..=game.max_size()).map(|_| Found { states: Vec::new(), full: 1 << 16 }).collect();
    for state in starts {
        found[state.size()].extend(&[*state]);
    }
    while found.last().is_some_and(|found| found.states.is_empty()) {
        found.pop();
    }
    let mut layers = Vec::new();
    while let Some(mut layer) = found.pop() {
        layer.dedup();
        layer.states.shrink_to_fit();
        memory.states += layer.states.len() as u64;
        memory.take(layer.states.len() * bytes)?;
        // Batches bound the memory of the states that their moves lead to.
        for states in layer.states.chunks(EXPANDED_BATCH) {
            monitor.check()?;
            memory.check(found.iter().map(|found| found.states.capacity() * bytes).sum())?;
            let below = found.len();
            let expand = |states: &[State]| {
                let mut by_size: Vec<Vec<State>> = (0..below).map(|_| Vec::new()).collect();
                let mut moves = Vec::new();
                for state in states.iter().filter(|state| state.end().is_none()) {
                    game.moves(state, &mut moves);
                    for (after, _) in moves.drain(..) {
                        by_size[after.size()].push(after);
                    }
                }
                for found in &mut by_size {
                    found.sort_unstable();
                    found.dedup();
                }
                by_size
            };
            for part in parallel::map(states.chunks(EXPANDED_CHUNK), expand) {
                found.iter_mut().zip(part).for_each(|(found, states)| found.extend(&states));
            }
        }
        layers.push(layer.states);
        monitor.advance(1);
    }
    layers.reverse();
    Ok(layers)
}

/// The counts of one layer in tallies of one width, in chunks of [`CHUNK`] states.
enum Counts {
    Bits64(Vec<Chunk<u64>>),
    Bits128(Vec<Chunk<u128>>),
    Unbounded(Vec<Chunk<BigUint>>),
}

/// States of a chunk.
const CHUNK: usize = 1 << 12;

/// States of a layer that all threads together count at a time.
const BATCH: usize = 64 * CHUNK;

/// States that a thread, and that all threads together, expand at a time. Each leads to many others,
/// which are not merged yet.
const EXPANDED_CHUNK: usize = 1 << 10;
const EXPANDED_BATCH: usize = 16 * EXPANDED_CHUNK;

/// The counts of consecutive states of a layer.
struct Chunk<T> {
    /// The end of each state's counts in `counts`.
    ends: Vec<u32>,
    /// The score of each state's first count. The scores of the following counts are consecutive.
    first: Vec<i8>,
    counts: Vec<T>,
}

impl<T: Tally> Chunk<T> {
    fn bytes(&self) -> u64 {
        let states = self.ends.len() * (size_of::<u32>() + size_of::<i8>());
        (states + self.counts.len() * size_of::<T>()) as u64
    }

    /// Iterates over the scores and counts of a state.
    #[inline]
    fn of(&self, state: usize) -> impl Iterator<Item = (i32, &T)> {
        let from = if state > 0 { self.ends[state - 1] as usize } else { 0 };
        (i32::from(self.first[state])..).zip(&self.counts[from..self.ends[state] as usize])
    }

    /// The largest number of playouts of a state.
    fn most(&self) -> BigUint {
        let total = |state| self.of(state).map(|(_, count)| count.clone().into()).sum::<BigUint>();
        (0..self.ends.len()).map(total).max().unwrap_or_default()
    }
}

/// A width of tallies that a layer can have.
trait LayerTally: Tally {
    fn counts(chunks: Vec<Chunk<Self>>) -> Counts;
}

impl LayerTally for u64 {
    fn counts(chunks: Vec<Chunk<u64>>) -> Counts {
        Counts::Bits64(chunks)
    }
}

impl LayerTally for u128 {
    fn counts(chunks: Vec<Chunk<u128>>) -> Counts {
        Counts::Bits128(chunks)
    }
}

impl LayerTally for BigUint {
    fn counts(chunks: Vec<Chunk<BigUint>>) -> Counts {
        Counts::Unbounded(chunks)
    }
}

/// The states of one size with their playouts by score.
struct Layer {
    states: Vec<State>,
    index: Index,
    counts: Counts,
    /// The memory of the layer, in bytes.
    bytes: u64,
}

/// A hash table with linear probing: the index of each state of a layer.
#[derive(Default)]
struct Index {
    /// An index plus 1, or 0 where the slot is free.
    slots: Vec<u32>,
}

impl Index {
    fn new(states: &[State]) -> Index {
        let mut index = Index { slots: vec![0; Index::slots_for(states.len())] };
        for (place, state) in states.iter().enumerate() {
            let mut slot = index.slot(state.hash());
            while index.slots[slot] != 0 {
                slot = index.after(slot);
            }
            index.slots[slot] = place as u32 + 1;
        }
        index
    }

    fn slots_for(states: usize) -> usize {
        states + states / 2 + 1
    }

    #[inline]
    fn slot(&self, hash: u64) -> usize {
        ((u128::from(hash) * self.slots.len() as u128) >> 64) as usize
    }

    #[inline]
    fn after(&self, slot: usize) -> usize {
        if slot + 1 == self.slots.len() { 0 } else { slot + 1 }
    }

    #[inline]
    fn find(&self, states: &[State], state: &State) -> Option<usize> {
        let mut slot = self.slot(state.hash());
        while self.slots[slot] != 0 {
            let place = self.slots[slot] as usize - 1;
            if states[place] == *state {
                return Some(place);
            }
            slot = self.after(slot);
        }
        None
    }
}

impl Default for Layer {
    fn default() -> Self {
        let counts = Counts::Bits64(Vec::new());
        Layer { states: Vec::new(), index: Index::default(), counts, bytes: 0 }
    }
}

/// The layers counted so far, from size 0 up.
struct Counted {
    layers: Vec<Layer>,
    /// The largest number of playouts of a state so far.
    most: BigUint,
}

impl Counted {
    /// An upper bound on the number of playouts of a state of the next layer.
    fn bound(&self, states: &[State]) -> BigUint {
        let ends = states.iter().filter_map(State::end);
        let known = ends.map(|(_, playouts)| playouts).max().unwrap_or_default();
        known.max(&self.most * self.layers.len())
    }

    /// Drops the layer of a size.
    fn drop_layer(&mut self, size: usize, memory: &mut Memory) {
        let layer = std::mem::take(&mut self.layers[size]);
        memory.used -= layer.bytes;
    }

    /// Counts the next layer.
    fn next<T: LayerTally>(
        &mut self,
        game: &Game,
        states: Vec<State>,
        memory: &mut Memory,
        monitor: &Monitor,
    ) -> Result<Layer, SolveError> {
        let before = memory.used;
        memory.take(Index::slots_for(states.len()) * size_of::<u32>())?;
        let index = Index::new(&states);
        let mut chunks: Vec<Chunk<T>> = Vec::new();
        for states in states.chunks(BATCH) {
            monitor.check()?;
            let count = |states: &[State]| self.count_chunk::<T>(game, states);
            let counted = parallel::map(states.chunks(CHUNK), count);
            memory.take(counted.iter().map(Chunk::bytes).sum::<u64>() as usize)?;
            chunks.extend(counted);
        }
        let most = parallel::map(&chunks, Chunk::most).into_iter().max().unwrap_or_default();
        self.most = most.max(std::mem::take(&mut self.most));
        let bytes = memory.used - before + size_of_val(&states[..]) as u64;
        Ok(Layer { states, index, counts: T::counts(chunks), bytes })
    }

    fn count_chunk<T: LayerTally>(&self, game: &Game, states: &[State]) -> Chunk<T> {
        let mut sum = Sum::<T>::new(game.max_size());
        let mut moves = Vec::new();
        let mut chunk = Chunk { ends: Vec::new(), first: Vec::new(), counts: Vec::new() };
        for state in states {
            if let Some((score, playouts)) = state.end() {
                sum.add(score, &T::from_digits(&playouts.to_u64_digits()), 1);
            } else {
                game.moves(state, &mut moves);
                for (after, ways) in moves.drain(..) {
                    self.add(&mut sum, &after, ways);
                }
            }
            let (first, counts) = sum.take();
            chunk.first.push(first as i8);
            chunk.counts.extend(counts);
            chunk.ends.push(chunk.counts.len() as u32);
        }
        chunk.counts.shrink_to_fit();
        chunk
    }

    /// Adds the playouts that continue with one of `ways` moves to a state, seen by the player who
    /// moves.
    fn add<T: LayerTally>(&self, sum: &mut Sum<T>, after: &State, ways: u32) {
        let layer = &self.layers[after.size()];
        let index = layer.index.find(&layer.states, after);
        let index = index.expect("every state was found");
        let (chunk, state) = (index / CHUNK, index % CHUNK);
        // The move scores a point; the remaining points are from the opponent's point of view. A
        // layer's tallies are no wider than those of the next.
        match &layer.counts {
            Counts::Bits64(chunks) => {
                for (score, &count) in chunks[chunk].of(state) {
                    sum.add(1 - score, &T::from_u128(count.into()), ways);
                }
            }
            Counts::Bits128(chunks) => {
                for (score, &count) in chunks[chunk].of(state) {
                    sum.add(1 - score, &T::from_u128(count), ways);
                }
            }
            Counts::Unbounded(chunks) => {
                for (score, count) in chunks[chunk].of(state) {
                    sum.add(1 - score, &T::from_digits(&count.to_u64_digits()), ways);
                }
            }
        }
    }
}

/// An accumulator of counts by score.
struct Sum<T> {
    /// The largest absolute score.
    most: i32,
    counts: Vec<T>,
    /// The range of scores added so far, end exclusive.
    range: (i32, i32),
}

impl<T: Tally> Sum<T> {
    fn new(most: usize) -> Sum<T> {
        let most = most as i32;
        let range = (most + 1, -most);
        Sum { most, counts: vec![T::from_u128(0); 2 * most as usize + 1], range }
    }

    #[inline(always)]
    fn add(&mut self, score: i32, count: &T, times: u32) {
        self.range = (self.range.0.min(score), self.range.1.max(score + 1));
        self.counts[(score + self.most) as usize].add_times(count, times);
    }

    /// Returns the first score and the counts from there on, and resets the sum.
    fn take(&mut self) -> (i32, impl ExactSizeIterator<Item = T>) {
        let (from, to) = std::mem::replace(&mut self.range, (self.most + 1, -self.most));
        let range = (from + self.most) as usize..(to.max(from) + self.most) as usize;
        let counts = self.counts.get_mut(range).unwrap_or_default();
        (from, counts.iter_mut().map(|count| std::mem::replace(count, T::from_u128(0))))
    }
}
