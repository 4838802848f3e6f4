//! Rock-paper-scissors-well: numbers of won, lost and drawn positions by depth, and their
//! arrangements.
//!
//! * [`distances`]: tables of the census of a tablebase;
//! * [`arrangements`] and [`draws`]: tables of positions of a tablebase.

pub mod arrangements;
pub mod distances;
pub mod draws;
mod source;

use crate::any::heuristic;
use crate::choices::Outside;
use crate::options::TABLEBASE;
use crate::{Analysis, AnalysisError, Described, Job, Table, query, sample};
use bsq_engine::definition::Definition as _;
use bsq_engine::monitor::Monitor;
use bsq_engine::record::{Recorded as _, values_of};
use bsq_games::rpsw::tablebase::Tablebase;
use bsq_games::rpsw::{Definition, NAME, Rules};
use serde_json::json;
use std::path::Path;
use std::sync::Arc;

/// The query over the positions of a tablebase, or those that play reaches.
pub fn query() -> Analysis {
    let of_game = |rules: &Rules| Definition.columns(rules);
    query::analysis::<source::Positions>(NAME, &Definition.rules(), of_game)
}

/// The export of the same positions and their moves.
pub fn export() -> Analysis {
    let of_game = |rules: &Rules| Definition.columns(rules);
    query::export::<source::Positions>(NAME, &Definition.rules(), of_game)
}

/// Random positions: of playouts, or of the same positions.
pub fn sample() -> Analysis {
    sample::analysis::<source::Positions>(NAME, &Definition.rules())
}

/// The test of moves that somebody prefers outside the program, who is named, in the same positions.
pub fn outside_test(name: &str, outside: &Outside) -> Analysis {
    let (definition, default) = (Arc::new(Definition), Definition.rules());
    heuristic::of_outside::<source::Positions, _>(&definition, &default, name, outside)
}

/// Creates an analysis of a tablebase.
///
/// `check` returns an error for rules that the analysis does not support. `estimate` returns the
/// duration in seconds on one thread.
fn of_tablebase(
    name: &'static str,
    summary: &'static str,
    check: fn(&Rules) -> Result<(), AnalysisError>,
    estimate: fn(&Tablebase) -> f64,
    compute: fn(&Tablebase, &Monitor) -> Result<Vec<Table>, AnalysisError>,
) -> Analysis {
    Analysis::new(name, summary, [TABLEBASE], move |request| {
        let path = request.given(&TABLEBASE.name).ok_or(AnalysisError::NoTablebase)?;
        let tablebase = Arc::new(Tablebase::open(Path::new(path))?);
        check(tablebase.rules())?;
        let described = described(tablebase.rules());
        let estimated = Arc::clone(&tablebase);
        let job = Job::new(described, move |monitor| compute(&tablebase, monitor));
        Ok(job.with_estimate(move || Some(estimate(&estimated))))
    })
}

/// Describes the rules of a result. The label consists of the board and the options that differ
/// from their defaults.
fn described(rules: &Rules) -> Described {
    let values = values_of(rules);
    let Described { mut label, .. } = Described::new(NAME, &rules.format().options, &values);
    if !label.contains(", ") {
        label += " standard";
    }
    let fields = json!({
        "game": NAME,
        "board": values["board"],
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
