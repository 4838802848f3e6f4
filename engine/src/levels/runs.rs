//! Files of states: the external memory of a level.
//!
//! A file is a sequence of [runs](crate::storage::runs), each with some states of one part, in no
//! order. The content of a run are 64-bit words, its length is their number. A state is its word and
//! its tally, see [`Tally::store`](crate::tally::Tally::store).

use super::scratch::ScratchFolder;
use crate::monitor::{Monitor, SolveError};
use crate::storage::runs::{HEAD_BYTES, Reader, TAIL_BYTES, Writer, head, parse_head};
use crate::storage::{FileRecord, StorageError};
use crc32fast::Hasher;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const FILE_BYTES: u64 = 64 << 20;
const RUN_WORDS: usize = 1 << 22;
/// Words read at once: whole states of two words, of three, or of four.
const READ_WORDS: usize = 6 << 10;

/// The position of a run in a file.
#[derive(Clone, Debug)]
pub struct Run {
    path: Arc<PathBuf>,
    offset: u64,
    words: usize,
}

/// Writes the files of states of one thread.
pub struct RunWriter<'a> {
    scratch: &'a ScratchFolder,
    turn: u32,
    files: Writer,
    bytes: Vec<u8>,
}

impl<'a> RunWriter<'a> {
    /// Creates a writer of states of that turn.
    pub fn new(scratch: &'a ScratchFolder, turn: u32) -> RunWriter<'a> {
        RunWriter { scratch, turn, files: Writer::new(FILE_BYTES), bytes: Vec::new() }
    }

    /// Writes some states of a part, and appends their runs.
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

    fn write_run(&mut self, part: usize, blocks: &[Vec<u64>]) -> Result<Run, StorageError> {
        let open = self.files.open(|_| self.scratch.create(self.turn))?;
        let words = blocks.iter().map(Vec::len).sum();
        let (path, offset) = open.position();
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
        self.files.end_run(hasher.finalize())?;
        Ok(Run { path, offset, words })
    }

    /// Syncs the last file. Returns all files.
    pub fn finish(self) -> Result<Vec<FileRecord>, StorageError> {
        self.files.finish()
    }
}

/// Reads a run: its part and the number of its words. Passes the words to `take`, many at once.
fn read_run(
    reader: &mut Reader,
    mut take: impl FnMut(&[u64]) -> Option<()>,
) -> Result<(usize, usize), StorageError> {
    let mut hasher = Hasher::new();
    let mut head = [0; HEAD_BYTES];
    reader.read(&mut head)?;
    hasher.update(&head);
    let (part, words) = parse_head(head);
    let (mut bytes, mut some) = (Vec::new(), Vec::new());
    let mut left = words;
    while left > 0 {
        let count = left.min(READ_WORDS);
        left -= count;
        bytes.resize(8 * count, 0);
        reader.read(&mut bytes)?;
        hasher.update(&bytes);
        some.clear();
        let words = bytes.chunks_exact(8);
        some.extend(words.map(|b| b.iter().rev().fold(0, |w, &b| w << 8 | u64::from(b))));
        take(&some).ok_or_else(|| reader.damaged("it does not hold states"))?;
    }
    reader.end_run(hasher.finalize())?;
    Ok((part, words))
}

impl Run {
    /// The number of words.
    pub fn words(&self) -> usize {
        self.words
    }

    /// Passes the words of the run to `take`, many at once: whole states, unless tallies are
    /// unbounded.
    pub fn read(&self, take: impl FnMut(&[u64]) -> Option<()>) -> Result<(), StorageError> {
        let mut reader = Reader::open(&self.path, self.offset)?;
        let (_, words) = read_run(&mut reader, take)?;
        if words != self.words {
            return Err(StorageError::damaged(&self.path, "a run has another length"));
        }
        Ok(())
    }
}

/// Checks a listed file and finds its runs, each with its part.
pub fn scan(
    folder: &Path,
    record: &FileRecord,
    parts: usize,
    monitor: &Monitor,
) -> Result<Vec<(usize, Run)>, SolveError> {
    let path = Arc::new(folder.join(&record.name));
    let mut reader = Reader::whole(&path, record)?;
    let (mut runs, mut offset) = (Vec::new(), 0);
    while offset < record.bytes {
        monitor.check()?;
        let (part, words) = read_run(&mut reader, |_| Some(()))?;
        if part >= parts {
            return Err(reader.damaged("it has a part too many").into());
        }
        runs.push((part, Run { path: path.clone(), offset, words }));
        offset += (HEAD_BYTES + 8 * words + TAIL_BYTES) as u64;
    }
    reader.end(record)?;
    Ok(runs)
}
