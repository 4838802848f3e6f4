//! The look of every game: colours, the lines of a board, popups.

use super::app::{App, OnScreen};
use super::grid::Grid;
use super::side::Side;
use bsq_analyses::palette::{FIRST, SECOND};
use bsq_engine::game::Player;
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Clear, Padding, Paragraph};

/// The colour of a player's pieces, which differ in shape as well.
pub fn color(player: Player) -> Color {
    Color::Indexed(match player {
        Player::First => FIRST.terminal(),
        Player::Second => SECOND.terminal(),
    })
}

/// The style of emphasis.
pub fn bold() -> Style {
    Style::new().add_modifier(Modifier::BOLD)
}

/// The style of details.
pub fn dim() -> Style {
    Style::new().add_modifier(Modifier::DIM)
}

/// Draws the lines between cells.
pub fn lines(grid: &Grid, buffer: &mut Buffer) {
    let (rows, cols) = (grid.board.rows(), grid.board.cols());
    let dash = "─".repeat(grid.width.into());
    let rule = |left: &str, cross: &str, right: &str| {
        format!("{left}{}{right}", vec![dash.as_str(); cols].join(cross))
    };
    let blank = " ".repeat(grid.width.into());
    let cells = format!("│{}│", vec![blank.as_str(); cols].join("│"));
    let stride = grid.height + 1;
    for y in 0..grid.area.height {
        let line = match y {
            0 => rule("┌", "┬", "┐"),
            _ if y == rows as u16 * stride => rule("└", "┴", "┘"),
            _ if y % stride == 0 => rule("├", "┼", "┤"),
            _ => cells.clone(),
        };
        buffer.set_string(grid.area.x, grid.area.y + y, line, dim());
    }
}

/// Draws the letters of columns above the board, and the numbers of rows at its left.
pub fn names(grid: &Grid, number: impl Fn(usize) -> usize, buffer: &mut Buffer) {
    let (rows, cols) = (grid.board.rows(), grid.board.cols());
    for col in 0..cols {
        let Rect { x, .. } = grid.cell(col);
        let name = grid.board.coordinate(col);
        let name = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let top = Rect { x, y: grid.area.y - 1, width: grid.width, height: 1 };
        centred(name, top, dim(), buffer);
    }
    for row in 0..rows {
        let Rect { y, .. } = grid.cell(row * cols);
        let middle = y + (grid.height - 1) / 2;
        buffer.set_string(grid.area.x - 3, middle, format!("{:>2}", number(row)), dim());
    }
}

/// A line for each player with the pieces, the side, and the key that changes it, then an empty
/// line.
pub fn players<G: OnScreen>(
    app: &App<G>,
    pieces: impl Fn(Player) -> Vec<Span<'static>>,
) -> Vec<Line<'static>> {
    let line = |player: Player| {
        let mut spans = pieces(player);
        spans.push(Span::raw(format!(" {}", app.side(player).label())));
        if *app.side(player) == Side::You {
            spans.push(Span::styled(format!("  ({} changes)", G::player_key(player)), dim()));
        }
        Line::from(spans)
    };
    vec![line(Player::First), line(Player::Second), Line::raw("")]
}

/// Draws a text in the middle of a row.
pub fn centred(text: &str, area: Rect, style: Style, buffer: &mut Buffer) {
    let length = text.chars().count() as u16;
    let before = area.width.saturating_sub(length) / 2;
    buffer.set_stringn(area.x + before, area.y, text, area.width.into(), style);
}

/// A line for each key with its description.
pub fn key_lines(keys: &[(&'static str, &'static str)]) -> Vec<Line<'static>> {
    let line = |&(key, what): &(&'static str, &'static str)| {
        Line::from(vec![Span::styled(format!("{key:<17}"), bold()), Span::raw(what)])
    };
    keys.iter().map(line).collect()
}

/// Draws a box in the middle of the screen.
pub fn popup(frame: &mut Frame, title: &'static str, lines: Vec<Line<'static>>) {
    let width = lines.iter().map(Line::width).max().unwrap_or(0) as u16 + 4;
    let height = lines.len() as u16 + 2;
    let screen = frame.area();
    let (width, height) = (width.min(screen.width), height.min(screen.height));
    let x = screen.x + (screen.width - width) / 2;
    let y = screen.y + (screen.height - height) / 2;
    let area = Rect::new(x, y, width, height);
    let block = Block::bordered()
        .border_type(BorderType::Rounded)
        .title(title)
        .padding(Padding::horizontal(1));
    frame.render_widget(Clear, area);
    frame.render_widget(Paragraph::new(lines).block(block), area);
}
