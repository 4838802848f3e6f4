//! What the counting pass finds.

use num_bigint::BigUint;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The counts of a whole game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Record", into = "Record")]
pub struct Census {
    /// One for each turn, from turn 1.
    pub levels: Vec<LevelCount>,
    /// For each score in which play can end, how often it does.
    pub scores: BTreeMap<i32, ScoreCount>,
}

impl Census {
    /// All states.
    pub fn states(&self) -> u64 {
        self.levels.iter().map(LevelCount::states).sum()
    }

    /// All terminal states.
    pub fn terminals(&self) -> u64 {
        self.scores.values().map(|o| o.terminals).sum()
    }

    /// All playouts.
    pub fn playouts(&self) -> BigUint {
        self.scores.values().map(|o| &o.playouts).sum()
    }

    /// Notes that play ends with a score in so many more playouts and terminal states.
    pub(super) fn add(&mut self, score: i32, playouts: impl Into<BigUint>, terminals: u64) {
        let outcome = self.scores.entry(score).or_default();
        outcome.playouts += playouts.into();
        outcome.terminals += terminals;
    }

    /// About how many states the turn after the next will have if the next has so many: as levels
    /// have grown, twice over.
    pub(super) fn expected_after(&self, states: u64) -> u64 {
        let before = self.levels.last().map_or(1, LevelCount::states).max(1);
        let growth = u128::from(states) * u128::from(states.max(before)) * 2;
        (growth / u128::from(before)).min(u64::MAX.into()) as u64
    }
}

/// The states of one turn.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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

    /// One more state whose mover has that many legal moves.
    pub(super) fn count(&mut self, moves: usize) {
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
pub struct ScoreCount {
    /// Playouts, symmetries not merged.
    pub playouts: BigUint,
    /// Terminal states.
    pub terminals: u64,
}

/// How a census is stored: for each score the playouts, as text, and the terminal states.
#[derive(Serialize, Deserialize)]
pub(super) struct Record {
    pub levels: Vec<LevelCount>,
    pub outcomes: Vec<(i32, String, u64)>,
}

impl From<Census> for Record {
    fn from(census: Census) -> Record {
        let outcomes = census.scores.into_iter();
        let outcomes = outcomes.map(|(score, o)| (score, o.playouts.to_string(), o.terminals));
        Record { levels: census.levels, outcomes: outcomes.collect() }
    }
}

impl TryFrom<Record> for Census {
    type Error = num_bigint::ParseBigIntError;

    fn try_from(record: Record) -> Result<Census, Self::Error> {
        let mut census = Census { levels: record.levels, ..Census::default() };
        for (score, playouts, terminals) in record.outcomes {
            census.add(score, playouts.parse::<BigUint>()?, terminals);
        }
        Ok(census)
    }
}
