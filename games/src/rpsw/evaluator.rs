//! The value of a position of rock-paper-scissors-well and of its moves: from a tablebase, or from
//! a retrograde analysis in memory.

use super::dtw::Dtw;
use super::retrograde::solving_bytes;
use super::tablebase::solution::Solution;
use super::tablebase::{Tablebase, TablebaseError};
use super::{Move, Position, Rules};
use bsq_engine::error::{HasKind, Kind};
use bsq_engine::evaluate;
use bsq_engine::evaluate::{Cost, Detail, MoveEvaluation};
use bsq_engine::game::{Game, Notation, Player, Value};
use bsq_engine::monitor::{Monitor, SolveError};
use bytesize::ByteSize;
use std::cmp::Reverse;

/// A position of rock-paper-scissors-well with its value.
pub type Evaluation = evaluate::Evaluation<Move, (), ()>;

/// Evaluates positions of one game by probing.
///
/// ```
/// use bsq_engine::evaluate::{Detail, Evaluator as _};
/// use bsq_engine::game::{Game, Player, Value};
/// use bsq_engine::monitor::Monitor;
/// use bsq_games::rpsw::retrograde::Layout;
/// use bsq_games::rpsw::tablebase::solution::Solution;
/// use bsq_games::rpsw::{Evaluator, Rules};
///
/// let rules = Rules::standard().on_board(3, 3).unwrap().with_pieces(1).unwrap();
/// let monitor = Monitor::default();
/// let solution = Solution::solve(Layout::new(rules.clone()), 2, &monitor).unwrap();
/// let evaluator = Evaluator::Solution(&solution);
/// let found = evaluator.evaluate(&rules.start(), Detail::Value, &monitor).unwrap();
/// assert_eq!(found.value, Some(Value::win(Player::First, 3)));
/// ```
#[derive(Clone, Copy)]
pub enum Evaluator<'a> {
    /// Probes a file.
    Tablebase(&'a Tablebase),
    /// Probes the result of a retrograde analysis in memory.
    Solution(&'a Solution),
}

/// Why a position is not evaluated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EvaluatorError {
    /// The tablebase cannot be read.
    #[error(transparent)]
    Tablebase(#[from] TablebaseError),
    /// The stored entries of some positions are inconsistent.
    #[error("what is stored contradicts the rules at {0}")]
    Contradiction(String),
    /// Too large to be solved in memory.
    #[error(
        "solving the game takes {} of memory, and {} are allowed; a tablebase answers at once",
        ByteSize::b(*bytes).display().iec(),
        ByteSize::b(*allowed).display().iec()
    )]
    TooLarge {
        /// The memory for the analysis, in bytes.
        bytes: u64,
        /// The limit, in bytes.
        allowed: u64,
    },
    /// The caller cancelled a principal variation.
    #[error(transparent)]
    Solve(#[from] SolveError),
}

impl HasKind for EvaluatorError {
    fn kind(&self) -> Kind {
        match self {
            EvaluatorError::Tablebase(error) => error.kind(),
            EvaluatorError::Contradiction(_) => Kind::Failed,
            EvaluatorError::TooLarge { .. } => Kind::Refused,
            EvaluatorError::Solve(error) => error.kind(),
        }
    }
}

impl Evaluator<'_> {
    fn depth_to_win(&self, position: &Position) -> Result<Dtw, EvaluatorError> {
        let found = match self {
            Evaluator::Tablebase(tablebase) => tablebase.depth_to_win(position)?,
            Evaluator::Solution(solution) => solution.depth_to_win(position),
        };
        let contradiction = || {
            let position = evaluate::Evaluator::game(self).format_position(position);
            EvaluatorError::Contradiction(position)
        };
        found.ok_or_else(contradiction)
    }
}

impl evaluate::Evaluator for Evaluator<'_> {
    type Game = Rules;
    type Facts = ();
    type MoveFacts = ();
    type Error = EvaluatorError;

    fn game(&self) -> &Rules {
        match self {
            Evaluator::Tablebase(tablebase) => tablebase.rules(),
            Evaluator::Solution(solution) => solution.rules(),
        }
    }

    fn cost(&self, _: &Position, _: Detail) -> Cost<EvaluatorError> {
        Cost::LookUp
    }

    fn evaluate(
        &self,
        position: &Position,
        detail: Detail,
        _: &Monitor,
    ) -> Result<Evaluation, EvaluatorError> {
        let (rules, player) = (self.game(), position.to_move);
        let value = Some(self.depth_to_win(position)?.value(player));
        let evaluated = |mv: Move| -> Result<MoveEvaluation<Move, ()>, EvaluatorError> {
            let after = self.depth_to_win(&rules.play(position, mv))?;
            Ok(MoveEvaluation { mv, value: Some(after.before().value(player)), facts: () })
        };
        let moves = match detail {
            Detail::Value => None,
            Detail::Moves => {
                let moves = rules.moves(position).into_iter().map(evaluated);
                let mut moves = moves.collect::<Result<Vec<_>, _>>()?;
                moves.sort_by_key(|mv| Reverse(mv.value.map(|value| value.rank(player))));
                Some(moves)
            }
        };
        Ok(Evaluation { value, to_come: None, moves, facts: () })
    }

    fn best_move(&self, position: &Position, _: &Monitor) -> Result<Option<Move>, EvaluatorError> {
        let value = self.depth_to_win(position)?;
        let keeps = |after: &Position| Ok(self.depth_to_win(after)?.before() == value);
        evaluate::first_move(self.game(), position, keeps)
    }

    fn bytes(&self) -> u64 {
        match self {
            Evaluator::Tablebase(_) => 0,
            Evaluator::Solution(solution) => solving_bytes(solution.layout()),
        }
    }
}

/// The outcome of a value for a player: `won`, `lost` or `drawn`.
pub fn outcome_for(player: Player, value: &Value) -> &'static str {
    match value.winner() {
        Some(winner) if winner == player => "won",
        Some(_) => "lost",
        None => "drawn",
    }
}
