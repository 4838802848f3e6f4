//! The screen: the board at the left, a panel at the right, reports and keys below, popups.

use super::app::{App, Popup};
use super::grid::Grid;
use super::style::{bold, dim};
use super::{board, panel};
use crate::output::screen::wrapping;
use bsq_api::{AgentInfo, Player};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Clear, Padding, Paragraph, Wrap};

/// The main keys.
const KEYS: &str = "arrows Enter play  u undo  r redo  v values  i hint  p players  ? help  q quit";
/// The keys, and the marks on the board and in the panel.
const HELP: &[[(&str, &str); 2]] = &[
    [("arrows, Enter", "point at a place"), ("+2", "first player's points less")],
    [("click", "the same"), ("", "the second player's")],
    [("b4, Enter", "play a typed move"), ("W5  L4  =", "the player to move wins in")],
    [(":", "type any move"), ("", "5 plies, loses in 4, or")],
    [("PgUp, PgDn", "choose from the list"), ("", "neither player wins")],
    [("u, Backspace", "undo, to your decision"), ("*", "a best move")],
    [("r or ]   [", "a move on, a move back"), ("?", "not best, same outcome")],
    [("Home, End", "first, last position"), ("??", "changes the outcome")],
    [("n", "begin again"), ("?2  ??2", "costs 2 points")],
    [("v", "values"), ("(X)", "the last move")],
    [("i", "hint: the best moves"), ("═  ║", "the last line")],
    [("l", "best play of both"), ("╱", "only the first player may")],
    [("w", "warnings"), ("╲", "only the second player may")],
    [("m", "marks of claimed places"), ("╳", "neither player may")],
    [("p", "who plays"), ("·", "legal, value not shown")],
    [("t", "the game as text"), ("┏━┓ [ ]", "the cursor")],
    [("q, Ctrl-C", "quit"), ("╔═╗ { }", "the first place of a move")],
];
/// The least width of the panel.
const PANEL: u16 = 26;
/// The fewest columns that may be seen beside a popup.
const BESIDE: u16 = 8;
/// The columns between board and panel.
const GAP: u16 = 3;

/// Draws the screen. Returns the area of the board, if it fits.
pub fn draw(app: &App, frame: &mut Frame) -> Option<Grid> {
    let [title, _, main, foot, last] = Layout::vertical([
        Constraint::Length(1),
        Constraint::Length(1),
        Constraint::Fill(1),
        Constraint::Length(2),
        Constraint::Length(1),
    ])
    .areas(frame.area());
    frame.render_widget(title_line(app), title);
    let space = Rect { width: main.width.saturating_sub(PANEL + GAP), ..main };
    let grid = Grid::fit(&app.contest.now().scene, space);
    if let Some(grid) = &grid {
        board::draw(app, grid, frame.buffer_mut());
        let left = grid.area.right() + GAP;
        let beside = Rect { x: left, width: main.right() - left, ..main };
        let lines = panel::lines(app, beside.width.into(), beside.height.into());
        frame.render_widget(Paragraph::new(lines), beside);
    } else {
        let text = "The terminal is too small for this board. Make it larger, or leave with q \
                    and use --plain.";
        frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: true }), main);
    }
    frame.render_widget(Paragraph::new(said(app)).style(bold()).wrap(Wrap { trim: true }), foot);
    frame.render_widget(Line::styled(KEYS, dim()), last);
    match app.popup {
        Some(Popup::Help) => popup(frame, format!(" {} ", app.info.title), help(app)),
        Some(Popup::Game) => popup(frame, " The game so far ".to_string(), game(app)),
        Some(Popup::Players(player, at)) => players(app, frame, player, at),
        None => {}
    }
    grid
}

fn title_line(app: &App) -> Line<'static> {
    let now = app.contest.now();
    let mut spans = vec![Span::styled(app.info.title.clone(), bold())];
    if !app.rules.is_empty() {
        spans.push(Span::raw(format!(", {}", app.rules)));
    }
    if now.is_over {
        spans.push(Span::raw(": the game is over"));
    } else {
        spans.push(Span::raw(format!(", turn {}: the ", app.contest.session.at() + 1)));
        let player = now.to_move.name();
        spans.push(Span::styled(player, app.look.of(Some(now.to_move)).patch(bold())));
        spans.push(Span::raw(" player to move"));
    }
    Line::from(spans)
}

