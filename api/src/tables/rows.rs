//! Rows of tables that do not fit in memory.
//!
//! Threads encode batches of rows. Batches are written in order while the next ones are encoded.

use super::manifest::FileFormat;
use super::{WriteError, csv as lines_of};
use crate::Monitor;
use bsq_analyses::{Rows, Table, Values};
use bsq_engine::parallel;
use bsq_engine::storage::disk;
use std::io::Write;
use std::ops::Range;
use std::path::Path;

/// The number of rows of CSV that a thread formats at a time.
const LINES: usize = 1 << 14;

/// Writes rows that do not fit in memory, and returns `to`. `table` has their columns. `path` is
/// the file that `to` writes; the rows must fit on its disk.
///
/// # Errors
///
/// If the rows do not fit on the disk or cannot be written, if the build does not support the
/// format, or if the monitor stops the job.
pub fn write_rows<W: Write + Send>(
    mut to: W,
    table: &Table,
    rows: &dyn Rows,
    format: FileFormat,
    path: &Path,
    monitor: &Monitor,
) -> Result<W, WriteError> {
    let batches = Batches { rows, path, monitor };
    match format {
        FileFormat::Csv => {
            lines_of::write(&mut to, table)?; // the header
            batches.pass_on(LINES, lines, |lines| Ok(to.write_all(&lines)?))?;
            Ok(to)
        }
        #[cfg(feature = "parquet")]
        FileFormat::Parquet => super::parquet::write_rows(to, table, &batches),
        #[cfg(not(feature = "parquet"))]
        FileFormat::Parquet => Err(WriteError::NoParquet),
    }
}

/// Formats a batch as lines of CSV.
fn lines(batch: Vec<Values>) -> Result<Vec<u8>, WriteError> {
    let rows = batch.first().map_or(0, Values::len);
    let mut csv = csv::Writer::from_writer(Vec::new());
    let mut digits = itoa::Buffer::new();
    for row in 0..rows {
        for column in &batch {
            let field = match column {
                Values::Tiny(values) => digits.format(values[row]),
                Values::Integer(values) => digits.format(values[row]),
                Values::Truth(values) => lines_of::truth(values[row]),
                Values::Text(texts) => texts.get(row),
            };
            csv.write_field(field)?;
        }
        csv.write_record(None::<&[u8]>)?;
    }
    Ok(csv.into_inner().map_err(|error| error.into_error())?)
}

/// Rows that are written in batches.
pub(super) struct Batches<'a> {
    rows: &'a dyn Rows,
    /// The file that the rows are written to.
    path: &'a Path,
    monitor: &'a Monitor<'a>,
}

/// An encoded batch of rows.
pub(super) trait Piece: Send {
    /// Its size in bytes.
    fn bytes(&self) -> u64;
}

impl Piece for Vec<u8> {
    fn bytes(&self) -> u64 {
        self.len() as u64
    }
}

impl Batches<'_> {
    /// The columns without their values.
    #[cfg(feature = "parquet")]
    pub fn columns(&self) -> Vec<Values> {
        self.rows.batch(0..0)
    }

    /// Encodes all rows in batches and appends the pieces in order. At most a few pieces per
    /// thread are in memory at a time.
    pub fn pass_on<P: Piece>(
        &self,
        at_a_time: usize,
        encode: impl Fn(Vec<Values>) -> Result<P, WriteError> + Sync,
        mut append: impl FnMut(P) -> Result<(), WriteError> + Send,
    ) -> Result<(), WriteError> {
        let (count, monitor) = (self.rows.count(), self.monitor);
        let batches: Vec<Range<usize>> = (0..count)
            .step_by(at_a_time)
            .map(|start| start..count.min(start + at_a_time))
            .collect();
        let encode = |batch: &Range<usize>| encode(self.rows.batch(batch.clone()));
        let sample = &batches[batches.len() / 2];
        self.check_room(sample.len(), encode(sample)?.bytes())?;

        monitor.begin("rows", count as u64);
        let mut waiting: Vec<P> = Vec::new();
        for window in batches.chunks(2 * rayon::current_num_threads()) {
            monitor.check()?;
            let ready = std::mem::take(&mut waiting);
            let (written, encoded) = rayon::join(
                || ready.into_iter().try_for_each(&mut append),
                || parallel::try_map(window, encode),
            );
            written?;
            waiting = encoded?;
            monitor.advance(window.iter().map(|batch| batch.len() as u64).sum());
        }
        waiting.into_iter().try_for_each(append)
    }

    /// Returns an error if the rows do not fit on the disk. Their size is estimated from a sample
    /// of `rows` rows that takes `bytes` bytes.
    fn check_room(&self, rows: usize, bytes: u64) -> Result<(), WriteError> {
        Ok(disk::check(self.path, bytes * self.rows.count() as u64 / rows as u64)?)
    }
}
