//! The routes of the API.

use super::Server;
use super::clients::Client;
use super::openapi;
use super::reply::Refusal;
use axum::body::{Body, to_bytes};
use axum::extract::{Path, RawQuery, State};
use axum::http::{StatusCode, Uri};
use axum::routing::{any, get};
use axum::{Extension, Json, Router};
use bsq_api::requests::{
    AGENT, AnalysesAnswer, AnalysisRequest, Answers, Batch, Chosen, DEFAULT_AGENT, DEFAULT_LINE,
    Games, LONGEST_LINE, Loaded, POSITION, PUZZLE, Parameters, RECORD, Record, Subject,
    TablesAnswer, VARIATION, Variation,
};
use bsq_api::{Answer, Error, Game, Kind, Puzzle, Request};
use std::sync::Arc;
use std::time::Duration;

/// The maximum length of a body in bytes.
pub const MOST_BODY: usize = 1 << 20;
/// The time limit for a body.
const BODY_TIME: Duration = Duration::from_secs(15);

type Reply<T> = Result<Json<T>, Refusal>;
type Shared = State<Arc<Server>>;

/// The paths below `/api`.
pub fn routes() -> Router<Arc<Server>> {
    Router::new()
        .route("/games", get(games))
        .route("/openapi.json", get(document))
        .route("/heuristics", any(async || moved("/api/games")))
        .route("/{game}", any(old_position))
        .route("/{game}/analyses", get(analyses))
        .route("/{game}/analyses/{name}", get(analysis))
        .route("/{game}/position", get(position).post(batch))
        .route("/{game}/line", get(line))
        .route("/{game}/move", get(choose))
        .route("/{game}/puzzle", get(puzzle))
        .route("/{game}/record", get(record).post(load))
}

async fn games(State(server): Shared, RawQuery(query): RawQuery) -> Reply<Games> {
    Parameters::parse(&query.unwrap_or_default(), &[], None)?;
    let engines = &server.answers.engines;
    let tablebases = |name: &str| {
        let own = engines.tablebases.iter().filter(|tablebase| tablebase.game == name);
        own.map(|tablebase| tablebase.rules.clone()).collect()
    };
    Ok(Json(Games::of(&engines.registry, tablebases)))
}

async fn document(State(server): Shared, RawQuery(query): RawQuery) -> Reply<serde_json::Value> {
    Parameters::parse(&query.unwrap_or_default(), &[], None)?;
    Ok(Json(openapi::document(&server.answers.engines.registry)))
}

impl Server {
    fn game(&self, name: &str) -> Result<&dyn Game, Refusal> {
        let found = self.answers.engines.registry.find(name);
        found.map_err(|error| Refusal::new(StatusCode::NOT_FOUND, error.kind, error))
    }

    /// An error without names of files of this machine.
    fn refusal(&self, error: Error) -> Refusal {
        Refusal::from(self.public(error))
    }

    fn public(&self, error: Error) -> Error {
        if error.kind == Kind::Failed {
            tracing::error!("{error}");
        }
        let message = self.answers.engines.without_paths(&error.message);
        Error { message, ..error }.of_parameter()
    }
}

async fn analyses(
    State(server): Shared,
    Path(game): Path<String>,
    RawQuery(query): RawQuery,
) -> Reply<AnalysesAnswer> {
    let game = server.game(&game)?;
    Parameters::parse(&query.unwrap_or_default(), &[], None)?;
    Ok(Json(AnalysesAnswer::of(game)))
}

async fn analysis(
    State(server): Shared,
    Path((game, name)): Path<(String, String)>,
    RawQuery(query): RawQuery,
) -> Reply<TablesAnswer> {
    let game = server.game(&game)?;
    let request = AnalysisRequest::parse(game, &name, &query.unwrap_or_default());
    let request = request.map_err(|error| match error.location.as_deref() {
        Some("analysis") => server.refusal(error).not_found(),
        _ => server.refusal(error),
    })?;
    let found = server.answers.analyze(request, server.answers.deadline()).await;
    Ok(Json(found.map_err(|error| server.refusal(error))?))
}

async fn position(
    State(server): Shared,
    Path(game): Path<String>,
    RawQuery(query): RawQuery,
) -> Reply<Answer> {
    let game = server.game(&game)?;
    let query = Parameters::parse(&query.unwrap_or_default(), &POSITION, Some(game))?;
    let (subject, request) = (query.subject(game), query.request()?);
    let found = server.answers.answer(&subject, request, server.answers.deadline()).await;
    Ok(Json(found.map_err(|error| server.refusal(error))?))
}

async fn batch(
    State(server): Shared,
    Extension(client): Extension<Client>,
    Path(game): Path<String>,
    RawQuery(query): RawQuery,
    body: Body,
) -> Reply<Answers> {
    let game = server.game(&game)?;
    Parameters::parse(&query.unwrap_or_default(), &[], None)?;
    let batch = Batch::parse(&read(body).await?)?;
    let (request, subjects) = (batch.request()?, batch.subjects(game)?);
    // The request itself has been counted as one.
    server.clients.count(client.0, batch.positions.len().saturating_sub(1))?;
    let deadline = server.answers.deadline();
    let mut answers = Vec::with_capacity(batch.positions.len());
    for subject in subjects {
        let found = match subject {
            Ok(subject) => server.answers.answer(&subject, request, deadline).await,
            Err(error) => Err(error),
        };
        answers.push(found.map_err(|error| server.public(error)).into());
    }
    Ok(Json(Answers { answers }))
}

