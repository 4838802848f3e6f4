//! Numbers of positions by result, depth to win and material.

use crate::chart::{Chart, Figure};
use crate::{Analysis, AnalysisError, Request, Table, Takes};
use bsq_games::rpsw::NAME;
use bsq_games::rpsw::tables::{distances_table, iterations_table, material_table};

/// The number of positions by depth to win.
pub const ITERATIONS_CHART: Chart = Chart {
    x: "plies",
    y: &["positions"],
    by: Some("result"),
    log: true,
    x_label: "plies until the game is won",
    y_label: "positions, by what they are for the player to move",
    ..Chart::new("rpsw-iterations", Figure::Lines)
};

/// The number of positions by depth to win, with a dot for each material.
pub const DISTANCES_CHART: Chart = Chart {
    x: "plies",
    y: &["positions"],
    by: Some("result"),
    log: true,
    x_label: "plies until the game is won",
    y_label: "positions of one material, by what they are for the player to move",
    ..Chart::new("rpsw-distances", Figure::Points)
};

/// The analysis `distances`. See the [module](self).
pub const ANALYSIS: Analysis = Analysis {
    chart: Some(&DISTANCES_CHART),
    ..Analysis::new(
        NAME,
        "distances",
        "in how many plies positions are decided, by material",
        Takes::Tablebase,
        run,
    )
};

fn run(request: &Request) -> Result<Vec<Table>, AnalysisError> {
    let census = request.tablebase()?.census();
    Ok(vec![distances_table(census), material_table(census), iterations_table(census)])
}
