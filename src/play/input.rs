//! Words of standard input, as they come.

use crate::run::Run;
use anyhow::Result;
use bsq_engine::game::british_square::words;
use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, IsTerminal, Read, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

/// How often a signal is looked for while nobody types.
const TICK: Duration = Duration::from_millis(50);
/// The longest line that is read at once.
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

/// What is typed, a word at a time.
pub struct Input {
    lines: Receiver<io::Result<Vec<u8>>>,
    words: VecDeque<String>,
    /// Whether somebody is asked for more.
    prompt: bool,
}

impl Input {
    /// Reads by a thread of its own.
    pub fn new(input: impl Read + Send + 'static) -> io::Result<Input> {
        let prompt = std::io::stdin().is_terminal();
        Ok(Input { lines: lines(input)?, words: VecDeque::new(), prompt })
    }

    /// The next word; none at the end of input. Ctrl-C is heard meanwhile.
    pub fn next_word(&mut self, run: &Run, out: &mut impl Write) -> Result<Option<String>> {
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
                Ok(line) => return Ok(Some(String::from_utf8_lossy(&line?).into_owned())),
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
fn lines(input: impl Read + Send + 'static) -> io::Result<Receiver<io::Result<Vec<u8>>>> {
    let (tell, lines) = sync_channel(1);
    std::thread::Builder::new().name("input".to_string()).spawn(move || {
        let mut input = BufReader::new(input);
        loop {
            let mut line = Vec::new();
            let read = input.by_ref().take(MOST_BYTES).read_until(b'\n', &mut line);
            let line = match read {
                Ok(0) => return,
                read => read.map(|_| line),
            };
            let failed = line.is_err();
            if tell.send(line).is_err() || failed {
                return;
            }
        }
    })?;
    Ok(lines)
}
