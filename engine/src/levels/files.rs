//! What all files of a scratch folder have in common, whatever is in them: files of runs, written
//! one after the other, and texts with a line that says what they are.

use super::error::LevelsError;
use crc32fast::Hasher;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fs::{self, File, TryLockError};
use std::io::{self, BufReader, BufWriter, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Bytes of a run before what it holds: its part, and how much follows, 32 bits each.
pub const HEAD_BYTES: usize = 8;
/// Bytes after it: the CRC-32 of all before.
pub const TAIL_BYTES: usize = 4;

/// A finished file as a checkpoint or a manifest lists it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileRecord {
    pub name: String,
    pub bytes: u64,
    /// Of the CRC-32s of its runs.
    pub crc32: u32,
}

/// The head of a run.
pub fn head(part: usize, length: usize) -> [u8; HEAD_BYTES] {
    (part as u64 | (length as u64) << 32).to_le_bytes()
}

/// Writes files of runs, one after the other.
pub struct Writer {
    /// When a file is that long it is synced and the next one begun, so that no sync takes long.
    file_bytes: u64,
    open: Option<Open>,
    finished: Vec<FileRecord>,
}

/// A file that is being written.
pub struct Open {
    name: String,
    path: Arc<PathBuf>,
    file: BufWriter<File>,
    /// Of the checksums of its runs.
    hasher: Hasher,
    length: u64,
}

impl Writer {
    /// Will write files of about so many bytes.
    pub fn new(file_bytes: u64) -> Writer {
        Writer { file_bytes, open: None, finished: Vec::new() }
    }

    /// The file that is being written. If there is none one is made, which is told how many there
    /// were.
    pub fn open(
        &mut self,
        create: impl FnOnce(usize) -> Result<(String, PathBuf, File), LevelsError>,
    ) -> Result<&mut Open, LevelsError> {
        match &mut self.open {
            Some(open) => Ok(open),
            none => {
                let (name, path, file) = create(self.finished.len())?;
                let file = BufWriter::with_capacity(1 << 16, file);
                let path = Arc::new(path);
                Ok(none.insert(Open { name, path, file, hasher: Hasher::new(), length: 0 }))
            }
        }
    }

    /// Ends a run with its checksum.
    pub fn end_run(&mut self, crc32: u32) -> Result<(), LevelsError> {
        let Some(open) = &mut self.open else { return Ok(()) };
        let tail = crc32.to_le_bytes();
        open.write(&tail)?;
        open.hasher.update(&tail);
        if open.length >= self.file_bytes {
            self.finish_file()?;
        }
        Ok(())
    }

    fn finish_file(&mut self) -> Result<(), LevelsError> {
        if let Some(open) = self.open.take() {
            self.finished.push(open.finish()?);
        }
        Ok(())
    }

    /// Makes sure that all is on the disk.
    pub fn finish(mut self) -> Result<Vec<FileRecord>, LevelsError> {
        self.finish_file()?;
        Ok(self.finished)
    }
}

impl Open {
    /// Where the next byte goes: the file, and how far in it.
    pub fn place(&self) -> (Arc<PathBuf>, u64) {
        (self.path.clone(), self.length)
    }

    /// Writes some bytes of a run.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), LevelsError> {
        self.length += bytes.len() as u64;
        let written = self.file.write_all(bytes);
        written.map_err(|error| LevelsError::system("write", &self.path, &error))
    }

    fn finish(self) -> Result<FileRecord, LevelsError> {
        let sync = || self.file.into_inner().map_err(|error| error.into_error())?.sync_data();
        sync().map_err(|error| LevelsError::system("write", &self.path, &error))?;
        Ok(FileRecord { name: self.name, bytes: self.length, crc32: self.hasher.finalize() })
    }
}

/// Reads a file of runs from its start, or from a run in it.
pub struct Reader<'p> {
    pub path: &'p Path,
    file: BufReader<File>,
    /// Of the checksums of the runs.
    hasher: Hasher,
}

