//! Reads CSV files. The kinds of columns come from a manifest beside the file, or are guessed.

use super::number::Number;
use super::sheet::{Head, Row, Sheet};
use crate::output::rules_of_manifest;
use crate::usage::usage;
use anyhow::{Context, Result};
use bsq_analyses::Kind;
use csv::{Reader, ReaderBuilder, StringRecord};
use serde_json::Value;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The maximum number of rows.
const MOST_ROWS: usize = 100_000;
/// The maximum length of a value in bytes.
const LONGEST: usize = 10_000;
/// The maximum length of a file in bytes.
const MOST_BYTES: u64 = 256 << 20;

/// Reads the table of a file, or of standard input for `-`.
pub fn read(path: &Path) -> Result<Sheet> {
    let shown = path.display();
    let bytes = bytes(path).with_context(|| format!("cannot read {shown}"))?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(usage(format!("{shown} is too long for a picture; 256 MiB are the most")));
    }
    let mut csv = ReaderBuilder::new().flexible(true).from_reader(&bytes[..]);
    let head = csv.headers().map_err(|error| wrong(path, error))?.clone();
    if head.iter().all(str::is_empty) {
        return Err(usage(format!("{shown} is empty; its first line should name the columns")));
    }
    if let Some(name) = twice(&head) {
        return Err(usage(format!("{shown}, line 1: two columns are called '{name}'")));
    }
    let rows = rows(&mut csv, &Lines::of(&bytes), path, &head)?;
    if rows.is_empty() {
        return Err(usage(format!("{shown} has no rows below its first line")));
    }
    let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let entry = entry(path).unwrap_or(Value::Null);
    let kind = |(i, name): (usize, &str)| {
        kind(name, typed(&entry, name), rows.iter().map(|row| row.cells[i].as_str()))
    };
    Ok(Sheet {
        title: entry["title"].as_str().map_or_else(|| name.clone(), String::from),
        about: rules_of_manifest(&entry["rules"]),
        columns: head
            .iter()
            .enumerate()
            .map(|(i, name)| Head { name: name.to_string(), kind: kind((i, name)) })
            .collect(),
        name,
        rows,
    })
}

/// Reads a file, up to one byte more than allowed.
fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if path == Path::new("-") {
        io::stdin().take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    } else {
        File::open(path)?.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

/// Maps bytes of a file to lines.
struct Lines<'b> {
    bytes: &'b [u8],
    /// The end of each line.
    ends: Vec<usize>,
}

impl Lines<'_> {
    fn of(bytes: &[u8]) -> Lines<'_> {
        let ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(i, _)| i);
        Lines { bytes, ends: ends.collect() }
    }

    /// The line, from 1, of the first byte from there on that is not an end of line.
    fn at(&self, from: usize) -> u64 {
        let blank = |byte: &u8| matches!(byte, b'\r' | b'\n');
        let rest = self.bytes.get(from..).unwrap_or_default();
        let at = from + rest.iter().take_while(|byte| blank(byte)).count();
        1 + self.ends.partition_point(|&end| end < at) as u64
    }
}

fn rows(
    csv: &mut Reader<&[u8]>,
    lines: &Lines,
    path: &Path,
    head: &StringRecord,
) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for record in csv.records() {
        let record = record.map_err(|error| wrong(path, error))?;
        let line = record.position().map_or(0, |position| lines.at(position.byte() as usize));
        let place = format!("{}, line {line}", path.display());
        if record.len() != head.len() {
            return Err(usage(format!(
                "{place}: {} values, but {} columns have a name in the first line",
                record.len(),
                head.len()
            )));
        }
        if let Some(i) = record.iter().position(|text| text.len() > LONGEST) {
            return Err(usage(format!(
                "{place}, column '{}': the value is longer than {LONGEST} characters",
                &head[i]
            )));
        }
        if rows.len() == MOST_ROWS {
            return Err(usage(format!(
                "{} has more than {MOST_ROWS} rows, which are too many for a picture",
                path.display()
            )));
        }
        rows.push(Row { cells: record.iter().map(String::from).collect(), line });
    }
    Ok(rows)
}

