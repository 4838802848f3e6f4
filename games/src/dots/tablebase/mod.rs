//! Tablebases: the value of every position of a board, or of all positions that contain some lines.
//!
//! The value of a set of lines is the net score of the player to move. A [`Plan`] divides the
//! positions into rows and layers and predicts memory and disk space; [`build`] computes the values
//! by retrograde analysis, layer by layer from the full board, in a folder of files; a
//! [`Tablebase`] probes the stored values. `docs/dots-tablebase.md` describes the files.
//!
//! Positions that differ only in which of two border lines of a box is drawn are identified, and of
//! equivalent rows only one is computed. The high lines identify a row, and their number its layer.
//! A row has a byte for each set of the low lines, so most operations are on adjacent bytes.
//!
//! Each chain of the start counts as one line. Positions in which a chain is filled in part are not
//! stored; their values follow from the others.
//!
//! * `digits`: sets of lines as numbers;
//! * `plan`: rows and layers, memory and disk space;
//! * `row`: the values of a row; `chains`: the values of filling a chain;
//! * `folder`: files and the manifest;
//! * `jobs`: what front ends do with tablebases;
//! * `probe`: reading and checking a tablebase.
//!
//! ```
//! use bsq_games::dots::Board;
//! use bsq_games::dots::tablebase::{Tablebase, Limits, Plan, build};
//! use bsq_engine::monitor::Monitor;
//!
//! let folder = std::env::temp_dir().join(format!("bsq-dots-{}", std::process::id()));
//! let board = Board::new(2, 2).unwrap();
//! let plan = Plan::new(&board, 0, 0, None, &Limits::default()).unwrap();
//! let summary = build(&plan, &folder, &Monitor::default()).unwrap();
//! assert_eq!(summary.value, 2); // three boxes to one, for the player who begins
//!
//! let tablebase = Tablebase::open(&folder).unwrap();
//! assert_eq!(tablebase.value(0).unwrap(), Some(2));
//! assert_eq!(tablebase.value(board.all()).unwrap(), Some(0));
//! # std::fs::remove_dir_all(folder).unwrap();
//! ```

#[cfg(test)]
mod chain_tests;
mod chains;
mod digits;
mod error;
mod folder;
pub(super) mod jobs;
mod plan;
mod probe;
mod row;
#[cfg(test)]
mod tests;

pub use error::TablebaseError;
pub use jobs::{plan_of, rules_of};
pub use plan::{Limits, Plan};
pub use probe::{Tablebase, Verified};

use super::board::{lines_of, set_of};
use bsq_engine::monitor::{Monitor, SolveError};
use bsq_engine::parallel;
use folder::{Folder, NewRows, RowsFile, kept_name, layer_name};
use row::{Lift, NONE, Table, gather, lift, settle};
use std::path::Path;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// The result of a build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// The value of the start for the player to move, in boxes and points of penalty.
    pub value: i32,
    /// The number of positions, see [`Plan::positions`].
    pub positions: u64,
    /// The layers, from no high lines up.
    pub layers: Vec<LayerCount>,
    /// The number of stored positions with 0, 1, 2, ... lines, see [`Plan::stored`].
    pub stored: Vec<u64>,
    /// Bytes of the files that are kept, without the manifest.
    pub bytes: u64,
}

/// The size of a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LayerCount {
    /// The number of rows.
    pub rows: u64,
    /// The number of positions.
    pub positions: u64,
    /// The number of stored positions.
    pub kept: u64,
}

/// Builds a tablebase in a folder, or continues from the finished layers there. The files do not
/// depend on the number of threads.
///
/// Units of progress are rows. A cancelled build keeps its finished layers, if there are any.
pub fn build(plan: &Plan, folder: &Path, monitor: &Monitor) -> Result<Summary, TablebaseError> {
    build_in(plan, &mut Folder::open(folder, plan)?, monitor)
}

