//! Choices from outside: the rows of a file, or the answers of a program.

use crate::errors::{raise_memory, usage};
use crate::inputs::{PARQUET, undamaged};
use crate::lines::next_line;
use crate::new_file::require_regular;
use crate::run::Run;
use anyhow::{Context, Result, bail};
use bsq_analyses::choices::ChoiceRows;
use bsq_analyses::{AnalysisError, Values};
use bsq_api::{Error, Job, Kind};
use bsq_engine::results::{Series, Texts};
use bsq_engine::text::thousands;
use bytesize::ByteSize;
use parking_lot::Mutex;
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, BufWriter, Read, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// The columns of a file of choices.
const POSITION: &str = "position";
const MOVE: &str = "move";

/// The options of the export of the positions that a program is asked: those with several legal moves.
pub const ASKED: [(&str, &str); 3] =
    [("dataset", "positions"), ("show", "position"), ("condition", "legal_moves > 1")];

/// Reads the choices of a file, or `-` for standard input: a table with the columns `position` and `move`,
/// of CSV or, in a file, of Parquet.
///
/// # Errors
///
/// If the file cannot be read, or has other columns.
pub fn read(path: &Path, memory: u64) -> Result<ChoiceRows> {
    let failed = || format!("cannot read the choices in {}", path.display());
    let limited = Limited { rows: ChoiceRows::new("choices", "row"), memory };
    if path.as_os_str() == "-" {
        return read_csv(io::stdin().lock(), limited).with_context(failed);
    }
    require_regular(path).with_context(failed)?;
    let mut file = BufReader::new(File::open(path).with_context(failed)?);
    let is_parquet = file.fill_buf().with_context(failed)?.starts_with(PARQUET);
    let rows = if is_parquet {
        undamaged(|| parquet::read(file.into_inner(), limited))
    } else {
        read_csv(file, limited)
    };
    rows.with_context(failed)
}

/// Rows that may take so much memory, in bytes.
struct Limited {
    rows: ChoiceRows,
    memory: u64,
}

impl Limited {
    fn push(&mut self, position: &str, moves: &str) -> Result<()> {
        self.rows.push(position, moves);
        if self.rows.bytes() > self.memory {
            return Err(too_large(self.memory));
        }
        Ok(())
    }
}

/// The error of choices that take more memory than this, in bytes.
fn too_large(memory: u64) -> anyhow::Error {
    let limit = ByteSize::b(memory).display().iec();
    let why = format!("the choices take more than {limit}, their share of the memory allowed");
    Error::of(Kind::Refused, raise_memory(why)).into()
}

fn read_csv(table: impl Read, mut rows: Limited) -> Result<ChoiceRows> {
    let mut reader = csv::Reader::from_reader(table);
    let header = reader.headers().map_err(|error| usage(error.to_string()))?.clone();
    let names: Vec<&str> = header.iter().map(str::trim).collect();
    let [position, mv] = columns(&names)?;
    let mut record = csv::StringRecord::new();
    while reader.read_record(&mut record).map_err(|error| usage(error.to_string()))? {
        rows.push(record[position].trim(), &record[mv])?;
    }
    Ok(rows.rows)
}

/// The places of the columns with the position and the move.
fn columns(names: &[&str]) -> Result<[usize; 2]> {
    let place = |wanted: &str| {
        let place = names.iter().position(|name| *name == wanted);
        place.ok_or_else(|| {
            let names = names.join(", ");
            usage(format!("there is no column '{wanted}'; the columns are {names}"))
        })
    };
    Ok([place(POSITION)?, place(MOVE)?])
}

/// Tables of Parquet.
#[cfg(feature = "full")]
mod parquet {
    use super::{ChoiceRows, Limited, columns};
    use crate::errors::usage;
    use ::parquet::file::reader::{FileReader, SerializedFileReader};
    use ::parquet::record::{Field, Row};
    use anyhow::{Context, Result};
    use bsq_engine::text::thousands;
    use std::fs::File;

