//! The number of playouts, by result.

use crate::british_square::outcomes::RESULTS;
use crate::chart::{Chart, Figure, WINNERS};
use crate::ratio::big_ratio;
use crate::{Analysis, AnalysisError, Method, Request, RequestOption, Table, Takes};
use bsq_engine::tabulate;
use num_bigint::BigUint;

/// Playouts by result.
pub const CHART: Chart = Chart {
    x: "result",
    y: &["playouts"],
    by: Some("result"),
    shown: WINNERS,
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
    let bias = request.rules()?.bias;
    let by_lead = method(request).playouts(request)?;
    let all: BigUint = by_lead.values().sum();
    Ok(vec![tabulate!("playouts", "Playouts by result", for (name, result) in RESULTS => {
        let wanted = by_lead.iter().filter(|(lead, _)| result.is_of(**lead - bias));
        let playouts = wanted.map(|(_, playouts)| playouts).sum::<BigUint>();
        "result": text, "who wins: first, second, tie; all for their sum" => name;
        "playouts": integer, "complete sequences of moves, symmetries not merged"
            => playouts.clone();
        "share": share, "of all playouts" => big_ratio(&playouts, &all);
    })])
}

/// The method of the request. The default is the one that supports all limits if there are limits,
/// otherwise the fastest.
fn method(request: &Request) -> Method {
    request.method.unwrap_or(match request.limits.options().next() {
        Some(_) => Method::Levels,
        None => Method::ClosedForm,
    })
}
