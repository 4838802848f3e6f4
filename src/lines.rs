//! Lines of standard input, each answered with a line.

use anyhow::{Context, Result, bail};
use std::io::{self, BufRead, Read, Write};

/// Bytes of a line that are looked at.
const LONGEST_LINE: u64 = 1 << 10;

/// Answers every line of standard input that is not blank with a line, after that header if there is
/// one. Lines count from 1. What has no answer is told on standard error, and is an error at the end.
pub fn answer_each(
    header: Option<&str>,
    mut answer: impl FnMut(usize, &str) -> Result<Answer>,
) -> Result<()> {
    let mut out = io::stdout().lock();
    if let Some(header) = header {
        writeln!(out, "{header}")?;
    }
    let mut wrong = 0;
    let mut lines = io::stdin().lock();
    for number in 1.. {
        let line = next_line(&mut lines, LONGEST_LINE);
        let Some(line) = line.context("cannot read positions from standard input")? else { break };
        if line.trim().is_empty() {
            continue;
        }
        match answer(number, &line)? {
            Ok(text) => {
                writeln!(out, "{text}")?;
                // Who asks line by line waits for the answer.
                out.flush()?;
            }
            Err(error) => {
                wrong += 1;
                // Nobody is left to tell if standard error is closed.
                let _ = writeln!(io::stderr(), "line {number}: {error:#}");
            }
        }
    }
    match wrong {
        0 => Ok(()),
        _ => bail!("{wrong} of the lines have no answer"),
    }
}

/// A line, or what is wrong with the one that was read.
pub type Answer = Result<String>;

/// The next line, cut off where it is longer than that. What is no text in it is replaced, so that it
/// is wrong in its place.
pub fn next_line(lines: &mut impl BufRead, longest: u64) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    if lines.by_ref().take(longest).read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    if bytes.last() != Some(&b'\n') && bytes.len() as u64 == longest {
        lines.skip_until(b'\n')?;
    }
    Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
}
