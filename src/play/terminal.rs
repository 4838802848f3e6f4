//! The terminal: the other screen, the mouse, and the loop around them.

use super::grid::Grid;
use crate::run::Run;
use anyhow::{Context, Result};
use ratatui::crossterm::event::{DisableMouseCapture, EnableMouseCapture, Event, poll, read};
use ratatui::crossterm::execute;
use ratatui::{DefaultTerminal, Frame};
use std::io::{Write, stdout};
use std::time::{Duration, Instant};

/// How often values that came in are looked for.
const TICK: Duration = Duration::from_millis(50);

/// How long the loop may take to hear of a signal. Where the terminal is gone it never does.
const GRACE: Duration = Duration::from_millis(500);

/// A game that is drawn and that events change.
pub trait Explorer {
    /// What goes on by itself.
    fn tick(&mut self, now: Instant);
    /// Draws everything and tells where the board is, if there is room for it.
    fn draw(&self, frame: &mut Frame) -> Option<Grid>;
    /// Does what a key or the mouse asks for.
    fn take(&mut self, event: &Event, grid: Option<&Grid>);
    /// Whether the player has enough.
    fn is_over(&self) -> bool;
    /// The game as text, if there were any moves.
    fn text(&self) -> Option<String>;
}

/// Plays on the whole screen; then the game is printed, to copy.
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

/// The other screen of the terminal, given back at the end and in a panic.
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

/// Gives the terminal back as it was.
fn give_back() {
    // There is nowhere left to complain.
    let _ = execute!(stdout(), DisableMouseCapture);
    let _ = ratatui::try_restore();
}
