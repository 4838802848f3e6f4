//! Parquet output: typed columns, a row group for each batch.

use super::WriteError;
use bsq_analyses::{Table, Texts, Values};
use bsq_engine::results::{MOST_DIGITS, Series};
use bytes::Bytes;
use parquet::basic::{Compression, Encoding, LogicalType, Repetition, Type as Physical, ZstdLevel};
use parquet::column::writer::{ColumnCloseResult, ColumnWriter, get_column_writer};
use parquet::data_type::{ByteArray, FixedLenByteArray};
use parquet::errors::ParquetError;
use parquet::file::properties::{WriterProperties, WriterPropertiesPtr};
use parquet::file::writer::{SerializedFileWriter, SerializedPageWriter, TrackedWrite};
use parquet::schema::types::{ColumnDescPtr, ColumnPath, SchemaDescriptor, Type};
use std::io::{self, Write};
use std::sync::Arc;

/// The bytes of a decimal number.
const DECIMAL_BYTES: usize = 16;

/// A file.
pub type File<W> = SerializedFileWriter<W>;

impl From<ParquetError> for WriteError {
    /// An external error is that of the file.
    fn from(error: ParquetError) -> WriteError {
        match error {
            ParquetError::External(error) => match error.downcast::<io::Error>() {
                Ok(error) => WriteError::Io(*error),
                Err(error) => WriteError::Format(error.to_string()),
            },
            error => WriteError::Format(error.to_string()),
        }
    }
}

/// The physical and the logical type of values.
fn types(values: &Values) -> (Physical, Option<LogicalType>) {
    match values {
        Values::Tiny(_) => (Physical::INT32, Some(LogicalType::integer(8, true))),
        Values::Integer(_) => (Physical::INT32, Some(LogicalType::integer(32, true))),
        Values::Long(_) => (Physical::INT64, Some(LogicalType::integer(64, true))),
        Values::Decimal(_) => {
            (Physical::FIXED_LEN_BYTE_ARRAY, Some(LogicalType::decimal(0, MOST_DIGITS as i32)))
        }
        Values::Real(_) => (Physical::DOUBLE, None),
        Values::Truth(_) => (Physical::BOOLEAN, None),
        Values::Text(_) => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
    }
}

/// The parameters common to all groups.
pub(super) struct Layout {
    schema: Arc<Type>,
    columns: Vec<ColumnDescPtr>,
    properties: WriterPropertiesPtr,
}

impl Layout {
    /// The columns are typed. 32-bit integers are delta-encoded, all others use a dictionary. Pages
    /// are compressed.
    ///
    /// The types are those of a batch. If `has_gaps`, every column may lack values; otherwise those
    /// that do in the batch.
    pub fn new(table: &Table, batch: &[Series], has_gaps: bool) -> Result<Layout, ParquetError> {
        let mut fields = Vec::new();
        let mut properties =
            WriterProperties::builder().set_compression(Compression::ZSTD(ZstdLevel::try_new(1)?));
        for (column, Series { values, present }) in table.columns.iter().zip(batch) {
            let (physical, logical) = types(values);
            let is_optional = has_gaps || present.is_some();
            let mut field = Type::primitive_type_builder(&column.name, physical)
                .with_repetition(if is_optional {
                    Repetition::OPTIONAL
                } else {
                    Repetition::REQUIRED
                })
                .with_logical_type(logical);
            if let Values::Decimal(_) = values {
                field = field.with_length(DECIMAL_BYTES as i32);
                field = field.with_precision(MOST_DIGITS as i32).with_scale(0);
            }
            fields.push(Arc::new(field.build()?));
            if let Values::Integer(_) = values {
                let column = ColumnPath::from(&*column.name);
                properties = properties
                    .set_column_dictionary_enabled(column.clone(), false)
                    .set_column_encoding(column, Encoding::DELTA_BINARY_PACKED);
            }
        }
        let schema = Arc::new(Type::group_type_builder(&table.name).with_fields(fields).build()?);
        let columns = SchemaDescriptor::new(schema.clone()).columns().to_vec();
        Ok(Layout { schema, columns, properties: Arc::new(properties.build()) })
    }

