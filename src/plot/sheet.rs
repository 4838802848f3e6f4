//! Tables to be drawn: the results of an analysis, or a CSV file with such results.

use super::error::{Place, PlotError};
use super::label;
use crate::errors::usage;
use anyhow::Result;
use bsq_analyses::{Chart, Only, Table, rules_label};
use bsq_api::tables::{csv as table_text, manifest};
use bsq_engine::storage::files;
use bsq_games::british_square::{Board, Rules};
use serde_json::Value;
use std::io::{self, ErrorKind};
use std::path::Path;

/// The maximum number of rows of a file.
const MOST_ROWS: usize = 100_000;
/// The maximum length of a file in bytes.
const MOST_BYTES: u64 = 64 << 20;

/// A table as in CSV.
#[derive(Clone, Debug, PartialEq)]
pub struct Sheet {
    /// The name of the table.
    pub name: String,
    /// The rules. Empty if unknown.
    pub rules: String,
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The rows, each with a text for every column.
    pub rows: Vec<Row>,
}

/// A row and its line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// A text for every column, empty for a missing value.
    pub cells: Vec<String>,
    /// The line in the file, or the number of the row, from 1.
    pub line: u64,
}

impl Sheet {
    /// Converts a table of an analysis.
    pub fn of(table: &Table, rules: &str) -> Sheet {
        let cells = |row: &Vec<_>| -> Vec<String> {
            let cells = row.iter().zip(&table.columns);
            cells.map(|(cell, column)| table_text::text(cell, column.kind)).collect()
        };
        let rows_of = (1..).zip(&table.rows).map(|(line, row)| Row { cells: cells(row), line });
        Sheet {
            name: table.name.clone(),
            rules: rules.to_string(),
            columns: table.columns.iter().map(|column| column.name.to_string()).collect(),
            rows: rows_of.collect(),
        }
    }

    /// The names of the columns with a value in some row, or of all in a table without rows.
    pub fn filled(&self) -> impl Iterator<Item = &str> + Clone {
        let has_value = |column: usize| {
            self.rows.is_empty() || self.rows.iter().any(|row| !row.cells[column].is_empty())
        };
        let columns = self.columns.iter().enumerate();
        columns.filter(move |&(i, _)| has_value(i)).map(|(_, name)| name.as_str())
    }

    /// The index of a column.
    pub fn column(&self, name: &str) -> Result<usize, PlotError> {
        let found = self.columns.iter().position(|column| column == name);
        found
            .ok_or_else(|| PlotError::NoColumn { table: self.name.clone(), name: name.to_string() })
    }

    /// The rows that a chart draws: those that satisfy its conditions.
    pub fn drawn(&self, chart: &Chart) -> Result<Vec<&Row>, PlotError> {
        let mut wanted: Vec<(usize, &str, bool)> = Vec::new();
        for only in chart.only {
            let column = self.column(only.column())?;
            let first = self.rows.first().map_or("", |row| row.cells[column].as_str());
            wanted.push(match *only {
                Only::IsNot(_, value) => (column, value, false),
                Only::AsFirst(_) => (column, first, true),
            });
        }
        let fits = |row: &&Row| {
            wanted.iter().all(|&(column, value, is)| (row.cells[column] == value) == is)
        };
        let rows: Vec<&Row> = self.rows.iter().filter(fits).collect();
        if rows.is_empty() { Err(PlotError::NoRows(self.name.clone())) } else { Ok(rows) }
    }

    /// The value of a cell. `None` if the cell is empty.
    pub fn number(&self, row: &Row, column: usize) -> Result<Option<f64>, PlotError> {
        match label::number(&row.cells[column]) {
            _ if row.cells[column].is_empty() => Ok(None),
            Some(number) => Ok(Some(number)),
            None => Err(PlotError::NoNumber(self.place(row, column))),
        }
    }

    /// The description of a cell in an error.
    pub fn place(&self, row: &Row, column: usize) -> Place {
        let text = row.cells[column].chars().take(40).collect();
        Place { text, column: self.columns[column].clone(), line: row.line }
    }

