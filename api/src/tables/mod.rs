//! Tables as files: CSV, JSON, Parquet, and the manifest that describes them.

pub mod csv;
pub mod json;
pub mod manifest;
#[cfg(feature = "parquet")]
mod parquet;
#[cfg(feature = "storage")]
mod rows;

#[cfg(feature = "storage")]
pub use rows::write_rows;

use crate::{HasKind, Kind, Table};
use bsq_engine::monitor::SolveError;
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
    /// The build does not write Parquet.
    #[error("this build writes no Parquet")]
    NoParquet,
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
            WriteError::NoParquet => Kind::Usage,
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
pub fn write(to: impl Write + Send, table: &Table, format: FileFormat) -> Result<(), WriteError> {
    match format {
        FileFormat::Csv => Ok(csv::write(to, table)?),
        #[cfg(feature = "parquet")]
        FileFormat::Parquet => parquet::write(to, table),
        #[cfg(not(feature = "parquet"))]
        FileFormat::Parquet => Err(WriteError::NoParquet),
    }
}
