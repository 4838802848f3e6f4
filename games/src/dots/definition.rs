//! The game as front ends see it.

use super::evaluator::{Evaluator, Optional, suitable_table};
use super::heuristic::{Layout, Rule};
use super::search::PenaltySolver;
#[cfg(feature = "storage")]
use super::tablebase::jobs;
use super::{Board, NAME, Penalty, Position, Rules, Word, columns, lines_of};
use crate::first_plies::first_plies;
use bsq_engine::dataset::GameColumn;
#[cfg(feature = "storage")]
use bsq_engine::definition::Tablebases;
use bsq_engine::definition::{self, Heuristic, Info, OptionalFact, Resources, Workload};
use bsq_engine::error::Error;
use std::sync::Arc;

/// The optional facts.
const LOONY: &str = "loony";
const NIMSTRING: &str = "nimstring";

/// A copy of `results/dots-first-plies.csv`.
const FIRST_PLIES: &str = include_str!("first-plies.csv");

/// Dots-and-Boxes.
pub struct Definition;

impl definition::Definition for Definition {
    type Rules = Rules;
    type Evaluator = Evaluator;

    fn info(&self) -> &Info {
        static INFO: Info = Info::new(
            NAME,
            "Dots-and-Boxes",
            "Two players draw lines between dots and close boxes",
            "Players take turns drawing a line between two neighbouring dots. Completing a box \
            scores it and grants another turn. When all lines are drawn, the player with more boxes \
            wins by the difference.",
        );
        &INFO
    }
    fn facts(&self) -> &'static [OptionalFact] {
        &[
            OptionalFact {
                name: LOONY,
                key: "next_loony_move",
                help: "The player who must make the next loony move, with best play",
            },
            OptionalFact {
                name: NIMSTRING,
                key: "nimber",
                help: "The nimber of the position in Nimstring, where only the last line counts",
            },
        ]
    }

    #[cfg(feature = "storage")]
    fn tablebases(&self) -> Option<Tablebases<Rules>> {
        Some(jobs::tablebases())
    }

    fn rules(&self) -> Rules {
        Rules::standard(Board::new(3, 3).expect("a board"))
    }

    fn evaluator(&self, rules: &Rules, resources: &Resources) -> Result<Evaluator, Error> {
        let open = rules.board.all() & !rules.start().lines;
        let is_requested = |name| resources.facts.iter().any(|fact| fact == name);
        // The search for nimbers has tables of its own.
        let most = resources.memory / if is_requested(NIMSTRING) { 2 } else { 1 };
        let bytes = suitable_table(open.count_ones()).min(most);
        let nimber = is_requested(NIMSTRING).then(|| (resources.memory - bytes) / 2);
        let needed = PenaltySolver::most_value(&rules.board, rules.penalty, is_requested(LOONY));
        if needed > PenaltySolver::MOST_VALUE {
            let boxes = rules.board.boxes();
            return Err(Error::invalid(
                LOONY,
                format!(
                    "{boxes} boxes are open; with this penalty, loony moves are found for fewer"
                ),
            ));
        }
        let optional = Optional { loony: is_requested(LOONY), nimber };
        // A search with a checkpoint uses no tablebase.
        let path = resources.tablebase.as_deref();
        let path = path.filter(|_| resources.workload != Workload::Checkpoint);
        #[cfg(feature = "storage")]
        let opened = path.map(|path| jobs::open(path, rules));
        #[cfg(not(feature = "storage"))]
        let opened: Option<Result<_, Error>> = path.and(None);
        // A tablebase looks the same scores up.
        let has_stored = resources.first_plies
            && path.is_none()
            && !optional.loony
            && rules.penalty == Penalty::default();
        let evaluator = Evaluator::new(*rules, opened.transpose()?, bytes, u32::MAX).with(optional);
        if !has_stored {
            return Ok(evaluator);
        }
        Ok(evaluator.knowing(&first_plies(FIRST_PLIES, &Rules::standard(rules.board)))?)
    }

    fn columns(&self, rules: &Rules) -> Vec<GameColumn<Rules>> {
        columns::all(rules)
    }

    fn heuristics(&self, rules: &Rules) -> Vec<Heuristic<Rules>> {
        if rules.board.is_small() {
            prepared(Layout::<u64>::of(rules.board))
        } else {
            prepared(Layout::<u128>::of(rules.board))
        }
    }
}

/// The rules of thumb on a board.
fn prepared<W: Word>(layout: Layout<W>) -> Vec<Heuristic<Rules>> {
    let layout = Arc::new(layout);
    let prepared = |rule: Rule| {
        let layout = Arc::clone(&layout);
        let preferred = move |position: &Position| {
            lines_of(layout.situation(position.lines).liked_by(rule)).collect()
        };
        Heuristic {
            name: rule.name().to_string(),
            summary: rule.summary().to_string(),
            mistakes: Some(rule.mistakes()),
            preferred: Box::new(preferred),
        }
    };
    Rule::ALL.map(prepared).into()
}
