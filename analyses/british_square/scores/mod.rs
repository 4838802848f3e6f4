//! In which scores play can end, and how often.

use crate::chart::{Chart, Figure};
use crate::rows::{ratio, share};
use crate::{Cell, Context, Kind, Pass, PassError, Table};

/// A bar for each final score.
pub const CHART: Chart = Chart {
    x: "score",
    y: &["playouts"],
    x_label: "score: first player's points minus second player's",
    y_label: "playouts",
    ..Chart::new("scores", Figure::Bars)
};

/// The pass `scores`. See the [module](self).
pub struct Scores;

impl Pass for Scores {
    fn name(&self) -> &'static str {
        "scores"
    }

    fn summary(&self) -> &'static str {
        "playouts and terminal states for each final score"
    }

    fn only_counts(&self) -> bool {
        true
    }

    fn run(&self, context: &Context) -> Result<Vec<Table>, PassError> {
        let census = context.census()?;
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
                (lead - context.rules.bias).into(),
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
