//! Dots-and-Boxes: values of boards, rules of thumb, and numbers of positions.

pub mod boards;
pub mod positions;
pub mod rules;

use crate::{Analysis, AnalysisError, Described, Job, Table};
use bsq_engine::monitor::Monitor;
use bsq_engine::options::{OptionKind, RuleOption};
use bsq_games::dots::search::EveryError;
use bsq_games::dots::{Board, NAME};
use serde_json::json;

/// The option of analyses of one board.
const BOARD: RuleOption = RuleOption {
    name: "board",
    kind: OptionKind::Board,
    default: Some("3x3"),
    help: "Rows x columns of boxes",
};

/// An analysis of a board of up to a number of lines, with an estimate of its seconds on one
/// thread.
fn about_board(
    name: &'static str,
    summary: &'static str,
    most_lines: usize,
    estimate: fn(&Board) -> f64,
    compute: fn(Board, &Monitor) -> Result<Vec<Table>, AnalysisError>,
) -> Analysis {
    Analysis::new(name, summary, [BOARD], move |request| {
        let board = Board::parse(request.value(BOARD.name).unwrap_or_default());
        let board = board.map_err(|error| AnalysisError::option(BOARD.name, error.to_string()))?;
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
