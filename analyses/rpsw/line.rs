//! Tables of a position with its moves, and of the longest win.

use crate::column::{integer, text};
use crate::{Cell, Table};
use bsq_engine::game::{Game, Notation, Player};
use bsq_games::rpsw::{Position, Rules, Store, Verdict, VerdictError};

/// Formats a verdict, such as `won in 13 plies`.
pub fn verdict_words(verdict: Verdict) -> String {
    match verdict {
        Verdict::Drawn => "drawn".to_string(),
        Verdict::Won(1) => "won at once".to_string(),
        Verdict::Lost(0) => "lost: the game is over".to_string(),
        Verdict::Won(plies) | Verdict::Lost(plies) => {
            format!("{} in {plies} plies", verdict.result())
        }
    }
}

/// Formats the table of a longest win in a sentence.
pub fn longest_note(table: &Table) -> String {
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
/// Fails if the store cannot be read or contradicts itself.
pub fn longest_table<S: Store>(
    rules: &Rules,
    store: &S,
    position: &Position,
) -> Result<Table, VerdictError<S::Error>> {
    let verdict = rules.verdict(store, position)?;
    let mut table = Table::new(
        "rpsw-longest",
        &format!("The longest win, {} plies of best play", verdict.plies().unwrap_or(0)),
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
    let line =
        rules.principal_variation(store, &position, verdict.plies().unwrap_or(0) as usize)?;
    for (ply, mv) in (1usize..).zip(line) {
        let player = rules.to_move(&position).name();
        let takes = rules.taken(&position, mv).map(String::from);
        position = rules.play(&position, mv);
        let after = rules.format_position(&position);
        let mv = rules.format_move(mv);
        table.push(vec![ply.into(), player.into(), mv.into(), takes.into(), after.into()]);
    }
    Ok(table)
}

/// Returns a row for a position and for each of its moves, best moves first.
///
/// # Errors
///
/// Fails if the store cannot be read or contradicts itself.
pub fn probe_table<S: Store>(
    rules: &Rules,
    store: &S,
    position: &Position,
) -> Result<Table, VerdictError<S::Error>> {
    let verdict = rules.verdict(store, position)?;
    let player = rules.to_move(position);
    let title = match rules.winner(position) {
        Some(winner) => format!("The {winner} player has won"),
        None => format!("{} for the {player} player", capitalized(&verdict_words(verdict))),
    };
    let mut table = Table::new(
        "rpsw-probe",
        &title,
        &[
            text(
                "move",
                "the move: square left, square entered; 'none' in the first row, which is the position itself",
            ),
            text("result", "for the player to move in the position"),
            integer(
                "plies",
                "moves of both players until the game is won, with best play; nothing if it is drawn",
            ),
            text("takes", "the piece that the move takes"),
            text("position", "the position after the move"),
        ],
    );
    table.picture = Some(picture(rules, position));
    table.screen = vec!["move", "result", "plies", "takes"];
    let mut push = |mv: String, verdict: Verdict, takes: Option<String>, after: &Position| {
        let after = rules.format_position(after);
        let values = [verdict.result().into(), verdict.plies().into()];
        let row = [Cell::from(mv)].into_iter().chain(values).chain([takes.into(), after.into()]);
        table.push(row.collect());
    };
    push("none".to_string(), verdict, None, position);
    for judged in rules.judged_moves(store, position)? {
        let takes = rules.taken(position, judged.mv).map(String::from);
        push(rules.format_move(judged.mv), judged.verdict, takes, &rules.play(position, judged.mv));
    }
    Ok(table)
}

/// Draws the board with coordinates, the first player's side at the bottom.
pub fn picture(rules: &Rules, position: &Position) -> String {
    let text = rules.format_position(position);
    let board = text.split(' ').next().unwrap_or_default();
    let spaced = |row: &str| row.chars().map(String::from).collect::<Vec<_>>().join(" ");
    let mut picture = String::new();
    for (row, squares) in (1..=rules.rows()).rev().zip(board.split('/')) {
        picture += &format!("{row}  {}\n", spaced(squares));
    }
    let columns: String = ('a'..).take(rules.cols()).collect();
    let to_move = match position.to_move {
        Player::First => "first (upper case)",
        Player::Second => "second (lower case)",
    };
    picture + &format!("   {}   to move: {to_move}\n", spaced(&columns))
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
