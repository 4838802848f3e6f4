//! The sweep over the cells of a board.

use super::completions::Completions;
use super::covers::{self, Cover};
use super::frontier::{Labels, MAX_WIDTH, Placed, Step, mirrored};
use super::grid::Grid;
use bsq_engine::monitor::{Monitor, SolveError};
use bsq_engine::parallel;
use foldhash::fast::FixedState;
use parking_lot::Mutex;
use std::collections::{BTreeMap, HashMap};
use std::hash::BuildHasher;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What a sweep counts. In the sums, marked pieces are not in the set, but what is adjacent to one
/// is adjacent to the set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Count {
    /// Sets by their size and the number of marked pieces. All pieces of the set are chosen.
    AllChosen,
    /// Sets by their size and the number of marked pieces. As few as possible are chosen.
    FewestChosen,
    /// Sets by their size and the number of cells apart, each with the sign of the parity of the
    /// number of marked pieces. As few as possible are chosen.
    Signed,
}

/// A sweep over the cells of a board, by rows of the given width.
pub(super) struct Sweep<'a> {
    pub length: usize,
    pub width: usize,
    pub count: Count,
    /// The largest gap of interest: the number of chosen pieces minus that of the cells apart.
    pub most: i8,
    /// Whether frontiers without a completion of interest are dropped, and mirror images merged.
    pub is_reduced: bool,
    /// The memory allowed, in bytes.
    pub memory: usize,
    pub monitor: &'a Monitor<'a>,
}

/// The counts of the sets with some frontier and covers.
type Counts = Vec<(i8, Grid)>;

/// The counts of frontiers by their keys. The numbers of pieces of the covers are relative to the
/// least, which is part of the gap of the counts.
type States = HashMap<Box<[u16]>, Counts, FixedState>;

/// The number of parts of the states. Threads lock one at a time.
const PARTS: usize = 512;

impl Sweep<'_> {
    /// The numbers of sets by their gap, and by the numbers that are [counted](Count), modulo 2^64.
    /// Gaps greater than `most` may be missing.
    ///
    /// # Errors
    ///
    /// [`SolveError::OverLimit`] if the memory does not suffice, and [`SolveError::Stopped`].
    pub(super) fn run(&self) -> Result<BTreeMap<i8, Grid>, SolveError> {
        assert!(self.width <= MAX_WIDTH, "a frontier has at most {MAX_WIDTH} columns");
        let placements = |cell| self.placements(cell);
        let completions =
            self.is_reduced.then(|| Completions::new(self.steps(), self.width, placements));
        let bytes = AtomicUsize::new(0);
        let mut parts = vec![States::from_iter([start()])];
        for cell in 0..self.steps() {
            let next = Next { parts: (0..PARTS).map(|_| Mutex::default()).collect() };
            parallel::try_map_with(parts, Buffers::default, |buffers, states| {
                for (key, counts) in states {
                    self.monitor.check()?;
                    let added =
                        self.expand(cell, &key, &counts, completions.as_ref(), buffers, &next);
                    let used = bytes.fetch_add(added, Ordering::Relaxed) + added;
                    if used > self.memory {
                        return Err(SolveError::OverLimit { bytes: self.memory as u64 });
                    }
                    bytes.fetch_sub(bytes_of(&key, &counts), Ordering::Relaxed);
                }
                Ok(())
            })?;
            parts = next.parts.into_iter().map(Mutex::into_inner).collect();
            let dropped = parallel::map(&mut parts, drop_zeros);
            bytes.fetch_sub(dropped.iter().sum(), Ordering::Relaxed);
            self.monitor.advance(1);
        }
        // All that is left is the frontier below the last row.
        let counts = parts.into_iter().flatten().flat_map(|(_, counts)| counts);
        Ok(counts.collect())
    }

    /// The number of cells, and of those of a row below the board.
    fn steps(&self) -> usize {
        (self.length + 1) * self.width
    }

    fn placements(&self, cell: usize) -> &'static [Placed] {
        if cell >= self.length * self.width {
            return &[Placed::Edge];
        }
        match self.count {
            Count::AllChosen => &[Placed::Empty, Placed::Chosen, Placed::Marked],
            Count::FewestChosen | Count::Signed => &[Placed::Empty, Placed::Piece, Placed::Marked],
        }
    }

    /// What a placement adds to the two numbers that are counted, and its sign.
    fn weight(&self, placed: Placed, leaves_apart: bool) -> ([u8; 2], i64) {
        let piece = u8::from(matches!(placed, Placed::Piece | Placed::Chosen));
        let is_marked = placed == Placed::Marked;
        match self.count {
            Count::AllChosen | Count::FewestChosen => ([piece, u8::from(is_marked)], 1),
            Count::Signed => ([piece, u8::from(leaves_apart)], if is_marked { -1 } else { 1 }),
        }
    }

    /// Adds the counts of a frontier to those after each placement on a cell. Returns the memory of
    /// what is new, in bytes.
    fn expand(
        &self,
        cell: usize,
        key: &[u16],
        counts: &Counts,
        completions: Option<&Completions>,
        buffers: &mut Buffers,
        next: &Next,
    ) -> usize {
        let column = cell % self.width;
        let labels = covers::unpack(key, &mut buffers.covers);
        let mut bytes = 0;
        for &placed in self.placements(cell) {
            let step = Step::new(labels, column, placed);
            let (gain, sign) = self.weight(placed, step.leaves_apart);
            covers::advance(&buffers.covers, &step, &mut buffers.after);
            buffers.gains.clear();
            buffers.gains.extend(buffers.after.iter().map(|cover| match completions {
                Some(completions) => completions.least(cell + 1, step.labels, cover.levels()),
                None => Some(i8::MIN),
            }));
            for (gap, grid) in counts {
                let mut gap = gap - i8::from(step.leaves_apart);
                buffers.kept.clear();
                for (cover, gain) in buffers.after.iter().zip(&buffers.gains) {
                    let with_cover = gap + cover.pieces as i8;
                    if gain.is_some_and(|gain| gain.saturating_add(with_cover) <= self.most) {
                        buffers.kept.push(*cover);
                    }
                }
                let Some(fewest) = buffers.kept.first().map(|cover| cover.pieces) else { continue };
                buffers.kept.iter_mut().for_each(|cover| cover.pieces -= fewest);
                gap += fewest as i8;
                covers::pack(step.labels, &buffers.kept, &mut buffers.key);
                if self.is_reduced && column + 1 == self.width {
                    buffers.mirror(step.labels, self.width);
                }
                bytes += next.add(&buffers.key, gap, grid, gain, sign);
            }
        }
        bytes
    }
}

