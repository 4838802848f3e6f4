//! The screen: the board at the left, a panel at the right, keys below.

mod board;
mod panel;

use super::BritishSquare;
use crate::play::app::{App, Popup};
use crate::play::grid::Grid;
use crate::play::look::{bold, color, dim, key_lines, popup};
use bsq_analyses::rules_label;
use bsq_games::british_square::symbol;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};

/// The main keys.
const KEYS: &str =
    "arrows Enter play  u undo  r redo  v values  i hint  x o players  ? keys  q quit";
/// The keys.
const HELP: &[(&str, &str)] = &[
    ("arrows, Enter", "choose a cell, play there"),
    ("17 or b4, Enter", "play there; 0 passes"),
    ("mouse", "a click plays, the wheel steps"),
    ("u, Backspace", "undo, to your last decision"),
    ("r", "redo"),
    ("[ and ]", "a move back, a move on"),
    ("Home, End", "the first, the last position"),
    ("n", "new game"),
    ("v", "values and best moves"),
    ("i", "hint: mark the perfect moves"),
    ("w", "warnings"),
    ("m", "marks of claimed cells"),
    ("x and o", "who plays X, who plays O"),
    ("X and O", "the same, the other way round"),
    ("p", "let the machines play on"),
    ("t", "the game as text"),
    ("q, Ctrl-C", "quit"),
];
/// The width of the panel.
const PANEL: u16 = 28;
/// The columns between board and panel.
const GAP: u16 = 3;

/// A score with its sign.
fn signed(score: i32) -> String {
    if score == 0 { "0".to_string() } else { format!("{score:+}") }
}

/// Draws the screen. Returns the area of the board, if it fits.
pub fn draw(app: &App<BritishSquare>, frame: &mut Frame) -> Option<Grid> {
    let [title, _, middle, foot, last] = Layout::vertical([
        Constraint::Length(1),
        Constraint::Length(1),
        Constraint::Fill(1),
        Constraint::Length(2),
        Constraint::Length(1),
    ])
    .areas(frame.area());
    frame.render_widget(title_line(app), title);
    let space = Rect { width: middle.width.saturating_sub(PANEL + GAP), ..middle };
    let grid = Grid::fit(app.line.rules().board, space);
    match &grid {
        Some(grid) => {
            board::draw(app, grid, frame.buffer_mut());
            let left = grid.outer().right() + GAP;
            let panel = Rect { x: left, width: middle.right() - left, ..middle };
            frame.render_widget(panel::paragraph(app), panel);
        }
        None => frame.render_widget(too_small(app), middle),
    }
    frame.render_widget(Paragraph::new(said(app)).style(bold()).wrap(Wrap { trim: true }), foot);
    frame.render_widget(Line::styled(KEYS, dim()), last);
    match app.popup {
        Some(Popup::Help) => popup(frame, " Keys ", help()),
        Some(Popup::Game) => popup(frame, " The game so far ", game(app)),
        None => {}
    }
    grid
}

fn title_line(app: &App<BritishSquare>) -> Line<'static> {
    let position = app.line.position();
    let mut spans = vec![Span::styled(rules_label(app.line.rules()), bold())];
    if app.solution().is_over() {
        spans.push(Span::raw(", the game is over"));
    } else {
        let player = position.to_move;
        spans.push(Span::raw(format!(", turn {}: ", position.turn)));
        spans.push(Span::styled(symbol(player).to_string(), bold().fg(color(player))));
        spans.push(Span::raw(format!(" to move, the {player} player")));
    }
    Line::from(spans)
}

/// The last report, or the typed text.
fn said(app: &App<BritishSquare>) -> String {
    match () {
        () if !app.entry.is_empty() => {
            format!("Move: {}_   (Enter plays, Esc drops it)", app.entry)
        }
        () if !app.message.is_empty() || !app.warning.is_empty() => {
            format!("{} {}", app.warning, app.message).trim().to_string()
        }
        () if app.waits_for_go() => "The machine waits: p lets it play on from here.".to_string(),
        () if app.solution().must_pass() => "No move is legal: Enter passes.".to_string(),
        () => String::new(),
    }
}

fn too_small(app: &App<BritishSquare>) -> Paragraph<'static> {
    let board = app.line.rules().board;
    let text = format!(
        "The terminal is too small for a {board} board. Make it larger, or leave with q and use --plain."
    );
    Paragraph::new(text).wrap(Wrap { trim: true })
}

fn help() -> Vec<Line<'static>> {
    let mut lines = key_lines(HELP);
    lines.push(Line::raw(""));
    lines.push(Line::raw("Values are first player's points minus second's;"));
    lines.push(Line::raw("* a perfect move. x, o: only X, only O may play"));
    lines.push(Line::raw("there; # nobody may."));
    lines
}

fn game(app: &App<BritishSquare>) -> Vec<Line<'static>> {
    let mut lines: Vec<Line> =
        app.line.to_string().lines().map(|line| Line::raw(line.to_string())).collect();
    lines.push(Line::raw(""));
    lines.push(Line::styled("It is printed again when you quit.", dim()));
    lines.push(Line::styled("bsq play FILE goes on from it.", dim()));
    lines
}
