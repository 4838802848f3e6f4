//! The number of playouts, by winner.

use super::RULES;
use super::outcomes::{PLAYOUTS, by_winner};
use crate::chart::{Chart, Figure, Shown};
use crate::{Analysis, AnalysisError, Method, Request, RequestOption, Table, Takes, rules_label};
use bsq_engine::tabulate;

/// Playouts by winner.
pub const CHART: Chart = Chart {
    y: &["playouts_first", "playouts_tie", "playouts_second"],
    shown: &[
        Shown::first("playouts_first", "first player wins"),
        Shown::tie("playouts_tie", "tie"),
        Shown::second("playouts_second", "second player wins"),
    ],
    y_label: "playouts",
    ..Chart::new("playouts", Figure::Bars, "How many playouts does each player win?")
};

/// The analysis `playouts`. See the [module](self).
pub const ANALYSIS: Analysis = Analysis {
    takes: Takes::ValidRules,
    options: &[
        RequestOption::Method(Method::ClosedForm),
        RequestOption::Method(Method::Levels),
        RequestOption::Method(Method::Territory),
        RequestOption::Pieces,
        RequestOption::Memory,
        RequestOption::Scratch,
    ],
    chart: Some(&CHART),
    condition: |request| method(request).check(request),
    ..super::counting("playouts", "how many playouts there are, and who wins them", run)
};

fn run(request: &Request) -> Result<Vec<Table>, AnalysisError> {
    let rules = request.rules()?;
    let by_lead = method(request).playouts(request)?;
    let counts = by_winner(by_lead.into_iter().map(|(lead, count)| (lead - rules.bias, count)));
    let table = tabulate!("playouts", "Playouts by winner", for rules in [rules] => {
        "rules": text key, RULES => rules_label(rules);
    });
    let table = table.beside(PLAYOUTS.of([&counts]));
    Ok(vec![Table { screen: PLAYOUTS.names.to_vec(), ..table }])
}

/// The method of the request. The default is the one that supports all limits if there are limits,
/// otherwise the fastest.
fn method(request: &Request) -> Method {
    request.method.unwrap_or(match request.limits.options().next() {
        Some(_) => Method::Levels,
        None => Method::ClosedForm,
    })
}
