//! The plan of a tablebase: its layers and rows, and the memory and disk space that it takes.

use super::chains::Chains;
use super::digits::{Digits, Radix};
use super::error::TablebaseError;
use crate::dots::board::{Board, Lines, lines_of};
use crate::dots::rules::Rules;
use bsq_engine::monitor::Monitor;
use bytesize::ByteSize;

/// Limits on a build, and parameters of its layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of memory; no limit if `None`.
    pub memory: Option<u64>,
    /// Bytes on disk; no limit if `None`.
    pub disk: Option<u64>,
    /// The largest number of bytes of a row. A few rows per thread should fit in a fast cache.
    pub row: usize,
    /// Whether each chain of the start counts as one line, see [`Plan::chains`].
    pub chains: bool,
}

impl Default for Limits {
    /// No limits, rows of up to 128 KiB, chains as one line.
    fn default() -> Limits {
        Limits { memory: None, disk: None, row: 128 << 10, chains: true }
    }
}

/// The positions of a tablebase, divided into layers and rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    pub(super) board: Board,
    pub(super) from: Lines,
    pub(super) penalty: i8,
    /// Positions with more lines are not stored.
    pub(super) kept_lines: u32,
    pub(super) digits: Digits,
    /// The digits that identify a row.
    pub(super) high: Radix,
    /// The digits that identify a place in a row.
    pub(super) low: Radix,
    /// The number of rows of each layer.
    pub(super) rows: Vec<u64>,
    /// The number of places of a row with 0, 1, 2, ... low lines drawn.
    pub(super) low_counts: Vec<u64>,
}

/// Bytes of memory that a process and its threads take before the first row.
const FIXED: u64 = 16 << 20;
/// The largest number of bytes of a row.
const MOST_ROW: usize = 1 << 24;
/// The number of places of a row that are processed together.
pub(super) const BLOCK: usize = 64;
/// The number of rows whose images are looked up together.
const HIGH_BLOCK: usize = 1 << 12;
/// Bytes of a checksum.
pub(super) const CRC_BYTES: u64 = 4;

impl Plan {
    /// A tablebase of all positions that contain the lines `from`. Those with up to `kept_lines`
    /// lines are stored, all of them if that is `None`. The player who draws the last line gets
    /// `penalty` points.
    ///
    /// # Errors
    ///
    /// Fails if the build would exceed a limit.
    ///
    /// ```
    /// use bsq_games::dots::Board;
    /// use bsq_games::dots::tablebase::{Limits, Plan};
    /// let board = Board::new(3, 4).unwrap();
    /// let plan = Plan::new(&board, 0, 0, None, &Limits::default()).unwrap();
    /// assert_eq!(plan.positions(), 185_794_560); // of 2^31 sets of lines
    /// let limits = Limits { disk: Some(1 << 20), ..Limits::default() };
    /// assert!(Plan::new(&board, 0, 0, None, &limits).is_err());
    /// ```
    pub fn new(
        board: &Board,
        from: Lines,
        penalty: i32,
        kept_lines: Option<u32>,
        limits: &Limits,
    ) -> Result<Plan, TablebaseError> {
        if !board.is_whole() {
            return Err(TablebaseError::Part);
        }
        if from & !board.all() != 0 {
            return Err(TablebaseError::NoSuchLines(board.to_string()));
        }
        let most = Rules::most_penalty(board);
        if !(-most..=most).contains(&penalty) {
            return Err(TablebaseError::Penalty { penalty, most });
        }
        let digits = Digits::new(board, from, limits.chains);
        let (high, low) = divide(&digits, limits.row.min(MOST_ROW));
        let rows = digits.count(&high);
        // Filling a chain affects whole blocks, so blocks consist of other digits.
        let single = low.iter().filter(|&&digit| !digits.is_chain(digit));
        let block = single.map(|&digit| digits.most(digit) + 1).product::<usize>().min(BLOCK);
        let low = Radix::new(&digits, low, block);
        let most = (0..digits.lines.len()).map(|digit| digits.most(digit) as u32).sum::<u32>();
        let most = from.count_ones() + most;
        let mut low_counts = vec![0; digits.lines.len().max(1) * 4 + 1];
        (0..low.size).for_each(|index| low_counts[low.drawn(index)] += 1);
        while low_counts.last() == Some(&0) {
            low_counts.pop();
        }
        let kept_lines = kept_lines.map_or(most, |kept| kept.min(most));
        let empty = Radix::new(&digits, Vec::new(), 1);
        let penalty = penalty as i8;
        let mut plan = Plan {
            board: *board,
            from,
            penalty,
            kept_lines,
            digits,
            high: empty,
            low,
            rows: Vec::new(),
            low_counts,
        };
        let disk = plan.most_disk(&rows);
        let bytes = |bytes: u128| ByteSize(u64::try_from(bytes).unwrap_or(u64::MAX));
        let check = |what, limit: Option<u64>, needed: u128| match limit {
            Some(limit) if u128::from(limit) < needed => Err(TablebaseError::LimitTooSmall {
                what,
                limit: ByteSize(limit),
                needed: bytes(needed),
            }),
            _ => Ok(()),
        };
        check("disk", limits.disk, disk)?;
        let sets: f64 = high.iter().map(|&digit| plan.digits.most(digit) as f64 + 1.0).product();
        if sets > f64::from(u32::MAX) || disk > u128::from(u64::MAX) {
            let positions = rows.iter().sum::<u128>() * plan.low.size as u128;
            return Err(TablebaseError::TooLarge { positions, disk: bytes(disk) });
        }
        plan.rows = rows.iter().map(|&rows| rows as u64).collect();
        // The memory depends on the number of threads, which need not be decided yet.
        if limits.memory.is_some() {
            check("memory", limits.memory, u128::from(plan.memory_of(sets as u64)))?;
        }
        plan.high = Radix::new(&plan.digits, high, HIGH_BLOCK);
        Ok(plan)
    }

