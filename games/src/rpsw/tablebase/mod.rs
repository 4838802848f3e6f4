//! The tablebase: the outcome and the depth to win of every position, in a file that is written
//! once and probed in place.
//!
//! A row has the positions with the same pieces of the player to move; of two mirror images one is
//! kept. Only losses in four plies or more and draws are stored; a search of one or two plies finds
//! the rest, see [`Tablebase::depth_to_win`]. `docs/rpsw-tablebase.md` describes the format.
//!
//! * [`block`]: the encoding of a row;
//! * `checkpoint`: the state of an analysis between iterations;
//! * [`mod@file`]: the file around the blocks;
//! * `jobs`: what front ends do with tablebases;
//! * `resume`: an analysis with a checkpoint;
//! * [`solution`]: the result of an analysis in memory, and how it is written;
//! * [`verify`]: checks of a file against the rules.

pub mod block;
#[cfg(feature = "storage")]
pub mod checkpoint;
pub mod file;
#[cfg(feature = "storage")]
pub(super) mod jobs;
#[cfg(feature = "storage")]
pub mod resume;
pub mod solution;
pub mod verify;

use super::census::Census;
use super::retrograde::Layout;
use super::{Dtw, Position, Rules};
use block::Shape;
use bsq_engine::error::{HasKind, Kind};
use bsq_engine::game::{Reversible, Value};
use bsq_engine::monitor::Monitor;
use bsq_engine::storage::header::REMEDY;
use file::OpenFile;
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use verify::VerifyError;

/// The least depth of a lost position that is stored, in plies.
pub const LEAST_PLIES: u32 = 4;

/// A file that is not a valid tablebase, or cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path} {problem}")]
pub struct TablebaseError {
    /// The file.
    pub path: String,
    /// The problem.
    pub problem: Problem,
}

impl HasKind for TablebaseError {
    fn kind(&self) -> Kind {
        match self.problem {
            Problem::Foreign | Problem::Version { .. } => Kind::Usage,
            _ => Kind::Failed,
        }
    }
}

/// A problem of a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// An action failed with this error message of the operating system.
    #[error("cannot be read: {0}")]
    Unreadable(String),
    /// The file has another format.
    #[error("is not a tablebase of rock-paper-scissors-well")]
    Foreign,
    /// The file has another version of the format.
    #[error(
        "is of version {found} of the format, and this program reads version {known}; {REMEDY}"
    )]
    Version {
        /// The version of the file.
        found: String,
        /// The version that can be read.
        known: u32,
    },
    /// The end of the file is missing.
    #[error("ends too early; it was not copied or written whole")]
    Truncated,
    /// A checksum is wrong, or the content that it covers is invalid.
    #[error("is damaged in {0}")]
    Damaged(&'static str),
    /// A block is damaged.
    #[error("is damaged in block {row}")]
    Block {
        /// The number of the block, from 0.
        row: usize,
    },
    /// The checksums are right, but the content contradicts the rules.
    #[error("contradicts the rules: {0}")]
    Wrong(String),
}

/// An open tablebase.
///
/// The file is mapped into memory; a probe reads only the block that it needs and compares its
/// checksum on first use. The file must not be changed while it is open.
pub struct Tablebase {
    file: OpenFile,
    layout: Layout,
    shape: Shape,
    /// The blocks whose checksum has been compared.
    checked: Vec<AtomicBool>,
}

impl Tablebase {
    /// Opens a file and checks its header and directory.
    #[cfg(feature = "storage")]
    pub fn open(path: &std::path::Path) -> Result<Tablebase, TablebaseError> {
        Tablebase::of(OpenFile::open(path)?)
    }