    /// The rules that the picture of a chart names.
    pub fn about(&self, chart: &Chart, rows: &[&Row]) -> String {
        match (chart.is_up_to, self.rules_of(rows)) {
            (true, rules) if !rules.is_empty() => format!("boards up to the size of {rules}"),
            (_, rules) => rules.to_string(),
        }
    }

    /// The rules of a chart: those of the table, or, if the rows have rules of their own, those of
    /// the drawn rows if they are equal.
    fn rules_of<'s>(&'s self, rows: &[&'s Row]) -> &'s str {
        let of_rows = self.columns.iter().position(|column| column == "rules");
        let is_of_rows =
            |column: &usize| self.rows.iter().any(|row| row.cells[*column] == self.rules);
        let Some(column) = of_rows.filter(is_of_rows) else { return &self.rules };
        let mut rules = rows.iter().map(|row| row.cells[column].as_str());
        let first = rules.next().unwrap_or_default();
        if rules.all(|other| other == first) { first } else { "" }
    }
}

/// Reads the table of a file, or of standard input for `-`. A manifest beside the file says which
/// rules the table is about.
pub fn read(path: &Path) -> Result<Sheet> {
    let shown = path.display();
    let bytes = bytes(path).map_err(|error| match error.kind() {
        ErrorKind::FileTooLarge => usage(format!("{shown}: {error}, too large for a picture")),
        _ => anyhow::Error::new(error).context(format!("cannot read {shown}")),
    })?;
    let manifest = files::read_text(&path.with_file_name(manifest::FILE), manifest::LONGEST);
    parse(path, &bytes, &manifest.unwrap_or_default())
        .map_err(|error| usage(format!("{shown} {error}")))
}

/// Parses the table of a file, and the text of the manifest beside it, which may be missing or
/// something else.
pub fn parse(path: &Path, bytes: &[u8], manifest: &str) -> Result<Sheet, String> {
    let mut csv = csv::Reader::from_reader(bytes);
    let wrong = |error: csv::Error| format!("is not a table: {error}");
    let columns: Vec<String> = csv.headers().map_err(wrong)?.iter().map(String::from).collect();
    let mut rows = Vec::new();
    for record in csv.records() {
        let record = record.map_err(wrong)?;
        let line = record.position().map_or(0, csv::Position::line);
        rows.push(Row { cells: record.iter().map(String::from).collect(), line });
        if rows.len() > MOST_ROWS {
            return Err(format!("has more than {MOST_ROWS} rows"));
        }
    }
    let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let entry = entry(path, manifest).unwrap_or(Value::Null);
    Ok(Sheet { name, rules: rules_of_manifest(&entry["rules"]), columns, rows })
}

/// Reads a file, or standard input.
fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    if path == Path::new("-") {
        files::read_all(&mut io::stdin(), MOST_BYTES)
    } else {
        files::read(path, MOST_BYTES)
    }
}

/// The entry of a file in the text of a manifest.
fn entry(path: &Path, manifest: &str) -> Option<Value> {
    let mut manifest: Value = serde_json::from_str(manifest).ok()?;
    let name = path.file_name()?.to_str()?;
    let entries = manifest.get_mut("resources")?.as_array_mut()?;
    entries.iter_mut().find(|entry| entry["path"] == name).map(Value::take)
}

/// Formats the rules in a manifest as a short text. Empty if they are unknown.
fn rules_of_manifest(fields: &Value) -> String {
    let board = fields["board"].as_str();
    if let (None, Some(board)) = (fields["game"].as_str(), board.and_then(|b| Board::parse(b).ok()))
    {
        let number = |name: &str| fields[name].as_i64();
        return rules_label(&Rules {
            board,
            center_allowed: fields["center_allowed"] == true,
            bias: number("bias").and_then(|bias| bias.try_into().ok()).unwrap_or(0),
            pieces: number("pieces").and_then(|pieces| pieces.try_into().ok()),
        });
    }
    match (board, fields["lines"].as_u64()) {
        (Some(board), _) => board.to_string(),
        (None, Some(lines)) => format!("up to {lines} open lines"),
        (None, None) => String::new(),
    }
}
