//! The value of each first move.

use super::Asked;
use crate::chart::{Chart, Figure};
use crate::options::{MOVES, POSITION};
use crate::{Analysis, AnalysisError, Drawing, Table};
use bsq_engine::monitor::Monitor;
use bsq_engine::tabulate;
use bsq_games::british_square::Rules;

/// The board with the value of every first move.
pub const CHART: Chart = Chart {
    x: "coordinate",
    by: Some("value"),
    is_score: true,
    y_label: "final score under perfect play after a first move there",
    blank: "no legal first move",
    ..Chart::new(
        "openings",
        Figure::Boards,
        "The first player wins after {count of +} of {count} first moves; scores are {range}",
    )
};

/// The analysis `openings`. See the [module](self).
pub fn analysis() -> Analysis {
    super::solving(
        "openings",
        "the score that each first move leads to under perfect play",
        [POSITION, MOVES],
        Asked::valuing_openings,
        run,
    )
    .with_charts(&[&CHART])
}

fn run(asked: &Asked, monitor: &Monitor) -> Result<Vec<Table>, AnalysisError> {
    let (best, values) = asked.openings(monitor)?;
    let (rules, sign) = (&asked.rules, asked.start().to_move.sign());
    let board = &rules.board;
    let legal = values.iter().enumerate().filter_map(|(cell, value)| Some((cell, (*value)?)));
    let mut table = tabulate!("openings", "Value of each first move", for (cell, value) in legal => {
        "tile": integer key, "tile number, 1 at the top left, by rows" => board.tile(cell);
        "coordinate": text, "column letter from the left, row number from the top"
            => board.coordinate(cell);
        "value": integer, "score under perfect play after the move" => value;
        "cost": integer, "points that the move gives away"
            => sign * (best - value);
        "perfect": truth, "whether it keeps the value of the game"
            => value == best;
    });
    let text = map_rows(rules, &values).join("\n");
    table.drawing = Some(Drawing { text, is_complete: true });
    Ok(vec![table])
}

/// Formats values as a map, with a text for each row of the board and `-` for `None`. Values are
/// unspaced if each takes one character, otherwise aligned in columns.
pub fn map_rows(rules: &Rules, values: &[Option<i32>]) -> Vec<String> {
    map(rules, values, map_width(values))
}

/// Formats values as a map in one line, rows joined by `/`, without alignment.
pub fn map_line(rules: &Rules, values: &[Option<i32>]) -> String {
    map(rules, values, 1).join("/")
}

fn map(rules: &Rules, values: &[Option<i32>], pad: usize) -> Vec<String> {
    let between = if map_width(values) == 1 { "" } else { " " };
    let row = |row: &[Option<i32>]| {
        let cells: Vec<String> = row.iter().map(|&v| format!("{:>pad$}", value_text(v))).collect();
        cells.join(between)
    };
    values.chunks(rules.board.cols()).map(row).collect()
}

fn map_width(values: &[Option<i32>]) -> usize {
    values.iter().map(|&value| value_text(value).len()).max().unwrap_or(1)
}

fn value_text(value: Option<i32>) -> String {
    value.map_or("-".to_string(), |value| value.to_string())
}
