//! Simulates keys, clicks and screens for the tests of the games.

use super::app::{App, OnScreen};
use super::grid::Grid;
use super::terminal::Explorer;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};

/// The screen as text, and the area of the board.
pub fn look<G: OnScreen>(app: &App<G>, width: u16, height: u16) -> (String, Option<Grid>) {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    let mut grid = None;
    terminal.draw(|frame| grid = app.draw(frame)).unwrap();
    (terminal.backend().to_string(), grid)
}

/// The screen of the usual size as text.
pub fn screen<G: OnScreen>(app: &App<G>) -> String {
    look(app, 80, 24).0
}

/// Presses keys one by one; `<name>` is a key with a name.
pub fn press<G: OnScreen>(app: &mut App<G>, keys: &str) {
    let named = [
        ("<enter>", KeyCode::Enter),
        ("<left>", KeyCode::Left),
        ("<right>", KeyCode::Right),
        ("<up>", KeyCode::Up),
        ("<down>", KeyCode::Down),
        ("<page>", KeyCode::PageDown),
        ("<back>", KeyCode::Backspace),
        ("<esc>", KeyCode::Esc),
        ("<home>", KeyCode::Home),
        ("<end>", KeyCode::End),
    ];
    let mut rest = keys;
    while let Some(first) = rest.chars().next() {
        let found = named.into_iter().find(|(name, _)| rest.starts_with(name));
        let (length, code) = found
            .map_or((first.len_utf8(), KeyCode::Char(first)), |(name, code)| (name.len(), code));
        rest = &rest[length..];
        app.take(&Event::Key(KeyEvent::new(code, KeyModifiers::NONE)), None);
        app.settle();
    }
}

/// Clicks on the cell that `is_wanted` accepts.
pub fn click<G: OnScreen>(app: &mut App<G>, is_wanted: impl Fn(&Grid, usize) -> bool) {
    let grid = look(app, 80, 24).1.unwrap();
    let cell = (0..grid.board.cells()).find(|&cell| is_wanted(&grid, cell)).unwrap();
    let area = grid.cell(cell);
    let (column, row) = (area.x + 1, area.y);
    let kind = MouseEventKind::Down(MouseButton::Left);
    let mouse = MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE };
    app.take(&Event::Mouse(mouse), Some(&grid));
    app.settle();
}
