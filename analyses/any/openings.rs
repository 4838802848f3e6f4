//! The value of each first move.

use super::{OUTCOME, OUTCOMES, PLIES, SCORE, outcome, plies, score};
use crate::Table;
use crate::chart::{Chart, Figure};
use bsq_engine::explore::Solution;
use bsq_engine::game::{Game, Notation};
use bsq_engine::tabulate;

/// The outcome after each first move, for games whose moves are named after places of a board.
pub const CHART: Chart = Chart {
    x: "move",
    by: Some("outcome"),
    shown: OUTCOMES,
    y_label: "winner after a first move there",
    blank: "no legal first move",
    ..Chart::new(
        "openings",
        Figure::Boards,
        "The first player wins after {count of first} of {count} first moves, the second player after {count of second}",
    )
};

/// Lists the first moves with their values under perfect play, the best ones first.
pub fn table<G: Game + Notation>(solution: &Solution<G>) -> Table {
    let moves = solution.moves(solution.start()).unwrap_or_default();
    let best = moves.first().map(|&(_, value)| value);
    let game = solution.game();
    let title = "Value of each first move";
    let table = tabulate!("openings", title, for (mv, value) in moves => {
        "move": text key, "the move, in the notation of the game" => game.format_move(solution.start(), mv);
        "outcome": text, OUTCOME => outcome(value);
        "score": integer, SCORE => score(value);
        "plies": integer, PLIES => plies(value);
        "perfect": truth, "whether the move keeps the value of the game" => Some(value) == best;
    });
    table.without_empty_columns()
}
