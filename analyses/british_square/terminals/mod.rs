//! The number of terminal states, by result.

use crate::british_square::outcomes::{RESULTS, outcome_of};
use crate::chart::{Chart, Figure, WINNERS};
use crate::ratio::ratio;
use crate::{Analysis, AnalysisError, Request, Table};
use bsq_engine::tabulate;

/// Terminal states by result.
pub const CHART: Chart = Chart {
    x: "result",
    y: &["terminals"],
    by: Some("result"),
    shown: WINNERS,
    y_label: "terminal states",
    ..Chart::new("terminals", Figure::Bars, "How many terminal states does each player win?")
};

/// The analysis `terminals`. See the [module](self).
pub const ANALYSIS: Analysis = Analysis {
    chart: Some(&CHART),
    ..super::counting("terminals", "how many terminal states there are, and who wins them", run)
};

fn run(request: &Request) -> Result<Vec<Table>, AnalysisError> {
    let rules = request.rules()?;
    let census = request.census()?;
    let all = census.terminals();
    let title = "Terminal states by result";
    Ok(vec![tabulate!("terminals", title, for (name, result) in RESULTS => {
        let terminals = outcome_of(&census, rules, result).terminals;
        "result": text, "who wins: first, second, tie; all for their sum" => name;
        "terminals": integer, "states in which neither player can move" => terminals;
        "share": share, "of all terminal states" => ratio(terminals, all);
    })])
}
