//! Tables and streams of rows for Python: Arrow without copies, CSV, and the manifest.

use super::job::{TICK, exception, is_main_thread, start};
use arrow_array::cast::AsArray as _;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::types::{Decimal128Type, Float64Type, Int8Type, Int32Type, Int64Type};
use arrow_array::{Array, RecordBatch, RecordBatchIterator, RecordBatchReader};
use arrow_ipc::reader::StreamReader;
use arrow_ipc::writer::StreamWriter;
use arrow_schema::{ArrowError, DataType, SchemaRef};
use bsq_analyses::{Cell, Column, ColumnType};
use bsq_api::tables::manifest::{self, FileFormat, TableFile};
use bsq_api::tables::{self, ArrowLayout, WriteError, series_of};
use bsq_api::{AnalysisError, Described, Error, Job, Kind, Monitor};
use bsq_engine::results::Series;
use bsq_engine::storage::header::Digest;
use num_bigint::BigInt;
use pyo3::IntoPyObjectExt as _;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule, PyInt, PyTuple};
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::ThreadId;

/// The rules and the command of a table.
#[derive(Clone, Serialize, Deserialize)]
pub struct Source {
    /// The rules.
    pub rules: Described,
    /// The command without the name of the program.
    pub command: String,
}

/// A table.
#[pyclass(frozen, module = "bsq._bsq")]
pub struct Table {
    /// Without rows and without its total.
    table: bsq_api::Table,
    rows: Vec<RecordBatch>,
    schema: SchemaRef,
    total: Option<Py<Table>>,
    source: Source,
}

impl Table {
    /// A table of an answer, and its total.
    pub fn new(py: Python<'_>, mut table: bsq_api::Table, source: &Source) -> PyResult<Py<Table>> {
        let total = table.total.take().map(|total| Table::new(py, *total, source)).transpose()?;
        let columns = series_of(&table);
        table.rows = Vec::new();
        Table::of_columns(py, table, vec![columns], false, total, source)
    }

    /// The tables of an answer.
    pub fn all(
        py: Python<'_>,
        tables: Vec<bsq_api::Table>,
        source: &Source,
    ) -> PyResult<Vec<Py<Table>>> {
        tables.into_iter().map(|table| Table::new(py, table, source)).collect()
    }

    /// A table of batches of rows, of which there is one at least. If `has_gaps`, every column may
    /// lack values in some rows.
    pub fn of_columns(
        py: Python<'_>,
        table: bsq_api::Table,
        batches: Vec<Vec<Series>>,
        has_gaps: bool,
        total: Option<Py<Table>>,
        source: &Source,
    ) -> PyResult<Py<Table>> {
        let layout = ArrowLayout::new(&table, &batches[0], has_gaps);
        let rows = batches.into_iter().map(|batch| layout.record_batch(batch));
        let rows = rows.collect::<Result<_, _>>();
        let rows = rows.map_err(|error| exception(py, WriteError::from(error).into()))?;
        Py::new(py, Table { table, rows, schema: layout.schema(), total, source: source.clone() })
    }

    /// What [`restore`](Table::restore) needs besides the rows, and the rows as an Arrow IPC stream.
    fn pickled(&self) -> Result<(String, Vec<u8>), ArrowError> {
        let table = &self.table;
        let pickled = Pickled {
            name: table.name.clone(),
            title: table.title.clone(),
            note: table.note.clone(),
            columns: table.columns.clone(),
            source: self.source.clone(),
        };
        let about = serde_json::to_string(&pickled);
        let about = about.map_err(|error| ArrowError::ExternalError(Box::new(error)))?;
        let mut writer = StreamWriter::try_new(Vec::new(), &self.schema)?;
        for batch in &self.rows {
            writer.write(batch)?;
        }
        Ok((about, writer.into_inner()?))
    }

