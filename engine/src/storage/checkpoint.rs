//! The transposition tables of long searches, stored so that another process can resume them.
//!
//! A search checkpoint is a [container](super::container). Its metadata is the question, a text
//! chosen by the caller. For each solver there is a part: a block with the number of nodes and the
//! number `N` of entries, 8 bytes each, then the entries, 19 bytes each, in blocks of 4096. An
//! entry is the two words of a position, 8 bytes each, the lower and the upper bound, and the
//! binary logarithm of the work. Numbers are little-endian. Entries that took little work are
//! omitted, because they are cheap to recompute.

use super::container::{ContainerReader, ContainerWriter, ReadError};
use super::header::{Format, program};
use crate::evaluate::Learned;
use crate::table::Bounds;
use crate::table::transposition::Entry;
use std::io::{self, BufRead, Write};

/// The format of a search checkpoint; its metadata is a string.
pub const FORMAT: Format = Format { kind: "search checkpoint", noun: "checkpoint", version: 3 };
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

/// Writes the tables of some solvers.
pub fn save(solvers: &[&dyn Learned], question: &str, out: &mut impl Write) -> io::Result<()> {
    let mut out = ContainerWriter::begin(out, &FORMAT, &program(), &question)?;
    for solver in solvers {
        // Threads may still be searching, so the entries are collected before they are counted.
        let kept: Vec<Entry> = solver.entries().filter(|e| e.effort >= LEAST_EFFORT).collect();
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

/// Adds the entries of a checkpoint to the tables of some solvers. Adds nothing if it is damaged.
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
        entries.iter().for_each(|entry| solver.add_entry(entry));
        solver.add_nodes(nodes);
    }
    Ok(())
}

/// Reads the part of a solver: the number of nodes, and the entries.
fn part(
    solver: &dyn Learned,
    input: &mut ContainerReader<impl BufRead>,
) -> Result<(u64, Vec<Entry>), ReadError> {
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
            entries.push(entry.ok_or(ReadError::Damaged("an entry is out of range"))?);
        }
    }
    input.end_part();
    Ok((nodes, entries))
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
