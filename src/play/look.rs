//! What both games look like: colours, the lines of a board, boxes in front of it.

use super::grid::Grid;
use bsq_engine::game::Player;
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Clear, Padding, Paragraph};

/// The colour of a player's pieces; their shape says it too.
pub fn color(player: Player) -> Color {
    match player {
        Player::First => Color::LightBlue,
        Player::Second => Color::LightRed,
    }
}

/// What stands out.
pub fn bold() -> Style {
    Style::new().add_modifier(Modifier::BOLD)
}

/// What stands back.
pub fn dim() -> Style {
    Style::new().add_modifier(Modifier::DIM)
}

/// The lines between the cells.
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

/// A line of text in the middle of a row.
pub fn centred(text: &str, area: Rect, style: Style, buffer: &mut Buffer) {
    let length = text.chars().count() as u16;
    let before = area.width.saturating_sub(length) / 2;
    buffer.set_stringn(area.x + before, area.y, text, area.width.into(), style);
}

/// Keys and what they do, a line each.
pub fn key_lines(keys: &[(&'static str, &'static str)]) -> Vec<Line<'static>> {
    let line = |&(key, what): &(&'static str, &'static str)| {
        Line::from(vec![Span::styled(format!("{key:<17}"), bold()), Span::raw(what)])
    };
    keys.iter().map(line).collect()
}

/// A box in the middle of the screen.
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
