//! The number of terminal states, by result.

use crate::british_square::outcomes::{RESULTS, outcome_of};
use crate::chart::{Chart, Figure};
use crate::ratio::ratio;
use crate::{Analysis, AnalysisError, Info, Kind, Request, Table};

/// Terminal states by result.
pub const CHART: Chart = Chart {
    x: "result",
    y: &["terminals"],
    x_label: "who wins",
    y_label: "terminal states",
    ..Chart::new("terminals", Figure::Bars)
};

/// The analysis `terminals`. See the [module](self).
pub struct Terminals;

impl Analysis for Terminals {
    fn info(&self) -> Info {
        Info {
            chart: Some(&CHART),
            ..super::counting("terminals", "how many terminal states there are, and who wins them")
        }
    }

    fn run(&self, request: &Request) -> Result<Vec<Table>, AnalysisError> {
        let rules = request.rules()?;
        let census = request.census()?;
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
            let terminals = outcome_of(&census, rules, result).terminals;
            table.push(vec![name.into(), terminals.into(), ratio(terminals, all).into()]);
        }
        Ok(vec![table])
    }
}
