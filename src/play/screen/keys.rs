//! The effects of keys and clicks.

use super::app::{App, Popup};
use super::grid::Grid;
use ratatui::crossterm::event::{
    Event, KeyCode, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use std::mem::take;

/// Does what a key or a click asks for.
pub fn follow(app: &mut App, event: &Event, grid: Option<&Grid>) {
    match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => {
            match (key.modifiers.contains(KeyModifiers::CONTROL), app.popup) {
                (true, _) => app.over |= key.code == KeyCode::Char('c'),
                (false, Some(popup)) => in_popup(app, popup, key.code),
                (false, None) => on_board(app, key.code),
            }
        }
        Event::Mouse(mouse) => on_mouse(app, mouse, grid),
        _ => {}
    }
}

/// Any key closes a popup, except for those that choose in it.
fn in_popup(app: &mut App, popup: Popup, code: KeyCode) {
    app.message.clear();
    match (popup, code) {
        (_, KeyCode::Char('q')) => app.over = true,
        (Popup::Players(player, at), KeyCode::Up | KeyCode::Down) => {
            let next = if code == KeyCode::Up { at.saturating_sub(1) } else { at + 1 };
            app.popup = Some(Popup::Players(player, next.min(app.agents().len() - 1)));
        }
        (Popup::Players(player, _), KeyCode::Tab | KeyCode::Left | KeyCode::Right) => {
            app.open_players(player.other());
        }
        (Popup::Players(player, at), KeyCode::Enter | KeyCode::Char(' ')) => {
            app.warning.clear();
            app.appoint(player, at);
        }
        _ => app.popup = None,
    }
}

fn on_board(app: &mut App, code: KeyCode) {
    let said = (take(&mut app.message), take(&mut app.warning));
    match code {
        KeyCode::Enter => app.enter(),
        KeyCode::Backspace => app.erase(),
        KeyCode::Esc => app.cancel(),
        KeyCode::Left => app.go(-1, 0),
        KeyCode::Right => app.go(1, 0),
        KeyCode::Up => app.go(0, -1),
        KeyCode::Down => app.go(0, 1),
        KeyCode::PageUp => app.list(-1),
        KeyCode::PageDown => app.list(1),
        KeyCode::Home => app.look_at(0),
        KeyCode::End => app.look_at(usize::MAX),
        KeyCode::Char(letter) if app.entry.is_some() && letter.is_ascii_graphic() => {
            app.write(letter.to_ascii_lowercase());
        }
        KeyCode::Char(letter) if app.entry.is_none() => match letter {
            ' ' => app.enter(),
            ':' => app.entry = Some(String::new()),
            '[' => app.step(-1),
            ']' | 'r' => app.step(1),
            'u' => app.undo(),
            'n' => app.restart(),
            'v' => app.show_values = !app.show_values,
            'l' => app.show_line = !app.show_line,
            'w' => app.switch_warnings(),
            'm' => app.show_claims = !app.show_claims,
            'i' if app.show_values => {
                app.warning = said.1;
                app.message = "Values are shown: * marks the best moves.".to_string();
            }
            'i' => app.hint = !app.hint,
            'p' => app.open_players(app.contest.now().to_move.other()),
            't' => (app.popup, app.warning) = (Some(Popup::Game), said.1),
            '?' => (app.popup, app.warning) = (Some(Popup::Help), said.1),
            'q' => app.over = true,
            letter if letter.is_ascii_alphanumeric() => app.write(letter.to_ascii_lowercase()),
            _ => (app.message, app.warning) = said,
        },
        KeyCode::F(1) => (app.popup, app.warning) = (Some(Popup::Help), said.1),
        // Other keys do nothing.
        _ => (app.message, app.warning) = said,
    }
}

fn on_mouse(app: &mut App, mouse: &MouseEvent, grid: Option<&Grid>) {
    let place = grid.and_then(|grid| grid.hit(app.pointable(), mouse.column, mouse.row));
    let place = place.map(|place| place.name.clone());
    let said = (take(&mut app.message), take(&mut app.warning));
    match (mouse.kind, place) {
        (MouseEventKind::Down(_), _) if app.popup.is_some() => {
            (app.popup, app.warning) = (None, said.1);
        }
        (MouseEventKind::Down(MouseButton::Left), Some(place)) => app.click(place),
        (MouseEventKind::ScrollUp, _) if app.popup.is_none() => app.step(-1),
        (MouseEventKind::ScrollDown, _) if app.popup.is_none() => app.step(1),
        _ => (app.message, app.warning) = said,
    }
}
