//! Rock-paper-scissors-well: numbers of won, lost and drawn positions by depth, and their
//! arrangements.
//!
//! * [`distances`]: tables of the census of a tablebase;
//! * [`arrangements`] and [`draws`]: tables of positions of a tablebase.

pub mod arrangements;
pub mod distances;
pub mod draws;

use crate::options::TABLEBASE;
use crate::{Analysis, AnalysisError, Described, Job, Table};
use bsq_engine::monitor::Monitor;
use bsq_engine::record::Recorded as _;
use bsq_games::rpsw::tablebase::Tablebase;
use bsq_games::rpsw::{NAME, Rules};
use serde_json::json;
use std::path::Path;
use std::sync::Arc;

/// An analysis of a tablebase whose rules pass a check, with an estimate of its seconds on one
/// thread.
fn of_tablebase(
    name: &'static str,
    summary: &'static str,
    check: fn(&Rules) -> Result<(), AnalysisError>,
    estimate: fn(&Tablebase) -> f64,
    compute: fn(&Tablebase, &Monitor) -> Result<Vec<Table>, AnalysisError>,
) -> Analysis {
    Analysis::new(name, summary, [TABLEBASE], move |request| {
        let path = request.given(TABLEBASE.name).ok_or(AnalysisError::NoTablebase)?;
        let tablebase = Arc::new(Tablebase::open(Path::new(path))?);
        check(tablebase.rules())?;
        let described = described(tablebase.rules());
        let estimated = Arc::clone(&tablebase);
        let job = Job::new(described, move |monitor| compute(&tablebase, monitor));
        Ok(job.with_estimate(move || Some(estimate(&estimated))))
    })
}

/// The rules as they are presented with results. The label consists of the board and of the options
/// that do not have their defaults.
fn described(rules: &Rules) -> Described {
    let entries = rules.entries();
    let mut words = entries.iter().filter(|(name, value)| {
        let option = Rules::FORMAT.options.iter().find(|option| option.name == *name);
        *name == "board" || option.is_some_and(|option| option.default != Some(value.as_str()))
    });
    let board = words.next().map(|(_, value)| value.clone()).unwrap_or_default();
    let words: Vec<String> = words.map(|(name, value)| format!("{name} {value}")).collect();
    let label = if words.is_empty() {
        format!("{board} standard")
    } else {
        format!("{board}, {}", words.join(", "))
    };
    let fields = json!({
        "game": NAME,
        "board": board,
        "pieces": rules.pieces(),
        "total": rules.total(),
        "takes": rules.format_takes(),
    });
    Described { label, fields }
}

/// Whether the game begins with four pieces each on four columns.
fn begins_with_four(rules: &Rules) -> bool {
    rules.board().cols() == 4 && rules.pieces() == 4 && rules.total() == 8
}
