//! The header that all files share, and containers of checksummed blocks.
//!
//! # Format
//!
//! Every file begins with two lines of text:
//!
//! ```text
//! bsq KIND, version 2, crc32 01234567         CRC-32 of the next line, without its end
//! {"program":"0.1.0","metadata":{...}}        one line of JSON
//! ```
//!
//! `KIND` names the format, `version` its version. `program` is the version of the program that
//! wrote the file. `metadata` depends on the kind; it holds the rules of the game, and what is needed
//! to read the parts.
//!
//! A checkpoint or manifest consists of these lines. Its parts are files of their own, listed in the
//! metadata with length and SHA-256, see [`FileRecord`].
//!
//! A **container** has its parts in the same file. A part is a sequence of blocks:
//!
//! ```text
//! blocks       of all parts, one after the other, without gaps
//! directory    for each part: the number of its blocks; for each of them its length and its CRC-32;
//!              the SHA-256 of the part
//! end          where the directory begins (64 bits), its CRC-32, the bytes "bsq end\n"
//! ```
//!
//! Numbers of the directory and the end have 32 bits unless stated otherwise, least significant byte
//! first.
//!
//! # History
//!
//! * Version 1 had a header of the same form for the levels checkpoint, the manifests of distributed
//!   counts and of Dots-and-Boxes, and the database of rock-paper-scissors-well, with the fields of
//!   `metadata` at the top of the JSON, and no SHA-256. The first line of a search checkpoint was
//!   `bsq search checkpoint 1`.
//! * Version 2 is described above, for all kinds.
//!
//! A file of another version is rejected, whatever follows its first line.

use super::{StorageError, files};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::io::{self, BufRead, ErrorKind, Read, Write};
use std::ops::Range;
use std::path::Path;

/// The version of the program, as it is written to files.
pub const PROGRAM: &str = env!("CARGO_PKG_VERSION");
/// An upper bound on the bytes of a header.
const HEADER_BYTES: u64 = 1 << 26;
const END: &[u8; 8] = b"bsq end\n";
/// Bytes of the end: position of the directory, its checksum, the mark.
const END_BYTES: usize = 8 + 4 + END.len();
/// Bytes of the directory for a block.
const ENTRY_BYTES: usize = 8;

/// A SHA-256, written as 64 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Digest([u8; 32]);

impl Digest {
    /// The SHA-256 of some bytes.
    pub fn of(bytes: &[u8]) -> Digest {
        Digest(Sha256::digest(bytes).into())
    }
}

impl From<Sha256> for Digest {
    fn from(hasher: Sha256) -> Digest {
        Digest(hasher.finalize().into())
    }
}

impl From<Digest> for String {
    fn from(digest: Digest) -> String {
        digest.0.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

impl TryFrom<String> for Digest {
    type Error = String;

    fn try_from(text: String) -> Result<Digest, String> {
        let digits = |at| text.get(at..at + 2).and_then(|byte| u8::from_str_radix(byte, 16).ok());
        let bytes: Option<Vec<u8>> = (0..text.len()).step_by(2).map(digits).collect();
        let bytes = bytes.and_then(|bytes| bytes.try_into().ok());
        bytes.map(Digest).ok_or_else(|| format!("'{text}' is no SHA-256"))
    }
}

/// A part that is a file of its own, as a checkpoint or manifest lists it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileRecord {
    /// The name, without a folder.
    pub name: String,
    /// The length.
    pub bytes: u64,
    /// The SHA-256 of the bytes. Of a file whose blocks have CRC-32s of their own it is that of these
    /// CRC-32s, in order, which takes no time that counts.
    pub sha256: Digest,
}

/// A format: what a file is, and which version of it can be read and written.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// The name of the format in the first line of a file.
    pub kind: &'static str,
    /// What a message calls the file, such as `manifest`.
    pub noun: &'static str,
    /// The only version that can be read.
    pub version: u32,
}

/// Why a header cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HeaderError {
    /// The file is of another kind.
    Foreign,
    /// The first line has the right beginning, but not the right form.
    FirstLine,
    /// The format has this version.
    Version(String),
    /// The file ends inside the header.
    Truncated,
    /// The checksum of the second line is wrong.
    Checksum,
    /// The second line has other fields.
    Malformed(String),
}

