//! How many playouts there are with each score: backward, from what is left of the game.
//!
//! A game of which less and less is left is counted from the end. The playouts that follow a
//! state are those that follow each of its moves, so the states are found layer by layer, from
//! the most that can be left to nothing, and then counted from nothing up. Scores are those still
//! to come, seen by the mover; so states that play reaches with different scores so far, or
//! with the players changed over, are one.

use bsq_engine::monitor::{Monitor, SolveError};
use bsq_engine::tally::{Tally, Width};
use num_bigint::BigUint;
use rayon::prelude::*;
use std::collections::BTreeMap;

/// A game in which a move wins its player a point and leaves less of the game.
pub trait Shrinking: Sync {
    /// What is left of the game for the mover and for the other, images merged or not.
    type State: Copy + Ord + Send + Sync;

    /// The first moves: what each leaves, in how many ways.
    fn openings(&self) -> Vec<(Self::State, u32)>;
    /// How much is left, at most [`largest`](Shrinking::largest).
    fn size(&self, state: &Self::State) -> usize;
    /// The most that can be left after an opening.
    fn largest(&self) -> usize;
    /// A number that differs, most of the time, where states differ.
    fn hash(&self, state: &Self::State) -> u64;
    /// By how much at most a move shrinks what is left.
    fn step(&self) -> usize;
    /// How a state goes on without counting: the one score that it can end in from here and how
    /// many playouts there are, or nothing if that is not known at once.
    fn end(&self, state: &Self::State) -> Option<(i32, BigUint)>;
    /// Pushes the moves of a state that has no known end, at least one and no more than its
    /// [`size`](Shrinking::size): what each leaves, which is less, in how many ways.
    fn moves(&self, state: &Self::State, moves: &mut Vec<(Self::State, u32)>);
}

/// For each score in which play can end, how many playouts do, with so many bytes of memory for
/// states and counts; fails with [`SolveError::OverLimit`] where that is not enough.
pub fn playouts_by_score<G: Shrinking>(
    game: &G,
    bytes: u64,
    monitor: &Monitor,
) -> Result<BTreeMap<i32, BigUint>, SolveError> {
    count_at_least(game, Width::Bits64, bytes, monitor)
}

/// The same with tallies of at least that width; for tests of the wider ones.
pub fn count_at_least<G: Shrinking>(
    game: &G,
    least: Width,
    bytes: u64,
    monitor: &Monitor,
) -> Result<BTreeMap<i32, BigUint>, SolveError> {
    monitor.begin("layers", 2 * (game.largest() as u64 + 1));
    let mut room = Room { limit: bytes, used: 0 };
    let found = find_states(game, &mut room, monitor)?;
    let states: usize = found.iter().map(Vec::len).sum();
    tracing::info!(states, bytes = room.used, "states found");
    let mut counted = Counted { layers: Vec::new(), most: BigUint::from(1u8) };
    for (size, states) in found.into_iter().enumerate() {
        monitor.check()?;
        if let Some(out_of_reach) = size.checked_sub(game.step() + 1) {
            counted.forget(out_of_reach, &mut room);
        }
        let layer = match Width::holding(&counted.bound(game, &states)).max(least) {
            Width::Bits64 => counted.next::<G, u64>(game, states, &mut room, monitor)?,
            Width::Bits128 => counted.next::<G, u128>(game, states, &mut room, monitor)?,
            Width::Unbounded => counted.next::<G, BigUint>(game, states, &mut room, monitor)?,
        };
        counted.layers.push(layer);
        monitor.advance(1);
    }
    tracing::info!(bytes = room.used, "counted");
    let mut sum = Sum::<BigUint>::new(game.largest() + 1);
    for (state, ways) in game.openings() {
        counted.add(game, &mut sum, &state, ways);
    }
    let (first, counts) = sum.take();
    let scores = (first..).zip(counts).filter(|(_, count)| *count != BigUint::ZERO);
    Ok(scores.collect())
}

/// Memory in bytes.
struct Room {
    limit: u64,
    used: u64,
}

impl Room {
    fn check(&self, more: usize) -> Result<(), SolveError> {
        match self.used + more as u64 > self.limit {
            true => Err(SolveError::OverLimit { bytes: self.limit }),
            false => Ok(()),
        }
    }

    fn take(&mut self, bytes: usize) -> Result<(), SolveError> {
        self.check(bytes)?;
        self.used += bytes as u64;
        Ok(())
    }
}

/// States found, with repetitions.
struct Found<S> {
    states: Vec<S>,
    /// When there are so many, it is time to drop the repetitions.
    full: usize,
}

impl<S: Copy + Ord + Send> Found<S> {
    fn extend(&mut self, more: &[S]) {
        self.states.extend_from_slice(more);
        if self.states.len() > self.full {
            self.tidy();
            self.full = (2 * self.states.len()).max(1 << 16);
        }
    }