    fn unpickled(about: &str, rows: &[u8], total: Option<Py<Table>>) -> Result<Table, ArrowError> {
        let pickled: Pickled = serde_json::from_str(about)
            .map_err(|error| ArrowError::ExternalError(Box::new(error)))?;
        let reader = StreamReader::try_new(rows, None)?;
        let schema = reader.schema();
        let mut table = bsq_api::Table::new(&pickled.name, &pickled.title, &pickled.columns);
        table.note = pickled.note;
        let rows = reader.collect::<Result<_, _>>()?;
        Ok(Table { table, rows, schema, total, source: pickled.source })
    }

    /// The table with its rows.
    fn with_rows(&self) -> bsq_api::Table {
        let mut table = self.table.clone();
        for batch in &self.rows {
            for row in 0..batch.num_rows() {
                let columns = batch.columns().iter().zip(&self.table.columns);
                table.push(columns.map(|(array, column)| cell(array, column.kind, row)).collect());
            }
        }
        table
    }
}

/// A table without its rows and its total, as it is pickled.
#[derive(Serialize, Deserialize)]
struct Pickled {
    name: String,
    title: String,
    note: Option<String>,
    columns: Vec<Column>,
    source: Source,
}

#[pymethods]
impl Table {
    /// The table that was pickled.
    #[new]
    fn restore(
        py: Python<'_>,
        about: &str,
        rows: &[u8],
        total: Option<Py<Table>>,
    ) -> PyResult<Table> {
        let table = Table::unpickled(about, rows, total);
        table.map_err(|error| {
            let message = format!("the pickle of a table is damaged: {error}");
            exception(py, Error::of(Kind::Failed, message))
        })
    }

    fn __getnewargs__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(String, Bound<'py, PyBytes>, Option<Py<Table>>)> {
        let pickled = self.pickled();
        let (about, rows) =
            pickled.map_err(|error| exception(py, WriteError::from(error).into()))?;
        Ok((about, PyBytes::new(py, &rows), self.total(py)))
    }

    #[getter]
    fn name(&self) -> &str {
        &self.table.name
    }

    #[getter]
    fn title(&self) -> &str {
        &self.table.title
    }

    #[getter]
    fn note(&self) -> Option<&str> {
        self.table.note.as_deref()
    }

    #[getter]
    fn total(&self, py: Python<'_>) -> Option<Py<Table>> {
        self.total.as_ref().map(|total| total.clone_ref(py))
    }

    #[getter]
    fn columns(&self) -> Vec<ColumnRow<'_>> {
        column_rows(&self.table.columns)
    }

    fn __len__(&self) -> usize {
        self.rows.iter().map(RecordBatch::num_rows).sum()
    }

    /// Some rows, each as a tuple.
    fn rows<'py>(
        &self,
        py: Python<'py>,
        start: usize,
        stop: usize,
    ) -> PyResult<Vec<Bound<'py, PyTuple>>> {
        let mut before = 0;
        let mut rows = Vec::new();
        for batch in &self.rows {
            let after = before + batch.num_rows();
            for row in start.clamp(before, after)..stop.clamp(before, after) {
                let columns = batch.columns().iter().zip(&self.table.columns);
                let cells =
                    columns.map(|(array, column)| match cell(array, column.kind, row - before) {
                        Cell::Integer(number) => integer(py, &number),
                        Cell::Real(number) => number.into_py_any(py),
                        Cell::Text(text) => text.into_py_any(py),
                        Cell::Truth(truth) => truth.into_py_any(py),
                        Cell::Empty => Ok(py.None()),
                    });
                rows.push(PyTuple::new(py, cells.collect::<PyResult<Vec<_>>>()?)?);
            }
            before = after;
        }
        Ok(rows)
    }

    /// The table as CSV, as the command writes it.
    fn csv(&self, py: Python<'_>) -> PyResult<String> {
        let written = py.detach(|| csv(&self.with_rows()));
        written.map_err(|error| exception(py, error.into()))
    }

    /// The entry of the table in the manifest that the command writes beside it as CSV, as JSON.
    fn manifest(&self, py: Python<'_>) -> PyResult<String> {
        let table = self.with_rows();
        let text = csv(&table).map_err(|error| exception(py, error.into()))?;
        let sha256 = String::from(Digest::of(text.as_bytes()));
        let file = TableFile {
            table: &table,
            format: FileFormat::Csv,
            command: &self.source.command,
            rules: &self.source.rules,
            rows: table.rows.len(),
            bytes: text.len() as u64,
            sha256: &sha256,
        };
        let fields = table.columns.iter().enumerate().map(|(at, column)| {
            manifest::field(column, FileFormat::Csv, table.rows.iter().map(|row| &row[at]))
        });
        Ok(manifest::entry(&file, fields.collect()).to_string())
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema; // Producers may ignore it.
        let rows = self.rows.clone().into_iter().map(Ok);
        capsule(py, RecordBatchIterator::new(rows, Arc::clone(&self.schema)))
    }
}

