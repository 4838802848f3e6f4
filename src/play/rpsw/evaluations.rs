//! Evaluations of positions, each computed once.

use bsq_engine::evaluate::{Detail, Evaluator};
use bsq_engine::monitor::Monitor;
use bsq_games::rpsw::{Evaluation, EvaluatorError, Move, Position, Rules};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// The largest number of plies of a principal variation that are shown.
const LINE: usize = 16;

/// An evaluator of rock-paper-scissors-well.
type AnyEvaluator<'a> =
    dyn Evaluator<Game = Rules, Facts = (), MoveFacts = (), Error = EvaluatorError> + 'a;

/// An evaluation, or the reason why there is none.
pub type Known = Result<Rc<Evaluation>, String>;

/// Evaluates positions and caches the evaluations, because screens are drawn often, and an
/// evaluation takes many probes.
pub struct Evaluations<'a> {
    evaluator: Box<AnyEvaluator<'a>>,
    known: RefCell<HashMap<Position, Known>>,
}

impl<'a> Evaluations<'a> {
    /// Creates an empty cache.
    pub fn new(
        evaluator: impl Evaluator<Game = Rules, Facts = (), MoveFacts = (), Error = EvaluatorError> + 'a,
    ) -> Evaluations<'a> {
        Evaluations { evaluator: Box::new(evaluator), known: RefCell::default() }
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        self.evaluator.game()
    }

    /// The evaluation of a position and of its moves.
    pub fn evaluation(&self, position: &Position) -> Known {
        let mut known = self.known.borrow_mut();
        let evaluate = || {
            let found = self.evaluator.evaluate(position, Detail::Moves, &Monitor::default());
            found.map(Rc::new).map_err(|error| error.to_string())
        };
        known.entry(*position).or_insert_with(evaluate).clone()
    }

    /// The first plies of the principal variation of a position.
    pub fn principal_variation(&self, position: &Position) -> Result<Vec<Move>, String> {
        let line = self.evaluator.principal_variation(position, LINE, &Monitor::default());
        line.map_err(|error| error.to_string())
    }
}
