//! The evaluator of any game small enough to be explored.

use super::solve::Solution;
use super::{ExploreError, Limits, explore};
use crate::evaluate::{Cost, Detail, Evaluation, EvaluationOf, Evaluator, MoveEvaluation};
use crate::game::{Game, Value};
use crate::monitor::Monitor;
use crate::score::Score;

/// Evaluates the positions of any sufficiently small game by looking them up in its strong
/// solution.
///
/// ```
/// use bsq_engine::evaluate::{Detail, Evaluator};
/// use bsq_engine::explore::{Explored, Limits};
/// use bsq_engine::game::{Game, Player};
/// use bsq_engine::monitor::Monitor;
/// use bsq_engine::nim::{Nim, Take};
///
/// let monitor = Monitor::default();
/// let nim = Explored::new(Nim([3, 4, 5]), Limits::default(), &monitor).unwrap();
/// let start = nim.game().start();
/// let found = nim.evaluate(&start, Detail::Moves, &monitor).unwrap();
/// assert_eq!(found.value.unwrap().winner(), Some(Player::First));
/// assert_eq!(found.best().collect::<Vec<_>>(), [Take(0, 2)]); // 1, 4, 5: the nim sum is 0
/// ```
pub struct Explored<G: Game>(Solution<G>);

impl<G: Game> Explored<G> {
    /// Explores and solves a game.
    ///
    /// # Errors
    ///
    /// As for [`explore`] and [`Exploration::solve`](super::Exploration::solve).
    pub fn new(game: G, limits: Limits, monitor: &Monitor) -> Result<Explored<G>, ExploreError> {
        Ok(Explored(explore(game, limits, monitor)?.solve(monitor)?))
    }
}

impl<G: Game> Explored<G> {
    /// An evaluator that looks values up in a solution.
    pub fn of(solution: Solution<G>) -> Explored<G> {
        Explored(solution)
    }

    /// The solution.
    pub fn solution(&self) -> &Solution<G> {
        &self.0
    }

    fn unreached(position: &G::Position) -> ExploreError {
        ExploreError::Unreached(format!("{position:?}"))
    }

    /// The result at the end of the principal variation. `None` if it depends on moves that the
    /// position does not record.
    fn final_result(&self, position: &G::Position) -> Option<Value> {
        let game = self.0.game();
        let line = self.0.principal_variation(position, usize::MAX);
        let end = line.into_iter().fold(position.clone(), |position, mv| game.play(&position, mv));
        game.result(&end)
    }
}

impl<G: Game> Evaluator for Explored<G> {
    type Game = G;
    type Facts = ();
    type MoveFacts = ();
    type Error = ExploreError;

    fn game(&self) -> &G {
        self.0.game()
    }

    fn cost(&self, position: &G::Position, _: Detail) -> Cost<ExploreError> {
        match self.0.value(position) {
            Some(_) => Cost::LookUp,
            None => Cost::Refused(Self::unreached(position)),
        }
    }

    fn evaluate(
        &self,
        position: &G::Position,
        detail: Detail,
        _: &Monitor,
    ) -> Result<EvaluationOf<Self>, ExploreError> {
        let value = self.0.value(position).ok_or_else(|| Self::unreached(position))?;
        let to_come: Option<Score> = value.score.map(|score| score - self.0.game().score(position));
        let is_known = !self.0.forgets_points() || self.final_result(position).is_some();
        let known = |value: Value| is_known.then_some(value);
        let evaluated = |(mv, value)| MoveEvaluation { mv, value: known(value), facts: () };
        let moves = match detail {
            Detail::Value => None,
            Detail::Moves => self.0.moves(position),
        };
        let moves = moves.map(|moves| moves.into_iter().map(evaluated).collect());
        Ok(Evaluation { value: known(value), to_come, moves, facts: () })
    }

    fn principal_variation(
        &self,
        position: &G::Position,
        limit: usize,
        _: &Monitor,
    ) -> Result<Vec<G::Move>, ExploreError> {
        self.0.value(position).ok_or_else(|| Self::unreached(position))?;
        Ok(self.0.principal_variation(position, limit))
    }

    fn bytes(&self) -> u64 {
        self.0.bytes()
    }
}
