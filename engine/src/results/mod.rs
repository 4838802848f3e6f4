//! Results of jobs: tables with typed columns.

pub mod column;
mod values;

pub use column::{Column, ColumnType};
pub use values::{MOST_DIGITS, Series, Texts, Values};

use num_bigint::{BigInt, BigUint};
use std::borrow::Cow;

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
    /// No value: there is none, or it is unknown.
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
    Integer: BigInt, BigUint, u32, u64, u128, usize, i32;
    Real: f64;
    Text: &str, String;
    Truth: bool;
}

impl<T: Into<Cell>> From<Option<T>> for Cell {
    fn from(value: Option<T>) -> Cell {
        value.map_or(Cell::Empty, Into::into)
    }
}

/// A drawing as lines of text, such as a map of the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawing {
    /// The lines.
    pub text: String,
    /// Whether the drawing contains all values of the table.
    pub is_complete: bool,
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
    /// The columns that matter most, for readers with little room; all of them if empty.
    pub main_columns: Vec<Cow<'static, str>>,
    /// A drawing of what the table is about.
    pub drawing: Option<Drawing>,
    /// A remark, in a sentence or two.
    pub note: Option<String>,
    /// The sums over all rows, or over those with the same values of the other key columns.
    pub total: Option<Box<Table>>,
}

impl Table {
    /// Creates a table without rows.
    pub fn new(name: &str, title: &str, columns: &[Column]) -> Table {
        Table {
            name: name.to_string(),
            title: title.to_string(),
            columns: columns.to_vec(),
            rows: Vec::new(),
            main_columns: Vec::new(),
            drawing: None,
            note: None,
            total: None,
        }
    }

