//! The values of all boards up to a size.

use crate::chart::{Chart, Figure, Only};
use crate::column::{Column, integer, truth};
use crate::{Analysis, AnalysisError, Cell, Request, Table, Takes};
use bsq_engine::evaluate::{Detail, Evaluator as _};
use bsq_engine::game::Value;
use bsq_games::british_square::{Board, Evaluation, Evaluator, Move, NAME, Rules, cells_of};
use std::collections::BTreeMap;

/// The largest number of cells of boards on which every first move is valued.
const MAPPED_CELLS: usize = 36;

/// The value of every board; under the centre rule where there is a centre.
pub const CHART: Chart = Chart {
    x: "cols",
    y: &["rows"],
    by: Some("value"),
    is_score: true,
    only: &[Only::IsNot("center_allowed", "true")],
    x_label: "columns",
    y_label: "score under perfect play",
    rows_label: "rows",
    ..Chart::new("boards", Figure::Map, "Who wins on each board, and by how much?")
};

/// The analysis `boards`. See the [module](self).
pub const ANALYSIS: Analysis = Analysis {
    is_long: true,
    chart: Some(&CHART),
    ..Analysis::new(
        NAME,
        "boards",
        "every board up to the size of {board}: value and openings",
        Takes::ValidRules,
        run,
    )
};

fn run(request: &Request) -> Result<Vec<Table>, AnalysisError> {
    let asked = request.rules()?;
    let mut boards = boards_table();
    let mut openings = openings_table();
    for board in boards_up_to(asked.board.cells()) {
        let mut add = |evaluator: &Evaluator| -> Result<(), AnalysisError> {
            let rules = evaluator.game();
            let detail = match board.cells() <= MAPPED_CELLS {
                true => Detail::Moves,
                false => Detail::Value,
            };
            let found = evaluator.evaluate(&rules.start(), detail, &request.monitor)?;
            add_rows(&mut boards, &mut openings, rules, &found);
            Ok(())
        };
        let rules = |center_allowed| Rules { board, center_allowed, ..asked.clone() };
        let evaluator = Evaluator::new(&rules(false), None)?;
        add(&evaluator)?;
        if board.centre().is_some() {
            add(&evaluator.under(rules(true)))?;
        }
    }
    Ok(vec![boards, openings])
}

const BOARD_COLUMNS: [Column; 4] = [
    integer("rows", "the shorter side"),
    integer("cols", "the longer side"),
    integer("cells", "rows times columns"),
    truth(
        "center_allowed",
        "whether the first move may take the centre; empty where there is none",
    ),
];

fn boards_table() -> Table {
    let mut columns = BOARD_COLUMNS.to_vec();
    columns.extend([
        integer("value", "score under perfect play"),
        integer("moves", "legal first moves"),
        integer("perfect", "of these, how many keep the value; empty where not worked out"),
        integer("classes", "the perfect ones, images under symmetry taken as one"),
    ]);
    Table::new("boards", "Value of every board", &columns)
}

fn openings_table() -> Table {
    let mut columns = BOARD_COLUMNS.to_vec();
    columns.extend([
        integer("value", "score under perfect play after the move"),
        integer("cost", "points that the move gives away"),
        integer("moves", "first moves of that value"),
        integer("classes", "the same, images under symmetry taken as one"),
    ]);
    Table::new("boards_openings", "First moves of every board by their value", &columns)
}

/// Returns every board of up to the given number of cells with no more rows than columns, ordered
/// by cells and rows.
fn boards_up_to(cells: usize) -> Vec<Board> {
    let sides = (1..=cells).flat_map(|rows| (rows..=cells / rows).map(move |cols| (rows, cols)));
    let mut boards: Vec<Board> = sides.filter_map(|(r, c)| Board::new(r, c).ok()).collect();
    boards.sort_by_key(|board| (board.cells(), board.rows()));
    boards
}

fn add_rows(boards: &mut Table, openings: &mut Table, rules: &Rules, found: &Evaluation) {
    let board = &rules.board;
    let center_allowed = board.centre().map(|_| rules.center_allowed);
    let sides = [board.rows(), board.cols(), board.cells()].map(Cell::from);
    let sides = || sides.iter().cloned().chain([center_allowed.into()]);
    let start = rules.start();
    let legal = rules.legal(&start, start.to_move);

    // For each value, best first, how many moves have it, and how many classes of them.
    let mut by_cost: BTreeMap<i32, [usize; 2]> = BTreeMap::new();
    let symmetries = board.symmetries();
    let points = |value: Option<Value>| value.and_then(|value| value.points());
    let value = points(found.value).unwrap_or_default();
    for evaluated in found.moves.iter().flatten() {
        let (Move::Place(cell), Some(after)) = (evaluated.mv, points(evaluated.value)) else {
            continue;
        };
        let first_of_class = symmetries.iter().all(|turn| turn[cell] >= cell);
        let counts = by_cost.entry(value - after).or_default();
        counts[0] += 1;
        counts[1] += usize::from(first_of_class);
    }
    let best = by_cost.get(&0);
    let mut row: Vec<Cell> = sides().collect();
    row.extend([value.into(), cells_of(legal).count().into()]);
    row.extend([best.map(|counts| counts[0]).into(), best.map(|counts| counts[1]).into()]);
    boards.push(row);
    for (cost, [moves, classes]) in by_cost {
        let mut row: Vec<Cell> = sides().collect();
        row.extend([(value - cost).into(), cost.into(), moves.into(), classes.into()]);
        openings.push(row);
    }
}
