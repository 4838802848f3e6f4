//! The number of sequences of moves of each length.

use crate::chart::{Chart, Figure};
use crate::column::{integer, label};
use crate::{AnalysisError, Table};
use bsq_engine::explore::{Limits, perft};
use bsq_engine::game::Game;
use bsq_engine::monitor::Monitor;

/// The number of sequences by length.
pub const CHART: Chart = Chart {
    x: "depth",
    y: &["sequences"],
    log_y: true,
    x_label: "moves",
    y_label: "sequences",
    ..Chart::new("perft", Figure::Lines, "How many sequences of moves are there?")
};

/// Counts the sequences of 0 to `depth` legal moves from the start, or up to the longest.
///
/// # Errors
///
/// As for [`perft`].
pub fn table<G: Game>(
    game: &G,
    depth: usize,
    limits: Limits,
    monitor: &Monitor,
) -> Result<Table, AnalysisError> {
    let columns = [
        label("depth", "the number of moves"),
        integer("sequences", "sequences of that many legal moves from the start"),
    ];
    let mut table = Table::new("perft", "Sequences of moves by length", &columns);
    for (depth, sequences) in perft(game, depth, limits, monitor)?.into_iter().enumerate() {
        table.push(vec![depth.into(), sequences.into()]);
    }
    Ok(table)
}