/// Builds a tablebase in a locked folder.
fn build_in(
    plan: &Plan,
    folder: &mut Folder,
    monitor: &Monitor,
) -> Result<Summary, TablebaseError> {
    let made = build_layers(plan, folder, monitor);
    made.map_err(|error| match error {
        TablebaseError::Solve(SolveError::Stopped) => {
            let layers = plan.layers();
            TablebaseError::Stopped { kept: layers - folder.manifest.left, layers }
        }
        error => error,
    })?;
    let manifest = &folder.manifest;
    let count = |layer: usize| {
        let (rows, places) = (plan.rows[layer], plan.kept_places(layer) as u64);
        LayerCount { rows, positions: rows * plan.low.size as u64, kept: rows * places }
    };
    Ok(Summary {
        value: manifest.value.map_or(0, i32::from),
        positions: plan.positions(),
        layers: (0..plan.layers()).map(count).collect(),
        stored: plan.stored(),
        bytes: manifest.files.iter().map(|file| file.record.bytes).sum(),
    })
}

/// Builds all layers that are not finished.
fn build_layers(plan: &Plan, folder: &mut Folder, monitor: &Monitor) -> Result<(), TablebaseError> {
    if folder.manifest.left == 0 {
        return Ok(());
    }
    let rows = plan.canonical_rows(folder.manifest.left + 1, monitor)?;
    let work = Work { plan, table: Table::new(plan), order: plan.order(), rows, monitor };
    let done: u64 = plan.rows[folder.manifest.left..].iter().sum();
    let above = folder.manifest.file(&layer_name(folder.manifest.left));
    if folder.manifest.left < plan.layers() && above.is_none() {
        return Err(folder::inconsistent(&folder.path("")));
    }
    let mut above = match above {
        None => None,
        Some(record) => {
            let above = RowsFile::open(folder.folder(), plan, record)?;
            monitor.begin("bytes of the last layer", record.record.bytes);
            above.check(|bytes| {
                monitor.advance(bytes);
                Ok(monitor.check()?)
            })?;
            Some(above)
        }
    };
    monitor.begin("rows", plan.rows());
    monitor.advance(done);
    let began = Instant::now();
    for layer in (0..folder.manifest.left).rev() {
        let before: u64 = plan.rows[layer + 1..].iter().sum();
        let mut status = format!("layer {layer} of {}", plan.layers());
        let seconds = began.elapsed().as_secs_f64();
        if before > done && seconds >= 1.0 {
            let left = seconds * (plan.rows() - before) as f64 / (before - done) as f64;
            status += &format!(", about {left:.0} s left");
        }
        monitor.status(&status);
        above = Some(work.layer(layer, above.as_ref(), folder)?);
    }
    Ok(())
}

/// Runs a job while another thread syncs the files at intervals. Without this, the final sync would
/// take long and delay a cancellation.
fn synced<T>(
    files: &[Option<&NewRows>],
    work: impl FnOnce() -> Result<T, TablebaseError>,
) -> Result<T, TablebaseError> {
    std::thread::scope(|scope| {
        let (done, wait) = channel::<()>();
        let syncing = scope.spawn(move || {
            while wait.recv_timeout(SYNC_EVERY) == Err(RecvTimeoutError::Timeout) {
                files.iter().flatten().try_for_each(|file| file.sync())?;
            }
            Ok(())
        });
        let result = work()?;
        drop(done);
        // The system reports a failed sync only once.
        let synced = syncing.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        synced.map(|()| result)
    })
}

/// The interval between two syncs of a file.
const SYNC_EVERY: Duration = Duration::from_millis(500);

/// The state that all layers share.
struct Work<'a> {
    plan: &'a Plan,
    table: Table,
    /// Places in ascending order of their number of lines.
    order: Vec<u32>,
    rows: Vec<Vec<u32>>,
    monitor: &'a Monitor<'a>,
}

/// The buffers of a thread.
struct Buffers {
    row: Vec<u8>,
    image: Vec<u8>,
    child: Vec<u8>,
    kept: Vec<u8>,
}

