//! The result of a retrograde analysis in memory, which can be written to a file.

use super::block::Shape;
use super::file::{FORMAT, Metadata};
use super::{LEAST_PLIES, drawn_symbol};
use crate::rpsw::census::Census;
use crate::rpsw::retrograde::{self, BitSet, Found, Layout, LostPositions, Solved};
use crate::rpsw::{Dtw, Position, Rules};
use bsq_engine::game::Reversible;
use bsq_engine::monitor::{Monitor, SolveError};
use bsq_engine::parallel;
use bsq_engine::storage::StorageError;
use bsq_engine::storage::container::ContainerWriter;
use bsq_engine::storage::header::program;
use rayon::prelude::*;
use std::convert::Infallible;
use std::io::{self, Write};

/// The number of rows that are encoded in parallel before they are written.
const ROWS_AT_ONCE: usize = 512;

/// Every won and lost position, with the depth of the lost ones.
pub struct Solution {
    layout: Layout,
    solved: Solved,
    lost: LostPositions,
    /// The least depth in `lost`, in plies.
    from: u32,
    census: Census,
}

impl Solution {
    /// Solves the game, and keeps the depth of positions lost in `from` plies or more. If `from`
    /// is more than [`LEAST_PLIES`], the solution takes less memory, but cannot be written to a
    /// file.
    pub fn solve(layout: Layout, from: u32, monitor: &Monitor) -> Result<Solution, SolveError> {
        let lost = LostPositions::new(layout.rows(), layout.places(), from);
        let solved = retrograde::solve(
            &layout,
            &|plies, row, found| lost.record(plies, row, found),
            monitor,
        )?;
        Ok(Solution::of(layout, solved, lost, from))
    }

    pub(super) fn of(layout: Layout, solved: Solved, lost: LostPositions, from: u32) -> Solution {
        let census = Census::of(&solved);
        Solution { layout, solved, lost, from, census }
    }

    /// The numbers of positions by material and depth to win.
    pub fn census(&self) -> &Census {
        &self.census
    }

    /// The layout of the bit sets.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        self.layout.rules()
    }

    /// The first position with the longest win, with the first player to move. `None` if the depth
    /// of that win is at most the `from` of [`solve`](Solution::solve).
    pub fn longest_win(&self) -> Option<Position> {
        let longest = self.census.longest_win().filter(|longest| *longest > self.from)?;
        self.lost
            .lost_in(longest - 1)
            .into_iter()
            .filter_map(|(row, code)| self.layout.position(row, code))
            .flat_map(|lost| self.rules().unmoves(&lost))
            .find(|before| self.depth_to_win(before) == Some(Dtw::Won(longest)))
            .map(|position| position.seen_as_first())
    }

    /// The rows of the file. The bit sets, which take most of the memory, are freed.
    pub fn into_rows(self, monitor: &Monitor) -> Result<StoredRows, SolveError> {
        assert!(self.from <= LEAST_PLIES, "the depths of all stored positions are known");
        let Solution { layout, solved, lost, census, .. } = self;
        let drawn = drawn(&layout, &solved, monitor)?;
        Ok(StoredRows { layout, lost, drawn, census })
    }

    /// The depth to win of a position; `None` if the bit sets contradict the rules.
    pub fn depth_to_win(&self, position: &Position) -> Option<Dtw> {
        let found = self.rules().depth_to_win(position, |position| Ok(self.probe(position)));
        found.unwrap_or_else(|never: Infallible| match never {})
    }

    /// The entry of a position in a tablebase.
    fn probe(&self, position: &Position) -> Option<Dtw> {
        let [lost, won] = self.layout.rank(position)?;
        let is_set = |rows: &BitSet, (row, word, bit): (usize, usize, u32)| {
            rows.row(row)[word] >> bit & 1 == 1
        };
        if !is_set(&self.solved.lost, lost) {
            return (!is_set(&self.solved.won, won)).then_some(Dtw::Drawn);
        }
        let (row, word, bit) = lost;
        let code = word * self.layout.places() + bit as usize;
        // Positions lost in two plies are not probed.
        Some(Dtw::Lost(self.lost.find(row, code as u32).unwrap_or(LEAST_PLIES)))
    }
}

/// The row and the code of every drawn position, in ascending order.
fn drawn(
    layout: &Layout,
    solved: &Solved,
    monitor: &Monitor,
) -> Result<Vec<(u32, u32)>, SolveError> {
    monitor.begin("drawn positions", layout.rows() as u64);
    let of_row = |row: usize| -> Result<Vec<(u32, u32)>, SolveError> {
        monitor.check()?;
        let (mut positions, won) = (Found::default(), solved.won.row(row));
        layout.positions(row, &mut positions);
        let mut drawn = Vec::new();
        for (word, bits) in positions.words(layout.places()) {
            let word = word as usize;
            let open = (word, bits & !won[word]);
            layout.not_lost(row, open, &solved.lost, |row, code| drawn.push((row, code)));
        }
        monitor.advance(1);
        Ok(drawn)
    };
    let mut drawn = parallel::try_map(0..layout.rows(), of_row)?.concat();
    drawn.par_sort_unstable();
    Ok(drawn)
}

/// The content of a tablebase.
pub struct StoredRows {
    layout: Layout,
    lost: LostPositions,
    drawn: Vec<(u32, u32)>,
    census: Census,
}

impl StoredRows {
    /// Writes the file. Returns its length in bytes.
    pub fn write(&self, out: impl Write, monitor: &Monitor) -> Result<u64, WriteError> {
        self.write_as(&program(), out, monitor)
    }

    /// Writes the file with the given version of the program in its header. Returns its length in
    /// bytes.
    pub(super) fn write_as(
        &self,
        program: &str,
        out: impl Write,
        monitor: &Monitor,
    ) -> Result<u64, WriteError> {
        let rows = self.layout.rows();
        monitor.begin("writing", rows as u64);
        let metadata = Metadata::new(self.layout.rules(), rows, self.census.clone());
        let mut file = ContainerWriter::begin(out, &FORMAT, program, &metadata)?;
        for first in (0..rows).step_by(ROWS_AT_ONCE) {
            monitor.check()?;
            let some = first..(first + ROWS_AT_ONCE).min(rows);
            monitor.advance(some.len() as u64);
            for block in parallel::map(some, |row| self.block(row)) {
                file.block(&block)?;
            }
        }
        file.end_part();
        Ok(file.finish()?)
    }

    fn block(&self, row: usize) -> Vec<u8> {
        let lost = self.lost.row(row);
        let mut entries: Vec<(u32, u32)> = lost
            .into_iter()
            .filter(|&(_, plies)| plies >= LEAST_PLIES)
            .map(|(code, plies)| (code, (plies - LEAST_PLIES) / 2))
            .collect();
        let start = self.drawn.partition_point(|&(other, _)| (other as usize) < row);
        let drawn = self.drawn[start..].iter().take_while(|&&(other, _)| other as usize == row);
        let symbol = drawn_symbol(&self.census);
        entries.extend(drawn.map(|&(_, code)| (code, symbol)));
        entries.sort_unstable();
        Shape::new(self.layout.places()).encode(&entries)
    }
}

/// Why a file was not written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// A file operation failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file cannot be given its name.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// The caller cancelled the job.
    #[error(transparent)]
    Stopped(#[from] SolveError),
}
