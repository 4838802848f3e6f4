//! The number of terminal states, by winner.

use super::RULES;
use super::outcomes::{TERMINALS, by_winner};
use crate::chart::{Chart, Figure, Shown};
use crate::{Analysis, AnalysisError, Request, RequestOption, Table, rules_label};
use bsq_engine::tabulate;

/// Terminal states by winner.
pub const CHART: Chart = Chart {
    y: &["terminals_first", "terminals_tie", "terminals_second"],
    shown: &[
        Shown::first("terminals_first", "first player wins"),
        Shown::tie("terminals_tie", "tie"),
        Shown::second("terminals_second", "second player wins"),
    ],
    y_label: "terminal states",
    ..Chart::new("terminals", Figure::Bars, "How many terminal states does each player win?")
};

/// The analysis `terminals`. See the [module](self).
pub const ANALYSIS: Analysis = Analysis {
    chart: Some(&CHART),
    options: &[RequestOption::Memory, RequestOption::Pieces, RequestOption::Part],
    ..super::counting("terminals", "how many terminal states there are, and who wins them", run)
};

fn run(request: &Request) -> Result<Vec<Table>, AnalysisError> {
    let rules = request.rules()?;
    let counts = request.state_counts()?.terminals.into_iter();
    let counts = by_winner(counts.map(|(lead, count)| (lead - rules.bias, count)));
    let table = tabulate!("terminals", "Terminal states by winner", for rules in [rules] => {
        "rules": text key, RULES => rules_label(rules);
    });
    let table = table.beside(TERMINALS.of([&counts]));
    Ok(vec![Table { screen: TERMINALS.names.to_vec(), ..table }])
}
