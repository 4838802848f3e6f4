//! `bsq serve`: an HTTP API for all games, and the page that uses it.

mod clients;
mod connections;
mod counts;
mod engines;
mod evaluation;
mod fair;
mod lane;
mod metrics;
mod openapi;
mod page;
mod reply;
mod routes;
mod slow_readers;
mod transit;

use crate::cli::serve::Serve;
use crate::run::Run;
use anyhow::Result;
use axum::Router;
use axum::http::header::{CONTENT_SECURITY_POLICY, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS};
use axum::http::{HeaderName, HeaderValue};
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::get;
use bsq_api::{Error, Registry, command};
use clients::Clients;
use engines::{ANSWERS, Engines};
use evaluation::AnswerCache;
use metrics::Metrics;
use reply::Encoded;
use std::io::{ErrorKind, Write};
use std::net::SocketAddr;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tokio::net::{TcpListener, TcpSocket};
use tower_http::CompressionLevel;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::set_header::SetResponseHeaderLayer;
use transit::Transit;

/// The state that requests share.
struct Server {
    answers: AnswerCache,
    clients: Arc<Clients>,
    metrics: Metrics,
    transit: Arc<Transit>,
    /// The games, which do not change.
    games: OnceLock<Result<Encoded, Error>>,
    /// The description of the API, which does not change.
    document: OnceLock<Result<Encoded, Error>>,
}

/// Serves until Ctrl-C.
pub fn run(registry: &Registry, args: Serve) -> Result<()> {
    let run = Run::begin(&args.work)?;
    let time = Duration::from_secs(args.time_limit.into());
    let budget = args.memory.as_u64();
    let engines = Engines::new(registry.clone(), args.tablebase, budget)?;
    let is_local = args.address.to_canonical().is_loopback();
    let clients = Clients::new(args.rate, args.connections.into(), args.trusted_proxy, is_local);
    let server = Arc::new(Server {
        answers: AnswerCache::new(engines, budget / ANSWERS / 2, time),
        clients: Arc::new(clients),
        metrics: Metrics::new()?,
        transit: Transit::new(budget / ANSWERS / 2),
        games: OnceLock::new(),
        document: OnceLock::new(),
    });
    page::prepare();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_io().enable_time().build()?;
    let address = SocketAddr::new(args.address, args.port);
    let served = runtime.block_on(serve(address, server, &run));
    // Running searches are not waited for.
    runtime.shutdown_background();
    served?;
    run.end();
    Ok(())
}

async fn serve(address: SocketAddr, server: Arc<Server>, run: &Run) -> Result<()> {
    let listener = listen(address).map_err(|error| {
        let advice = match error.kind() {
            ErrorKind::AddrNotAvailable => "give an --address of this machine",
            _ => "give another --port, or 0 for one that is free",
        };
        anyhow::Error::new(error).context(format!("cannot listen on {address}; {advice}"))
    })?;
    let address = listener.local_addr()?;
    writeln!(std::io::stdout(), "{} is at http://{address}", command::program().name)?;
    if !address.ip().to_canonical().is_loopback() {
        run.note("Every client that reaches this address over the network is answered.");
    }
    run.note("Stop with Ctrl-C.");
    connections::serve(listener, routes(&server), &server.clients, &server.metrics, stopped(run))
        .await;
    Ok(())
}

/// Listens, with limits for many connections at once.
fn listen(address: SocketAddr) -> std::io::Result<TcpListener> {
    /// Connections that wait to be accepted. A client beyond them tries again after a second.
    const QUEUE: u32 = 1024;
    /// The number of bytes that the system holds for a connection until the client reads them. By
    /// default, these are megabytes, which take memory, and time in which others wait.
    const UNREAD_BYTES: u32 = 256 << 10;
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    // As in `TcpListener::bind`; on Windows, this option would allow two servers on a port.
    if cfg!(unix) {
        socket.set_reuseaddr(true)?;
    }
    // Accepted connections inherit it.
    socket.set_send_buffer_size(UNREAD_BYTES)?;
    socket.bind(address)?;
    socket.listen(QUEUE)
}

/// Waits for Ctrl-C.
async fn stopped(run: &Run) {
    while !run.is_stopped() {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// All routes.
fn routes(server: &Arc<Server>) -> Router {
    let always = |name: HeaderName, value: &'static str| {
        SetResponseHeaderLayer::if_not_present(name, HeaderValue::from_static(value))
    };
    let security =
        "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'";
    // A layer runs after those that follow it.
    Router::new()
        .nest("/api", routes::routes())
        .route("/metrics", get(metrics::text))
        .fallback(page::file)
        .method_not_allowed_fallback(routes::no_such_method)
        .with_state(Arc::clone(server))
        .layer(from_fn_with_state(Arc::clone(server), clients::check))
        .layer(CatchPanicLayer::custom(reply::panicked))
        .layer(from_fn(reply::leave_out_known))
        .layer(CompressionLayer::new().quality(CompressionLevel::Fastest))
        .layer(from_fn_with_state(Arc::clone(server), metrics::observe))
        .layer(always(CONTENT_SECURITY_POLICY, security))
        .layer(always(X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .layer(always(REFERRER_POLICY, "same-origin"))
}
