//! Refusals: a status and a message, as JSON.

use super::answers::Unanswered;
use axum::Json;
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, RETRY_AFTER};
use axum::response::{IntoResponse, Response};
use serde_json::json;

/// A status with a message that names the error, its place and valid values.
#[derive(Debug)]
pub struct Refusal(pub StatusCode, pub String);

impl Refusal {
    /// An invalid request.
    pub fn bad(why: impl ToString) -> Refusal {
        Refusal(StatusCode::BAD_REQUEST, why.to_string())
    }

    /// A valid request beyond this server's limits.
    pub fn beyond(why: impl ToString) -> Refusal {
        Refusal(StatusCode::UNPROCESSABLE_ENTITY, why.to_string())
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let Refusal(status, why) = self;
        let body = (status, [(CACHE_CONTROL, "no-store")], Json(json!({ "error": why })));
        match status {
            StatusCode::SERVICE_UNAVAILABLE => ([(RETRY_AFTER, "1")], body).into_response(),
            _ => body.into_response(),
        }
    }
}

impl From<Unanswered> for Refusal {
    fn from(why: Unanswered) -> Refusal {
        let status = match &why {
            Unanswered::TooLong(_) => StatusCode::SERVICE_UNAVAILABLE,
            Unanswered::Unsearchable(_) | Unanswered::TooManyStates(_) => {
                StatusCode::UNPROCESSABLE_ENTITY
            }
            Unanswered::Failed(_) => StatusCode::INTERNAL_SERVER_ERROR,
        };
        Refusal(status, why.to_string())
    }
}
