//! Rows of tables that do not fit in memory: threads encode batches of rows, which are written in
//! order while the next ones are encoded.

use crate::run::Run;
use anyhow::Result;
use bsq_analyses::{Rows, Values};
use bsq_engine::parallel;
use bsq_engine::storage::disk;
use std::ops::Range;
use std::path::Path;

/// Rows that are written to a file.
pub struct Stream<'a> {
    pub run: &'a Run,
    pub rows: &'a dyn Rows,
    /// The file.
    pub path: &'a Path,
}

/// An encoded batch of rows.
pub trait Piece: Send {
    /// Its size in bytes.
    fn bytes(&self) -> u64;
}

impl Piece for Vec<u8> {
    fn bytes(&self) -> u64 {
        self.len() as u64
    }
}

impl Stream<'_> {
    /// The columns without their values.
    #[cfg(feature = "full")]
    pub fn columns(&self) -> Vec<Values> {
        self.rows.batch(0..0)
    }

    /// Encodes all rows in batches and appends the pieces in order. At any time there are a few
    /// pieces per thread.
    pub fn pass_on<P: Piece>(
        &self,
        at_a_time: usize,
        encode: impl Fn(Vec<Values>) -> Result<P> + Sync,
        mut append: impl FnMut(P) -> Result<()> + Send,
    ) -> Result<()> {
        let (count, monitor) = (self.rows.count(), self.run.monitor());
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

    /// Returns an error if the rows do not fit on the disk, estimated from a sample.
    fn check_room(&self, rows: usize, bytes: u64) -> Result<()> {
        Ok(disk::check(self.path, bytes * self.rows.count() as u64 / rows as u64)?)
    }
}
