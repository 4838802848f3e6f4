//! The states of British Square as a source of positions.
//!
//! Where only sums are wanted, every state is visited as by
//! [`visit_states`](BritishSquare::visit_states); otherwise in the order of the keys.

use super::Asked;
use crate::source::{Root, Source, Visit};
use crate::{AnalysisError, OptionValues};
use bsq_engine::dataset::{self, Collector, Entry};
use bsq_engine::game::{Player, Value};
use bsq_engine::monitor::Monitor;
use bsq_engine::strong::{State, States, Visitor, solve};
use bsq_games::british_square::{BritishSquare, Cells, Move, Position, Rules, cells_of};
use std::ops::Range;

/// The states under any rules under which every state can be valued.
pub struct EveryState;

/// The number of states in a task of a thread.
const STATES: usize = 4096;

impl Source for EveryState {
    type Game = Rules;

    fn open(request: &OptionValues, _: &Rules) -> Result<(Rules, EveryState), AnalysisError> {
        Ok((Asked::of(request)?.rules, EveryState))
    }

    fn check(&self, rules: &Rules, _: Option<&Root<Rules>>) -> Result<(), AnalysisError> {
        Asked::about(rules.clone()).check_solvable()
    }

    fn estimate(&self, rules: &Rules) -> Option<f64> {
        Some(Asked::about(rules.clone()).visiting(3e6))
    }

    fn collect<C: Collector<Rules>>(
        &self,
        visit: &Visit<Rules>,
        collector: C,
        monitor: &Monitor,
    ) -> Result<C, AnalysisError> {
        let Visit { rules, root, .. } = visit.clone();
        let game = Asked { rules, root, method: None }.game()?;
        if !visit.is_ordered {
            let visitor = OfStates { game: &game, collector };
            return Ok(game.visit_states(visitor, monitor)?.collector);
        }
        let states = States::of(solve(&game, &game.root(), monitor)?, monitor)?;
        monitor.begin("states", states.len() as u64);
        let parts: Vec<Range<usize>> = (0..states.len())
            .step_by(STATES)
            .map(|start| start..states.len().min(start + STATES))
            .collect();
        dataset::collect_parts(collector, &parts, monitor, |seen: &mut C, part| {
            states.show(&game, part.clone(), |state| {
                let State { key, moves, values, .. } = state;
                seen.see(&StateEntry { game: &game, position: &game.position(key), moves, values });
            });
            monitor.advance(part.len() as u64);
            Ok(())
        })
    }
}

/// Passes states to a collector.
struct OfStates<'a, C> {
    game: &'a BritishSquare,
    collector: C,
}

impl<C: Collector<Rules>> Visitor<Position> for OfStates<'_, C> {
    fn fresh(&self) -> Self {
        OfStates { game: self.game, collector: self.collector.fresh() }
    }

    fn visit(&mut self, position: &Position, moves: Cells, values: &[i8]) {
        self.collector.see(&StateEntry { game: self.game, position, moves, values });
    }

    fn absorb(&mut self, other: Self) {
        self.collector.absorb(other.collector);
    }
}

/// A state with the values of its moves, in pieces without the bias, lowest cell first. There is one
/// for a forced pass, and none in a terminal state.
struct StateEntry<'a> {
    game: &'a BritishSquare,
    position: &'a Position,
    moves: Cells,
    values: &'a [i8],
}

impl StateEntry<'_> {
    /// The value in pieces.
    fn best(&self) -> i32 {
        let values = self.values.iter().copied();
        let best = match self.position.to_move {
            Player::First => values.max(),
            Player::Second => values.min(),
        };
        best.map_or_else(|| self.position.lead(), i32::from)
    }

    fn value_of(&self, pieces: i32) -> Value {
        Value::of_score((pieces - self.game.rules().bias).into())
    }
}

impl Entry<Rules> for StateEntry<'_> {
    fn position(&self) -> &Position {
        self.position
    }

    fn ply(&self) -> Option<u32> {
        Some(self.position.turn - 1)
    }

    fn value(&self) -> Value {
        self.value_of(self.best())
    }

    fn orbit_size(&self) -> u64 {
        let images = self.game.node(self.position).0;
        let equal = images.iter().filter(|image| **image == images[0]).count();
        (images.len() / equal) as u64
    }

    fn legal_moves(&self) -> u32 {
        self.values.len() as u32
    }

    fn each_move(&self, mut see: impl FnMut(&Move, Value)) {
        if let (0, [value]) = (self.moves, self.values) {
            return see(&Move::Pass, self.value_of((*value).into()));
        }
        for (cell, value) in cells_of(self.moves).zip(self.values) {
            see(&Move::Place(cell), self.value_of((*value).into()));
        }
    }

    fn best_moves(&self) -> u32 {
        let best = self.best();
        self.values.iter().filter(|&&value| i32::from(value) == best).count() as u32
    }
}
