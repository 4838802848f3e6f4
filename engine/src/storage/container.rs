//! Containers: files of checksummed blocks.
//!
//! A container begins with a [header](super::header). Its parts are in the same file; a part is a
//! sequence of blocks:
//!
//! ```text
//! blocks       of all parts, one after the other, without gaps
//! directory    for each part: the number of its blocks; for each of them its length and its CRC-32;
//!              the SHA-256 of the part
//! end          where the directory begins (64 bits), its CRC-32, the bytes "bsq end\n"
//! ```
//!
//! Numbers of the directory and the end have 32 bits unless stated otherwise, least significant
//! byte first.

use super::header::{Digest, Format, HEADER_BYTES, Header, HeaderError};
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest as _, Sha256};
use std::io::{self, BufRead, ErrorKind, Read, Write};
use std::ops::Range;

const END: &[u8; 8] = b"bsq end\n";
/// Bytes of the end: position of the directory, its checksum, the mark.
const END_BYTES: usize = 8 + 4 + END.len();
/// Bytes of the directory for a block.
const ENTRY_BYTES: usize = 8;
const WRONG_CHECKSUM: ReadError = ReadError::Damaged("its checksum is wrong");

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
    /// Writes the header, as the given version of the program does.
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

/// Reads a container from beginning to end. The caller supplies the lengths of the blocks.
pub struct ContainerReader<R> {
    input: R,
    read: u64,
    directory: Directory,
}

/// Why a container cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The file has another format.
    #[error("it is not a {noun} of this version of the format; it begins with '{first}'")]
    Foreign {
        /// The expected kind of file.
        noun: &'static str,
        /// The beginning of its first line.
        first: String,
    },
    /// The format of the file has another version.
    #[error("it is of version {found} of the format, and this program reads version {known}")]
    Version {
        /// The version of the file.
        found: String,
        /// The version that can be read.
        known: u32,
    },
    /// The content is damaged.
    #[error("it is damaged: {0}")]
    Damaged(&'static str),
    /// The operating system reported an error.
    #[error(transparent)]
    Io(io::Error),
}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> ReadError {
        match error.kind() {
            ErrorKind::UnexpectedEof => ReadError::Damaged("it is cut off"),
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
        let header = format.decode(&bytes).map_err(|error| match error {
            HeaderError::Foreign | HeaderError::FirstLine => {
                ReadError::Foreign { noun: format.noun, first }
            }
            HeaderError::Version(found) => ReadError::Version { found, known: format.version },
            HeaderError::Truncated => ReadError::Damaged("it is cut off"),
            HeaderError::Checksum | HeaderError::Malformed(_) => WRONG_CHECKSUM,
        })?;
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
        if end != wanted {
            return Err(WRONG_CHECKSUM);
        }
        if !self.input.fill_buf()?.is_empty() {
            return Err(ReadError::Damaged("something follows its end"));
        }
        Ok(())
    }
}

/// A part of a container whose bytes are in memory.
pub struct Part {
    /// The range of each block, and its CRC-32.
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
    /// The mark at the end is missing.
    Truncated,
    /// The checksum of the directory is wrong, or it does not fit the file.
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

/// Returns the parts in a directory, and the end of the last block.
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
