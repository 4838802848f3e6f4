//! The game as front ends see it.

use super::evaluator::{Evaluator, Optional, suitable_table};
use super::heuristic::{Layout, Rule};
use super::tablebase::Tablebase;
use super::{Board, NAME, Position, Rules, lines_of};
use bsq_engine::definition::{
    self, Heuristic, Info, OptionalFact, Resources, Unavailable, Workload,
};
use std::sync::Arc;

/// The optional facts.
const LOONY: &str = "loony";
const NIMSTRING: &str = "nimstring";

/// Dots-and-Boxes.
pub struct Definition;

impl definition::Definition for Definition {
    type Rules = Rules;
    type Evaluator = Evaluator;
    const INFO: Info = Info {
        name: NAME,
        title: "Dots-and-Boxes",
        summary: "Two players draw lines between dots and close boxes",
        rules: "Players take turns drawing a line between two neighbouring dots. Completing a box \
            scores it and grants another turn. When all lines are drawn, the player with more boxes \
            wins by the difference.",
    };
    const FACTS: &'static [OptionalFact] = &[
        OptionalFact {
            name: LOONY,
            help: "The player who must make the next loony move, with best play",
        },
        OptionalFact {
            name: NIMSTRING,
            help: "The nimber of the position in Nimstring, where only the last line counts",
        },
    ];

    fn rules() -> Rules {
        Rules::standard(Board::new(3, 3).expect("a board"))
    }

    fn evaluator(rules: &Rules, resources: &Resources) -> Result<Evaluator, Unavailable> {
        let open = rules.board.all() & !rules.start().lines;
        let bytes = suitable_table(open.count_ones()).min(resources.memory);
        let is_requested = |name| resources.facts.iter().any(|fact| fact == name);
        let nimber = is_requested(NIMSTRING).then(|| resources.memory.saturating_sub(bytes) / 2);
        let optional = Optional { loony: is_requested(LOONY), nimber };
        if resources.workload == Workload::Checkpoint {
            return Ok(Evaluator::searching(rules.board, rules.penalty, bytes, optional)?);
        }
        let tablebase = tablebase(rules, resources)?;
        Ok(Evaluator::new(*rules, tablebase, bytes, u32::MAX).with(optional))
    }

    #[cfg(feature = "storage")]
    fn tablebase_rules(path: &std::path::Path) -> Result<Option<Rules>, Unavailable> {
        if !path.is_dir() {
            return Ok(None);
        }
        let tablebase = Tablebase::open(path)?;
        let plan = tablebase.plan();
        Ok(Some(Rules { penalty: plan.penalty().into(), ..Rules::standard(*plan.board()) }))
    }

    fn heuristics(rules: &Rules) -> Vec<Heuristic<Rules>> {
        let layout = Arc::new(Layout::new(rules.board));
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
}

/// A tablebase has other rules than those of the game.
#[cfg(feature = "storage")]
#[derive(Debug, thiserror::Error)]
#[error("the tablebase has other rules: {0}")]
struct OtherRules(String);

#[cfg(feature = "storage")]
fn tablebase(rules: &Rules, resources: &Resources) -> Result<Option<Tablebase>, Unavailable> {
    let Some(path) = &resources.tablebase else { return Ok(None) };
    let tablebase = Tablebase::open(path)?;
    let plan = tablebase.plan();
    match *plan.board() == rules.board && rules.penalty == plan.penalty().into() {
        true => Ok(Some(tablebase)),
        false => Err(OtherRules(plan.describe()).into()),
    }
}

#[cfg(not(feature = "storage"))]
fn tablebase(_: &Rules, resources: &Resources) -> Result<Option<Tablebase>, Unavailable> {
    match resources.tablebase {
        Some(_) => Err("tablebases need the feature storage".into()),
        None => Ok(None),
    }
}
