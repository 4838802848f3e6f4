//! External-memory runs: files that are written sequentially, each a sequence of checksummed runs.
//!
//! A run is the number of a part (32 bits), the length of its content in a unit of the caller's (32
//! bits), the content, and the CRC-32 of all that (32 bits), least significant byte first. A
//! [`FileRecord`] has the SHA-256 of the CRC-32s of the runs of a file, so the content is hashed
//! only once. (A CRC-32 of whole runs would be the same for all runs of one length, as each ends
//! with its own.)

use super::system::File;
use super::{Digest, FileRecord, StorageError};
use crc32fast::Hasher;
use sha2::{Digest as _, Sha256};
use std::io::{BufReader, BufWriter, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

const BUFFER_BYTES: usize = 1 << 16;

/// The position of a run in a file.
#[derive(Clone, Debug)]
pub struct Run {
    path: Arc<PathBuf>,
    offset: u64,
    words: usize,
}

impl Run {
    /// A run of `words` words in memory that begins at that offset.
    pub fn new(path: Arc<PathBuf>, offset: u64, words: usize) -> Run {
        Run { path, offset, words }
    }

    /// The number of its words in memory.
    pub fn words(&self) -> usize {
        self.words
    }

    /// Begins to read the run.
    pub fn open(&self) -> Result<Reader<'_>, StorageError> {
        Reader::open(&self.path, self.offset)
    }
}

/// A new file: its name without a folder, its path, and the open file.
pub type NewFile = (String, PathBuf, File);

/// Writes files of runs, one after the other.
pub struct Writer<'a> {
    /// A file of at least this length is synced and the next one begun, so that no sync takes long.
    file_bytes: u64,
    /// Creates a file, given the number of those before it.
    create: Box<dyn FnMut(usize) -> Result<NewFile, StorageError> + Send + 'a>,
    open: Option<OpenFile>,
    finished: Vec<FileRecord>,
}

/// A file that is being written.
struct OpenFile {
    name: String,
    path: Arc<PathBuf>,
    file: BufWriter<File>,
    /// The SHA-256 of the checksums of the runs so far.
    hasher: Sha256,
    length: u64,
}

impl<'a> Writer<'a> {
    /// Creates a writer of files of about that length. `create` is called with the number of
    /// finished files when a new one is needed.
    pub fn new(
        file_bytes: u64,
        create: impl FnMut(usize) -> Result<NewFile, StorageError> + Send + 'a,
    ) -> Writer<'a> {
        Writer { file_bytes, create: Box::new(create), open: None, finished: Vec::new() }
    }

    /// Writes a run of `words` words in memory. Its content has that length, in a unit of the
    /// caller's.
    pub fn write(
        &mut self,
        part: usize,
        words: usize,
        length: usize,
        content: impl IntoIterator<Item = Vec<u8>>,
    ) -> Result<Run, StorageError> {
        let open = match &mut self.open {
            Some(open) => open,
            none => {
                let (name, path, file) = (self.create)(self.finished.len())?;
                let file = BufWriter::with_capacity(BUFFER_BYTES, file);
                let (path, hasher) = (Arc::new(path), Sha256::new());
                none.insert(OpenFile { name, path, file, hasher, length: 0 })
            }
        };
        let run = Run::new(open.path.clone(), open.length, words);
        let mut crc32 = Hasher::new();
        let head = (part as u64 | (length as u64) << 32).to_le_bytes();
        for bytes in std::iter::once(head.to_vec()).chain(content) {
            crc32.update(&bytes);
            open.write(&bytes)?;
        }
        let tail = crc32.finalize().to_le_bytes();
        open.write(&tail)?;
        open.hasher.update(tail);
        if open.length >= self.file_bytes {
            self.finish_file()?;
        }
        Ok(run)
    }

    fn finish_file(&mut self) -> Result<(), StorageError> {
        if let Some(open) = self.open.take() {
            self.finished.push(open.finish()?);
        }
        Ok(())
    }

    /// Syncs the last file. Returns all files.
    pub fn finish(&mut self) -> Result<Vec<FileRecord>, StorageError> {
        self.finish_file()?;
        Ok(std::mem::take(&mut self.finished))
    }
}

