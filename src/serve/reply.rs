//! Answers and errors as HTTP responses.

use super::transit::{Keeping, Pieces};
use axum::Json;
use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE, ETAG, IF_NONE_MATCH, RETRY_AFTER, VARY,
};
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

/// An answer as JSON, with its entity tag. It is made where the answer is found.
#[derive(Clone)]
pub struct Encoded {
    json: Bytes,
    tag: HeaderValue,
}

impl Encoded {
    /// Encodes an answer.
    pub fn of(answer: &impl Serialize) -> Result<Encoded, Error> {
        let json = serde_json::to_vec(answer).map_err(|error| Error::of(Kind::Failed, error))?;
        Ok(Encoded { tag: tag_of(&Sha256::digest(&json)), json: json.into() })
    }

    /// The length of the text in bytes.
    pub fn length(&self) -> usize {
        self.json.len()
    }

    /// The response, which keeps a value until it is sent.
    pub fn response(self, kept: impl Send + Unpin + 'static) -> Response {
        let body = Body::new(Keeping::new(Pieces::of(self.json), kept));
        let json = HeaderValue::from_static("application/json");
        ([(CONTENT_TYPE, json), (ETAG, self.tag)], body).into_response()
    }
}

/// The entity tag of content with the given SHA-256. It is weak, because the body may be compressed.
pub fn tag_of(sha256: &[u8]) -> HeaderValue {
    let digits: String = sha256[..12].iter().map(|byte| format!("{byte:02x}")).collect();
    HeaderValue::from_str(&format!("W/\"{digits}\"")).expect("hexadecimal digits")
}

/// Leaves the body of an answer out if the client has the same, by its entity tag.
pub async fn leave_out_known(request: Request, next: Next) -> Response {
    let is_read = [Method::GET, Method::HEAD].contains(request.method());
    let known = request.headers().get(IF_NONE_MATCH).cloned();
    let mut response = next.run(request).await;
    let Some(tag) = response.headers().get(ETAG).filter(|_| is_read) else { return response };
    let opaque = tag.to_str().unwrap_or_default().trim_start_matches("W/").to_string();
    response.headers_mut().entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-cache"));
    let is_known = known.as_ref().and_then(|known| known.to_str().ok());
    if is_known.is_some_and(|known| known.contains(&opaque) || known.trim() == "*") {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        response.headers_mut().remove(CONTENT_LENGTH);
        response.headers_mut().insert(VARY, HeaderValue::from_static("accept-encoding"));
        *response.body_mut() = Body::empty();
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::to_bytes;

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
