//! What a block belongs to, as part of its checksum.
//!
//! A checksum of the bytes alone finds a changed block, but not one that was moved: exchanged with
//! another one, or copied from the file of another game. The CRC-32 of a block is therefore that of
//! the following bytes:
//!
//! ```text
//! identity     bytes that differ from those of every other file, such as its header
//! number       of the block in the file, from 0, in 8 bytes, least significant first
//! block        the bytes themselves
//! ```
//!
//! The identity is hashed once for each file, so it costs nothing when a block is read.

use crc32fast::Hasher;

/// What the blocks of a file belong to.
///
/// ```
/// use bsq_engine::storage::Identity;
///
/// let [one, other] = ["3x3", "4x4"].map(|board| Identity::of(board.as_bytes()));
/// assert_eq!(one.crc32(0, b"block"), crc32fast::hash(b"3x3\0\0\0\0\0\0\0\0block"));
/// assert_ne!(one.crc32(0, b"block"), one.crc32(1, b"block"));
/// assert_ne!(one.crc32(0, b"block"), other.crc32(0, b"block"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The CRC-32 of the identity.
    crc32: u32,
}

impl Identity {
    /// The identity with these bytes.
    pub fn of(bytes: &[u8]) -> Identity {
        Identity { crc32: crc32fast::hash(bytes) }
    }

    /// The CRC-32 of the block with a number.
    pub fn crc32(self, number: u64, block: &[u8]) -> u32 {
        let mut hasher = Hasher::new_with_initial(self.crc32);
        hasher.update(&number.to_le_bytes());
        hasher.update(block);
        hasher.finalize()
    }
}
