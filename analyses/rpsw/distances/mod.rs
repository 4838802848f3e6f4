//! Numbers of positions by result, depth to win and material.

use crate::chart::{Chart, Figure, Only, Shown};
use crate::{Analysis, AnalysisError, Table};
use bsq_engine::monitor::Monitor;
use bsq_games::rpsw::tablebase::Tablebase;
use bsq_games::rpsw::tables::{distances_table, iterations_table, material_table};

/// The number of positions by depth to win.
pub const ITERATIONS_CHART: Chart = Chart {
    x: "plies",
    y: &["positions"],
    by: Some("result"),
    shown: &[
        Shown::new("won", "won by the player to move"),
        Shown::new("lost", "lost by the player to move"),
    ],
    log_y: true,
    x_label: "plies until the game is won",
    y_label: "positions",
    ..Chart::new(
        "rpsw-iterations",
        Figure::Lines,
        "{most share} of {total} decided positions end in {most at} ply, the last in {last at} plies",
    )
};

/// The longest win of each material.
pub const MATERIAL_CHART: Chart = Chart {
    x: "other",
    y: &["mover"],
    by: Some("longest_win"),
    only: &[Only::IsNot("longest_win", "0")],
    x_label: "pieces of the other player",
    y_label: "plies of the longest win of the player to move",
    blank: "no win",
    rows_label: "pieces of the player to move",
    ..Chart::new("rpsw-material", Figure::Map, "The longest win takes {most} plies: {most at}")
};

/// The analysis `distances`. See the [module](self).
pub fn analysis() -> Analysis {
    let summary = "in how many plies positions are decided, by material";
    super::of_tablebase("distances", summary, |_| Ok(()), |_| 0.01, run)
        .with_charts(&[&MATERIAL_CHART, &ITERATIONS_CHART])
}

fn run(tablebase: &Tablebase, _: &Monitor) -> Result<Vec<Table>, AnalysisError> {
    let census = tablebase.census();
    Ok(vec![distances_table(census), material_table(census), iterations_table(census)])
}