    /// A tablebase from the bytes of a file. The name is used in errors.
    ///
    /// ```
    /// use bsq_engine::monitor::Monitor;
    /// use bsq_games::rpsw::retrograde::Layout;
    /// use bsq_games::rpsw::tablebase::solution::Solution;
    /// use bsq_games::rpsw::tablebase::{LEAST_PLIES, Tablebase};
    /// use bsq_games::rpsw::Rules;
    ///
    /// let rules = Rules::standard().on_board(3, 4).unwrap().with_pieces(1).unwrap();
    /// let monitor = Monitor::default();
    /// let solution = Solution::solve(Layout::new(rules), LEAST_PLIES, &monitor).unwrap();
    /// let mut bytes = Vec::new();
    /// solution.into_rows(&monitor).unwrap().write(&mut bytes, &monitor).unwrap();
    /// let tablebase = Tablebase::from_bytes("small", bytes).unwrap();
    /// assert!(tablebase.census().positions.total() > 0);
    /// ```
    pub fn from_bytes(
        name: &str,
        bytes: impl AsRef<[u8]> + Send + Sync + 'static,
    ) -> Result<Tablebase, TablebaseError> {
        Tablebase::of(OpenFile::of_bytes(name.to_string(), Box::new(bytes))?)
    }

    fn of(file: OpenFile) -> Result<Tablebase, TablebaseError> {
        let rules = file.header.metadata.rules();
        let rules = rules.ok_or_else(|| file.error(Problem::Damaged("its rules")))?;
        let layout = Layout::new(rules);
        if layout.rows() != file.header.metadata.rows {
            return Err(file.error(Problem::Damaged("its number of rows")));
        }
        let checked = (0..file.header.metadata.rows).map(|_| AtomicBool::new(false)).collect();
        Ok(Tablebase { shape: Shape::new(layout.places()), file, layout, checked })
    }

    /// The rules of the game.
    pub fn rules(&self) -> &Rules {
        self.layout.rules()
    }

    /// The numbers of positions by material and depth to win.
    pub fn census(&self) -> &Census {
        &self.file.header.metadata.census
    }

    /// The length of the file in bytes.
    pub fn bytes(&self) -> u64 {
        self.file.bytes().len() as u64
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.checked.len()
    }

    /// The drawn positions of a row, with the first player to move; of two mirror images one.
    pub fn drawn(&self, row: usize) -> Result<Vec<Position>, TablebaseError> {
        let symbol = drawn_symbol(self.census());
        let drawn = self.entries(row)?.into_iter().filter(|&(_, other)| other == symbol);
        let drawn = drawn.map(|(code, _)| self.position(row, code));
        let drawn: Vec<Position> = drawn.collect::<Result<_, _>>()?;
        Ok(drawn.into_iter().filter(|position| self.is_counted(position)).collect())
    }

    /// Passes the positions of a row that are not over to `see`, with the first player to move; of two
    /// mirror images one.
    ///
    /// # Errors
    ///
    /// The first error of `see`.
    pub fn each_position<E>(
        &self,
        row: usize,
        mut see: impl FnMut(&Position) -> Result<(), E>,
    ) -> Result<(), E> {
        let codes = 0..self.layout.places().pow(4) as u32;
        let positions = codes.filter_map(|code| self.layout.position(row, code));
        positions.filter(|position| self.is_counted(position)).try_for_each(|at| see(&at))
    }

    /// The value of a position.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or contradicts the rules.
    pub fn value(&self, position: &Position) -> Result<Value, TablebaseError> {
        Ok(self.consistent(position)?.value(position.to_move))
    }

    /// All stored positions of a row, with the first player to move, and their symbols.
    fn stored(&self, row: usize) -> Result<Vec<(Position, u32)>, TablebaseError> {
        let stored = self.entries(row)?.into_iter();
        stored.map(|(code, symbol)| Ok((self.position(row, code)?, symbol))).collect()
    }

