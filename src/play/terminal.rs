//! The terminal: the other screen, the mouse, and the loop around them.

use super::app::App;
use super::{keys, screen};
use crate::run::Run;
use anyhow::{Context, Result};
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{DisableMouseCapture, EnableMouseCapture, poll, read};
use ratatui::crossterm::execute;
use std::io::{Write, stdout};
use std::time::{Duration, Instant};

/// How often values that came in are looked for.
const TICK: Duration = Duration::from_millis(50);

/// How long the loop may take to hear of a signal. Where the terminal is gone it never does.
const GRACE: Duration = Duration::from_millis(500);

/// Plays on the whole screen; then the game is printed, to copy.
pub fn play(mut app: App, run: &Run) -> Result<()> {
    let mut screen = Screen::open()?;
    let _watch = run.exit_when_stuck(GRACE, give_back);
    let played = follow(&mut app, &mut screen.0, run);
    drop(screen);
    played?;
    if !app.line.moves().is_empty() {
        write!(stdout(), "{}", app.line)?;
    }
    Ok(())
}

fn follow(app: &mut App, terminal: &mut DefaultTerminal, run: &Run) -> Result<()> {
    let mut grid = None;
    while !app.over && !run.is_stopped() {
        app.tick(Instant::now());
        terminal.draw(|frame| grid = screen::draw(app, frame))?;
        if poll(TICK)?
            && let Some(action) = keys::action(&read()?, grid.as_ref())
        {
            app.act(action);
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
