//! The evaluator of any game that explores it when it is first asked.

use super::evaluator::Explored;
use super::{ExploreError, Limits, Merging, explore_from};
use crate::evaluate::{Cost, Detail, EvaluationOf, Evaluator};
use crate::game::Game;
use crate::monitor::Monitor;
use parking_lot::Mutex;
use std::sync::Arc;

/// Evaluates the positions of any game from its rules alone: explores and solves the game from the
/// first position that is evaluated, and looks up positions that can follow it. Another position
/// is explored in turn.
///
/// ```
/// use bsq_engine::evaluate::{Cost, Detail, Evaluator};
/// use bsq_engine::explore::{Limits, OnDemand};
/// use bsq_engine::game::Game;
/// use bsq_engine::monitor::Monitor;
/// use bsq_engine::nim::Nim;
///
/// let nim = OnDemand::new(Nim([3, 4, 5]), Limits::default());
/// let start = nim.game().start();
/// assert_eq!(nim.cost(&start, Detail::Value), Cost::Build);
/// nim.evaluate(&start, Detail::Value, &Monitor::default()).unwrap();
/// assert_eq!(nim.cost(&start, Detail::Value), Cost::LookUp);
/// ```
pub struct OnDemand<G: Game> {
    game: G,
    limits: Limits,
    latest: Mutex<Option<Arc<Explored<G>>>>,
    /// Held while a game is explored, so that only one exploration takes memory.
    exploring: Mutex<()>,
}

impl<G: Game + Clone> OnDemand<G> {
    /// An evaluator that has not explored anything. It merges all symmetric positions.
    pub fn new(game: G, limits: Limits) -> OnDemand<G> {
        OnDemand { game, limits, latest: Mutex::default(), exploring: Mutex::default() }
    }

    /// The latest exploration, if it contains a position.
    fn known(&self, position: &G::Position) -> Option<Arc<Explored<G>>> {
        let latest = self.latest.lock();
        latest.clone().filter(|explored| explored.solution().value(position).is_some())
    }

    fn explored(
        &self,
        position: &G::Position,
        monitor: &Monitor,
    ) -> Result<Arc<Explored<G>>, ExploreError> {
        if let Some(known) = self.known(position) {
            return Ok(known);
        }
        let _exploring = self.exploring.lock();
        if let Some(known) = self.known(position) {
            return Ok(known);
        }
        *self.latest.lock() = None;
        let limits = Limits { merging: Merging::All, ..self.limits };
        let explored = explore_from(self.game.clone(), position, limits, monitor)?;
        let explored = Arc::new(Explored::of(explored.solve(monitor)?));
        *self.latest.lock() = Some(Arc::clone(&explored));
        Ok(explored)
    }
}

impl<G: Game + Clone> Evaluator for OnDemand<G> {
    type Game = G;
    type Facts = ();
    type MoveFacts = ();
    type Error = ExploreError;

    fn game(&self) -> &G {
        &self.game
    }

    fn cost(&self, position: &G::Position, _: Detail) -> Cost<ExploreError> {
        if self.known(position).is_some() { Cost::LookUp } else { Cost::Build }
    }

    fn evaluate(
        &self,
        position: &G::Position,
        detail: Detail,
        monitor: &Monitor,
    ) -> Result<EvaluationOf<Self>, ExploreError> {
        self.explored(position, monitor)?.evaluate(position, detail, monitor)
    }

    fn principal_variation(
        &self,
        position: &G::Position,
        limit: usize,
        monitor: &Monitor,
    ) -> Result<Vec<G::Move>, ExploreError> {
        self.explored(position, monitor)?.principal_variation(position, limit, monitor)
    }

    fn bytes(&self) -> u64 {
        let latest = self.latest.lock();
        latest.as_ref().map_or(0, |explored| explored.bytes())
    }
}
