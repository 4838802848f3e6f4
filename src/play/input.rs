//! Words of standard input.

use crate::lines::{Line, next_line};
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

/// Standard input, a word at a time.
pub struct Input {
    lines: Receiver<io::Result<Line>>,
    words: VecDeque<String>,
    /// Whether to print a prompt.
    prompt: bool,
}

impl Input {
    /// Begins to read on another thread.
    pub fn new(input: impl Read + Send + 'static) -> io::Result<Input> {
        let prompt = std::io::stdin().is_terminal();
        Ok(Input { lines: lines(input)?, words: VecDeque::new(), prompt })
    }

    /// The next word, or `None` at the end of input. Ctrl-C interrupts the wait.
    pub fn next_word(&mut self, run: &Run, out: &mut impl Write) -> Result<Option<String>> {
        while self.words.is_empty() {
            if self.prompt {
                write!(out, "> ")?;
            }
            out.flush()?;
            match self.next_line(run)? {
                Some(Err(why)) => writeln!(out, "{why}")?,
                Some(Ok(line)) => {
                    let words = line.split(|c: char| c == ',' || c.is_whitespace());
                    self.words = words.filter(|word| !word.is_empty()).map(String::from).collect();
                }
                None => return Ok(None),
            }
        }
        Ok(self.words.pop_front())
    }

    fn next_line(&self, run: &Run) -> Result<Option<Line>> {
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

/// Lines of input, read on another thread.
fn lines(input: impl Read + Send + 'static) -> io::Result<Receiver<io::Result<Line>>> {
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