    /// Reads the rows of a table.
    pub fn read(file: File, mut rows: Limited) -> Result<ChoiceRows> {
        let file = SerializedFileReader::new(file).context("not a table of Parquet")?;
        let schema = file.metadata().file_metadata().schema_descr_ptr();
        let names: Vec<String> =
            schema.columns().iter().map(|column| column.path().string()).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let [position, mv] = columns(&names)?;
        for (at, row) in file.get_row_iter(None)?.enumerate() {
            let row = row?;
            let [position, mv] = [position, mv].map(|column| text(&row, column));
            let (Some(position), Some(mv)) = (position, mv) else {
                let row = thousands(at as u64 + 1);
                return Err(usage(format!("row {row}: the columns do not contain text")));
            };
            rows.push(position.trim(), mv)?;
        }
        Ok(rows.rows)
    }

    /// The text of a field; empty if it is missing.
    fn text(row: &Row, column: usize) -> Option<&str> {
        match row.get_column_iter().nth(column)?.1 {
            Field::Str(text) => Some(text),
            Field::Null => Some(""),
            _ => None,
        }
    }
}

/// Builds without Parquet.
#[cfg(not(feature = "full"))]
mod parquet {
    use super::{ChoiceRows, Limited};
    use crate::inputs::no_parquet;
    use anyhow::Result;
    use std::fs::File;

    /// Returns the error of these builds.
    pub fn read(_: File, _: Limited) -> Result<ChoiceRows> {
        Err(no_parquet())
    }
}

/// The longest answer of a program, in bytes.
const LONGEST_ANSWER: u64 = 1 << 12;
/// The number of positions that are exported at a time.
const BATCH: usize = 1 << 12;
/// The time that a program has to end after its last answer.
const GRACE: Duration = Duration::from_millis(500);
/// The time between two looks at a program.
const PERIOD: Duration = Duration::from_millis(20);

