//! Files of sorted states: the external memory of a worker's shard of a level.
//!
//! A file is a sequence of [runs](crate::storage::runs), each with some states of one part, in
//! order. The content of a run is a sequence of bytes, and its length is the number of bytes: the
//! words of the states (see [`Tally::store`](crate::tally::Tally::store)) as variable-length
//! integers of seven bits a byte, a key as the difference from the one before it in the run.

use super::folder::{Folder, ShardId};
use crate::levels::error::LevelsError;
use crate::levels::state::{StateKey, each};
use crate::storage::runs::{Reader, Run, Writer};
use crate::storage::{FileRecord, StorageError};
use crate::tally::Width;
use integer_encoding::VarInt;
use std::path::Path;
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

/// Creates a writer of the files of a worker's shard of a level.
pub fn writer(folder: Arc<Folder>, label: ShardId) -> Writer<'static> {
    Writer::new(FILE_BYTES, move |number| folder.create_file(label, number))
}

/// Writes sorted states of a part, about [`RUN_WORDS`] words at most or one state.
pub fn write<W: StateKey>(
    writer: &mut Writer,
    part: usize,
    width: Width,
    words: &[u64],
) -> Result<Run, StorageError> {
    let mut bytes = Vec::with_capacity(4 * words.len());
    encode::<W>(width, words, &mut bytes);
    writer.write(part, words.len(), bytes.len(), [bytes])
}

/// Appends the words of the states of a run.
pub fn read<W: StateKey>(
    run: &Run,
    width: Width,
    words: &mut Vec<u64>,
) -> Result<(), StorageError> {
    read_next::<W>(&mut run.open()?, width, &mut Vec::new(), words)
}

/// Reads the next run and appends its words.
fn read_next<W: StateKey>(
    reader: &mut Reader,
    width: Width,
    bytes: &mut Vec<u8>,
    words: &mut Vec<u64>,
) -> Result<(), StorageError> {
    let (_, length) = reader.begin_run()?;
    // One state with an unbounded tally may be longer; no game has one that long.
    if length > 2 * RUN_BYTES {
        return Err(reader.damaged("it claims a run that is too long"));
    }
    bytes.resize(length, 0);
    reader.read(bytes)?;
    reader.end_run()?;
    decode::<W>(width, bytes, words).ok_or_else(|| reader.damaged("it does not hold states"))
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
    let (mut bytes, mut words) = (Vec::new(), Vec::new());
    while reader.offset() < record.bytes {
        words.clear();
        let read = read_next::<W>(&mut reader, width, &mut bytes, &mut words);
        read.map_err(LevelsError::from)?;
        take(&words)?;
    }
    Ok(reader.end(record).map_err(LevelsError::from)?)
}

#[cfg(test)]
mod tests;
