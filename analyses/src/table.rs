//! Tables of rows: what every pass makes and every writer takes.

use num_bigint::BigInt;

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Integers of any size.
    Integer,
    /// Integers that name the row, and the word `all` where it is a total.
    Label,
    /// Real numbers with that many decimals.
    Real(usize),
    /// Shares between 0 and 1, with six decimals; people read them as percentages.
    Share,
    /// Words.
    Text,
    /// Yes or no.
    Truth,
}

/// One column: its name is stable, its description a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// The name in CSV, JSON and manifests: lower case, words joined by `_`.
    pub name: &'static str,
    /// What its values are.
    pub kind: Kind,
    /// What they mean, with the unit.
    pub description: &'static str,
}

/// One value.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// An integer of any size.
    Integer(BigInt),
    /// A real number or a share.
    Real(f64),
    /// A word or a sentence.
    Text(String),
    /// Yes or no.
    Truth(bool),
    /// No value: the question does not arise in this row.
    Empty,
}

impl From<BigInt> for Cell {
    fn from(value: BigInt) -> Cell {
        Cell::Integer(value)
    }
}

impl From<num_bigint::BigUint> for Cell {
    fn from(value: num_bigint::BigUint) -> Cell {
        Cell::Integer(value.into())
    }
}

macro_rules! integer_cells {
    ($($from:ty),*) => {$(
        impl From<$from> for Cell {
            fn from(value: $from) -> Cell {
                Cell::Integer(value.into())
            }
        }
    )*};
}
integer_cells!(u32, u64, usize, i32);

impl From<f64> for Cell {
    fn from(value: f64) -> Cell {
        Cell::Real(value)
    }
}

impl From<&str> for Cell {
    fn from(value: &str) -> Cell {
        Cell::Text(value.to_string())
    }
}

impl From<String> for Cell {
    fn from(value: String) -> Cell {
        Cell::Text(value)
    }
}

impl From<bool> for Cell {
    fn from(value: bool) -> Cell {
        Cell::Truth(value)
    }
}

impl<T: Into<Cell>> From<Option<T>> for Cell {
    fn from(value: Option<T>) -> Cell {
        value.map_or(Cell::Empty, Into::into)
    }
}

/// A table: named, described, typed.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// The name of its file, without ending.
    pub name: String,
    /// What it answers, as a heading.
    pub title: String,
    /// The columns, in order.
    pub columns: Vec<Column>,
    /// The rows, each with a cell for every column.
    pub rows: Vec<Vec<Cell>>,
    /// The columns that a screen has room for; all of them if empty.
    pub screen: Vec<&'static str>,
    /// What a reader of the table on a screen wants to see before it, such as a map.
    pub picture: Option<String>,
    /// Whether the picture says all that the rows say.
    pub picture_only: bool,
    /// What a reader should know besides, in a sentence or two.
    pub note: Option<String>,
}

impl Table {
    /// A table without rows.
    pub fn new(name: &str, title: &str, columns: &[(&'static str, Kind, &'static str)]) -> Table {
        let column = |&(name, kind, description): &_| Column { name, kind, description };
        Table {
            name: name.to_string(),
            title: title.to_string(),
            columns: columns.iter().map(column).collect(),
            rows: Vec::new(),
            screen: Vec::new(),
            picture: None,
            picture_only: false,
            note: None,
        }
    }

    /// Adds a row, a cell for every column.
    pub fn push(&mut self, row: Vec<Cell>) {
        assert_eq!(row.len(), self.columns.len(), "a cell for every column of {}", self.name);
        self.rows.push(row);
    }
}
