//! Connections: their number, their deadlines, and graceful shutdown.

use super::clients::{Clients, Peer};
use super::metrics::Metrics;
use super::slow_readers::Progressing;
use axum::Router;
use axum::extract::Request;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use std::net::IpAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The maximum number of connections; more wait to be accepted.
const MOST_CONNECTIONS: usize = 512;
/// The maximum length of the head of a request, parameters included.
const MOST_HEAD_BYTES: usize = 16 << 10;
/// The time limit for the head of the next request.
const PATIENCE: Duration = Duration::from_secs(15);
/// The time limit for pending answers at the end.
const GRACE: Duration = Duration::from_millis(500);
/// The pause after a failed accept, for example for lack of file descriptors.
const BREAK: Duration = Duration::from_millis(100);
/// The time limit for the answer to a connection over the limit of its address.
const FAREWELL: Duration = Duration::from_secs(1);
/// The interval at which clients that are gone are forgotten.
const FORGET: Duration = Duration::from_secs(60);

/// Serves until `stop` completes.
pub async fn serve(
    listener: TcpListener,
    routes: Router,
    clients: &Arc<Clients>,
    metrics: &Metrics,
    stop: impl Future<Output = ()>,
) {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(PATIENCE).max_buf_size(MOST_HEAD_BYTES);
    let places = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    let open = GracefulShutdown::new();
    let mut forget = tokio::time::interval(FORGET);
    let mut stop = pin!(stop);
    loop {
        let (stream, peer, place) = tokio::select! {
            next = next(&listener, &places) => next,
            _ = forget.tick() => {
                clients.forget();
                continue;
            }
            () = &mut stop => break,
        };
        let Some(connected) = clients.connect(peer) else {
            metrics.refused_connections.inc();
            tokio::spawn(refuse(stream));
            continue;
        };
        // An answer fits in a small packet.
        let _ = stream.set_nodelay(true);
        let routes = TowerToHyperService::new(routes.clone());
        let service = service_fn(move |request| {
            let mut request: Request<_> = request;
            request.extensions_mut().insert(Peer(peer));
            routes.call(request)
        });
        let stream = TokioIo::new(Progressing::new(stream));
        let connection = open.watch(http.serve_connection(stream, service));
        let gauge = metrics.connections.clone();
        tokio::spawn(async move {
            gauge.inc();
            // A client that has disconnected needs no answer.
            let _ = connection.await;
            gauge.dec();
            drop((connected, place));
        });
    }
    let _ = tokio::time::timeout(GRACE, open.shutdown()).await;
}

async fn next(
    listener: &TcpListener,
    places: &Arc<Semaphore>,
) -> (TcpStream, IpAddr, OwnedSemaphorePermit) {
    let place = Arc::clone(places).acquire_owned().await.expect("the semaphore stays open");
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => return (stream, peer.ip(), place),
            Err(_) => tokio::time::sleep(BREAK).await,
        }
    }
}

/// Tells a client over its limit why the connection is closed.
async fn refuse(mut stream: TcpStream) {
    const ANSWER: &[u8] = b"HTTP/1.1 429 Too Many Requests\r\nRetry-After: 1\r\n\
        Content-Length: 0\r\nConnection: close\r\n\r\n";
    // The client need not read it.
    let _ = tokio::time::timeout(FAREWELL, stream.write_all(ANSWER)).await;
}
