//! The inputs of standard input: lines of text, or the column `position` of a table as CSV or Parquet.

use crate::errors::usage;
use crate::lines::{LONGEST_LINE, Line, next_line};
use crate::run::Run;
use anyhow::Result;
use bsq_engine::text::{uncommented, unmarked};
use std::io::{self, BufRead, BufReader, Read};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

/// The column of the positions of a table.
const COLUMN: &str = "position";
/// The longest line of a table of CSV, in bytes.
const LONGEST_ROW: u64 = 1 << 16;
/// The size of the buffer for standard input, in bytes. The lines in it are answered together.
const BUFFER: usize = 1 << 18;
/// The time within which a signal is noticed.
const SIGNAL_PERIOD: Duration = Duration::from_millis(50);
/// The first bytes of a file of Parquet.
pub const PARQUET: &[u8] = b"PAR1";

/// Inputs that are answered together, each with the number of its line or, in Parquet, of its row.
pub type Inputs = Vec<(u64, Line)>;

/// The inputs of standard input, in order.
///
/// Lines are numbered from 1. What follows `#` is a comment; lines without anything else are counted
/// and have no input. If the first of the other lines is the header of CSV with a column `position`,
/// the inputs are in this column.
pub struct StandardInput(Receiver<Result<Inputs>>);

impl StandardInput {
    /// Begins to read on a separate thread, so that a signal can end the job while no input arrives.
    /// At least `at_least` inputs are answered together, unless there are no more. If it is 1, those
    /// are that have arrived together.
    pub fn begin(at_least: usize) -> StandardInput {
        let (read, inputs) = sync_channel(0);
        thread::spawn(move || {
            let pass_on = |inputs: Result<Inputs>| read.send(inputs).is_ok();
            let input = BufReader::with_capacity(BUFFER, io::stdin().lock());
            // An error of sending means that nobody waits for the inputs.
            if let Err(error) = read_all(input, at_least, &pass_on) {
                pass_on(Err(error.context("cannot read positions from standard input")));
            }
        });
        StandardInput(inputs)
    }

    /// Waits for the next inputs. Returns `None` at the end.
    ///
    /// # Errors
    ///
    /// If standard input cannot be read, or if the job is stopped.
    pub fn next(&self, run: &Run) -> Result<Option<Inputs>> {
        loop {
            match self.0.recv_timeout(SIGNAL_PERIOD) {
                Ok(inputs) => return inputs.map(Some),
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
                Err(RecvTimeoutError::Timeout) => run.monitor().check()?,
            }
        }
    }
}

/// Passes on all inputs, in groups, until nobody waits for them.
fn read_all(
    mut input: BufReader<impl Read>,
    at_least: usize,
    pass_on: &impl Fn(Result<Inputs>) -> bool,
) -> Result<()> {
    if input.fill_buf()?.starts_with(PARQUET) {
        return undamaged(|| parquet::read_all(input, at_least, pass_on));
    }
    let mut lines = Lines { input, number: 0, column: None };
    loop {
        let inputs = lines.next(at_least)?;
        if inputs.is_empty() || !pass_on(Ok(inputs)) {
            return Ok(());
        }
    }
}

/// Reads a table of Parquet. Its reader may panic where a file is damaged; this is an error.
pub fn undamaged<T>(read: impl FnOnce() -> Result<T>) -> Result<T> {
    let damaged = |_| Err(usage("the table of Parquet is damaged"));
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(damaged)
}

/// The error of builds without Parquet.
#[cfg(not(feature = "full"))]
pub fn no_parquet() -> anyhow::Error {
    use crate::errors::FULL_BUILD;
    usage(format!("this build reads no Parquet; use CSV, or {FULL_BUILD}"))
}

/// Lines of text, or of CSV.
struct Lines<R> {
    input: BufReader<R>,
    /// The number of lines read.
    number: u64,
    /// The column of the positions, once the header of CSV was read.
    column: Option<usize>,
}

impl<R: Read> Lines<R> {
    /// The next inputs: at least so many, and those after them that have already arrived. None at the
    /// end.
    fn next(&mut self, at_least: usize) -> io::Result<Inputs> {
        let mut inputs = Inputs::new();
        let mut may_be_header = self.number == 0;
        while inputs.len() < at_least || at_least == 1 && self.input.buffer().contains(&b'\n') {
            let longest = if self.column.is_some() { LONGEST_ROW } else { LONGEST_LINE };
            let Some(line) = next_line(&mut self.input, longest)? else { break };
            self.number += 1;
            let line = match line {
                Ok(line) => line,
                Err(error) => {
                    inputs.push((self.number, Err(error)));
                    continue;
                }
            };
            let line = said(&line, self.number);
            if line.is_empty() {
                continue;
            }
            if std::mem::take(&mut may_be_header) {
                self.column = column_of(line);
                if self.column.is_some() {
                    continue;
                }
            }
            let input = match self.column {
                Some(column) => field(line, column).filter(|text| !text.is_empty()),
                None => Some(line.to_string()),
            };
            inputs.push((self.number, input.ok_or_else(no_position)));
        }
        Ok(inputs)
    }
}

