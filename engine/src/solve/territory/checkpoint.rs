//! What a solver knows, in a file: to stop a long search and go on another day.
//!
//! A checkpoint is three lines of text (`bsq territory checkpoint 1`; what was asked, in the
//! caller's words; `nodes N entries M`), then `M` entries of 19 bytes, and the
//! CRC-32 of all before it. An entry is two sets of cells, 8 bytes each, the lower and the upper
//! bound, and the binary logarithm of the work. Numbers are little-endian. Only entries that
//! took some work are kept: the others are found again in no time.

use super::{Solver, Territorial};
use crate::table::Bounds;
use crate::table::bounds::Entry;
use crc32fast::Hasher;
use std::io::{BufRead, Read, Write};
use std::sync::atomic::Ordering;

const FIRST_LINE: &str = "bsq territory checkpoint 1";
/// The least work that is worth keeping: 2^6 nodes.
const LEAST_EFFORT: u32 = 6;
const ENTRY_BYTES: usize = 19;

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

/// Writes what the solver knows.
pub fn save<G: Territorial>(
    solver: &Solver<G>,
    question: &str,
    out: &mut impl Write,
) -> Result<(), CheckpointError> {
    // Threads may go on searching, so the entries are collected before they are counted.
    let kept: Vec<Entry> = solver.table.iter().filter(|e| e.effort >= LEAST_EFFORT).collect();
    let mut hasher = Hasher::new();
    let mut put = |bytes: &[u8]| {
        hasher.update(bytes);
        out.write_all(bytes)
    };
    let (nodes, entries) = (solver.nodes(), kept.len());
    let head = format!("{FIRST_LINE}\n{question}\nnodes {nodes} entries {entries}\n");
    put(head.as_bytes())?;
    for entry in kept {
        put(&bytes_of(&entry))?;
    }
    Ok(out.write_all(&hasher.finalize().to_le_bytes())?)
}

/// Teaches a solver what a checkpoint knows; nothing if it is damaged.
pub fn load<G: Territorial>(
    solver: &Solver<G>,
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
    let (nodes, count) =
        numbers(&line(input, &mut hasher)?).ok_or(CheckpointError::Damaged("its third line"))?;
    let mut entries = Vec::new();
    for _ in 0..count {
        let mut bytes = [0; ENTRY_BYTES];
        exactly(input, &mut bytes)?;
        hasher.update(&bytes);
        let entry = entry_of(&bytes, solver.field.cells());
        entries.push(entry.ok_or(CheckpointError::Damaged("an entry is out of range"))?);
    }
    let mut sum = [0; 4];
    exactly(input, &mut sum)?;
    if u32::from_le_bytes(sum) != hasher.finalize() {
        return Err(CheckpointError::Damaged("its checksum is wrong"));
    }
    if !input.fill_buf()?.is_empty() {
        return Err(CheckpointError::Damaged("something follows its end"));
    }
    for Entry { pair, bounds, effort } in entries {
        solver.table.put(&solver.table.locate(pair), bounds, effort);
    }
    solver.nodes.fetch_add(nodes, Ordering::Relaxed);
    Ok(())
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

fn entry_of(bytes: &[u8; ENTRY_BYTES], cells: usize) -> Option<Entry> {
    let word = |at: usize| Some(u64::from_le_bytes(bytes[at..at + 8].try_into().ok()?));
    let pair = (word(0)?, word(8)?);
    let bounds = Bounds { lower: i32::from(bytes[16] as i8), upper: i32::from(bytes[17] as i8) };
    let fits = (pair.0 | pair.1) <= u64::MAX >> (64 - cells);
    let ordered = -64 <= bounds.lower && bounds.lower <= bounds.upper && bounds.upper < 64;
    (fits && ordered).then_some(Entry { pair, bounds, effort: u32::from(bytes[18]) })
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::british_square::{Board, Field};
    use crate::solve::Monitor;
    use crate::solve::territory::{Question, Territory};

    fn solver() -> Solver<Field> {
        Solver::new(Field::new(Board::new(5, 6).unwrap()), 1 << 20).unwrap()
    }

    fn question() -> Question {
        let all = Board::new(5, 6).unwrap().all();
        Question::about(Territory { own: all, other: all })
    }

    fn saved() -> Vec<u8> {
        let solver = solver();
        let value = solver.value(&question(), &Monitor::default()).unwrap();
        assert_eq!(solver.proved(), Some(Bounds { lower: value, upper: value }));
        let mut bytes = Vec::new();
        save(&solver, "5x6", &mut bytes).unwrap();
        bytes
    }

    #[test]
    fn a_search_goes_on_where_it_stopped() {
        let bytes = saved();
        let fresh = solver();
        load(&fresh, "5x6", &mut &bytes[..]).unwrap();
        let before = fresh.nodes();
        assert!(before > 0);
        let value = fresh.value(&question(), &Monitor::default()).unwrap();
        assert_eq!(value, 2);
        assert!(fresh.nodes() - before < before / 4, "{} of {before}", fresh.nodes() - before);
    }

    #[test]
    fn every_flipped_byte_is_found() {
        let bytes = saved();
        assert!(bytes.len() > 1000);
        for at in (0..bytes.len()).step_by(7).chain(bytes.len() - 4..bytes.len()) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x10;
            assert!(load(&solver(), "5x6", &mut &damaged[..]).is_err(), "byte {at}");
        }
        let longer = [&bytes[..], b"x"].concat();
        assert!(load(&solver(), "5x6", &mut &longer[..]).is_err());
        for length in [0, 10, 60, bytes.len() / 2, bytes.len() - 1] {
            assert!(load(&solver(), "5x6", &mut &bytes[..length]).is_err(), "{length} bytes");
        }
    }

    #[test]
    fn another_question_is_refused() {
        let error = load(&solver(), "6x6", &mut &saved()[..]).unwrap_err();
        assert_eq!(error.to_string(), "it was made for '5x6', and this is '6x6'");
    }
}
