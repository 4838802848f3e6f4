//! Output of results: formats, and folders with a manifest.

mod answer;
pub mod csv;
mod export;
mod folder;
pub mod json;
#[cfg(feature = "full")]
mod parquet;
pub mod screen;
mod stream;

pub use answer::{Answer, Described, rules_of_manifest};
pub use export::export;
pub use folder::{Folder, MANIFEST};

use crate::cli::args::{Format, OutputArgs};
use crate::run::Run;
use anyhow::Result;
use bsq_analyses::Table;
use std::io::{IsTerminal, Write};

/// The format for standard output: the given one; none if files are written; otherwise
/// a table on a terminal and CSV in a pipe.
pub fn format(output: &OutputArgs) -> Option<Format> {
    match (output.format, output.out.is_some() || output.is_plotted) {
        (Some(format), _) => Some(format),
        (None, true) => None,
        (None, false) if std::io::stdout().is_terminal() => Some(Format::Table),
        (None, false) => Some(Format::Csv),
    }
}

/// Writes the answers into the folder, if there is one, and prints them.
pub fn deliver(
    run: &Run,
    output: &OutputArgs,
    out: Option<Folder>,
    answers: &[Answer],
) -> Result<()> {
    let in_files = out.is_some();
    if let Some(out) = out {
        out.write(run, answers)?;
    }
    run.clear();
    match format(output) {
        None => return Ok(()),
        Some(Format::Json) => return json::print_answers(answers),
        Some(Format::Table) => screen::print(answers)?,
        Some(Format::Csv) => csv::write(std::io::stdout(), &answers[0].tables[0])?,
    }
    let more: Vec<&Table> = answers.iter().flat_map(|a| a.tables.iter().skip(1)).collect();
    if !in_files && !more.is_empty() {
        let more = match more[..] {
            [one] => one.name.clone(),
            _ => format!("{} more tables", more.len()),
        };
        run.note(&format!("also computed: {more}; --out DIR writes everything"));
    }
    Ok(())
}

/// Prints names with a line about each.
pub fn print_list<'a>(lines: impl Iterator<Item = (&'a str, String)>) -> Result<()> {
    let lines: Vec<(&str, String)> = lines.collect();
    let width = lines.iter().map(|(name, _)| name.len() + 2).max().unwrap_or(0).max(16);
    let text: String =
        lines.iter().map(|(name, about)| format!("{name:<width$}{about}\n")).collect();
    Ok(std::io::stdout().write_all(text.as_bytes())?)
}
