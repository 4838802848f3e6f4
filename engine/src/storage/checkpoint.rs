//! The transposition tables of long searches, stored so that another process can resume them.
//!
//! A search checkpoint is a [container](super::container). Its metadata is the question, a text
//! chosen by the caller. Each solver has a part: the number of nodes, in 8 bytes, then blocks of up
//! to 4096 entries. A block begins with the number of its entries, in 4 bytes. The last block is
//! empty. An entry has 19 bytes: the two words of a position, 8 bytes each, the lower and the upper
//! bound, and the binary logarithm of the work. Numbers are little-endian. Entries that took little
//! work are omitted, because they are cheap to recompute.
//!
//! Entries are written and read as a stream, because the tables may take most of the memory.

use super::container::{ContainerReader, ContainerWriter, ReadError};
use super::header::{Format, program};
use crate::error::{HasKind, Kind};
use crate::evaluate::Learned;
use crate::table::Bounds;
use crate::table::transposition::Entry;
use std::io::{self, BufRead, Seek, Write};

/// The format of a search checkpoint; its metadata is a string.
pub const FORMAT: Format =
    Format { kind: "search checkpoint", noun: "checkpoint of a search", version: 5 };
/// The least work of an entry that is stored, as a binary logarithm: 64 nodes.
const LEAST_EFFORT: u32 = 6;
const ENTRY_BYTES: usize = 19;
const BLOCK_ENTRIES: usize = 4096;

/// Why a checkpoint cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// The checkpoint belongs to another question.
    #[error("it was made for '{found}', and this is '{asked}'")]
    Other {
        /// The question of the checkpoint.
        found: String,
        /// The question of the caller.
        asked: String,
    },
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
}

impl HasKind for CheckpointError {
    fn kind(&self) -> Kind {
        match self {
            CheckpointError::Other { .. } => Kind::Usage,
            CheckpointError::Read(error) => error.kind(),
        }
    }
}

/// Writes the tables of some solvers, which may still be searching.
pub fn save(solvers: &[&dyn Learned], question: &str, out: &mut impl Write) -> io::Result<()> {
    let mut out = ContainerWriter::begin(out, &FORMAT, &program(), &question)?;
    for solver in solvers {
        out.block(&solver.nodes().to_le_bytes())?;
        let mut entries = solver.entries().filter(|entry| entry.effort >= LEAST_EFFORT);
        loop {
            let block: Vec<u8> =
                entries.by_ref().take(BLOCK_ENTRIES).flat_map(|entry| bytes_of(&entry)).collect();
            let count = (block.len() / ENTRY_BYTES) as u32;
            out.block(&count.to_le_bytes())?;
            out.block(&block)?;
            if count == 0 {
                break;
            }
        }
        out.end_part();
    }
    out.finish()?;
    Ok(())
}

/// Adds the entries of a checkpoint to the tables of some solvers. Adds nothing if the checkpoint
/// is damaged: the whole input is checked first, then read again.
pub fn load(
    solvers: &[&dyn Learned],
    question: &str,
    input: &mut (impl BufRead + Seek),
) -> Result<(), CheckpointError> {
    read(solvers, question, input, |_, _| ())?;
    input.rewind().map_err(ReadError::from)?;
    let nodes = read(solvers, question, input, |solver, entry| solver.add_entry(entry))?;
    for (solver, nodes) in solvers.iter().zip(nodes) {
        solver.add_nodes(nodes);
    }
    Ok(())
}

/// Reads and checks a checkpoint. Returns the number of nodes of each solver.
fn read(
    solvers: &[&dyn Learned],
    question: &str,
    input: &mut impl BufRead,
    mut each: impl FnMut(&dyn Learned, &Entry),
) -> Result<Vec<u64>, CheckpointError> {
    let (mut input, header) = ContainerReader::begin::<String>(input, &FORMAT)?;
    if header.metadata != question {
        let (found, asked) = (header.metadata, question.to_string());
        return Err(CheckpointError::Other { found, asked });
    }
    let parts = solvers.iter().map(|&solver| part(solver, &mut input, &mut each));
    let nodes = parts.collect::<Result<_, _>>()?;
    input.finish()?;
    Ok(nodes)
}

/// Reads the part of a solver. Returns the number of nodes.
fn part(
    solver: &dyn Learned,
    input: &mut ContainerReader<impl BufRead>,
    each: &mut impl FnMut(&dyn Learned, &Entry),
) -> Result<u64, ReadError> {
    let mut nodes = [0; 8];
    input.block(&mut nodes)?;
    let mut block = Vec::new();
    loop {
        let mut count = [0; 4];
        input.block(&mut count)?;
        let count = u32::from_le_bytes(count) as usize;
        if count > BLOCK_ENTRIES {
            return Err(ReadError::Damaged("a block is too long"));
        }
        block.resize(count * ENTRY_BYTES, 0);
        input.block(&mut block)?;
        for bytes in block.as_chunks::<ENTRY_BYTES>().0 {
            let entry = entry_of(bytes);
            if !solver.admits(&entry) {
                return Err(ReadError::Damaged("an entry is out of range"));
            }
            each(solver, &entry);
        }
        if count == 0 {
            input.end_part();
            return Ok(u64::from_le_bytes(nodes));
        }
    }
}

fn bytes_of(entry: &Entry) -> [u8; ENTRY_BYTES] {
    let mut bytes = [0; ENTRY_BYTES];
    bytes[..8].copy_from_slice(&entry.pair.0.to_le_bytes());
    bytes[8..16].copy_from_slice(&entry.pair.1.to_le_bytes());
    let [lower, upper] = [entry.bounds.lower, entry.bounds.upper].map(|bound| bound as i8 as u8);
    bytes[16..].copy_from_slice(&[lower, upper, entry.effort as u8]);
    bytes
}

fn entry_of(bytes: &[u8; ENTRY_BYTES]) -> Entry {
    let (words, [lower, upper, effort]) = bytes.split_last_chunk().expect("three bytes of 19");
    let word = |at| u64::from_le_bytes(words.as_chunks().0[at]);
    let [lower, upper] = [*lower, *upper].map(|byte| i32::from(byte as i8));
    let bounds = Bounds { lower, upper };
    Entry { pair: (word(0), word(1)), bounds, effort: u32::from(*effort) }
}
