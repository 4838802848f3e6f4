//! Validates timely's messages before timely reads them.

use super::frame::invalid;
use super::message::{ANSWERS, BATCHES, Head, PROGRESS};
use std::collections::BTreeMap;
use std::io::Result;
use std::ops::Range;

/// An upper bound on the bytes of a message: a batch of states or reports.
pub const MESSAGE: u64 = 8 << 20;

/// Parses timely's messages in a stream of bytes. Rejects messages that are too long, that timely
/// cannot read, or whose sender or receiver is wrong.
pub struct Checked {
    /// The workers of the other process.
    sources: Range<u64>,
    /// The workers of this process.
    targets: Range<u64>,
    /// A part of a head.
    head: Vec<u8>,
    /// The message that is being received, and the part of its content that has arrived.
    message: Option<(Head, Vec<u8>)>,
    /// The number of messages so far by channel, sender and first receiver.
    numbers: BTreeMap<(u64, u64, u64), u64>,
    is_over: bool,
}

impl Checked {
    /// Creates a check of messages between the workers of two processes.
    pub fn new(sources: Range<usize>, targets: Range<usize>) -> Checked {
        let range = |workers: Range<usize>| workers.start as u64..workers.end as u64;
        let head = Vec::with_capacity(Head::BYTES);
        let (sources, targets) = (range(sources), range(targets));
        let (message, numbers) = (None, BTreeMap::new());
        Checked { sources, targets, head, message, numbers, is_over: false }
    }

    /// Whether the last message has been received.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// Checks the next bytes.
    pub fn pass(&mut self, bytes: &[u8]) -> Result<()> {
        let mut bytes = bytes;
        while !bytes.is_empty() {
            if self.is_over {
                return Err(invalid("bytes after the last message"));
            }
            let Some((head, content)) = &mut self.message else {
                let missing = bytes.len().min(Head::BYTES - self.head.len());
                self.head.extend_from_slice(&bytes[..missing]);
                bytes = &bytes[missing..];
                if let Ok(head) = self.head.as_slice().try_into() {
                    self.begin(Head::parse(head))?;
                    self.head.clear();
                }
                continue;
            };
            let missing = bytes.len().min(head.length as usize - content.len());
            let (more, rest) = bytes.split_at(missing);
            bytes = rest;
            let stream = (head.channel, head.source, head.targets.0);
            let number = self.numbers.entry(stream).or_default();
            // A content that arrives at once is not copied.
            if missing as u64 == head.length {
                head.check(more, *number)?;
            } else {
                content.extend_from_slice(more);
                if (content.len() as u64) < head.length {
                    continue;
                }
                head.check(content, *number)?;
            }
            *number += 1;
            self.message = None;
        }
        Ok(())
    }

    /// Begins a message, unless it is the last one, which is empty and has no receiver.
    fn begin(&mut self, head: Head) -> Result<()> {
        let Range { start, end } = self.targets;
        // timely's progress is for all workers of a process, everything else for one of them.
        let is_addressed = match head.targets {
            (lower, upper) if head.channel == PROGRESS => (lower, upper) == (start, end),
            (lower, upper) => (start..end).contains(&lower) && upper == lower + 1,
        };
        if head.length == 0 {
            self.is_over = true;
        } else if head.length > MESSAGE {
            return Err(invalid(format!("a message of {} bytes", head.length)));
        } else if !is_addressed {
            return Err(invalid("a message that is not for this process"));
        } else if ![BATCHES, ANSWERS, PROGRESS].contains(&head.channel) {
            return Err(invalid("a message on a channel that does not exist"));
        } else if !self.sources.contains(&head.source) {
            return Err(invalid("a message in the name of another process"));
        } else {
            self.message = Some((head, Vec::new()));
        }
        Ok(())
    }
}
