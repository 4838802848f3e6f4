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
//!
//! The CRC-32s are those of an [`Identity`], the bytes of the header. Blocks are numbered from 0
//! through all parts, and the number of the directory is where it begins. No block can therefore be
//! moved within the container, or copied from another one, without being noticed.

use super::Identity;
use super::header::{Digest, Format, HEADER_BYTES, Header, HeaderError};
use crate::error::{HasKind, Kind};
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
struct Directory {
    identity: Identity,
    /// The number of blocks.
    blocks: u64,
    bytes: Vec<u8>,
    /// The entries of the part that is not complete.
    entries: Vec<u8>,
    hasher: Sha256,
}

impl Directory {
    /// The directory of a container with these bytes as its header.
    fn begin(header: &[u8]) -> Directory {
        let (bytes, entries) = (Vec::new(), Vec::new());
        let identity = Identity::of(header);
        Directory { identity, blocks: 0, bytes, entries, hasher: Sha256::default() }
    }

    fn block(&mut self, block: &[u8]) -> io::Result<()> {
        let length = u32::try_from(block.len()).map_err(io::Error::other)?;
        let crc32 = self.identity.crc32(self.blocks, block);
        self.blocks += 1;
        self.hasher.update(block);
        self.entries.extend_from_slice(&length.to_le_bytes());
        self.entries.extend_from_slice(&crc32.to_le_bytes());
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
        let crc32 = self.identity.crc32(position, &self.bytes);
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
        let directory = Directory::begin(header.as_bytes());
        Ok(ContainerWriter { out, written: header.len() as u64, directory })
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
    #[error("it is not a {noun}; it begins with '{first}'")]
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

impl HasKind for ReadError {
    fn kind(&self) -> Kind {
        match self {
            ReadError::Foreign { .. } | ReadError::Version { .. } => Kind::Usage,
            ReadError::Damaged(_) | ReadError::Io(_) => Kind::Failed,
        }
    }
}

impl ReadError {
    /// The error of a file with an invalid header, which begins with these bytes.
    pub fn of_header(error: HeaderError, format: &Format, bytes: &[u8]) -> ReadError {
        match error {
            HeaderError::Foreign => {
                let first = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
                let first = String::from_utf8_lossy(first).trim_end().chars().take(40).collect();
                ReadError::Foreign { noun: format.noun, first }
            }
            HeaderError::Version(found) => ReadError::Version { found, known: format.version },
            HeaderError::FirstLine => ReadError::Damaged("its first line is wrong"),
            HeaderError::Truncated => ReadError::Damaged("it is cut off"),
            HeaderError::Checksum | HeaderError::Malformed(_) => WRONG_CHECKSUM,
        }
    }
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
        input.by_ref().take(HEADER_BYTES).read_until(b'\n', &mut bytes)?;
        let header = format.decode(&bytes);
        let header = header.map_err(|error| ReadError::of_header(error, format, &bytes))?;
        let directory = Directory::begin(&bytes);
        Ok((ContainerReader { input, read: bytes.len() as u64, directory }, header))
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
    identity: Identity,
    /// The number of the first block.
    first: usize,
    /// The range of each block, and its CRC-32.
    blocks: Vec<(Range<usize>, u32)>,
    sha256: Digest,
}

impl Part {
    /// The number of blocks.
    pub fn blocks(&self) -> usize {
        self.blocks.len()
    }

    /// A block of the part.
    pub fn block<'a>(&self, bytes: &'a [u8], block: usize) -> &'a [u8] {
        &bytes[self.blocks[block].0.clone()]
    }

    /// Whether the CRC-32 of a block of the part is right.
    pub fn is_block_intact(&self, bytes: &[u8], block: usize) -> bool {
        let number = (self.first + block) as u64;
        self.identity.crc32(number, self.block(bytes, block)) == self.blocks[block].1
    }

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
    let identity = Identity::of(&bytes[..header]);
    let number = u64::from_le_bytes(*end.first_chunk().expect("eight bytes"));
    let position = usize::try_from(number).ok();
    let directory = position.and_then(|position| before.get(position..)).unwrap_or_default();
    if identity.crc32(number, directory).to_le_bytes() != end[8..12] {
        return Err(DirectoryError::Damaged);
    }
    let (parts, at) = parts(directory, identity, header).ok_or(DirectoryError::Damaged)?;
    if Some(at) == position { Ok(parts) } else { Err(DirectoryError::Damaged) }
}

/// Returns the parts in a directory, and the end of the last block.
fn parts(mut directory: &[u8], identity: Identity, start: usize) -> Option<(Vec<Part>, usize)> {
    let number = |bytes: &[u8; 4]| u32::from_le_bytes(*bytes);
    let (mut parts, mut first, mut at) = (Vec::new(), 0, start);
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
        let count = blocks.len();
        parts.push(Part { identity, first, blocks, sha256: Digest(*sha256) });
        first += count;
        directory = rest;
    }
    Some((parts, at))
}