    /// The first position with the longest win, with the first player to move, if that win is
    /// deeper than three plies.
    pub fn longest_win(&self, monitor: &Monitor) -> Result<Option<Position>, VerifyError> {
        let Some(longest) = self.census().longest_win() else { return Ok(None) };
        // The position after the first move of the win is lost.
        let lost = longest - 1;
        let found = &self.census().iterations[lost as usize - 1];
        let has_some = |row: &usize| found.0[self.layout.material(*row)].iter().any(|&n| n > 0);
        let of_row = |row| {
            monitor.check()?;
            let is_lost = |symbol| self.of_symbol(symbol) == Some(Dtw::Lost(lost));
            let entries = self.entries(row)?.into_iter();
            for (code, _) in entries.filter(|&(_, symbol)| is_lost(symbol)) {
                for before in self.rules().unmoves(&self.position(row, code)?) {
                    if self.depth_to_win(&before)? == Some(Dtw::Won(longest)) {
                        return Ok(Some(before.seen_as_first()));
                    }
                }
            }
            Ok(None)
        };
        let rows = (0..self.rows()).into_par_iter().filter(has_some);
        let is_found = |found: &Result<_, _>| !matches!(found, Ok(None));
        rows.map(of_row).find_first(is_found).unwrap_or(Ok(None))
    }

    /// Returns the stored entry of a position: a loss in [`LEAST_PLIES`] or more, or a draw.
    pub fn probe(&self, position: &Position) -> Result<Option<Dtw>, TablebaseError> {
        let Some((row, code)) = self.layout.code(position) else { return Ok(None) };
        let symbol = self.shape.find(self.block(row)?, code).map_err(|_| self.damaged(row))?;
        symbol.map(|symbol| self.of_symbol(symbol).ok_or_else(|| self.damaged(row))).transpose()
    }

    /// The depth to win of a position; `None` if the file contradicts the rules.
    pub fn depth_to_win(&self, position: &Position) -> Result<Option<Dtw>, TablebaseError> {
        self.rules().depth_to_win(position, |position| self.probe(position))
    }

    fn entries(&self, row: usize) -> Result<Vec<(u32, u32)>, TablebaseError> {
        self.shape.decode(self.block(row)?).map_err(|_| self.damaged(row))
    }

    fn position(&self, row: usize, code: u32) -> Result<Position, TablebaseError> {
        self.layout.position(row, code).ok_or_else(|| self.damaged(row))
    }

    /// Whether this is the one of two mirror images that the census counts. A row whose mover's
    /// pieces are their own mirror image has both.
    fn is_counted(&self, position: &Position) -> bool {
        let rules = self.rules();
        let mut images = match rules.board().cols() % 2 {
            0 => return true,
            _ => rules.images(position).into_iter(),
        };
        images.all(|image| image.pieces[0] != position.pieces[0] || *position <= image)
    }

    fn damaged(&self, row: usize) -> TablebaseError {
        self.file.error(Problem::Block { row })
    }

    /// A block, after its checksum is found right.
    fn block(&self, row: usize) -> Result<&[u8], TablebaseError> {
        if !self.checked[row].load(Ordering::Relaxed) {
            if !self.file.is_block_intact(row) {
                return Err(self.file.error(Problem::Block { row }));
            }
            self.checked[row].store(true, Ordering::Relaxed);
        }
        Ok(self.file.block(row))
    }

    fn of_symbol(&self, symbol: u32) -> Option<Dtw> {
        let drawn = drawn_symbol(self.census());
        match symbol {
            _ if symbol == drawn => Some(Dtw::Drawn),
            _ if symbol < drawn => Some(Dtw::Lost(LEAST_PLIES + 2 * symbol)),
            _ => None,
        }
    }
}

/// The symbol of a drawn position. A position lost in `plies` has the symbol `(plies - LEAST_PLIES)
/// / 2`, and the next symbol after the greatest of them stands for a draw.
fn drawn_symbol(census: &Census) -> u32 {
    (census.iterations.len() as u32 / 2).saturating_sub(LEAST_PLIES / 2 - 1)
}
