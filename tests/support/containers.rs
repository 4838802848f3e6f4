//! Containers taken apart, so that blocks can be moved.

use bsq_engine::storage::Identity;

/// A container, by the description in `bsq_engine::storage::container`.
#[derive(Clone)]
pub struct Container {
    /// The two lines of the header.
    pub header: Vec<u8>,
    /// The parts.
    pub parts: Vec<Part>,
}

/// A part of a container.
#[derive(Clone)]
pub struct Part {
    /// The bytes of each block, and their checksum.
    pub blocks: Vec<(Vec<u8>, [u8; 4])>,
    /// The SHA-256.
    pub sha256: [u8; 32],
}

/// The bytes of the end.
const END: usize = 20;

impl Container {
    /// Takes an intact container apart.
    pub fn of(bytes: &[u8]) -> Container {
        let lines = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        let header = 1 + lines.map(|(at, _)| at).nth(1).expect("a header has two lines");
        let end = bytes.len() - END;
        let directory = u64::from_le_bytes(*bytes[end..].first_chunk().expect("eight bytes"));
        let (mut directory, mut at) = (&bytes[directory as usize..end], header);
        let mut parts = Vec::new();
        while !directory.is_empty() {
            let count = number(directory);
            let blocks = directory[4..][..8 * count].chunks(8).map(|entry| {
                let block = bytes[at..][..number(entry)].to_vec();
                at += block.len();
                (block, *entry.last_chunk().expect("four bytes"))
            });
            let blocks = blocks.collect();
            let rest = &directory[4 + 8 * count..];
            parts.push(Part { blocks, sha256: *rest.first_chunk().expect("a SHA-256") });
            directory = &rest[32..];
        }
        Container { header: bytes[..header].to_vec(), parts }
    }

    /// The bytes of the container. Only the checksum of the directory is computed again.
    pub fn bytes(&self) -> Vec<u8> {
        let (mut bytes, mut directory) = (self.header.clone(), Vec::new());
        for part in &self.parts {
            directory.extend((part.blocks.len() as u32).to_le_bytes());
            for (block, checksum) in &part.blocks {
                bytes.extend(block);
                directory.extend((block.len() as u32).to_le_bytes());
                directory.extend(checksum);
            }
            directory.extend(part.sha256);
        }
        let at = bytes.len() as u64;
        let checksum = Identity::of(&self.header).crc32(at, &directory);
        bytes.extend(directory);
        bytes.extend(at.to_le_bytes());
        bytes.extend(checksum.to_le_bytes());
        bytes.extend(b"bsq end\n");
        bytes
    }
}

/// The number of 32 bits at the beginning of some bytes.
fn number(bytes: &[u8]) -> usize {
    u32::from_le_bytes(*bytes.first_chunk().expect("four bytes")) as usize
}
