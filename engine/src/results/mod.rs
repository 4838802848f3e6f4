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

/// Makes a [`Table`](crate::results::Table) of its name, its title, and rows: each column has its
/// [type](crate::results::column), its description, and its value in a row.
///
/// ```
/// let table = bsq_engine::tabulate!("squares", "Squares", for number in 1u32..=3 => {
///     let square = number * number;
///     "number": label, "an integer" => number;
///     "square": integer, "its square" => square;
///     "half": real(1), "half of that" => f64::from(square) / 2.0;
/// });
/// assert_eq!(table.rows[2], [3u32.into(), 9u32.into(), 4.5.into()]);
/// ```
#[macro_export]
macro_rules! tabulate {
    ($name:expr, $title:expr, for $row:pat in $rows:expr => {
        $(let $part:pat = $init:expr;)*
        $($column:literal: $kind:ident $(($decimals:literal))?, $about:expr => $value:expr;)+
    }) => {{
        let columns = [$($crate::results::column::$kind($($decimals,)? $column, $about)),+];
        let mut table = $crate::results::Table::new($name, $title, &columns);
        for $row in $rows {
            $(let $part = $init;)*
            table.push(vec![$($crate::results::Cell::from($value)),+]);
        }
        table
    }};
}
