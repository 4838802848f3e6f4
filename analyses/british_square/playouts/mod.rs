//! The number of playouts, by winner.

use super::RULES;
use super::outcomes::{PLAYOUTS, by_winner};
use crate::chart::{Chart, Figure, Shown};
use crate::{Analysis, AnalysisError, Method, Request, RequestOption, Table, rules_label};
use bsq_engine::tabulate;
use bsq_games::british_square::count::closed_form;
use bsq_games::british_square::count::territory::{self, TerritoryCountError};
use num_bigint::BigUint;
use std::collections::BTreeMap;

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
    methods: &[Method::ClosedForm, Method::Territory, Method::Explorer],
    chart: Some(&CHART),
    condition: check,
    ..super::counting("playouts", "how many playouts there are, and who wins them", run)
};

fn run(request: &Request) -> Result<Vec<Table>, AnalysisError> {
    let rules = request.rules()?;
    let by_lead = playouts(request)?;
    let counts = by_winner(by_lead.into_iter().map(|(lead, count)| (lead - rules.bias, count)));
    let table = tabulate!("playouts", "Playouts by winner", for rules in [rules] => {
        "rules": text key, RULES => rules_label(rules);
    });
    let table = table.beside(PLAYOUTS.of([&counts]));
    Ok(vec![Table { screen: PLAYOUTS.names.to_vec(), ..table }])
}

/// Counts the playouts that end with each lead of the first player in pieces, bias not subtracted.
fn playouts(request: &Request) -> Result<BTreeMap<i32, BigUint>, AnalysisError> {
    let (rules, monitor) = (request.rules()?, &request.monitor);
    match method(request) {
        Method::Territory => {
            let bytes = request.memory.unwrap_or(u64::MAX);
            territory::playouts_by_score(rules, bytes, monitor).map_err(|error| match error {
                TerritoryCountError::Pieces => {
                    unsupported(Method::Territory, RequestOption::Pieces)
                }
                TerritoryCountError::Solve(error) => error.into(),
            })
        }
        Method::Explorer => {
            let scores = request.explored()?.scores.into_iter();
            Ok(scores.map(|(lead, count)| (lead, count.playouts)).collect())
        }
        _ => Ok(closed_form::playouts_by_score(rules, monitor)?),
    }
}

/// The method of the request. The default is the explorer if memory is limited, otherwise the closed
/// form.
fn method(request: &Request) -> Method {
    let default = if request.is_memory_set { Method::Explorer } else { Method::ClosedForm };
    request.method.unwrap_or(default)
}

/// Returns an error if the method does not support the rules or the memory limit of the request.
fn check(request: &Request) -> Result<(), AnalysisError> {
    match method(request) {
        Method::Territory if !territory::supports(request.rules()?) => {
            Err(unsupported(Method::Territory, RequestOption::Pieces))
        }
        Method::ClosedForm if request.is_memory_set => {
            Err(unsupported(Method::ClosedForm, RequestOption::Memory))
        }
        _ => Ok(()),
    }
}

fn unsupported(method: Method, option: RequestOption) -> AnalysisError {
    AnalysisError::UnsupportedByMethod { method, option }
}
