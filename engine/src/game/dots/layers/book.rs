//! Looking values up, and checking files.

use super::super::board::{Lines, lines_of};
use super::error::LayersError;
use super::folder::{Manifest, RowsFile, book_name, layer_name, nonsense, read_manifest};
use super::plan::Plan;
use crate::solve::Monitor;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;
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

    /// Takes so many positions at random, with any number of lines as likely as any other, and
    /// compares the value of each with those after every move. Only positions are taken of which
    /// these are kept. The same seed takes the same positions. Gives how many were compared.
    pub fn check_sample(
        &self,
        positions: u64,
        seed: u64,
        monitor: &Monitor,
    ) -> Result<u64, LayersError> {
        let plan = &self.plan;
        let open = (plan.board.all() & !plan.from).count_ones();
        let kept = (plan.book + 1).saturating_sub(plan.from.count_ones());
        // The moves of those with the most lines lead to nothing that is kept, unless they have all.
        let counts = if kept > open { open + 1 } else { kept.saturating_sub(1) };
        if counts == 0 {
            return Ok(0);
        }
        monitor.begin("positions", positions);
        (0..positions).into_par_iter().try_for_each(|number| {
            monitor.check()?;
            monitor.advance(1);
            let mut random = SmallRng::seed_from_u64(seed.wrapping_add(number.rotate_left(32)));
            let (mut lines, mut wanted) = (plan.from, random.random_range(0..counts));
            let mut left = open;
            for line in lines_of(plan.board.all() & !plan.from) {
                if random.random_range(0..left) < wanted {
                    (lines, wanted) = (lines | 1 << line, wanted - 1);
                }
                left -= 1;
            }
            self.check_position(lines)
        })?;
        Ok(positions)
    }

    /// Compares the value of a position with those after every move, by the plain rules.
    fn check_position(&self, lines: Lines) -> Result<(), LayersError> {
        let board = &self.plan.board;
        let unknown = || nonsense(&self.folder);
        let stored = i32::from(self.value(lines)?.ok_or_else(unknown)?);
        let mut follows = (lines == board.all()).then_some(self.plan.penalty());
        for line in lines_of(board.all() & !lines) {
            let next = lines | 1 << line;
            let closed = board.closed_by(lines, line).count_ones() as i32;
            let after = i32::from(self.value(next)?.ok_or_else(unknown)?);
            follows = follows.max(Some(if closed == 0 { -after } else { closed + after }));
        }
        if follows != Some(stored) {
            let folder = self.folder.display().to_string();
            return Err(LayersError::Wrong {
                folder,
                lines,
                stored,
                follows: follows.unwrap_or(0),
            });
        }
        Ok(())
    }
}