#[derive(Deserialize)]
struct Fields<T> {
    program: String,
    metadata: T,
}

/// A header that was read.
#[derive(Clone, Debug)]
pub struct Header<T> {
    /// The version of the program that wrote the file.
    pub program: String,
    /// The fields of the kind.
    pub metadata: T,
    /// The length of the header in bytes.
    pub bytes: usize,
}

impl Format {
    /// A header, as the program of some version writes it.
    pub fn encode(&self, program: &str, metadata: &impl Serialize) -> io::Result<String> {
        #[derive(Serialize)]
        struct Fields<'a, T> {
            program: &'a str,
            metadata: &'a T,
        }
        let json = serde_json::to_string(&Fields { program, metadata })?;
        let (kind, version, crc32) = (self.kind, self.version, crc32fast::hash(json.as_bytes()));
        Ok(format!("bsq {kind}, version {version}, crc32 {crc32:08x}\n{json}\n"))
    }

    /// Reads the header at the beginning of some bytes.
    pub fn decode<T: DeserializeOwned>(&self, bytes: &[u8]) -> Result<Header<T>, HeaderError> {
        let mut lines = bytes.splitn(3, |&byte| byte == b'\n');
        let first = lines.next().and_then(|line| std::str::from_utf8(line).ok());
        let rest = first.and_then(|line| line.strip_prefix("bsq ")?.strip_prefix(self.kind));
        // The second form is that of a search checkpoint of version 1.
        let rest = rest
            .and_then(|rest| rest.strip_prefix(", version ").or_else(|| rest.strip_prefix(' ')));
        let rest = rest.ok_or(HeaderError::Foreign)?;
        let (version, crc32) = match rest.split_once(", crc32 ") {
            Some((version, crc32)) => (version, crc32),
            None if rest.parse::<u32>().is_ok() => (rest, ""),
            None => return Err(HeaderError::FirstLine),
        };
        if version != self.version.to_string() {
            return Err(HeaderError::Version(version.to_string()));
        }
        let (json, rest) = (lines.next(), lines.next());
        let (json, rest) = json.zip(rest).ok_or(HeaderError::Truncated)?;
        if crc32 != format!("{:08x}", crc32fast::hash(json)) {
            return Err(HeaderError::Checksum);
        }
        let fields: Result<Fields<T>, _> = serde_json::from_slice(json);
        let Fields { program, metadata } =
            fields.map_err(|error| HeaderError::Malformed(error.to_string()))?;
        Ok(Header { program, metadata, bytes: bytes.len() - rest.len() })
    }

    /// Writes a file that consists of a header, and syncs the folder.
    pub fn write(&self, path: &Path, metadata: &impl Serialize) -> Result<(), StorageError> {
        let mut file = files::AtomicFile::create(path)?;
        let text = self.encode(PROGRAM, metadata);
        text.and_then(|text| file.write_all(text.as_bytes()))
            .map_err(|error| StorageError::system("write", path, &error))?;
        // New files that the header lists have their names before they are relied on.
        files::sync_folder(path.parent().unwrap_or(path))?;
        file.commit()
    }

    /// Reads a file that consists of a header; `None` if there is no such file.
    pub fn read<T: DeserializeOwned>(&self, path: &Path) -> Result<Option<T>, StorageError> {
        let bytes = match std::fs::metadata(path) {
            Ok(about) if !about.is_file() || about.len() > HEADER_BYTES => {
                return Err(StorageError::damaged(path, format!("it is no {}", self.noun)));
            }
            Ok(_) => files::read(path),
            Err(error) => Err(error),
        };
        let bytes = match bytes {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(StorageError::system("read", path, &error)),
        };
        match self.decode(&bytes) {
            Ok(header) if header.bytes == bytes.len() => Ok(Some(header.metadata)),
            Ok(_) => Err(StorageError::damaged(path, "something follows its end")),
            Err(error) => Err(self.error(path, error)),
        }
    }

    /// The error of a file with such a header.
    pub fn error(&self, path: &Path, error: HeaderError) -> StorageError {
        let why = match error {
            HeaderError::Version(found) => {
                let (path, known) = (path.display().to_string(), self.version);
                return StorageError::OtherVersion { path, found, known };
            }
            HeaderError::Foreign | HeaderError::FirstLine => {
                format!("it does not begin as a {} does", self.noun)
            }
            HeaderError::Truncated | HeaderError::Checksum => "its checksum is wrong".to_string(),
            HeaderError::Malformed(why) => why,
        };
        StorageError::damaged(path, why)
    }
}

