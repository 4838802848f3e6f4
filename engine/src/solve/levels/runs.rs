//! Files of states: what a level is kept in when it leaves memory.
//!
//! A file is a row of **runs**, each some states of one part, in no order: the number of the
//! part (32 bits), 64-bit words that follow (32 bits), the words, and the CRC-32 of all that
//! (32 bits), least byte first. A state is its word and its tally, see
//! [`Tally::store`](crate::solve::tally::Tally::store). The checkpoint has each file's length
//! and the CRC-32 of the CRC-32s of its runs. (That of all its bytes would be worth nothing: it
//! is the same for all runs of some lengths, as long as each ends with its own.)

use super::checkpoint::Scratch;
use super::error::RoomError;
use crate::solve::{Monitor, SolveError};
use crc32fast::Hasher;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{BufReader, BufWriter, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// When a file is that long it is synced and the next one begun, so that no sync takes long.
const FILE_BYTES: u64 = 64 << 20;
const RUN_WORDS: usize = 1 << 22;
/// Words read at once: whole states of two words or of three.
const READ_WORDS: usize = 6 << 10;
const HEAD_BYTES: usize = 8;
const TAIL_BYTES: usize = 4;

/// A finished file as the checkpoint lists it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileRecord {
    pub name: String,
    pub bytes: u64,
    pub crc32: u32,
}

/// Where some states of a part are.
#[derive(Clone, Debug)]
pub struct Run {
    path: std::sync::Arc<PathBuf>,
    offset: u64,
    pub words: usize,
}

fn head(part: usize, words: usize) -> [u8; HEAD_BYTES] {
    (part as u64 | (words as u64) << 32).to_le_bytes()
}

/// Writes the files of one thread, one after the other.
pub struct RunWriter<'a> {
    scratch: &'a Scratch,
    turn: u32,
    open: Option<Open>,
    finished: Vec<FileRecord>,
    bytes: Vec<u8>,
}

struct Open {
    name: String,
    path: std::sync::Arc<PathBuf>,
    file: BufWriter<File>,
    /// Of the checksums of its runs.
    hasher: Hasher,
    length: u64,
}

impl Open {
    fn write(&mut self, bytes: &[u8]) -> Result<(), RoomError> {
        self.length += bytes.len() as u64;
        let written = self.file.write_all(bytes);
        written.map_err(|error| RoomError::system("write", &self.path, &error))
    }

    /// Makes sure that all of it is on the disk.
    fn finish(self) -> Result<FileRecord, RoomError> {
        let path = self.path;
        let sync = || self.file.into_inner().map_err(|error| error.into_error())?.sync_data();
        sync().map_err(|error| RoomError::system("write", &path, &error))?;
        Ok(FileRecord { name: self.name, bytes: self.length, crc32: self.hasher.finalize() })
    }
}

impl<'a> RunWriter<'a> {
    /// Will write states of that turn.
    pub fn new(scratch: &'a Scratch, turn: u32) -> RunWriter<'a> {
        RunWriter { scratch, turn, open: None, finished: Vec::new(), bytes: Vec::new() }
    }

    /// Writes some states of a part.
    pub fn write(
        &mut self,
        part: usize,
        blocks: &[Vec<u64>],
        runs: &mut Vec<(usize, Run)>,
        monitor: &Monitor,
    ) -> Result<(), SolveError> {
        let mut blocks = blocks;
        while !blocks.is_empty() {
            monitor.check()?;
            let mut words = 0;
            let fits = |block: &&Vec<u64>| {
                words += block.len();
                words <= RUN_WORDS
            };
            let count = blocks.iter().take_while(fits).count().max(1);
            runs.push((part, self.write_run(part, &blocks[..count])?));
            blocks = &blocks[count..];
        }
        Ok(())
    }

    fn write_run(&mut self, part: usize, blocks: &[Vec<u64>]) -> Result<Run, RoomError> {
        let open = match &mut self.open {
            Some(open) => open,
            none => none.insert(self.scratch.create(self.turn).map(|(name, path, file)| Open {
                name,
                path: path.into(),
                file: BufWriter::with_capacity(1 << 16, file),
                hasher: Hasher::new(),
                length: 0,
            })?),
        };
        let words = blocks.iter().map(Vec::len).sum();
        let run = Run { path: open.path.clone(), offset: open.length, words };
        let mut hasher = Hasher::new();
        let head = head(part, words);
        hasher.update(&head);
        open.write(&head)?;
        for block in blocks {
            self.bytes.clear();
            self.bytes.extend(block.iter().flat_map(|word| word.to_le_bytes()));
            hasher.update(&self.bytes);
            open.write(&self.bytes)?;
        }
        let crc32 = hasher.finalize().to_le_bytes();
        open.write(&crc32)?;
        open.hasher.update(&crc32);
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

/// Reads a file from its start or from somewhere in it.
struct Reader<'a> {
    path: &'a Path,
    file: BufReader<File>,
    bytes: Vec<u8>,
    words: Vec<u64>,
}

impl Reader<'_> {
    fn open(path: &Path, offset: u64) -> Result<Reader<'_>, RoomError> {
        let open = || {
            let mut file = File::open(path)?;
            file.seek(SeekFrom::Start(offset))?;
            Ok(file)
        };
        let file = open().map_err(|error: std::io::Error| match error.kind() {
            ErrorKind::NotFound => RoomError::damaged(path, "it is missing"),
            _ => RoomError::system("read", path, &error),
        })?;
        let file = BufReader::with_capacity(1 << 16, file);
        Ok(Reader { path, file, bytes: Vec::new(), words: Vec::new() })
    }

