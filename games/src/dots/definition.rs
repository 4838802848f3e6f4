//! The game as front ends see it.

use super::evaluator::{Evaluator, suitable_table};
#[cfg(feature = "storage")]
use super::tablebase::jobs;
use super::{Board, NAME, Rules};
#[cfg(feature = "storage")]
use bsq_engine::definition::Tablebases;
use bsq_engine::definition::{self, Info, Resources, Unavailable};

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

    #[cfg(feature = "storage")]
    const TABLEBASES: Option<Tablebases<Rules>> = Some(jobs::TABLEBASES);

    fn rules() -> Rules {
        Rules::standard(Board::new(3, 3).expect("a board"))
    }

    fn evaluator(rules: &Rules, resources: &Resources) -> Result<Evaluator, Unavailable> {
        let open = rules.board.all() & !rules.start().lines;
        let bytes = suitable_table(open.count_ones()).min(resources.memory);
        #[cfg(feature = "storage")]
        let opened = resources.tablebase.as_deref().map(|path| jobs::open(path, rules));
        #[cfg(not(feature = "storage"))]
        let opened: Option<Result<_, Unavailable>> = None;
        Ok(Evaluator::new(*rules, opened.transpose()?, bytes, u32::MAX))
    }
}
