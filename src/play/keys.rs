//! What keys and the mouse ask for.

use super::app::Action;
use super::grid::Grid;
use bsq_engine::game::Player;
use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEventKind,
};

/// Every key, for the help.
pub const HELP: &[(&str, &str)] = &[
    ("arrows, Enter", "choose a cell, play there"),
    ("17 or b4, Enter", "play there; 0 passes"),
    ("mouse", "a click plays, the wheel steps"),
    ("u, Backspace", "undo, to your last decision"),
    ("r", "redo"),
    ("[ and ]", "a move back, a move on"),
    ("Home, End", "the first, the last position"),
    ("n", "new game"),
    ("v", "values and best moves"),
    ("i", "hint: mark the perfect moves"),
    ("w", "warnings"),
    ("m", "marks of claimed cells"),
    ("x and o", "who plays X, who plays O"),
    ("X and O", "the same, the other way round"),
    ("p", "let the machines play on"),
    ("t", "the game as text"),
    ("q, Ctrl-C", "quit"),
];

/// What an event asks for, if anything.
pub fn action(event: &Event, grid: Option<&Grid>) -> Option<Action> {
    match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => key_action(*key),
        Event::Mouse(mouse) => match mouse.kind {
            MouseEventKind::Down(MouseButton::Left) => {
                grid?.cell_at(mouse.column, mouse.row).map(Action::Click)
            }
            MouseEventKind::ScrollUp => Some(Action::Step(-1)),
            MouseEventKind::ScrollDown => Some(Action::Step(1)),
            _ => None,
        },
        _ => None,
    }
}

fn key_action(KeyEvent { code, modifiers, .. }: KeyEvent) -> Option<Action> {
    if modifiers.contains(KeyModifiers::CONTROL) {
        return (code == KeyCode::Char('c')).then_some(Action::Quit);
    }
    Some(match code {
        KeyCode::Left => Action::Go(-1, 0),
        KeyCode::Right => Action::Go(1, 0),
        KeyCode::Up => Action::Go(0, -1),
        KeyCode::Down => Action::Go(0, 1),
        KeyCode::Enter | KeyCode::Char(' ') => Action::Enter,
        KeyCode::Backspace => Action::Erase,
        KeyCode::Esc => Action::Cancel,
        KeyCode::Home => Action::ToStart,
        KeyCode::End => Action::ToEnd,
        KeyCode::PageUp | KeyCode::Char('[') => Action::Step(-1),
        KeyCode::PageDown | KeyCode::Char(']') => Action::Step(1),
        KeyCode::Char(letter @ '0'..='9') => Action::Type(letter),
        KeyCode::Char('u') => Action::Undo,
        KeyCode::Char('r') => Action::Redo,
        KeyCode::Char('n') => Action::Restart,
        KeyCode::Char('v') => Action::Values,
        KeyCode::Char('m') => Action::Claims,
        KeyCode::Char('w') => Action::Warnings,
        KeyCode::Char('i') => Action::Hint,
        KeyCode::Char('x') => Action::Side(Player::First, true),
        KeyCode::Char('X') => Action::Side(Player::First, false),
        KeyCode::Char('o') => Action::Side(Player::Second, true),
        KeyCode::Char('O') => Action::Side(Player::Second, false),
        KeyCode::Char('p') => Action::PlayOn,
        KeyCode::Char('t') => Action::Game,
        KeyCode::Char('?') | KeyCode::F(1) => Action::Help,
        KeyCode::Char('q') => Action::Quit,
        // Columns, as far as their letters are nothing else; tile numbers reach every cell.
        KeyCode::Char(letter) if letter.is_ascii_alphabetic() => {
            Action::Type(letter.to_ascii_lowercase())
        }
        _ => return None,
    })
}
