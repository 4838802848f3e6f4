//! A stream that fails if its other end does not read what is written.

use std::io::{Error, ErrorKind, Result};
use std::pin::{Pin, pin};
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep, sleep};

/// The time in which the other end must read [`PIECE`] bytes, or everything that is left.
const PATIENCE: Duration = Duration::from_secs(15);
/// The number of bytes that must be read within [`PATIENCE`].
const PIECE: usize = 128 << 10;

/// A stream with a deadline for writing.
pub struct Progressing {
    stream: TcpStream,
    deadline: Pin<Box<Sleep>>,
    /// The number of bytes written since the deadline was set. `None` if no deadline applies.
    written: Option<usize>,
}

impl Progressing {
    /// A stream to which nothing has been written.
    pub fn new(stream: TcpStream) -> Progressing {
        Progressing { stream, deadline: Box::pin(sleep(PATIENCE)), written: None }
    }
}

impl AsyncRead for Progressing {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context,
        buffer: &mut ReadBuf,
    ) -> Poll<Result<()>> {
        pin!(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Progressing {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context,
        bytes: &[u8],
    ) -> Poll<Result<usize>> {
        match pin!(&mut self.stream).poll_write(context, bytes) {
            Poll::Ready(Ok(count)) => {
                self.written =
                    self.written.map(|written| written + count).filter(|&written| written < PIECE);
                Poll::Ready(Ok(count))
            }
            Poll::Ready(error) => Poll::Ready(error),
            Poll::Pending => {
                if self.written.is_none() {
                    self.written = Some(0);
                    self.deadline.as_mut().reset(Instant::now() + PATIENCE);
                }
                ready!(self.deadline.as_mut().poll(context));
                Poll::Ready(Err(Error::new(ErrorKind::TimedOut, "the client does not read")))
            }
        }
    }

    /// Called when everything has been written.
    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context) -> Poll<Result<()>> {
        self.written = None;
        pin!(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context) -> Poll<Result<()>> {
        pin!(&mut self.stream).poll_shutdown(context)
    }
}
