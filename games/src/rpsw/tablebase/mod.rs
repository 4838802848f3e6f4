//! The database: what every position is worth, in a file that is written once and looked up in
//! place.
//!
//! A row has the positions with the same pieces of the mover, of two mirror images one. Stored are
//! positions lost in four plies or more, and drawn ones; see [`value`](super::value) for how
//! all others follow. `docs/rpsw-tablebase.md` describes the format.
//!
//! * [`block`]: a row as bytes;
//! * [`checkpoint`]: what is kept between the rounds of a solver;
//! * `file`: the file around the blocks;
//! * [`resume`]: a solver with a checkpoint;
//! * [`solution`]: what is written, as a solver leaves it;
//! * [`verify`]: whether a file is what the rules say.

pub mod block;
#[cfg(feature = "storage")]
pub mod checkpoint;
pub mod file;
#[cfg(feature = "storage")]
pub mod resume;
pub mod solution;
pub mod verify;

use super::census::Census;
use super::retrograde::Layout;
use super::value::{Store, Verdict};
use super::{Position, Rules};
use block::Shape;
use bsq_engine::game::Symmetric;
use file::OpenFile;
use std::sync::atomic::{AtomicBool, Ordering};

/// The least plies of a lost position that is stored.
pub const LEAST_PLIES: u32 = 4;

/// What is wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path} {problem}")]
pub struct TablebaseError {
    /// The file.
    pub path: String,
    /// What is wrong with it.
    pub problem: Problem,
}

/// What can be wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// The system says so.
    #[error("cannot be read: {0}")]
    Unreadable(String),
    /// It begins like something else.
    #[error("is no database of rock-paper-scissors-well")]
    Foreign,
    /// It is of another version of the format.
    #[error("is of version {found} of the format, and this program reads version {known}")]
    Version {
        /// Its version.
        found: String,
        /// The version that can be read.
        known: u32,
    },
    /// The end is not there.
    #[error("ends too early; it was not copied or written whole")]
    Truncated,
    /// A checksum does not fit, or what it covers makes no sense.
    #[error("is damaged in {0}")]
    Damaged(&'static str),
    /// The same for a block.
    #[error("is damaged in block {row}")]
    Block {
        /// Its number, from 0.
        row: usize,
    },
    /// Whole, but wrong.
    #[error("contradicts the rules: {0}")]
    Wrong(String),
}

/// A database that can be asked.
///
/// The file is mapped into memory, and only what is asked for is read. A block is checked when it
/// is first used. The file must not be changed meanwhile.
pub struct Tablebase {
    file: OpenFile,
    layout: Layout,
    shape: Shape,
    /// Blocks whose checksum was found right.
    checked: Vec<AtomicBool>,
}

impl Tablebase {
    /// Opens a file.
    #[cfg(feature = "storage")]
    pub fn open(path: &std::path::Path) -> Result<Tablebase, TablebaseError> {
        Tablebase::of(OpenFile::open(path)?)
    }

    /// A tablebase from the bytes of a file. Errors call it by that name.
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

    /// How many positions there are of each kind.
    pub fn census(&self) -> &Census {
        &self.file.header.metadata.census
    }

    /// Bytes of the file.
    pub fn bytes(&self) -> u64 {
        self.file.bytes().len() as u64
    }

    /// Rows of the file.
    pub fn rows(&self) -> usize {
        self.checked.len()
    }

    /// The drawn positions of a row, the first player to move, of two mirror images one.
    pub fn drawn(&self, row: usize) -> Result<Vec<Position>, TablebaseError> {
        let symbol = drawn_symbol(self.census());
        let drawn = self.entries(row)?.into_iter().filter(|&(_, other)| other == symbol);
        let drawn = drawn.map(|(code, _)| self.position(row, code));
        let drawn: Vec<Position> = drawn.collect::<Result<_, _>>()?;
        Ok(drawn.into_iter().filter(|position| self.is_counted(position)).collect())
    }

    /// All positions of a row, the first player to move, with their symbols.
    fn stored(&self, row: usize) -> Result<Vec<(Position, u32)>, TablebaseError> {
        let stored = self.entries(row)?.into_iter();
        stored.map(|(code, symbol)| Ok((self.position(row, code)?, symbol))).collect()
    }

    fn entries(&self, row: usize) -> Result<Vec<(u32, u32)>, TablebaseError> {
        self.shape.decode(self.block(row)?).map_err(|_| self.damaged(row))
    }

    fn position(&self, row: usize, code: u32) -> Result<Position, TablebaseError> {
        self.layout.position(row, code).ok_or_else(|| self.damaged(row))
    }

    /// Whether this is the one of two mirror images that counts. A row whose mover's pieces are
    /// their own image has both.
    fn is_counted(&self, position: &Position) -> bool {
        let rules = self.rules();
        let mut images = match rules.cols() % 2 {
            0 => return true,
            _ => rules.images(position).into_iter(),
        };
        images.all(|image| image.pieces[0] != position.pieces[0] || *position <= image)
    }

    fn damaged(&self, row: usize) -> TablebaseError {
        self.file.error(Problem::Block { row })
    }

    /// A block whose checksum is right.
    fn block(&self, row: usize) -> Result<&[u8], TablebaseError> {
        let (block, crc) = self.file.block(row);
        if !self.checked[row].load(Ordering::Relaxed) {
            if crc32fast::hash(block) != crc {
                return Err(self.file.error(Problem::Block { row }));
            }
            self.checked[row].store(true, Ordering::Relaxed);
        }
        Ok(block)
    }

    fn verdict_of(&self, symbol: u32) -> Option<Verdict> {
        let drawn = drawn_symbol(self.census());
        match symbol {
            _ if symbol == drawn => Some(Verdict::Drawn),
            _ if symbol < drawn => Some(Verdict::Lost(LEAST_PLIES + 2 * symbol)),
            _ => None,
        }
    }
}

impl Store for Tablebase {
    type Error = TablebaseError;

    fn look_up(&self, position: &Position) -> Result<Option<Verdict>, TablebaseError> {
        let Some((row, code)) = self.layout.code(position) else { return Ok(None) };
        let symbol = self.shape.find(self.block(row)?, code).map_err(|_| self.damaged(row))?;
        symbol.map(|symbol| self.verdict_of(symbol).ok_or_else(|| self.damaged(row))).transpose()
    }
}

/// The symbol of a drawn position: the first one behind those of the lost ones, which are the plies
/// beyond the least ones, halved.
fn drawn_symbol(census: &Census) -> u32 {
    (census.iterations.len() as u32 / 2).saturating_sub(LEAST_PLIES / 2 - 1)
}
