//! A connection with a deadline for all bytes together.
//!
//! The timeouts of a socket apply to each call, so a peer that sends or takes a byte now and then
//! would never exceed them.

use std::io::{ErrorKind, Read, Result, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// A connection on which nothing is read or written after a point in time.
pub struct Within<'a> {
    socket: &'a TcpStream,
    deadline: Instant,
}

impl Within<'_> {
    /// Allows the given time from now on.
    pub fn new(socket: &TcpStream, limit: Duration) -> Within<'_> {
        Within { socket, deadline: Instant::now() + limit }
    }

    /// Allows the time until a deadline.
    pub fn until(socket: &TcpStream, deadline: Instant) -> Within<'_> {
        Within { socket, deadline }
    }

    fn left(&self) -> Result<Duration> {
        match self.deadline.saturating_duration_since(Instant::now()) {
            Duration::ZERO => Err(ErrorKind::TimedOut.into()),
            left => Ok(left),
        }
    }
}

impl Read for Within<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> Result<usize> {
        self.socket.set_read_timeout(Some(self.left()?))?;
        self.socket.read(bytes)
    }
}

impl Write for Within<'_> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        self.socket.set_write_timeout(Some(self.left()?))?;
        self.socket.write(bytes)
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}
