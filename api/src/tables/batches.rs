//! Batches of rows in the formats of files.
//!
//! An [`Encoder`] encodes batches on any thread, and a [`Writer`] appends the pieces in order.

use super::csv::truth;
use super::manifest::FileFormat;
use super::{WriteError, json};
#[cfg(feature = "columnar")]
use super::{arrow, parquet};
use bsq_analyses::{Column, ColumnType, Table, Values};
use bsq_engine::results::Series;
use std::io::Write;

/// The columns of a table in a format of files.
pub struct Encoder {
    columns: Vec<Column>,
    format: FileFormat,
    #[cfg(feature = "columnar")]
    layout: Layout,
}

/// What binary formats need besides the columns.
#[cfg(feature = "columnar")]
enum Layout {
    None,
    Parquet(parquet::Layout),
    Arrow(arrow::Layout),
}

/// An encoded batch.
pub enum Piece {
    /// Lines of text.
    Text(Vec<u8>),
    /// A row group of Parquet.
    #[cfg(feature = "columnar")]
    Group(parquet::Group),
    /// A record batch of Arrow.
    #[cfg(feature = "columnar")]
    Record(arrow::Record),
}

impl Piece {
    /// Its size in bytes.
    pub fn bytes(&self) -> u64 {
        match self {
            Piece::Text(text) => text.len() as u64,
            #[cfg(feature = "columnar")]
            Piece::Group(group) => group.bytes(),
            #[cfg(feature = "columnar")]
            Piece::Record(record) => record.bytes(),
        }
    }
}

impl Encoder {
    /// An encoder for batches of rows of a table, whose own rows are ignored. `batch` is any batch,
    /// such as one without rows: the types of the values are those of every batch. If `has_gaps`,
    /// every column may lack values in some rows; otherwise those that lack one in `batch`.
    ///
    /// # Errors
    ///
    /// If the build does not write the format.
    pub fn new(
        table: &Table,
        batch: &[Series],
        has_gaps: bool,
        format: FileFormat,
    ) -> Result<Encoder, WriteError> {
        let columns = table.columns.clone();
        #[cfg(feature = "columnar")]
        let layout = match format {
            FileFormat::Csv | FileFormat::JsonLines => Layout::None,
            FileFormat::Parquet => Layout::Parquet(parquet::Layout::new(table, batch, has_gaps)?),
            FileFormat::Arrow => Layout::Arrow(arrow::Layout::new(table, batch, has_gaps)),
        };
        #[cfg(not(feature = "columnar"))]
        if let FileFormat::Parquet | FileFormat::Arrow = format {
            return Err(WriteError::NotBuilt(format));
        }
        #[cfg(not(feature = "columnar"))]
        let _ = (batch, has_gaps);
        Ok(Encoder {
            columns,
            format,
            #[cfg(feature = "columnar")]
            layout,
        })
    }

    /// The number of rows of a batch: few for lines of text, and so many for binary formats that
    /// their readers skip parts, and read several at a time.
    pub fn batch_rows(&self) -> usize {
        match self.format {
            FileFormat::Csv | FileFormat::JsonLines => 1 << 14,
            FileFormat::Parquet | FileFormat::Arrow => 1 << 17,
        }
    }

    /// Encodes a batch of rows.
    ///
    /// # Errors
    ///
    /// If the values do not fit the format.
    pub fn encode(&self, batch: Vec<Series>) -> Result<Piece, WriteError> {
        #[cfg(feature = "columnar")]
        match &self.layout {
            Layout::None => {}
            Layout::Parquet(layout) => return Ok(Piece::Group(layout.encode(batch)?)),
            Layout::Arrow(layout) => return Ok(Piece::Record(layout.encode(batch)?)),
        }
        match self.format {
            FileFormat::JsonLines => Ok(Piece::Text(json::lines(&self.columns, &batch)?)),
            _ => Ok(Piece::Text(self.csv_lines(&batch)?)),
        }
    }