/// The directory of a container whose blocks come one after the other.
#[derive(Default)]
struct Directory {
    bytes: Vec<u8>,
    /// The entries of the part that is not complete.
    entries: Vec<u8>,
    hasher: Sha256,
}

impl Directory {
    fn block(&mut self, block: &[u8]) -> io::Result<()> {
        let length = u32::try_from(block.len()).map_err(io::Error::other)?;
        self.hasher.update(block);
        self.entries.extend_from_slice(&length.to_le_bytes());
        self.entries.extend_from_slice(&crc32fast::hash(block).to_le_bytes());
        Ok(())
    }

    fn end_part(&mut self) {
        let blocks = (self.entries.len() / ENTRY_BYTES) as u32;
        self.bytes.extend_from_slice(&blocks.to_le_bytes());
        self.bytes.append(&mut self.entries);
        self.bytes.extend_from_slice(&self.hasher.finalize_reset());
    }

    /// The directory and the end of a container whose directory begins at that position.
    fn finish(mut self, position: u64) -> Vec<u8> {
        let crc32 = crc32fast::hash(&self.bytes);
        self.bytes.extend_from_slice(&position.to_le_bytes());
        self.bytes.extend_from_slice(&crc32.to_le_bytes());
        self.bytes.extend_from_slice(END);
        self.bytes
    }
}

/// Writes a container from beginning to end.
pub struct ContainerWriter<W> {
    out: W,
    written: u64,
    directory: Directory,
}

impl<W: Write> ContainerWriter<W> {
    /// Writes the header, as the program of some version does.
    pub fn begin(
        mut out: W,
        format: &Format,
        program: &str,
        metadata: &impl Serialize,
    ) -> io::Result<ContainerWriter<W>> {
        let header = format.encode(program, metadata)?;
        out.write_all(header.as_bytes())?;
        Ok(ContainerWriter { out, written: header.len() as u64, directory: Directory::default() })
    }

    /// Writes a block of less than 4 GiB.
    pub fn block(&mut self, block: &[u8]) -> io::Result<()> {
        self.out.write_all(block)?;
        self.written += block.len() as u64;
        self.directory.block(block)
    }

    /// Ends a part.
    pub fn end_part(&mut self) {
        self.directory.end_part();
    }

    /// Writes the directory and the end. Returns the length of the container.
    pub fn finish(mut self) -> io::Result<u64> {
        let end = self.directory.finish(self.written);
        self.out.write_all(&end)?;
        Ok(self.written + end.len() as u64)
    }
}

/// Reads a container from beginning to end. The caller knows the lengths of the blocks.
pub struct ContainerReader<R> {
    input: R,
    read: u64,
    directory: Directory,
}

/// Why a container cannot be read.
#[derive(Debug)]
pub enum ReadError {
    /// The header cannot be used; the beginning of the first line.
    Header(HeaderError, String),
    /// The file is too short.
    Truncated,
    /// A checksum is wrong.
    Checksum,
    /// Something follows the end.
    Longer,
    /// The operating system refused.
    Io(io::Error),
}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> ReadError {
        match error.kind() {
            ErrorKind::UnexpectedEof => ReadError::Truncated,
            _ => ReadError::Io(error),
        }
    }
}

