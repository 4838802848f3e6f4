//! The header common to all files.
//!
//! Every file begins with two lines of text:
//!
//! ```text
//! bsq KIND, version 2, crc32 01234567                CRC-32 of the next line, without its end
//! {"program":"0.2.0 (commit ...)","metadata":{...}}   one line of JSON
//! ```
//!
//! `KIND` names the format, `version` its version. `program` is the version of the program that
//! wrote the file. `metadata` depends on the kind; it contains the rules of the game, and the data
//! needed to read the parts.
//!
//! A checkpoint or manifest consists of these lines. Its parts are separate files, listed in the
//! metadata with their length and a SHA-256, see [`FileRecord`]. A [container](super::container)
//! has its parts in the same file.
//!
//! # History
//!
//! * Version 1 had a similar header for some kinds, with the fields of `metadata` at the top of the
//!   JSON, and no SHA-256. The first line of a search checkpoint was `bsq search checkpoint 1`.
//! * Version 2 is described above, for all kinds.
//! * Later versions of a kind change what follows the header, or what its checksums cover.
//!
//! A file of another version is rejected by its first line.

use super::StorageError;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::io;
use std::path::Path;
use std::sync::OnceLock;

/// The commit from which the program was built.
static COMMIT: OnceLock<String> = OnceLock::new();

/// Sets the commit that [`program`] names. Later calls have no effect.
pub fn set_commit(commit: &str) {
    let _ = COMMIT.set(commit.to_string());
}

/// The version of the program, as it is written to files, with the commit if that is known.
///
/// ```
/// use bsq_engine::storage::header::{program, set_commit};
///
/// set_commit("0123456789ab");
/// assert!(program().ends_with(" (commit 0123456789ab)"));
/// ```
pub fn program() -> String {
    let version = env!("CARGO_PKG_VERSION");
    COMMIT.get().map_or(version.to_string(), |commit| format!("{version} (commit {commit})"))
}

/// An upper bound on the bytes of a header.
pub(super) const HEADER_BYTES: u64 = 1 << 26;

/// A SHA-256, written as 64 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Digest(pub(super) [u8; 32]);

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
        bytes.map(Digest).ok_or_else(|| format!("'{text}' is not a SHA-256"))
    }
}

/// A separate file listed in a checkpoint or manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileRecord {
    /// The name, without a folder.
    pub name: String,
    /// The length.
    pub bytes: u64,
    /// The SHA-256 of the bytes. For files whose blocks have CRC-32s, it is the SHA-256 of these
    /// CRC-32s instead, four bytes each, in the order of the blocks: hashing all bytes would take a
    /// tenth of the time of the job that writes them.
    pub sha256: Digest,
}

/// A file format, and the version of it that can be read and written.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// The name of the format in the first line of a file.
    pub kind: &'static str,
    /// The term for the file in messages, such as `manifest`.
    pub noun: &'static str,
    /// The only version that can be read.
    pub version: u32,
}

/// What to do with a file of another version.
pub const REMEDY: &str = "remove it, and run the command that made it again";

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

/// The second line.
#[derive(Serialize, Deserialize)]
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
    /// Encodes a header, as the given version of the program writes it.
    pub fn encode(&self, program: &str, metadata: &impl Serialize) -> io::Result<String> {
        let program = program.to_string();
        Ok(self.seal(&serde_json::to_string(&Fields { program, metadata })?))
    }

    /// Puts the first line, with the checksum, in front of the second one.
    pub fn seal(&self, json: &str) -> String {
        let (kind, version, crc32) = (self.kind, self.version, crc32fast::hash(json.as_bytes()));
        format!("bsq {kind}, version {version}, crc32 {crc32:08x}\n{json}\n")
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
        if version.parse::<u32>().is_err() {
            return Err(HeaderError::FirstLine);
        }
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

    /// The error for a file with an invalid header.
    pub fn error(&self, path: &Path, error: HeaderError) -> StorageError {
        let shown = path.display().to_string();
        let why = match error {
            HeaderError::Version(found) => {
                return StorageError::OtherVersion { path: shown, found, known: self.version };
            }
            HeaderError::Foreign => {
                return StorageError::Foreign { path: shown, noun: self.noun };
            }
            HeaderError::FirstLine => "its first line is wrong".to_string(),
            HeaderError::Truncated | HeaderError::Checksum => "its checksum is wrong".to_string(),
            HeaderError::Malformed(why) => why,
        };
        StorageError::damaged(path, why)
    }
}