impl<'p> Reader<'p> {
    /// Begins with the run at that place.
    pub fn open(path: &'p Path, offset: u64) -> Result<Reader<'p>, LevelsError> {
        let open = || {
            let mut file = File::open(path)?;
            file.seek(SeekFrom::Start(offset))?;
            Ok(file)
        };
        let file = open().map_err(|error: io::Error| match error.kind() {
            ErrorKind::NotFound => LevelsError::damaged(path, "it is missing"),
            _ => LevelsError::system("read", path, &error),
        })?;
        let file = BufReader::with_capacity(1 << 16, file);
        Ok(Reader { path, file, hasher: Hasher::new() })
    }

    /// Begins at the start of a file that is listed; fails where it has another length.
    pub fn whole(path: &'p Path, record: &FileRecord) -> Result<Reader<'p>, LevelsError> {
        let reader = Reader::open(path, 0)?;
        let length = reader.file.get_ref().metadata();
        let length = length.map_err(|error| LevelsError::system("read", path, &error))?.len();
        match length == record.bytes {
            true => Ok(reader),
            false => {
                let why = format!("it has {length} bytes instead of {}", record.bytes);
                Err(LevelsError::damaged(path, why))
            }
        }
    }

    /// Fills the bytes.
    pub fn read(&mut self, bytes: &mut [u8]) -> Result<(), LevelsError> {
        self.file.read_exact(bytes).map_err(|error| match error.kind() {
            ErrorKind::UnexpectedEof => LevelsError::damaged(self.path, "it is too short"),
            _ => LevelsError::system("read", self.path, &error),
        })
    }

    /// Reads the end of a run, which should have that checksum.
    pub fn end_run(&mut self, crc32: u32) -> Result<(), LevelsError> {
        let mut tail = [0; TAIL_BYTES];
        self.read(&mut tail)?;
        self.hasher.update(&tail);
        match tail == crc32.to_le_bytes() {
            true => Ok(()),
            false => Err(LevelsError::damaged(self.path, "a checksum is wrong")),
        }
    }

    /// Ends a whole file, which should be the one that is listed.
    pub fn end(self, record: &FileRecord) -> Result<(), LevelsError> {
        match self.hasher.finalize() == record.crc32 {
            true => Ok(()),
            false => Err(LevelsError::damaged(self.path, "its checksum is wrong")),
        }
    }
}

/// What a text says of itself: `MAGIC1, crc32 01234567` on its first line, with the version and the
/// checksum of the JSON that follows.
pub struct Stamp {
    /// What the line begins with, up to the version.
    pub magic: &'static str,
    /// The only one that can be read.
    pub version: u32,
    /// What it is.
    pub kind: &'static str,
}

impl Stamp {
    /// Writes a text, all of it to the disk.
    pub fn write(&self, mut file: File, value: &impl Serialize) -> io::Result<()> {
        let json = serde_json::to_string(value)?;
        let crc32 = crc32fast::hash(json.as_bytes());
        write!(file, "{}{}, crc32 {crc32:08x}\n{json}", self.magic, self.version)?;
        file.sync_all()
    }

    /// Reads a text, if there is one.
    pub fn read<T: DeserializeOwned>(&self, path: &Path) -> Result<Option<T>, LevelsError> {
        let bytes = match fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(LevelsError::system("read", path, &error)),
        };
        let text = std::str::from_utf8(&bytes).ok();
        let parts = text.and_then(|text| text.strip_prefix(self.magic)?.split_once('\n'));
        let parts = parts.and_then(|(line, json)| Some((line.split_once(", crc32 ")?, json)));
        let Some(((version, crc32), json)) = parts else {
            let why = format!("it does not begin as a {} does", self.kind);
            return Err(LevelsError::damaged(path, why));
        };
        if version != self.version.to_string() {
            let folder = path.parent().unwrap_or(path).display().to_string();
            let (found, known) = (version.to_string(), self.version);
            return Err(LevelsError::OtherVersion { folder, found, known });
        }
        if crc32 != format!("{:08x}", crc32fast::hash(json.as_bytes())) {
            return Err(LevelsError::damaged(path, "its checksum is wrong"));
        }
        let value = serde_json::from_str(json);
        value.map(Some).map_err(|error| LevelsError::damaged(path, error.to_string()))
    }
}

/// Locks a file of a folder as long as what is returned lives; fails where another process has.
pub fn lock(folder: &Path, path: &Path) -> Result<File, LevelsError> {
    let file = File::create(path).map_err(|error| LevelsError::system("write", path, &error))?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => {
            Err(LevelsError::InUse { folder: folder.display().to_string() })
        }
        // Where the system has no locks there is only one's own care.
        _ => Ok(file),
    }
}

/// Puts the names of a folder's files on the disk, where a system can do that.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}
