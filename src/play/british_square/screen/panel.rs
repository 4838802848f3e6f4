//! The panel beside the board: value, players, best moves, record.

use super::super::BritishSquare;
use super::signed;
use crate::play::app::App;
use crate::play::look::{bold, color, dim, players};
use crate::solution::Solution;
use bsq_engine::game::Player;
use bsq_games::british_square::{Move, symbol};
use ratatui::style::Style;
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Paragraph, Wrap};

/// The lines of the panel, the most important first.
pub fn paragraph(app: &App<BritishSquare>) -> Paragraph<'static> {
    let mut text = Text::default();
    let solution = app.solution();
    for line in verdict(app, &solution).into_iter().chain(players(app, piece)) {
        text.push_line(line);
    }
    if app.show_values {
        for line in best_moves(&solution) {
            text.push_line(line);
        }
    } else if app.hint {
        text.push_line(named("Hint", &tiles(&solution, solution.perfect().into_iter())));
        text.push_line(Line::raw(""));
    }
    for line in moves(app) {
        text.push_line(line);
    }
    Paragraph::new(text).wrap(Wrap { trim: false })
}

fn verdict(app: &App<BritishSquare>, solution: &Solution) -> Vec<Line<'static>> {
    let shown = app.show_values || solution.is_over();
    let mut lines = match app.search() {
        _ if !shown => vec![Line::styled("Values are hidden (v)", dim())],
        Err(error) => vec![Line::raw(format!("No value: {error}"))],
        Ok(Some(time)) if solution.value.is_none() => {
            vec![Line::styled(format!("Searching, {} s", time.as_secs()), dim())]
        }
        _ if solution.value.is_none() => vec![Line::raw("")],
        _ => vec![Line::styled(solution.verdict(), bold())],
    };
    lines.push(Line::raw(format!(
        "Score so far {}",
        signed(solution.rules.score(&solution.position))
    )));
    lines.push(Line::raw(""));
    lines
}

fn piece(player: Player) -> Vec<Span<'static>> {
    vec![Span::styled(symbol(player).to_string(), bold().fg(color(player)))]
}

/// A line of moves for each cost, perfect moves first.
fn best_moves(solution: &Solution) -> Vec<Line<'static>> {
    let choices = solution.choices();
    if solution.must_pass() || choices.is_empty() {
        return Vec::new();
    }
    let mut lines = Vec::new();
    for group in choices.chunk_by(|a, b| a.cost == b.cost) {
        let cost = group[0].cost;
        let label = if cost == 0 { "Perfect".to_string() } else { format!("Costs {cost}") };
        lines.push(named(&label, &tiles(solution, group.iter().map(|choice| choice.mv))));
    }
    lines.push(Line::raw(""));
    lines
}

fn named(label: &str, text: &str) -> Line<'static> {
    Line::from(vec![Span::styled(format!("{label}: "), bold()), Span::raw(text.to_string())])
}

/// The names of moves.
fn tiles(solution: &Solution, moves: impl Iterator<Item = Move>) -> String {
    let names: Vec<String> = moves.map(|mv| solution.rules.move_name(mv)).collect();
    if names.is_empty() { "?".to_string() } else { names.join(" ") }
}

/// The record, with costs marked and the last move emphasized.
fn moves(app: &App<BritishSquare>) -> Vec<Line<'static>> {
    let moves = app.line.moves();
    if moves.is_empty() {
        return Vec::new();
    }
    let mut spans = vec![Span::styled("Game: ", bold())];
    for (i, &mv) in moves.iter().enumerate() {
        let before = app.solution_at(i);
        let style = if i < app.line.at() { Style::new() } else { dim() };
        let style = if i + 1 == app.line.at() { style.reversed() } else { style };
        spans.push(Span::styled(before.rules.move_name(mv), style));
        let cost = before.choice(mv).map(|choice| choice.cost).filter(|&cost| cost > 0);
        if let Some(cost) = cost.filter(|_| app.show_values) {
            spans.push(Span::styled(format!("?{cost}"), style));
        }
        spans.push(Span::raw(" "));
    }
    vec![Line::from(spans)]
}
