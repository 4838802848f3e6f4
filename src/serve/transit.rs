//! The memory of what is being received and sent.

use super::counts::Counts;
use super::reply::Refusal;
use axum::body::Bytes;
use bsq_api::{Error, Kind};
use hyper::body::{Body, Frame, SizeHint};
use parking_lot::Mutex;
use std::convert::Infallible;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use tokio::sync::mpsc::Receiver;

/// One client may take one part in so many of all memory in transit.
const SHARE: u64 = 4;
/// The least memory of a client, in bytes: the longest body with what is made of it.
const LEAST_BYTES: u64 = 4 << 20;
/// The most bytes that are compressed and sent before other connections have their turn.
const PIECE: usize = 16 << 10;

/// The memory that bodies and answers take while clients send or read them.
pub struct Transit {
    /// The most bytes of a client.
    most: u64,
    held: Mutex<Held>,
}

#[derive(Default)]
struct Held {
    free: u64,
    by_client: Counts,
}

/// Memory in transit, which is free again when this is dropped.
pub struct InTransit {
    transit: Arc<Transit>,
    client: IpAddr,
    bytes: u64,
}

impl Transit {
    /// Memory of the given size, of which one client takes only a part.
    pub fn new(bytes: u64) -> Arc<Transit> {
        let free = bytes.max(SHARE * LEAST_BYTES);
        let held = Mutex::new(Held { free, ..Held::default() });
        Arc::new(Transit { most: free / SHARE, held })
    }

    /// Takes memory, or refuses a request if it is used up, by this client or by all together.
    pub fn take(self: &Arc<Transit>, client: IpAddr, bytes: usize) -> Result<InTransit, Refusal> {
        let bytes = bytes as u64;
        let mut held = self.held.lock();
        let own = held.by_client.of(client);
        // A single answer that is larger than the share is sent if there is memory.
        let is_within = own == 0 || own + bytes <= self.most;
        if !is_within || bytes > held.free {
            let message = "too many requests and answers are being transferred; ask again later";
            return Err(Error::of(Kind::Stopped, message).into());
        }
        held.free -= bytes;
        held.by_client.add(client, bytes);
        drop(held);
        Ok(InTransit { transit: Arc::clone(self), client, bytes })
    }
}

impl Drop for InTransit {
    fn drop(&mut self) {
        let mut held = self.transit.held.lock();
        held.free += self.bytes;
        held.by_client.subtract(self.client, self.bytes);
    }
}

/// A body that keeps something until it has been sent.
pub struct Keeping<B, T> {
    body: B,
    _kept: T,
}

impl<B, T> Keeping<B, T> {
    /// The body, with what it keeps.
    pub fn new(body: B, kept: T) -> Keeping<B, T> {
        Keeping { body, _kept: kept }
    }
}

impl<B: Body + Unpin, T: Unpin> Body for Keeping<B, T> {
    type Data = B::Data;
    type Error = B::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context,
    ) -> Poll<Option<Result<Frame<B::Data>, B::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// A body that is sent in pieces, between which other connections have their turn.
pub struct Pieces {
    rest: Bytes,
    has_yielded: bool,
}

impl Pieces {
    /// All the bytes.
    pub fn of(bytes: Bytes) -> Pieces {
        Pieces { rest: bytes, has_yielded: true }
    }
}

impl Body for Pieces {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        if self.rest.is_empty() {
            return Poll::Ready(None);
        }
        if !self.has_yielded {
            self.has_yielded = true;
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        self.has_yielded = false;
        let length = self.rest.len().min(PIECE);
        Poll::Ready(Some(Ok(Frame::data(self.rest.split_to(length)))))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.rest.len() as u64)
    }
}

/// A body that another task makes while it is read.
pub struct Made(pub Receiver<Bytes>);

impl Body for Made {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        self.0.poll_recv(context).map(|piece| piece.map(|piece| Ok(Frame::data(piece))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::to_bytes;

    #[test]
    fn one_client_leaves_memory_to_the_others() {
        let transit = Transit::new(1 << 30);
        let [greedy, other]: [IpAddr; 2] = [[127, 0, 0, 1].into(), [127, 0, 0, 2].into()];
        let taken: Vec<_> = (0..).map_while(|_| transit.take(greedy, 1 << 20).ok()).collect();
        assert_eq!(taken.len(), 256);
        let more = transit.take(other, 200 << 20).unwrap();
        assert!(transit.take(other, 100 << 20).is_err());
        drop(more);
        assert!(transit.take(other, 700 << 20).is_ok(), "one large answer");
        assert!(transit.take(other, 800 << 20).is_err(), "more than there is");
        drop(taken);
        assert!(transit.take(other, 800 << 20).is_ok());
        assert_eq!(transit.held.lock().free, 1 << 30);
        assert!(transit.held.lock().by_client.is_empty());
    }

    #[tokio::test]
    async fn pieces_are_the_whole() {
        let whole: Vec<u8> = (0..100_000_u32).map(|number| number as u8).collect();
        let pieces = Pieces::of(whole.clone().into());
        assert_eq!(pieces.size_hint().exact(), Some(100_000));
        let read = to_bytes(axum::body::Body::new(pieces), usize::MAX).await.unwrap();
        assert_eq!(read, whole);
    }
}
