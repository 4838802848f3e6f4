//! Probing a tablebase, and checking its files.

use super::error::TablebaseError;
use super::folder::{Manifest, RowsFile, inconsistent, kept_name, layer_name, read_manifest};
use super::plan::Plan;
use crate::dots::bitboard::Bitboard;
use crate::dots::board::{Lines, lines_of};
use crate::dots::search::Captures;
use bsq_engine::monitor::Monitor;
use bytesize::ByteSize;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;
use std::path::{Path, PathBuf};

/// A finished tablebase, read in place. Its files must not change while it is open.
pub struct Tablebase {
    folder: PathBuf,
    manifest: Manifest,
    value: i8,
    plan: Plan,
    /// The file of each layer, if anything of it is stored.
    files: Vec<Option<RowsFile>>,
    /// The rows of each layer of which anything is stored.
    rows: Vec<Vec<u32>>,
    /// The rank of each place of a row by its number of lines.
    ranks: Vec<u32>,
    bitboard: Bitboard,
}

/// The manifest of a tablebase, finished or not, and its plan.
pub(super) fn planned(folder: &Path) -> Result<(Manifest, Plan), TablebaseError> {
    let missing = || TablebaseError::Missing(folder.display().to_string());
    let manifest = read_manifest(folder)?.ok_or_else(missing)?;
    let plan = manifest.plan().ok_or_else(|| inconsistent(folder))?;
    Ok((manifest, plan))
}

/// A stored position from which the value of the requested one follows.
struct Place {
    /// The value of each digit.
    values: Vec<usize>,
    /// The number of captures that lead to it.
    boxes: i32,
    /// The cost of control in these captures.
    control_cost: Option<i32>,
}

/// The result of [`Tablebase::verify`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verified {
    /// The number of files, without the manifest.
    pub files: usize,
    /// The number of their bytes.
    pub bytes: u64,
    /// The number of stored positions.
    pub positions: u64,
}

impl Tablebase {
    /// Opens the folder of a finished tablebase. Reads only the manifest.
    pub fn open(folder: &Path) -> Result<Tablebase, TablebaseError> {
        let shown = || folder.display().to_string();
        let (manifest, plan) = planned(folder)?;
        let Some(value) = manifest.value.filter(|_| manifest.left == 0) else {
            return Err(TablebaseError::Unfinished(shown()));
        };
        let of_layer = |layer: usize| {
            let name = match plan.kept_places(layer) {
                0 => return Ok(None),
                places if places == plan.low.size => layer_name(layer),
                _ => kept_name(layer),
            };
            let record = manifest.file(&name).ok_or_else(|| inconsistent(folder))?;
            RowsFile::open(folder, &plan, record).map(Some)
        };
        let files = (0..plan.layers()).map(of_layer).collect::<Result<_, _>>()?;
        let kept = (0..plan.layers()).take_while(|&layer| plan.kept_places(layer) > 0).count();
        let rows = plan.canonical_rows(kept, &Monitor::default())?;
        let mut ranks = vec![0; plan.low.size];
        for (rank, place) in (0..).zip(plan.order()) {
            ranks[place as usize] = rank;
        }
        let (folder, bitboard) = (folder.to_path_buf(), Bitboard::new(plan.board));
        Ok(Tablebase { folder, manifest, value, plan, files, rows, ranks, bitboard })
    }

    /// Opens the folder of a finished tablebase and reads all values into memory, where they are found
    /// in less than a microsecond. Compares the checksums of all rows. Units of progress are bytes.
    ///
    /// # Errors
    ///
    /// If a file cannot be read or is damaged, if the monitor stops the job, or if the values take more
    /// memory than it allows.
    pub fn in_memory(folder: &Path, monitor: &Monitor) -> Result<Tablebase, TablebaseError> {
        let mut loaded = Tablebase::open(folder)?;
        let needed = loaded.files.iter().flatten().map(RowsFile::bytes).sum();
        if let Some(limit) = monitor.room().filter(|&room| room < needed) {
            let [limit, needed] = [limit, needed].map(ByteSize);
            return Err(TablebaseError::LimitTooSmall { what: "memory", limit, needed });
        }
        monitor.begin("bytes of the tablebase", needed);
        for file in loaded.files.iter_mut().flatten() {
            file.load(|bytes| {
                monitor.check()?;
                monitor.advance(bytes);
                Ok(())
            })?;
        }
        Ok(loaded)
    }