    /// Sets the [main columns](Table::main_columns).
    pub fn set_main_columns<T: Into<Cow<'static, str>>>(
        &mut self,
        names: impl IntoIterator<Item = T>,
    ) {
        self.main_columns = names.into_iter().map(Into::into).collect();
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

    /// Adds the columns of a table with as many rows at the end.
    ///
    /// # Panics
    ///
    /// Panics if the numbers of rows differ.
    pub fn beside(mut self, other: Table) -> Table {
        assert_eq!(self.rows.len(), other.rows.len(), "rows of {}", self.name);
        self.columns.extend(other.columns);
        self.rows.iter_mut().zip(other.rows).for_each(|(row, more)| row.extend(more));
        self
    }

    /// Whether there is a column of that name with a value in some row.
    pub fn has_values(&self, name: &str) -> bool {
        let at = self.columns.iter().position(|column| column.name == name);
        at.is_some_and(|at| self.is_filled(at))
    }

    /// Whether a column has a value in some row.
    fn is_filled(&self, at: usize) -> bool {
        self.rows.iter().any(|row| row[at] != Cell::Empty)
    }

    /// The table without the columns of some names.
    pub fn without_columns(self, names: &[&str]) -> Table {
        let is_kept = |&at: &usize| !names.contains(&&*self.columns[at].name);
        let kept: Vec<usize> = (0..self.columns.len()).filter(is_kept).collect();
        self.with_columns(&kept)
    }

    /// The table without the columns that have no value in any row.
    pub fn without_empty_columns(self) -> Table {
        let kept: Vec<usize> = (0..self.columns.len()).filter(|&at| self.is_filled(at)).collect();
        if self.rows.is_empty() { self } else { self.with_columns(&kept) }
    }

    fn with_columns(self, kept: &[usize]) -> Table {
        let columns = kept.iter().map(|&at| self.columns[at].clone()).collect();
        let row = |row: &Vec<Cell>| kept.iter().map(|&at| row[at].clone()).collect();
        Table { columns, rows: self.rows.iter().map(row).collect(), ..self }
    }

    /// Moves the rows that are sums over some columns, which are empty in them, to the
    /// [`total`](Table::total), which does not have these columns.
    ///
    /// ```
    /// let rows = [(Some(1u32), 5u32), (Some(2), 6), (None, 11)];
    /// let table = bsq_engine::tabulate!("states", "States", for (turn, states) in rows => {
    ///     "turn": integer key, "number of the turn" => turn;
    ///     "states": integer, "states of that turn" => states;
    /// });
    /// let table = table.total_over(&["turn"]);
    /// assert_eq!(table.rows.len(), 2);
    /// let total = table.total.unwrap();
    /// assert_eq!((total.name.as_str(), &total.rows), ("states_total", &vec![vec![11u32.into()]]));
    /// ```
    pub fn total_over(mut self, columns: &[&str]) -> Table {
        let all = 0..self.columns.len();
        let (over, kept): (Vec<usize>, Vec<usize>) =
            all.partition(|&at| columns.contains(&&*self.columns[at].name));
        let is_total = |row: &Vec<Cell>| over.iter().all(|&at| row[at] == Cell::Empty);
        let (totals, rows) = std::mem::take(&mut self.rows).into_iter().partition(is_total);
        self.rows = rows;
        self.with_total(totals, &kept)
    }

    /// The table with a [`total`](Table::total) of one row: the sums of its columns of integers that
    /// are no part of the key.
    ///
    /// ```
    /// let table = bsq_engine::tabulate!("states", "States", for turn in 1u32..=3 => {
    ///     "turn": integer key, "number of the turn" => turn;
    ///     "player": text, "who is to move" => if turn % 2 == 1 { "first" } else { "second" };
    ///     "states": integer, "states of that turn" => 10 * turn;
    /// });
    /// let total = table.with_sums().total.unwrap();
    /// assert_eq!((&*total.columns[0].name, &total.rows), ("states", &vec![vec![60u32.into()]]));
    /// ```
    pub fn with_sums(self) -> Table {
        let is_summed = |column: &Column| column.kind == ColumnType::Integer && !column.is_key;
        let summed: Vec<usize> =
            (0..self.columns.len()).filter(|&at| is_summed(&self.columns[at])).collect();
        let sum = |at: usize| -> BigInt {
            let numbers = self.rows.iter().filter_map(|row| match &row[at] {
                Cell::Integer(number) => Some(number),
                _ => None,
            });
            numbers.sum()
        };
        let sums = (0..self.columns.len())
            .map(|at| if summed.contains(&at) { Cell::Integer(sum(at)) } else { Cell::Empty })
            .collect();
        self.with_total(vec![sums], &summed)
    }

    /// The table with a total of some rows, which has only some of the columns.
    fn with_total(mut self, rows: Vec<Vec<Cell>>, kept: &[usize]) -> Table {
        let joint = if self.name.contains('-') { '-' } else { '_' };
        let (name, title) =
            (format!("{}{joint}total", self.name), format!("{}, in total", self.title));
        let total = Table { rows, ..Table::new(&name, &title, &self.columns) };
        self.total = Some(Box::new(total.with_columns(kept)));
        self
    }
}

/// Makes a [`Table`](crate::results::Table) of its name, its title, and rows: each column has its
/// [type](crate::results::column), its description, and its value in a row. The word `key` marks the
/// columns of the primary key.
///
/// ```
/// let table = bsq_engine::tabulate!("squares", "Squares", for number in 1u32..=3 => {
///     let square = number * number;
///     "number": integer key, "an integer" => number;
///     "square": integer, "its square" => square;
///     "half": real(1), "half of that" => f64::from(square) / 2.0;
/// });
/// assert_eq!(table.rows[2], [3u32.into(), 9u32.into(), 4.5.into()]);
/// ```
#[macro_export]
macro_rules! tabulate {
    ($name:expr, $title:expr, for $row:pat in $rows:expr => {
        $(let $part:pat = $init:expr;)*
        $(
            $column:literal: $kind:ident $(($decimals:literal))? $($key:ident)?, $about:expr
                => $value:expr;
        )+
    }) => {{
        let columns =
            [$($crate::results::column::$kind($($decimals,)? $column, $about)$(.$key())?),+];
        let mut table = $crate::results::Table::new($name, $title, &columns);
        for $row in $rows {
            $(let $part = $init;)*
            table.push(vec![$($crate::results::Cell::from($value)),+]);
        }
        table
    }};
}
