//! All states of a small game with the values of their moves, and the moves that a decision list
//! likes.

use super::features;
use super::{EMPTY, FIRST, Findings, Next, Situation, Variant};
use bsq_games::british_square::heuristic::DecisionList;
use std::collections::BTreeSet;

/// A game solved by brute force.
pub struct Solution {
    pub variant: Variant,
    pub findings: Findings,
    /// One situation of each class of symmetric images, by turn.
    pub states: Vec<State>,
}

/// A situation and the values of its moves.
pub struct State {
    pub situation: Situation,
    pub value: i32,
    pub over: bool,
    pub choices: Vec<Choice>,
}

/// A legal placement.
#[derive(Clone, Copy)]
pub struct Choice {
    pub cell: usize,
    /// The score under perfect play after it.
    pub value: i32,
    /// Its cost in points.
    pub cost: i32,
}

impl Solution {
    pub fn of(variant: Variant) -> Solution {
        let findings = variant.solve();
        let situations: BTreeSet<Situation> = findings.states().into_keys().collect();
        let states = situations.into_iter().map(|s| State::new(&variant, &findings, s));
        let mut states: Vec<State> = states.collect();
        states.sort_by_key(|state| state.situation.turn);
        Solution { variant, findings, states }
    }

    /// The states whose mover has a legal placement.
    pub fn decisions(&self) -> impl Iterator<Item = &State> {
        self.states.iter().filter(|state| !state.choices.is_empty())
    }

    /// Looks up a reachable situation, in any of its images.
    pub fn state(&self, situation: Situation) -> State {
        State::new(&self.variant, &self.findings, situation)
    }
}

impl State {
    fn new(variant: &Variant, findings: &Findings, situation: Situation) -> State {
        let truth = findings.of(&situation);
        let (value, over) = (truth.value, truth.over);
        let placements = match variant.next(&situation) {
            Next::Place(cells) => cells,
            Next::Pass | Next::Over => Vec::new(),
        };
        let choice = |cell: usize| {
            let after = findings.of(&variant.place(&situation, cell)).value;
            let cost = if situation.mover() == FIRST { value - after } else { after - value };
            Choice { cell, value: after, cost }
        };
        let choices = placements.into_iter().map(choice).collect();
        State { situation, value, over, choices }
    }

    pub fn blunders(&self) -> impl Iterator<Item = &Choice> {
        self.choices.iter().filter(|choice| choice.cost > 0)
    }

    /// Whether a mistake is possible.
    pub fn is_risky(&self) -> bool {
        self.blunders().next().is_some()
    }

    pub fn perfect(&self) -> BTreeSet<usize> {
        self.choices.iter().filter(|choice| choice.cost == 0).map(|choice| choice.cell).collect()
    }

    /// The moves that a decision list likes.
    pub fn liked(&self, list: &DecisionList, variant: &Variant) -> BTreeSet<usize> {
        let legal = self.choices.iter().map(|choice| choice.cell).collect();
        features::liked(list, variant, &self.situation, &legal)
    }
}

/// The cells that a player could use if it were that player's turn, not the first.
pub fn may_use(variant: &Variant, situation: &Situation, player: u8) -> BTreeSet<usize> {
    let cells = &situation.cells;
    let placed = cells.iter().filter(|&&owner| owner == player).count();
    let has_pieces = variant.pieces.is_none_or(|limit| placed < limit);
    let is_free = |&cell: &usize| {
        let near_opponent = |&near: &usize| cells[near] != player && cells[near] != EMPTY;
        cells[cell] == EMPTY && !variant.beside(cell).iter().any(near_opponent)
    };
    (0..variant.size()).filter(|_| has_pieces).filter(is_free).collect()
}

/// The point reflection of a cell.
pub fn opposite(variant: &Variant, cell: usize) -> usize {
    let (row, col) = (cell / variant.cols, cell % variant.cols);
    (variant.rows - 1 - row) * variant.cols + (variant.cols - 1 - col)
}
