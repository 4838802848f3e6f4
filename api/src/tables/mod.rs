//! Tables as files: CSV, JSON, Parquet, Arrow, and the manifest that describes them.

#[cfg(feature = "columnar")]
mod arrow;
mod batches;
pub mod csv;
pub mod json;
pub mod manifest;
#[cfg(feature = "columnar")]
mod parquet;
#[cfg(feature = "storage")]
mod rows;

#[cfg(feature = "columnar")]
pub use arrow::Layout as ArrowLayout;
pub use batches::{Encoder, Piece, Writer};
#[cfg(feature = "storage")]
pub use rows::{StreamError, write_rows, write_stream};

use crate::{HasKind, Kind, Table};
use bsq_analyses::{Cell, Column};
use bsq_engine::monitor::SolveError;
use bsq_engine::results::Series;
#[cfg(feature = "storage")]
use bsq_engine::storage::disk::DiskFull;
use manifest::FileFormat;
use std::io::{self, Write};

/// Why a table is not written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The file cannot be written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The values do not fit the format.
    #[error("{0}")]
    Format(String),
    /// The build does not write the format.
    #[error("this build writes no {0}")]
    NotBuilt(FileFormat),
    /// The file does not fit on its disk.
    #[cfg(feature = "storage")]
    #[error(transparent)]
    Disk(#[from] DiskFull),
    /// The caller cancelled the job.
    #[error(transparent)]
    Stopped(#[from] SolveError),
}

impl HasKind for WriteError {
    fn kind(&self) -> Kind {
        match self {
            WriteError::Io(_) | WriteError::Format(_) => Kind::Failed,
            WriteError::NotBuilt(_) => Kind::Usage,
            #[cfg(feature = "storage")]
            WriteError::Disk(error) => error.kind(),
            WriteError::Stopped(error) => error.kind(),
        }
    }
}

impl From<::csv::Error> for WriteError {
    fn from(error: ::csv::Error) -> WriteError {
        match error.into_kind() {
            ::csv::ErrorKind::Io(error) => WriteError::Io(error),
            kind => WriteError::Format(format!("{kind:?}")),
        }
    }
}

/// Writes a table as a file.
///
/// # Errors
///
/// If the table cannot be written, or the build does not write the format.
///
/// ```
/// use bsq_api::tables::manifest::FileFormat;
/// use bsq_api::{Table, tables};
///
/// let table = Table::new("squares", "Squares", &[bsq_analyses::column::integer("n", "a number")]);
/// let mut file = Vec::new();
/// tables::write(&mut file, &table, FileFormat::Csv).unwrap();
/// assert_eq!(file, b"n\n");
/// ```
pub fn write(
    mut to: impl Write + Send,
    table: &Table,
    format: FileFormat,
) -> Result<(), WriteError> {
    match format {
        FileFormat::Csv => Ok(csv::write(to, table)?),
        FileFormat::JsonLines => {
            for row in json::rows(table) {
                writeln!(to, "{row}")?;
            }
            Ok(())
        }
        FileFormat::Parquet | FileFormat::Arrow => {
            let columns = series_of(table);
            let encoder = Encoder::new(table, &columns, false, format)?;
            let mut file = Writer::begin(&encoder, to)?;
            file.append(encoder.encode(columns)?)?;
            file.finish().map(drop)
        }
    }
}

/// The columns of a table. Real numbers have the same digits as in CSV.
pub fn series_of(table: &Table) -> Vec<Series> {
    let series = |(at, column): (usize, &Column)| {
        let cells: Vec<&Cell> = table.rows.iter().map(|row| &row[at]).collect();
        Series::of_cells(column.kind, &cells, |cell| csv::text(cell, column.kind))
    };
    table.columns.iter().enumerate().map(series).collect()
}
