//! Playouts and terminal states by final score.

use crate::chart::{Chart, Figure};
use crate::ratio::{ratio, share};
use crate::{Analysis, AnalysisError, Cell, Info, Kind, Request, Table};

/// Playouts by final score.
pub const CHART: Chart = Chart {
    x: "score",
    y: &["playouts"],
    x_label: "score: first player's points minus second player's",
    y_label: "playouts",
    ..Chart::new("scores", Figure::Bars)
};

/// The analysis `scores`. See the [module](self).
pub struct Scores;

impl Analysis for Scores {
    fn info(&self) -> Info {
        Info {
            chart: Some(&CHART),
            ..super::counting("scores", "playouts and terminal states for each final score")
        }
    }

    fn run(&self, request: &Request) -> Result<Vec<Table>, AnalysisError> {
        let bias = request.rules()?.bias;
        let census = request.census()?;
        let mut table = Table::new(
            "scores",
            "Final scores",
            &[
                (
                    "score",
                    Kind::Label,
                    "first player's points minus second player's; all for the sum",
                ),
                ("playouts", Kind::Integer, "complete sequences of moves that end so"),
                ("playouts_share", Kind::Share, "of all playouts"),
                ("terminals", Kind::Integer, "terminal states with that score"),
                ("terminals_share", Kind::Share, "of all terminal states"),
            ],
        );
        let (playouts, terminals) = (census.playouts(), census.terminals());
        for (lead, outcome) in &census.scores {
            table.push(vec![
                (lead - bias).into(),
                outcome.playouts.clone().into(),
                share(&outcome.playouts, &playouts).into(),
                outcome.terminals.into(),
                ratio(outcome.terminals, terminals).into(),
            ]);
        }
        let one: Cell = 1.0.into();
        table.push(vec!["all".into(), playouts.into(), one.clone(), terminals.into(), one]);
        Ok(vec![table])
    }
}
