//! The result of a count: states by turn and moves, playouts by final score.

use num_bigint::BigUint;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// More digits than any number of playouts has.
const MAX_DIGITS: usize = 1000;

/// The counts of all states and playouts of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Record", into = "Record")]
pub struct Census {
    /// The states of each turn, from turn 1.
    pub levels: Vec<LevelCount>,
    /// The terminal states and playouts of each final score.
    pub scores: BTreeMap<i32, ScoreCount>,
}

impl Census {
    /// The number of states of all turns.
    pub fn states(&self) -> u64 {
        self.levels.iter().map(LevelCount::states).sum()
    }

    /// The number of terminal states.
    pub fn terminals(&self) -> u64 {
        self.scores.values().map(|o| o.terminals).sum()
    }

    /// The number of playouts.
    pub fn playouts(&self) -> BigUint {
        self.scores.values().map(|o| &o.playouts).sum()
    }

    /// Adds playouts and terminal states to those of a final score.
    pub(super) fn add(&mut self, score: i32, playouts: impl Into<BigUint>, terminals: u64) {
        let count = self.scores.entry(score).or_default();
        count.playouts += playouts.into();
        count.terminals += terminals;
    }

    /// Estimates the number of states of the level after one of `states` states, which is not yet
    /// part of the census: twice what continued growth at the last rate gives.
    pub(super) fn expected_after(&self, states: u64) -> u64 {
        let before = self.levels.last().map_or(1, LevelCount::states).max(1);
        let growth = u128::from(states) * u128::from(states.max(before)) * 2;
        (growth / u128::from(before)).min(u64::MAX.into()) as u64
    }
}

/// The number of states of one turn, by their number of legal moves.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LevelCount {
    /// States by the number of legal moves, which is the index; index 0 counts states in which the
    /// player to move passes.
    pub by_moves: Vec<u64>,
    /// Terminal states.
    pub terminals: u64,
}

impl LevelCount {
    /// The number of states of the turn.
    pub fn states(&self) -> u64 {
        self.terminals + self.by_moves.iter().sum::<u64>()
    }

    /// The number of states in which the player to move has to pass.
    pub fn passes(&self) -> u64 {
        self.by_moves.first().copied().unwrap_or(0)
    }

    /// Counts one more state with the given number of legal moves.
    pub(super) fn count(&mut self, moves: usize) {
        if self.by_moves.len() <= moves {
            self.by_moves.resize(moves + 1, 0);
        }
        self.by_moves[moves] += 1;
    }

    /// Adds the counts of another turn, or of another part of the same turn.
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

/// The playouts and terminal states with a given score.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScoreCount {
    /// Playouts. Symmetric images count separately.
    pub playouts: BigUint,
    /// Terminal states.
    pub terminals: u64,
}

/// The serialized form of a census. An outcome is a final score, its playouts as decimal text, and
/// its terminal states.
#[derive(Serialize, Deserialize)]
struct Record {
    levels: Vec<LevelCount>,
    outcomes: Vec<(i32, String, u64)>,
}

impl From<Census> for Record {
    fn from(census: Census) -> Record {
        let outcomes = census.scores.into_iter();
        let outcomes = outcomes.map(|(score, o)| (score, o.playouts.to_string(), o.terminals));
        Record { levels: census.levels, outcomes: outcomes.collect() }
    }
}

impl TryFrom<Record> for Census {
    type Error = String;

    fn try_from(record: Record) -> Result<Census, Self::Error> {
        let mut census = Census { levels: record.levels, ..Census::default() };
        for (score, playouts, terminals) in record.outcomes {
            let count = ScoreCount { playouts: parse_digits(&playouts)?, terminals };
            if census.scores.insert(score, count).is_some() {
                return Err(format!("score {score} is there twice"));
            }
        }
        Ok(census)
    }
}

/// Parses a number of playouts. The time to parse grows with the square of the length, which is
/// limited.
pub(super) fn parse_digits(text: &str) -> Result<BigUint, String> {
    match text.len() {
        0..=MAX_DIGITS => text.parse().map_err(|error| format!("{error}")),
        length => Err(format!("a number of {length} digits")),
    }
}