/// The message of a row without a position.
fn no_position() -> String {
    format!("the column '{COLUMN}' is empty")
}

/// A line without its comment, the blanks around it and, if it is the first, a byte order mark.
fn said(line: &str, number: u64) -> &str {
    uncommented(if number == 1 { unmarked(line) } else { line }).trim()
}

/// The index of the column of positions, if the line is the header of a table with one.
fn column_of(line: &str) -> Option<usize> {
    fields(line).iter().position(|field| field.trim() == COLUMN)
}

/// The field of a line of CSV. `None` if there are fewer.
fn field(line: &str, column: usize) -> Option<String> {
    if line.contains('"') {
        return fields(line).into_iter().nth(column);
    }
    line.split(',').nth(column).map(str::to_string)
}

fn fields(line: &str) -> Vec<String> {
    let mut reader =
        csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(line.as_bytes());
    let record = reader.records().next().and_then(Result::ok).unwrap_or_default();
    record.iter().map(str::to_string).collect()
}

/// Tables of Parquet.
#[cfg(feature = "full")]
mod parquet {
    use super::{COLUMN, Inputs, no_position};
    use crate::errors::usage;
    use ::parquet::basic::Type;
    use ::parquet::column::reader::ColumnReader;
    use ::parquet::data_type::ByteArray;
    use ::parquet::file::reader::{FileReader, SerializedFileReader};
    use anyhow::{Context, Result};
    use std::io::{self, Read};

    /// The rows that are read at a time.
    const ROWS: usize = 1 << 13;

    /// Passes on all inputs. The file is copied first, because its description is at its end.
    pub fn read_all(
        mut input: impl Read,
        at_least: usize,
        pass_on: &impl Fn(Result<Inputs>) -> bool,
    ) -> Result<()> {
        let mut copy = tempfile::tempfile().context("cannot create a temporary file")?;
        io::copy(&mut input, &mut copy)?;
        let file = SerializedFileReader::new(copy).context("not a table of Parquet")?;
        let columns = file.metadata().file_metadata().schema_descr_ptr();
        let column = columns.columns().iter().position(|column| column.path().string() == COLUMN);
        let Some(column) = column else {
            let names: Vec<String> =
                columns.columns().iter().map(|column| column.path().string()).collect();
            let names = names.join(", ");
            return Err(usage(format!("the table has no column '{COLUMN}'; it has {names}")));
        };
        if columns.column(column).physical_type() != Type::BYTE_ARRAY {
            return Err(usage(format!("the column '{COLUMN}' does not contain text")));
        }
        let is_optional = columns.column(column).max_def_level() > 0;
        let (mut number, mut inputs) = (0, Inputs::new());
        for group in 0..file.num_row_groups() {
            let ColumnReader::ByteArrayColumnReader(mut reader) =
                file.get_row_group(group)?.get_column_reader(column)?
            else {
                unreachable!("the column contains byte arrays")
            };
            loop {
                let (mut levels, mut texts) = (Vec::new(), Vec::<ByteArray>::new());
                let known = is_optional.then_some(&mut levels);
                let (rows, ..) = reader.read_records(ROWS, known, None, &mut texts)?;
                if rows == 0 {
                    break;
                }
                let mut texts = texts.into_iter();
                if !is_optional {
                    levels = vec![1; rows];
                }
                for level in levels {
                    number += 1;
                    let text = if level == 0 { None } else { texts.next() };
                    let text = text.map(|text| String::from_utf8_lossy(text.data()).into_owned());
                    let text = text.filter(|text| !text.is_empty());
                    inputs.push((number, text.ok_or_else(no_position)));
                }
                if inputs.len() >= at_least && !pass_on(Ok(std::mem::take(&mut inputs))) {
                    return Ok(());
                }
            }
        }
        if !inputs.is_empty() {
            pass_on(Ok(inputs));
        }
        Ok(())
    }
}

/// Builds without Parquet.
#[cfg(not(feature = "full"))]
mod parquet {
    use super::{Inputs, no_parquet};
    use anyhow::Result;
    use std::io::Read;

    pub fn read_all(_: impl Read, _: usize, _: &impl Fn(Result<Inputs>) -> bool) -> Result<()> {
        Err(no_parquet())
    }
}
