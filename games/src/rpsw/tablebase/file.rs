//! The file: what stands where, and how it is written and opened.
//!
//! ```text
//! bsq rpsw database, version 1, crc32 01234567      of the next line, without its end
//! {"rules": ..., "rows": ..., "census": ...}        one line of JSON
//! blocks                                            one a row
//! directory                                         for each block its length and its CRC-32
//! end                                               where the directory is, its CRC-32, "bsq end\n"
//! ```
//!
//! Numbers of the directory and the end have 32 bits, the place of the directory 64, least byte
//! first.

use super::{Problem, TablebaseError};
use crate::rpsw::Rules;
use crate::rpsw::census::Census;
use memmap2::Mmap;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

const MAGIC: &str = "bsq rpsw database, version ";
const VERSION: u32 = 1;
const END: &[u8; 8] = b"bsq end\n";
/// Bytes of the end: place of the directory, its checksum, the mark.
const END_BYTES: usize = 8 + 4 + END.len();
/// Rows that no game has: codes of a player's pieces on the largest board.
const MOST_ROWS: usize = 21usize.pow(4);
/// Bytes of the directory for a row.
const ENTRY_BYTES: usize = 8;
/// A header is not longer than that: that of the whole game has 50 kB.
const HEADER_BYTES: usize = 1 << 24;

/// What the file says about itself.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Header {
    rules: WrittenRules,
    /// Blocks.
    pub rows: usize,
    /// How many positions there are of each kind.
    pub census: Census,
}

/// Rules as they are written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WrittenRules {
    cols: usize,
    rows: usize,
    pieces: usize,
    total: usize,
    takes: [u8; 4],
}

impl WrittenRules {
    /// These rules.
    pub fn of(rules: &Rules) -> WrittenRules {
        WrittenRules {
            cols: rules.cols(),
            rows: rules.rows(),
            pieces: rules.pieces(),
            total: rules.total(),
            takes: rules.capture_table(),
        }
    }
}

impl Header {
    /// Of a game by these rules.
    pub fn new(rules: &Rules, rows: usize, census: Census) -> Header {
        Header { rules: WrittenRules::of(rules), rows, census }
    }

    /// The rules, if there are such.
    pub fn rules(&self) -> Option<Rules> {
        let WrittenRules { cols, rows, pieces, total, takes } = self.rules;
        let rules = Rules::standard().on_board(cols, rows).ok()?.with_pieces(pieces).ok()?;
        Some(rules.with_total(total).ok()?.with_takes(takes))
    }
}

/// Writes a file from beginning to end.
pub struct FileWriter<W> {
    out: W,
    written: u64,
    directory: Vec<u8>,
}

impl<W: Write> FileWriter<W> {
    /// Writes the header.
    pub fn begin(mut out: W, header: &Header) -> io::Result<FileWriter<W>> {
        let json = serde_json::to_string(header)?;
        let crc = crc32fast::hash(json.as_bytes());
        let text = format!("{MAGIC}{VERSION}, crc32 {crc:08x}\n{json}\n");
        out.write_all(text.as_bytes())?;
        Ok(FileWriter { out, written: text.len() as u64, directory: Vec::new() })
    }

    /// Writes the block of the next row.
    pub fn block(&mut self, block: &[u8]) -> io::Result<()> {
        self.out.write_all(block)?;
        self.written += block.len() as u64;
        let length = u32::try_from(block.len()).map_err(io::Error::other)?;
        self.directory.extend_from_slice(&length.to_le_bytes());
        self.directory.extend_from_slice(&crc32fast::hash(block).to_le_bytes());
        Ok(())
    }

    /// Writes what comes after the blocks, and tells how many bytes there are in all.
    pub fn finish(mut self) -> io::Result<u64> {
        self.out.write_all(&self.directory)?;
        self.out.write_all(&self.written.to_le_bytes())?;
        self.out.write_all(&crc32fast::hash(&self.directory).to_le_bytes())?;
        self.out.write_all(END)?;
        Ok(self.written + (self.directory.len() + END_BYTES) as u64)
    }
}

