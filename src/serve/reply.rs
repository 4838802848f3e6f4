//! Answers and errors as HTTP responses.

use axum::Json;
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::header::{CACHE_CONTROL, ETAG, IF_NONE_MATCH, RETRY_AFTER};
use axum::http::{HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use bsq_api::{Error, Kind};
use schemars::JsonSchema;
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::any::Any;

/// The maximum length of a message. Those about long texts of clients are cut.
const MOST_MESSAGE: usize = 600;

/// An error as it is answered.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Refusal {
    /// What was wrong, where, and what would be valid.
    pub error: Error,
    #[serde(skip)]
    status: StatusCode,
    /// Seconds after which the request may succeed.
    #[serde(skip)]
    retry: Option<u64>,
}

impl Refusal {
    /// An error with a status of its own.
    pub fn new(status: StatusCode, code: Kind, message: impl ToString) -> Refusal {
        Refusal { status, ..Refusal::from(Error::of(code, message)) }
    }

    /// The same error with the status of a path that does not exist.
    pub fn not_found(self) -> Refusal {
        Refusal { status: StatusCode::NOT_FOUND, ..self }
    }

    /// The error of a client over its limit, which may try again after some seconds.
    pub fn later(message: impl ToString, seconds: u64) -> Refusal {
        let refusal = Refusal::new(StatusCode::TOO_MANY_REQUESTS, Kind::Refused, message);
        Refusal { retry: Some(seconds), ..refusal }
    }
}

impl From<Error> for Refusal {
    fn from(mut error: Error) -> Refusal {
        let (status, retry) = match error.kind {
            Kind::Usage => (StatusCode::BAD_REQUEST, None),
            Kind::Refused => (StatusCode::UNPROCESSABLE_ENTITY, None),
            Kind::Stopped => (StatusCode::SERVICE_UNAVAILABLE, Some(1)),
            Kind::Failed => (StatusCode::INTERNAL_SERVER_ERROR, None),
        };
        if let Some((end, _)) = error.message.char_indices().nth(MOST_MESSAGE) {
            error.message.truncate(end);
            error.message.push_str("...");
        }
        Refusal { error, status, retry }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let no_store = [(CACHE_CONTROL, HeaderValue::from_static("no-store"))];
        let mut response = (self.status, no_store, Json(&self)).into_response();
        if let Some(seconds) = self.retry {
            response.headers_mut().insert(RETRY_AFTER, seconds.into());
        }
        response
    }
}

/// The answer after a panic, whose message is printed to standard error.
pub fn panicked(_: Box<dyn Any + Send>) -> Response {
    Refusal::from(Error::of(Kind::Failed, "a bug in the server; please report the request"))
        .into_response()
}

/// Adds an entity tag to answers, and leaves the body out if the client has the same.
pub async fn tag(request: Request, next: Next) -> Response {
    let is_read = [Method::GET, Method::HEAD].contains(request.method());
    let known = request.headers().get(IF_NONE_MATCH).cloned();
    let (mut head, body) = next.run(request).await.into_parts();
    // Bodies are in memory. That of HEAD is empty.
    let bytes = match to_bytes(body, usize::MAX).await {
        Ok(bytes) => bytes,
        Err(error) => return Refusal::from(Error::of(Kind::Failed, error)).into_response(),
    };
    if !is_read || head.status != StatusCode::OK || bytes.is_empty() {
        return Response::from_parts(head, Body::from(bytes));
    }
    // A weak tag, because the body may be compressed.
    let digest = Sha256::digest(&bytes);
    let digits: String = digest[..12].iter().map(|byte| format!("{byte:02x}")).collect();
    let tag = format!("W/\"{digits}\"");
    let is_known = known.as_ref().and_then(|known| known.to_str().ok());
    let is_known = is_known.is_some_and(|known| known.contains(&tag[2..]) || known.trim() == "*");
    head.headers.insert(ETAG, HeaderValue::from_str(&tag).expect("hexadecimal digits"));
    head.headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-cache"));
    if is_known {
        head.status = StatusCode::NOT_MODIFIED;
        head.headers.remove(axum::http::header::CONTENT_LENGTH);
        return Response::from_parts(head, Body::empty());
    }
    Response::from_parts(head, Body::from(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_panic_is_answered_in_json() {
        let response = panicked(Box::new("out of range"));
        assert_eq!(response.status(), StatusCode::INTERNAL_SERVER_ERROR);
        let body = to_bytes(response.into_body(), 1000).await.unwrap();
        let body: serde_json::Value = serde_json::from_slice(&body).unwrap();
        assert_eq!(body["error"]["code"], "failed");
        assert!(body["error"]["message"].as_str().unwrap().contains("please report"));
    }
}