/// The frontier above the first row, and the counts of the empty set.
fn start() -> (Box<[u16]>, Counts) {
    let mut key = Vec::new();
    covers::pack(Labels::START, &[Cover::new(0, 0)], &mut key);
    (key.into(), vec![(0, Grid::one())])
}

/// Buffers of a thread.
#[derive(Default)]
struct Buffers {
    covers: Vec<Cover>,
    /// The covers after a step.
    after: Vec<Cover>,
    /// The least gap that each of these still gains.
    gains: Vec<Option<i8>>,
    /// Those that can lead to a gap of interest.
    kept: Vec<Cover>,
    key: Vec<u16>,
    image: Vec<u16>,
}

impl Buffers {
    /// Replaces the key by that of the mirror image, if that is less.
    fn mirror(&mut self, labels: Labels, width: usize) {
        let labels = Labels(mirrored(labels.0, width));
        for cover in &mut self.kept {
            *cover = Cover::new(cover.pieces, mirrored(cover.levels(), width));
        }
        self.kept.sort_unstable();
        covers::pack(labels, &self.kept, &mut self.image);
        if self.image < self.key {
            std::mem::swap(&mut self.image, &mut self.key);
        }
    }
}

/// The states after a step, in parts by the hash of the key.
struct Next {
    parts: Vec<Mutex<States>>,
}

impl Next {
    /// Adds counts to those of a key. Returns the memory of what is new, in bytes.
    fn add(&self, key: &[u16], gap: i8, grid: &Grid, gain: [u8; 2], sign: i64) -> usize {
        let hash = FixedState::default().hash_one(key);
        // The maps use the highest and the lowest bits.
        let mut states = self.parts[(hash >> 32) as usize % PARTS].lock();
        let mut bytes = 0;
        let counts = match states.get_mut(key) {
            Some(counts) => counts,
            None => {
                bytes += bytes_of(key, &[]);
                states.entry(key.into()).or_default()
            }
        };
        let at = counts.iter().position(|(other, _)| *other == gap).unwrap_or_else(|| {
            bytes += ROW_BYTES;
            counts.push((gap, Grid::default()));
            counts.len() - 1
        });
        let sum = &mut counts[at].1;
        let before = sum.bytes();
        sum.add(grid, gain, sign);
        bytes + sum.bytes() - before
    }
}

/// The memory of the counts with one gap without those on the heap, in bytes.
const ROW_BYTES: usize = size_of::<(i8, Grid)>() + ALLOCATION;
/// What an allocation takes besides its contents, in bytes.
const ALLOCATION: usize = 16;

/// The memory of a state, in bytes.
fn bytes_of(key: &[u16], counts: &[(i8, Grid)]) -> usize {
    // A map has up to twice the places that it needs.
    let place = 3 * (size_of::<(Box<[u16]>, Counts)>() + 1) / 2;
    let grids = counts.iter().map(|(_, grid)| grid.bytes() + ROW_BYTES).sum::<usize>();
    place + size_of_val(key) + 2 * ALLOCATION + grids
}

/// Drops counts that are all 0. Returns their memory, in bytes.
fn drop_zeros(states: &mut States) -> usize {
    let mut dropped = 0;
    states.retain(|key, counts| {
        let before = bytes_of(key, counts);
        counts.retain(|(_, grid)| !grid.is_zero());
        if counts.is_empty() {
            dropped += before;
            return false;
        }
        dropped += before - bytes_of(key, counts);
        true
    });
    dropped
}