    /// The board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The lines that every position contains.
    pub fn from(&self) -> Lines {
        self.from
    }

    /// Points, 0 or less, for the player who draws the last line.
    pub fn penalty(&self) -> i32 {
        i32::from(self.penalty)
    }

    /// The chains of the start that count as one line each, as sets of lines: all open lines of
    /// connected boxes with two open sides. Positions in which a chain is filled in part are not
    /// stored.
    pub fn chains(&self) -> Vec<Lines> {
        lines_of(self.digits.chains).map(|digit| self.digits.lines[digit]).collect()
    }

    /// The largest number of lines of a position, including those of the start; a chain counts as
    /// one.
    pub fn most_lines(&self) -> u32 {
        let most = (0..self.digits.lines.len()).map(|digit| self.digits.most(digit) as u32);
        self.from.count_ones() + most.sum::<u32>()
    }

    /// The largest number of lines of a stored position, counted as by
    /// [`most_lines`](Self::most_lines).
    pub fn kept_lines(&self) -> u32 {
        self.kept_lines
    }

    /// The number of positions. Images of rows and exchanges of lines are identified, but not
    /// images within a row.
    pub fn positions(&self) -> u64 {
        self.rows() * self.low.size as u64
    }

    /// The number of rows.
    pub fn rows(&self) -> u64 {
        self.rows.iter().sum()
    }

    /// The number of layers.
    pub fn layers(&self) -> usize {
        self.rows.len()
    }

    /// Bytes of memory that a build takes with the current number of threads, without the page
    /// cache.
    pub fn memory_bytes(&self) -> u64 {
        self.memory_of(self.high.size as u64)
    }

    /// The largest number of bytes on disk at any time.
    pub fn disk_bytes(&self) -> u64 {
        let rows: Vec<u128> = self.rows.iter().map(|&rows| u128::from(rows)).collect();
        self.most_disk(&rows) as u64
    }

    /// The number of stored positions with 0, 1, 2, ... lines, counted as by
    /// [`most_lines`](Self::most_lines) and [`positions`](Self::positions).
    pub fn stored(&self) -> Vec<u64> {
        let before = self.from.count_ones() as usize;
        let mut stored = vec![0; self.most_lines() as usize + 1];
        for (layer, rows) in self.rows.iter().enumerate() {
            for (low, places) in self.low_counts.iter().enumerate() {
                if before + layer + low <= self.kept_lines as usize {
                    stored[before + layer + low] += rows * places;
                }
            }
        }
        stored
    }

