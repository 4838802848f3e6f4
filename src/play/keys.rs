//! The actions of keys and clicks.

use super::app::{Action, App, Popup};
use super::grid::Grid;
use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEventKind,
};

/// The action of an event, if it has one.
pub fn action(app: &App, event: &Event, grid: Option<&Grid>) -> Option<Action> {
    match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => {
            let stops = key.modifiers.contains(KeyModifiers::CONTROL);
            match (stops, app.popup) {
                (true, _) => (key.code == KeyCode::Char('c')).then_some(Action::Quit),
                (false, Some(popup)) => Some(in_popup(popup, key.code)),
                (false, None) => on_board(app, *key),
            }
        }
        Event::Mouse(mouse) => match mouse.kind {
            _ if app.popup.is_some() => {
                matches!(mouse.kind, MouseEventKind::Down(_)).then_some(Action::Popup(None))
            }
            MouseEventKind::Down(MouseButton::Left) => {
                let hit = grid?.hit(app.pointable(), mouse.column, mouse.row)?;
                Some(Action::Click(hit.name.clone()))
            }
            MouseEventKind::ScrollUp => Some(Action::Step(-1)),
            MouseEventKind::ScrollDown => Some(Action::Step(1)),
            _ => None,
        },
        _ => None,
    }
}

/// Any key closes a popup, except for those that choose in it.
fn in_popup(popup: Popup, code: KeyCode) -> Action {
    match (popup, code) {
        (_, KeyCode::Char('q')) => Action::Quit,
        (Popup::Players(..), KeyCode::Up) => Action::Choose(-1),
        (Popup::Players(..), KeyCode::Down) => Action::Choose(1),
        (Popup::Players(..), KeyCode::Tab | KeyCode::Left | KeyCode::Right) => Action::OtherPlayer,
        (Popup::Players(..), KeyCode::Enter | KeyCode::Char(' ')) => Action::Appoint,
        _ => Action::Popup(None),
    }
}

fn on_board(app: &App, KeyEvent { code, .. }: KeyEvent) -> Option<Action> {
    Some(match code {
        KeyCode::Enter => Action::Enter,
        KeyCode::Backspace => Action::Erase,
        KeyCode::Esc => Action::Cancel,
        KeyCode::Left => Action::Go(-1, 0),
        KeyCode::Right => Action::Go(1, 0),
        KeyCode::Up => Action::Go(0, -1),
        KeyCode::Down => Action::Go(0, 1),
        KeyCode::PageUp => Action::List(-1),
        KeyCode::PageDown => Action::List(1),
        KeyCode::Home => Action::GoTo(0),
        KeyCode::End => Action::GoTo(usize::MAX),
        KeyCode::F(1) => Action::Popup(Some(Popup::Help)),
        KeyCode::Char(letter) if app.entry.is_some() => {
            let is_part = letter.is_ascii_graphic();
            return is_part.then(|| Action::Type(letter.to_ascii_lowercase()));
        }
        KeyCode::Char(letter) => match letter {
            ' ' => Action::Enter,
            ':' => Action::Colon,
            '[' => Action::Step(-1),
            ']' | 'r' => Action::Step(1),
            'u' => Action::Undo,
            'n' => Action::Restart,
            'v' => Action::Values,
            'l' => Action::Line,
            'w' => Action::Warnings,
            'm' => Action::Claims,
            'i' => Action::Hint,
            'p' => Action::Players,
            't' => Action::Popup(Some(Popup::Game)),
            '?' => Action::Popup(Some(Popup::Help)),
            'q' => Action::Quit,
            letter if letter.is_ascii_alphanumeric() => Action::Type(letter.to_ascii_lowercase()),
            _ => return None,
        },
        _ => return None,
    })
}
