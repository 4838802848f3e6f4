//! Why a chart cannot be drawn.

/// The reason why a chart cannot be drawn. Lines are those of the CSV file, or numbers of rows.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlotError {
    /// A column of the chart does not exist.
    #[error("table '{table}' has no column '{name}', which its chart shows")]
    NoColumn {
        /// The table.
        table: String,
        /// The column.
        name: String,
    },
    /// A cell is not a number that can be drawn.
    #[error("{0} is not a number that can be drawn")]
    NoNumber(Place),
    /// A cell does not name a place on a board.
    #[error("{0} is neither a cell such as c2, nor a line such as a1-b1, nor a move such as b3b2")]
    NoPlace(Place),
    /// No row of a table remains.
    #[error("there is nothing to draw: no row of '{0}' has a value")]
    NoRows(String),
    /// No value has a place on logarithmic axes.
    #[error(
        "there is nothing to draw: all values of '{0}' are left out, because a logarithmic axis has no 0"
    )]
    NotAboveZero(String),
    /// Too many marks, series, panels or cells at a side, and the limit.
    #[error("{count} {what} are too many for a picture; the limit is {most}")]
    TooMany {
        /// What there is too much of.
        what: &'static str,
        /// Its number.
        count: usize,
        /// The limit.
        most: usize,
    },
    /// Two lines have a value for the same place.
    #[error("lines {} and {} both have a value for {place}", lines[0], lines[1])]
    Twice {
        /// The place.
        place: String,
        /// The lines.
        lines: [u64; 2],
    },
}

impl PlotError {
    /// Returns an error if there is more of something than a limit.
    pub fn limit(what: &'static str, count: usize, most: usize) -> Result<(), PlotError> {
        if count > most { Err(PlotError::TooMany { what, count, most }) } else { Ok(()) }
    }
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
