//! The board: pieces, the chosen move, where the chosen piece can go.

use super::super::app::App;
use super::{piece_style, square_of};
use crate::play::grid::Grid;
use crate::play::look::{centred, dim, lines};
use bsq_engine::game::Player;
use bsq_games::rpsw::notation::letter;
use bsq_games::rpsw::{Piece, Square, Store};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use std::fmt::Display;

/// Draws the board where the grid is.
pub fn draw<S: Store<Error: Display>>(app: &App<S>, grid: &Grid, buffer: &mut Buffer) {
    if grid.ruled {
        lines(grid, buffer);
    }
    names(grid, buffer);
    let listed = app.listed();
    let goes = |to: Square| {
        let from = app.chosen.map(|chosen| chosen.from);
        listed.iter().any(|listed| Some(listed.mv.from) == from && listed.mv.to == to)
    };
    for cell in 0..grid.board.cells() {
        let (area, square) = (grid.cell(cell), square_of(&grid.board, cell));
        match app.rules().piece_on(app.line.position(), square) {
            Some((player, kind)) => piece(player, kind, area, buffer),
            None if goes(square) => centred("·", middle(area), Style::new(), buffer),
            None if !grid.ruled => centred(".", middle(area), dim(), buffer),
            None => {}
        }
        if app.chosen.is_some_and(|chosen| [chosen.from, chosen.to].contains(&square)) {
            buffer.set_style(area, Style::new().reversed());
        }
    }
}

/// Letters of the columns above, numbers of the rows at the left, counted from below.
fn names(grid: &Grid, buffer: &mut Buffer) {
    let (rows, cols) = (grid.board.rows(), grid.board.cols());
    for (col, name) in ('a'..).take(cols).enumerate() {
        let Rect { x, .. } = grid.cell(col);
        let top = Rect { x, y: grid.area.y - 1, width: grid.width, height: 1 };
        centred(&name.to_string(), top, dim(), buffer);
    }
    for row in 0..rows {
        let Rect { y, .. } = middle(grid.cell(row * cols));
        buffer.set_string(grid.area.x - 3, y, format!("{:>2}", rows - row), dim());
    }
}

/// The row of a cell in which one looks first.
fn middle(area: Rect) -> Rect {
    Rect { y: area.y + (area.height - 1) / 2, height: 1, ..area }
}

/// A letter, and the whole name where there is room.
fn piece(player: Player, kind: Piece, area: Rect, buffer: &mut Buffer) {
    let style = piece_style(player);
    let row = middle(area);
    centred(&letter(player, kind).to_string(), row, style, buffer);
    if area.height > 1 {
        let name = match player {
            Player::First => kind.name().to_ascii_uppercase(),
            Player::Second => kind.name().to_string(),
        };
        centred(&name, Rect { y: row.y + 1, ..row }, style, buffer);
    }
}