/// Asks a program for its choices in the positions of a job: one position on each line of its standard
/// input, the moves that it prefers on the same line of its standard output.
///
/// The program may answer each line at once, or read many first, even all. If it has neither read nor
/// answered anything for `patience`, it is stopped.
///
/// # Errors
///
/// If the program does not start, hangs, ends early, or writes too much.
pub fn ask(
    command: &str,
    patience: Duration,
    (job, memory): (&Job, u64),
    run: &Run,
    explained: impl Fn(AnalysisError) -> anyhow::Error,
) -> Result<ChoiceRows> {
    let words = shell_words::split(command)
        .map_err(|error| usage(format!("--program '{command}': {error}")))?;
    let Some((name, arguments)) = words.split_first() else {
        return Err(usage("--program names a program, such as 'python3 choose.py'"));
    };
    let Some(rows) = job.rows() else { bail!("the positions are not exported") };
    let mut process = Command::new(name);
    process.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
    let child = process.spawn().with_context(|| format!("cannot start the program '{name}'"))?;
    let (program, input) = Program::begin(child, patience);
    let mut input = input.map(BufWriter::new);
    let (mut positions, mut is_too_large) = (Texts::default(), false);
    let mut sink = |batch: Vec<Series>| {
        let Some(Series { values: Values::Text(texts), .. }) = batch.first() else {
            return ControlFlow::Break(());
        };
        for range in texts.ranges() {
            let position = &texts.joined()[range];
            positions.push(position);
            is_too_large = positions.bytes() > memory;
            program.asked.fetch_add(1, Ordering::Relaxed);
            let is_written = input.as_mut().is_some_and(|to| writeln!(to, "{position}").is_ok());
            // Its answers say why a program reads no further.
            if !is_written || is_too_large {
                input = None;
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    };
    let exported = rows.run(BATCH, &mut sink, &run.monitor());
    let is_asked = input.is_some_and(|mut input| input.flush().is_ok());
    let answers = program.finish(is_asked && exported.is_ok(), run);
    exported.map_err(explained)?;
    run.monitor().check()?;
    if is_too_large {
        return Err(too_large(memory));
    }
    let mut choices = Limited { rows: ChoiceRows::new("program", "answer"), memory };
    let answers = answers?;
    let ranges = positions.ranges().zip(answers.ranges());
    for (position, moves) in ranges {
        choices.push(&positions.joined()[position], &answers.joined()[moves])?;
    }
    Ok(choices.rows)
}

/// A program that is asked.
struct Program {
    child: Mutex<Child>,
    patience: Duration,
    /// The number of questions.
    asked: AtomicU64,
    answers: Mutex<Answers>,
}

/// The lines that a program has written.
#[derive(Default)]
struct Answers {
    lines: Texts,
    number: u64,
    /// Why no further line is read.
    end: Option<End>,
}

/// Why no further answer is read.
#[derive(Clone, Copy)]
enum End {
    /// The program has closed its output.
    Closed,
    /// A line is too long.
    TooLong,
    /// A line was written before its question was.
    TooMany,
    /// The program did nothing for too long.
    Late,
}

impl Program {
    /// Begins to read the answers, and to watch the time. Returns the standard input of the program.
    fn begin(mut child: Child, patience: Duration) -> (Arc<Program>, Option<ChildStdin>) {
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let (child, asked, answers) = (Mutex::new(child), AtomicU64::new(0), Mutex::default());
        let program = Arc::new(Program { child, patience, asked, answers });
        // These threads are not waited for: a program that was stopped may have passed on its output.
        if let Some(output) = output {
            let reader = Arc::clone(&program);
            thread::spawn(move || reader.read(output));
        }
        let watch = Arc::clone(&program);
        thread::spawn(move || watch.watch());
        (program, input)
    }

    /// Reads the answers.
    fn read(&self, output: ChildStdout) {
        let mut output = BufReader::new(output);
        let end = loop {
            let Ok(Some(line)) = next_line(&mut output, LONGEST_ANSWER) else { break End::Closed };
            let mut answers = self.answers.lock();
            answers.number += 1;
            // Each question is counted before it is asked.
            if answers.number > self.asked.load(Ordering::Relaxed) {
                break End::TooMany;
            }
            let Ok(line) = line else { break End::TooLong };
            answers.lines.push(line.trim());
        };
        self.answers.lock().end.get_or_insert(end);
    }

    /// Stops the program if it does nothing for too long although there are questions.
    fn watch(&self) {
        let (mut seen, mut since) = ((0, 0), Instant::now());
        loop {
            thread::sleep(PERIOD);
            let asked = self.asked.load(Ordering::Relaxed);
            let mut answers = self.answers.lock();
            if answers.end.is_some() {
                return;
            }
            let now = (asked, answers.number);
            if now != seen || answers.number >= asked {
                (seen, since) = (now, Instant::now());
            } else if since.elapsed() >= self.patience {
                answers.end = Some(End::Late);
                drop(answers);
                self.stop();
                return;
            }
        }
    }

    /// Ends the program, if it has not ended.
    fn stop(&self) {
        // The error says that it has ended.
        _ = self.child.lock().kill();
    }

    /// The exit status of the program, which is stopped if it does not end soon.
    fn status(&self) -> io::Result<ExitStatus> {
        let since = Instant::now();
        while since.elapsed() < GRACE {
            if let Some(status) = self.child.lock().try_wait()? {
                return Ok(status);
            }
            thread::sleep(Duration::from_millis(1));
        }
        self.stop();
        self.child.lock().wait()
    }

    /// Waits for the answers to all questions.
    fn finish(&self, is_asked: bool, run: &Run) -> Result<Texts> {
        while self.answers.lock().end.is_none() && !run.is_stopped() {
            thread::sleep(Duration::from_millis(1));
        }
        let status = self.status().context("cannot wait for the program")?;
        let asked = self.asked.load(Ordering::Relaxed);
        let answers = std::mem::take(&mut *self.answers.lock());
        let given = thousands(answers.number);
        match answers.end {
            Some(End::Late) => {
                let patience = humantime::format_duration(self.patience);
                bail!(
                    "the program did nothing for {patience} (answers: {given}); --time gives it \
                     more time"
                )
            }
            Some(End::TooLong) => {
                bail!("answer {given} of the program has more than {LONGEST_ANSWER} bytes")
            }
            Some(End::TooMany) => {
                bail!("the program answered question {given} before it was asked")
            }
            Some(End::Closed) | None if answers.number < asked || !is_asked => {
                bail!("the program ended too early ({status}; answers: {given})")
            }
            Some(End::Closed) | None => {}
        }
        Ok(answers.lines)
    }
}
