//! How many states and playouts there are: one forward pass, a turn at a time.
//!
//! The playouts of a game are the paths from its start to its ends, and the number of paths
//! into a state is the sum of those into the states before it. So two levels are in memory at
//! any time, the states of one turn with their counts and those of the next, and each state is
//! seen once.
//!
//! A move leaves the opponent's pieces alone. So the states of a level lie in **rows** of the
//! same opponent's pieces, and what the moves from a row lead to is summed up inside the row,
//! in the nearest cache. Only a finished sum is turned over, to the row where its mover's
//! pieces are the opponent's: one canonical form and one move through memory for each state,
//! not for each move. Rows are shared out by a hash of those pieces, and sorted, so the result
//! is the same for any number of threads.

use super::tally::{Tally, Width};
use super::{Monitor, SolveError};
use num_bigint::BigUint;
use rayon::prelude::*;
use std::collections::BTreeMap;

/// A game in which a move adds a cell to the mover's set and leaves the opponent's alone.
///
/// A state is a word: the opponent's set above the mover's, each of
/// [`set_bits`](Layered::set_bits) bits; the start of the game is 0.
pub trait Layered: Sync {
    /// What the states with the same opponent's set have in common.
    type Row;

    /// The row of an opponent's set.
    fn row(&self, opponent: u64) -> Self::Row;
    /// What the mover can do with this set of its own.
    fn place(&self, row: &Self::Row, own: u64, turn: u32) -> Placed;
    /// For each of the sets that the mover may have after the turn, the canonical word of the
    /// state in which the opponent moves.
    fn turn_over(&self, row: &Self::Row, own: &[u32], words: &mut [u64]);
    /// Whether some symmetry leaves the opponent's set as it is, so that two of the mover's
    /// sets may make the same state.
    fn symmetric(&self, row: &Self::Row) -> bool;
    /// Bits of a set.
    fn set_bits(&self) -> usize;
}

/// What a mover can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placed {
    /// Add one of these cells, at least one.
    On(u64),
    /// Nothing, this time or ever, but the opponent goes on.
    Pass,
    /// Nothing, and the game is over with that score.
    Over(i32),
}

/// The counts of a whole game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Census {
    /// One for each turn, from turn 1.
    pub levels: Vec<LevelCount>,
    /// For each score in which play can end, how often it does.
    pub outcomes: BTreeMap<i32, Outcome>,
}

impl Census {
    /// All states.
    pub fn states(&self) -> u64 {
        self.levels.iter().map(LevelCount::states).sum()
    }

    /// All terminal states.
    pub fn terminals(&self) -> u64 {
        self.outcomes.values().map(|o| o.terminals).sum()
    }

    /// All playouts.
    pub fn playouts(&self) -> BigUint {
        self.outcomes.values().map(|o| &o.playouts).sum()
    }
}

/// The states of one turn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LevelCount {
    /// Whose mover has as many legal moves as the index says; index 0 is for passes.
    pub by_moves: Vec<u64>,
    /// In which the game is over.
    pub terminals: u64,
}

impl LevelCount {
    /// All states of the turn.
    pub fn states(&self) -> u64 {
        self.terminals + self.by_moves.iter().sum::<u64>()
    }

    /// States whose mover has to pass.
    pub fn passes(&self) -> u64 {
        self.by_moves.first().copied().unwrap_or(0)
    }

    fn count(&mut self, moves: usize) {
        if self.by_moves.len() <= moves {
            self.by_moves.resize(moves + 1, 0);
        }
        self.by_moves[moves] += 1;
    }

    /// Adds the states of another turn.
    pub fn absorb(&mut self, other: &LevelCount) {
        if self.by_moves.len() < other.by_moves.len() {
            self.by_moves.resize(other.by_moves.len(), 0);
        }
        for (mine, theirs) in self.by_moves.iter_mut().zip(&other.by_moves) {
            *mine += theirs;
        }
        self.terminals += other.terminals;
    }
}

/// How often play ends in some score.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Playouts, symmetries not merged.
    pub playouts: BigUint,
    /// Terminal states.
    pub terminals: u64,
}

/// Counts the states and playouts of a game, turn by turn.
pub fn count<G: Layered>(game: &G, monitor: &Monitor) -> Result<Census, SolveError> {
    count_at_least(game, Width::Bits64, monitor)
}

