//! Validates timely's messages before timely reads them.

use std::io::{Error, ErrorKind, Result};

/// An upper bound on the bytes of a message: a batch of states or a report.
pub const MESSAGE: u64 = 8 << 20;

/// Parses the heads of timely's messages in a stream of bytes. Rejects messages that are too long
/// or not addressed to this process.
pub struct Checked {
    /// The workers of this process.
    workers: std::ops::Range<u64>,
    head: Vec<u8>,
    /// The remaining bytes of a message.
    left: u64,
}

/// The bytes of a head: six 64-bit numbers, most significant byte first.
const HEAD: usize = 48;

impl Checked {
    /// Creates a check for a process with these workers.
    pub fn new(workers: std::ops::Range<usize>) -> Checked {
        let workers = workers.start as u64..workers.end as u64;
        Checked { workers, head: Vec::with_capacity(HEAD), left: 0 }
    }

    /// Checks the next bytes.
    pub fn pass(&mut self, bytes: &[u8]) -> Result<()> {
        let mut bytes = bytes;
        while !bytes.is_empty() {
            let inside = self.left.min(bytes.len() as u64) as usize;
            self.left -= inside as u64;
            bytes = &bytes[inside..];
            let missing = bytes.len().min(HEAD - self.head.len());
            self.head.extend_from_slice(&bytes[..missing]);
            bytes = &bytes[missing..];
            if self.head.len() == HEAD {
                self.left = self.length()?;
                self.head.clear();
            }
        }
        Ok(())
    }

    /// The length of the message with this head.
    fn length(&self) -> Result<u64> {
        let number =
            |i: usize| self.head[8 * i..][..8].iter().fold(0, |n, &byte| n << 8 | u64::from(byte));
        let (lower, upper, length) = (number(2), number(3), number(4));
        let ours = self.workers.start <= lower && lower <= upper && upper <= self.workers.end;
        // The last message is empty and has no recipient.
        match length <= MESSAGE && (ours || length == 0) {
            true => Ok(length),
            false => {
                let why = "it sends a message that is too long or not for this process";
                Err(Error::new(ErrorKind::InvalidData, why))
            }
        }
    }
}
