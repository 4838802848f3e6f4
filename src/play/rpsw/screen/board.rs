//! The board: pieces, the chosen move, and the squares that the chosen piece can enter.

use super::super::Rpsw;
use super::{piece_style, square_of};
use crate::play::app::App;
use crate::play::grid::Grid;
use crate::play::look::{centred, dim, lines, names};
use bsq_engine::game::Player;
use bsq_games::rpsw::notation::letter;
use bsq_games::rpsw::{Piece, Square};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

/// Draws the board.
pub fn draw(app: &App<Rpsw>, grid: &Grid, buffer: &mut Buffer) {
    if grid.ruled {
        lines(grid, buffer);
    }
    names(grid, |row| grid.board.rows() - row, buffer);
    let listed = app.listed();
    let goes = |to: Square| {
        let from = app.game.chosen.map(|chosen| chosen.from);
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
        if app.game.chosen.is_some_and(|chosen| [chosen.from, chosen.to].contains(&square)) {
            buffer.set_style(area, Style::new().reversed());
        }
    }
}

/// The middle row of a cell.
fn middle(area: Rect) -> Rect {
    Rect { y: area.y + (area.height - 1) / 2, height: 1, ..area }
}

/// Draws a piece as its letter, with its name if that fits.
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