/// The same with tallies of at least that width; for tests of the wider ones.
pub fn count_at_least<G: Layered>(
    game: &G,
    least: Width,
    monitor: &Monitor,
) -> Result<Census, SolveError> {
    monitor.begin("turns", 2 * game.set_bits() as u64);
    let mut census = Census::default();
    let mut level = Level::start(least);
    while !level.is_empty() {
        monitor.check()?;
        let turn = census.levels.len() as u32 + 1;
        level = level.widened(game.set_bits());
        let (count, next) = level.step(game, turn, &mut census.outcomes);
        tracing::debug!(turn, states = count.states(), "level");
        census.levels.push(count);
        level = next;
        monitor.advance(1);
    }
    tracing::info!(states = census.states(), playouts = %census.playouts(), "counted");
    Ok(census)
}

/// The states of one turn, in tallies of one width.
enum Level {
    Bits64(Parts<u64>),
    Bits128(Parts<u128>),
    Unbounded(Parts<BigUint>),
}

impl Level {
    fn start(width: Width) -> Level {
        match width {
            Width::Bits64 => Level::Bits64(Parts(vec![vec![(0, 1)]])),
            Width::Bits128 => Level::Bits128(Parts(vec![vec![(0, 1)]])),
            Width::Unbounded => Level::Unbounded(Parts(vec![vec![(0, BigUint::from(1u8))]])),
        }
    }

    fn is_empty(&self) -> bool {
        match self {
            Level::Bits64(parts) => parts.is_empty(),
            Level::Bits128(parts) => parts.is_empty(),
            Level::Unbounded(parts) => parts.is_empty(),
        }
    }

    /// The same in tallies that hold every sum of the next step: each is at most all paths of
    /// this level times the largest number of moves.
    fn widened(self, most_moves: usize) -> Level {
        match self {
            Level::Bits64(parts) => match Width::holding(&parts.sum_bound(most_moves)) {
                Width::Bits64 => Level::Bits64(parts),
                Width::Bits128 => Level::Bits128(parts.convert()),
                Width::Unbounded => Level::Unbounded(parts.convert()),
            },
            Level::Bits128(parts) => match Width::holding(&parts.sum_bound(most_moves)) {
                Width::Unbounded => Level::Unbounded(parts.convert()),
                _ => Level::Bits128(parts),
            },
            unbounded => unbounded,
        }
    }

    fn step<G: Layered>(
        self,
        game: &G,
        turn: u32,
        outcomes: &mut BTreeMap<i32, Outcome>,
    ) -> (LevelCount, Level) {
        match self {
            Level::Bits64(parts) => {
                let (count, next) = parts.step(game, turn, outcomes);
                (count, Level::Bits64(next))
            }
            Level::Bits128(parts) => {
                let (count, next) = parts.step(game, turn, outcomes);
                (count, Level::Bits128(next))
            }
            Level::Unbounded(parts) => {
                let (count, next) = parts.step(game, turn, outcomes);
                (count, Level::Unbounded(next))
            }
        }
    }
}

/// A state's word and the number of paths into it.
type State<T> = (u64, T);

/// Into how many parts a level is cut, each small enough to be sorted in a near cache.
const PARTS: usize = 256;

/// The states of one turn: cut by a hash of the opponent's set, sorted by word in each part.
struct Parts<T>(Vec<Vec<State<T>>>);

impl<T: Tally> Parts<T> {
    fn is_empty(&self) -> bool {
        self.0.iter().all(Vec::is_empty)
    }

    fn sum_bound(&self, most_moves: usize) -> BigUint {
        let sums = self.0.par_iter().map(|part| T::total(part.iter().map(|(_, paths)| paths)));
        sums.sum::<BigUint>() * most_moves
    }

    /// In wider tallies.
    fn convert<W: Tally>(self) -> Parts<W> {
        let wider = |(word, paths): State<T>| {
            let paths =
                W::from_big(&paths.into()).expect("a wider tally holds what a narrow one does");
            (word, paths)
        };
        Parts(self.0.into_iter().map(|part| part.into_iter().map(wider).collect()).collect())
    }

    /// Counts this level and makes the next one.
    fn step<G: Layered>(
        self,
        game: &G,
        turn: u32,
        outcomes: &mut BTreeMap<i32, Outcome>,
    ) -> (LevelCount, Parts<T>) {
        let expanders: Vec<Expander<T>> = self
            .0
            .into_par_iter()
            .fold(Expander::default, |mut expander, part| {
                expander.expand(game, &part, turn);
                expander
            })
            .collect();
        let mut count = LevelCount::default();
        let mut sent: Vec<Vec<Vec<State<T>>>> = (0..PARTS).map(|_| Vec::new()).collect();
        for expander in expanders {
            count.absorb(&expander.count);
            for (score, paths) in expander.over {
                let outcome = outcomes.entry(score).or_default();
                outcome.playouts += paths.into();
                outcome.terminals += 1;
            }
            for (part, states) in sent.iter_mut().zip(expander.sent) {
                part.push(states);
            }
        }
        let gather = |pieces: Vec<Vec<State<T>>>| {
            let mut part = pieces.concat();
            part.sort_unstable_by_key(|&(word, _)| word);
            part
        };
        (count, Parts(sent.into_par_iter().map(gather).collect()))
    }
}

