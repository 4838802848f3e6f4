//! Results of jobs: tables with typed columns.

pub mod column;

pub use column::{Column, Kind};

use num_bigint::{BigInt, BigUint};

/// A value of a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// An integer of any size.
    Integer(BigInt),
    /// A real number or a share.
    Real(f64),
    /// A text.
    Text(String),
    /// A truth value.
    Truth(bool),
    /// No value: the column does not apply to the row.
    Empty,
}

macro_rules! cells {
    ($($variant:ident: $($from:ty),*;)*) => {$($(
        impl From<$from> for Cell {
            fn from(value: $from) -> Cell {
                Cell::$variant(value.into())
            }
        }
    )*)*};
}
cells! {
    Integer: BigInt, BigUint, u32, u64, usize, i32;
    Real: f64;
    Text: &str, String;
    Truth: bool;
}

impl<T: Into<Cell>> From<Option<T>> for Cell {
    fn from(value: Option<T>) -> Cell {
        value.map_or(Cell::Empty, Into::into)
    }
}

/// A table with typed columns.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// The name of the file, without extension.
    pub name: String,
    /// The heading.
    pub title: String,
    /// The columns, in order.
    pub columns: Vec<Column>,
    /// The rows, with a cell for each column.
    pub rows: Vec<Vec<Cell>>,
    /// The columns shown on a terminal; all of them if empty.
    pub screen: Vec<&'static str>,
    /// A text to show on a terminal before the table, such as a map.
    pub picture: Option<String>,
    /// Whether the picture replaces the table on a terminal.
    pub picture_only: bool,
    /// A remark, in a sentence or two.
    pub note: Option<String>,
}

impl Table {
    /// Creates a table without rows.
    pub fn new(name: &str, title: &str, columns: &[Column]) -> Table {
        Table {
            name: name.to_string(),
            title: title.to_string(),
            columns: columns.to_vec(),
            rows: Vec::new(),
            screen: Vec::new(),
            picture: None,
            picture_only: false,
            note: None,
        }
    }

    /// Adds a row.
    ///
    /// # Panics
    ///
    /// Panics if there is not one cell for each column.
    pub fn push(&mut self, row: Vec<Cell>) {
        assert_eq!(row.len(), self.columns.len(), "a cell for every column of {}", self.name);
        self.rows.push(row);
    }
}
