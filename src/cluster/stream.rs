//! A wire as timely sees it: a stream of bytes that never fails.
//!
//! timely's threads panic when a stream fails. So where a connection is lost the process is told
//! (see [`Event`](super::wire::Event)), which then ends in order, and timely's thread waits for that.

use super::wire::{FRAME, Kind, Wire};
use std::io::{Error, ErrorKind, Read, Result, Write};
use std::net::Shutdown;
use std::sync::atomic::Ordering;
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use timely::communication::allocator::zero_copy::stream::Stream;

/// The most bytes of one of timely's messages: a batch of states or a report, with room to spare.
pub const MESSAGE: u64 = 8 << 20;

/// Both ends of the way to another process.
#[derive(Clone)]
pub struct WireStream {
    wire: Arc<Wire>,
    inbox: Arc<Mutex<Inbox>>,
}

struct Inbox {
    frames: Receiver<Vec<u8>>,
    /// The frame that is being read, and how far.
    frame: Vec<u8>,
    read: usize,
    complete: bool,
}

impl WireStream {
    /// What is sent goes to the wire, what is read comes from the frames; an empty one is the end.
    pub fn new(wire: Arc<Wire>, frames: Receiver<Vec<u8>>) -> WireStream {
        let inbox = Inbox { frames, frame: Vec::new(), read: 0, complete: false };
        WireStream { wire, inbox: Arc::new(Mutex::new(inbox)) }
    }
}

impl Stream for WireStream {
    fn try_clone(&self) -> Result<Self> {
        Ok(self.clone())
    }

    fn set_nonblocking(&self, _: bool) -> Result<()> {
        Ok(())
    }

    fn shutdown(&self, _: Shutdown) -> Result<()> {
        // The connection stays: the processes have more to say to each other.
        self.wire.send(Kind::Complete, &[]).or_else(|_| wait_for_the_end())
    }
}

impl Read for WireStream {
    fn read(&mut self, bytes: &mut [u8]) -> Result<usize> {
        let mut inbox = self.inbox.lock().unwrap_or_else(PoisonError::into_inner);
        if inbox.complete {
            return Ok(0);
        }
        if inbox.read == inbox.frame.len() {
            match inbox.frames.recv() {
                Ok(frame) if frame.is_empty() => inbox.complete = true,
                Ok(frame) => (inbox.frame, inbox.read) = (frame, 0),
                Err(_) => return wait_for_the_end(),
            }
        }
        let count = match inbox.complete {
            true => 0,
            false => bytes.len().min(inbox.frame.len() - inbox.read),
        };
        bytes[..count].copy_from_slice(&inbox.frame[inbox.read..][..count]);
        inbox.read += count;
        Ok(count)
    }
}

impl Write for WireStream {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        let bytes = &bytes[..bytes.len().min(FRAME)];
        if self.wire.send(Kind::Data, bytes).is_err() {
            return wait_for_the_end();
        }
        self.wire.bytes.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}

/// The process is about to end.
fn wait_for_the_end<T>() -> Result<T> {
    loop {
        std::thread::sleep(Duration::from_secs(3600));
    }
}

/// Follows timely's messages through the bytes, and refuses those that are not for this process or
/// that claim too much.
pub struct Checked {
    /// The workers of this process.
    workers: std::ops::Range<u64>,
    head: Vec<u8>,
    /// Bytes of a message that are still to come.
    left: u64,
}

/// Six numbers of 64 bits, most significant byte first.
const HEAD: usize = 48;

impl Checked {
    /// For a process with those workers.
    pub fn new(workers: std::ops::Range<usize>) -> Checked {
        let workers = workers.start as u64..workers.end as u64;
        Checked { workers, head: Vec::with_capacity(HEAD), left: 0 }
    }

    /// Follows some more bytes.
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

    /// The length of the message that begins with the head.
    fn length(&self) -> Result<u64> {
        let number =
            |i: usize| self.head[8 * i..][..8].iter().fold(0, |n, &byte| n << 8 | u64::from(byte));
        let (lower, upper, length) = (number(2), number(3), number(4));
        let ours = self.workers.start <= lower && lower <= upper && upper <= self.workers.end;
        // The last message of all is empty, and for nobody.
        match length <= MESSAGE && (ours || length == 0) {
            true => Ok(length),
            false => {
                let why = "it sends a message that is too long or not for this process";
                Err(Error::new(ErrorKind::InvalidData, why))
            }
        }
    }
}
