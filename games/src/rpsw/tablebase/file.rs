//! The file of a tablebase: a container with one part, whose blocks are the rows.
//!
//! See [`container`](bsq_engine::storage::container) and `docs/rpsw-tablebase.md`.

use super::{Problem, TablebaseError};
use crate::rpsw::Rules;
use crate::rpsw::census::Census;
use bsq_engine::storage::Format;
use bsq_engine::storage::container::{DirectoryError, Part, directory};
use bsq_engine::storage::header::{Header, HeaderError};
use serde::{Deserialize, Serialize};

/// The format of the file.
pub const FORMAT: Format =
    Format { kind: "rpsw database", noun: "tablebase of rock-paper-scissors-well", version: 3 };
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
            cols: rules.board().cols(),
            rows: rules.board().rows(),
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

/// A file with an intact header and directory.
pub struct OpenFile {
    name: String,
    bytes: Box<dyn AsRef<[u8]> + Send + Sync>,
    /// The header.
    pub header: Header<Metadata>,
    rows: Part,
}

impl OpenFile {
    /// Maps a file into memory and reads header and directory.
    #[cfg(feature = "storage")]
    pub fn open(path: &std::path::Path) -> Result<OpenFile, TablebaseError> {
        use std::io::ErrorKind;

        let name = path.display().to_string();
        let bytes = bsq_engine::storage::files::open(path).and_then(|(file, _)| {
            // SAFETY: the file is only read. A tablebase is put in its place atomically and never
            // written again. If another process writes to it or truncates it while it is mapped,
            // reads can fail, as for any mapped file; the documentation says so.
            unsafe { memmap2::Mmap::map(&file) }
        });
        match bytes {
            Ok(bytes) => OpenFile::of_bytes(name, Box::new(bytes)),
            Err(error) => {
                let problem = match error.kind() {
                    // It is a folder, for example.
                    ErrorKind::InvalidInput => Problem::Foreign,
                    _ => Problem::Unreadable(error.to_string()),
                };
                Err(TablebaseError { path: name, problem })
            }
        }
    }

    /// Reads header and directory of the bytes of a file. The name is for errors.
    pub fn of_bytes(
        name: String,
        bytes: Box<dyn AsRef<[u8]> + Send + Sync>,
    ) -> Result<OpenFile, TablebaseError> {
        let content = bytes.as_ref().as_ref();
        let header = FORMAT.decode(content).map_err(header_problem);
        let read = header.and_then(|header| Ok((rows(content, &header)?, header)));
        match read {
            Ok((rows, header)) => Ok(OpenFile { name, bytes, header, rows }),
            Err(problem) => Err(TablebaseError { path: name, problem }),
        }
    }

    /// The block of a row.
    pub fn block(&self, row: usize) -> &[u8] {
        self.rows.block(self.bytes(), row)
    }

    /// Whether the CRC-32 of the block of a row is right.
    pub fn is_block_intact(&self, row: usize) -> bool {
        self.rows.is_block_intact(self.bytes(), row)
    }

    /// Whether the SHA-256 of all rows is right.
    pub fn is_intact(&self) -> bool {
        self.rows.is_intact(self.bytes())
    }

    /// All bytes.
    pub fn bytes(&self) -> &[u8] {
        self.bytes.as_ref().as_ref()
    }

    /// An error about this file.
    pub fn error(&self, problem: Problem) -> TablebaseError {
        TablebaseError { path: self.name.clone(), problem }
    }
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
    if rows.blocks() == header.metadata.rows {
        Ok(rows)
    } else {
        Err(Problem::Damaged("its directory"))
    }
}