/// One thread's work on a level.
struct Expander<T> {
    count: LevelCount,
    /// Score and paths of each terminal state.
    over: Vec<(i32, T)>,
    /// States of the next level, by part.
    sent: Vec<Vec<State<T>>>,
    row: RowSums<T>,
    words: Vec<u64>,
    merged: Vec<State<T>>,
}

impl<T> Default for Expander<T> {
    fn default() -> Self {
        Expander {
            count: LevelCount::default(),
            over: Vec::new(),
            sent: (0..PARTS).map(|_| Vec::new()).collect(),
            row: RowSums::default(),
            words: Vec::new(),
            merged: Vec::new(),
        }
    }
}

impl<T: Tally> Expander<T> {
    fn expand<G: Layered>(&mut self, game: &G, part: &[State<T>], turn: u32) {
        let bits = game.set_bits();
        for states in part.chunk_by(|a, b| a.0 >> bits == b.0 >> bits) {
            let row = game.row(states[0].0 >> bits);
            self.sum_row(game, &row, states, turn);
            self.send_row(game, &row);
        }
    }

    /// Sums up what the moves from a row lead to.
    fn sum_row<G: Layered>(&mut self, game: &G, row: &G::Row, states: &[State<T>], turn: u32) {
        let own_mask = (1 << game.set_bits()) - 1;
        let own = states.iter().map(|(word, _)| word & own_mask);
        let outlook = own.clone().map(|own| game.place(row, own, turn));
        let edges = outlook.clone().map(|placed| match placed {
            Placed::On(cells) => cells.count_ones() as usize,
            Placed::Pass => 1,
            Placed::Over(_) => 0,
        });
        self.row.clear(edges.sum());
        for ((own, placed), (_, paths)) in own.zip(outlook).zip(states) {
            match placed {
                Placed::On(mut cells) => {
                    self.count.count(cells.count_ones() as usize);
                    while cells != 0 {
                        self.row.add((own | (cells & cells.wrapping_neg())) as u32, paths);
                        cells &= cells - 1;
                    }
                }
                Placed::Pass => {
                    self.count.count(0);
                    self.row.add(own as u32, paths);
                }
                Placed::Over(score) => {
                    self.count.terminals += 1;
                    self.over.push((score, paths.clone()));
                }
            }
        }
    }

    /// Turns the sums over to the rows of the next level.
    fn send_row<G: Layered>(&mut self, game: &G, row: &G::Row) {
        let (sets, sums) = (&self.row.sets, &mut self.row.sums);
        self.words.resize(sets.len(), 0);
        game.turn_over(row, sets, &mut self.words);
        self.merged.clear();
        self.merged.extend(self.words.iter().copied().zip(sums.drain(..)));
        if game.symmetric(row) {
            self.merged.sort_unstable_by_key(|&(word, _)| word);
            self.merged.dedup_by(|more, kept| {
                let same = more.0 == kept.0;
                if same {
                    kept.1.add(&more.1);
                }
                same
            });
        }
        let bits = game.set_bits();
        for (word, paths) in self.merged.drain(..) {
            self.sent[part_of(word >> bits)].push((word, paths));
        }
    }
}

#[inline]
fn part_of(opponent: u64) -> usize {
    (opponent.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - PARTS.ilog2())) as usize
}

/// Sums by the mover's set, for the sets of one row: a small hash table that is cleared often.
struct RowSums<T> {
    /// One more than the set's place in `sets`, or 0, by hash.
    places: Vec<u32>,
    shift: u32,
    sets: Vec<u32>,
    sums: Vec<T>,
}

impl<T> Default for RowSums<T> {
    fn default() -> Self {
        RowSums { places: Vec::new(), shift: 0, sets: Vec::new(), sums: Vec::new() }
    }
}

impl<T: Tally> RowSums<T> {
    /// Empties the table and makes room for that many sets.
    fn clear(&mut self, most: usize) {
        let slots = (most + 1).next_power_of_two().max(16);
        self.shift = 64 - slots.ilog2();
        self.places.clear();
        self.places.resize(slots, 0);
        self.sets.clear();
        self.sums.clear();
    }

    #[inline(always)]
    fn add(&mut self, set: u32, paths: &T) {
        let mut slot = (u64::from(set).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> self.shift) as usize;
        loop {
            match self.places[slot] {
                0 => {
                    self.sets.push(set);
                    self.sums.push(paths.clone());
                    self.places[slot] = self.sets.len() as u32;
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
