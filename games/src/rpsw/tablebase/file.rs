//! The file of a tablebase: a container with one part, whose blocks are the rows.
//!
//! See [`container`](bsq_engine::storage::container) and `docs/rpsw-database.md`.

use super::{Problem, TablebaseError};
use crate::rpsw::Rules;
use crate::rpsw::census::Census;
use bsq_engine::storage::container::{DirectoryError, Header, HeaderError, Part, directory};
use bsq_engine::storage::{Format, files};
use memmap2::Mmap;
use serde::{Deserialize, Serialize};
use std::io;
use std::path::{Path, PathBuf};

/// The format of the file.
pub const FORMAT: Format = Format { kind: "rpsw database", noun: "database", version: 2 };
/// An upper bound on the number of rows: codes of a player's pieces on the largest board.
const MOST_ROWS: usize = 21usize.pow(4);

/// The metadata of a tablebase.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Metadata {
    rules: WrittenRules,
    /// The number of rows, each a block.
    pub rows: usize,
    /// The number of positions of each kind.
    pub census: Census,
}

/// Rules as metadata.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WrittenRules {
    cols: usize,
    rows: usize,
    pieces: usize,
    total: usize,
    takes: [u8; 4],
}

impl WrittenRules {
    /// The metadata of these rules.
    pub fn of(rules: &Rules) -> WrittenRules {
        WrittenRules {
            cols: rules.cols(),
            rows: rules.rows(),
            pieces: rules.pieces(),
            total: rules.total(),
            takes: rules.capture_table(),
        }
    }
}

impl Metadata {
    /// The metadata of a tablebase of these rules.
    pub fn new(rules: &Rules, rows: usize, census: Census) -> Metadata {
        Metadata { rules: WrittenRules::of(rules), rows, census }
    }

    /// The rules; `None` if there are no such rules.
    pub fn rules(&self) -> Option<Rules> {
        let WrittenRules { cols, rows, pieces, total, takes } = self.rules;
        let rules = Rules::standard().on_board(cols, rows).ok()?.with_pieces(pieces).ok()?;
        Some(rules.with_total(total).ok()?.with_takes(takes))
    }
}

/// An open file with an intact header and directory.
pub struct OpenFile {
    path: PathBuf,
    bytes: Mmap,
    /// The header.
    pub header: Header<Metadata>,
    rows: Part,
}

impl OpenFile {
    /// Opens a file and reads header and directory.
    pub fn open(path: &Path) -> Result<OpenFile, TablebaseError> {
        let fail = |problem| TablebaseError { path: path.display().to_string(), problem };
        let bytes = map(path).map_err(|error| fail(Problem::Unreadable(error.to_string())))?;
        let header = FORMAT.decode(&bytes).map_err(|error| fail(header_problem(error)))?;
        let rows = rows(&bytes, &header).map_err(fail)?;
        Ok(OpenFile { path: path.to_path_buf(), bytes, header, rows })
    }

    /// The block of a row, and its CRC-32 by the directory.
    pub fn block(&self, row: usize) -> (&[u8], u32) {
        let (range, crc) = &self.rows.blocks[row];
        (&self.bytes[range.clone()], *crc)
    }

    /// Whether the SHA-256 of all rows is right.
    pub fn is_intact(&self) -> bool {
        self.rows.is_intact(&self.bytes)
    }

    /// All bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// An error about this file.
    pub fn error(&self, problem: Problem) -> TablebaseError {
        TablebaseError { path: self.path.display().to_string(), problem }
    }
}

fn map(path: &Path) -> io::Result<Mmap> {
    let (file, _) = files::open(path)?;
    // SAFETY: the file is only read. A tablebase is put in its place atomically and never written
    // again. If another process writes to it or truncates it while it is mapped, reads can fail, as
    // for any mapped file; the documentation says so.
    unsafe { Mmap::map(&file) }
}

fn header_problem(error: HeaderError) -> Problem {
    match error {
        HeaderError::Foreign => Problem::Foreign,
        HeaderError::FirstLine => Problem::Damaged("its first line"),
        HeaderError::Version(found) => Problem::Version { found, known: FORMAT.version },
        HeaderError::Truncated => Problem::Truncated,
        HeaderError::Checksum | HeaderError::Malformed(_) => Problem::Damaged("its header"),
    }
}

/// The part with the rows.
fn rows(bytes: &[u8], header: &Header<Metadata>) -> Result<Part, Problem> {
    if header.metadata.rows > MOST_ROWS {
        return Err(Problem::Damaged("its header"));
    }
    let parts = directory(bytes, header.bytes).map_err(|error| match error {
        DirectoryError::Truncated => Problem::Truncated,
        DirectoryError::Damaged => Problem::Damaged("its directory"),
    })?;
    let [rows] = <[Part; 1]>::try_from(parts).map_err(|_| Problem::Damaged("its directory"))?;
    match rows.blocks.len() == header.metadata.rows {
        true => Ok(rows),
        false => Err(Problem::Damaged("its directory")),
    }
}