    /// Begins a file.
    pub fn begin<W: Write + Send>(&self, to: W) -> Result<File<W>, ParquetError> {
        SerializedFileWriter::new(to, self.schema.clone(), self.properties.clone())
    }

    /// Encodes a batch of rows as a row group.
    pub fn encode(&self, batch: Vec<Series>) -> Result<Group, ParquetError> {
        let columns = self.columns.iter().zip(batch);
        let columns = columns.map(|(column, series)| {
            let mut bytes = TrackedWrite::new(Vec::new());
            let pages = Box::new(SerializedPageWriter::new(&mut bytes));
            let mut writer = get_column_writer(column.clone(), self.properties.clone(), pages);
            let is_optional = column.max_def_level() > 0;
            write_column(&mut writer, series, is_optional)?;
            let closed = writer.close()?;
            Ok((bytes.into_inner()?.into(), closed))
        });
        Ok(Group(columns.collect::<Result<_, ParquetError>>()?))
    }
}

/// An encoded row group, column by column.
pub struct Group(Vec<(Bytes, ColumnCloseResult)>);

impl Group {
    /// The size of the pages in bytes.
    pub fn bytes(&self) -> u64 {
        self.0.iter().map(|(bytes, _)| bytes.len() as u64).sum()
    }

    /// Appends the row group to a file.
    pub fn append_to<W: Write + Send>(self, file: &mut File<W>) -> Result<(), ParquetError> {
        let mut group = file.next_row_group()?;
        for (bytes, closed) in self.0 {
            group.append_column(&bytes, closed)?;
        }
        group.close().map(drop)
    }
}

/// Writes the values that are present, and whether each row has one if the column `is_optional`.
fn write_column(
    writer: &mut ColumnWriter,
    Series { values, present }: Series,
    is_optional: bool,
) -> Result<(), ParquetError> {
    use ColumnWriter::*;
    let rows = values.len();
    let levels = is_optional.then(|| match &present {
        Some(present) => present.iter().map(|&is_present| i16::from(is_present)).collect(),
        None => vec![1; rows],
    });
    let levels: Option<&[i16]> = levels.as_deref();
    let present = present.as_deref();
    match (writer, values) {
        (Int32ColumnWriter(writer), Values::Tiny(values)) => {
            let values = only_present(values, present).into_iter().map(i32::from);
            writer.write_batch(&values.collect::<Vec<_>>(), levels, None)
        }
        (Int32ColumnWriter(writer), Values::Integer(values)) => {
            writer.write_batch(&only_present(values, present), levels, None)
        }
        (Int64ColumnWriter(writer), Values::Long(values)) => {
            writer.write_batch(&only_present(values, present), levels, None)
        }
        (FixedLenByteArrayColumnWriter(writer), Values::Decimal(values)) => {
            let values = only_present(values, present).into_iter();
            let values = values.map(|value| value.to_be_bytes().to_vec().into());
            writer.write_batch(&values.collect::<Vec<FixedLenByteArray>>(), levels, None)
        }
        (DoubleColumnWriter(writer), Values::Real(values)) => {
            writer.write_batch(&only_present(values, present), levels, None)
        }
        (BoolColumnWriter(writer), Values::Truth(values)) => {
            writer.write_batch(&only_present(values, present), levels, None)
        }
        (ByteArrayColumnWriter(writer), Values::Text(texts)) => {
            writer.write_batch(&only_present(byte_arrays(&texts), present), levels, None)
        }
        _ => unreachable!("a column has the same kind of values in every batch"),
    }
    .map(drop)
}

fn only_present<T>(values: Vec<T>, present: Option<&[bool]>) -> Vec<T> {
    let Some(present) = present else { return values };
    values
        .into_iter()
        .zip(present)
        .filter(|(_, is_present)| **is_present)
        .map(|(value, _)| value)
        .collect()
}

fn byte_arrays(texts: &Texts) -> Vec<ByteArray> {
    let joined = Bytes::copy_from_slice(texts.joined().as_bytes());
    texts.ranges().map(|range| ByteArray::from(joined.slice(range))).collect()
}
