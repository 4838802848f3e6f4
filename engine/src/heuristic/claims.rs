//! Heuristics that count who may still use which cells.

use super::{Decision, Heuristic, most};
use crate::game::british_square::Cells;

/// Claims as much as possible: the article's heuristic.
pub struct Greedy;

impl Heuristic for Greedy {
    fn name(&self) -> &'static str {
        "greedy"
    }

    fn summary(&self) -> &'static str {
        "most cells claimed: those the opponent could use before the move and cannot after it"
    }

    fn liked(&self, decision: &Decision) -> Cells {
        most(decision.legal, |cell| {
            (decision.reach[cell] & decision.opponent_usable).count_ones() as i32
        })
    }
}

/// Looks for cells that only the mover may use.
///
/// "May use" leaves aside that a player may run out of pieces by the move itself.
///
/// It likes exactly what [`Greedy`] likes: with `U` the mover's and `V` the opponent's usable
/// cells after the move, `|U \ V| - |V \ U| = |U| - |V|`. Every move takes one cell from `U`,
/// and `V` shrinks by what the move claims. So counting what is safe, by this measure, is no
/// more than counting what is claimed.
pub struct MostSafe;

impl Heuristic for MostSafe {
    fn name(&self) -> &'static str {
        "most-safe"
    }

    fn summary(&self) -> &'static str {
        "after the move, most cells that only the mover may use, less those only the opponent may"
    }

    fn liked(&self, decision: &Decision) -> Cells {
        most(decision.legal, |cell| {
            let own = decision.own_usable & !(1 << cell);
            let opponent = decision.opponent_usable & !decision.reach[cell];
            (own & !opponent).count_ones() as i32 - (opponent & !own).count_ones() as i32
        })
    }
}
