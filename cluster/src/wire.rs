//! Connections between processes: a thread that reads frames, and one that sends heartbeats.
//!
//! Nothing waits for another process longer than the time limit: a frame has to arrive as a whole
//! within it after the frame before, and has to be taken as a whole within it. Heartbeats are sent
//! at regular intervals.

use super::check::Checked;
use super::deadline::Within;
use super::event::Event;
use super::frame::{Conversation, FRAME, Frame, Kind, REASON};
use parking_lot::{Mutex, MutexGuard};
use std::io::{ErrorKind, Result, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Sender, SyncSender};
use std::time::{Duration, Instant};

/// The maximum number of frames that timely has not yet read.
pub const WAITING: usize = 32;
/// The interval between attempts to send while something else is being sent.
const PAUSE: Duration = Duration::from_millis(10);

/// The sending end of a connection.
pub struct Wire {
    /// The number of the other process.
    pub process: usize,
    socket: Mutex<TcpStream>,
    /// The same connection, for use while another thread is sending.
    control: TcpStream,
    /// The time limit of a frame.
    limit: Duration,
    /// Set after an error, when frames can no longer be told apart.
    broken: AtomicBool,
    /// Set when all bytes of timely are sent.
    complete: AtomicBool,
    /// Set before the result is reported as delivered.
    delivered: Arc<AtomicBool>,
    /// Bytes sent for timely.
    pub bytes: AtomicU64,
    events: Sender<Event>,
}

impl Wire {
    /// Starts to use the connection of process `own` to another process. Received frames go to
    /// `inbox` or become events.
    pub fn open(
        (process, own): (usize, usize),
        socket: TcpStream,
        limit: Duration,
        check: Checked,
        inbox: SyncSender<Vec<u8>>,
        events: Sender<Event>,
    ) -> Result<Arc<Wire>> {
        let (reading, control) = (socket.try_clone()?, socket.try_clone()?);
        let delivered = Arc::new(AtomicBool::new(false));
        let conversation = Conversation::new((process, own), check, delivered.clone());
        let wire = Arc::new(Wire {
            process,
            control,
            socket: Mutex::new(socket),
            limit,
            broken: AtomicBool::new(false),
            complete: AtomicBool::new(false),
            delivered,
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
        let hearing = Hearing { reading, limit, conversation, inbox, events, process };
        std::thread::spawn(move || hearing.hear());
        Ok(wire)
    }

    /// Sends a frame of at most [`FRAME`] bytes.
    pub fn send(&self, kind: Kind, bytes: &[u8]) -> Result<()> {
        let socket = self.socket.lock();
        self.write(&socket, Instant::now() + self.limit, kind, bytes)
    }

    fn write(&self, socket: &TcpStream, deadline: Instant, kind: Kind, bytes: &[u8]) -> Result<()> {
        debug_assert!(bytes.len() <= FRAME);
        if self.broken.load(Ordering::Relaxed) {
            return Err(ErrorKind::BrokenPipe.into());
        }
        let mut to = Within::until(socket, deadline);
        let sent = to.write_all(&kind.head(bytes.len())).and_then(|()| to.write_all(bytes));
        if let Err(error) = &sent {
            self.broken.store(true, Ordering::Relaxed);
            let why = format!("nothing can be sent to it: {}", in_words(error, self.limit));
            let _ = self.events.send(Event::Unreachable(self.process, why));
        } else if kind == Kind::Complete {
            self.complete.store(true, Ordering::Relaxed);
        }
        sent
    }

    /// Waits for the threads that are sending, and returns the connection, which timely no longer
    /// needs if `complete`. `None` after the deadline: then the connection is closed.
    fn take(&self, complete: bool, deadline: Instant) -> Option<MutexGuard<'_, TcpStream>> {
        loop {
            if !complete || self.complete.load(Ordering::Relaxed) {
                let socket = self.socket.try_lock();
                if socket.is_some() {
                    return socket;
                }
            }
            if Instant::now() >= deadline || self.broken.load(Ordering::Relaxed) {
                let _ = self.control.shutdown(Shutdown::Both);
                return None;
            }
            std::thread::sleep(PAUSE);
        }
    }

    /// Sends the reason why this process ends, if the other one receives it before the deadline.
    pub fn end(&self, why: &str, deadline: Instant) {
        if let Some(socket) = self.take(false, deadline) {
            let words = &why.as_bytes()[..why.len().min(REASON)];
            let _ = self.write(&socket, deadline, Kind::Ended, words);
        }
    }

    /// Sends that the result is delivered, if the other process receives it before the deadline.
    pub fn deliver(&self, deadline: Instant) {
        if let Some(socket) = self.take(true, deadline) {
            self.delivered.store(true, Ordering::SeqCst);
            let _ = self.write(&socket, deadline, Kind::Delivered, &[]);
        }
    }

    /// Sends that this process is done, if the other one receives it before the deadline.
    pub fn close(&self, deadline: Instant) {
        if let Some(socket) = self.take(true, deadline) {
            let _ = self.write(&socket, deadline, Kind::Bye, &[]);
            // No heartbeat follows.
            self.broken.store(true, Ordering::Relaxed);
            let _ = socket.shutdown(Shutdown::Write);
        }
    }
}

fn in_words(error: &std::io::Error, limit: Duration) -> String {
    match error.kind() {
        ErrorKind::UnexpectedEof => "the connection was closed".to_string(),
        ErrorKind::WouldBlock | ErrorKind::TimedOut => {
            format!("it takes longer than {} seconds", limit.as_secs_f64())
        }
        _ => error.to_string(),
    }
}

/// The receiving end of a connection.
struct Hearing {
    reading: TcpStream,
    /// The time limit of a frame.
    limit: Duration,
    conversation: Conversation,
    /// timely's frames.
    inbox: SyncSender<Vec<u8>>,
    events: Sender<Event>,
    process: usize,
}

impl Hearing {
    /// Reads frames until the last one.
    fn hear(mut self) {
        let process = self.process;
        loop {
            let frame = self.conversation.next(Within::new(&self.reading, self.limit));
            let (event, is_last) = match frame {
                Ok(Frame::Data(bytes)) => {
                    // The frame is dropped if this process is about to end.
                    let _ = self.inbox.send(bytes);
                    continue;
                }
                Ok(Frame::Alive) => continue,
                Ok(Frame::Complete) => {
                    let _ = self.inbox.send(Vec::new());
                    (Event::Complete(process), false)
                }
                Ok(Frame::Delivered) => (Event::Delivered, false),
                Ok(Frame::Ended(why)) => (Event::Ended(process, why), true),
                Ok(Frame::Bye) => (Event::Bye(process), true),
                Err(error) if error.kind() == ErrorKind::InvalidData => {
                    (Event::Violation(process, error.to_string()), true)
                }
                Err(error) => {
                    let why = match error.kind() {
                        ErrorKind::WouldBlock | ErrorKind::TimedOut => format!(
                            "nothing whole was heard from it for {} seconds",
                            self.limit.as_secs_f64()
                        ),
                        _ => in_words(&error, self.limit),
                    };
                    (Event::Lost(process, why), true)
                }
            };
            let _ = self.events.send(event);
            if is_last {
                return;
            }
        }
    }
}