    fn csv_lines(&self, batch: &[Series]) -> Result<Vec<u8>, WriteError> {
        let rows = batch.first().map_or(0, |series| series.values.len());
        let mut csv = csv::Writer::from_writer(Vec::new());
        let mut digits = Digits::default();
        for row in 0..rows {
            for (series, Column { kind, .. }) in batch.iter().zip(&self.columns) {
                let is_present = series.has(row);
                csv.write_field(if is_present {
                    digits.field(&series.values, row, *kind)
                } else {
                    ""
                })?;
            }
            csv.write_record(None::<&[u8]>)?;
        }
        Ok(csv.into_inner().map_err(|error| error.into_error())?)
    }
}

/// Formats values.
#[derive(Default)]
pub(super) struct Digits {
    integer: itoa::Buffer,
    real: String,
}

impl Digits {
    /// The value of a row, with the digits that it has in CSV.
    pub fn field<'a>(&'a mut self, values: &'a Values, row: usize, kind: ColumnType) -> &'a str {
        match values {
            Values::Tiny(values) => self.integer.format(values[row]),
            Values::Integer(values) => self.integer.format(values[row]),
            Values::Long(values) => self.integer.format(values[row]),
            Values::Decimal(values) => self.integer.format(values[row]),
            Values::Real(values) => {
                let decimals = if let ColumnType::Real(decimals) = kind { decimals } else { 6 };
                self.real = format!("{:.decimals$}", values[row]);
                &self.real
            }
            Values::Truth(values) => truth(values[row]),
            Values::Text(texts) => texts.get(row),
        }
    }
}

/// A file of a table that is written batch by batch.
pub struct Writer<W: Write + Send>(Sink<W>);

enum Sink<W: Write + Send> {
    Text(W),
    #[cfg(feature = "columnar")]
    Parquet(parquet::File<W>),
    #[cfg(feature = "columnar")]
    Arrow(arrow::File<W>),
}

impl<W: Write + Send> Writer<W> {
    /// Begins a file. That of CSV begins with the names of the columns.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn begin(encoder: &Encoder, mut to: W) -> Result<Writer<W>, WriteError> {
        #[cfg(feature = "columnar")]
        match &encoder.layout {
            Layout::None => {}
            Layout::Parquet(layout) => return Ok(Writer(Sink::Parquet(layout.begin(to)?))),
            Layout::Arrow(layout) => return Ok(Writer(Sink::Arrow(layout.begin(to)?))),
        }
        if encoder.format == FileFormat::Csv {
            let mut header = csv::Writer::from_writer(Vec::new());
            header.write_record(encoder.columns.iter().map(|column| &*column.name))?;
            to.write_all(&header.into_inner().map_err(|error| error.into_error())?)?;
        }
        Ok(Writer(Sink::Text(to)))
    }

    /// Appends a batch.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn append(&mut self, piece: Piece) -> Result<(), WriteError> {
        match (&mut self.0, piece) {
            (Sink::Text(to), Piece::Text(text)) => Ok(to.write_all(&text)?),
            #[cfg(feature = "columnar")]
            (Sink::Parquet(file), Piece::Group(group)) => Ok(group.append_to(file)?),
            #[cfg(feature = "columnar")]
            (Sink::Arrow(file), Piece::Record(record)) => Ok(record.append_to(file)?),
            #[cfg(feature = "columnar")]
            _ => unreachable!("the encoder has the format of the file"),
        }
    }

    /// Passes on what was appended, in formats of text.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn flush(&mut self) -> Result<(), WriteError> {
        match &mut self.0 {
            Sink::Text(to) => Ok(to.flush()?),
            #[cfg(feature = "columnar")]
            Sink::Parquet(_) | Sink::Arrow(_) => Ok(()),
        }
    }

    /// Writes the end of the file, and returns what it was written to.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn finish(self) -> Result<W, WriteError> {
        match self.0 {
            Sink::Text(to) => Ok(to),
            #[cfg(feature = "columnar")]
            Sink::Parquet(file) => Ok(file.into_inner()?),
            #[cfg(feature = "columnar")]
            Sink::Arrow(file) => Ok(file.into_inner()?),
        }
    }
}
