//! The table of the longest win.

use super::{Evaluator, EvaluatorError, Position, Rules};
use bsq_engine::evaluate::{Detail, Evaluator as _};
use bsq_engine::game::{Game, Notation, Player};
use bsq_engine::monitor::Monitor;
use bsq_engine::results::{Drawing, Table};
use bsq_engine::tabulate;

/// Returns the longest win with its principal variation: a row for the position and for each ply.
///
/// # Errors
///
/// Fails if the evaluator does.
pub fn longest_table(evaluator: Evaluator, position: &Position) -> Result<Table, EvaluatorError> {
    let (rules, monitor) = (evaluator.game(), Monitor::default());
    let value = evaluator.evaluate(position, Detail::Value, &monitor)?.value;
    let plies = value.and_then(|value| value.plies).unwrap_or(0);
    let line = evaluator.principal_variation(position, plies as usize, &monitor)?;
    let mut rows = vec![(*position, None, *position)];
    for mv in line {
        let before = rows[rows.len() - 1].2;
        rows.push((before, Some(mv), rules.play(&before, mv)));
    }
    let title = format!("The longest win, {plies} plies of best play");
    let mut table = tabulate!("rpsw-longest", &title, for (ply, row) in rows.iter().enumerate() => {
        let (before, mv, after) = row;
        "ply": integer key, "the number of the move in the line; 0 before the first one" => ply;
        "player": text, "who moves" => rules.to_move(before).name();
        "move": text, "the move: square left, square entered; 'none' before the first one"
            => mv.map_or("none".to_string(), |mv| rules.format_move(before, mv));
        "takes": text, "the piece taken; empty if none is"
            => mv.and_then(|mv| rules.taken(before, mv)).map(String::from);
        "after": text, "the position after it" => rules.format_position(after);
    });
    let moves: Vec<String> = rows
        .iter()
        .filter_map(|(before, mv, _)| mv.map(|mv| rules.format_move(before, mv)))
        .collect();
    let start = rules.format_position(position);
    table.note = Some(format!("{title}: '{start}', {}.", moves.join(" ")));
    table.drawing = Some(Drawing { text: drawing(rules, position), is_complete: false });
    Ok(table)
}

/// Draws the board with coordinates, the first player's side at the bottom.
fn drawing(rules: &Rules, position: &Position) -> String {
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
