//! How a game looks: the board at the left, what there is to know at the right, keys below.

mod board;
mod panel;

use super::app::{App, Popup};
use super::grid::Grid;
use super::keys;
use super::look::{bold, color, dim, key_lines, popup};
use bsq_analyses::rules_label;
use bsq_games::british_square::symbol;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};

/// The keys that matter most.
const KEYS: &str =
    "arrows Enter play  u undo  r redo  v values  i hint  x o players  ? keys  q quit";
/// Columns that the panel needs.
const PANEL: u16 = 28;
/// Columns between board and panel.
const GAP: u16 = 3;

/// A score with its sign.
fn signed(score: i32) -> String {
    if score == 0 { "0".to_string() } else { format!("{score:+}") }
}

/// Draws everything and tells where the board is, if there is room for it.
pub fn draw(app: &App, frame: &mut Frame) -> Option<Grid> {
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

fn title_line(app: &App) -> Line<'static> {
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

/// What was said last, or what is being typed.
fn said(app: &App) -> String {
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

fn too_small(app: &App) -> Paragraph<'static> {
    let board = app.line.rules().board;
    let text = format!(
        "The terminal is too small for a {board} board. Make it larger, or leave with q and use --plain."
    );
    Paragraph::new(text).wrap(Wrap { trim: true })
}

fn help() -> Vec<Line<'static>> {
    let mut lines = key_lines(keys::HELP);
    lines.push(Line::raw(""));
    lines.push(Line::raw("Values are first player's points minus second's;"));
    lines.push(Line::raw("* a perfect move. x, o: only X, only O may play"));
    lines.push(Line::raw("there; # nobody may."));
    lines
}

fn game(app: &App) -> Vec<Line<'static>> {
    let mut lines: Vec<Line> =
        app.line.to_string().lines().map(|line| Line::raw(line.to_string())).collect();
    lines.push(Line::raw(""));
    lines.push(Line::styled("It is printed again when you quit.", dim()));
    lines.push(Line::styled("bsq play FILE goes on from it.", dim()));
    lines
}