    fn tidy(&mut self) {
        self.states.par_sort_unstable();
        self.states.dedup();
    }
}

/// All states by size, sorted.
fn find_states<G: Shrinking>(
    game: &G,
    room: &mut Room,
    monitor: &Monitor,
) -> Result<Vec<Vec<G::State>>, SolveError> {
    let bytes = size_of::<G::State>();
    let mut found: Vec<Found<G::State>> =
        (0..=game.largest()).map(|_| Found { states: Vec::new(), full: 1 << 16 }).collect();
    for (state, _) in game.openings() {
        found[game.size(&state)].extend(&[state]);
    }
    let mut layers = Vec::new();
    while let Some(mut layer) = found.pop() {
        layer.tidy();
        layer.states.shrink_to_fit();
        room.take(layer.states.len() * bytes)?;
        // So many states at a time that their moves take little room.
        for states in layer.states.chunks(BATCH) {
            monitor.check()?;
            room.check(found.iter().map(|found| found.states.capacity() * bytes).sum())?;
            let below = found.len();
            let expand = |states: &[G::State]| {
                let mut by_size: Vec<Vec<G::State>> = (0..below).map(|_| Vec::new()).collect();
                let mut moves = Vec::new();
                for state in states.iter().filter(|state| game.end(state).is_none()) {
                    game.moves(state, &mut moves);
                    for (after, _) in moves.drain(..) {
                        by_size[game.size(&after)].push(after);
                    }
                }
                for found in &mut by_size {
                    found.sort_unstable();
                    found.dedup();
                }
                by_size
            };
            let parts: Vec<_> = states.par_chunks(PIECE).map(expand).collect();
            for part in parts {
                found.iter_mut().zip(part).for_each(|(found, states)| found.extend(&states));
            }
        }
        layers.push(layer.states);
        monitor.advance(1);
    }
    layers.reverse();
    Ok(layers)
}

/// The counts of one layer in tallies of one width, [`PIECE`] states after the other.
enum Counts {
    Bits64(Vec<Piece<u64>>),
    Bits128(Vec<Piece<u128>>),
    Unbounded(Vec<Piece<BigUint>>),
}

/// States of a piece.
const PIECE: usize = 1 << 12;

/// States of a layer that are expanded or counted together, by all threads.
const BATCH: usize = 64 * PIECE;

/// The counts of some states of a layer, all states one after the other.
struct Piece<T> {
    /// Where the counts of each state end.
    ends: Vec<u32>,
    /// The score of each state's first count; the following ones are of the scores after it.
    first: Vec<i8>,
    counts: Vec<T>,
}

impl<T: Tally> Piece<T> {
    fn bytes(&self) -> u64 {
        let states = self.ends.len() * (size_of::<u32>() + size_of::<i8>());
        (states + self.counts.len() * size_of::<T>()) as u64
    }

    /// The scores and counts of a state.
    #[inline]
    fn of(&self, state: usize) -> impl Iterator<Item = (i32, &T)> {
        let from = if state > 0 { self.ends[state - 1] as usize } else { 0 };
        (i32::from(self.first[state])..).zip(&self.counts[from..self.ends[state] as usize])
    }

    /// The most playouts of a state.
    fn most(&self) -> BigUint {
        let total = |state| self.of(state).map(|(_, count)| count.clone().into()).sum::<BigUint>();
        (0..self.ends.len()).map(total).max().unwrap_or_default()
    }
}

/// A tally that knows its kind of counts.
trait Wider: Tally {
    fn wrap(pieces: Vec<Piece<Self>>) -> Counts;
}

impl Wider for u64 {
    fn wrap(pieces: Vec<Piece<u64>>) -> Counts {
        Counts::Bits64(pieces)
    }
}

impl Wider for u128 {
    fn wrap(pieces: Vec<Piece<u128>>) -> Counts {
        Counts::Bits128(pieces)
    }
}

impl Wider for BigUint {
    fn wrap(pieces: Vec<Piece<BigUint>>) -> Counts {
        Counts::Unbounded(pieces)
    }
}

/// The states of one size with their playouts by score.
struct Layer<S> {
    states: Vec<S>,
    index: Index,
    counts: Counts,
    /// Of all that.
    bytes: u64,
}

/// Where each state of a layer is: a hash table of places among the sorted states.
#[derive(Default)]
struct Index {
    /// One more than a place, or 0.
    slots: Vec<u32>,
}

