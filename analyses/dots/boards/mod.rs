//! The values of all small boards and of all first moves on them.

use crate::chart::{Chart, Figure, Only};
use crate::column::{Column, integer, text, truth};
use crate::{Analysis, AnalysisError, Cell, Request, Table, Takes};
use bsq_engine::monitor::SolveError;
use bsq_games::dots::search::Solver;
use bsq_games::dots::{Board, MOST_LINES, NAME, Variant};
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
    ..Chart::new("dots-boards", Figure::Map, "Who wins on each board, and by how much?")
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
    ..Chart::new("dots-openings", Figure::Boards, "What is each first line worth?")
};

/// A board and its variant, which determines the lines drawn at the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Start {
    board: Board,
    variant: Variant,
}

/// The analysis `boards`. See the [module](self).
pub const ANALYSIS: Analysis = Analysis {
    chart: Some(&CHART),
    ..Analysis::new(
        NAME,
        "boards",
        "every board of up to {lines} open lines: value and first moves",
        Takes::Lines,
        run,
    )
};

fn run(request: &Request) -> Result<Vec<Table>, AnalysisError> {
    let (mut boards, mut openings) = (boards_table(), openings_table());
    let all = boards_up_to(request.lines()?);
    let monitor = &request.monitor;
    monitor.begin("boards", all.len() as u64);
    for starts in all {
        let Some(largest) = starts.iter().map(Start::open).max() else { continue };
        monitor.status(&starts[0].board.to_string());
        let solver = solver(starts[0].board, largest)?;
        for start in starts {
            let mut moves = solver.moves(start.variant.lines(&start.board), monitor)?;
            moves.sort_unstable();
            add_rows(&mut boards, &mut openings, &start, &moves);
        }
        monitor.advance(1);
    }
    Ok(vec![boards, openings])
}

impl Start {
    /// The number of undrawn lines.
    fn open(&self) -> usize {
        self.board.lines() - self.variant.lines(&self.board).count_ones() as usize
    }

    fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let sides = [self.board.rows(), self.board.cols()].map(Cell::from);
        sides.into_iter().chain([self.variant.name().into()])
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
/// set of them, within [`LEAST_TABLE`] and [`LARGEST_TABLE`].
fn solver(board: Board, open: usize) -> Result<Solver, SolveError> {
    let slots = 1_u64.checked_shl(open as u32).unwrap_or(u64::MAX);
    let bytes = slots.saturating_mul(16).clamp(LEAST_TABLE, LARGEST_TABLE);
    match Solver::new(board, 0, bytes) {
        // The least table of a board with many lines is larger: its keys are longer.
        Err(SolveError::TableTooSmall { least }) => Solver::new(board, 0, least),
        solver => solver,
    }
}

const START_COLUMNS: [Column; 3] = [
    integer("rows", "rows of boxes, no more than columns"),
    integer("cols", "columns of boxes"),
    text(
        "variant",
        "lines drawn at the start: standard none, icelandic the left side and the bottom, swedish all four sides",
    ),
];

fn boards_table() -> Table {
    let mut columns = START_COLUMNS.to_vec();
    columns.extend([
        integer("boxes", "rows times columns"),
        integer("dots", "dots of the board"),
        integer("lines", "lines of the board, drawn or not"),
        integer("open", "lines to draw, and so legal first moves"),
        integer("value", "first player's boxes minus second player's under perfect play"),
        integer("perfect", "first moves that keep the value"),
        integer("scores", "different scores that first moves have"),
    ]);
    Table::new("dots-boards", "Value of every board", &columns)
}

fn openings_table() -> Table {
    let mut columns = START_COLUMNS.to_vec();
    columns.extend([
        text("move", "the dots that the first line joins: columns a, b, ..., rows from 1"),
        integer("score", "first player's boxes minus second player's after it under perfect play"),
        truth("perfect", "whether it keeps the value of the board"),
    ]);
    Table::new("dots-openings", "Score of every first move on every board", &columns)
}

fn add_rows(boards: &mut Table, openings: &mut Table, start: &Start, moves: &[(usize, i32)]) {
    let value = moves.iter().map(|&(_, score)| score).max();
    let perfect = moves.iter().filter(|&&(_, score)| Some(score) == value).count();
    let scores: BTreeSet<i32> = moves.iter().map(|&(_, score)| score).collect();
    let board = &start.board;
    let dots = (board.rows() + 1) * (board.cols() + 1);
    let counts = [board.boxes(), dots, board.lines(), start.open()].map(Cell::from);
    let rest = [value.into(), perfect.into(), scores.len().into()];
    boards.push(start.cells().chain(counts).chain(rest).collect());
    for &(line, score) in moves {
        let found = [board.line_name(line).into(), score.into(), (Some(score) == value).into()];
        openings.push(start.cells().chain(found).collect());
    }
}

#[cfg(test)]
mod tests;