/// The error of an invalid CSV file.
fn wrong(path: &Path, error: csv::Error) -> anyhow::Error {
    let line = error.position().map_or(1, csv::Position::line);
    match error.kind() {
        csv::ErrorKind::Utf8 { .. } => {
            usage(format!("{}, line {line}: this is no text in UTF-8", path.display()))
        }
        _ => anyhow::Error::from(error).context(format!("cannot read {}", path.display())),
    }
}

/// Returns a name that two columns have.
fn twice(head: &StringRecord) -> Option<&str> {
    let mut names = head.iter().enumerate();
    names.find(|&(i, name)| head.iter().take(i).any(|other| other == name)).map(|(_, name)| name)
}

/// The entry of a file in the manifest beside it.
fn entry(path: &Path) -> Option<Value> {
    let text = std::fs::read_to_string(path.with_file_name(crate::output::MANIFEST)).ok()?;
    let mut manifest: Value = serde_json::from_str(&text).ok()?;
    let name = path.file_name()?.to_str()?;
    let entries = manifest.get_mut("resources")?.as_array_mut()?;
    entries.iter_mut().find(|entry| entry["path"] == name).map(Value::take)
}

/// The type of a column in a manifest.
fn typed<'e>(entry: &'e Value, column: &str) -> Option<&'e str> {
    let fields = entry["schema"]["fields"].as_array()?;
    fields.iter().find(|field| field["name"] == column)?["type"].as_str()
}

/// The kind of a column, by its type if known, otherwise by its values.
fn kind<'t>(name: &str, typed: Option<&str>, texts: impl Iterator<Item = &'t str> + Clone) -> Kind {
    let filled = texts.filter(|text| !text.is_empty());
    let is_integer = |text: &str| {
        let digits = text.strip_prefix('-').unwrap_or(text);
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    let integers = filled.clone().all(is_integer);
    let labels = filled.clone().all(|text| text == "all" || is_integer(text));
    let numbers = filled.clone().all(|text| Number::parse(text).is_some());
    let truths = filled.clone().all(|text| text == "true" || text == "false");
    match typed {
        _ if filled.clone().next().is_none() => Kind::Text,
        Some("integer") => Kind::Integer,
        Some("number") => number_kind(name),
        Some("boolean") => Kind::Truth,
        Some(_) if labels && filled.clone().any(is_integer) => Kind::Label,
        Some(_) => Kind::Text,
        None if integers => Kind::Integer,
        None if numbers => number_kind(name),
        None if truths => Kind::Truth,
        None if labels && filled.clone().any(is_integer) => Kind::Label,
        None => Kind::Text,
    }
}

/// The kind of a column of real numbers, by its name.
fn number_kind(name: &str) -> Kind {
    match name.split('_').any(|word| word == "share") {
        true => Kind::Share,
        false => Kind::Real(6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guess(name: &str, texts: &[&str]) -> Kind {
        kind(name, None, texts.iter().copied())
    }

    #[test]
    fn kinds_are_guessed_from_what_is_there() {
        assert_eq!(guess("n", &["1", "", "-20"]), Kind::Integer);
        assert_eq!(guess("n", &["1", "all"]), Kind::Label);
        assert_eq!(guess("n", &["all"]), Kind::Text);
        assert_eq!(guess("n", &["1", "2.5"]), Kind::Real(6));
        assert_eq!(guess("fails_share", &["0.1", "1"]), Kind::Share);
        assert_eq!(guess("n", &["true", "false", ""]), Kind::Truth);
        assert_eq!(guess("n", &["", ""]), Kind::Text);
    }

    #[test]
    fn a_type_counts_more_than_a_guess() {
        let of = |typed| kind("n", Some(typed), ["1", "2"].into_iter());
        assert_eq!(of("string"), Kind::Label);
        assert_eq!(of("number"), Kind::Real(6));
        assert_eq!(of("integer"), Kind::Integer);
    }
}