/// A table as CSV.
fn csv(table: &bsq_api::Table) -> Result<String, WriteError> {
    let mut text = Vec::new();
    tables::csv::write(&mut text, table)?;
    String::from_utf8(text).map_err(|error| WriteError::Format(error.to_string()))
}

/// The name, the type and the description of a column, and whether it is part of the key.
type ColumnRow<'a> = (&'a str, &'static str, &'a str, bool);

fn column_rows(columns: &[Column]) -> Vec<ColumnRow<'_>> {
    columns.iter().map(column_row).collect()
}

fn column_row(column: &Column) -> ColumnRow<'_> {
    let kind = match column.kind {
        ColumnType::Integer => "integer",
        ColumnType::Text => "text",
        ColumnType::Truth => "truth",
        ColumnType::Real(_) | ColumnType::Share => "real",
    };
    (&column.name, kind, &column.description, column.is_key)
}

/// An integer of Python.
fn integer(py: Python<'_>, number: &BigInt) -> PyResult<Py<PyAny>> {
    match i64::try_from(number) {
        Ok(number) => number.into_py_any(py),
        Err(_) => Ok(py.get_type::<PyInt>().call1((number.to_string(),))?.unbind()),
    }
}

/// A value of an array. Integers of more than 38 digits are texts there.
fn cell(array: &dyn Array, kind: ColumnType, row: usize) -> Cell {
    if array.is_null(row) {
        return Cell::Empty;
    }
    let integer = |number: i64| Cell::Integer(number.into());
    match (array.data_type(), kind) {
        (DataType::Int8, _) => integer(array.as_primitive::<Int8Type>().value(row).into()),
        (DataType::Int32, _) => integer(array.as_primitive::<Int32Type>().value(row).into()),
        (DataType::Int64, _) => integer(array.as_primitive::<Int64Type>().value(row)),
        (DataType::Decimal128(..), _) => {
            Cell::Integer(array.as_primitive::<Decimal128Type>().value(row).into())
        }
        (DataType::Float64, _) => Cell::Real(array.as_primitive::<Float64Type>().value(row)),
        (DataType::Boolean, _) => Cell::Truth(array.as_boolean().value(row)),
        (_, ColumnType::Integer) => {
            let digits = array.as_string::<i32>().value(row);
            digits.parse::<BigInt>().map_or(Cell::Empty, Cell::Integer)
        }
        _ => Cell::Text(array.as_string::<i32>().value(row).to_string()),
    }
}

/// The rows as a stream of the C data interface.
fn capsule<'py>(
    py: Python<'py>,
    rows: impl RecordBatchReader + Send + 'static,
) -> PyResult<Bound<'py, PyCapsule>> {
    let stream = FFI_ArrowArrayStream::new(Box::new(rows));
    PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
}

/// Rows that may not fit in memory, which are computed while they are read, once.
#[pyclass(frozen, module = "bsq._bsq")]
pub struct Stream {
    name: String,
    columns: Vec<Column>,
    schema: SchemaRef,
    job: Arc<Mutex<Option<Job>>>,
}

/// The rows of a record batch.
const BATCH_ROWS: usize = 1 << 17;
/// The record batches that wait for the reader.
const WAITING: usize = 4;

impl Stream {
    /// The rows of a job, if it has some.
    pub fn new(job: Job) -> Option<Stream> {
        let rows = job.rows()?;
        let schema = ArrowLayout::new(&rows.table, &rows.empty(), true).schema();
        let (name, columns) = (rows.table.name.clone(), rows.table.columns.clone());
        Some(Stream { name, columns, schema, job: Arc::new(Mutex::new(Some(job))) })
    }
}

