//! The game as front ends see it.

use super::evaluator::EvaluatorError;
use super::heuristic::{self, ALL, by_name, language};
use super::{Board, Evaluator, Move, NAME, Position, Rules, cells_of, columns};
use crate::first_plies::first_plies;
use bsq_engine::dataset::GameColumn;
use bsq_engine::definition::{self, Heuristic, Info, Resources, Workload};
use bsq_engine::error::Error;

/// A copy of `results/boards_first_plies.csv`.
const FIRST_PLIES: &str = include_str!("first-plies.csv");

/// British Square.
pub struct Definition;

/// The method of finding values that visits every position below the given one.
const DEPTH_FIRST: &str = "depth-first";

impl definition::Definition for Definition {
    type Rules = Rules;
    type Evaluator = Evaluator;

    fn info(&self) -> &Info {
        static INFO: Info = Info::new(
            NAME,
            "British Square",
            "Two players claim territory on a small board",
            "Players take turns placing a piece on an empty cell that is not next to a piece of \
            the opponent. The first move may not take the centre, if the board has one. A player \
            with no legal move passes. When neither can move, the player with more pieces wins by \
            the difference.",
        );
        &INFO
    }

    fn methods(&self) -> &'static [&'static str] {
        &["territory", DEPTH_FIRST]
    }

    fn rules(&self) -> Rules {
        Rules::of(Board::new(5, 5).expect("a board"))
    }

    fn evaluator(&self, rules: &Rules, resources: &Resources) -> Result<Evaluator, Error> {
        let found = match resources.workload {
            _ if resources.method == Some(DEPTH_FIRST) => {
                Evaluator::depth_first(rules, resources.memory).map_err(EvaluatorError::from)
            }
            Workload::Many => Evaluator::with_table(rules, resources.memory),
            Workload::One | Workload::Checkpoint => Evaluator::new(rules, Some(resources.memory)),
        };
        let evaluator = found.map_err(|error| match error {
            EvaluatorError::Solve(error) => Error::from(error),
            error => error.into(),
        })?;
        if !resources.first_plies {
            return Ok(evaluator);
        }
        Ok(evaluator.knowing(&first_plies(FIRST_PLIES, &Rules::of(rules.board))))
    }

    /// The built-in decision lists, except that of random play.
    fn heuristics(&self, rules: &Rules) -> Vec<Heuristic<Rules>> {
        let named = ALL.iter().filter(|heuristic| !heuristic.list.rules.is_empty());
        named.map(|heuristic| prepared(rules, heuristic.clone())).collect()
    }

    fn columns(&self, rules: &Rules) -> Vec<GameColumn<Rules>> {
        columns::all(rules)
    }

    /// The text of a decision list, besides the names of the built-in ones.
    fn parse_heuristic(
        &self,
        rules: &Rules,
        text: &str,
    ) -> Result<Heuristic<Rules>, Box<dyn std::error::Error + Send + Sync>> {
        if let Some(known) = by_name(text) {
            return Ok(prepared(rules, known.clone()));
        }
        let list = language::parse(text, &[])?;
        Ok(prepared(rules, heuristic::Heuristic { name: None, summary: String::new(), list }))
    }
}

fn prepared(rules: &Rules, list: heuristic::Heuristic) -> Heuristic<Rules> {
    let (rules, name) = (rules.clone(), list.label());
    Heuristic {
        mistakes: heuristic::mistakes(&name),
        name,
        summary: list.summary.clone(),
        preferred: Box::new(move |position: &Position| match list.liked_at(&rules, position) {
            0 => rules.moves(position),
            liked => cells_of(liked).map(Move::Place).collect(),
        }),
    }
}