/// The typed text, or the last report.
fn said(app: &App) -> String {
    let failed = match app.agent_move() {
        Some(Err(error)) => format!("No move: {error}. p changes who plays."),
        _ => String::new(),
    };
    match &app.entry {
        Some(entry) => format!("Move: {entry}_   (Enter plays, Esc drops it)"),
        None if !app.message.is_empty() || !app.warning.is_empty() => {
            format!("{} {}", app.warning, app.message).trim().to_string()
        }
        None if app.waits_for_go() => format!(
            "{} waits: Enter lets it play on from here.",
            app.contest.agent().unwrap_or_default()
        ),
        None if app.contest.agent().is_some() => failed,
        None => match (app.forced_pass(), app.picked.is_empty()) {
            (Some(_), _) => "No placement is legal: Enter passes.".to_string(),
            (None, false) => format!("{}: where to?   (Esc drops it)", app.picked.join(" ")),
            (None, true) => String::new(),
        },
    }
}

fn help(app: &App) -> Vec<Line<'static>> {
    let entry = |&(key, what): &(&'static str, &'static str), wide: usize, text: usize| {
        [Span::styled(format!("{key:<wide$}"), bold()), Span::raw(format!("{what:<text$}"))]
    };
    let row = |[keys, marks]: &[(&'static str, &'static str); 2]| {
        Line::from([entry(keys, 14, 25), entry(marks, 10, 0)].concat())
    };
    let rules = textwrap::wrap(&app.info.rules, wrapping(74)).into_iter();
    let rules = rules.map(|line| Line::styled(line.into_owned(), dim()));
    HELP.iter().map(row).chain([Line::raw("")]).chain(rules).collect()
}

fn game(app: &App) -> Vec<Line<'static>> {
    let record = app.contest.session.record();
    let lines = record.lines().flat_map(|line| textwrap::wrap(line, wrapping(74)));
    let mut lines: Vec<Line> = lines.map(|line| Line::raw(line.into_owned())).collect();
    lines.push(Line::raw(""));
    lines.push(Line::styled("It is printed again at the end; 'play FILE' continues it.", dim()));
    lines
}

/// The list of those who can play for a player.
fn players(app: &App, frame: &mut Frame, player: Player, chosen: usize) {
    let agents = app.agents();
    let room = usize::from(frame.area().height.saturating_sub(5)).max(1);
    let from = chosen.saturating_sub(room / 2).min(agents.len().saturating_sub(room));
    let wide = agents.iter().map(|agent| agent.name.chars().count()).max().unwrap_or(0).min(24);
    let line = |(at, AgentInfo { name, mistakes, summary }): (usize, AgentInfo)| {
        let mistakes = mistakes.map_or(String::new(), |share| format!("{share:.1} %"));
        let style =
            if at == chosen { Style::new().add_modifier(Modifier::REVERSED) } else { Style::new() };
        let mark = if at == chosen { ">" } else { " " };
        Line::from(vec![
            Span::raw(format!("{mark} ")),
            Span::styled(format!("{name:<wide$.24}"), style),
            Span::styled(format!(" {mistakes:>6}"), bold()),
            Span::raw(format!("  {summary}")),
        ])
    };
    let mut lines: Vec<Line> =
        agents.into_iter().enumerate().map(line).skip(from).take(room).collect();
    lines.push(Line::raw(""));
    let keys = "Up, Down, Enter: choose. Tab: the other player. %: moves not best";
    lines.push(Line::styled(keys, dim()));
    popup(frame, format!(" Who plays for the {} player ", player.name()), lines);
}

/// Draws a box in the middle of the screen.
fn popup(frame: &mut Frame, title: String, lines: Vec<Line<'static>>) {
    let width = lines.iter().map(Line::width).max().unwrap_or(0) as u16 + 4;
    let height = lines.len() as u16 + 2;
    let screen = frame.area();
    // A few columns beside the box would show parts of words.
    let width = if width + BESIDE > screen.width { screen.width } else { width };
    let height = height.min(screen.height);
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
