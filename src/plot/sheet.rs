//! Tables to be drawn: names, kinds, and values as in CSV.

use crate::output::csv;
use bsq_analyses::{Kind, Table};

/// A table, from an analysis or from a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Sheet {
    /// The name of the table.
    pub name: String,
    /// The title.
    pub title: String,
    /// The rules. Empty if unknown.
    pub about: String,
    /// The columns.
    pub columns: Vec<Head>,
    /// The rows, each with a text for every column.
    pub rows: Vec<Row>,
}

/// The head of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// Its name.
    pub name: String,
    /// The kind of its values.
    pub kind: Kind,
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
    /// Converts a table of an analysis. `about` describes the rules.
    pub fn of(table: &Table, about: &str) -> Sheet {
        let cells = |row: &Vec<_>| -> Vec<String> {
            row.iter().zip(&table.columns).map(|(cell, c)| csv::text(cell, c.kind)).collect()
        };
        let rows = (1..).zip(&table.rows).map(|(line, row)| Row { cells: cells(row), line });
        let head = |column: &bsq_analyses::Column| Head {
            name: column.name.to_string(),
            kind: column.kind,
        };
        Sheet {
            name: table.name.clone(),
            title: table.title.clone(),
            about: about.to_string(),
            columns: table.columns.iter().map(head).collect(),
            rows: rows.collect(),
        }
    }
}