    fn read(&mut self, bytes: usize) -> Result<&[u8], RoomError> {
        self.bytes.resize(bytes, 0);
        self.file.read_exact(&mut self.bytes).map_err(|error| match error.kind() {
            ErrorKind::UnexpectedEof => RoomError::damaged(self.path, "it is too short"),
            _ => RoomError::system("read", self.path, &error),
        })?;
        Ok(&self.bytes)
    }

    /// Part and words of the run that begins here; shows its words to `take`, many at once, and
    /// adds its checksum to that of the file.
    fn run(
        &mut self,
        whole: &mut Hasher,
        mut take: impl FnMut(&[u64]) -> Option<()>,
    ) -> Result<(usize, usize), RoomError> {
        let mut hasher = Hasher::new();
        let head = self.read(HEAD_BYTES)?;
        hasher.update(head);
        let head = head.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
        let (part, words) = (head as u32 as usize, (head >> 32) as usize);
        let mut left = words;
        let no_states = RoomError::damaged(self.path, "it does not hold states");
        while left > 0 {
            let count = left.min(READ_WORDS);
            left -= count;
            let bytes = self.read(8 * count)?;
            hasher.update(bytes);
            self.words.clear();
            let words = self.bytes.chunks_exact(8);
            self.words.extend(words.map(|b| b.iter().rev().fold(0, |w, &b| w << 8 | u64::from(b))));
            take(&self.words).ok_or(no_states.clone())?;
        }
        let path = self.path;
        let tail = self.read(TAIL_BYTES)?;
        whole.update(tail);
        if tail != hasher.finalize().to_le_bytes() {
            return Err(RoomError::damaged(path, "a checksum is wrong"));
        }
        Ok((part, words))
    }
}

impl Run {
    /// Shows the words of the run to `take`, many at once: whole states of two words or three.
    pub fn read(&self, take: impl FnMut(&[u64]) -> Option<()>) -> Result<(), RoomError> {
        let mut reader = Reader::open(&self.path, self.offset)?;
        let (_, words) = reader.run(&mut Hasher::new(), take)?;
        if words != self.words {
            return Err(RoomError::damaged(&self.path, "a run has another length"));
        }
        Ok(())
    }
}

/// Checks a file of a checkpoint and finds its runs, each with its part.
pub fn scan(
    folder: &Path,
    record: &FileRecord,
    parts: usize,
    monitor: &Monitor,
) -> Result<Vec<(usize, Run)>, SolveError> {
    let path = std::sync::Arc::new(folder.join(&record.name));
    let mut reader = Reader::open(&path, 0)?;
    let length = reader.file.get_ref().metadata();
    let length = length.map_err(|error| RoomError::system("read", &path, &error))?.len();
    if length != record.bytes {
        let why = format!("it has {length} bytes instead of {}", record.bytes);
        return Err(RoomError::damaged(&path, why).into());
    }
    let (mut runs, mut offset, mut whole) = (Vec::new(), 0, Hasher::new());
    while offset < length {
        monitor.check()?;
        let (part, words) = reader.run(&mut whole, |_| Some(()))?;
        if part >= parts {
            return Err(RoomError::damaged(&path, "it has a part too many").into());
        }
        runs.push((part, Run { path: path.clone(), offset, words }));
        offset += (HEAD_BYTES + 8 * words + TAIL_BYTES) as u64;
    }
    if whole.finalize() != record.crc32 {
        return Err(RoomError::damaged(&path, "its checksum is wrong").into());
    }
    Ok(runs)
}
