//! The number of sequences of moves of each length.

use crate::chart::{Chart, Figure};
use crate::{AnalysisError, Table};
use bsq_engine::explore::{Limits, perft_from};
use bsq_engine::game::Game;
use bsq_engine::monitor::Monitor;
use bsq_engine::tabulate;

/// The number of sequences by length.
pub const CHART: Chart = Chart {
    x: "depth",
    y: &["sequences"],
    log_y: true,
    x_label: "length in moves",
    y_label: "sequences",
    ..Chart::new("perft", Figure::Lines, "There are {most} sequences of {most at} moves")
};

/// Counts the sequences of 0 to `depth` legal moves from a position, or up to the longest.
///
/// # Errors
///
/// As for [`perft_from`].
pub fn table<G: Game>(
    game: &G,
    start: &G::Position,
    depth: usize,
    limits: Limits,
    monitor: &Monitor,
) -> Result<Table, AnalysisError> {
    let found = perft_from(game, start, depth, limits, monitor)?.into_iter().enumerate();
    Ok(tabulate!("perft", "Sequences of moves by length", for (depth, sequences) in found => {
        "depth": integer key, "the number of moves" => depth;
        "sequences": integer, "sequences of that many legal moves from the start" => sequences;
    }))
}