#[pymethods]
impl Stream {
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    #[getter]
    fn columns(&self) -> Vec<ColumnRow<'_>> {
        column_rows(&self.columns)
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema; // Producers may ignore it.
        start(py)?;
        if self.job.lock().unwrap_or_else(PoisonError::into_inner).is_none() {
            return Err(exception(py, read_already()));
        }
        // Some readers open it twice, first for the schema.
        let (schema, job) = (Arc::clone(&self.schema), Arc::clone(&self.job));
        let main_thread = is_main_thread(py)?.then(|| std::thread::current().id());
        capsule(py, Reader { schema, job, main_thread, reading: None, has_ended: false })
    }
}

fn read_already() -> Error {
    Error::of(Kind::Usage, "these rows were read already; call 'export' again")
}

/// Record batches, which are computed from when the first one is read.
struct Reader {
    schema: SchemaRef,
    job: Arc<Mutex<Option<Job>>>,
    /// The main thread of Python, if the reader began there: the only one that gets signals.
    main_thread: Option<ThreadId>,
    reading: Option<Reading>,
    has_ended: bool,
}

/// The record batches of a thread, which is stopped if they are not read to the end.
struct Reading {
    /// `None` comes last.
    batches: Receiver<Result<Option<RecordBatch>, ArrowError>>,
    stop: Arc<AtomicBool>,
}

impl Reading {
    fn begin(job: Job) -> Reading {
        let stop = Arc::new(AtomicBool::new(false));
        let (sender, batches) = sync_channel(WAITING);
        let of_thread = Arc::clone(&stop);
        std::thread::spawn(move || {
            let monitor = Monitor { stop: Some(&of_thread), ..Monitor::default() };
            let Some(rows) = job.rows() else { return };
            let layout = ArrowLayout::new(&rows.table, &rows.empty(), true);
            let mut take = |batch: Vec<Series>| {
                match sender.send(layout.record_batch(batch).map(Some)) {
                    Ok(()) => ControlFlow::Continue(()),
                    Err(_) => ControlFlow::Break(()), // The reader has gone.
                }
            };
            let ended = rows.run(BATCH_ROWS, &mut take, &monitor);
            let ended = ended.map(|()| None).map_err(|error| {
                ArrowError::ExternalError(Box::new(AnalysisError::located(error)))
            });
            let _ = sender.send(ended);
        });
        Reading { batches, stop }
    }
}

impl Drop for Reading {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

impl Reader {
    /// The next record batch; `None` after the last one.
    fn next_batch(&mut self) -> Result<Option<RecordBatch>, ArrowError> {
        if self.reading.is_none() {
            let job = self.job.lock().unwrap_or_else(PoisonError::into_inner).take();
            let job = job.ok_or_else(|| ArrowError::ExternalError(Box::new(read_already())))?;
            self.reading = Some(Reading::begin(job));
        }
        while let Some(Reading { batches, stop }) = &self.reading {
            match batches.recv_timeout(TICK) {
                Ok(next) => return next,
                Err(RecvTimeoutError::Disconnected) => break, // The thread panicked.
                Err(RecvTimeoutError::Timeout) if self.is_interrupted() => {
                    stop.store(true, Ordering::Relaxed);
                    return Err(ArrowError::ComputeError("interrupted".to_string()));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
        Err(ArrowError::ComputeError("the rows end before the last one".to_string()))
    }

    /// Whether the handler of a signal, such as Ctrl-C, has raised an exception. The one that the user
    /// sees is that of the reader: two at a time would end the interpreter.
    fn is_interrupted(&self) -> bool {
        self.main_thread == Some(std::thread::current().id())
            && Python::attach(|py| py.check_signals().is_err())
    }
}

impl Iterator for Reader {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.has_ended {
            return None;
        }
        let next = self.next_batch();
        self.has_ended = !matches!(next, Ok(Some(_)));
        next.transpose()
    }
}

impl RecordBatchReader for Reader {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }
}
