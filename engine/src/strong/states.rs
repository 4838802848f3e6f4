//! All positions of a solved game in the order of their keys, with their moves and values.

use super::game::{AcyclicGame, Edges};
use super::search::{BATCH, Solved};
use crate::monitor::{Monitor, SolveError};
use crate::table::sharded::KEY_BITS;
use rayon::prelude::*;
use std::ops::Range;

/// A game whose positions can be decoded from their keys.
pub trait DecodeKey: AcyclicGame {
    /// Returns a position with the given key.
    fn decode(&self, key: u64) -> Self::Node;
}

/// The positions of a solved game in the order of their keys, which does not depend on the number
/// of threads.
///
/// ```
/// use bsq_engine::game::Game;
/// use bsq_engine::monitor::Monitor;
/// use bsq_engine::nim::Nim;
/// use bsq_engine::strong::{States, solve};
///
/// let nim = Nim([1, 1, 2]);
/// let monitor = Monitor::default();
/// let states = States::of(solve(&nim, &nim.start(), &monitor).unwrap(), &monitor).unwrap();
/// assert_eq!(states.len(), 16);
/// let mut moves = 0;
/// let last = states.len() - 1;
/// states.show(&nim, last..last + 1, |start| moves = start.values.len());
/// assert_eq!(moves, 4); // the start has the largest key
/// ```
pub struct States {
    solved: Solved,
    /// Keys in the upper 56 bits, values in the lower 8.
    entries: Vec<u64>,
}

/// A position of a solved game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State<'a> {
    /// The key.
    pub key: u64,
    /// The value: the score under perfect play.
    pub value: i32,
    /// The legal moves as a bit set; empty if the player to move passes or the game is over.
    pub moves: u64,
    /// The value of each move, lowest move first. If `moves` is empty, there is one value for a
    /// pass, or none in a terminal position.
    pub values: &'a [i8],
}

/// The number of bits of an entry below its key.
const VALUE_BITS: u32 = u64::BITS - KEY_BITS;

fn entry((key, value): (u64, i32)) -> u64 {
    key << VALUE_BITS | u64::from(value as u8)
}

fn parts(entry: u64) -> (u64, i32) {
    (entry >> VALUE_BITS, i32::from(entry as i8))
}

impl States {
    /// Sorts the positions of a solved game. Takes eight bytes per position in addition to the
    /// table.
    ///
    /// # Errors
    ///
    /// [`SolveError::TooMuch`] if the memory is not allowed, and [`SolveError::NoRoom`] if it is not
    /// available.
    pub fn of(solved: Solved, monitor: &Monitor) -> Result<States, SolveError> {
        let positions = solved.positions();
        let bytes = positions * size_of::<u64>() as u64;
        monitor.holding(solved.bytes()).allow(bytes)?;
        let mut entries = Vec::new();
        let room = entries.try_reserve_exact(positions as usize);
        room.map_err(|_| SolveError::NoRoom { positions })?;
        entries.extend(solved.iter().map(entry));
        entries.par_sort_unstable();
        Ok(States { solved, entries })
    }

    /// The number of positions: at least one, the root.
    #[expect(clippy::len_without_is_empty, reason = "there is always a root")]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Passes a range of positions to `see`, in order. Moves and values are recomputed from the
    /// table.
    pub fn show<G: DecodeKey>(&self, game: &G, places: Range<usize>, mut see: impl FnMut(State)) {
        let table = &self.solved.table;
        let mut edges = Edges::for_nodes(BATCH, game.max_moves());
        let mut values = Vec::new();
        for entries in self.entries[places].chunks(BATCH) {
            edges.clear();
            for &entry in entries {
                game.expand(&game.decode(parts(entry).0), &mut edges);
            }
            for &key in edges.keys() {
                table.locate(key); // prefetches its slot
            }
            let value = |&key: &u64| table.get(key).expect("the search saw every child") as i8;
            values.clear();
            values.extend(edges.keys().iter().map(value));
            let mut start = 0;
            for (&entry, source) in entries.iter().zip(&edges.sources) {
                let ((key, value), end) = (parts(entry), source.end as usize);
                see(State { key, value, moves: source.moves, values: &values[start..end] });
                start = end;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_sort_by_key_whatever_the_value() {
        let largest = (1 << KEY_BITS) - 1;
        let pairs = [(1, -127), (1, 127), (2, -1), (2, 0), (largest, -127), (largest, 127)];
        assert_eq!(pairs.map(|pair| parts(entry(pair))), pairs);
        for (a, b) in pairs.into_iter().zip(&pairs[2..]) {
            assert!(a.0 == b.0 || entry(a) < entry(*b), "{a:?} {b:?}");
        }
    }
}
