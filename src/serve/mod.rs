//! `bsq serve`: an HTTP API and pages that use it.

mod answers;
mod api;
mod connections;
mod dots;
mod games;
mod gate;
mod lane;
mod page;
mod query;
mod refusal;
mod rpsw;

use crate::cli::args::Serve;
use crate::run::Run;
use answers::{Answers, Limits};
use anyhow::{Context, Result};
use axum::Router;
use axum::http::header::{CONTENT_SECURITY_POLICY, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS};
use axum::http::{HeaderName, HeaderValue};
use axum::middleware::from_fn_with_state;
use dots::Dots;
use gate::Askers;
use rpsw::Rpsw;
use std::io::Write;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::set_header::SetResponseHeaderLayer;

/// The state of each game.
struct Games {
    british_square: Arc<Answers>,
    rpsw: Arc<Rpsw>,
    dots: Arc<Dots>,
}

/// Serves until Ctrl-C.
pub fn run(args: Serve) -> Result<()> {
    let run = Run::begin(&args.work)?;
    let limits = Limits {
        time: Duration::from_secs(args.time_limit.into()),
        cells: args.max_cells,
        table_bytes: args.table_size.as_u64(),
    };
    let rpsw = Rpsw::open(args.db.as_deref(), limits.time)?;
    let dots = Dots::open(args.dots.as_deref(), limits.time, limits.table_bytes)?;
    let british_square = Arc::new(Answers::new(limits));
    let games = Games { british_square, rpsw: Arc::new(rpsw), dots: Arc::new(dots) };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_io().enable_time().build()?;
    let address = SocketAddr::new(args.address, args.port);
    let served = runtime.block_on(serve(address, games, &run));
    // Running searches are not waited for.
    runtime.shutdown_background();
    served?;
    run.end();
    Ok(())
}

async fn serve(address: SocketAddr, games: Games, run: &Run) -> Result<()> {
    let listener = TcpListener::bind(address).await;
    let listener = listener.with_context(|| {
        format!("cannot listen on {address}; give another --port, or 0 for one that is free")
    })?;
    let address = listener.local_addr()?;
    let askers = match address.ip().to_canonical().is_loopback() {
        true => Askers::ThisMachine,
        false => Askers::Everyone,
    };
    writeln!(std::io::stdout(), "bsq is at http://{address}")?;
    if askers == Askers::Everyone {
        run.note("Everyone who reaches this address over the network can ask.");
    }
    run.note("Ctrl-C ends it.");
    connections::serve(listener, routes(games, askers), stopped(run)).await;
    Ok(())
}

/// Waits for Ctrl-C.
async fn stopped(run: &Run) {
    while !run.is_stopped() {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// All routes.
fn routes(games: Games, askers: Askers) -> Router {
    let always = |name: HeaderName, value: &'static str| {
        SetResponseHeaderLayer::if_not_present(name, HeaderValue::from_static(value))
    };
    let security =
        "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'";
    let api = api::routes(games.british_square)
        .merge(rpsw::routes(games.rpsw))
        .merge(dots::routes(games.dots));
    Router::new()
        .nest("/api", api)
        .merge(page::routes())
        .fallback(api::no_such_path)
        .method_not_allowed_fallback(api::no_such_method)
        .layer(from_fn_with_state(askers, gate::check))
        .layer(CatchPanicLayer::custom(refusal::panicked))
        .layer(always(CONTENT_SECURITY_POLICY, security))
        .layer(always(X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .layer(always(REFERRER_POLICY, "same-origin"))
}
