//! Files of sorted states: the external memory of a worker's shard of a level.
//!
//! A file is a sequence of [runs](crate::storage::runs), each with some states of one part, in order.
//! The content of a run are bytes, its length is their number: the words of the states (see
//! [`Tally::store`](crate::tally::Tally::store)) as variable length integers, seven bits a byte, and
//! of a state's own word the difference from the one before it in the run.

use super::folder::{Folder, ShardId};
use crate::levels::error::LevelsError;
use crate::levels::state::{StateKey, each};
use crate::storage::runs::{self, HEAD_BYTES, Reader, TAIL_BYTES, head, parse_head};
use crate::storage::{FileRecord, StorageError};
use crate::tally::Width;
use crc32fast::Hasher;
use integer_encoding::VarInt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const FILE_BYTES: u64 = 256 << 20;
/// An approximate bound on the bytes of a run. A run of more than twice as many is rejected.
const RUN_BYTES: usize = 8 << 20;
/// An approximate bound on the words of a run, which take up to ten bytes each.
pub const RUN_WORDS: usize = RUN_BYTES / 10;

/// Appends the bytes of sorted states.
fn encode<W: StateKey>(width: Width, words: &[u64], bytes: &mut Vec<u8>) {
    let mut last = W::default();
    let mut push = |number: u64| {
        let mut digits = [0; 10];
        let length = number.encode_var(&mut digits);
        bytes.extend_from_slice(&digits[..length]);
    };
    for state in each::<W>(width, words) {
        let word = W::load(state);
        word.encode_delta(last, &mut push);
        last = word;
        state[W::WORDS..].iter().for_each(|&word| push(word));
    }
}

/// Appends the words that such bytes encode; `None` if they are malformed.
fn decode<W: StateKey>(width: Width, bytes: &[u8], words: &mut Vec<u64>) -> Option<()> {
    let (mut rest, mut last) = (bytes, W::default());
    while !rest.is_empty() {
        let mut next = || {
            let (number, length) = u64::decode_var(rest)?;
            rest = &rest[length..];
            Some(number)
        };
        last = W::decode_delta(last, &mut next)?;
        last.store(words);
        let mut more = width.words();
        if width == Width::Unbounded {
            let count = next()?;
            words.push(count);
            more = usize::try_from(count).ok()?;
        }
        for _ in 0..more {
            words.push(next()?);
        }
    }
    Some(())
}

/// The position of a run in a file.
#[derive(Clone, Debug)]
pub struct Run {
    path: Arc<PathBuf>,
    offset: u64,
    /// Words of the states in memory.
    pub words: usize,
}

impl Run {
    /// Appends the words of its states.
    pub fn read<W: StateKey>(
        &self,
        width: Width,
        words: &mut Vec<u64>,
    ) -> Result<(), StorageError> {
        let mut reader = Reader::open(&self.path, self.offset)?;
        read_run::<W>(&mut reader, width, &mut Vec::new(), words).map(drop)
    }
}

/// Writes the files of a worker's shard of a level.
pub struct Writer {
    folder: Arc<Folder>,
    label: ShardId,
    files: runs::Writer,
    bytes: Vec<u8>,
}

impl Writer {
    /// Creates a writer of that shard.
    pub fn new(folder: Arc<Folder>, label: ShardId) -> Writer {
        Writer { folder, label, files: runs::Writer::new(FILE_BYTES), bytes: Vec::new() }
    }

    /// Writes sorted states of a part, about [`RUN_WORDS`] words at most or one state.
    pub fn write<W: StateKey>(
        &mut self,
        part: usize,
        width: Width,
        words: &[u64],
    ) -> Result<Run, StorageError> {
        let open = self.files.open(|number| self.folder.create_file(self.label, number))?;
        let (path, offset) = open.position();
        self.bytes.clear();
        self.bytes.resize(HEAD_BYTES, 0);
        encode::<W>(width, words, &mut self.bytes);
        let head = head(part, self.bytes.len() - HEAD_BYTES);
        self.bytes[..HEAD_BYTES].copy_from_slice(&head);
        open.write(&self.bytes)?;
        self.files.end_run(crc32fast::hash(&self.bytes))?;
        Ok(Run { path, offset, words: words.len() })
    }

    /// Syncs the last file. Returns all files.
    pub fn finish(self) -> Result<Vec<FileRecord>, StorageError> {
        self.files.finish()
    }
}

/// Reads a run and appends its words. Returns its length in bytes.
fn read_run<W: StateKey>(
    reader: &mut Reader,
    width: Width,
    bytes: &mut Vec<u8>,
    words: &mut Vec<u64>,
) -> Result<u64, StorageError> {
    let mut head = [0; HEAD_BYTES];
    reader.read(&mut head)?;
    let (_, length) = parse_head(head);
    // One state with a tally without bound may be longer; no game has one that long.
    if length > 2 * RUN_BYTES {
        return Err(reader.damaged("it claims a run that is too long"));
    }
    bytes.resize(length, 0);
    reader.read(bytes)?;
    let mut hasher = Hasher::new();
    hasher.update(&head);
    hasher.update(bytes);
    reader.end_run(hasher.finalize())?;
    let decoded = decode::<W>(width, bytes, words);
    decoded.ok_or_else(|| reader.damaged("it does not hold states"))?;
    Ok((HEAD_BYTES + length + TAIL_BYTES) as u64)
}

/// Passes all states of a listed file to `take`, a run at a time, and compares all checksums.
pub fn read_file<W: StateKey, E: From<LevelsError>>(
    folder: &Path,
    record: &FileRecord,
    width: Width,
    mut take: impl FnMut(&[u64]) -> Result<(), E>,
) -> Result<(), E> {
    let path = folder.join(&record.name);
    let mut reader = Reader::whole(&path, record).map_err(LevelsError::from)?;
    let (mut offset, mut bytes, mut words) = (0, Vec::new(), Vec::new());
    while offset < record.bytes {
        words.clear();
        let run = read_run::<W>(&mut reader, width, &mut bytes, &mut words);
        offset += run.map_err(LevelsError::from)?;
        take(&words)?;
    }
    Ok(reader.end(record).map_err(LevelsError::from)?)
}

#[cfg(test)]
mod tests;
