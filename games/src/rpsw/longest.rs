//! The table of the longest win.

use super::{Evaluator, EvaluatorError, Position, Rules};
use bsq_engine::evaluate::{Detail, Evaluator as _};
use bsq_engine::game::{Game, Notation, Player};
use bsq_engine::monitor::Monitor;
use bsq_engine::results::column::{integer, text};
use bsq_engine::results::{Cell, Table};

/// Formats the table of a longest win in a sentence.
fn longest_note(table: &Table) -> String {
    let column = |name: &str| table.columns.iter().position(|column| column.name == name);
    let texts = |name: &str| -> Vec<&str> {
        let texts = table.rows.iter().filter_map(|row| match &row[column(name)?] {
            Cell::Text(text) => Some(text.as_str()),
            _ => None,
        });
        texts.collect()
    };
    format!("{}: '{}', {}.", table.title, texts("after")[0], texts("move")[1..].join(" "))
}

/// Returns the longest win with its principal variation: a row for the position and for each ply.
///
/// # Errors
///
/// Fails if the evaluator does.
pub fn longest_table(evaluator: Evaluator, position: &Position) -> Result<Table, EvaluatorError> {
    let (rules, monitor) = (evaluator.game(), Monitor::default());
    let value = evaluator.evaluate(position, Detail::Value, &monitor)?.value;
    let plies = value.and_then(|value| value.plies).unwrap_or(0);
    let mut table = Table::new(
        "rpsw-longest",
        &format!("The longest win, {plies} plies of best play"),
        &[
            integer("ply", "the number of the move in the line; 0 before the first one"),
            text("player", "who moves"),
            text("move", "the move: square left, square entered; 'none' before the first one"),
            text("takes", "the piece taken"),
            text("after", "the position after it"),
        ],
    );
    table.picture = Some(picture(rules, position));
    let (first, start) = (rules.to_move(position).name(), rules.format_position(position));
    table.push(vec![0usize.into(), first.into(), "none".into(), Cell::Empty, start.into()]);
    let mut position = *position;
    let line = evaluator.principal_variation(&position, plies as usize, &monitor)?;
    for (ply, mv) in (1usize..).zip(line) {
        let player = rules.to_move(&position).name();
        let takes = rules.taken(&position, mv).map(String::from);
        position = rules.play(&position, mv);
        let after = rules.format_position(&position);
        let mv = rules.format_move(mv);
        table.push(vec![ply.into(), player.into(), mv.into(), takes.into(), after.into()]);
    }
    table.note = Some(longest_note(&table));
    Ok(table)
}

/// Draws the board with coordinates, the first player's side at the bottom.
fn picture(rules: &Rules, position: &Position) -> String {
    let text = rules.format_position(position);
    let board = text.split(' ').next().unwrap_or_default();
    let spaced = |row: &str| row.chars().map(String::from).collect::<Vec<_>>().join(" ");
    let mut picture = String::new();
    for (row, squares) in (1..=rules.board().rows()).rev().zip(board.split('/')) {
        picture += &format!("{row}  {}\n", spaced(squares));
    }
    let columns: String = ('a'..).take(rules.board().cols()).collect();
    let to_move = match position.to_move {
        Player::First => "first (upper case)",
        Player::Second => "second (lower case)",
    };
    picture + &format!("   {}   to move: {to_move}\n", spaced(&columns))
}