async fn line(
    State(server): Shared,
    Path(game): Path<String>,
    RawQuery(query): RawQuery,
) -> Reply<Variation> {
    let game = server.game(&game)?;
    let query = Parameters::parse(&query.unwrap_or_default(), &VARIATION, Some(game))?;
    let limit = query.number("limit", LONGEST_LINE as u64)?.unwrap_or(DEFAULT_LINE as u64) as usize;
    let found = variation(&server, query.subject(game), limit).await;
    Ok(Json(found.map_err(|error| server.refusal(error))?))
}

async fn variation(
    server: &Server,
    subject: Subject<'_>,
    limit: usize,
) -> Result<Variation, Error> {
    let request = Request { detail: None, line: limit };
    let found = server.answers.answer(&subject, request, server.answers.deadline()).await?;
    let moves = found.principal_variation.unwrap_or_default();
    Variation::of(server.answers.session(&subject).await?.2, moves)
}

async fn choose(
    State(server): Shared,
    Path(game): Path<String>,
    RawQuery(query): RawQuery,
) -> Reply<Chosen> {
    let game = server.game(&game)?;
    let query = Parameters::parse(&query.unwrap_or_default(), &AGENT, Some(game))?;
    let agent = query.text("agent").unwrap_or(DEFAULT_AGENT).to_string();
    let seed = query.number("seed", u64::MAX)?.unwrap_or(0);
    let (subject, deadline) = (query.subject(game), server.answers.deadline());
    let chosen = server.answers.choose(&subject, agent, seed, deadline).await;
    Ok(Json(chosen.map_err(|error| server.refusal(error))?))
}

async fn puzzle(
    State(server): Shared,
    Path(game): Path<String>,
    RawQuery(query): RawQuery,
) -> Reply<Puzzle> {
    let game = server.game(&game)?;
    let query = Parameters::parse(&query.unwrap_or_default(), &PUZZLE, Some(game))?;
    let (subject, wanted) = (query.subject(game), query.puzzle()?);
    let found = server.answers.puzzle(&subject, wanted, server.answers.deadline()).await;
    Ok(Json(found.map_err(|error| server.refusal(error))?))
}

async fn record(
    State(server): Shared,
    Path(game): Path<String>,
    RawQuery(query): RawQuery,
) -> Reply<Record> {
    let game = server.game(&game)?;
    let query = Parameters::parse(&query.unwrap_or_default(), &RECORD, Some(game))?;
    let session = server.answers.session(&query.subject(game)).await;
    let (.., session) = session.map_err(|error| server.refusal(error))?;
    Ok(Json(Record { record: session.record() }))
}

async fn load(
    State(server): Shared,
    Path(game): Path<String>,
    RawQuery(query): RawQuery,
    body: Body,
) -> Reply<Loaded> {
    let game = server.game(&game)?;
    Parameters::parse(&query.unwrap_or_default(), &[], None)?;
    let text = String::from_utf8_lossy(&read(body).await?).into_owned();
    let loaded = game.load(&text, &server.answers.engines.resources());
    let session = loaded.map_err(|error| server.refusal(error))?;
    Ok(Json(Loaded::of(session)?))
}

/// Reads a body within the limits of length and time.
async fn read(body: Body) -> Result<axum::body::Bytes, Refusal> {
    let bytes = tokio::time::timeout(BODY_TIME, to_bytes(body, MOST_BODY)).await;
    let late = |_| {
        let message = format!("the body did not arrive within {} s", BODY_TIME.as_secs());
        Refusal::new(StatusCode::REQUEST_TIMEOUT, Kind::Refused, message)
    };
    bytes.map_err(late)?.map_err(|error| {
        let message = format!("cannot read a body of at most {MOST_BODY} bytes: {error}");
        Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, Kind::Refused, message)
    })
}

/// The error of a path of earlier versions.
fn moved(now: &str) -> Refusal {
    Refusal::new(StatusCode::GONE, Kind::Usage, format!("this path has moved to {now}"))
}

async fn old_position(State(server): Shared, Path(game): Path<String>) -> Refusal {
    match server.game(&game) {
        Ok(_) => moved(&format!("/api/{game}/position")),
        Err(unknown) => unknown,
    }
}

/// Refuses an unknown path.
pub async fn no_such_path(uri: Uri) -> Refusal {
    let message = format!("there is no {}; see /api/openapi.json", uri.path());
    Refusal::new(StatusCode::NOT_FOUND, Kind::Usage, message)
}

/// Refuses an unsupported method.
pub async fn no_such_method() -> Refusal {
    let message = "this method is not supported here; see /api/openapi.json";
    Refusal::new(StatusCode::METHOD_NOT_ALLOWED, Kind::Usage, message)
}
