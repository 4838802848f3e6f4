//! The transposition tables of long searches, kept so that another process can resume them.
//!
//! A search checkpoint is a [container](super::container). Its metadata is what was asked, as a text of
//! the caller's. For each solver there is a part: a block with the number of nodes and the number `N`
//! of entries, 8 bytes each, then the entries, 19 bytes each, in blocks of 4096. An entry is the two
//! words of a position, 8 bytes each, the lower and the upper bound, and the binary logarithm of the
//! work. Numbers are little-endian. Entries that took little work are left out, because they are soon
//! found again.

use super::Format;
use super::container::{ContainerReader, ContainerWriter, HeaderError, PROGRAM, ReadError};
use crate::table::transposition::Entry;
use crate::table::{Bounds, TranspositionTable};
use std::io::{self, BufRead, Write};

/// The format of a search checkpoint; its metadata is a string.
pub const FORMAT: Format = Format { kind: "search checkpoint", noun: "checkpoint", version: 2 };
/// The least work of an entry that is kept: 2^6 nodes.
const LEAST_EFFORT: u32 = 6;
const ENTRY_BYTES: usize = 19;
const BLOCK_ENTRIES: usize = 4096;

/// A solver whose table can be kept.
pub trait Learned: Sync {
    /// The table.
    fn table(&self) -> &TranspositionTable;
    /// The number of nodes searched so far.
    fn nodes(&self) -> u64;
    /// Adds the nodes of an earlier search.
    fn add_nodes(&self, nodes: u64);
    /// Whether the solver can have made such an entry.
    fn admits(&self, entry: &Entry) -> bool;
}

/// Why a checkpoint cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// The file is not a search checkpoint.
    #[error("it is no checkpoint of this version of the format; it begins with '{0}'")]
    Foreign(String),
    /// The file has another version of the format.
    #[error("it is of version {found} of the format, and this program reads version {known}")]
    Version {
        /// The version of the file.
        found: String,
        /// The version that can be read.
        known: u32,
    },
    /// The checkpoint belongs to another question.
    #[error("it was made for '{found}', and this is '{asked}'")]
    Other {
        /// The question of the checkpoint.
        found: String,
        /// The question of the caller.
        asked: String,
    },
    /// The content is not what was written.
    #[error("it is damaged: {0}")]
    Damaged(&'static str),
    /// The operating system refused to read or write.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl From<ReadError> for CheckpointError {
    fn from(error: ReadError) -> CheckpointError {
        match error {
            ReadError::Header(HeaderError::Foreign | HeaderError::FirstLine, first) => {
                CheckpointError::Foreign(first)
            }
            ReadError::Header(HeaderError::Version(found), _) => {
                CheckpointError::Version { found, known: FORMAT.version }
            }
            ReadError::Header(HeaderError::Truncated, _) | ReadError::Truncated => {
                CheckpointError::Damaged("it is cut off")
            }
            ReadError::Header(HeaderError::Checksum | HeaderError::Malformed(_), _)
            | ReadError::Checksum => CheckpointError::Damaged("its checksum is wrong"),
            ReadError::Longer => CheckpointError::Damaged("something follows its end"),
            ReadError::Io(error) => CheckpointError::Io(error),
        }
    }
}

/// Writes the tables of some solvers.
pub fn save(
    solvers: &[&dyn Learned],
    question: &str,
    out: &mut impl Write,
) -> Result<(), CheckpointError> {
    let mut out = ContainerWriter::begin(out, &FORMAT, PROGRAM, &question)?;
    for solver in solvers {
        // Threads may go on searching, so the entries are collected before they are counted.
        let kept: Vec<Entry> = solver.table().iter().filter(|e| e.effort >= LEAST_EFFORT).collect();
        let head = [solver.nodes(), kept.len() as u64].map(u64::to_le_bytes);
        out.block(head.as_flattened())?;
        for entries in kept.chunks(BLOCK_ENTRIES) {
            let block: Vec<u8> = entries.iter().flat_map(bytes_of).collect();
            out.block(&block)?;
        }
        out.end_part();
    }
    out.finish()?;
    Ok(())
}

/// Adds the entries of a checkpoint to the tables of some solvers; none if it is damaged.
pub fn load(
    solvers: &[&dyn Learned],
    question: &str,
    input: &mut impl BufRead,
) -> Result<(), CheckpointError> {
    let (mut input, header) = ContainerReader::begin::<String>(input, &FORMAT)?;
    if header.metadata != question {
        let (found, asked) = (header.metadata, question.to_string());
        return Err(CheckpointError::Other { found, asked });
    }
    let mut learned = Vec::new();
    for &solver in solvers {
        learned.push(part(solver, &mut input)?);
    }
    input.finish()?;
    for (solver, (nodes, entries)) in solvers.iter().zip(learned) {
        let table = solver.table();
        for Entry { pair, bounds, effort } in entries {
            table.put(&table.locate(pair), bounds, effort);
        }
        solver.add_nodes(nodes);
    }
    Ok(())
}

/// Reads the part of a solver: the nodes searched, and the entries.
fn part(
    solver: &dyn Learned,
    input: &mut ContainerReader<impl BufRead>,
) -> Result<(u64, Vec<Entry>), CheckpointError> {
    let mut head = [[0; 8]; 2];
    input.block(head.as_flattened_mut())?;
    let [nodes, mut left] = head.map(u64::from_le_bytes);
    let (mut entries, mut block) = (Vec::new(), Vec::new());
    while left > 0 {
        let count = left.min(BLOCK_ENTRIES as u64);
        left -= count;
        block.resize(count as usize * ENTRY_BYTES, 0);
        input.block(&mut block)?;
        for bytes in block.as_chunks::<ENTRY_BYTES>().0 {
            let entry = Some(entry_of(bytes)).filter(|entry| solver.admits(entry));
            entries.push(entry.ok_or(CheckpointError::Damaged("an entry is out of range"))?);
        }
    }
    input.end_part();
    Ok((nodes, entries))
}

fn bytes_of(entry: &Entry) -> [u8; ENTRY_BYTES] {
    let mut bytes = [0; ENTRY_BYTES];
    bytes[..8].copy_from_slice(&entry.pair.0.to_le_bytes());
    bytes[8..16].copy_from_slice(&entry.pair.1.to_le_bytes());
    bytes[16] = entry.bounds.lower as i8 as u8;
    bytes[17] = entry.bounds.upper as i8 as u8;
    bytes[18] = entry.effort as u8;
    bytes
}

fn entry_of(bytes: &[u8; ENTRY_BYTES]) -> Entry {
    let word = |at: usize| (0..8).fold(0, |word, i| word | u64::from(bytes[at + i]) << (8 * i));
    let [lower, upper] = [16, 17].map(|at| i32::from(bytes[at] as i8));
    Entry {
        pair: (word(0), word(8)),
        bounds: Bounds { lower, upper },
        effort: u32::from(bytes[18]),
    }
}
