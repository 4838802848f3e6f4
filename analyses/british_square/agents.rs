//! Agents that play each other.

use super::Asked;
use crate::any::agents::{self, MoveValues};
use crate::{Analysis, AnalysisError};
use bsq_engine::definition::Definition as _;
use bsq_engine::game::Value;
use bsq_engine::monitor::Monitor;
use bsq_engine::strong::solve;
use bsq_games::british_square::{BritishSquare, Definition, Position, Rules};
use std::sync::Arc;

/// The analysis `agents`, whose values are those of the strong solution.
pub fn analysis() -> Analysis {
    let estimate = |rules: &Rules| Some(Asked::about(rules.clone()).visiting(3e5));
    let analysis = agents::analysis(&Arc::new(Definition), &Definition.rules(), solved, estimate);
    analysis.with_charts(&[&agents::PAIRS, &agents::SCORES]).only_by_name()
}

/// Solves the game from a position on.
fn solved(
    rules: &Rules,
    start: &Position,
    monitor: &Monitor,
) -> Result<Box<MoveValues<Rules>>, AnalysisError> {
    let game = BritishSquare::new(rules.clone())?;
    let solved = solve(&game, &game.node(start), monitor)?;
    Ok(Box::new(move |position| {
        let rules = game.rules();
        let valued = rules.moves(position).into_iter().map(|mv| {
            let key = game.node(&rules.play(position, mv)).smallest();
            let pieces = solved.get(key).expect("play reaches the position");
            (mv, Value::of_score((pieces - rules.bias).into()))
        });
        valued.collect()
    }))
}
