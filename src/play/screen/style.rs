//! Colours and words of values and moves.

use bsq_analyses::palette::{FIRST, SECOND};
use bsq_api::{Class, MoveAnswer, Player, Score, ValueAnswer};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};

/// The styles of the screen: with colours, or without them if the variable `NO_COLOR` is set.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// Whether there are colours.
    pub color: bool,
}

impl Look {
    /// The colours that the environment allows.
    pub fn of_environment() -> Look {
        Look { color: std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()) }
    }

    /// The colour of a player: blue for the first, orange for the second.
    fn color(player: Player) -> Color {
        match player {
            Player::First => Color::Indexed(FIRST.terminal()),
            Player::Second => Color::Indexed(SECOND.terminal()),
        }
    }

    /// The style of what belongs to a player, if any.
    pub fn of(self, player: Option<Player>) -> Style {
        match player.filter(|_| self.color) {
            Some(player) => Style::new().fg(Look::color(player)),
            None => Style::new(),
        }
    }

    /// The style of a piece or box, which fills its place.
    pub fn filled(self, player: Option<Player>) -> Style {
        match player.filter(|_| self.color) {
            Some(player) => Style::new().fg(Color::Black).bg(Look::color(player)),
            None => Style::new(),
        }
    }
}

/// The style of emphasis.
pub fn bold() -> Style {
    Style::new().add_modifier(Modifier::BOLD)
}

/// The style of details.
pub fn dim() -> Style {
    Style::new().add_modifier(Modifier::DIM)
}

/// Draws a text in the middle of a row, in place of what was there.
pub fn centred(text: &str, area: Rect, style: Style, buffer: &mut Buffer) {
    let length = text.chars().count().min(area.width.into()) as u16;
    let left = area.x + (area.width - length) / 2;
    for (x, letter) in (left..).zip(text.chars().take(length.into())) {
        if let Some(cell) = buffer.cell_mut((x, area.y)) {
            // The styles of the buffer would be added to those there.
            cell.reset();
            cell.set_char(letter).set_style(style);
        }
    }
}

/// A number of points with its sign.
pub fn signed(points: Score) -> String {
    if points.signum() > 0 { format!("+{points}") } else { points.to_string() }
}

/// The value of a move for the player who moves, in a few letters, and who gains from it: points
/// with their sign, `W5` for a win in 5 plies, `L4` for a loss in 4, `=` if there is no winner.
pub fn label(mv: &MoveAnswer, mover: Player) -> Option<(String, Option<Player>)> {
    let gains = |points: Score| match points.signum() {
        0 => None,
        sign => Some(if sign > 0 { Player::First } else { Player::Second }),
    };
    match (&mv.value, mv.to_come) {
        (Some(value @ ValueAnswer { score: Some(score), .. }), _) => {
            Some((signed(*score), value.winner()))
        }
        (Some(value), _) => {
            let Some(winner) = value.winner() else { return Some(("=".to_string(), None)) };
            let letter = if winner == mover { 'W' } else { 'L' };
            let plies = value.plies.map_or(String::new(), |plies| plies.to_string());
            Some((format!("{letter}{plies}"), Some(winner)))
        }
        (None, Some(points)) => Some((signed(points), gains(points))),
        (None, None) => None,
    }
}

/// The mark of a move that is not best: `?` if it keeps the outcome, `??` if it changes it, with the
/// points that it costs.
pub fn mark(mv: &MoveAnswer) -> String {
    let cost = mv.cost.filter(|cost| cost.signum() > 0);
    let mark = match (mv.class, cost) {
        (Some(Class::Best), _) | (None, None) => return String::new(),
        (Some(Class::ChangesOutcome), _) => "??",
        _ => "?",
    };
    format!("{mark}{}", cost.map_or(String::new(), |cost| cost.to_string()))
}
