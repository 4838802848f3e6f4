//! Heuristics that look at where a tile lies.

use super::{Decision, Heuristic, most};
use crate::game::british_square::{Board, Cells, cells_of};

/// Plays in the middle.
pub struct NearestCentre;

impl Heuristic for NearestCentre {
    fn name(&self) -> &'static str {
        "nearest-centre"
    }

    fn summary(&self) -> &'static str {
        "the tile nearest to the centre of the board, in a straight line"
    }

    fn liked(&self, decision: &Decision) -> Cells {
        most(decision.legal, |cell| -distance_from_centre(decision.board, cell))
    }
}

/// The square of twice the distance, which is an integer on every board.
fn distance_from_centre(board: &Board, cell: usize) -> i32 {
    let doubled = |at: usize, side: usize| 2 * at as i32 - (side as i32 - 1);
    let down = doubled(cell / board.cols(), board.rows());
    let right = doubled(cell % board.cols(), board.cols());
    down * down + right * right
}

/// Answers every piece of the opponent through the centre.
pub struct Mirror;

impl Heuristic for Mirror {
    fn name(&self) -> &'static str {
        "mirror"
    }

    fn summary(&self) -> &'static str {
        "a tile opposite, through the centre, an unanswered piece of the opponent; else any tile"
    }

    fn liked(&self, decision: &Decision) -> Cells {
        let opposite = |cell| 1 << decision.board.opposite(cell);
        let answers = cells_of(decision.opponent).fold(0, |set, cell| set | opposite(cell));
        match answers & decision.legal {
            0 => decision.legal,
            answers => answers,
        }
    }
}

/// Likes everything: the yardstick.
pub struct Random;

impl Heuristic for Random {
    fn name(&self) -> &'static str {
        "random"
    }

    fn summary(&self) -> &'static str {
        "any legal tile: the yardstick for the others"
    }

    fn liked(&self, decision: &Decision) -> Cells {
        decision.legal
    }
}
