//! Parquet output: typed columns, a row group for each batch.

use super::manifest::{MOST_DIGITS, digits};
use super::rows::{Batches, Piece};
use super::{WriteError, csv};
use bsq_analyses::{Cell, ColumnType, Table, Texts, Values};
use bytes::Bytes;
use num_bigint::BigInt;
use parquet::basic::{Compression, Encoding, LogicalType, Repetition, Type as Physical, ZstdLevel};
use parquet::column::writer::{ColumnCloseResult, ColumnWriter, get_column_writer};
use parquet::data_type::{ByteArray, FixedLenByteArray};
use parquet::errors::ParquetError;
use parquet::file::properties::{WriterProperties, WriterPropertiesPtr};
use parquet::file::writer::{SerializedFileWriter, SerializedPageWriter, TrackedWrite};
use parquet::schema::types::{ColumnDescPtr, ColumnPath, SchemaDescriptor, Type};
use std::io::{self, Write};
use std::sync::Arc;

/// The rows of a group: few enough for readers to process groups in parallel and to skip some.
const GROUP: usize = 1 << 17;
/// The bytes of a decimal number.
const DECIMAL_BYTES: usize = 16;

/// Writes the rows of an export.
pub(super) fn write_rows<W: Write + Send>(
    to: W,
    table: &Table,
    batches: &Batches,
) -> Result<W, WriteError> {
    let columns = |batch: Vec<Values>| batch.into_iter().map(Column::from).collect::<Vec<_>>();
    let layout = Layout::new(table, &columns(batches.columns()))?;
    let mut file = layout.begin(to)?;
    let encode = |batch| Ok(Group::encode(&layout, columns(batch))?);
    batches.pass_on(GROUP, encode, |group| Ok(group.append_to(&mut file)?))?;
    Ok(file.into_inner()?)
}

/// Writes a table. Integers have the smallest type that fits all values of their column.
pub(super) fn write<W: Write + Send>(to: W, table: &Table) -> Result<(), WriteError> {
    let columns = table.columns.iter().enumerate();
    let columns = columns.map(|(at, column)| {
        Column::of(column.kind, &table.rows.iter().map(|row| &row[at]).collect::<Vec<_>>())
    });
    let columns: Vec<Column> = columns.collect();
    let layout = Layout::new(table, &columns)?;
    let mut file = layout.begin(to)?;
    Group::encode(&layout, columns)?.append_to(&mut file)?;
    file.close()?;
    Ok(())
}

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

/// A column of a group.
struct Column {
    data: Data,
    /// 1 for each row with a value, 0 for the others; `None` if all rows have values.
    levels: Option<Vec<i16>>,
}

/// The values of a column.
enum Data {
    Integer8(Vec<i32>),
    Integer32(Vec<i32>),
    Integer64(Vec<i64>),
    Decimal(Vec<FixedLenByteArray>),
    Real(Vec<f64>),
    Truth(Vec<bool>),
    Text(Vec<ByteArray>),
}

impl From<Values> for Column {
    fn from(values: Values) -> Column {
        let data = match values {
            Values::Tiny(values) => Data::Integer8(values.into_iter().map(i32::from).collect()),
            Values::Integer(values) => Data::Integer32(values),
            Values::Truth(values) => Data::Truth(values),
            Values::Text(texts) => Data::Text(byte_arrays(texts)),
        };
        Column { data, levels: None }
    }
}

impl Column {
    fn of(kind: ColumnType, cells: &[&Cell]) -> Column {
        let values: Vec<&Cell> =
            cells.iter().copied().filter(|cell| **cell != Cell::Empty).collect();
        let levels = cells.iter().map(|cell| i16::from(**cell != Cell::Empty));
        let levels = (values.len() < cells.len()).then(|| levels.collect());
        let text = |cell: &&Cell| csv::text(cell, kind);
        let data = match kind {
            ColumnType::Integer => Data::of_integers(&values),
            ColumnType::Truth => {
                Data::Truth(values.iter().map(|it| **it == Cell::Truth(true)).collect())
            }
            ColumnType::Text => {
                Data::Text(values.iter().map(|it| text(it).into_bytes().into()).collect())
            }
            // The same digits as in CSV.
            ColumnType::Real(_) | ColumnType::Share => {
                Data::Real(values.iter().map(|it| text(it).parse().unwrap_or(f64::NAN)).collect())
            }
        };
        Column { data, levels }
    }
}

impl Data {
    fn of_integers(cells: &[&Cell]) -> Data {
        let numbers = cells.iter().filter_map(|cell| match cell {
            Cell::Integer(number) => Some(number),
            _ => None,
        });
        let numbers: Vec<&BigInt> = numbers.collect();
        if let Ok(numbers) = numbers.iter().map(|&number| i32::try_from(number)).collect() {
            return Data::Integer32(numbers);
        }
        if let Ok(numbers) = numbers.iter().map(|&number| i64::try_from(number)).collect() {
            return Data::Integer64(numbers);
        }
        let decimal = |number: &&BigInt| {
            let number = i128::try_from(*number)
                .ok()
                .filter(|_| digits(number.magnitude()) <= MOST_DIGITS)?;
            Some(FixedLenByteArray::from(number.to_be_bytes().to_vec()))
        };
        match numbers.iter().map(decimal).collect() {
            Some(numbers) => Data::Decimal(numbers),
            None => {
                Data::Text(numbers.iter().map(|it| it.to_string().into_bytes().into()).collect())
            }
        }
    }

