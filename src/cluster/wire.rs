//! Connections between processes, in frames: timely's bytes, heartbeats, and messages.
//!
//! A frame consists of its kind (a byte), its length (32 bits, least significant byte first) and
//! its content. Frames have at most [`FRAME`] bytes, and timely's messages inside them at most
//! [`MESSAGE`](super::check::MESSAGE), which bounds what another process can make this one
//! allocate. Heartbeats are sent at regular intervals; a process that sends nothing for the time
//! limit is lost.

use super::check::Checked;
use super::event::Event;
use std::io::{ErrorKind, Read, Result, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Sender, SyncSender};
use std::sync::{Arc, Mutex, PoisonError, TryLockError};
use std::time::{Duration, Instant};

/// The maximum length of a frame in bytes.
pub const FRAME: usize = 64 << 10;
/// The maximum number of frames that timely has not yet read.
pub const WAITING: usize = 32;
/// The time limit of a process that ends to send the reason.
const FAREWELL: Duration = Duration::from_secs(1);
/// The maximum length of the reason in bytes.
const LAST_WORDS: usize = 4 << 10;

/// The content of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Bytes of timely.
    Data = 0,
    /// A heartbeat, without content.
    Alive = 1,
    /// The end of timely's bytes, without content.
    Complete = 2,
    /// The result is delivered; without content.
    Delivered = 3,
    /// The reason why the process ends early.
    Ended = 4,
    /// The process is done; without content.
    Bye = 5,
}

const KINDS: [Kind; 6] =
    [Kind::Data, Kind::Alive, Kind::Complete, Kind::Delivered, Kind::Ended, Kind::Bye];

/// The sending end of a connection.
pub struct Wire {
    /// The number of the other process.
    pub process: usize,
    socket: Mutex<TcpStream>,
    /// The same connection, for use while another thread is sending.
    control: TcpStream,
    /// Set after an error, when frames can no longer be told apart.
    broken: AtomicBool,
    /// Bytes sent for timely.
    pub bytes: AtomicU64,
    events: Sender<Event>,
}

impl Wire {
    /// Starts to use a connection. Received frames go to `inbox` or become events.
    pub fn open(
        process: usize,
        socket: TcpStream,
        limit: Duration,
        check: Checked,
        inbox: SyncSender<Vec<u8>>,
        events: Sender<Event>,
    ) -> Result<Arc<Wire>> {
        socket.set_read_timeout(Some(limit))?;
        socket.set_write_timeout(Some(limit))?;
        let (reading, control) = (socket.try_clone()?, socket.try_clone()?);
        let wire = Arc::new(Wire {
            process,
            control,
            socket: Mutex::new(socket),
            broken: AtomicBool::new(false),
            bytes: AtomicU64::new(0),
            events: events.clone(),
        });
        let every = (limit / 5).clamp(Duration::from_millis(100), Duration::from_secs(5));
        let beating = Arc::downgrade(&wire);
        std::thread::spawn(move || {
            while let Some(wire) = beating.upgrade() {
                if wire.send(Kind::Alive, &[]).is_err() {
                    return;
                }
                drop(wire);
                std::thread::sleep(every);
            }
        });
        std::thread::spawn(move || {
            let why = match (Hearing { reading, check, inbox, events: &events, process }).hear() {
                Ok(()) => return,
                Err(error) => in_words(&error, limit),
            };
            let _ = events.send(Event::Lost(process, why));
        });
        Ok(wire)
    }

    /// Sends a frame of at most [`FRAME`] bytes.
    pub fn send(&self, kind: Kind, bytes: &[u8]) -> Result<()> {
        let mut socket = self.socket.lock().unwrap_or_else(PoisonError::into_inner);
        if self.broken.load(Ordering::Relaxed) {
            return Err(ErrorKind::BrokenPipe.into());
        }
        let mut head = [kind as u8, 0, 0, 0, 0];
        head[1..].copy_from_slice(&(bytes.len() as u32).to_le_bytes());
        let sent = socket.write_all(&head).and_then(|()| socket.write_all(bytes));
        if let Err(error) = &sent {
            self.broken.store(true, Ordering::Relaxed);
            let why = format!("nothing can be sent to it: {error}");
            let _ = self.events.send(Event::Lost(self.process, why));
        }
        sent
    }

    /// Sends the reason why this process ends, if the other one receives it within the time limit.
    pub fn end(&self, why: &str) {
        let words = &why.as_bytes()[..why.len().min(LAST_WORDS)];
        let _ = self.control.set_write_timeout(Some(FAREWELL));
        let deadline = Instant::now() + FAREWELL;
        // timely may be waiting to send.
        while matches!(self.socket.try_lock(), Err(TryLockError::WouldBlock)) {
            if Instant::now() >= deadline {
                let _ = self.control.shutdown(Shutdown::Both);
                return;
            }
            std::thread::sleep(FAREWELL / 100);
        }
        let _ = self.send(Kind::Ended, words);
    }

    /// Sends that this process is done.
    pub fn close(&self) {
        let _ = self.send(Kind::Bye, &[]);
        let socket = self.socket.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = socket.shutdown(Shutdown::Write);
    }
}

fn in_words(error: &std::io::Error, limit: Duration) -> String {
    match error.kind() {
        ErrorKind::UnexpectedEof => "the connection was closed".to_string(),
        ErrorKind::WouldBlock | ErrorKind::TimedOut => {
            format!("nothing was heard from it for {} seconds", limit.as_secs_f64())
        }
        _ => error.to_string(),
    }
}

/// The receiving end of a connection.
struct Hearing<'a> {
    reading: TcpStream,
    check: Checked,
    /// timely's frames.
    inbox: SyncSender<Vec<u8>>,
    events: &'a Sender<Event>,
    process: usize,
}

impl Hearing<'_> {
    /// Reads frames until the last one.
    fn hear(mut self) -> Result<()> {
        let invalid = |why: &str| std::io::Error::new(ErrorKind::InvalidData, why.to_string());
        let mut complete = false;
        loop {
            let mut head = [0; 5];
            self.reading.read_exact(&mut head)?;
            let kind = KINDS.get(usize::from(head[0]));
            let kind = *kind.ok_or(invalid("it sends what no bsq process sends"))?;
            let length = head[1..].iter().rev().fold(0, |n, &byte| n << 8 | usize::from(byte));
            let most = match kind {
                Kind::Data if !complete => FRAME,
                Kind::Ended => LAST_WORDS,
                _ => 0,
            };
            if length > most {
                return Err(invalid("it sends more at once than it may"));
            }
            let mut bytes = vec![0; length];
            self.reading.read_exact(&mut bytes)?;
            match kind {
                Kind::Alive => {}
                Kind::Data => {
                    self.check.pass(&bytes)?;
                    // The frame is dropped if this process is about to end.
                    let _ = self.inbox.send(bytes);
                }
                Kind::Complete => {
                    complete = true;
                    let _ = self.inbox.send(Vec::new());
                }
                Kind::Delivered => self.tell(Event::Delivered),
                Kind::Ended => {
                    let why = String::from_utf8_lossy(&bytes).into_owned();
                    self.tell(Event::Ended(self.process, why));
                }
                Kind::Bye => {
                    self.tell(Event::Bye(self.process));
                    return Ok(());
                }
            }
        }
    }

    fn tell(&self, event: Event) {
        let _ = self.events.send(event);
    }
}
