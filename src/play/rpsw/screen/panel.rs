//! The panel beside the board: value, players, moves, record.

use super::super::words::{self, names};
use super::super::{Listed, Rpsw};
use super::piece_style;
use crate::play::app::App;
use crate::play::look::{bold, dim, players};
use bsq_engine::game::{Notation, Player, Value};
use bsq_games::rpsw::Piece;
use bsq_games::rpsw::notation::letter;
use ratatui::style::{Color, Style};
use ratatui::text::{Line, Span};

/// The widths of a move of the record and of the number before a row of moves.
const MOVE: usize = 6;
const NUMBER: usize = 4;
/// The largest number of rows of the record.
const GAME: usize = 3;

/// The lines of the panel, in the given number of columns and rows.
pub fn lines(app: &App<Rpsw>, width: usize, height: usize) -> Vec<Line<'static>> {
    let mut lines = value(app, width);
    lines.extend(players(app, |player| pieces(app, player)));
    lines.extend(hint(app, width));
    let game = game(app, width);
    let below = if game.is_empty() { 0 } else { game.len() + 1 };
    let room = height.saturating_sub(lines.len() + below);
    lines.extend(moves(app, room));
    if !game.is_empty() {
        lines.push(Line::raw(""));
        lines.extend(game);
    }
    lines
}

/// The value, the end of the game, or the reason why there is no value.
fn value(app: &App<Rpsw>, width: usize) -> Vec<Line<'static>> {
    let (text, style) = match (app.ending(), app.known()) {
        (Some(ending), _) => (ending, bold()),
        _ if !app.show_values => ("Values are hidden (v)".to_string(), dim()),
        (None, Ok(known)) => {
            (known.value.as_ref().map(words::sentence).unwrap_or_default(), bold())
        }
        (None, Err(error)) => (format!("No verdict: {error}"), Style::new()),
    };
    let mut lines = wrapped(&text, width, style);
    lines.push(Line::raw(""));
    lines
}

fn wrapped(text: &str, width: usize, style: Style) -> Vec<Line<'static>> {
    let lines = textwrap::wrap(text, width.max(1)).into_iter();
    lines.map(|line| Line::styled(line.into_owned(), style)).collect()
}

/// The letters of a player's pieces, with dots for captured ones.
fn pieces(app: &App<Rpsw>, player: Player) -> Vec<Span<'static>> {
    let placement = &app.line.position().pieces[player.index()];
    let left = |kind: Piece| match placement[kind.index()] {
        Some(_) => Span::styled(letter(player, kind).to_string(), piece_style(player)),
        None => Span::styled("·", dim()),
    };
    Piece::ALL.map(left).to_vec()
}

/// The best moves, if values are hidden and a hint was requested.
fn hint(app: &App<Rpsw>, width: usize) -> Vec<Line<'static>> {
    if app.show_values || !app.hint {
        return Vec::new();
    }
    let best = match app.known() {
        Ok(known) => names(app.rules(), known.best()),
        Err(error) => error,
    };
    let mut lines = wrapped(&format!("Hint: {best}"), width, bold());
    lines.push(Line::raw(""));
    lines
}

/// The part of the list around the chosen move that fits.
fn moves(app: &App<Rpsw>, room: usize) -> Vec<Line<'static>> {
    let listed = app.listed();
    let line = |listed: &Listed| move_line(app, listed);
    if listed.len() <= room {
        return listed.iter().map(line).collect();
    }
    let rows = room.saturating_sub(1);
    if rows == 0 {
        return Vec::new();
    }
    let at = listed.iter().position(|listed| Some(listed.mv) == app.game.chosen).unwrap_or(0);
    let from = at.saturating_sub(rows / 2).min(listed.len() - rows);
    let mut lines: Vec<Line> = listed[from..from + rows].iter().map(line).collect();
    let shown = format!("  {} to {} of {}", from + 1, from + rows, listed.len());
    lines.push(Line::styled(shown, dim()));
    lines
}

/// The piece, the move, the captured piece, and the value.
fn move_line(app: &App<Rpsw>, listed: &Listed) -> Line<'static> {
    let (rules, position, mv) = (app.rules(), app.line.position(), listed.mv);
    let is_chosen = Some(mv) == app.game.chosen;
    let piece = rules.piece_on(position, mv.from);
    let piece = piece.map_or(' ', |(player, kind)| letter(player, kind));
    let takes = rules.piece_on(position, mv.to);
    let takes = takes.map_or(String::new(), |(player, kind)| format!("x{}", letter(player, kind)));
    let worth = match &listed.value {
        Some(value) => words::short(value, position.to_move),
        None if app.hint && app.known().is_ok_and(|known| known.best().any(|best| best == mv)) => {
            "*".to_string()
        }
        None => String::new(),
    };
    let mark = if is_chosen { ">" } else { " " };
    let move_style = if is_chosen { Style::new().reversed() } else { Style::new() };
    Line::from(vec![
        Span::raw(format!("{mark} ")),
        Span::styled(piece.to_string(), piece_style(position.to_move)),
        Span::raw(" "),
        Span::styled(format!("{} {takes:<2}", rules.format_move(mv)), move_style),
        Span::raw(" "),
        Span::styled(worth, listed.value.map_or(bold(), |it| value_style(&it, position.to_move))),
    ])
}

fn value_style(value: &Value, player: Player) -> Style {
    match value.winner() {
        Some(winner) if winner == player => bold().fg(Color::Green),
        Some(_) => dim(),
        None => Style::new(),
    }
}

/// The record, with mistakes marked and the last move emphasized.
fn game(app: &App<Rpsw>, width: usize) -> Vec<Line<'static>> {
    let moves = app.line.moves();
    // An even number, so that each column is of one player.
    let columns = (width.saturating_sub(NUMBER) / (2 * MOVE)).max(1) * 2;
    let rows = moves.len().div_ceil(columns);
    let looked_at = app.line.at().saturating_sub(1) / columns;
    let from = looked_at.saturating_sub(GAME / 2).min(rows.saturating_sub(GAME));
    let row = |row: usize| {
        let first = row * columns;
        let mut spans = vec![Span::styled(format!("{:>3} ", first + 1), dim())];
        for (at, &mv) in moves.iter().enumerate().skip(first).take(columns) {
            let style = if at < app.line.at() { Style::new() } else { dim() };
            let style = if at + 1 == app.line.at() { style.reversed() } else { style };
            let mistake = if app.show_values && app.was_mistake(at) { "?" } else { "" };
            let name = format!("{}{mistake}", app.rules().format_move(mv));
            let space = " ".repeat(MOVE.saturating_sub(name.len()));
            spans.extend([Span::styled(name, style), Span::raw(space)]);
        }
        Line::from(spans)
    };
    (from..rows.min(from + GAME)).map(row).collect()
}
