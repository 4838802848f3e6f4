//! The panel beside the board: value, players, moves by value, best play, the game.

use super::app::App;
use super::style::{bold, dim, label, mark, signed};
use super::values::{Found, Question};
use crate::output::screen::wrapping;
use crate::play::contest::Side;
use crate::words;
use bsq_api::{Class, MoveAnswer, PlaceAnswer, Player, State};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};

/// The width of the values before lists of moves.
const LABEL: usize = 6;
/// The width of the numbers before rows of the game.
const NUMBER: usize = 4;
/// The most rows of best play.
const BEST_PLAY: usize = 4;
/// The fewest rows of the game that are shown.
const GAME: usize = 3;
/// The most different symbols of a player that are shown.
const SYMBOLS: usize = 4;

/// The lines of the panel, in the given number of columns and rows.
pub fn lines(app: &App, width: usize, height: usize) -> Vec<Line<'static>> {
    let mut lines = verdict(app, width);
    lines.push(Line::raw(""));
    lines.extend([Player::First, Player::Second].map(|player| side(app, player)));
    let best_play = best_play(app, width);
    let rows = game(app, width);
    let below = |lines: &Vec<Line>| if lines.is_empty() { 0 } else { lines.len() + 1 };
    let reserved = lines.len() + below(&best_play) + below(&rows).min(GAME + 1);
    let values = moves(app, width, height.saturating_sub(reserved + 1));
    for section in [values, best_play] {
        if !section.is_empty() {
            lines.push(Line::raw(""));
            lines.extend(section);
        }
    }
    let room = height.saturating_sub(lines.len() + 1);
    if !rows.is_empty() && room > 0 {
        lines.push(Line::raw(""));
        lines.extend(around_current(app, rows, width, room));
    }
    lines
}

fn wrapped(text: &str, width: usize, style: Style) -> Vec<Line<'static>> {
    textwrap::wrap(text, wrapping(width.max(1)))
        .into_iter()
        .map(|line| Line::styled(line.into_owned(), style))
        .collect()
}

/// A text after a label, wrapped to lines with a hanging indent.
fn hanging(label: Span<'static>, indent: usize, text: &str, width: usize) -> Vec<Line<'static>> {
    let options = wrapping(width.saturating_sub(indent).max(1));
    let mut lines: Vec<Line> = textwrap::wrap(text, options)
        .into_iter()
        .map(|line| Line::raw(format!("{:indent$}{line}", "")))
        .collect();
    if let Some(first) = lines.first_mut() {
        let rest = first.spans[0].content[indent..].to_string();
        let space = " ".repeat(indent.saturating_sub(label.width()));
        *first = Line::from(vec![label, Span::raw(space), Span::raw(rest)]);
    }
    lines
}

/// The value and the points so far, or the reason why they are not shown.
fn verdict(app: &App, width: usize) -> Vec<Line<'static>> {
    let now = app.contest.now();
    let error = |question| match app.values.get(&now.position, question) {
        Some(Err(error)) => Some(format!("No value: {error}")),
        _ => None,
    };
    let failed = || error(Question::Moves).or_else(|| error(Question::Value));
    let (text, style) = match app.known() {
        _ if now.is_over => (words::verdict(now), bold()),
        _ if !app.show_values => ("Values are hidden (v shows them)".to_string(), dim()),
        Some(known) => (words::verdict(known), bold()),
        None => match (failed(), app.values.working()) {
            (Some(error), _) => (error, Style::new()),
            (None, Some(time)) => (format!("Searching, {} s", time.as_secs()), dim()),
            (None, None) => (String::new(), Style::new()),
        },
    };
    let mut lines = wrapped(&text, width, style);
    let score = now.score.or_else(|| app.known()?.score);
    lines.extend(score.map(|score| Line::raw(format!("Score so far {}", signed(score)))));
    lines
}

/// The line of a player: the symbols of the pieces, the name, and who plays.
fn side(app: &App, player: Player) -> Line<'static> {
    let places = &app.contest.now().scene.places;
    let is_own = |place: &&PlaceAnswer| place.state == State::Taken && place.owner == Some(player);
    let mut symbols: Vec<&str> = Vec::new();
    for symbol in places.iter().filter(is_own).filter_map(|place| place.symbol.as_deref()) {
        if !symbols.contains(&symbol) && symbols.len() < SYMBOLS {
            symbols.push(symbol);
        }
    }
    let symbols = if symbols.is_empty() { "  ".to_string() } else { symbols.concat() };
    let side = app.contest.side(player);
    let mut spans = vec![
        Span::styled(symbols, app.look.filled(Some(player)).add_modifier(Modifier::BOLD)),
        Span::styled(format!(" {:<7}", player.name()), app.look.of(Some(player))),
        Span::raw(side.name().to_string()),
    ];
    if *side == Side::You {
        spans.push(Span::styled("  (p changes)", dim()));
    }
    Line::from(spans)
}

