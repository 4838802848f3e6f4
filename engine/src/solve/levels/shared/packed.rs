//! Files of sorted states: what a worker keeps its share of a level in.
//!
//! A file is a row of **runs**, each some states of one part, in order: the number of the part
//! (32 bits), bytes that follow (32 bits), the bytes, and the CRC-32 of all that (32 bits), least
//! byte first. The bytes are the words of the states (see
//! [`Tally::store`](crate::solve::tally::Tally::store)) as variable length integers, seven bits a
//! byte, and of a state's own word the difference from the one before it in the run. The manifest
//! has each file's length and the CRC-32 of the CRC-32s of its runs.

use super::folder::{Folder, Label};
use crate::solve::levels::error::RoomError;
use crate::solve::levels::runs::FileRecord;
use crate::solve::tally::Width;
use crc32fast::Hasher;
use integer_encoding::VarInt;
use std::fs::File;
use std::io::{BufReader, BufWriter, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// When a file is that long it is synced and the next one begun, so that no sync takes long.
const FILE_BYTES: u64 = 256 << 20;
/// No run that is written has more bytes; so none that is read may claim more.
const RUN_BYTES: usize = 64 << 20;
/// A run has no more words, of at most ten bytes each.
pub const RUN_WORDS: usize = RUN_BYTES / 10;
const HEAD_BYTES: usize = 8;
const TAIL_BYTES: usize = 4;

/// The states that stored words hold, one after the other; nothing where words are no states.
pub fn states(width: Width, words: &[u64]) -> impl Iterator<Item = &[u64]> {
    let mut rest = words;
    std::iter::from_fn(move || {
        let length = match width {
            Width::Bits64 => 2,
            Width::Bits128 => 3,
            Width::Unbounded => usize::try_from(*rest.get(1)?).ok()?.checked_add(2)?,
        };
        let (state, more) = rest.split_at_checked(length)?;
        rest = more;
        Some(state)
    })
}

/// Appends the bytes of sorted states.
fn encode(width: Width, words: &[u64], bytes: &mut Vec<u8>) {
    let mut last = 0;
    let mut push = |number: u64| {
        let mut digits = [0; 10];
        let length = number.encode_var(&mut digits);
        bytes.extend_from_slice(&digits[..length]);
    };
    for state in states(width, words) {
        push(state[0] - last);
        last = state[0];
        state[1..].iter().for_each(|&word| push(word));
    }
}

/// Appends the words of such bytes; nothing if they are none.
fn decode(width: Width, bytes: &[u8], words: &mut Vec<u64>) -> Option<()> {
    let (mut rest, mut last) = (bytes, 0u64);
    let mut next = || {
        let (number, length) = u64::decode_var(rest)?;
        rest = &rest[length..];
        Some((number, rest.is_empty()))
    };
    let mut done = bytes.is_empty();
    while !done {
        last = last.checked_add(next()?.0)?;
        words.push(last);
        let mut more = width.words() - 1;
        if width == Width::Unbounded {
            let count = next()?.0;
            words.push(count);
            more = usize::try_from(count).ok()?;
        }
        for _ in 0..more {
            let number;
            (number, done) = next()?;
            words.push(number);
        }
    }
    Some(())
}

/// Where some states of a part are.
#[derive(Clone, Debug)]
pub struct Run {
    path: Arc<PathBuf>,
    offset: u64,
    /// As many as the states take in memory.
    pub words: usize,
}

impl Run {
    /// Appends the words of its states.
    pub fn read(&self, width: Width, words: &mut Vec<u64>) -> Result<(), RoomError> {
        let mut reader = Reader::open(self.path.clone(), self.offset)?;
        reader.run(width, words).map(drop)
    }
}

/// Writes the files of a worker's share of a level, one after the other.
pub struct Writer {
    folder: Arc<Folder>,
    label: Label,
    open: Option<Open>,
    finished: Vec<FileRecord>,
    bytes: Vec<u8>,
}

struct Open {
    name: String,
    path: Arc<PathBuf>,
    file: BufWriter<File>,
    /// Of the checksums of its runs.
    hasher: Hasher,
    length: u64,
}

impl Open {
    fn finish(self) -> Result<FileRecord, RoomError> {
        let sync = || self.file.into_inner().map_err(|error| error.into_error())?.sync_data();
        sync().map_err(|error| RoomError::system("write", &self.path, &error))?;
        Ok(FileRecord { name: self.name, bytes: self.length, crc32: self.hasher.finalize() })
    }
}

impl Writer {
    /// Will write states of that share.
    pub fn new(folder: Arc<Folder>, label: Label) -> Writer {
        Writer { folder, label, open: None, finished: Vec::new(), bytes: Vec::new() }
    }

    /// Writes sorted states of a part, at most [`RUN_WORDS`] words or one state.
    pub fn write(&mut self, part: usize, width: Width, words: &[u64]) -> Result<Run, RoomError> {
        let open = match &mut self.open {
            Some(open) => open,
            none => {
                let (name, path, file) =
                    self.folder.create_file(self.label, self.finished.len())?;
                let file = BufWriter::with_capacity(1 << 16, file);
                let path = Arc::new(path);
                none.insert(Open { name, path, file, hasher: Hasher::new(), length: 0 })
            }
        };
        self.bytes.clear();
        self.bytes.resize(HEAD_BYTES, 0);
        encode(width, words, &mut self.bytes);
        let head = part as u64 | ((self.bytes.len() - HEAD_BYTES) as u64) << 32;
        self.bytes[..HEAD_BYTES].copy_from_slice(&head.to_le_bytes());
        let crc32 = crc32fast::hash(&self.bytes).to_le_bytes();
        self.bytes.extend(crc32);
        open.hasher.update(&crc32);
        let run = Run { path: open.path.clone(), offset: open.length, words: words.len() };
        open.length += self.bytes.len() as u64;
        let written = open.file.write_all(&self.bytes);
        written.map_err(|error| RoomError::system("write", &open.path, &error))?;
        if open.length >= FILE_BYTES {
            self.finish_file()?;
        }
        Ok(run)
    }

    fn finish_file(&mut self) -> Result<(), RoomError> {
        if let Some(open) = self.open.take() {
            self.finished.push(open.finish()?);
        }
        Ok(())
    }

    /// Makes sure that all is on the disk.
    pub fn finish(mut self) -> Result<Vec<FileRecord>, RoomError> {
        self.finish_file()?;
        Ok(self.finished)
    }
}

/// Reads a file from its start or from a run in it.
struct Reader {
    path: Arc<PathBuf>,
    file: BufReader<File>,
    bytes: Vec<u8>,
    /// Of the checksums of the runs.
    hasher: Hasher,
}

impl Reader {
    fn open(path: Arc<PathBuf>, offset: u64) -> Result<Reader, RoomError> {
        let open = || {
            let mut file = File::open(&*path)?;
            file.seek(SeekFrom::Start(offset))?;
            Ok(file)
        };
        let file = open().map_err(|error: std::io::Error| match error.kind() {
            ErrorKind::NotFound => RoomError::damaged(&path, "it is missing"),
            _ => RoomError::system("read", &path, &error),
        })?;
        let file = BufReader::with_capacity(1 << 16, file);
        Ok(Reader { path, file, bytes: Vec::new(), hasher: Hasher::new() })
    }

    /// Appends the words of the run that begins here; the bytes that it takes.
    fn run(&mut self, width: Width, words: &mut Vec<u64>) -> Result<u64, RoomError> {
        let path = &*self.path;
        let damaged = |why: &str| RoomError::damaged(path, why);
        self.bytes.resize(HEAD_BYTES, 0);
        let mut read = |bytes: &mut [u8]| {
            self.file.read_exact(bytes).map_err(|error| match error.kind() {
                ErrorKind::UnexpectedEof => damaged("it is too short"),
                _ => RoomError::system("read", path, &error),
            })
        };
        read(&mut self.bytes)?;
        let length = self.bytes[4..].iter().rev().fold(0, |n, &byte| n << 8 | usize::from(byte));
        // One state with a tally without bound may be longer; no game has one that long.
        if length > RUN_BYTES {
            return Err(damaged("it claims a run that is too long"));
        }
        self.bytes.resize(HEAD_BYTES + length + TAIL_BYTES, 0);
        read(&mut self.bytes[HEAD_BYTES..])?;
        let (content, tail) = self.bytes.split_at(HEAD_BYTES + length);
        if tail != crc32fast::hash(content).to_le_bytes() {
            return Err(damaged("a checksum is wrong"));
        }
        self.hasher.update(tail);
        decode(width, &content[HEAD_BYTES..], words)
            .ok_or_else(|| damaged("it does not hold states"))?;
        Ok(self.bytes.len() as u64)
    }
}

/// Shows all states of a file to `take`, a run at once, and checks that they are those written.
pub fn read_file<E: From<RoomError>>(
    folder: &Path,
    record: &FileRecord,
    width: Width,
    mut take: impl FnMut(&[u64]) -> Result<(), E>,
) -> Result<(), E> {
    let path = Arc::new(folder.join(&record.name));
    let mut reader = Reader::open(path.clone(), 0)?;
    let length = reader.file.get_ref().metadata();
    let length = length.map_err(|error| RoomError::system("read", &path, &error))?.len();
    if length != record.bytes {
        let why = format!("it has {length} bytes instead of {}", record.bytes);
        return Err(RoomError::damaged(&path, why).into());
    }
    let (mut offset, mut words) = (0, Vec::new());
    while offset < length {
        words.clear();
        offset += reader.run(width, &mut words)?;
        take(&words)?;
    }
    if reader.hasher.finalize() != record.crc32 {
        return Err(RoomError::damaged(&path, "its checksum is wrong").into());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sorted(width: Width, mut states: Vec<(u64, Vec<u64>)>) -> Vec<u64> {
        states.sort();
        let words = states.into_iter().flat_map(|(word, tally)| {
            let mut state = vec![word];
            match width {
                Width::Unbounded => {
                    state.push(tally.len() as u64);
                    state.extend(tally);
                }
                _ => state.extend((0..width.words() - 1).map(|i| *tally.get(i).unwrap_or(&0))),
            }
            state
        });
        words.collect()
    }

    fn any_states() -> impl Strategy<Value = Vec<(u64, Vec<u64>)>> {
        let tally = prop::collection::vec(any::<u64>(), 1..4);
        prop::collection::vec((any::<u64>(), tally), 0..50)
    }

    proptest! {
        #[test]
        fn what_is_packed_comes_back(given in any_states()) {
            for width in [Width::Bits64, Width::Bits128, Width::Unbounded] {
                let words = sorted(width, given.clone());
                prop_assert_eq!(states(width, &words).count(), given.len());
                let (mut bytes, mut back) = (Vec::new(), Vec::new());
                encode(width, &words, &mut bytes);
                prop_assert_eq!(decode(width, &bytes, &mut back), Some(()));
                prop_assert_eq!(back, words);
            }
        }

        #[test]
        fn bytes_that_are_no_states_are_refused_without_a_panic(
            bytes in prop::collection::vec(any::<u8>(), 0..60)
        ) {
            for width in [Width::Bits64, Width::Bits128, Width::Unbounded] {
                let mut words = Vec::new();
                if decode(width, &bytes, &mut words).is_some() {
                    prop_assert_eq!(states(width, &words).flatten().count(), words.len());
                }
            }
        }
    }
}
