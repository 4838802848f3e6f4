//! The values of all positions: how many are won in how many plies, or with how many points.

use super::{OUTCOME, OUTCOMES, PLIES, SCORE, outcome, plies, score};
use crate::chart::{Chart, Figure, Only};
use crate::{AnalysisError, Table};
use bsq_engine::explore::{Solution, by_result};
use bsq_engine::game::Game;
use bsq_engine::monitor::Monitor;
use bsq_engine::tabulate;

/// The number of positions by plies until the win, of games without points.
pub const CHART: Chart = Chart {
    x: "plies",
    y: &["positions"],
    by: Some("outcome"),
    shown: OUTCOMES,
    only: &[Only::IsNot("outcome", "tie"), Only::IsNot("outcome", "draw")],
    x_label: "plies until the win",
    y_label: "positions",
    ..Chart::new(
        "depths",
        Figure::Stack,
        "Of {total} positions with a winner, the first player wins {share of first}",
    )
};

/// Counts positions by value, best for the first player first. In games with points whose positions
/// do not record the points made, only the points to come count.
///
/// # Errors
///
/// If the monitor stops the count.
pub fn table<G: Game>(solution: &Solution<G>, monitor: &Monitor) -> Result<Table, AnalysisError> {
    let counts = solution.count_by(monitor, |_, position| Some(solution.value(position)))?;
    let rows = by_result(counts).into_iter();
    let rows = rows.map(|(value, count)| (value.expect("the search found the position"), count));
    let table = tabulate!("depths", "Positions by value", for (value, count) in rows => {
        "outcome": text key, OUTCOME => outcome(value);
        "score": integer key, SCORE => score(value);
        "plies": integer key, PLIES => plies(value);
        "positions": integer, "positions with that value, symmetric ones counted separately"
            => count.positions;
        "canonical": integer, "the same up to symmetry" => count.canonical;
    });
    Ok(table.without_empty_columns().with_sums())
}