    /// A short description.
    pub fn describe(&self) -> String {
        let Plan { board, from, penalty, kept_lines, .. } = self;
        let mut text = format!("{board}");
        if *from != 0 {
            text += &format!(" from lines {from:#x}");
        }
        if *penalty != 0 {
            text += &format!(" with a penalty of {penalty}");
        }
        if *kept_lines < self.most_lines() {
            text += &format!(" with a book of {kept_lines} lines");
        }
        match self.chains().len() {
            0 => {}
            1 => text += " with a chain as one line",
            chains => text += &format!(" with {chains} chains as one line each"),
        }
        format!("{text} in rows of {} bytes", self.low.size)
    }

    /// The number of places of each row of a layer that are stored: those with the fewest lines.
    pub(super) fn kept_places(&self, layer: usize) -> usize {
        let before = self.from.count_ones() as usize + layer;
        let low = (self.kept_lines as usize + 1).saturating_sub(before).min(self.low_counts.len());
        self.low_counts[..low].iter().sum::<u64>() as usize
    }

    /// The places of a row in ascending order of their number of lines.
    pub(super) fn order(&self) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.low.size as u32).collect();
        order.sort_by_cached_key(|&index| self.low.drawn(index as usize));
        order
    }

    /// The rows of the first layers in ascending order: of equivalent sets of high lines the least.
    pub(super) fn canonical_rows(
        &self,
        layers: usize,
        monitor: &Monitor,
    ) -> Result<Vec<Vec<u32>>, TablebaseError> {
        let counts = self.rows.iter().take(layers);
        let mut rows: Vec<Vec<u32>> =
            counts.map(|&count| Vec::with_capacity(count as usize)).collect();
        for index in 0..self.high.size {
            if index % HIGH_BLOCK == 0 {
                monitor.check()?;
            }
            if let Some(rows) = rows.get_mut(self.high.drawn(index))
                && self.high.canonical(index).0 == index
            {
                rows.push(index as u32);
            }
        }
        Ok(rows)
    }

    /// The size of a file with `places` bytes of each row.
    pub(super) fn file_bytes(&self, layer: usize, places: usize) -> u64 {
        self.rows[layer] * (places as u64 + CRC_BYTES)
    }

    fn memory_of(&self, sets: u64) -> u64 {
        let images = self.digits.images.len() as u64;
        let size = self.low.size as u64;
        let most_rows = self.rows.iter().max().copied().unwrap_or(0);
        let high =
            4 * (self.rows() + most_rows + images * (sets / HIGH_BLOCK as u64 + HIGH_BLOCK as u64));
        let table = 4 * size + size / BLOCK as u64 * 4 * (images + 8) + (64 * 4 * BLOCK) as u64;
        let chains = if self.digits.chains == 0 { 0 } else { Chains::bytes(&self.low) };
        FIXED + high + table + chains + 4 * size * rayon::current_num_threads() as u64
    }

    /// The largest number of bytes on disk: stored layers, the current one, and the one before it.
    fn most_disk(&self, rows: &[u128]) -> u128 {
        let file = |layer: usize, places: usize| {
            rows.get(layer).map_or(0, |rows| rows * (places as u128 + u128::from(CRC_BYTES)))
        };
        let (mut kept, mut most) = (0, 0);
        for layer in (0..rows.len()).rev() {
            let places = self.kept_places(layer);
            let is_whole = |layer| self.kept_places(layer) == self.low.size;
            if places > 0 {
                kept += file(layer, places);
            }
            let working = [layer, layer + 1].into_iter().filter(|&layer| !is_whole(layer));
            most = most.max(kept + working.map(|layer| file(layer, self.low.size)).sum::<u128>());
        }
        most
    }
}

/// Divides the digits into those of rows and those of places, so that a row has at most `most`
/// places. Both sets are closed under the symmetries.
fn divide(digits: &Digits, most: usize) -> (Vec<usize>, Vec<usize>) {
    let (mut high, mut low, mut size) = (Vec::new(), Vec::new(), 1usize);
    for orbit in digits.orbits() {
        let states =
            orbit.iter().fold(size, |size, &digit| size.saturating_mul(digits.most(digit) + 1));
        if states <= most {
            size = states;
            low.extend(orbit);
        } else {
            high.extend(orbit);
        }
    }
    // The last digits make up the blocks, see `Plan::new`.
    low.sort_by_key(|&digit| !digits.is_chain(digit));
    (high, low)
}