/// The moves, with a paragraph for each value, best first. Without values, only the best moves are
/// listed, as a hint.
fn moves(app: &App, width: usize, height: usize) -> Vec<Line<'static>> {
    let mover = app.contest.now().to_move;
    let listed = app.shown_moves();
    let names = |group: &[&MoveAnswer]| {
        let names: Vec<&str> = group.iter().map(|mv| mv.name.as_str()).collect();
        names.join(" ")
    };
    if app.known().is_none() {
        let best: Vec<&MoveAnswer> =
            listed.into_iter().filter(|mv| mv.class == Some(Class::Best)).collect();
        if best.is_empty() {
            return Vec::new();
        }
        return hanging(Span::styled("Hint:", bold()), LABEL, &names(&best), width);
    }
    let mut lines = Vec::new();
    if let Some(first) = app.known().filter(|known| !known.is_complete).and(listed.first()) {
        lines.extend(hanging(Span::styled("So far:", bold()), LABEL, &first.name, width));
    }
    for group in listed.chunk_by(|one, other| label(one, mover) == label(other, mover)) {
        let Some((text, winner)) = label(group[0], mover) else { continue };
        let star = if group[0].class == Some(Class::Best) { "*" } else { "" };
        let label = Span::styled(format!("{text}{star}"), app.look.of(winner).patch(bold()));
        lines.extend(hanging(label, LABEL, &names(group), width));
    }
    if lines.len() > height {
        lines.truncate(height.saturating_sub(1));
        lines.push(Line::styled("...", dim()));
    }
    lines
}

/// The principal variation, if it is shown.
fn best_play(app: &App, width: usize) -> Vec<Line<'static>> {
    if !app.show_line {
        return Vec::new();
    }
    let text = match app.values.get(&app.contest.now().position, Question::Line) {
        Some(Ok(Found::Answer(answer))) => {
            let line = answer.principal_variation.as_ref();
            line.map_or_else(|| "not known yet".to_string(), |line| line.join(" "))
        }
        Some(Err(error)) => error.to_string(),
        _ => "...".to_string(),
    };
    let text = if text.is_empty() { "none" } else { &text };
    let mut lines = hanging(Span::styled("Best play:", bold()), 11, text, width);
    if lines.len() > BEST_PLAY {
        lines.truncate(BEST_PLAY - 1);
        lines.push(Line::styled("           ...", dim()));
    }
    lines
}

/// The number of columns of the game, and their width. The number is even, so that each column
/// belongs to one player if the players alternate.
fn columns(app: &App, width: usize) -> (usize, usize) {
    let names = (0..app.contest.session.moves().len()).map(|at| played(app, at).chars().count());
    let wide = names.max().unwrap_or(0) + 1;
    ((width.saturating_sub(NUMBER) / (2 * wide)).max(1) * 2, wide)
}

/// A move of the game with its mark.
fn played(app: &App, at: usize) -> String {
    let line = app.contest.line();
    let name = line[at + 1].played.last().cloned().unwrap_or_default();
    let valued = app
        .moves_at(at)
        .filter(|_| app.show_values)
        .and_then(|answer| answer.moves.iter().find(|mv| mv.name == name));
    name + &valued.map_or(String::new(), mark)
}

/// The rows of the game, with mistakes marked and the last move emphasized.
fn game(app: &App, width: usize) -> Vec<Line<'static>> {
    let (columns, wide) = columns(app, width);
    let count = app.contest.session.moves().len();
    let current = app.contest.session.at();
    let row = |row: usize| {
        let mut spans = vec![Span::styled(format!("{:>3} ", row * columns + 1), dim())];
        for at in (row * columns..count).take(columns) {
            let text = played(app, at);
            let style = match at {
                at if at + 1 == current => bold().add_modifier(Modifier::REVERSED),
                at if at < current => Style::new(),
                _ => dim(),
            };
            let space = " ".repeat(wide.saturating_sub(text.chars().count()));
            spans.extend([Span::styled(text, style), Span::raw(space)]);
        }
        Line::from(spans)
    };
    (0..count.div_ceil(columns)).map(row).collect()
}

/// The rows that fit into the room, including the row of the last move.
fn around_current(
    app: &App,
    rows: Vec<Line<'static>>,
    width: usize,
    room: usize,
) -> Vec<Line<'static>> {
    let current = app.contest.session.at().saturating_sub(1) / columns(app, width).0;
    let from = current.saturating_sub(room / 2).min(rows.len().saturating_sub(room));
    rows.into_iter().skip(from).take(room).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_not_broken_at_hyphens() {
        let lines = hanging(Span::raw("Best: "), 6, "a1-b1 b1-c1 c1-c2", 15);
        let lines: Vec<String> = lines.iter().map(|line| line.to_string()).collect();
        assert_eq!(lines, ["Best: a1-b1", "      b1-c1", "      c1-c2"]);
    }
}
