//! The board: pieces, values, claimed cells, the cursor.

use super::super::BritishSquare;
use super::signed;
use crate::play::app::App;
use crate::play::grid::Grid;
use crate::play::look::{bold, centred, color, dim, lines, names};
use crate::solution::{Choice, Solution};
use bsq_engine::game::Player;
use bsq_games::british_square::Move;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Style};

/// Draws the board.
pub fn draw(app: &App<BritishSquare>, grid: &Grid, buffer: &mut Buffer) {
    if grid.ruled {
        lines(grid, buffer);
    }
    names(grid, |row| row + 1, buffer);
    let solution = app.solution();
    let view = View { app, choices: solution.choices(), solution };
    for cell in 0..grid.board.cells() {
        let area = grid.cell(cell);
        view.draw(cell, area, buffer);
        if cell == app.game.cursor {
            buffer.set_style(area, Style::new().reversed());
        }
    }
}

struct View<'a> {
    app: &'a App<BritishSquare>,
    solution: Solution,
    choices: Vec<Choice>,
}

impl View<'_> {
    fn draw(&self, cell: usize, area: Rect, buffer: &mut Buffer) {
        let [first, second] = self.solution.position.pieces;
        match (first >> cell & 1, second >> cell & 1) {
            (1, _) => piece(Player::First, area, buffer),
            (_, 1) => piece(Player::Second, area, buffer),
            _ => self.draw_empty(cell, area, buffer),
        }
    }

    /// Draws the value in the first row of a cell and the claim in the last, or both in a single
    /// row.
    fn draw_empty(&self, cell: usize, area: Rect, buffer: &mut Buffer) {
        let claim = self.claim(cell).filter(|_| self.app.game.show_claims);
        let value = self.value(cell);
        let row = |y: u16| Rect { y: area.y + y, height: 1, ..area };
        if area.height > 1 {
            if let Some((text, style)) = value {
                centred(&text, row((area.height - 1) / 2), style, buffer);
            }
            if let Some((mark, style)) = claim {
                let text = mark.to_string().repeat((area.width as usize - 2) / 2);
                centred(&text, row(area.height - 1), style, buffer);
            }
            return;
        }
        let right = Rect { x: area.x + 1, width: area.width - 1, ..area };
        match (value, claim) {
            (Some((text, style)), _) if area.width < 5 => {
                centred(&text, area, style, buffer);
            }
            (None, Some((mark, style))) if area.width < 5 => {
                centred(&mark.to_string(), area, style, buffer);
            }
            (value, claim) => {
                if let Some((text, style)) = value {
                    centred(&text, right, style, buffer);
                }
                if let Some((mark, style)) = claim {
                    buffer.set_string(area.x, area.y, mark.to_string(), style);
                }
            }
        }
    }

    /// The value of a move on a cell if values are shown, or a star for a hint.
    fn value(&self, cell: usize) -> Option<(String, Style)> {
        let choice = self.choices.iter().find(|choice| choice.mv == Move::Place(cell));
        let legal =
            self.solution.rules.legal(&self.solution.position, self.solution.position.to_move);
        let Some(choice) = choice else {
            let dot = legal >> cell & 1 == 1 && !self.app.game.show_claims;
            return dot.then(|| ("·".to_string(), dim()));
        };
        let perfect = bold().fg(Color::Green);
        match (self.app.show_values, choice.cost) {
            (true, 0) => Some((format!("{}*", signed(choice.value)), perfect)),
            (true, 1) => Some((format!("{} ", signed(choice.value)), Style::new())),
            (true, _) => Some((format!("{} ", signed(choice.value)), dim())),
            (false, 0) if self.app.hint => Some(("*".to_string(), perfect)),
            _ => None,
        }
    }

    /// The mark of a claimed cell: `x` or `o` for one player, `#` for both.
    fn claim(&self, cell: usize) -> Option<(char, Style)> {
        let by = |player| self.solution.claimed(player) >> cell & 1 == 1;
        match (by(Player::First), by(Player::Second)) {
            (true, true) => Some(('#', dim())),
            (true, false) => Some(('x', Style::new().fg(color(Player::First)))),
            (false, true) => Some(('o', Style::new().fg(color(Player::Second)))),
            (false, false) => None,
        }
    }
}

/// Draws a piece as large as the cell.
fn piece(player: Player, area: Rect, buffer: &mut Buffer) {
    let rows: &[&str] = match (player, area.height) {
        (Player::First, 3) => &["╲ ╱", "╳", "╱ ╲"],
        (Player::Second, 3) => &["╭───╮", "│   │", "╰───╯"],
        (Player::First, 2) => &["╲╱", "╱╲"],
        (Player::Second, 2) => &["╭──╮", "╰──╯"],
        (Player::First, _) => &["X"],
        (Player::Second, _) => &["O"],
    };
    for (y, text) in rows.iter().enumerate() {
        let row = Rect { y: area.y + y as u16, height: 1, ..area };
        centred(text, row, bold().fg(color(player)), buffer);
    }
}