impl<R: BufRead> ContainerReader<R> {
    /// Reads the header.
    pub fn begin<T: DeserializeOwned>(
        mut input: R,
        format: &Format,
    ) -> Result<(ContainerReader<R>, Header<T>), ReadError> {
        let mut bytes = Vec::new();
        input.by_ref().take(1 << 12).read_until(b'\n', &mut bytes)?;
        let first = String::from_utf8_lossy(&bytes).trim_end().chars().take(40).collect();
        input.by_ref().take(HEADER_BYTES).read_until(b'\n', &mut bytes)?;
        let header = format.decode(&bytes).map_err(|error| ReadError::Header(error, first))?;
        let read = bytes.len() as u64;
        Ok((ContainerReader { input, read, directory: Directory::default() }, header))
    }

    /// Fills the bytes with the next block. Its checksum is compared by
    /// [`finish`](ContainerReader::finish).
    pub fn block(&mut self, block: &mut [u8]) -> Result<(), ReadError> {
        self.input.read_exact(block)?;
        self.read += block.len() as u64;
        Ok(self.directory.block(block)?)
    }

    /// Ends a part.
    pub fn end_part(&mut self) {
        self.directory.end_part();
    }

    /// Reads the directory and the end, and compares them with the blocks that were read.
    pub fn finish(mut self) -> Result<(), ReadError> {
        let wanted = self.directory.finish(self.read);
        let mut end = vec![0; wanted.len()];
        self.input.read_exact(&mut end)?;
        match end == wanted {
            false => Err(ReadError::Checksum),
            true if self.input.fill_buf()?.is_empty() => Ok(()),
            true => Err(ReadError::Longer),
        }
    }
}

/// A part of a container in memory.
pub struct Part {
    /// Where each block is, and its CRC-32.
    pub blocks: Vec<(Range<usize>, u32)>,
    sha256: Digest,
}

impl Part {
    /// Whether the SHA-256 of the part is right.
    pub fn is_intact(&self, bytes: &[u8]) -> bool {
        let start = self.blocks.first().map_or(0, |(block, _)| block.start);
        let end = self.blocks.last().map_or(0, |(block, _)| block.end);
        Digest::of(&bytes[start..end]) == self.sha256
    }
}

/// Why a directory cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DirectoryError {
    /// The mark of the end is not there.
    Truncated,
    /// The directory has another checksum, or does not fit the file.
    Damaged,
}

/// Reads the directory of a container, whose blocks begin after the header.
pub fn directory(bytes: &[u8], header: usize) -> Result<Vec<Part>, DirectoryError> {
    let end = bytes.split_last_chunk::<END_BYTES>().filter(|(_, end)| end.ends_with(END));
    let (before, end) = end.ok_or(DirectoryError::Truncated)?;
    let position = u64::from_le_bytes(*end.first_chunk().expect("eight bytes"));
    let position = usize::try_from(position).ok();
    let directory = position.and_then(|position| before.get(position..)).unwrap_or_default();
    if crc32fast::hash(directory).to_le_bytes() != end[8..12] {
        return Err(DirectoryError::Damaged);
    }
    let (parts, at) = parts(directory, header).ok_or(DirectoryError::Damaged)?;
    if Some(at) == position { Ok(parts) } else { Err(DirectoryError::Damaged) }
}

/// The parts in a directory, and where the blocks end.
fn parts(mut directory: &[u8], start: usize) -> Option<(Vec<Part>, usize)> {
    let number = |bytes: &[u8; 4]| u32::from_le_bytes(*bytes);
    let (mut parts, mut at) = (Vec::new(), start);
    while !directory.is_empty() {
        let (count, rest) = directory.split_first_chunk().map(|(n, rest)| (number(n), rest))?;
        let length = usize::try_from(count).ok()?.checked_mul(ENTRY_BYTES)?;
        let (entries, rest) = rest.split_at_checked(length)?;
        let mut blocks = Vec::with_capacity(length / ENTRY_BYTES);
        for entry in entries.chunks_exact(ENTRY_BYTES) {
            let (length, crc32) = (entry.first_chunk()?, entry.last_chunk()?);
            let block = at..at.checked_add(usize::try_from(number(length)).ok()?)?;
            at = block.end;
            blocks.push((block, number(crc32)));
        }
        let (sha256, rest) = rest.split_first_chunk()?;
        parts.push(Part { blocks, sha256: Digest(*sha256) });
        directory = rest;
    }
    Some((parts, at))
}
