//! The stream of bytes that timely reads and writes, which never fails.
//!
//! timely's threads panic when a stream fails. When a connection is lost, the process is notified
//! (see [`Event`](super::event::Event)) and ends in order; timely's thread waits until then.

use super::frame::{FRAME, Kind};
use super::wire::Wire;
use parking_lot::Mutex;
use std::io::{Read, Result, Write};
use std::net::Shutdown;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::Receiver;
use std::time::Duration;
use timely::communication::allocator::zero_copy::stream::Stream;

/// Both directions of the connection to another process.
#[derive(Clone)]
pub struct WireStream {
    wire: Arc<Wire>,
    inbox: Arc<Mutex<Inbox>>,
}

struct Inbox {
    frames: Receiver<Vec<u8>>,
    /// The frame that is being read, and the position in it.
    frame: Vec<u8>,
    read: usize,
    complete: bool,
}

impl WireStream {
    /// Creates a stream that writes to the wire and reads frames. An empty frame is the end.
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
        // The connection stays open for messages between the processes.
        self.wire.send(Kind::Complete, &[]).or_else(|_| wait_for_the_end())
    }
}

impl Read for WireStream {
    fn read(&mut self, bytes: &mut [u8]) -> Result<usize> {
        let mut inbox = self.inbox.lock();
        if inbox.read == inbox.frame.len() && !inbox.complete {
            match inbox.frames.recv() {
                Ok(frame) => {
                    inbox.complete = frame.is_empty();
                    (inbox.frame, inbox.read) = (frame, 0);
                }
                Err(_) => return wait_for_the_end(),
            }
        }
        // Nothing after the last frame, which is empty.
        let count = bytes.len().min(inbox.frame.len() - inbox.read);
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

/// Waits until the process ends.
fn wait_for_the_end<T>() -> Result<T> {
    loop {
        std::thread::sleep(Duration::from_secs(3600));
    }
}
