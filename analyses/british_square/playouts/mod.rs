//! The number of playouts, by winner.

use super::Asked;
use super::RULES;
use super::outcomes::{PLAYOUTS, by_winner};
use crate::chart::{Chart, Figure, Shown};
use crate::options::{Method, method as method_option};
use crate::{Analysis, AnalysisError, Table, rules_label};
use bsq_engine::monitor::Monitor;
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

/// The methods of counting playouts.
const METHODS: [Method; 3] = [Method::ClosedForm, Method::Territory, Method::Explorer];

/// The analysis `playouts`. See the [module](self).
pub fn analysis() -> Analysis {
    let options = super::rule_options().chain([method_option(METHODS)]);
    let summary = "how many playouts there are, and who wins them";
    super::about_rules("playouts", summary, options, check, estimate, run).with_charts(&[&CHART])
}

fn run(asked: &Asked, monitor: &Monitor) -> Result<Vec<Table>, AnalysisError> {
    let rules = &asked.rules;
    let by_lead = playouts(asked, monitor)?;
    let counts = by_winner(by_lead.into_iter().map(|(lead, count)| (lead - rules.bias, count)));
    let table = tabulate!("playouts", "Playouts by winner", for rules in [rules] => {
        "rules": text key, RULES => rules_label(rules);
    });
    let mut table = table.beside(PLAYOUTS.of([&counts]));
    table.set_main_columns(PLAYOUTS.names);
    Ok(vec![table])
}

/// Counts the playouts by the final lead of the first player in pieces. The bias is not subtracted.
fn playouts(asked: &Asked, monitor: &Monitor) -> Result<BTreeMap<i32, BigUint>, AnalysisError> {
    match method(asked) {
        Method::Territory => {
            let found = territory::playouts_by_score(&asked.rules, monitor);
            found.map_err(|error| match error {
                TerritoryCountError::Pieces => NO_PIECES,
                TerritoryCountError::Solve(error) => error.into(),
            })
        }
        Method::Explorer => {
            let scores = asked.explored(monitor)?.scores;
            Ok(scores.into_iter().map(|(lead, count)| (lead, count.playouts)).collect())
        }
        _ => Ok(closed_form::playouts_by_score(&asked.rules, monitor)?),
    }
}

/// The method of the request. The default is the closed form.
fn method(asked: &Asked) -> Method {
    asked.method.unwrap_or(Method::ClosedForm)
}

fn estimate(asked: &Asked) -> Option<f64> {
    Some(match method(asked) {
        Method::Explorer => asked.visiting(1e5),
        Method::Territory => asked.visiting(3e6),
        _ => asked.counting_playouts(),
    })
}

/// Returns an error if the method does not support the rules.
fn check(asked: &Asked) -> Result<(), AnalysisError> {
    match method(asked) {
        Method::Territory if !territory::supports(&asked.rules) => Err(NO_PIECES),
        _ => Ok(()),
    }
}

/// The error of the territory method if the number of pieces is limited: a territory does not
/// determine how many pieces a player has left.
const NO_PIECES: AnalysisError =
    AnalysisError::ByMethod { method: Method::Territory, option: "pieces" };
