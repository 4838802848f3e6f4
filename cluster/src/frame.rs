//! The frames that processes exchange, and who may send which of them when.
//!
//! A frame consists of its kind (a byte), its length (32 bits, least significant byte first) and
//! its content. A [`Conversation`] reads the frames of one process from any source of bytes, and
//! returns an error of the kind `InvalidData` for the first that the [table](super) does not allow.

use super::check::Checked;
use super::printable::printable;
use std::io::{Error, ErrorKind, Read, Result};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The maximum length of the content of a frame in bytes.
pub const FRAME: usize = 64 << 10;
/// The maximum length of a reason in bytes.
pub const REASON: usize = 4 << 10;

/// The kind of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Bytes of timely.
    Data = 0,
    /// A heartbeat.
    Alive = 1,
    /// The end of timely's bytes.
    Complete = 2,
    /// The result is delivered.
    Delivered = 3,
    /// The reason why the process ends early.
    Ended = 4,
    /// The process is done.
    Bye = 5,
}

const KINDS: [Kind; 6] =
    [Kind::Data, Kind::Alive, Kind::Complete, Kind::Delivered, Kind::Ended, Kind::Bye];

impl Kind {
    /// The head of a frame.
    pub fn head(self, length: usize) -> [u8; 5] {
        let [a, b, c, d] = (length as u32).to_le_bytes();
        [self as u8, a, b, c, d]
    }

    /// The maximum length of the content.
    fn most(self) -> usize {
        match self {
            Kind::Data => FRAME,
            Kind::Ended => REASON,
            Kind::Alive | Kind::Complete | Kind::Delivered | Kind::Bye => 0,
        }
    }
}

/// A frame that was received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Frame {
    /// Bytes of timely, which are complete messages or parts of such.
    Data(Vec<u8>),
    /// A heartbeat.
    Alive,
    /// The end of timely's bytes.
    Complete,
    /// The result is delivered.
    Delivered,
    /// The reason why the process ends early, made printable.
    Ended(String),
    /// The process is done.
    Bye,
}

/// What another process has sent to this one, and so what it may send next.
pub struct Conversation {
    /// The number of the other process.
    from: usize,
    /// The number of this process.
    to: usize,
    check: Checked,
    /// Whether this process has sent `Delivered`.
    has_delivered: Arc<AtomicBool>,
    is_complete: bool,
    is_delivered: bool,
}

impl Conversation {
    /// Begins a conversation in which process `from` sends to process `to`, which sets
    /// `has_delivered` before it sends `Delivered`.
    pub fn new(
        (from, to): (usize, usize),
        check: Checked,
        has_delivered: Arc<AtomicBool>,
    ) -> Conversation {
        Conversation { from, to, check, has_delivered, is_complete: false, is_delivered: false }
    }

    /// Reads the next frame. Memory is allocated only for a frame that is allowed.
    pub fn next(&mut self, mut from: impl Read) -> Result<Frame> {
        let mut head = [0; 5];
        from.read_exact(&mut head)?;
        let [kind, length @ ..] = head;
        let length = u32::from_le_bytes(length) as usize;
        let Some(&kind) = KINDS.get(usize::from(kind)) else {
            return Err(invalid(format!("a frame of the unknown kind {kind}")));
        };
        if let Some(why) = self.forbids(kind) {
            return Err(invalid(format!("{kind:?} {why}")));
        }
        let most = kind.most();
        if length > most {
            return Err(invalid(format!("{kind:?} with {length} bytes, of which {most} may be")));
        }
        let mut bytes = vec![0; length];
        from.read_exact(&mut bytes)?;
        Ok(match kind {
            Kind::Data => {
                self.check.pass(&bytes)?;
                Frame::Data(bytes)
            }
            Kind::Alive => Frame::Alive,
            Kind::Complete => {
                self.is_complete = true;
                Frame::Complete
            }
            Kind::Delivered => {
                self.is_delivered = true;
                Frame::Delivered
            }
            Kind::Ended => Frame::Ended(printable(&String::from_utf8_lossy(&bytes))),
            Kind::Bye => Frame::Bye,
        })
    }

    /// The reason why the other process may not send a frame of this kind now. `None` if it may.
    fn forbids(&self, kind: Kind) -> Option<&'static str> {
        match kind {
            Kind::Data if self.is_complete => Some("after Complete"),
            Kind::Complete if self.is_complete => Some("twice"),
            Kind::Complete if !self.check.is_over() => Some("before the end of timely's messages"),
            Kind::Delivered if self.from != 0 => Some("though only process 0 may"),
            Kind::Delivered if self.is_delivered => Some("twice"),
            Kind::Delivered | Kind::Bye if !self.is_complete => Some("before Complete"),
            Kind::Bye if self.from == 0 && !self.is_delivered => Some("before Delivered"),
            Kind::Bye if self.to == 0 && !self.has_delivered.load(Ordering::SeqCst) => {
                Some("before the result was delivered")
            }
            _ => None,
        }
    }
}

/// An error that describes what a process sent although it may not.
pub fn invalid(what: impl Into<String>) -> Error {
    Error::new(ErrorKind::InvalidData, what.into())
}