impl Index {
    fn new<G: Shrinking>(game: &G, states: &[G::State]) -> Index {
        let mut index = Index { slots: vec![0; Index::slots_for(states.len())] };
        for (place, state) in states.iter().enumerate() {
            let mut slot = index.slot(game.hash(state));
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
    fn find<S: Copy + Eq>(&self, hash: u64, states: &[S], state: &S) -> Option<usize> {
        let mut slot = self.slot(hash);
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

impl<S> Default for Layer<S> {
    fn default() -> Self {
        let counts = Counts::Bits64(Vec::new());
        Layer { states: Vec::new(), index: Index::default(), counts, bytes: 0 }
    }
}

/// The layers counted so far, from nothing left up.
struct Counted<S> {
    layers: Vec<Layer<S>>,
    /// The playouts of the state that has most of them, or more.
    most: BigUint,
}

impl<S: Copy + Ord + Send + Sync> Counted<S> {
    /// No state of the next layer has more playouts.
    fn bound<G: Shrinking<State = S>>(&self, game: &G, states: &[S]) -> BigUint {
        let ends = states.iter().filter_map(|state| game.end(state));
        let known = ends.map(|(_, playouts)| playouts).max().unwrap_or_default();
        known.max(&self.most * self.layers.len())
    }

    /// Drops a layer that no move will lead to any more.
    fn forget(&mut self, size: usize, room: &mut Room) {
        let layer = std::mem::take(&mut self.layers[size]);
        room.used -= layer.bytes;
    }

    /// Counts the next layer.
    fn next<G: Shrinking<State = S>, T: Wider>(
        &mut self,
        game: &G,
        states: Vec<S>,
        room: &mut Room,
        monitor: &Monitor,
    ) -> Result<Layer<S>, SolveError> {
        let before = room.used;
        room.take(Index::slots_for(states.len()) * size_of::<u32>())?;
        let index = Index::new(game, &states);
        let mut pieces: Vec<Piece<T>> = Vec::new();
        for states in states.chunks(BATCH) {
            monitor.check()?;
            let count = |states: &[S]| self.count_piece::<G, T>(game, states);
            let counted: Vec<_> = states.par_chunks(PIECE).map(count).collect();
            room.take(counted.iter().map(Piece::bytes).sum::<u64>() as usize)?;
            pieces.extend(counted);
        }
        let most = pieces.par_iter().map(Piece::most).max().unwrap_or_default();
        self.most = most.max(std::mem::take(&mut self.most));
        let bytes = room.used - before + size_of_val(&states[..]) as u64;
        Ok(Layer { states, index, counts: T::wrap(pieces), bytes })
    }

    fn count_piece<G: Shrinking<State = S>, T: Wider>(&self, game: &G, states: &[S]) -> Piece<T> {
        let mut sum = Sum::<T>::new(game.largest());
        let mut moves = Vec::new();
        let mut piece = Piece { ends: Vec::new(), first: Vec::new(), counts: Vec::new() };
        for state in states {
            if let Some((score, playouts)) = game.end(state) {
                sum.add(score, &T::from_words(&playouts.to_u64_digits()), 1);
            } else {
                game.moves(state, &mut moves);
                for (after, ways) in moves.drain(..) {
                    self.add(game, &mut sum, &after, ways);
                }
            }
            let (first, counts) = sum.take();
            piece.first.push(first as i8);
            piece.counts.extend(counts);
            piece.ends.push(piece.counts.len() as u32);
        }
        piece.counts.shrink_to_fit();
        piece
    }

    /// Adds the playouts that follow a move, seen by the player who makes it.
    fn add<G: Shrinking<State = S>, T: Wider>(
        &self,
        game: &G,
        sum: &mut Sum<T>,
        after: &S,
        ways: u32,
    ) {
        let layer = &self.layers[game.size(after)];
        let index = layer.index.find(game.hash(after), &layer.states, after);
        let index = index.expect("every state was found");
        let (piece, state) = (index / PIECE, index % PIECE);
        // The other player's points count against the one of this move. No layer has wider tallies
        // than the next.
        match &layer.counts {
            Counts::Bits64(pieces) => {
                for (score, &count) in pieces[piece].of(state) {
                    sum.add(1 - score, &T::from_u128(count.into()), ways);
                }
            }
            Counts::Bits128(pieces) => {
                for (score, &count) in pieces[piece].of(state) {
                    sum.add(1 - score, &T::from_u128(count), ways);
                }
            }
            Counts::Unbounded(pieces) => {
                for (score, count) in pieces[piece].of(state) {
                    sum.add(1 - score, &T::from_words(&count.to_u64_digits()), ways);
                }
            }
        }
    }
}

/// A sum by score under way.
struct Sum<T> {
    /// No score is beyond that, either way.
    most: i32,
    counts: Vec<T>,
    /// The scores that have counts: from and to.
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

    /// The first score and the counts from there on; what follows begins at nothing.
    fn take(&mut self) -> (i32, impl ExactSizeIterator<Item = T>) {
        let (from, to) = std::mem::replace(&mut self.range, (self.most + 1, -self.most));
        let range = (from + self.most) as usize..(to.max(from) + self.most) as usize;
        let counts = self.counts.get_mut(range).unwrap_or_default();
        (from, counts.iter_mut().map(|count| std::mem::replace(count, T::from_u128(0))))
    }
}
