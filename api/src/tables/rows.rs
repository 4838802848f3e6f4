//! Rows of tables that do not fit in memory.
//!
//! Threads encode batches of rows, which are written in order. Those of [`Rows`] can be computed in any
//! order, so they are written while the next ones are encoded.

use super::manifest::FileFormat;
use super::{Encoder, Piece, WriteError, Writer};
use crate::{AnalysisError, Monitor};
use bsq_analyses::query::Streamed;
use bsq_analyses::{Rows, Table, Values};
use bsq_engine::parallel;
use bsq_engine::results::Series;
use bsq_engine::storage::disk;
use std::io::Write;
use std::ops::{ControlFlow, Range};
use std::path::Path;

/// Writes rows that do not fit in memory, and returns `to`. `table` has their columns. `path` is
/// the file that `to` writes; the rows must fit on its disk. At most a few encoded batches per thread
/// are in memory at a time.
///
/// # Errors
///
/// If the rows do not fit on the disk or cannot be written, if the build does not support the
/// format, or if the monitor stops the job.
pub fn write_rows<W: Write + Send>(
    to: W,
    table: &Table,
    rows: &dyn Rows,
    format: FileFormat,
    path: &Path,
    monitor: &Monitor,
) -> Result<W, WriteError> {
    let series = |batch: Vec<Values>| batch.into_iter().map(Series::from).collect::<Vec<_>>();
    let encoder = Encoder::new(table, &series(rows.batch(0..0)), false, format)?;
    let mut file = Writer::begin(&encoder, to)?;
    let (count, size) = (rows.count(), encoder.batch_rows());
    let batches: Vec<Range<usize>> =
        (0..count).step_by(size).map(|start| start..count.min(start + size)).collect();
    let encode = |batch: &Range<usize>| encoder.encode(series(rows.batch(batch.clone())));
    if let Some(sample) = batches.get(batches.len() / 2) {
        let bytes = encode(sample)?.bytes();
        disk::check(path, bytes * count as u64 / sample.len() as u64)?;
    }
    monitor.begin("rows", count as u64);
    let mut waiting: Vec<Piece> = Vec::new();
    for window in batches.chunks(2 * rayon::current_num_threads()) {
        monitor.check()?;
        let ready = std::mem::take(&mut waiting);
        let (written, encoded) = rayon::join(
            || ready.into_iter().try_for_each(|piece| file.append(piece)),
            || parallel::try_map(window, encode),
        );
        written?;
        waiting = encoded?;
        monitor.advance(window.iter().map(|batch| batch.len() as u64).sum());
    }
    waiting.into_iter().try_for_each(|piece| file.append(piece))?;
    file.finish()
}

/// Writes rows that are computed one after the other. Returns `to` and the number of rows.
///
/// # Errors
///
/// If the rows cannot be computed or written, if the build does not support the format, or if the
/// monitor stops the job.
pub fn write_stream<W: Write + Send>(
    to: W,
    rows: &Streamed,
    format: FileFormat,
    monitor: &Monitor,
) -> Result<(W, usize), StreamError> {
    let encoder = Encoder::new(&rows.table, &rows.empty(), true, format)?;
    let file = Writer::begin(&encoder, to)?;
    let mut stream = Stream { encoder, file, waiting: Vec::new(), rows: 0 };
    let mut failure = None;
    let batch_rows = stream.encoder.batch_rows();
    let mut take = |batch: Vec<Series>| match stream.push(batch) {
        Ok(()) => ControlFlow::Continue(()),
        Err(error) => {
            failure = Some(error);
            ControlFlow::Break(())
        }
    };
    let ran = rows.run(batch_rows, &mut take, monitor);
    if let Some(failure) = failure {
        return Err(failure.into());
    }
    ran?;
    stream.write()?;
    Ok((stream.file.finish()?, stream.rows))
}

/// Why a stream of rows is not written.
#[derive(Debug, thiserror::Error)]
pub enum StreamError {
    /// The rows cannot be computed.
    #[error(transparent)]
    Rows(#[from] AnalysisError),
    /// The rows cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

/// Batches that are encoded together, on all threads, and a file.
struct Stream<W: Write + Send> {
    encoder: Encoder,
    file: Writer<W>,
    waiting: Vec<Vec<Series>>,
    rows: usize,
}

impl<W: Write + Send> Stream<W> {
    fn push(&mut self, batch: Vec<Series>) -> Result<(), WriteError> {
        self.rows += batch.first().map_or(0, |series| series.values.len());
        self.waiting.push(batch);
        if self.waiting.len() < 2 * rayon::current_num_threads() {
            return Ok(());
        }
        self.write()
    }

    /// Writes the batches that are waiting.
    fn write(&mut self) -> Result<(), WriteError> {
        let batches = std::mem::take(&mut self.waiting);
        let pieces = parallel::try_map(batches, |batch| self.encoder.encode(batch))?;
        pieces.into_iter().try_for_each(|piece| self.file.append(piece))
    }
}
