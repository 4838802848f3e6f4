//! Numbers of states and playouts: the results of the counts.

use num_bigint::BigUint;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The numbers of states of a game. Numbers of parts of the game can be
/// [added](StateCounts::absorb).
///
/// No number exceeds 3^64, the number of ways to fill 64 cells, twice.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StateCounts {
    /// The states of each turn, from turn 1.
    pub levels: Vec<LevelCount>,
    /// The terminal states by the first player's lead, in pieces without the bias.
    pub terminals: BTreeMap<i32, u128>,
}

impl StateCounts {
    /// The number of states of all turns.
    pub fn states(&self) -> u128 {
        self.levels.iter().map(LevelCount::states).sum()
    }

    /// The states of all turns together.
    pub fn all_turns(&self) -> LevelCount {
        let mut all = LevelCount::default();
        self.levels.iter().for_each(|level| all.absorb(level));
        all
    }

    /// Adds the numbers of another part of the same game.
    pub fn absorb(&mut self, other: &StateCounts) {
        if self.levels.len() < other.levels.len() {
            self.levels.resize_with(other.levels.len(), LevelCount::default);
        }
        for (mine, theirs) in self.levels.iter_mut().zip(&other.levels) {
            mine.absorb(theirs);
        }
        for (lead, terminals) in &other.terminals {
            *self.terminals.entry(*lead).or_default() += terminals;
        }
    }

    /// Adds states of a turn, counted from 1, with the given number of legal moves; 0 for a pass.
    pub(super) fn add(&mut self, turn: u32, moves: u32, states: u128) {
        if states > 0 {
            let by_moves = &mut self.level(turn).by_moves;
            let index = moves as usize;
            if by_moves.len() <= index {
                by_moves.resize(index + 1, 0);
            }
            by_moves[index] += states;
        }
    }

    /// Adds terminal states of a turn with the given lead of the first player.
    pub(super) fn add_terminals(&mut self, turn: u32, lead: i32, states: u128) {
        if states > 0 {
            self.level(turn).terminals += states;
            *self.terminals.entry(lead).or_default() += states;
        }
    }

    fn level(&mut self, turn: u32) -> &mut LevelCount {
        let turn = turn as usize;
        if self.levels.len() < turn {
            self.levels.resize_with(turn, LevelCount::default);
        }
        &mut self.levels[turn - 1]
    }
}

/// The number of states of one turn, by their number of legal moves.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LevelCount {
    /// States by the number of legal moves, which is the index; index 0 counts states in which the
    /// player to move passes.
    pub by_moves: Vec<u128>,
    /// Terminal states.
    pub terminals: u128,
}

impl LevelCount {
    /// The states in which the player to move has a legal move.
    pub fn decisions(&self) -> u128 {
        self.by_moves.iter().skip(1).sum()
    }

    /// The legal moves of all states together.
    pub fn moves(&self) -> u128 {
        self.by_moves.iter().zip(0..).map(|(states, moves)| states * moves).sum()
    }

    /// The number of states of the turn.
    pub fn states(&self) -> u128 {
        self.terminals + self.by_moves.iter().sum::<u128>()
    }

    /// The number of states in which the player to move has to pass.
    pub fn passes(&self) -> u128 {
        self.by_moves.first().copied().unwrap_or(0)
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

/// The numbers of states and playouts of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Census {
    /// The states of each turn, from turn 1.
    pub levels: Vec<LevelCount>,
    /// The terminal states and playouts by the first player's lead, in pieces without the bias.
    pub scores: BTreeMap<i32, ScoreCount>,
}

impl Census {
    /// Combines numbers of states with the playouts that end with each lead.
    pub fn new(states: StateCounts, playouts: BTreeMap<i32, BigUint>) -> Census {
        let mut scores: BTreeMap<i32, ScoreCount> = BTreeMap::new();
        for (lead, playouts) in playouts {
            scores.entry(lead).or_default().playouts = playouts;
        }
        for (lead, terminals) in states.terminals {
            scores.entry(lead).or_default().terminals = terminals;
        }
        Census { levels: states.levels, scores }
    }

    /// The number of states of all turns.
    pub fn states(&self) -> u128 {
        self.levels.iter().map(LevelCount::states).sum()
    }

    /// The number of terminal states.
    pub fn terminals(&self) -> u128 {
        self.scores.values().map(|count| count.terminals).sum()
    }

    /// The number of playouts.
    pub fn playouts(&self) -> BigUint {
        self.scores.values().map(|count| &count.playouts).sum()
    }
}

/// The playouts and terminal states with a given score.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScoreCount {
    /// Playouts. Symmetric images count separately.
    pub playouts: BigUint,
    /// Terminal states.
    pub terminals: u128,
}
