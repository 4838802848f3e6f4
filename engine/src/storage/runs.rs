//! External-memory runs: files that are written sequentially, each a sequence of checksummed blocks.
//!
//! A run is the number of a part (32 bits), the length of its content in a unit of the caller's (32
//! bits), the content, and the CRC-32 of all that (32 bits), least significant byte first. A
//! [`FileRecord`] has the SHA-256 of the CRC-32s of the runs of a file. (A CRC-32 of whole runs would
//! be the same for all runs of one length, as each ends with its own.)

use super::{Digest, FileRecord, StorageError};
use sha2::{Digest as _, Sha256};
use std::fs::File;
use std::io::{self, BufReader, BufWriter, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Bytes of a run before its content.
pub const HEAD_BYTES: usize = 8;
/// Bytes of a run after its content: its CRC-32.
pub const TAIL_BYTES: usize = 4;

const BUFFER_BYTES: usize = 1 << 16;

/// The head of a run.
pub fn head(part: usize, length: usize) -> [u8; HEAD_BYTES] {
    (part as u64 | (length as u64) << 32).to_le_bytes()
}

/// Part and length in the head of a run.
pub fn parse_head(head: [u8; HEAD_BYTES]) -> (usize, usize) {
    let head = u64::from_le_bytes(head);
    (head as u32 as usize, (head >> 32) as usize)
}

/// Writes files of runs, one after the other.
pub struct Writer {
    /// A file of at least this length is synced and the next one begun, so that no sync takes long.
    file_bytes: u64,
    open: Option<OpenFile>,
    finished: Vec<FileRecord>,
}

/// A file that is being written.
pub struct OpenFile {
    name: String,
    path: Arc<PathBuf>,
    file: BufWriter<File>,
    /// Of the checksums of the runs.
    hasher: Sha256,
    length: u64,
}

impl Writer {
    /// Creates a writer of files of about that length.
    pub fn new(file_bytes: u64) -> Writer {
        Writer { file_bytes, open: None, finished: Vec::new() }
    }

    /// The file that is being written. `create` is called with the number of finished files if a new
    /// one is needed.
    pub fn open(
        &mut self,
        create: impl FnOnce(usize) -> Result<(String, PathBuf, File), StorageError>,
    ) -> Result<&mut OpenFile, StorageError> {
        match &mut self.open {
            Some(open) => Ok(open),
            none => {
                let (name, path, file) = create(self.finished.len())?;
                let file = BufWriter::with_capacity(BUFFER_BYTES, file);
                let path = Arc::new(path);
                Ok(none.insert(OpenFile { name, path, file, hasher: Sha256::new(), length: 0 }))
            }
        }
    }

    /// Ends a run with its checksum.
    pub fn end_run(&mut self, crc32: u32) -> Result<(), StorageError> {
        let Some(open) = &mut self.open else { return Ok(()) };
        let tail = crc32.to_le_bytes();
        open.write(&tail)?;
        open.hasher.update(tail);
        if open.length >= self.file_bytes {
            self.finish_file()?;
        }
        Ok(())
    }

    fn finish_file(&mut self) -> Result<(), StorageError> {
        if let Some(open) = self.open.take() {
            self.finished.push(open.finish()?);
        }
        Ok(())
    }

    /// Syncs the last file. Returns all files.
    pub fn finish(mut self) -> Result<Vec<FileRecord>, StorageError> {
        self.finish_file()?;
        Ok(self.finished)
    }
}

impl OpenFile {
    /// The position of the next byte: the file and the offset in it.
    pub fn position(&self) -> (Arc<PathBuf>, u64) {
        (self.path.clone(), self.length)
    }

    /// Writes some bytes of a run.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), StorageError> {
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
    /// Of the checksums of the runs.
    hasher: Sha256,
}

impl<'p> Reader<'p> {
    /// Begins with the run at that offset.
    pub fn open(path: &'p Path, offset: u64) -> Result<Reader<'p>, StorageError> {
        let open = || {
            let mut file = File::open(path)?;
            file.seek(SeekFrom::Start(offset))?;
            Ok(file)
        };
        let file = open().map_err(|error: io::Error| match error.kind() {
            ErrorKind::NotFound => StorageError::damaged(path, "it is missing"),
            _ => StorageError::system("read", path, &error),
        })?;
        let file = BufReader::with_capacity(BUFFER_BYTES, file);
        Ok(Reader { path, file, hasher: Sha256::new() })
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

    /// Fills the bytes.
    pub fn read(&mut self, bytes: &mut [u8]) -> Result<(), StorageError> {
        self.file.read_exact(bytes).map_err(|error| match error.kind() {
            ErrorKind::UnexpectedEof => self.damaged("it is too short"),
            _ => StorageError::system("read", self.path, &error),
        })
    }

    /// Reads the end of a run, and compares its checksum.
    pub fn end_run(&mut self, crc32: u32) -> Result<(), StorageError> {
        let mut tail = [0; TAIL_BYTES];
        self.read(&mut tail)?;
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
