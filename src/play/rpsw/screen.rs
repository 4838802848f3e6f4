//! The screen: the board at the left, a panel at the right, keys below.

mod board;
mod panel;

use super::{Rpsw, words};
use crate::play::app::{App, Popup};
use crate::play::grid::{Grid, Size};
use crate::play::look::{bold, color, dim, key_lines, popup};
use bsq_engine::game::Player;
use bsq_games::british_square::Board;
use bsq_games::rpsw::{Rules, Square};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};

/// The main keys, and fewer for narrow screens.
const KEYS: [&str; 2] = [
    "arrows Enter play  u undo  r redo  v values  i hint  f s players  ? keys  q quit",
    "Enter play  u undo  ? keys  q quit",
];
/// The keys with short descriptions, for the smallest screen.
const HELP: &[(&str, &str)] = &[
    ("up, down, Enter", "choose a move, play"),
    ("b1b2, Enter", "play that"),
    ("mouse", "a piece, then where"),
    ("u, Backspace", "undo, to your turn"),
    ("r", "redo"),
    ("left, right", "a move back, on"),
    ("Home, End", "the first, the last"),
    ("n", "new game"),
    ("v", "verdicts"),
    ("i", "hint: best moves"),
    ("l", "best play from here"),
    ("w", "warnings"),
    ("f and s", "who plays"),
    ("p", "let machines play"),
    ("t", "the game as text"),
    ("q, Ctrl-C", "quit"),
];
/// The width of the panel.
const PANEL: u16 = 23;
/// The least width of a screen that is not narrow.
const WIDE: u16 = 60;
/// The least height of a screen with an empty row below the title.
const TALL: u16 = 26;
/// The sizes of squares, the largest first.
const SIZES: [Size; 4] = [(10, 3, true), (8, 2, true), (5, 1, true), (3, 1, false)];

/// Draws the screen. Returns the area of the board, if it fits.
pub fn draw(app: &App<Rpsw>, frame: &mut Frame) -> Option<Grid> {
    let Rect { width, height, .. } = frame.area();
    let [title, _, middle, foot, last] = Layout::vertical([
        Constraint::Length(1),
        Constraint::Length((height >= TALL).into()),
        Constraint::Fill(1),
        Constraint::Length(if width < WIDE { 3 } else { 2 }),
        Constraint::Length(1),
    ])
    .areas(frame.area());
    frame.render_widget(title_line(app, title.width), title);
    let gap = if width < WIDE { 2 } else { 3 };
    let space = Rect { width: middle.width.saturating_sub(PANEL + gap), ..middle };
    let grid = board(app.rules()).and_then(|board| Grid::fit_one(board, space, &SIZES));
    match &grid {
        Some(grid) => {
            board::draw(app, grid, frame.buffer_mut());
            let left = grid.outer().right() + gap;
            let area = Rect { x: left, width: middle.right() - left, ..middle };
            let lines = panel::lines(app, area.width.into(), area.height.into());
            frame.render_widget(Paragraph::new(lines), area);
        }
        None => frame.render_widget(too_small(), middle),
    }
    frame.render_widget(Paragraph::new(said(app)).style(bold()).wrap(Wrap { trim: true }), foot);
    let keys = KEYS[usize::from(usize::from(width) < KEYS[0].len())];
    frame.render_widget(Line::styled(keys, dim()), last);
    match app.popup {
        Some(Popup::Help) => popup(frame, " Keys ", help(app.rules())),
        Some(Popup::Game) => popup(frame, " The game so far ", game(app, width)),
        None => {}
    }
    grid
}

/// The shape of the board.
fn board(rules: &Rules) -> Option<Board> {
    Board::new(rules.board().rows(), rules.board().cols()).ok()
}

/// The square of a cell. Rows of squares are counted from the bottom.
pub fn square_of(board: &Board, cell: usize) -> Square {
    let (row, col) = (cell / board.cols(), cell % board.cols());
    ((board.rows() - 1 - row) * board.cols() + col) as Square
}

fn title_line(app: &App<Rpsw>, width: u16) -> Line<'static> {
    let is_wide = width >= WIDE + 10;
    let name = if is_wide { "Rock-paper-scissors-well" } else { "rpsw" };
    let (cols, rows) = (app.rules().board().cols(), app.rules().board().rows());
    let mut spans = vec![Span::styled(format!("{name} {cols}x{rows}"), bold())];
    if app.ending().is_some() {
        spans.push(Span::raw(", the game is over"));
    } else {
        let player = app.line.position().to_move;
        spans.push(Span::raw(format!(", turn {}: ", app.line.at() + 1)));
        if is_wide {
            spans.push(Span::raw("the "));
        }
        spans.push(Span::styled(player.name(), bold().fg(color(player))));
        spans.push(Span::raw(if is_wide { " player to move" } else { " to move" }));
    }
    Line::from(spans)
}

/// The last report, or the typed text.
fn said(app: &App<Rpsw>) -> String {
    if !app.entry.is_empty() {
        return format!("Move: {}_   (Enter plays, Esc drops it)", app.entry);
    }
    let said = format!("{} {}", app.warning, app.message).trim().to_string();
    match words::repetition(&app.line) {
        Some(repetition) if app.waits_for_go() => {
            format!("{said} {repetition}: play need not end. p plays on.")
        }
        Some(repetition) => format!("{said} {repetition}: play need not end. q quits."),
        None if said.is_empty() && app.waits_for_go() => {
            "The machine waits: p lets it play on from here.".to_string()
        }
        None => said,
    }
}

fn too_small() -> Paragraph<'static> {
    let text = "The terminal is too small. Make it larger, or leave with q and use --plain.";
    Paragraph::new(text).wrap(Wrap { trim: true })
}

fn help(rules: &Rules) -> Vec<Line<'static>> {
    let mut lines = key_lines(HELP);
    lines.push(Line::raw(""));
    lines.extend(words::captures(rules).into_iter().map(Line::raw));
    lines
}

fn game(app: &App<Rpsw>, width: u16) -> Vec<Line<'static>> {
    let text = app.line.to_string();
    let width = usize::from(width).saturating_sub(4).max(1);
    let wrapped = textwrap::wrap(&text, width).into_iter();
    let mut lines: Vec<Line> = wrapped.map(|line| Line::raw(line.into_owned())).collect();
    lines.push(Line::raw(""));
    lines.push(Line::styled("It is printed again when you quit.", dim()));
    lines.push(Line::styled("Give its file to go on from there.", dim()));
    lines
}

/// The style of a player's pieces.
fn piece_style(player: Player) -> Style {
    bold().fg(color(player))
}
