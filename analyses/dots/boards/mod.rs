//! The values of all small boards and of all first moves on them.

use crate::chart::{Chart, Figure, Only};
use crate::{Analysis, AnalysisError, Described, Job, Table};
use bsq_engine::monitor::{Monitor, SolveError};
use bsq_engine::options::{OptionKind, RuleOption};
use bsq_engine::tabulate;
use bsq_games::dots::search::Solver;
use bsq_games::dots::{Board, MOST_LINES, NAME, Variant};
use serde_json::json;
use std::collections::BTreeSet;

/// The least and the largest size of a solver's table, in bytes.
const LEAST_TABLE: u64 = 4 << 20;
const LARGEST_TABLE: u64 = 1 << 30;

/// The value of every board, with a map for each variant.
pub const CHART: Chart = Chart {
    x: "cols",
    y: &["rows"],
    by: Some("value"),
    is_score: true,
    panels: &["variant"],
    x_label: "columns of boxes",
    y_label: "score under perfect play",
    rows_label: "rows of boxes",
    blank: "a turned board, or a larger one",
    ..Chart::new(
        "dots-boards",
        Figure::Map,
        "The first player wins on {count of +} of {count} boards, the second player on {count of -}",
    )
};

/// The score of every first move on boards with more than one row.
pub const OPENINGS_CHART: Chart = Chart {
    x: "move",
    by: Some("score"),
    is_score: true,
    panels: &["rows", "cols", "variant"],
    size: Some(["rows", "cols"]),
    only: &[Only::IsNot("rows", "1")],
    y_label: "final score under perfect play after that line",
    ..Chart::new(
        "dots-openings",
        Figure::Boards,
        "The first player wins after {count of +} of {count} first lines, the second player after {count of -}",
    )
};

/// A board and its variant, which determines the lines drawn at the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Start {
    board: Board,
    variant: Variant,
}

/// The analysis `boards`. See the [module](self).
pub fn analysis() -> Analysis {
    let summary = "every board of up to {lines} open lines: value and first moves";
    let analysis = Analysis::new("boards", summary, [LINES], |request| {
        let lines = request.integer(&LINES.name)?;
        let described = Described {
            label: format!("up to {lines} open lines"),
            fields: json!({ "game": NAME, "lines": lines }),
        };
        let job = Job::new(described, move |monitor| run(lines, monitor));
        // Measured with 24 to 40 lines.
        Ok(job.with_estimate(move || Some(8.0 * ((lines as f64 - 31.0) / 1.8).exp2())))
    });
    analysis.with_charts(&[&CHART, &OPENINGS_CHART])
}

/// The most open lines of a board.
const LINES: RuleOption = RuleOption::new(
    "lines",
    OptionKind::Integer { least: 1, most: MOST_LINES as i64 },
    Some("31"),
    "The most lines that are open at the start; 31 takes some seconds, 40 some minutes",
);

