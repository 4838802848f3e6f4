//! The game as front ends see it.

use super::evaluator::{Evaluator, suitable_table};
use super::heuristic::{Layout, Rule};
use super::tablebase::Tablebase;
use super::{Board, NAME, Position, Rules, lines_of};
use bsq_engine::definition::{self, Heuristic, Info, Resources, Unavailable};
use std::sync::Arc;

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

    fn rules() -> Rules {
        Rules::standard(Board::new(3, 3).expect("a board"))
    }

    fn evaluator(rules: &Rules, resources: &Resources) -> Result<Evaluator, Unavailable> {
        let open = rules.board.all() & !rules.start().lines;
        let bytes = suitable_table(open.count_ones()).min(resources.memory);
        Ok(Evaluator::new(*rules, tablebase(rules, resources)?, bytes, u32::MAX))
    }

    #[cfg(feature = "storage")]
    fn tablebase_rules(path: &std::path::Path) -> Result<Option<Rules>, Unavailable> {
        if !path.is_dir() {
            return Ok(None);
        }
        let tablebase = Tablebase::open(path)?;
        let plan = tablebase.plan();
        Ok(Some(Rules { penalty: plan.penalty(), ..Rules::standard(*plan.board()) }))
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
    match *plan.board() == rules.board && plan.penalty() == rules.penalty {
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
