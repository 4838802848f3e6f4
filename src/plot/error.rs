//! Why a chart cannot be drawn.

use super::drawing::SERIES;

/// The reason why a chart cannot be drawn. Lines are those of the CSV file, or numbers of rows.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlotError {
    /// A column does not exist.
    #[error("there is no column '{name}' for {asked}; there are {columns}{suggestion}")]
    NoColumn {
        /// The flag that names it.
        asked: &'static str,
        /// Its name.
        name: String,
        /// The nearest name, as the end of a sentence.
        suggestion: String,
        /// The names of the columns.
        columns: String,
    },
    /// A cell is not a number.
    #[error("{0} is no number, and only numbers can be drawn")]
    NoNumber(Place),
    /// A cell does not name a place on a board.
    #[error("{0} is no cell such as c2, and no line such as a1-b1")]
    NoPlace(Place),
    /// No row of a table remains.
    #[error(
        "there is nothing to draw: no row of '{table}' has a value and fits what was asked for (rows that are a total, 'all', are left out)"
    )]
    NoRows {
        /// The table.
        table: String,
    },
    /// No value is above 0.
    #[error("no value is above 0, and a logarithmic axis has room for such alone; leave --log out")]
    NoLog,
    /// A column has more values than there are colours.
    #[error("'{by}' makes {count} different colours; at most {SERIES} can be told apart")]
    ManySeries {
        /// The column.
        by: String,
        /// The number of values.
        count: usize,
    },
    /// Too many bars, and the limit.
    #[error(
        "{0} bars are too many to be seen, {1} are the most; --kind lines or points has room for more"
    )]
    ManyBars(usize, usize),
    /// Too many values, and the limit.
    #[error("{0} values are too many for a picture, {1} are the most")]
    ManyMarks(usize, usize),
    /// Too many rows or columns of a map, and the limit.
    #[error("a map with {0} squares at a side is too large, {1} are the most")]
    LargeMap(usize, usize),
    /// Too many maps or boards, and the limit.
    #[error("{0} boards are too many for a picture, {1} are the most")]
    ManyPanels(usize, usize),
    /// Two lines have a value for the same place.
    #[error("lines {} and {} are both about {place}, where there is room for one value; --only COLUMN=VALUE takes some rows, --by COLUMN gives them colours of their own", lines[0], lines[1])]
    Twice {
        /// The place.
        place: String,
        /// The lines.
        lines: [u64; 2],
    },
    /// A map of the given number of columns instead of one.
    #[error(
        "a map takes one column for --y, its rows, and not {0}; --by is the column with the values"
    )]
    OneSide(usize),
    /// A map without a column of values.
    #[error("a map needs --by COLUMN, the column with the values")]
    NoValue,
}

/// A cell of a table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column '{column}': '{text}'")]
pub struct Place {
    /// Its text.
    pub text: String,
    /// Its column.
    pub column: String,
    /// Its line.
    pub line: u64,
}
