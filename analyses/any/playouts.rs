//! The number of playouts, by result.

use super::{OUTCOME, OUTCOMES, SCORE, outcome, score};
use crate::chart::{Chart, Figure};
use crate::ratio::big_ratio;
use crate::{AnalysisError, Table};
use bsq_engine::explore::Exploration;
use bsq_engine::game::Game;
use bsq_engine::monitor::Monitor;
use bsq_engine::tabulate;

/// The number of playouts by result.
pub const CHART: Chart = Chart {
    x: "outcome",
    y: &["playouts"],
    by: Some("outcome"),
    shown: OUTCOMES,
    x_label: "result",
    y_label: "playouts",
    ..Chart::new(
        "playouts",
        Figure::Bars,
        "The first player wins {share of first} of {total} playouts, the second player {share of second}",
    )
};

/// Counts the complete sequences of legal moves by result, best for the first player first.
///
/// # Errors
///
/// If positions can repeat, so that there are infinitely many; also as for
/// [`Exploration::playouts`].
pub fn table<G: Game>(
    explored: &Exploration<G>,
    monitor: &Monitor,
) -> Result<Table, AnalysisError> {
    let playouts = explored.playouts(monitor)?;
    let all = playouts.total();
    let rows = playouts.by_result.into_iter();
    let table = tabulate!("playouts", "Playouts by result", for (result, count) in rows => {
        "outcome": text key, OUTCOME => result.map(outcome);
        "score": integer key, SCORE => result.map(score);
        "playouts": integer, "complete sequences of moves, symmetric ones counted separately"
            => count.clone();
        "share": share, "of all playouts" => big_ratio(&count, &all);
    });
    Ok(table.without_empty_columns().with_sums())
}
