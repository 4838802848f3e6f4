//! Measurements, as Prometheus reads them, and the log of requests.

use super::Server;
use super::clients::{Client, Peer};
use axum::extract::{MatchedPath, Request, State};
use axum::http::header::CONTENT_TYPE;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use parking_lot::Mutex;
use prometheus::core::Collector;
use prometheus::{
    HistogramOpts, HistogramVec, IntCounter, IntCounterVec, IntGauge, Opts, Registry, TEXT_FORMAT,
    TextEncoder,
};
use std::sync::Arc;
use std::time::Instant;

/// The upper bounds of the classes of durations, in seconds.
const SECONDS: [f64; 10] = [0.001, 0.0025, 0.01, 0.025, 0.1, 0.25, 1.0, 2.5, 10.0, 60.0];

/// The length of a URI in the log, in characters.
const LOGGED: usize = 200;

/// The measurements.
pub struct Metrics {
    registry: Registry,
    requests: IntCounterVec,
    seconds: HistogramVec,
    /// Open connections.
    pub connections: IntGauge,
    /// Connections over the limit of their address.
    pub refused_connections: IntCounter,
    engines: IntGauge,
    bytes: IntGauge,
    hits: IntCounter,
    misses: IntCounter,
    /// Held while the counters are brought up to date.
    collecting: Mutex<()>,
}

impl Metrics {
    /// Measurements that are all zero.
    pub fn new() -> prometheus::Result<Metrics> {
        let registry = Registry::new();
        let gauge = |name, help| added(&registry, IntGauge::new(name, help)?);
        let counter = |name, help| added(&registry, IntCounter::new(name, help)?);
        let seconds = HistogramOpts::new("bsq_request_seconds", "Time from request to answer");
        let seconds = seconds.buckets(SECONDS.to_vec());
        let requests = Opts::new("bsq_requests_total", "Requests answered");
        let refused = "Connections over the limit of their address";
        Ok(Metrics {
            requests: added(&registry, IntCounterVec::new(requests, &["route", "status"])?)?,
            seconds: added(&registry, HistogramVec::new(seconds, &["route"])?)?,
            connections: gauge("bsq_connections", "Open connections")?,
            refused_connections: counter("bsq_refused_connections_total", refused)?,
            engines: gauge("bsq_engines", "Engines in memory")?,
            bytes: gauge("bsq_engine_bytes", "Memory of the tables of engines")?,
            hits: counter("bsq_cached_answers_total", "Answers found in the cache")?,
            misses: counter("bsq_evaluated_answers_total", "Answers not found in the cache")?,
            collecting: Mutex::default(),
            registry,
        })
    }
}

fn added<T: Collector + Clone + 'static>(registry: &Registry, metric: T) -> prometheus::Result<T> {
    registry.register(Box::new(metric.clone()))?;
    Ok(metric)
}

/// Counts and logs a request.
pub async fn observe(State(server): State<Arc<Server>>, request: Request, next: Next) -> Response {
    let route = request.extensions().get::<MatchedPath>().cloned();
    let route = route.as_ref().map_or("other", MatchedPath::as_str);
    let peer = request.extensions().get::<Peer>().copied();
    let client = peer.map(|peer| server.clients.client(peer, request.headers()));
    let method = request.method().clone();
    let uri: String = request.uri().to_string().chars().take(LOGGED).collect();
    let began = Instant::now();
    let response = next.run(request).await;
    let (seconds, status) = (began.elapsed().as_secs_f64(), response.status().as_u16());
    let metrics = &server.metrics;
    metrics.requests.with_label_values(&[route, &status.to_string()]).inc();
    metrics.seconds.with_label_values(&[route]).observe(seconds);
    if let (Some(Peer(peer)), Some(Client(client))) = (peer, client) {
        tracing::info!(%peer, %client, %method, %uri, status, seconds, "request");
    }
    response
}

/// All measurements as text.
pub async fn text(State(server): State<Arc<Server>>) -> impl IntoResponse {
    let metrics = &server.metrics;
    let (engines, bytes) = server.answers.engines.size();
    let (hits, misses) = server.answers.hits_and_misses();
    metrics.engines.set(engines as i64);
    metrics.bytes.set(bytes.cast_signed());
    let _alone = metrics.collecting.lock();
    for (counter, value) in [(&metrics.hits, hits), (&metrics.misses, misses)] {
        counter.inc_by(value.saturating_sub(counter.get()));
    }
    let text = TextEncoder::new().encode_to_string(&metrics.registry.gather());
    ([(CONTENT_TYPE, TEXT_FORMAT)], text.unwrap_or_default())
}