fn run(lines: usize, monitor: &Monitor) -> Result<Vec<Table>, AnalysisError> {
    let all = boards_up_to(lines);
    // The progress counts boards, not the positions of their searches.
    let searching = Monitor { progress: None, ..*monitor };
    monitor.begin("boards", all.len() as u64);
    let mut found: Vec<(Start, Vec<(usize, i32)>)> = Vec::new();
    for starts in all {
        let Some(largest) = starts.iter().map(Start::open).max() else { continue };
        monitor.status(&starts[0].board.to_string());
        let solver = solver(starts[0].board, largest, &searching)?;
        for start in starts {
            let mut moves = solver.moves(start.variant.lines(&start.board), &searching)?;
            moves.sort_unstable();
            found.push((start, moves));
        }
        monitor.advance(1);
    }
    let rows = found.iter();
    let boards = tabulate!("dots-boards", "Value of every board", for (start, moves) in rows => {
        let Start { board, variant } = start;
        let value = best(moves);
        "rows": integer key, ROWS => board.rows();
        "cols": integer key, COLS => board.cols();
        "variant": text key, VARIANT => variant.name();
        "boxes": integer, "rows times columns" => board.boxes();
        "dots": integer, "dots of the board" => (board.rows() + 1) * (board.cols() + 1);
        "lines": integer, "lines of the board, drawn or not" => board.lines();
        "open": integer, "lines to draw, and so legal first moves" => start.open();
        "value": integer, "first player's boxes minus second player's under perfect play" => value;
        "perfect": integer, "first moves that keep the value"
            => moves.iter().filter(|&&(_, score)| Some(score) == value).count();
        "scores": integer, "different scores that first moves have"
            => moves.iter().map(|&(_, score)| score).collect::<BTreeSet<i32>>().len();
    });
    let rows =
        found.iter().flat_map(|(start, moves)| moves.iter().map(move |mv| (start, moves, mv)));
    let title = "Score of every first move on every board";
    let openings = tabulate!("dots-openings", title, for (start, moves, &(line, score)) in rows => {
        let Start { board, variant } = start;
        "rows": integer key, ROWS => board.rows();
        "cols": integer key, COLS => board.cols();
        "variant": text key, VARIANT => variant.name();
        "move": text key, "the dots that the first line joins: columns a, b, ..., rows from 1"
            => board.line_name(line);
        "score": integer, "first player's boxes minus second player's after it under perfect play"
            => score;
        "perfect": truth, "whether it keeps the value of the board"
            => Some(score) == best(moves);
    });
    Ok(vec![boards, openings])
}

const ROWS: &str = "rows of boxes, no more than columns";
const COLS: &str = "columns of boxes";
const VARIANT: &str = "lines drawn at the start: standard none, icelandic the left side and the \
    bottom, swedish all four sides";

/// The best score of some moves.
fn best(moves: &[(usize, i32)]) -> Option<i32> {
    moves.iter().map(|&(_, score)| score).max()
}

impl Start {
    /// The number of undrawn lines.
    fn open(&self) -> usize {
        self.board.lines() - self.variant.lines(&self.board).count_ones() as usize
    }
}

/// Returns every board with no more rows than columns, ordered by boxes and rows, with the variants
/// that have at least one undrawn line and at most `lines`.
fn boards_up_to(lines: usize) -> Vec<Vec<Start>> {
    let sides = (1..MOST_LINES).flat_map(|rows| (rows..MOST_LINES).map(move |cols| (rows, cols)));
    let mut boards: Vec<Board> =
        sides.filter_map(|(rows, cols)| Board::new(rows, cols).ok()).collect();
    boards.sort_by_key(|board| (board.boxes(), board.rows()));
    let starts = |board| {
        let starts = Variant::ALL.map(|variant| Start { board, variant }).into_iter();
        starts.filter(|start| (1..=lines).contains(&start.open())).collect::<Vec<Start>>()
    };
    boards.into_iter().map(starts).filter(|starts| !starts.is_empty()).collect()
}

/// Returns a solver with a table for positions with up to `open` undrawn lines: 16 bytes for each
/// set of them, within [`LEAST_TABLE`], [`LARGEST_TABLE`] and the memory allowed.
fn solver(board: Board, open: usize, monitor: &Monitor) -> Result<Solver, SolveError> {
    let slots = 1_u64.checked_shl(open as u32).unwrap_or(u64::MAX);
    let bytes = slots.saturating_mul(16).clamp(LEAST_TABLE, LARGEST_TABLE);
    let bytes = bytes.min(monitor.room().unwrap_or(u64::MAX));
    match Solver::new(board, 0, bytes) {
        // The least table of a board with many lines is larger: its keys are longer.
        Err(SolveError::TableTooSmall { least }) => {
            monitor.allow(least)?;
            Solver::new(board, 0, least)
        }
        solver => solver,
    }
}

#[cfg(test)]
mod tests;
