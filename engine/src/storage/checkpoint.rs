//! What solvers know, in a file: to stop a long search and go on another day.
//!
//! A checkpoint begins with two lines of text (`bsq search checkpoint 1`; what was asked, in the
//! caller's words). For each solver follow a line (`nodes N entries M`) and `M` entries of 19 bytes.
//! At the end is the CRC-32 of all before it. An entry is the two words of a position, 8 bytes each,
//! the lower and the upper bound, and the binary logarithm of the work. Numbers are little-endian.
//! Only entries that took some work are kept: the others are found again in no time.

use crate::table::transposition::Entry;
use crate::table::{Bounds, TranspositionTable};
use crc32fast::Hasher;
use std::io::{BufRead, Read, Write};

const FIRST_LINE: &str = "bsq search checkpoint 1";
/// The least work that is worth keeping: 2^6 nodes.
const LEAST_EFFORT: u32 = 6;
const ENTRY_BYTES: usize = 19;

/// A solver whose table can be kept.
pub trait Learned: Sync {
    /// What it knows.
    fn table(&self) -> &TranspositionTable;
    /// Nodes searched so far.
    fn nodes(&self) -> u64;
    /// Nodes that were searched before.
    fn add_nodes(&self, nodes: u64);
    /// Whether an entry can be one of its own.
    fn admits(&self, entry: &Entry) -> bool;
}

/// Why a checkpoint is of no use.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// The file is something else, or of another version.
    #[error("it is no checkpoint of this version of the format; it begins with '{0}'")]
    Foreign(String),
    /// Another question.
    #[error("it was made for '{found}', and this is '{asked}'")]
    Other {
        /// What was asked when it was made.
        found: String,
        /// What is asked now.
        asked: String,
    },
    /// Cut off, or changed since.
    #[error("it is damaged: {0}")]
    Damaged(&'static str),
    /// It cannot be read or written.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

/// Writes what solvers know.
pub fn save(
    solvers: &[&dyn Learned],
    question: &str,
    out: &mut impl Write,
) -> Result<(), CheckpointError> {
    let mut hasher = Hasher::new();
    let mut put = |bytes: &[u8]| {
        hasher.update(bytes);
        out.write_all(bytes)
    };
    put(format!("{FIRST_LINE}\n{question}\n").as_bytes())?;
    for solver in solvers {
        // Threads may go on searching, so the entries are collected before they are counted.
        let kept: Vec<Entry> = solver.table().iter().filter(|e| e.effort >= LEAST_EFFORT).collect();
        put(format!("nodes {} entries {}\n", solver.nodes(), kept.len()).as_bytes())?;
        for entry in kept {
            put(&bytes_of(&entry))?;
        }
    }
    Ok(out.write_all(&hasher.finalize().to_le_bytes())?)
}

/// Teaches solvers what a checkpoint knows; nothing if it is damaged.
pub fn load(
    solvers: &[&dyn Learned],
    question: &str,
    input: &mut impl BufRead,
) -> Result<(), CheckpointError> {
    let mut hasher = Hasher::new();
    let first = line(input, &mut hasher)?;
    if first != FIRST_LINE {
        return Err(CheckpointError::Foreign(first));
    }
    let found = line(input, &mut hasher)?;
    if found != question {
        return Err(CheckpointError::Other { found, asked: question.to_string() });
    }
    let mut learned = Vec::new();
    for &solver in solvers {
        learned.push(section(solver, input, &mut hasher)?);
    }
    let mut sum = [0; 4];
    exactly(input, &mut sum)?;
    if u32::from_le_bytes(sum) != hasher.finalize() {
        return Err(CheckpointError::Damaged("its checksum is wrong"));
    }
    if !input.fill_buf()?.is_empty() {
        return Err(CheckpointError::Damaged("something follows its end"));
    }
    for (solver, (nodes, entries)) in solvers.iter().zip(learned) {
        let table = solver.table();
        for Entry { pair, bounds, effort } in entries {
            table.put(&table.locate(pair), bounds, effort);
        }
        solver.add_nodes(nodes);
    }
    Ok(())
}

/// What a checkpoint knows of one solver's table: how many nodes that took, and the entries.
fn section(
    solver: &dyn Learned,
    input: &mut impl BufRead,
    hasher: &mut Hasher,
) -> Result<(u64, Vec<Entry>), CheckpointError> {
    let head = numbers(&line(input, hasher)?);
    let (nodes, count) = head.ok_or(CheckpointError::Damaged("a line with numbers"))?;
    let mut entries = Vec::new();
    for _ in 0..count {
        let mut bytes = [0; ENTRY_BYTES];
        exactly(input, &mut bytes)?;
        hasher.update(&bytes);
        let entry = Some(entry_of(&bytes)).filter(|entry| solver.admits(entry));
        entries.push(entry.ok_or(CheckpointError::Damaged("an entry is out of range"))?);
    }
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

/// A line of text without its end. Lines are short; whatever goes on longer is no checkpoint.
fn line(input: &mut impl BufRead, hasher: &mut Hasher) -> Result<String, CheckpointError> {
    const LONGEST: u64 = 1 << 12;
    let mut bytes = Vec::new();
    input.take(LONGEST).read_until(b'\n', &mut bytes)?;
    hasher.update(&bytes);
    let text = String::from_utf8_lossy(&bytes);
    match text.strip_suffix('\n') {
        Some(line) => Ok(line.to_string()),
        None => Err(CheckpointError::Foreign(text.chars().take(40).collect())),
    }
}

fn exactly(input: &mut impl Read, bytes: &mut [u8]) -> Result<(), CheckpointError> {
    input.read_exact(bytes).map_err(|error| match error.kind() {
        std::io::ErrorKind::UnexpectedEof => CheckpointError::Damaged("it is cut off"),
        _ => error.into(),
    })
}

fn numbers(line: &str) -> Option<(u64, u64)> {
    match line.split(' ').collect::<Vec<_>>()[..] {
        ["nodes", nodes, "entries", entries] => Some((nodes.parse().ok()?, entries.parse().ok()?)),
        _ => None,
    }
}
