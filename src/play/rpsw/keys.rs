//! What keys and the mouse ask for.

use super::app::Action;
use super::screen::square_of;
use crate::play::grid::Grid;
use bsq_engine::game::Player;
use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEventKind,
};

/// How many moves a page of the list is.
const PAGE: isize = 8;

/// Every key, for the help; what they do is short enough for the smallest screen.
pub const HELP: &[(&str, &str)] = &[
    ("up, down, Enter", "choose a move, play"),
    ("b1b2, Enter", "play that"),
    ("mouse", "a piece, then where"),
    ("u, Backspace", "undo, to your turn"),
    ("r", "redo"),
    ("left, right", "a move back, on"),
    ("Home, End", "the first, the last"),
    ("n", "new game"),
    ("v", "verdicts"),
    ("i", "hint: best moves"),
    ("l", "best play from here"),
    ("w", "warnings"),
    ("f and s", "who plays"),
    ("p", "let machines play"),
    ("t", "the game as text"),
    ("q, Ctrl-C", "quit"),
];

/// What an event asks for, if anything.
pub fn action(event: &Event, grid: Option<&Grid>) -> Option<Action> {
    match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => key_action(*key),
        Event::Mouse(mouse) => match mouse.kind {
            MouseEventKind::Down(MouseButton::Left) => {
                let grid = grid?;
                let cell = grid.cell_at(mouse.column, mouse.row)?;
                Some(Action::Click(square_of(&grid.board, cell)))
            }
            MouseEventKind::ScrollUp => Some(Action::Choose(-1)),
            MouseEventKind::ScrollDown => Some(Action::Choose(1)),
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
        KeyCode::Up => Action::Choose(-1),
        KeyCode::Down => Action::Choose(1),
        KeyCode::PageUp => Action::Choose(-PAGE),
        KeyCode::PageDown => Action::Choose(PAGE),
        KeyCode::Left | KeyCode::Char('[') => Action::Step(-1),
        KeyCode::Right | KeyCode::Char(']' | 'r') => Action::Step(1),
        KeyCode::Enter | KeyCode::Char(' ') => Action::Enter,
        KeyCode::Backspace => Action::Erase,
        KeyCode::Esc => Action::Cancel,
        KeyCode::Home => Action::ToStart,
        KeyCode::End => Action::ToEnd,
        KeyCode::Char(letter @ ('0'..='9' | 'a'..='d' | 'A'..='D')) => {
            Action::Type(letter.to_ascii_lowercase())
        }
        KeyCode::Char('u') => Action::Undo,
        KeyCode::Char('n') => Action::Restart,
        KeyCode::Char('v') => Action::Values,
        KeyCode::Char('w') => Action::Warnings,
        KeyCode::Char('i') => Action::Hint,
        KeyCode::Char('l') => Action::BestLine,
        KeyCode::Char('f') => Action::Seat(Player::First),
        KeyCode::Char('s') => Action::Seat(Player::Second),
        KeyCode::Char('p') => Action::PlayOn,
        KeyCode::Char('t') => Action::Game,
        KeyCode::Char('?') | KeyCode::F(1) => Action::Help,
        KeyCode::Char('q') => Action::Quit,
        _ => return None,
    })
}
