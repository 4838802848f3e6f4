//! How many playouts there are, and who wins them.

use crate::rows::{RESULTS, outcome_of, share};
use crate::{Context, Kind, Pass, PassError, Table};

/// The pass `playouts`. See the [module](self).
pub struct Playouts;

impl Pass for Playouts {
    fn name(&self) -> &'static str {
        "playouts"
    }

    fn summary(&self) -> &'static str {
        "how many playouts there are, and who wins them"
    }

    fn only_counts(&self) -> bool {
        true
    }

    fn run(&self, context: &Context) -> Result<Vec<Table>, PassError> {
        let census = context.census()?;
        let mut table = Table::new(
            "playouts",
            "Playouts by result",
            &[
                ("result", Kind::Text, "who wins: first, second, tie; all for their sum"),
                ("playouts", Kind::Integer, "complete sequences of moves, symmetries not merged"),
                ("share", Kind::Share, "of all playouts"),
            ],
        );
        let all = census.playouts();
        for (name, result) in RESULTS {
            let playouts = outcome_of(&census, &context.rules, result).playouts;
            let share = share(&playouts, &all);
            table.push(vec![name.into(), playouts.into(), share.into()]);
        }
        Ok(vec![table])
    }
}
