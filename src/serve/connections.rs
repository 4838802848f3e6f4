//! Connections: their number, their timeouts, and graceful shutdown.

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The maximum number of connections; more wait to be accepted.
const MOST_CONNECTIONS: usize = 512;
/// The maximum length of the head of a request, parameters included.
const MOST_HEAD_BYTES: usize = 16 << 10;
/// The time limit for the head of the next request.
const PATIENCE: Duration = Duration::from_secs(30);
/// The time limit for pending answers at the end.
const GRACE: Duration = Duration::from_millis(500);
/// The pause after a failed accept, for example for lack of file descriptors.
const BREAK: Duration = Duration::from_millis(100);

/// Serves until `stop` completes.
pub async fn serve(listener: TcpListener, routes: Router, stop: impl Future<Output = ()>) {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(PATIENCE).max_buf_size(MOST_HEAD_BYTES);
    let places = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    let open = GracefulShutdown::new();
    let mut stop = pin!(stop);
    loop {
        let (stream, place) = tokio::select! {
            next = next(&listener, &places) => next,
            () = &mut stop => break,
        };
        // An answer fits in a small packet.
        let _ = stream.set_nodelay(true);
        let service = TowerToHyperService::new(routes.clone());
        let connection = open.watch(http.serve_connection(TokioIo::new(stream), service));
        tokio::spawn(async move {
            // A client that has disconnected needs no answer.
            let _ = connection.await;
            drop(place);
        });
    }
    let _ = tokio::time::timeout(GRACE, open.shutdown()).await;
}

async fn next(
    listener: &TcpListener,
    places: &Arc<Semaphore>,
) -> (TcpStream, OwnedSemaphorePermit) {
    let place = Arc::clone(places).acquire_owned().await.expect("the semaphore stays open");
    loop {
        match listener.accept().await {
            Ok((stream, _)) => return (stream, place),
            Err(_) => tokio::time::sleep(BREAK).await,
        }
    }
}
