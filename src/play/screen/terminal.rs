//! The terminal: the alternate screen, the mouse, and the event loop.

use super::app::App;
use super::{drawing, keys};
use crate::run::Run;
use anyhow::{Context, Result};
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{DisableMouseCapture, EnableMouseCapture, poll, read};
use ratatui::crossterm::execute;
use std::io::{Write, stdout};
use std::time::{Duration, Instant};

/// The longest interval between two frames.
const TICK: Duration = Duration::from_millis(50);

/// The time after which the process is ended if the loop does not react to a signal, as when the
/// terminal is gone.
const GRACE: Duration = Duration::from_millis(500);

/// Plays on the alternate screen, and prints the record at the end.
pub fn play(mut app: App, run: &Run) -> Result<()> {
    let mut screen = Screen::open()?;
    let _watch = run.exit_when_stuck(GRACE, give_back);
    let played = follow(&mut app, &mut screen.0, run);
    drop(screen);
    played?;
    if !app.contest.session.moves().is_empty() {
        write!(stdout(), "{}", app.contest.session.record())?;
    }
    Ok(())
}

fn follow(app: &mut App, terminal: &mut DefaultTerminal, run: &Run) -> Result<()> {
    let mut grid = None;
    while !app.over && !run.is_stopped() {
        app.tick(Instant::now());
        terminal.draw(|frame| grid = drawing::draw(app, frame))?;
        if poll(TICK)? {
            keys::follow(app, &read()?, grid.as_ref());
        }
    }
    Ok(())
}

/// The alternate screen, which is left at the end and in a panic.
struct Screen(DefaultTerminal);

impl Screen {
    fn open() -> Result<Screen> {
        let terminal = ratatui::try_init().context("cannot set up the terminal; try --plain")?;
        let screen = Screen(terminal);
        execute!(stdout(), EnableMouseCapture)?;
        Ok(screen)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        give_back();
    }
}

/// Restores the terminal.
fn give_back() {
    // Errors can no longer be reported.
    let _ = execute!(stdout(), DisableMouseCapture);
    let _ = ratatui::try_restore();
}
