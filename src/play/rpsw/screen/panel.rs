//! What there is to know beside the board: the verdict, the players, the moves, the game.

use super::super::app::{App, Listed, player_key};
use super::super::words::{self, names};
use super::piece_style;
use crate::play::look::{bold, dim};
use crate::play::seat::Seat;
use bsq_engine::game::{Notation, Player};
use bsq_games::rpsw::notation::letter;
use bsq_games::rpsw::{Piece, Store, Verdict};
use ratatui::style::{Color, Style};
use ratatui::text::{Line, Span};
use std::fmt::Display;

/// Columns of a move of the game, and of the number before them.
const MOVE: usize = 6;
const NUMBER: usize = 4;
/// Rows of the game at most.
const GAME: usize = 3;

/// Everything, in so many columns and rows.
pub fn lines<S: Store<Error: Display>>(
    app: &App<S>,
    width: usize,
    height: usize,
) -> Vec<Line<'static>> {
    let mut lines = verdict(app, width);
    lines.extend(players(app));
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

fn verdict<S: Store<Error: Display>>(app: &App<S>, width: usize) -> Vec<Line<'static>> {
    let to_move = app.line.position().to_move;
    let (text, style) = match (app.ending(), app.known()) {
        (Some(ending), _) => (ending, bold()),
        _ if !app.show_values => ("Values are hidden (v)".to_string(), dim()),
        (None, Ok(known)) => (words::verdict(known.verdict, to_move), bold()),
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

/// Who plays, with which pieces left.
fn players<S: Store<Error: Display>>(app: &App<S>) -> Vec<Line<'static>> {
    let line = |player: Player| {
        let placement = &app.line.position().pieces[player.index()];
        let left = |kind: Piece| match placement[kind.index()] {
            Some(_) => Span::styled(letter(player, kind).to_string(), piece_style(player)),
            None => Span::styled("·", dim()),
        };
        let mut spans: Vec<Span> = Piece::ALL.map(left).to_vec();
        spans.push(Span::raw(format!(" {}", app.side(player).label())));
        if app.side(player) == Seat::You {
            spans.push(Span::styled(format!("  ({} changes)", player_key(player)), dim()));
        }
        Line::from(spans)
    };
    vec![line(Player::First), line(Player::Second), Line::raw("")]
}

/// The best moves, where verdicts are not shown but asked for.
fn hint<S: Store<Error: Display>>(app: &App<S>, width: usize) -> Vec<Line<'static>> {
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

/// As much of the list as there is room for, with the chosen move in it.
fn moves<S: Store<Error: Display>>(app: &App<S>, room: usize) -> Vec<Line<'static>> {
    let listed = app.listed();
    let line = |listed: &Listed| move_line(app, listed);
    if listed.len() <= room {
        return listed.iter().map(line).collect();
    }
    let rows = room.saturating_sub(1);
    if rows == 0 {
        return Vec::new();
    }
    let at = listed.iter().position(|listed| Some(listed.mv) == app.chosen).unwrap_or(0);
    let from = at.saturating_sub(rows / 2).min(listed.len() - rows);
    let mut lines: Vec<Line> = listed[from..from + rows].iter().map(line).collect();
    let shown = format!("  {} to {} of {}", from + 1, from + rows, listed.len());
    lines.push(Line::styled(shown, dim()));
    lines
}

/// The piece, the move, what it takes, what it is worth.
fn move_line<S: Store<Error: Display>>(app: &App<S>, listed: &Listed) -> Line<'static> {
    let (rules, position, mv) = (app.rules(), app.line.position(), listed.mv);
    let is_chosen = Some(mv) == app.chosen;
    let piece = rules.piece_on(position, mv.from);
    let piece = piece.map_or(' ', |(player, kind)| letter(player, kind));
    let takes = words::taken(rules, position, mv);
    let takes = takes.map_or(String::new(), |(player, kind)| format!("x{}", letter(player, kind)));
    let worth = match listed.verdict {
        Some(verdict) => words::short(verdict),
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
        Span::styled(worth, listed.verdict.map_or(bold(), worth_style)),
    ])
}

fn worth_style(verdict: Verdict) -> Style {
    match verdict {
        Verdict::Won(_) => bold().fg(Color::Green),
        Verdict::Drawn => Style::new(),
        Verdict::Lost(_) => dim(),
    }
}

/// The moves so far, mistakes marked, the position that is looked at set off.
fn game<S: Store<Error: Display>>(app: &App<S>, width: usize) -> Vec<Line<'static>> {
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
