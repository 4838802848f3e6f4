//! The routes of the API.

use super::Server;
use super::clients::Client;
use super::evaluation::Subject;
use super::openapi;
use super::parameters::{Batch, LONGEST_LINE, Parameters};
use super::reply::Refusal;
use axum::body::{Body, to_bytes};
use axum::extract::{Path, RawQuery, State};
use axum::http::{StatusCode, Uri};
use axum::routing::{any, get};
use axum::{Extension, Json, Router};
use bsq_api::{Answer, Code, Error, Game, GameAnswer, Monitor, Request, RulesAnswer, Session};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// The most positions of a batch.
pub const MOST_POSITIONS: usize = 500;
/// The maximum length of a body in bytes.
pub const MOST_BODY: usize = 1 << 20;
/// The time limit for a body.
const BODY_TIME: Duration = Duration::from_secs(15);
/// The default number of moves of `/line`.
const LINE: u64 = 100;

type Reply<T> = Result<Json<T>, Refusal>;
type Shared = State<Arc<Server>>;

/// The paths below `/api`.
pub fn routes() -> Router<Arc<Server>> {
    Router::new()
        .route("/games", get(games))
        .route("/openapi.json", get(document))
        .route("/heuristics", any(async || moved("/api/games")))
        .route("/{game}", any(old_position))
        .route("/{game}/position", get(position).post(batch))
        .route("/{game}/line", get(line))
        .route("/{game}/move", get(choose))
        .route("/{game}/record", get(record).post(load))
}

/// The games of a server.
#[derive(Serialize, JsonSchema)]
pub struct Games {
    games: Vec<ServedGame>,
}

/// A game of a server.
#[derive(Serialize, JsonSchema)]
struct ServedGame {
    #[serde(flatten)]
    game: GameAnswer,
    /// The rules of the tablebases of this server.
    tablebases: Vec<RulesAnswer>,
}

async fn games(State(server): Shared, RawQuery(query): RawQuery) -> Reply<Games> {
    Parameters::parse(&query.unwrap_or_default(), &[], None)?;
    let engines = &server.answers.engines;
    let tablebases = |name: &str| {
        let own = engines.tablebases.iter().filter(|tablebase| tablebase.game == name);
        own.map(|tablebase| tablebase.rules.clone()).collect()
    };
    let games = engines.registry.describe().into_iter();
    let games = games.map(|game| ServedGame { tablebases: tablebases(game.name), game }).collect();
    Ok(Json(Games { games }))
}

async fn document(State(server): Shared, RawQuery(query): RawQuery) -> Reply<serde_json::Value> {
    Parameters::parse(&query.unwrap_or_default(), &[], None)?;
    Ok(Json(openapi::document(&server.answers.engines.registry)))
}

/// Names of parameters besides the rules.
pub const POSITION: [&str; 4] = ["position", "moves", "values", "line"];
/// Names of parameters of `/line`.
pub const VARIATION: [&str; 3] = ["position", "moves", "limit"];
/// Names of parameters of `/move`.
pub const AGENT: [&str; 4] = ["position", "moves", "agent", "seed"];
/// The agent that moves if none is named.
pub const DEFAULT_AGENT: &str = "perfect";
/// Names of parameters of `/record`.
pub const RECORD: [&str; 2] = ["position", "moves"];

impl Server {
    fn game(&self, name: &str) -> Result<&dyn Game, Refusal> {
        let registry = &self.answers.engines.registry;
        registry.get(name).ok_or_else(|| {
            let names: Vec<&str> = registry.games().map(|game| game.info().name).collect();
            let message = format!("unknown game '{name}'; there are {}", names.join(", "));
            Refusal::new(StatusCode::NOT_FOUND, Code::Invalid, message)
        })
    }

    /// An error without names of files of this machine.
    fn refusal(&self, error: Error) -> Refusal {
        Refusal::from(self.public(error))
    }

