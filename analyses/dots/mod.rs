//! Dots-and-Boxes: values of boards, endgames of chains and loops, rules of thumb, and numbers of
//! positions.

pub mod boards;
pub mod endgame;
pub mod positions;
pub mod rules;
#[cfg(feature = "storage")]
pub mod source;

use crate::{Analysis, AnalysisError, Described, Job, Table};
use bsq_engine::definition::Definition as _;
use bsq_engine::monitor::Monitor;
use bsq_engine::options::OptionKind;
use bsq_engine::record::Recorded as _;
use bsq_games::dots::search::EveryError;
use bsq_games::dots::{Board, Definition, NAME};
use serde_json::json;

/// An analysis of a board of up to a number of lines, with an estimate of its seconds on one
/// thread.
fn about_board(
    name: &'static str,
    summary: &'static str,
    most_lines: usize,
    estimate: fn(&Board) -> f64,
    compute: fn(Board, &Monitor) -> Result<Vec<Table>, AnalysisError>,
) -> Analysis {
    // The other rules are the standard ones.
    let options = Definition.rules().format().options.clone().into_iter();
    let options = options.filter(|option| option.kind == OptionKind::Board);
    Analysis::new(name, summary, options, move |request| {
        let board = request.rules(Definition.rules())?.board;
        if board.lines() > most_lines {
            return Err(EveryError::TooLarge(board).into());
        }
        let described = Described {
            label: format!("{board} standard"),
            fields: json!({ "game": NAME, "board": board.to_string() }),
        };
        let job = Job::new(described, move |monitor| compute(board, monitor));
        Ok(job.with_estimate(move || Some(estimate(&board))))
    })
}
