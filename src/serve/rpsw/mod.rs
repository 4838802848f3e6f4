//! Rock-paper-scissors-well over HTTP, from a tablebase.

mod answer;
mod question;

use super::api::parse;
use super::lane::Lane;
use super::refusal::Refusal;
use answer::Unanswered;
use anyhow::{Context, Result};
use axum::extract::{RawQuery, State};
use axum::http::header::CACHE_CONTROL;
use axum::http::{HeaderName, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use bsq_games::rpsw::Evaluator;
use bsq_games::rpsw::tablebase::Tablebase;
use question::Question;
use serde_json::Value;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Clients revalidate answers: the server may be restarted with another tablebase.
const ASK_AGAIN: (HeaderName, &str) = (CACHE_CONTROL, "no-cache");
/// The number of answers that are computed at a time; some wait for the disk.
const LOOK_UPS: usize = 8;
/// The error if the server has no tablebase.
const MISSING: &str = "this server has no database of positions of rock-paper-scissors-well; \
    'bsq rpsw solve --out rpsw.db' makes one, 'bsq serve --db rpsw.db' answers from it";

/// The tablebase, if there is one, and the time limit of an answer.
pub struct Rpsw {
    database: Option<Arc<Tablebase>>,
    time: Duration,
    looks: Arc<Lane>,
}

impl Rpsw {
    /// Opens the tablebase. Fails if it is damaged or missing.
    pub fn open(path: Option<&Path>, time: Duration) -> Result<Rpsw> {
        let open = |path: &Path| {
            let opened = Tablebase::open(path);
            opened.with_context(|| format!("cannot play from the database {}", path.display()))
        };
        let database = path.map(open).transpose()?.map(Arc::new);
        Ok(Rpsw { database, time, looks: Lane::new(LOOK_UPS, 1) })
    }

    fn database(&self) -> Result<&Arc<Tablebase>, Refusal> {
        let missing = || Refusal(StatusCode::NOT_FOUND, MISSING.to_string());
        self.database.as_ref().ok_or_else(missing)
    }

    /// Answers a question within the time limit.
    async fn answer(&self, question: Question) -> Result<Value, Refusal> {
        let database = Arc::clone(self.database()?);
        let found = tokio::time::timeout(self.time, self.look_up(database, question)).await;
        match found {
            Ok(Ok(answer)) => Ok(answer),
            Ok(Err(why)) => Err(Refusal(StatusCode::INTERNAL_SERVER_ERROR, why.to_string())),
            Err(_) => Err(too_long(self.time)),
        }
    }

    /// Computes an answer on another thread, and cancels it if this future is dropped.
    async fn look_up(
        &self,
        database: Arc<Tablebase>,
        question: Question,
    ) -> Result<Value, Unanswered> {
        let answer = self.looks.search(move |monitor| {
            answer::json(Evaluator::Tablebase(&database), &question, monitor)
        });
        answer.await.unwrap_or_else(|error| Err(Unanswered(error.to_string())))
    }
}

/// The paths below `/api`.
pub fn routes(rpsw: Arc<Rpsw>) -> Router {
    Router::new().route("/rpsw", get(position)).with_state(rpsw)
}

async fn position(
    State(rpsw): State<Arc<Rpsw>>,
    RawQuery(query): RawQuery,
) -> Result<Response, Refusal> {
    let query = parse(query, &question::NAMES)?;
    let question = Question::read(&query, rpsw.database()?.rules())?;
    Ok(([ASK_AGAIN], Json(rpsw.answer(question).await?)).into_response())
}

fn too_long(limit: Duration) -> Refusal {
    let seconds = limit.as_secs();
    let why = format!(
        "the answer was not found within {seconds} s, waiting included; ask again later, or with line=0"
    );
    Refusal(StatusCode::SERVICE_UNAVAILABLE, why)
}
