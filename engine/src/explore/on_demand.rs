//! The evaluator of any game, from its rules alone.

use super::evaluator::Explored;
use super::{ExploreError, Limits, Merging, bytes_for, explore_from};
use crate::evaluate::{
    Cost, Detail, Evaluation, EvaluationOf, Evaluator, Known, Learned, MoveEvaluation, best_moves,
};
use crate::game::{Game, Value};
use crate::monitor::{Monitor, SolveError};
use crate::proved::Proved;
use crate::search::{Growing, Search};
use parking_lot::Mutex;
use std::cmp::Reverse;
use std::sync::Arc;

/// The most positions of a game that is explored although its positions can be searched. To explore
/// so many takes some hundredths of a second.
const FEW: u64 = 20_000;
/// The most plies to the end of a position that is searched, with its moves, in less than a second.
const NEAR_END: u32 = 16;
/// The first table of a search, in bytes.
const FIRST_TABLE: u64 = 1 << 20;
/// The most memory of a search, in bytes. A larger table takes longer to fill than it saves.
const MEMORY: u64 = 1 << 30;

/// Evaluates the positions of any game from its rules alone.
///
/// A game with at most 20,000 positions is explored, and so is any game whose positions
/// can occur again: the first evaluation explores and solves it from the position, and later ones
/// look up positions that can follow it. Another position is explored in turn. In other games,
/// positions are [searched](crate::search) one by one.
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
    /// The search. `None` if the game is explored.
    search: Option<Growing<Search<G>>>,
}

impl<G: Game + Clone> OnDemand<G> {
    /// An evaluator that has not evaluated anything. It merges all symmetric positions.
    pub fn new(game: G, limits: Limits) -> OnDemand<G> {
        let is_searched = game.remaining(&game.start()).is_some() && !has_few_positions(&game);
        let memory = limits.memory.map_or(MEMORY, |memory| memory.min(MEMORY));
        OnDemand {
            search: is_searched.then(|| Growing::new(FIRST_TABLE, memory)),
            game,
            limits,
            latest: Mutex::default(),
            exploring: Mutex::default(),
        }
    }

    fn searcher(&self, bytes: u64) -> Result<Search<G>, ExploreError> {
        Ok(Search::new(self.game.clone(), bytes)?)
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
        if self.search.is_some() {
            let remaining = self.game.remaining(position);
            let is_near = remaining.is_some_and(|remaining| remaining.plies <= NEAR_END);
            if is_near { Cost::Quick } else { Cost::Search }
        } else if self.known(position).is_some() {
            Cost::LookUp
        } else {
            Cost::Build
        }
    }

    fn evaluate(
        &self,
        position: &G::Position,
        detail: Detail,
        monitor: &Monitor,
    ) -> Result<EvaluationOf<Self>, ExploreError> {
        let Some(search) = &self.search else {
            return self.explored(position, monitor)?.evaluate(position, detail, monitor);
        };
        let evaluate = |search: &Search<G>, monitor: &Monitor| {
            evaluate_by_search(search, position, detail, monitor)
        };
        search.search(monitor, |bytes| self.searcher(bytes), evaluate)
    }

    fn best_move(
        &self,
        position: &G::Position,
        monitor: &Monitor,
    ) -> Result<Option<G::Move>, ExploreError> {
        let Some(search) = &self.search else {
            return self.explored(position, monitor)?.best_move(position, monitor);
        };
        let best = |search: &Search<G>, monitor: &Monitor| Ok(search.best_move(position, monitor)?);
        search.search(monitor, |bytes| self.searcher(bytes), best)
    }

    fn known(&self, position: &G::Position) -> Known<G::Move> {
        let game = &self.game;
        let search = self.search.as_ref().and_then(Growing::largest);
        let value = |position: &G::Position| match search {
            Some(search) => Some(search.known(position)),
            None => game.result(position).map(Proved::exactly),
        };
        let after = |mv: G::Move| {
            let after =
                value(&game.play(position, mv.clone())).map(|value| value.map(Value::before));
            (mv, after)
        };
        let mut known = Known {
            value: value(position),
            to_come: None,
            moves: game.moves(position).into_iter().map(after).collect(),
        };
        let score = known.value.and_then(|value| value.score());
        known.to_come = score.map(|score| score.map(|score| score - game.score(position)));
        known.sort(game.to_move(position), |mv| game.preference(position, mv));
        known
    }

    fn principal_variation(
        &self,
        position: &G::Position,
        limit: usize,
        monitor: &Monitor,
    ) -> Result<Vec<G::Move>, ExploreError> {
        if self.search.is_some() {
            return best_moves(self, position, limit, monitor);
        }
        self.explored(position, monitor)?.principal_variation(position, limit, monitor)
    }

    fn bytes(&self) -> u64 {
        let latest = self.latest.lock();
        let explored = latest.as_ref().map_or(0, |explored| explored.bytes());
        let solvers = self.search.iter().flat_map(Growing::iter);
        explored + solvers.map(Learned::table_bytes).sum::<u64>()
    }

    fn most_bytes(&self) -> u64 {
        self.search.iter().flat_map(Growing::sizes).sum()
    }

    fn grow(&self, bytes: u64) -> Result<(), ExploreError> {
        if let Some(search) = &self.search {
            search.grow(bytes, |bytes| self.searcher(bytes))?;
        }
        Ok(())
    }

    fn learned(&self) -> Vec<&dyn Learned> {
        let search = self.search.as_ref().and_then(Growing::largest);
        search.into_iter().map(|search| search as &dyn Learned).collect()
    }
}

/// Whether a game is explored as fast as its positions are searched.
fn has_few_positions<G: Game + Clone>(game: &G) -> bool {
    let memory = bytes_for::<G>(FEW);
    let limits = Limits { memory: Some(memory), merging: Merging::All };
    explore_from(game.clone(), &game.start(), limits, &Monitor::default()).is_ok()
}

/// Searches the value of a position and, if they are wanted, those of its moves.
fn evaluate_by_search<G: Game + Clone>(
    search: &Search<G>,
    position: &G::Position,
    detail: Detail,
    monitor: &Monitor,
) -> Result<EvaluationOf<OnDemand<G>>, ExploreError> {
    let game = search.game();
    let value_of = |position: &G::Position, monitor: &Monitor| -> Result<Value, ExploreError> {
        Ok(search.prove(position, monitor)?.exact().ok_or(SolveError::Stopped)?)
    };
    let value = value_of(position, monitor)?;
    let moves = match detail {
        Detail::Value => None,
        Detail::Moves => {
            let mover = game.to_move(position);
            let legal = game.moves(position);
            let count = legal.len();
            let after = |(number, mv): (usize, G::Move)| {
                let describe = |_| format!("move {number} of {count}");
                let next = game.play(position, mv.clone());
                let value = value_of(&next, &monitor.describing(&describe))?;
                Ok(MoveEvaluation { mv, value: Some(value.before()), facts: () })
            };
            let moves = (1..).zip(legal).map(after);
            let mut moves = moves.collect::<Result<Vec<_>, ExploreError>>()?;
            moves.sort_by_key(|mv| Reverse(mv.value.map(|value| value.rank(mover))));
            Some(moves)
        }
    };
    let to_come = value.score.map(|score| score - game.score(position));
    Ok(Evaluation { value: Some(value), to_come, moves, facts: () })
}
