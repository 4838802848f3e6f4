//! Parquet output: typed columns, a row group for each batch.

use super::folder::TableFile;
use super::stream::{Piece, Stream};
use anyhow::Result;
use bsq_analyses::{Table, Texts, Values};
use bytes::Bytes;
use parquet::basic::{Compression, Encoding, LogicalType, Repetition, Type as Physical, ZstdLevel};
use parquet::column::writer::{ColumnCloseResult, ColumnWriter, get_column_writer};
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::properties::{WriterProperties, WriterPropertiesPtr};
use parquet::file::writer::{SerializedFileWriter, SerializedPageWriter, TrackedWrite};
use parquet::schema::types::{ColumnDescPtr, ColumnPath, SchemaDescriptor, Type};
use std::sync::Arc;

/// The rows of a group: few enough for readers to process groups in parallel and to skip some.
const GROUP: usize = 1 << 17;

/// Writes a table as Parquet.
pub fn write_rows(file: TableFile, table: &Table, stream: &Stream) -> Result<TableFile> {
    let schema = schema(table, &stream.columns())?;
    let layout = Layout {
        columns: SchemaDescriptor::new(schema.clone()).columns().to_vec(),
        properties: properties(table, &stream.columns())?,
    };
    let mut file = SerializedFileWriter::new(file, schema, layout.properties.clone())?;
    let encode = |batch| Group::encode(&layout, batch).map_err(plain);
    stream.pass_on(GROUP, encode, |group| group.append_to(&mut file).map_err(plain))?;
    file.into_inner().map_err(plain)
}

/// Unwraps an external error, such as that of a full disk.
fn plain(error: ParquetError) -> anyhow::Error {
    match error {
        ParquetError::External(error) => anyhow::Error::from_boxed(error),
        error => error.into(),
    }
}

/// The parameters common to all groups.
struct Layout {
    columns: Vec<ColumnDescPtr>,
    properties: WriterPropertiesPtr,
}

fn schema(table: &Table, values: &[Values]) -> Result<Arc<Type>> {
    let field = |(column, values): (&bsq_analyses::Column, &Values)| -> Result<Arc<Type>> {
        let (physical, logical) = match values {
            Values::Tiny(_) => (Physical::INT32, Some(LogicalType::integer(8, true))),
            Values::Integer(_) => (Physical::INT32, Some(LogicalType::integer(32, true))),
            Values::Truth(_) => (Physical::BOOLEAN, None),
            Values::Text(_) => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        };
        let field = Type::primitive_type_builder(column.name, physical)
            .with_repetition(Repetition::REQUIRED)
            .with_logical_type(logical);
        Ok(Arc::new(field.build()?))
    };
    let fields: Result<Vec<Arc<Type>>> = table.columns.iter().zip(values).map(field).collect();
    Ok(Arc::new(Type::group_type_builder(&table.name).with_fields(fields?).build()?))
}

/// The encodings: integers are delta-encoded, all others use a dictionary. Pages are compressed.
fn properties(table: &Table, values: &[Values]) -> Result<WriterPropertiesPtr> {
    let mut properties =
        WriterProperties::builder().set_compression(Compression::ZSTD(ZstdLevel::try_new(1)?));
    for (column, values) in table.columns.iter().zip(values) {
        if let Values::Integer(_) = values {
            let column = ColumnPath::from(column.name);
            properties = properties
                .set_column_dictionary_enabled(column.clone(), false)
                .set_column_encoding(column, Encoding::DELTA_BINARY_PACKED);
        }
    }
    Ok(Arc::new(properties.build()))
}

/// An encoded row group, column by column.
struct Group(Vec<(Bytes, ColumnCloseResult)>);

impl Piece for Group {
    fn bytes(&self) -> u64 {
        self.0.iter().map(|(bytes, _)| bytes.len() as u64).sum()
    }
}

impl Group {
    fn encode(layout: &Layout, batch: Vec<Values>) -> Result<Group, ParquetError> {
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

    fn append_to(self, file: &mut SerializedFileWriter<TableFile>) -> Result<(), ParquetError> {
        let mut group = file.next_row_group()?;
        for (bytes, closed) in self.0 {
            group.append_column(&bytes, closed)?;
        }
        group.close().map(drop)
    }
}

fn write_column(writer: &mut ColumnWriter, values: Values) -> Result<(), ParquetError> {
    match (writer, values) {
        (ColumnWriter::Int32ColumnWriter(writer), Values::Tiny(values)) => {
            let values: Vec<i32> = values.into_iter().map(i32::from).collect();
            writer.write_batch(&values, None, None)
        }
        (ColumnWriter::Int32ColumnWriter(writer), Values::Integer(values)) => {
            writer.write_batch(&values, None, None)
        }
        (ColumnWriter::BoolColumnWriter(writer), Values::Truth(values)) => {
            writer.write_batch(&values, None, None)
        }
        (ColumnWriter::ByteArrayColumnWriter(writer), Values::Text(texts)) => {
            writer.write_batch(&byte_arrays(texts), None, None)
        }
        _ => unreachable!("a column has the same kind of values in every batch"),
    }
    .map(drop)
}

fn byte_arrays(texts: Texts) -> Vec<ByteArray> {
    let joined = Bytes::copy_from_slice(texts.joined().as_bytes());
    texts.ranges().map(|range| ByteArray::from(joined.slice(range))).collect()
}