impl Work<'_> {
    /// Builds a layer from the one with one more high line, and stores it.
    fn layer(
        &self,
        layer: usize,
        above: Option<&RowsFile>,
        folder: &mut Folder,
    ) -> Result<RowsFile, TablebaseError> {
        let (plan, size) = (self.plan, self.plan.low.size);
        let kept = plan.kept_places(layer);
        let whole = NewRows::begin(folder, plan, layer, layer_name(layer), size)?;
        let part = match kept {
            _ if kept == 0 || kept == size => None,
            _ => Some(NewRows::begin(folder, plan, layer, kept_name(layer), kept)?),
        };
        let buffers = || Buffers {
            row: vec![0; size],
            image: vec![0; size],
            child: vec![0; size],
            kept: vec![0; kept],
        };
        let make = |buffers: &mut Buffers, (row, &high): (usize, &u32)| {
            self.monitor.check()?;
            self.row(high as usize, above, layer, buffers)?;
            let crc = whole.write(row, &buffers.row)?;
            let part_crc = match &part {
                None => 0,
                Some(part) => {
                    for (byte, &place) in buffers.kept.iter_mut().zip(&self.order) {
                        *byte = buffers.row[place as usize];
                    }
                    part.write(row, &buffers.kept)?
                }
            };
            self.monitor.advance(1);
            Ok((crc, part_crc))
        };
        let rows = self.rows[layer].iter().enumerate();
        let files = [Some(&whole), part.as_ref()];
        let crcs = synced(&files, || parallel::try_map_with(rows, buffers, make))?;
        let (crcs, part_crcs): (Vec<u32>, Vec<u32>) = crcs.into_iter().unzip();
        let file = whole.finish(&crcs)?;
        let made = RowsFile::open(folder.folder(), plan, &file)?;
        let mut manifest = folder.manifest.clone();
        manifest.left = layer;
        // The previous layer is no longer needed, unless all of it is stored.
        manifest.files.retain(|file| {
            file.places == plan.kept_places(file.layer) || file.record.name == kept_name(file.layer)
        });
        if layer == 0 {
            let mut first = vec![0; size];
            made.read(0, &mut first)?;
            manifest.value = Some(first[0].cast_signed());
        }
        if layer > 0 || kept == size {
            manifest.files.push(file);
        }
        if let Some(part) = part {
            manifest.files.push(part.finish(&part_crcs)?);
        }
        folder.save(manifest)?;
        Ok(made)
    }

    /// Computes the values of a row.
    fn row(
        &self,
        high: usize,
        above: Option<&RowsFile>,
        layer: usize,
        buffers: &mut Buffers,
    ) -> Result<(), TablebaseError> {
        let Plan { digits, high: names, low, penalty, .. } = self.plan;
        let Buffers { row, image, child, .. } = buffers;
        row.fill(NONE);
        let left = names.left(high);
        if left.open == 0 {
            row[low.size - 1] = penalty.cast_unsigned(); // the full board
        }
        // A row with one more line is stored as one of its images. The moves to it are evaluated in
        // the same image, for all rows with the same symmetry together.
        let children = lines_of(left.open).map(|digit| {
            let (name, symmetry) = names.canonical(high + names.strides[digit]);
            (symmetry, name, digit)
        });
        let mut children: Vec<(usize, usize, usize)> = children.collect();
        children.sort_unstable();
        for children in children.chunk_by(|one, other| one.0 == other.0) {
            let symmetry = children[0].0;
            let moved = &digits.images[symmetry];
            let open = self.table.open(self.plan, names.image(symmetry, high));
            let full = set_of(lines_of(left.full).map(|digit| moved[digit]));
            let target = if symmetry == 0 {
                &mut *row
            } else {
                image.fill(NONE);
                &mut *image
            };
            for &(_, name, digit) in children {
                let found = self.rows[layer + 1].binary_search(&(name as u32));
                let (Ok(found), Some(above)) = (found, above) else {
                    unreachable!("every row has its place in its layer");
                };
                above.read(found, child)?;
                let by =
                    Lift { digit: moved[digit], last: left.last >> digit & 1 == 1, full, open };
                lift(&self.table, target, child, &by);
            }
            if symmetry != 0 {
                gather(low, symmetry, row, image);
            }
        }
        settle(&self.table, row, left.full, self.table.open(self.plan, high));
        Ok(())
    }
}