    /// The plan of the tablebase.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The value of the start, stored or not.
    pub fn start_value(&self) -> i8 {
        self.value
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The value of a set of lines: the net score of the player to move. `None` if it is not
    /// stored, or does not contain all lines of the start. If a chain is filled in part, the value
    /// follows from that of the position after all captures, if that is stored.
    pub fn value(&self, lines: Lines) -> Result<Option<i8>, TablebaseError> {
        let Some(Place { values, boxes, control_cost }) = self.place(lines) else {
            return Ok(None);
        };
        let value = self.stored(&values)?;
        Ok(value.map(|rest| {
            let (all, rest) = (boxes + i32::from(rest), i32::from(rest));
            control_cost.map_or(all, |control_cost| all.max(boxes - control_cost - rest)) as i8
        }))
    }

    /// Whether the value of a position is known. Does not read it.
    pub fn has(&self, lines: Lines) -> bool {
        self.place(lines).is_some()
    }

    /// The stored position from which the value of a position follows, if there is one.
    fn place(&self, lines: Lines) -> Option<Place> {
        let plan = &self.plan;
        if lines & plan.from != plan.from || lines & !plan.board.all() != 0 {
            return None;
        }
        let place = if let Some(values) = plan.digits.values(lines) {
            Place { values, boxes: 0, control_cost: None }
        } else {
            let Captures { boxes, control_cost, open, .. } =
                Captures::new(&self.bitboard, self.bitboard.open(lines));
            // A chain that is filled in part has a capture, so all chains are intact or filled
            // now.
            let values = plan.digits.values(self.bitboard.drawn(open))?;
            Place { values, boxes, control_cost }
        };
        let drawn = plan.from.count_ones() as usize + place.values.iter().sum::<usize>();
        (drawn <= plan.kept_lines as usize).then_some(place)
    }

    /// The stored value for these values of the digits.
    fn stored(&self, values: &[usize]) -> Result<Option<i8>, TablebaseError> {
        let plan = &self.plan;
        let (name, symmetry) = plan.high.canonical(plan.high.index(values));
        let place = plan.low.image(symmetry, plan.low.index(values));
        let layer = plan.high.drawn(name);
        let row = self.rows.get(layer).and_then(|rows| rows.binary_search(&(name as u32)).ok());
        let (Some(file), Some(row)) = (&self.files[layer], row) else { return Ok(None) };
        let whole = file.places == plan.low.size;
        file.value(row, if whole { place } else { self.ranks[place] as usize })
    }

    /// Compares the checksums of all files. Units of progress are bytes.
    pub fn verify(&self, monitor: &Monitor) -> Result<Verified, TablebaseError> {
        let bytes = self.manifest.files.iter().map(|file| file.record.bytes).sum();
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

    /// Compares the values of random positions with the values after each of their moves. All
    /// numbers of lines are equally likely among the positions whose moves lead to stored
    /// positions. With chains, some positions still lack a value and are skipped. The same seed
    /// gives the same positions. Returns the number of positions compared.
    pub fn check_sample(
        &self,
        positions: u64,
        seed: u64,
        monitor: &Monitor,
    ) -> Result<u64, TablebaseError> {
        let plan = &self.plan;
        let open = self.open_digits();
        let chains = plan.chains();
        let single = plan.board.all() & !plan.from & !chains.iter().fold(0, |all, set| all | set);
        let digits: Vec<Lines> = lines_of(single).map(|line| 1 << line).chain(chains).collect();
        let counts = self.sampled_counts();
        if counts == 0 {
            return Ok(0);
        }
        monitor.begin("positions", positions);
        let compared = (0..positions).into_par_iter().map(|number| {
            monitor.check()?;
            monitor.advance(1);
            let mut random = SmallRng::seed_from_u64(seed.wrapping_add(number.rotate_left(32)));
            let (mut lines, mut wanted) = (plan.from, random.random_range(0..counts));
            let mut left = open;
            for digit in &digits {
                if random.random_range(0..left) < wanted {
                    (lines, wanted) = (lines | digit, wanted - 1);
                }
                left -= 1;
            }
            Ok(u64::from(self.check_position(lines)?))
        });
        compared.try_reduce(|| 0, |one, other| Ok(one + other))
    }

    /// The number of lines to draw from the start, a chain as one.
    fn open_digits(&self) -> u32 {
        self.plan.most_lines() - self.plan.from.count_ones()
    }

    /// The number of different numbers of drawn lines of the positions that can be sampled.
    fn sampled_counts(&self) -> u32 {
        let (plan, open) = (&self.plan, self.open_digits());
        let kept = (plan.kept_lines + 1).saturating_sub(plan.from.count_ones());
        // Moves of the stored positions with the most lines lead to positions that are not stored,
        // unless these are full.
        if kept > open { open + 1 } else { kept.saturating_sub(1) }
    }

    /// The least probability with which a sampled position is a given one; 0 for those that are not
    /// sampled.
    pub fn least_probability(&self) -> f64 {
        let (open, counts) = (self.open_digits(), self.sampled_counts());
        if counts <= open {
            return 0.0;
        }
        let half = open / 2;
        let middle: f64 = (1..=half).map(|i| f64::from(open - half + i) / f64::from(i)).product();
        1.0 / (f64::from(counts) * middle)
    }

    /// Whether another tablebase has the same files.
    pub(super) fn equals(&self, other: &Manifest) -> bool {
        self.manifest == *other
    }

    /// Compares the value of a position with the values after its moves, by the rules. Returns
    /// whether all of them are known.
    fn check_position(&self, lines: Lines) -> Result<bool, TablebaseError> {
        let board = &self.plan.board;
        let unknown = || inconsistent(&self.folder);
        let open = board.all() & !lines;
        if self.plan.digits.chains != 0 && !lines_of(open).all(|line| self.has(lines | 1 << line)) {
            return Ok(false);
        }
        let stored = i32::from(self.value(lines)?.ok_or_else(unknown)?);
        let mut follows = (lines == board.all()).then_some(self.plan.penalty());
        for line in lines_of(open) {
            let next = lines | 1 << line;
            let closed = board.closed_by(lines, line).count_ones() as i32;
            let after = i32::from(self.value(next)?.ok_or_else(unknown)?);
            follows = follows.max(Some(if closed == 0 { -after } else { closed + after }));
        }
        if follows != Some(stored) {
            let folder = self.folder.display().to_string();
            return Err(TablebaseError::Wrong {
                folder,
                lines,
                stored,
                follows: follows.unwrap_or(0),
            });
        }
        Ok(true)
    }
}
