//! The terminal: the alternate screen, the mouse, and the event loop.

use super::grid::Grid;
use crate::run::Run;
use anyhow::{Context, Result};
use ratatui::crossterm::event::{DisableMouseCapture, EnableMouseCapture, Event, poll, read};
use ratatui::crossterm::execute;
use ratatui::{DefaultTerminal, Frame};
use std::io::{Write, stdout};
use std::time::{Duration, Instant};

/// The longest interval between two frames.
const TICK: Duration = Duration::from_millis(50);

/// The time after which the process is ended if the loop does not react to a signal, as when the
/// terminal is gone.
const GRACE: Duration = Duration::from_millis(500);

/// A state that is drawn and that events change.
pub trait Explorer {
    /// Advances the parts of the state that change without events.
    fn tick(&mut self, now: Instant);
    /// Draws the screen. Returns the area of the board, if it fits.
    fn draw(&self, frame: &mut Frame) -> Option<Grid>;
    /// Handles an event.
    fn take(&mut self, event: &Event, grid: Option<&Grid>);
    /// Whether to quit.
    fn is_over(&self) -> bool;
    /// The record as text, if it has any moves.
    fn text(&self) -> Option<String>;
}

/// Plays on the alternate screen, and prints the record at the end.
pub fn play(mut app: impl Explorer, run: &Run) -> Result<()> {
    let mut screen = Screen::open()?;
    let _watch = run.exit_when_stuck(GRACE, give_back);
    let played = follow(&mut app, &mut screen.0, run);
    drop(screen);
    played?;
    if let Some(text) = app.text() {
        write!(stdout(), "{text}")?;
    }
    Ok(())
}

fn follow(app: &mut impl Explorer, terminal: &mut DefaultTerminal, run: &Run) -> Result<()> {
    let mut grid = None;
    while !app.is_over() && !run.is_stopped() {
        app.tick(Instant::now());
        terminal.draw(|frame| grid = app.draw(frame))?;
        if poll(TICK)? {
            app.take(&read()?, grid.as_ref());
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
