//! Answers each line of standard input with a line.

use anyhow::{Context, Result, bail};
use std::io::{self, BufRead, Read, Write};

/// The maximum length of a line, in bytes; the rest is ignored.
const LONGEST_LINE: u64 = 1 << 10;

/// Answers every line of standard input that is not blank with a line, after an optional header.
/// Lines are numbered from 1. Errors of lines are printed to standard error; the function returns
/// an error at the end if there were any.
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
                // The other end of the pipe may wait for this answer.
                out.flush()?;
            }
            Err(error) => {
                wrong += 1;
                // The message is dropped if standard error is closed.
                let _ = writeln!(io::stderr(), "line {number}: {error:#}");
            }
        }
    }
    match wrong {
        0 => Ok(()),
        _ => bail!("{wrong} of the lines have no answer"),
    }
}

/// The answer to a line, or its error.
pub type Answer = Result<String>;

/// Reads the next line, truncated to a length in bytes. Invalid UTF-8 is replaced, so that the line
/// is rejected when it is parsed.
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
