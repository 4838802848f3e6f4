//! Words of standard input, as they come.

use crate::lines::next_line;
use crate::run::Run;
use anyhow::Result;
use bsq_games::british_square::words;
use std::collections::VecDeque;
use std::io::{self, BufReader, IsTerminal, Read, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

/// How often a signal is looked for while nobody types.
const TICK: Duration = Duration::from_millis(50);
/// The longest line that is read.
const MOST_BYTES: u64 = 1 << 16;

/// Whether to go on reading.
#[derive(PartialEq, Eq)]
pub enum Next {
    /// The position may have changed: show it.
    Show,
    /// Nothing changed.
    Wait,
    /// The player has enough.
    Quit,
}

/// A game that is played by words.
pub trait Talk {
    /// Lets machines move until it is a person's turn, and shows what there is.
    fn show(&mut self, out: &mut impl Write) -> Result<()>;
    /// Does what a word says, which is in lower case.
    fn follow(&mut self, word: &str, out: &mut impl Write) -> Result<Next>;
}

/// Reads words until there are no more.
pub fn talk(
    game: &mut impl Talk,
    run: &Run,
    input: impl Read + Send + 'static,
    mut out: impl Write,
) -> Result<()> {
    let mut input = Input::new(input)?;
    let mut next = Next::Show;
    while next != Next::Quit {
        if next == Next::Show {
            game.show(&mut out)?;
        }
        next = match input.next_word(run, &mut out)? {
            Some(word) => game.follow(&word.to_ascii_lowercase(), &mut out)?,
            None => Next::Quit,
        };
    }
    Ok(())
}

/// What is typed, a word at a time.
struct Input {
    lines: Receiver<io::Result<String>>,
    words: VecDeque<String>,
    /// Whether somebody is asked for more.
    prompt: bool,
}

impl Input {
    /// Reads by a thread of its own.
    fn new(input: impl Read + Send + 'static) -> io::Result<Input> {
        let prompt = std::io::stdin().is_terminal();
        Ok(Input { lines: lines(input)?, words: VecDeque::new(), prompt })
    }

    /// The next word; none at the end of input. Ctrl-C is heard meanwhile.
    fn next_word(&mut self, run: &Run, out: &mut impl Write) -> Result<Option<String>> {
        while self.words.is_empty() {
            if self.prompt {
                write!(out, "> ")?;
            }
            out.flush()?;
            match self.next_line(run)? {
                Some(line) => self.words = words(&line).into(),
                None => return Ok(None),
            }
        }
        Ok(self.words.pop_front())
    }

    fn next_line(&self, run: &Run) -> Result<Option<String>> {
        loop {
            run.monitor().check()?;
            match self.lines.recv_timeout(TICK) {
                Ok(line) => return Ok(Some(line?)),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
            }
        }
    }
}

/// Says something that changes nothing.
pub fn print(out: &mut impl Write, text: &str) -> Result<Next> {
    out.write_all(text.as_bytes())?;
    Ok(Next::Wait)
}

/// Lines of input as they come, read by a thread of their own.
fn lines(input: impl Read + Send + 'static) -> io::Result<Receiver<io::Result<String>>> {
    let (tell, lines) = sync_channel(1);
    std::thread::Builder::new().name("input".to_string()).spawn(move || {
        let mut input = BufReader::new(input);
        loop {
            let Some(line) = next_line(&mut input, MOST_BYTES).transpose() else { return };
            let failed = line.is_err();
            if tell.send(line).is_err() || failed {
                return;
            }
        }
    })?;
    Ok(lines)
}