impl OpenFile {
    fn write(&mut self, bytes: &[u8]) -> Result<(), StorageError> {
        self.length += bytes.len() as u64;
        let written = self.file.write_all(bytes);
        written.map_err(|error| StorageError::system("write", &self.path, &error))
    }

    fn finish(self) -> Result<FileRecord, StorageError> {
        let sync = || self.file.into_inner().map_err(|error| error.into_error())?.sync_data();
        sync().map_err(|error| StorageError::system("write", &self.path, &error))?;
        let sha256 = Digest::from(self.hasher);
        Ok(FileRecord { name: self.name, bytes: self.length, sha256 })
    }
}

/// Reads a file of runs from its start, or from a run in it.
pub struct Reader<'p> {
    path: &'p Path,
    file: BufReader<File>,
    /// The offset of the next byte.
    offset: u64,
    /// The CRC-32 of the current run so far.
    crc32: Hasher,
    /// The SHA-256 of the checksums of the runs so far.
    hasher: Sha256,
}

impl<'p> Reader<'p> {
    fn open(path: &'p Path, offset: u64) -> Result<Reader<'p>, StorageError> {
        let open = || {
            let mut file = File::open(path)?;
            file.seek(SeekFrom::Start(offset))?;
            Ok(BufReader::with_capacity(BUFFER_BYTES, file))
        };
        let file = open().map_err(|error: std::io::Error| match error.kind() {
            ErrorKind::NotFound => StorageError::damaged(path, "it is missing"),
            _ => StorageError::system("read", path, &error),
        })?;
        Ok(Reader { path, file, offset, crc32: Hasher::new(), hasher: Sha256::new() })
    }

    /// Begins at the start of a listed file. Fails if it has another length.
    pub fn whole(path: &'p Path, record: &FileRecord) -> Result<Reader<'p>, StorageError> {
        let reader = Reader::open(path, 0)?;
        let length = reader.file.get_ref().metadata();
        let length = length.map_err(|error| StorageError::system("read", path, &error))?.len();
        match length == record.bytes {
            true => Ok(reader),
            false => {
                Err(reader.damaged(format!("it has {length} bytes instead of {}", record.bytes)))
            }
        }
    }

    /// The offset of the next byte.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Begins a run. Returns its part and the length of its content, in the writer's unit.
    pub fn begin_run(&mut self) -> Result<(usize, usize), StorageError> {
        let mut head = [[0; 4]; 2];
        self.read(head.as_flattened_mut())?;
        let [part, length] = head.map(|number| u32::from_le_bytes(number) as usize);
        Ok((part, length))
    }

    /// Fills the bytes with content of the run.
    pub fn read(&mut self, bytes: &mut [u8]) -> Result<(), StorageError> {
        self.file.read_exact(bytes).map_err(|error| match error.kind() {
            ErrorKind::UnexpectedEof => self.damaged("it is too short"),
            _ => StorageError::system("read", self.path, &error),
        })?;
        self.offset += bytes.len() as u64;
        self.crc32.update(bytes);
        Ok(())
    }

    /// Reads the end of the run, and compares its checksum.
    pub fn end_run(&mut self) -> Result<(), StorageError> {
        let crc32 = std::mem::take(&mut self.crc32).finalize();
        let mut tail = [0; 4];
        self.read(&mut tail)?;
        self.crc32.reset();
        self.hasher.update(tail);
        match tail == crc32.to_le_bytes() {
            true => Ok(()),
            false => Err(self.damaged("a checksum is wrong")),
        }
    }

    /// Ends a whole file, and compares its checksum with the listed one.
    pub fn end(self, record: &FileRecord) -> Result<(), StorageError> {
        match Digest::from(self.hasher.clone()) == record.sha256 {
            true => Ok(()),
            false => Err(self.damaged("its checksum is wrong")),
        }
    }

    /// An error about this file.
    pub fn damaged(&self, why: impl Into<String>) -> StorageError {
        StorageError::damaged(self.path, why)
    }
}
