//! Playouts and terminal states by final score.

use crate::chart::{Chart, Figure};
use crate::column::{integer, label, share};
use crate::ratio::{big_ratio, ratio};
use crate::{Analysis, AnalysisError, Cell, Request, Table};

/// Playouts by final score.
pub const CHART: Chart = Chart {
    x: "score",
    y: &["playouts"],
    by: Some("score"),
    is_score: true,
    x_label: "final score: first player's points minus second player's",
    y_label: "playouts",
    ..Chart::new("scores", Figure::Bars, "How many playouts end with each score?")
};

/// The analysis `scores`. See the [module](self).
pub const ANALYSIS: Analysis = Analysis {
    chart: Some(&CHART),
    ..super::counting("scores", "playouts and terminal states for each final score", run)
};

fn run(request: &Request) -> Result<Vec<Table>, AnalysisError> {
    let bias = request.rules()?.bias;
    let census = request.census()?;
    let mut table = Table::new(
        "scores",
        "Final scores",
        &[
            label("score", "first player's points minus second player's; all for the sum"),
            integer("playouts", "complete sequences of moves that end so"),
            share("playouts_share", "of all playouts"),
            integer("terminals", "terminal states with that score"),
            share("terminals_share", "of all terminal states"),
        ],
    );
    let (playouts, terminals) = (census.playouts(), census.terminals());
    for (lead, outcome) in &census.scores {
        table.push(vec![
            (lead - bias).into(),
            outcome.playouts.clone().into(),
            big_ratio(&outcome.playouts, &playouts).into(),
            outcome.terminals.into(),
            ratio(outcome.terminals, terminals).into(),
        ]);
    }
    let one: Cell = 1.0.into();
    table.push(vec!["all".into(), playouts.into(), one.clone(), terminals.into(), one]);
    Ok(vec![table])
}
