//! A table as a picture takes it: names, kinds, and every value as it stands in CSV.

use crate::output::csv;
use bsq_analyses::{Kind, Table};

/// A table, from a pass or from a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Sheet {
    /// The name of the table.
    pub name: String,
    /// What it answers, as a heading.
    pub title: String,
    /// What it is about, such as the rules; empty if that is not known.
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
    /// What its values are.
    pub kind: Kind,
}

/// A row, and where it is from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// A text for every column, empty where there is no value.
    pub cells: Vec<String>,
    /// The line of the file, or the number of the row, from 1.
    pub line: u64,
}

impl Sheet {
    /// A table of a pass under rules that have such a label.
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
