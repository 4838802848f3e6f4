//! Arrow: record batches, and files of the IPC format with a record batch for each batch of rows.

use super::WriteError;
use arrow_array::{
    Array as _, ArrayRef, BooleanArray, Decimal128Array, Float64Array, Int8Array, Int32Array,
    Int64Array, RecordBatch, StringArray,
};
use arrow_buffer::{BooleanBuffer, Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_ipc::writer::FileWriter;
use arrow_schema::{ArrowError, DataType, Field, Schema};
use bsq_analyses::{Table, Texts, Values};
use bsq_engine::results::{MOST_DIGITS, Series};
use std::io::{self, Write};
use std::sync::Arc;

impl From<ArrowError> for WriteError {
    fn from(error: ArrowError) -> WriteError {
        match error {
            ArrowError::IoError(_, error) => WriteError::Io(error),
            error => WriteError::Format(error.to_string()),
        }
    }
}

/// A file.
pub type File<W> = FileWriter<W>;

/// The columns of a table with their types in Arrow.
///
/// ```
/// use bsq_api::tables::{ArrowLayout, series_of};
///
/// let mut table = bsq_engine::tabulate!("squares", "Squares", for number in 1u32..=3 => {
///     "square": integer, "its square" => number * number;
/// });
/// let columns = series_of(&table);
/// let layout = ArrowLayout::new(&table, &columns, false);
/// let rows = layout.record_batch(columns).unwrap();
/// assert_eq!((rows.num_rows(), rows.schema()), (3, layout.schema()));
/// ```
pub struct Layout(Arc<Schema>);

/// A batch of rows.
pub struct Record(RecordBatch);

impl Layout {
    /// The columns of a table whose batches have the types of this one. If `has_gaps`, every column
    /// may lack values in some rows; otherwise those that lack one in `batch`.
    pub fn new(table: &Table, batch: &[Series], has_gaps: bool) -> Layout {
        let fields = table.columns.iter().zip(batch).map(|(column, series)| {
            let is_nullable = has_gaps || series.present.is_some();
            Field::new(&*column.name, data_type(&series.values), is_nullable)
        });
        Layout(Arc::new(Schema::new(fields.collect::<Vec<_>>())))
    }

    /// The names and types.
    pub fn schema(&self) -> Arc<Schema> {
        Arc::clone(&self.0)
    }

    /// A batch of rows as a record batch, without copies of numbers.
    ///
    /// # Errors
    ///
    /// If the texts of a column take more than 2 GiB, or the types are not those of the layout.
    pub fn record_batch(&self, batch: Vec<Series>) -> Result<RecordBatch, ArrowError> {
        let columns = batch.into_iter().map(array).collect::<Result<_, _>>()?;
        RecordBatch::try_new(self.schema(), columns)
    }

    /// Begins a file.
    pub(super) fn begin<W: Write>(&self, to: W) -> Result<File<W>, ArrowError> {
        FileWriter::try_new(to, &self.0)
    }

    /// Encodes a batch of rows.
    pub(super) fn encode(&self, batch: Vec<Series>) -> Result<Record, ArrowError> {
        self.record_batch(batch).map(Record)
    }
}

impl Record {
    /// The size of the values in bytes.
    pub fn bytes(&self) -> u64 {
        self.0.columns().iter().map(|column| column.get_buffer_memory_size() as u64).sum()
    }

    /// Appends the rows to a file.
    pub fn append_to<W: Write>(&self, file: &mut File<W>) -> Result<(), ArrowError> {
        file.write(&self.0)
    }
}

const DECIMAL: DataType = DataType::Decimal128(MOST_DIGITS as u8, 0);

fn data_type(values: &Values) -> DataType {
    match values {
        Values::Tiny(_) => DataType::Int8,
        Values::Integer(_) => DataType::Int32,
        Values::Long(_) => DataType::Int64,
        Values::Decimal(_) => DECIMAL,
        Values::Real(_) => DataType::Float64,
        Values::Truth(_) => DataType::Boolean,
        Values::Text(_) => DataType::Utf8,
    }
}

fn array(Series { values, present }: Series) -> Result<ArrayRef, ArrowError> {
    let nulls = present.map(|present| NullBuffer::new(BooleanBuffer::from(present)));
    Ok(match values {
        Values::Tiny(values) => Arc::new(Int8Array::new(ScalarBuffer::from(values), nulls)),
        Values::Integer(values) => Arc::new(Int32Array::new(ScalarBuffer::from(values), nulls)),
        Values::Long(values) => Arc::new(Int64Array::new(ScalarBuffer::from(values), nulls)),
        Values::Decimal(values) => Arc::new(
            Decimal128Array::new(ScalarBuffer::from(values), nulls).with_data_type(DECIMAL),
        ),
        Values::Real(values) => Arc::new(Float64Array::new(ScalarBuffer::from(values), nulls)),
        Values::Truth(values) => Arc::new(BooleanArray::new(BooleanBuffer::from(values), nulls)),
        Values::Text(texts) => Arc::new(strings(&texts, nulls)?),
    })
}

fn strings(texts: &Texts, nulls: Option<NullBuffer>) -> Result<StringArray, ArrowError> {
    let too_long = || {
        let error =
            io::Error::new(io::ErrorKind::InvalidData, "more than 2 GiB of text in a batch");
        ArrowError::IoError(error.to_string(), error)
    };
    let ends: Result<Vec<i32>, _> = texts.ranges().map(|range| i32::try_from(range.end)).collect();
    let ends = ends.map_err(|_| too_long())?;
    let offsets = std::iter::once(0).chain(ends).collect::<Vec<_>>();
    let offsets = OffsetBuffer::new(ScalarBuffer::from(offsets));
    StringArray::try_new(offsets, Buffer::from(texts.joined().as_bytes()), nulls)
}
