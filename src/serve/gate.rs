//! Checks of every request: the host and the length of the body.

use super::refusal::Refusal;
use axum::body::HttpBody;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::header::HOST;
use axum::http::uri::Authority;
use axum::middleware::Next;
use axum::response::Response;
use std::net::IpAddr;

/// The maximum length of a body, which no request needs.
const MOST_BODY_BYTES: u64 = 1024;

/// The accepted clients.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Askers {
    /// Local clients only. Host names are refused, because a foreign page could use a name that
    /// resolves to this machine (DNS rebinding).
    ThisMachine,
    /// All clients, under any host name.
    Everyone,
}

/// Passes a request on or refuses it.
pub async fn check(
    State(askers): State<Askers>,
    request: Request,
    next: Next,
) -> Result<Response, Refusal> {
    if askers == Askers::ThisMachine && !is_for_this_machine(&request) {
        let why =
            "this server answers under its IP address and as localhost, not under other names";
        return Err(Refusal(StatusCode::FORBIDDEN, why.to_string()));
    }
    if request.body().size_hint().upper().is_none_or(|bytes| bytes > MOST_BODY_BYTES) {
        let why = format!(
            "no request needs a body; one of more than {MOST_BODY_BYTES} bytes, or of a length not told, is not read"
        );
        return Err(Refusal(StatusCode::PAYLOAD_TOO_LARGE, why));
    }
    Ok(next.run(request).await)
}

fn is_for_this_machine(request: &Request) -> bool {
    let written = request.uri().authority().into_iter().cloned();
    let hosts = request.headers().get_all(HOST);
    let mut named = hosts.iter().map(|host| Authority::try_from(host.as_bytes()).ok());
    // Old clients send none; browsers always do.
    written.map(Some).chain(&mut named).all(|host| host.is_some_and(|host| is_local(host.host())))
}

fn is_local(host: &str) -> bool {
    let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    host.eq_ignore_ascii_case("localhost") || bare.parse::<IpAddr>().is_ok()
}
