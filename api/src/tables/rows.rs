//! Rows of tables that do not fit in memory.
//!
//! Threads encode batches of rows. Batches are written in order while the next ones are encoded.

use super::manifest::FileFormat;
use super::{Encoder, Piece, WriteError, Writer};
use crate::Monitor;
use bsq_analyses::{Rows, Table, Values};
use bsq_engine::parallel;
use bsq_engine::results::Series;
use bsq_engine::storage::disk;
use std::io::Write;
use std::ops::Range;
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
