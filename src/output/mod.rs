//! Output of results: formats, and folders with a manifest.

mod computed;
mod export;
mod folder;
pub mod json;
mod outlet;
pub mod screen;
pub mod style;

pub use computed::Computed;
pub use export::export;
pub use folder::{Folder, Source};
pub use outlet::{Outlets, Pieces};

use crate::cli::args::{Format, OutputArgs, TableArgs};
use crate::errors::{FULL_BUILD, usage};
use crate::new_file::NewFile;
use crate::run::Run;
use anyhow::Result;
use bsq_analyses::Table;
use bsq_api::tables;
use bsq_api::tables::manifest::FileFormat;
use std::io::{self, IsTerminal, Write};

/// The format of the printed result: the given one; that of the ending of the file; none if only
/// other files are written; otherwise a table on a terminal and CSV in a pipe. Binary formats are
/// never printed without a file.
pub fn format(output: &OutputArgs) -> Option<Format> {
    let ending = output.file.as_ref().map(|file| file.extension().unwrap_or_default());
    match (output.format, output.out.is_some() || output.is_plotted) {
        _ if is_compared(output) => Some(Format::Table),
        (Some(format), _) if format.is_binary() && output.file.is_none() => None,
        (Some(format), _) => Some(format),
        (None, _) if ending.is_some() => match ending.and_then(|ending| ending.to_str()) {
            Some("json") => Some(Format::Json),
            Some("txt") => Some(Format::Table),
            Some("jsonl" | "ndjson") => Some(Format::Jsonl),
            Some("parquet") => Some(Format::Parquet),
            Some("arrow") => Some(Format::Arrow),
            _ => Some(Format::Csv),
        },
        (None, true) => None,
        (None, false) if io::stdout().is_terminal() => Some(Format::Table),
        (None, false) => Some(Format::Csv),
    }
}

/// Whether rows are printed side by side.
fn is_compared(output: &OutputArgs) -> bool {
    output.shown.as_ref().is_some_and(|shown| shown.compare)
}

/// The endings of files of other formats that tables may be wanted in.
const OTHER: [&str; 9] = ["feather", "html", "md", "ods", "pdf", "png", "svg", "tsv", "xlsx"];

/// Returns an error if the result would be in a binary format and there is no file for it, or the
/// build does not write it.
pub fn check(output: &OutputArgs) -> Result<()> {
    if let Some(format) = output.format
        && format.is_binary()
        && output.file.is_none()
        && output.out.is_none()
    {
        let format = format.of_files();
        return Err(usage(format!("{format} is for files; add -o FILE or --out DIR")));
    }
    let ending = output.file.as_ref().and_then(|file| file.extension()?.to_str());
    if let Some(ending) = ending.filter(|it| output.format.is_none() && OTHER.contains(it)) {
        return Err(usage(format!(
            "files of .{ending} are not written; use .csv, .json, .jsonl, .parquet, .arrow or .txt, or --format"
        )));
    }
    let format = output.format.or_else(|| format(output));
    format.map_or(Ok(()), |format| check_built(format.of_files()))
}

/// Returns an error that names the build with binary formats, if this one has none.
pub fn check_built(format: FileFormat) -> Result<()> {
    match format {
        FileFormat::Parquet | FileFormat::Arrow if !cfg!(feature = "full") => {
            Err(usage(format!("this build writes no {format}; use --format csv, or {FULL_BUILD}")))
        }
        _ => Ok(()),
    }
}

/// Writes the answers into the folder, if there is one, and prints them.
pub fn deliver(
    run: &Run,
    output: &OutputArgs,
    out: Option<Folder>,
    answers: &[Computed],
) -> Result<()> {
    if output.shown.as_ref().is_some_and(|shown| shown.describe) {
        run.clear();
        return StandardOutput.print(described(answers).as_bytes());
    }
    let in_files = out.is_some();
    let chosen = output.shown.as_ref().map_or(Ok(None), |shown| chosen(answers, shown))?;
    if let Some(out) = out {
        out.write(run, answers, output.files())?;
    }
    run.clear();
    let Some(format) = format(output) else { return Ok(()) };
    let is_chosen = chosen.is_some();
    let answers = chosen.as_deref().unwrap_or(answers);
    let mut to = Printer::open(output)?;
    match format {
        Format::Json => json::print_answers(&mut to, answers)?,
        Format::Table => to.print(&screen::text(answers, is_compared(output)))?,
        Format::Csv | Format::Jsonl | Format::Parquet | Format::Arrow => {
            tables::write(&mut to, &answers[0].tables[0], format.of_files())?;
        }
    }
    to.finish()?;
    if format == Format::Json || in_files || is_chosen {
        return Ok(());
    }
    let more = answers.iter().flat_map(|answer| {
        let has_total = answer.tables.first().is_some_and(|table| table.total.is_some());
        // A table for reading shows its total.
        answer.all_tables().skip(1 + usize::from(format == Format::Table && has_total))
    });
    let more: Vec<&Table> = more.collect();
    if let Some(one) = more.first() {
        let (what, choice) = match more.len() {
            1 => (one.name.clone(), format!("--table {} prints it", one.name)),
            many => (format!("{many} more tables"), "--table NAME prints one".to_string()),
        };
        let choice = if output.shown.is_some() { choice + ", " } else { String::new() };
        run.note(&format!("also computed: {what}; {choice}--out DIR writes everything"));
    }
    Ok(())
}