    fn types(&self) -> (Physical, Option<LogicalType>) {
        match self {
            Data::Integer8(_) => (Physical::INT32, Some(LogicalType::integer(8, true))),
            Data::Integer32(_) => (Physical::INT32, Some(LogicalType::integer(32, true))),
            Data::Integer64(_) => (Physical::INT64, Some(LogicalType::integer(64, true))),
            Data::Decimal(_) => {
                (Physical::FIXED_LEN_BYTE_ARRAY, Some(LogicalType::decimal(0, MOST_DIGITS as i32)))
            }
            Data::Real(_) => (Physical::DOUBLE, None),
            Data::Truth(_) => (Physical::BOOLEAN, None),
            Data::Text(_) => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        }
    }
}

/// The parameters common to all groups.
struct Layout {
    schema: Arc<Type>,
    columns: Vec<ColumnDescPtr>,
    properties: WriterPropertiesPtr,
}

impl Layout {
    /// The columns are typed. 32-bit integers are delta-encoded, all others use a dictionary. Pages
    /// are compressed.
    fn new(table: &Table, columns: &[Column]) -> Result<Layout, ParquetError> {
        let mut fields = Vec::new();
        let mut properties =
            WriterProperties::builder().set_compression(Compression::ZSTD(ZstdLevel::try_new(1)?));
        for (column, Column { data, levels }) in table.columns.iter().zip(columns) {
            let (physical, logical) = data.types();
            let mut field = Type::primitive_type_builder(column.name, physical)
                .with_repetition(match levels {
                    Some(_) => Repetition::OPTIONAL,
                    None => Repetition::REQUIRED,
                })
                .with_logical_type(logical);
            if let Data::Decimal(_) = data {
                field = field.with_length(DECIMAL_BYTES as i32);
                field = field.with_precision(MOST_DIGITS as i32).with_scale(0);
            }
            fields.push(Arc::new(field.build()?));
            if let Data::Integer32(_) = data {
                let column = ColumnPath::from(column.name);
                properties = properties
                    .set_column_dictionary_enabled(column.clone(), false)
                    .set_column_encoding(column, Encoding::DELTA_BINARY_PACKED);
            }
        }
        let schema = Arc::new(Type::group_type_builder(&table.name).with_fields(fields).build()?);
        let columns = SchemaDescriptor::new(schema.clone()).columns().to_vec();
        Ok(Layout { schema, columns, properties: Arc::new(properties.build()) })
    }

    fn begin<W: Write + Send>(&self, to: W) -> Result<SerializedFileWriter<W>, ParquetError> {
        SerializedFileWriter::new(to, self.schema.clone(), self.properties.clone())
    }
}

/// An encoded row group, column by column.
struct Group(Vec<(Bytes, ColumnCloseResult)>);

impl Piece for Group {
    fn bytes(&self) -> u64 {
        self.0.iter().map(|(bytes, _)| bytes.len() as u64).sum()
    }
}

impl Group {
    fn encode(layout: &Layout, batch: Vec<Column>) -> Result<Group, ParquetError> {
        let columns = layout.columns.iter().zip(batch);
        let columns = columns.map(|(column, values)| {
            let mut bytes = TrackedWrite::new(Vec::new());
            let pages = Box::new(SerializedPageWriter::new(&mut bytes));
            let mut writer = get_column_writer(column.clone(), layout.properties.clone(), pages);
            write_column(&mut writer, values)?;
            let closed = writer.close()?;
            Ok((bytes.into_inner()?.into(), closed))
        });
        Ok(Group(columns.collect::<Result<_, ParquetError>>()?))
    }

    fn append_to<W: Write + Send>(
        self,
        file: &mut SerializedFileWriter<W>,
    ) -> Result<(), ParquetError> {
        let mut group = file.next_row_group()?;
        for (bytes, closed) in self.0 {
            group.append_column(&bytes, closed)?;
        }
        group.close().map(drop)
    }
}

fn write_column(writer: &mut ColumnWriter, column: Column) -> Result<(), ParquetError> {
    use ColumnWriter::*;
    let levels = column.levels.as_deref();
    match (writer, column.data) {
        (Int32ColumnWriter(writer), Data::Integer8(values) | Data::Integer32(values)) => {
            writer.write_batch(&values, levels, None)
        }
        (Int64ColumnWriter(writer), Data::Integer64(values)) => {
            writer.write_batch(&values, levels, None)
        }
        (FixedLenByteArrayColumnWriter(writer), Data::Decimal(values)) => {
            writer.write_batch(&values, levels, None)
        }
        (DoubleColumnWriter(writer), Data::Real(values)) => {
            writer.write_batch(&values, levels, None)
        }
        (BoolColumnWriter(writer), Data::Truth(values)) => {
            writer.write_batch(&values, levels, None)
        }
        (ByteArrayColumnWriter(writer), Data::Text(values)) => {
            writer.write_batch(&values, levels, None)
        }
        _ => unreachable!("a column has the same kind of values in every batch"),
    }
    .map(drop)
}

fn byte_arrays(texts: Texts) -> Vec<ByteArray> {
    let joined = Bytes::copy_from_slice(texts.joined().as_bytes());
    texts.ranges().map(|range| ByteArray::from(joined.slice(range))).collect()
}
