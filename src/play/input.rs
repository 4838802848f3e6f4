//! Words of standard input.

use crate::lines::next_line;
use crate::run::Run;
use anyhow::Result;
use std::collections::VecDeque;
use std::io::{self, BufReader, IsTerminal, Read, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

/// The interval between checks for signals while input is awaited.
const TICK: Duration = Duration::from_millis(50);
/// The limit on the length of a line, in bytes.
const MOST_BYTES: u64 = 1 << 16;

/// The effect of a word.
#[derive(PartialEq, Eq)]
pub enum Next {
    /// The position may have changed and is shown again.
    Show,
    /// Nothing has changed.
    Wait,
    /// The game is quit.
    Quit,
}

/// A game that is controlled by words.
pub trait Talk {
    /// Plays the moves of machines until a person is to move, and prints the position.
    fn show(&mut self, out: &mut impl Write) -> Result<()>;
    /// Executes a word, which is in lower case.
    fn follow(&mut self, word: &str, out: &mut impl Write) -> Result<Next>;
}

/// Reads and executes words until there are no more.
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

/// Standard input, a word at a time.
struct Input {
    lines: Receiver<io::Result<String>>,
    words: VecDeque<String>,
    /// Whether to print a prompt.
    prompt: bool,
}

impl Input {
    /// Begins to read on another thread.
    fn new(input: impl Read + Send + 'static) -> io::Result<Input> {
        let prompt = std::io::stdin().is_terminal();
        Ok(Input { lines: lines(input)?, words: VecDeque::new(), prompt })
    }

    /// The next word, or `None` at the end of input. Ctrl-C interrupts the wait.
    fn next_word(&mut self, run: &Run, out: &mut impl Write) -> Result<Option<String>> {
        while self.words.is_empty() {
            if self.prompt {
                write!(out, "> ")?;
            }
            out.flush()?;
            match self.next_line(run)? {
                Some(line) => {
                    let words = line.split(|c: char| c == ',' || c.is_whitespace());
                    self.words = words.filter(|word| !word.is_empty()).map(String::from).collect();
                }
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

/// Prints an answer that changes nothing.
pub fn print(out: &mut impl Write, text: &str) -> Result<Next> {
    out.write_all(text.as_bytes())?;
    Ok(Next::Wait)
}

/// Lines of input, read on another thread.
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
