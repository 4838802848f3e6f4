//! The value of each first move.

use super::{OUTCOME, OUTCOMES, PLIES, SCORE, outcome, score};
use crate::Table;
use crate::chart::{Chart, Figure};
use crate::column::{text, truth};
use bsq_engine::explore::{Solution, Store};
use bsq_engine::game::{Game, Notation};

/// The outcome after each first move, of games whose moves are named by the places of a board.
pub const CHART: Chart = Chart {
    x: "move",
    by: Some("outcome"),
    shown: OUTCOMES,
    y_label: "winner after a first move there",
    ..Chart::new("openings", Figure::Boards, "Who wins after each first move?")
};

/// Lists the first moves with their values under perfect play, the best ones first.
pub fn table<G: Game + Notation, S: Store<G>>(solution: &Solution<G, S>) -> Table {
    let columns = [
        text("move", "the move, in the notation of the game"),
        OUTCOME,
        SCORE,
        PLIES,
        truth("perfect", "whether the move keeps the value of the game"),
    ];
    let mut table = Table::new("openings", "Value of each first move", &columns);
    let moves = solution.moves(solution.start()).unwrap_or_default();
    let best = moves.first().map(|&(_, value)| value);
    for (mv, value) in moves {
        table.push(vec![
            solution.game().format_move(mv).into(),
            outcome(value).into(),
            score(value),
            value.plies.into(),
            (Some(value) == best).into(),
        ]);
    }
    table
}