    fn public(&self, error: Error) -> Error {
        if error.code == Code::Failed {
            tracing::error!("{error}");
        }
        let message = self.answers.engines.without_paths(&error.message);
        // Options are given by the names of their parameters.
        let location = error.location.map(|location| location.replace(' ', "_"));
        Error { message, location, ..error }
    }
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

/// The answers of a batch, in the order of the questions.
#[derive(Serialize, JsonSchema)]
pub struct Answers {
    answers: Vec<OneAnswer>,
}

#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
enum OneAnswer {
    Found(Box<Answer>),
    Failed { error: Error },
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
    let batch: Batch = serde_json::from_slice(&read(body).await?)
        .map_err(|error| Error::of(Code::Invalid, format!("invalid JSON: {error}")))?;
    let count = batch.positions.len();
    if count > MOST_POSITIONS {
        let message = format!("{count} positions; a batch has at most {MOST_POSITIONS}");
        return Err(Error::invalid("positions", message).into());
    }
    // The request itself has been counted as one.
    server.clients.count(client.0, count.saturating_sub(1))?;
    let (deadline, request) = (server.answers.deadline(), batch.request()?);
    let mut answers = Vec::with_capacity(count);
    for subject in batch.subjects(game)? {
        let found = server.answers.answer(&subject, request, deadline).await;
        answers.push(match found {
            Ok(found) => OneAnswer::Found(Box::new(found)),
            Err(error) => OneAnswer::Failed { error: server.public(error) },
        });
    }
    Ok(Json(Answers { answers }))
}

/// A principal variation with its positions.
#[derive(Serialize, JsonSchema)]
pub struct Variation {
    /// The moves.
    moves: Vec<String>,
    /// The position before each move, and the one after the last, without values.
    answers: Vec<Answer>,
}

async fn line(
    State(server): Shared,
    Path(game): Path<String>,
    RawQuery(query): RawQuery,
) -> Reply<Variation> {
    let game = server.game(&game)?;
    let query = Parameters::parse(&query.unwrap_or_default(), &VARIATION, Some(game))?;
    let limit = query.number("limit", LONGEST_LINE as u64)?.unwrap_or(LINE) as usize;
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
    let mut session = server.answers.session(&subject).await?.2;
    let mut answers = vec![bare(session.as_ref())?];
    for mv in &moves {
        session.play(mv)?;
        answers.push(bare(session.as_ref())?);
    }
    Ok(Variation { moves, answers })
}

/// The answer without values.
fn bare(session: &dyn Session) -> Result<Answer, Error> {
    session.answer(Request::default(), &Monitor::default())
}

/// The move of an agent.
#[derive(Serialize, JsonSchema)]
pub struct Chosen {
    /// The move, as text that can be played.
    r#move: String,
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
    Ok(Json(Chosen { r#move: chosen.map_err(|error| server.refusal(error))? }))
}

/// A game as text.
#[derive(Serialize, JsonSchema)]
pub struct Record {
    /// The record, which POST takes.
    record: String,
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

/// The content of a record.
#[derive(Serialize, JsonSchema)]
pub struct Loaded {
    /// The rules that are set, by the names of their parameters.
    rules: BTreeMap<String, String>,
    /// The first position.
    position: String,
    /// The moves.
    moves: Vec<String>,
    /// The number of moves before the current position.
    at: usize,
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
    let mut session = loaded.map_err(|error| server.refusal(error))?;
    let (moves, at) = (session.moves(), session.at());
    session.go_to(0);
    let Answer { rules, position, .. } = bare(session.as_ref())?;
    let rules = rules.into_iter().filter_map(|(name, value)| Some((name, value?))).collect();
    Ok(Json(Loaded { rules, position, moves, at }))
}

/// Reads a body within the limits of length and time.
async fn read(body: Body) -> Result<axum::body::Bytes, Refusal> {
    let bytes = tokio::time::timeout(BODY_TIME, to_bytes(body, MOST_BODY)).await;
    let late = |_| {
        let message = format!("the body did not arrive within {} s", BODY_TIME.as_secs());
        Refusal::new(StatusCode::REQUEST_TIMEOUT, Code::Refused, message)
    };
    bytes.map_err(late)?.map_err(|error| {
        let message = format!("cannot read a body of at most {MOST_BODY} bytes: {error}");
        Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, Code::Refused, message)
    })
}

/// The error of a path of earlier versions.
fn moved(now: &str) -> Refusal {
    Refusal::new(StatusCode::GONE, Code::Invalid, format!("this path has moved to {now}"))
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
    Refusal::new(StatusCode::NOT_FOUND, Code::Invalid, message)
}

/// Refuses an unsupported method.
pub async fn no_such_method() -> Refusal {
    let message = "this method is not supported here; see /api/openapi.json";
    Refusal::new(StatusCode::METHOD_NOT_ALLOWED, Code::Invalid, message)
}
