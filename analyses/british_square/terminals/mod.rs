//! How many terminal states there are, and who wins them.

use crate::chart::{Chart, Figure};
use crate::rows::{RESULTS, outcome_of, ratio};
use crate::{Context, Kind, Pass, PassError, Table};

/// How terminal states split.
pub const CHART: Chart = Chart {
    x: "result",
    y: &["terminals"],
    x_label: "who wins",
    y_label: "terminal states",
    ..Chart::new("terminals", Figure::Bars)
};

/// The pass `terminals`. See the [module](self).
pub struct Terminals;

impl Pass for Terminals {
    fn name(&self) -> &'static str {
        "terminals"
    }

    fn summary(&self) -> &'static str {
        "how many terminal states there are, and who wins them"
    }

    fn only_counts(&self) -> bool {
        true
    }

    fn run(&self, context: &Context) -> Result<Vec<Table>, PassError> {
        let census = context.census()?;
        let mut table = Table::new(
            "terminals",
            "Terminal states by result",
            &[
                ("result", Kind::Text, "who wins: first, second, tie; all for their sum"),
                ("terminals", Kind::Integer, "states in which neither player can move"),
                ("share", Kind::Share, "of all terminal states"),
            ],
        );
        let all = census.terminals();
        for (name, result) in RESULTS {
            let terminals = outcome_of(&census, &context.rules, result).terminals;
            table.push(vec![name.into(), terminals.into(), ratio(terminals, all).into()]);
        }
        Ok(vec![table])
    }
}
