//! Tables that are too long for memory: threads encode batches of rows, which are written in order
//! while the next ones are encoded.

use super::folder::{Source, field};
#[cfg(feature = "full")]
use super::parquet;
use super::{Described, Folder, csv};
use crate::args::FileFormat;
use crate::disk;
use crate::run::Run;
use anyhow::Result;
use bsq_analyses::{Export, Rows, Values};
use rayon::prelude::*;
use std::ops::Range;
use std::path::Path;

/// The description of a column with positions, which names the command that reads them.
const POSITION: &str = "the same position as 'bsq solve' reads it: rows from the top, X for the first player, O for the second, then who is to move";

/// Writes an export into the folder, with its manifest.
pub fn export(
    run: &Run,
    mut folder: Folder,
    export: &dyn Export,
    rows: &dyn Rows,
    rules: &Described,
    format: FileFormat,
) -> Result<()> {
    let mut table = export.table();
    for column in table.columns.iter_mut().filter(|column| column.name == "position") {
        column.description = POSITION;
    }
    let file = folder.begin(&table, format)?;
    let path = file.path().to_path_buf();
    let stream = Stream { run, rows, path: &path };
    let file = match format {
        FileFormat::Csv => csv::write_rows(file, &table, &stream)?,
        #[cfg(feature = "full")]
        FileFormat::Parquet => parquet::write_rows(file, &table, &stream)?,
        #[cfg(not(feature = "full"))]
        FileFormat::Parquet => unreachable!("the command refuses it"),
    };
    let command = format!("export {}", export.name());
    let source = Source { command: &command, rules, table: &table };
    let fields = table.columns.iter().map(|column| field(column, std::iter::empty()));
    folder.add(file, &source, rows.count(), fields.collect());
    folder.finish(run)
}

/// Rows on their way into a file.
pub struct Stream<'a> {
    run: &'a Run,
    rows: &'a dyn Rows,
    /// The file.
    path: &'a Path,
}

/// Rows as they will be in a file.
pub trait Piece: Send {
    /// Bytes that they take there.
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

    /// Encodes all rows, so many at a time, and hands the pieces over in order. At any time there
    /// are a few for each thread.
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
                || window.par_iter().map(encode).collect::<Result<Vec<P>>>(),
            );
            written?;
            waiting = encoded?;
            monitor.advance(window.iter().map(|batch| batch.len() as u64).sum());
        }
        waiting.into_iter().try_for_each(append)
    }

    /// Refuses rows for which there is no room, if those in the middle take as much as all others.
    fn check_room(&self, rows: usize, bytes: u64) -> Result<()> {
        disk::check(self.path, bytes * self.rows.count() as u64 / rows as u64)
    }
}
