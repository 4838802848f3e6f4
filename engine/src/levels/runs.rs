//! Files of states: the external memory of a level.
//!
//! A file is a sequence of [runs](crate::storage::runs), each with some states of one part, in no
//! order. The content of a run is a sequence of 64-bit words, and its length is the number of
//! words. A state is its key and its tally, see [`Tally::store`](crate::tally::Tally::store).

use super::scratch::ScratchFolder;
use super::state::{StateKey, each};
use crate::monitor::{Monitor, SolveError};
pub use crate::storage::runs::Run;
use crate::storage::runs::{Reader, Writer};
use crate::storage::{FileRecord, StorageError};
use crate::tally::{Tally, Width};
use num_bigint::BigUint;
use std::path::Path;
use std::sync::Arc;

const FILE_BYTES: u64 = 64 << 20;
const RUN_WORDS: usize = 1 << 22;
/// The number of words read at a time, a multiple of 2, 3 and 4, so that states are whole.
const READ_WORDS: usize = 6 << 10;

/// Writes the files of states of one thread.
pub struct RunWriter<'a>(Writer<'a>);

impl<'a> RunWriter<'a> {
    /// Creates a writer of states of that turn.
    pub fn new(scratch: &'a ScratchFolder, turn: u32) -> RunWriter<'a> {
        RunWriter(Writer::new(FILE_BYTES, move |_| scratch.create(turn)))
    }

    /// Writes some states of a part, and appends their runs.
    pub fn write(
        &mut self,
        part: usize,
        mut blocks: &[Vec<u64>],
        runs: &mut Vec<(usize, Run)>,
        monitor: &Monitor,
    ) -> Result<(), SolveError> {
        while !blocks.is_empty() {
            monitor.check()?;
            let mut words = 0;
            let fits = |block: &&Vec<u64>| {
                words += block.len();
                words <= RUN_WORDS
            };
            let count = blocks.iter().take_while(fits).count().max(1);
            let (run, rest) = blocks.split_at(count);
            let words = run.iter().map(Vec::len).sum();
            let bytes =
                |block: &Vec<u64>| block.iter().flat_map(|word| word.to_le_bytes()).collect();
            runs.push((part, self.0.write(part, words, words, run.iter().map(bytes))?));
            blocks = rest;
        }
        Ok(())
    }

    /// Syncs the last file. Returns all files.
    pub fn finish(mut self) -> Result<Vec<FileRecord>, StorageError> {
        self.0.finish()
    }
}

/// Passes the words of a run to `take`, many at a time and in whole states, unless tallies are
/// unbounded.
pub fn read(run: &Run, take: impl FnMut(&[u64]) -> Option<()>) -> Result<(), StorageError> {
    let mut reader = run.open()?;
    match read_next(&mut reader, take)? {
        (_, words) if words == run.words() => Ok(()),
        _ => Err(reader.damaged("a run has another length")),
    }
}

/// Reads the header of the next run: its part and its number of words.
fn read_next(
    reader: &mut Reader,
    mut take: impl FnMut(&[u64]) -> Option<()>,
) -> Result<(usize, usize), StorageError> {
    let (part, words) = reader.begin_run()?;
    let (mut bytes, mut some) = (Vec::new(), Vec::new());
    let mut left = words;
    while left > 0 {
        let count = left.min(READ_WORDS);
        left -= count;
        bytes.resize(8 * count, 0);
        reader.read(&mut bytes)?;
        some.clear();
        some.extend(bytes.as_chunks().0.iter().map(|&word| u64::from_le_bytes(word)));
        take(&some).ok_or_else(|| reader.damaged("it does not hold states"))?;
    }
    reader.end_run()?;
    Ok((part, words))
}

/// The states and paths of some words.
#[derive(Default)]
pub struct Sums {
    /// The number of states.
    pub states: u64,
    /// The number of paths into them.
    pub paths: BigUint,
}

impl Sums {
    /// Adds other states.
    pub fn add(&mut self, other: Sums) {
        self.states += other.states;
        self.paths += other.paths;
    }

    /// Adds the states at the beginning of the words. Returns the number of words that follow them.
    fn add_words<K: StateKey>(&mut self, width: Width, words: &[u64]) -> usize {
        let mut left = words.len();
        // The sums of the lower and the upper words of tallies that have at most two.
        let mut sums = [0u128; 2];
        for state in each::<K>(width, words) {
            left -= state.len();
            self.states += 1;
            let tally = &state[K::WORDS..];
            match width {
                Width::Unbounded => self.paths += BigUint::from_words(&tally[1..]),
                _ => sums.iter_mut().zip(tally).for_each(|(sum, &word)| *sum += u128::from(word)),
            }
        }
        self.paths += BigUint::from(sums[0]) + (BigUint::from(sums[1]) << 64);
        left
    }
}

/// Checks a listed file and finds its runs, each with its part, and sums the states in them.
pub fn scan<K: StateKey>(
    folder: &Path,
    record: &FileRecord,
    parts: usize,
    width: Width,
    monitor: &Monitor,
) -> Result<(Vec<(usize, Run)>, Sums), SolveError> {
    let path = Arc::new(folder.join(&record.name));
    let mut reader = Reader::whole(&path, record)?;
    let (mut runs, mut sums, mut rest) = (Vec::new(), Sums::default(), Vec::new());
    while reader.offset() < record.bytes {
        monitor.check()?;
        let offset = reader.offset();
        let (part, words) = read_next(&mut reader, |words| {
            rest.extend_from_slice(words);
            let left = sums.add_words::<K>(width, &rest);
            rest.drain(..rest.len() - left);
            Some(())
        })?;
        if part >= parts {
            return Err(reader.damaged("it has a part too many").into());
        }
        if !rest.is_empty() {
            return Err(reader.damaged("a run ends within a state").into());
        }
        runs.push((part, Run::new(path.clone(), offset, words)));
    }
    reader.end(record)?;
    Ok((runs, sums))
}
