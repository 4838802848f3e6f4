//! Looking values up, and checking files.

use super::super::board::Lines;
use super::error::LayersError;
use super::folder::{Manifest, RowsFile, book_name, layer_name, nonsense, read_manifest};
use super::plan::Plan;
use crate::solve::Monitor;
use std::path::{Path, PathBuf};

/// What a finished run has kept, read in place. The files must not be changed meanwhile.
pub struct Book {
    folder: PathBuf,
    manifest: Manifest,
    value: i8,
    plan: Plan,
    /// Of each layer the file, if anything of it is kept.
    files: Vec<Option<RowsFile>>,
    /// The rows of each layer of which anything is kept.
    rows: Vec<Vec<u32>>,
    /// Where each place of a row is among those with the fewest lines.
    ranks: Vec<u32>,
}

/// What [`Book::verify`] has compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verified {
    /// Files, the manifest apart.
    pub files: usize,
    /// Their bytes.
    pub bytes: u64,
    /// Positions that are stored.
    pub positions: u64,
}

impl Book {
    /// Opens the folder of a run that has come to its end. Reads the manifest only.
    pub fn open(folder: &Path) -> Result<Book, LayersError> {
        let shown = || folder.display().to_string();
        let manifest = read_manifest(folder)?.ok_or_else(|| LayersError::Missing(shown()))?;
        let plan = manifest.plan().ok_or_else(|| nonsense(folder))?;
        let Some(value) = manifest.value.filter(|_| manifest.left == 0) else {
            return Err(LayersError::Unfinished(shown()));
        };
        let of_layer = |layer: usize| {
            let name = match plan.kept_places(layer) {
                0 => return Ok(None),
                places if places == plan.low.size => layer_name(layer),
                _ => book_name(layer),
            };
            let record = manifest.file(&name).ok_or_else(|| nonsense(folder))?;
            RowsFile::open(folder.join(&name), record).map(Some)
        };
        let files = (0..plan.layers()).map(of_layer).collect::<Result<_, _>>()?;
        let kept = (0..plan.layers()).take_while(|&layer| plan.kept_places(layer) > 0).count();
        let rows = plan.canonical_rows(kept, &Monitor::default())?;
        let mut ranks = vec![0; plan.low.size];
        for (rank, place) in (0..).zip(plan.order()) {
            ranks[place as usize] = rank;
        }
        Ok(Book { folder: folder.to_path_buf(), manifest, value, plan, files, rows, ranks })
    }

    /// What the run was of.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The value of the start, kept or not.
    pub fn start_value(&self) -> i8 {
        self.value
    }

    /// Where it is.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The value of a set of lines: boxes and points still to come, for the player to move, less
    /// those for the other. None if it is not kept, or not all lines of the start are in it.
    pub fn value(&self, lines: Lines) -> Result<Option<i8>, LayersError> {
        let plan = &self.plan;
        let is_position = lines & plan.from == plan.from && lines & !plan.board.all() == 0;
        if !is_position || lines.count_ones() > plan.book {
            return Ok(None);
        }
        let values: Vec<usize> = plan.digits.values(lines).collect();
        let (name, symmetry) = plan.high.canonical(plan.high.index(&values));
        let place = plan.low.image(symmetry, plan.low.index(&values));
        let layer = plan.high.drawn(name);
        let row = self.rows.get(layer).and_then(|rows| rows.binary_search(&(name as u32)).ok());
        let (Some(file), Some(row)) = (&self.files[layer], row) else { return Ok(None) };
        let mut bytes = vec![0; file.record.places];
        file.read_checked(row, &mut bytes)?;
        let whole = file.record.places == plan.low.size;
        let at = if whole { place } else { self.ranks[place] as usize };
        Ok(bytes.get(at).map(|byte| byte.cast_signed()))
    }

    /// Compares the checksums of all files. Units of progress are bytes.
    pub fn verify(&self, monitor: &Monitor) -> Result<Verified, LayersError> {
        let bytes = self.manifest.files.iter().map(|file| file.bytes).sum();
        monitor.begin("bytes", bytes);
        for file in self.files.iter().flatten() {
            file.check(|bytes| {
                monitor.advance(bytes);
                Ok(monitor.check()?)
            })?;
        }
        let positions = self.plan.stored().iter().sum();
        Ok(Verified { files: self.files.iter().flatten().count(), bytes, positions })
    }
}
