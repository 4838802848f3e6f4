//! Answers each line of standard input with a line.

use crate::printable::message;
use crate::run::Run;
use anyhow::{Context, Error, Result, bail};
use bsq_engine::text::{uncommented, unmarked};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::panic::resume_unwind;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

/// The maximum length of a line, in bytes.
pub const LONGEST_LINE: u64 = 1 << 10;
/// The size of the buffer for standard input, in bytes. The lines in it are answered together.
const BUFFER: usize = 1 << 18;
/// The time within which a signal is noticed.
const SIGNAL_PERIOD: Duration = Duration::from_millis(50);

/// Answers every line of standard input with a line, after an optional header. What follows `#` is a
/// comment; lines without anything else have no answer.
///
/// Lines are numbered from 1, those without an answer as well. All threads answer the lines that have
/// arrived together, and the answers are printed in order.
///
/// Errors of lines are printed to standard error. If there were any, the function returns an error
/// at the end.
pub fn answer_each(
    run: &Run,
    to: impl Write,
    header: Option<&str>,
    answer: impl Fn(usize, &str) -> Result<Answered<String>> + Sync,
) -> Result<()> {
    let mut out = BufWriter::new(to);
    if let Some(header) = header {
        writeln!(out, "{header}")?;
    }
    let mut wrong = 0;
    let input = read_lines();
    while let Some(lines) = received(&input, run)? {
        for (answer, (number, _)) in answers(&lines, &answer).into_iter().zip(&lines) {
            match answer? {
                Ok(text) => writeln!(out, "{text}")?,
                Err(error) => {
                    wrong += 1;
                    // The message is dropped if standard error is closed.
                    let _ =
                        writeln!(io::stderr(), "line {number}: {}", message(&format!("{error:#}")));
                }
            }
        }
        // The process at the other end of a pipe may wait for these answers.
        out.flush()?;
    }
    match wrong {
        0 => Ok(()),
        1 => bail!("1 of the lines has no answer"),
        _ => bail!("{wrong} of the lines have no answer"),
    }
}

/// A line, or the error of one that is too long.
pub type Line = Result<String, String>;

/// The lines that arrived together, each with its number.
type Lines = Vec<(usize, Line)>;

/// Reads standard input on a separate thread, so that a signal can end the job while no input
/// arrives.
fn read_lines() -> Receiver<io::Result<Lines>> {
    let (read, lines) = sync_channel(0);
    thread::spawn(move || {
        let mut input = BufReader::with_capacity(BUFFER, io::stdin().lock());
        let mut number = 0;
        loop {
            let lines = next_lines(&mut input, &mut number);
            let is_end = lines.as_ref().is_ok_and(Vec::is_empty);
            let is_error = lines.is_err();
            if is_end || read.send(lines).is_err() || is_error {
                return;
            }
        }
    });
    lines
}

/// Waits for the next lines. Returns `None` at the end of the input.
fn received(lines: &Receiver<io::Result<Lines>>, run: &Run) -> Result<Option<Lines>> {
    loop {
        match lines.recv_timeout(SIGNAL_PERIOD) {
            Ok(lines) => {
                return lines.map(Some).context("cannot read positions from standard input");
            }
            Err(RecvTimeoutError::Disconnected) => return Ok(None),
            Err(RecvTimeoutError::Timeout) => run.monitor().check()?,
        }
    }
}

/// The answer to a line, or its error.
pub type Answered<T> = Result<T>;

/// Returns the answers to lines, in order.
///
/// The threads are not those of the solvers, because a solver that waits for its own threads must
/// not begin another line.
fn answers(
    lines: &[(usize, Line)],
    answer: &(impl Fn(usize, &str) -> Result<Answered<String>> + Sync),
) -> Vec<Result<Answered<String>>> {
    let one = |(number, line): &(usize, Line)| match line {
        Ok(line) => answer(*number, line),
        Err(why) => Ok(Err(Error::msg(why.clone()))),
    };
    let all = |part: &[(usize, Line)]| part.iter().map(one).collect::<Vec<_>>();
    let threads = rayon::current_num_threads();
    if lines.len() == 1 || threads == 1 {
        return all(lines);
    }
    thread::scope(|scope| {
        let parts: Vec<_> = lines
            .chunks(lines.len().div_ceil(threads))
            .map(|part| scope.spawn(move || all(part)))
            .collect();
        parts
            .into_iter()
            .flat_map(|part| part.join().unwrap_or_else(|panic| resume_unwind(panic)))
            .collect()
    })
}

/// Reads the next line that is to be answered, and the lines after it that have already arrived.
/// Returns no lines at the end of the input.
fn next_lines(input: &mut BufReader<impl Read>, number: &mut usize) -> io::Result<Lines> {
    let mut lines = Vec::new();
    while lines.is_empty() || input.buffer().contains(&b'\n') {
        let Some(line) = next_line(input, LONGEST_LINE)? else { break };
        *number += 1;
        let line = line.map(|line| said(&line, *number).to_string());
        if !line.as_ref().is_ok_and(String::is_empty) {
            lines.push((*number, line));
        }
    }
    Ok(lines)
}

/// A line without its comment, the blanks around it and, if it is the first, a byte order mark.
fn said(line: &str, number: usize) -> &str {
    uncommented(if number == 1 { unmarked(line) } else { line }).trim()
}

/// Reads the next line, of at most `longest` bytes with its end. Invalid UTF-8 is replaced, so that
/// the line is rejected when it is parsed.
pub fn next_line(lines: &mut impl BufRead, longest: u64) -> io::Result<Option<Line>> {
    let mut bytes = Vec::new();
    if lines.by_ref().take(longest).read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    let may_go_on = bytes.last() != Some(&b'\n') && bytes.len() as u64 == longest;
    if may_go_on && lines.skip_until(b'\n')? > 0 {
        return Ok(Some(Err(format!("the line has more than {longest} bytes"))));
    }
    Ok(Some(Ok(String::from_utf8_lossy(&bytes).into_owned())))
}