/// A file whose header and directory are whole.
pub struct OpenFile {
    path: PathBuf,
    bytes: Mmap,
    /// What the file says about itself.
    pub header: Header,
    /// Where each block is, and its checksum.
    blocks: Vec<(Range<usize>, u32)>,
}

impl OpenFile {
    /// Opens a file and reads header and directory.
    pub fn open(path: &Path) -> Result<OpenFile, TablebaseError> {
        let fail = |problem| TablebaseError { path: path.display().to_string(), problem };
        let bytes = map(path).map_err(|error| fail(Problem::Unreadable(error.to_string())))?;
        let (header, start) = read_header(&bytes).map_err(fail)?;
        let blocks = read_directory(&bytes, header.rows, start).map_err(fail)?;
        Ok(OpenFile { path: path.to_path_buf(), bytes, header, blocks })
    }

    /// A block, and its checksum as the directory has it.
    pub fn block(&self, row: usize) -> (&[u8], u32) {
        let (range, crc) = &self.blocks[row];
        (&self.bytes[range.clone()], *crc)
    }

    /// All bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// An error about this file.
    pub fn error(&self, problem: Problem) -> TablebaseError {
        TablebaseError { path: self.path.display().to_string(), problem }
    }
}

fn map(path: &Path) -> io::Result<Mmap> {
    // Others, such as pipes, may never open.
    if !std::fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is no ordinary file"));
    }
    let file = File::open(path)?;
    // SAFETY: the file is only read. A database is put in its place whole and never written again;
    // who writes into it or cuts it off while it is in use can make reads fail, as for any mapped
    // file, which its documentation says.
    unsafe { Mmap::map(&file) }
}

/// The header, and where the blocks begin.
fn read_header(bytes: &[u8]) -> Result<(Header, usize), Problem> {
    let mut lines = bytes[..bytes.len().min(HEADER_BYTES)].splitn(3, |&byte| byte == b'\n');
    let first = lines.next().and_then(|line| std::str::from_utf8(line).ok());
    let stamp = first.and_then(|line| line.strip_prefix(MAGIC)).ok_or(Problem::Foreign)?;
    let (version, crc) = stamp.split_once(", crc32 ").ok_or(Problem::Damaged("its first line"))?;
    if version != VERSION.to_string() {
        return Err(Problem::Version { found: version.to_string(), known: VERSION });
    }
    let json = lines.next().ok_or(Problem::Truncated)?;
    let rest = lines.next().ok_or(Problem::Truncated)?;
    let intact = crc == format!("{:08x}", crc32fast::hash(json));
    let header = intact.then(|| serde_json::from_slice(json).ok()).flatten();
    let header = header.filter(|header: &Header| header.rows <= MOST_ROWS);
    let start = rest.as_ptr().addr() - bytes.as_ptr().addr();
    Ok((header.ok_or(Problem::Damaged("its header"))?, start))
}

fn read_directory(
    bytes: &[u8],
    rows: usize,
    start: usize,
) -> Result<Vec<(Range<usize>, u32)>, Problem> {
    let (before, end) = bytes.split_last_chunk::<END_BYTES>().ok_or(Problem::Truncated)?;
    let (numbers, mark) = end.split_at(END_BYTES - END.len());
    if mark != END {
        return Err(Problem::Truncated);
    }
    let (place, crc) = numbers.split_first_chunk().expect("twelve bytes");
    let damaged = Problem::Damaged("its directory");
    let place = usize::try_from(u64::from_le_bytes(*place)).ok();
    let length = rows.checked_mul(ENTRY_BYTES);
    let directory = place.and_then(|place| before.get(place..)).unwrap_or_default();
    if length != Some(directory.len()) || crc != crc32fast::hash(directory).to_le_bytes() {
        return Err(damaged);
    }
    let mut at = start;
    let blocks = directory.chunks_exact(ENTRY_BYTES).map(|entry| {
        let [length, crc] = [&entry[..4], &entry[4..]]
            .map(|bytes| u32::from_le_bytes(bytes.try_into().expect("four bytes")));
        let block = at..at + length as usize;
        at = block.end;
        (block, crc)
    });
    let blocks: Vec<_> = blocks.collect();
    if Some(at) == place { Ok(blocks) } else { Err(damaged) }
}