/// The name of the total of a main table, whose full name is as good.
const TOTAL: &str = "total";

/// The answers with the table that is to be printed alone; `None` if that is the main one.
fn chosen(answers: &[Computed], shown: &TableArgs) -> Result<Option<Vec<Computed>>> {
    let Some(name) = &shown.table else { return Ok(None) };
    let alone = |answer: &Computed| {
        let table = match name.as_str() {
            TOTAL => answer.tables.first()?.total.as_deref()?,
            name => answer.all_tables().find(|table| table.name == name)?,
        };
        let (command, rules) = (answer.command.clone(), answer.rules.clone());
        Some(Computed { command, rules, tables: vec![table.clone()] })
    };
    let chosen: Vec<Computed> = answers.iter().filter_map(alone).collect();
    if chosen.is_empty() {
        let names = answers.iter().flat_map(Computed::all_tables).map(|table| table.name.as_str());
        let names = names.collect::<Vec<_>>().join(", ");
        return Err(usage(format!("there is no table '{name}'; there are {names}")));
    }
    Ok(Some(chosen))
}

/// Where a result is printed.
pub enum Printer {
    /// Standard output.
    Standard,
    /// The file of `--output`, which appears when it is complete.
    File(NewFile),
}

impl Printer {
    /// Opens standard output, or creates the file.
    pub fn open(output: &OutputArgs) -> Result<Printer> {
        output
            .file
            .as_ref()
            .map_or(Ok(Printer::Standard), |file| Ok(Printer::File(NewFile::begin(file)?)))
    }

    /// Prints text with emphasis, which only terminals show.
    pub fn print(&mut self, text: &str) -> Result<()> {
        let text = match self {
            Printer::Standard => style::for_standard_output(text),
            Printer::File(_) => style::plain(text),
        };
        Ok(self.write_all(text.as_bytes())?)
    }

    /// Writes what is left, and completes the file.
    pub fn finish(self) -> Result<()> {
        match self {
            Printer::Standard => Ok(StandardOutput.flush()?),
            Printer::File(file) => file.finish(),
        }
    }
}

/// Standard output, with errors that say so.
pub struct StandardOutput;

impl StandardOutput {
    /// Writes all bytes of a result.
    pub fn print(mut self, bytes: &[u8]) -> Result<()> {
        self.write_all(bytes)?;
        Ok(self.flush()?)
    }

    fn named(error: io::Error) -> io::Error {
        io::Error::new(error.kind(), format!("cannot write to standard output: {error}"))
    }
}

impl Write for StandardOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        io::stdout().write(bytes).map_err(StandardOutput::named)
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stdout().flush().map_err(StandardOutput::named)
    }
}

impl Write for Printer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Printer::Standard => StandardOutput.write(bytes),
            Printer::File(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Printer::Standard => StandardOutput.flush(),
            Printer::File(file) => file.flush(),
        }
    }
}

/// The tables with the meaning of each column.
fn described(answers: &[Computed]) -> String {
    let mut text = String::new();
    for table in answers.iter().flat_map(Computed::all_tables) {
        if !text.is_empty() {
            text.push('\n');
        }
        text += &format!("{}: {}\n", table.name, table.title);
        let width = table.columns.iter().map(|column| column.name.len()).max().unwrap_or(0) + 4;
        let indent = " ".repeat(width);
        let wrapping = screen::wrapping(screen::WIDTH).subsequent_indent(&indent);
        for column in &table.columns {
            let about = &column.description;
            let line = format!("  {:<1$}{about}", column.name, width - 2);
            text += &format!("{}\n", textwrap::fill(&line, &wrapping));
        }
    }
    text
}

/// Prints names with a sentence about each.
pub fn print_list<'a>(lines: impl Iterator<Item = (&'a str, String)>) -> Result<()> {
    let lines: Vec<(&str, String)> = lines.collect();
    let width = lines.iter().map(|(name, _)| name.len() + 2).max().unwrap_or(0).max(16);
    let indent = " ".repeat(width);
    let most = if io::stdout().is_terminal() { screen::WIDTH } else { usize::MAX };
    let options = screen::wrapping(most).subsequent_indent(&indent);
    for (name, about) in &lines {
        let text = format!("{name:<width$}{about}");
        writeln!(StandardOutput, "{}", textwrap::fill(&text, &options))?;
    }
    Ok(())
}
