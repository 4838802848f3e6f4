//! The game as front ends see it.

use super::evaluator::suitable_table;
use super::{Board, Evaluator, NAME, Rules};
use bsq_engine::definition::{self, Info, Resources, Unavailable, Workload};

/// British Square.
pub struct Definition;

impl definition::Definition for Definition {
    type Rules = Rules;
    type Evaluator = Evaluator;
    const INFO: Info = Info {
        name: NAME,
        title: "British Square",
        summary: "Two players claim territory on a small board",
        rules: "Players take turns placing a piece on an empty cell that is not next to a piece of \
            the opponent. The first move may not take the centre. A player with no legal move \
            passes. When neither can move, the player with more pieces wins by the difference.",
    };

    fn rules() -> Rules {
        let board = Board::new(5, 5).expect("a board");
        Rules { board, center_allowed: false, bias: 0, pieces: None }
    }

    fn evaluator(rules: &Rules, resources: &Resources) -> Result<Evaluator, Unavailable> {
        match resources.workload {
            Workload::Many => Ok(Evaluator::with_table(rules, resources.memory)?),
            Workload::One | Workload::Checkpoint => {
                let bytes = suitable_table(&rules.board).min(resources.memory);
                Ok(Evaluator::new(rules, Some(bytes))?)
            }
        }
    }
}
