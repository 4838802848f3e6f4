//! The routes of the API.

use super::Server;
use super::clients::Client;
use super::openapi;
use super::reply::Refusal;
use axum::body::{Body, to_bytes};
use axum::extract::{MatchedPath, Path, RawQuery, State};
use axum::http::{Method, StatusCode, Uri};
use axum::routing::get;
use axum::{Extension, Json, Router};
use bsq_api::requests::{
    self, AnalysesAnswer, Answers, Games, Loaded, Parameters, Query, QueryError, Reply, Subject,
};
use bsq_api::{Error, Kind, Request};
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// The maximum length of a body in bytes.
pub const MOST_BODY: usize = 1 << 20;
/// The time limit for a body.
const BODY_TIME: Duration = Duration::from_secs(15);

/// The paths below `/api`.
pub fn routes() -> Router<Arc<Server>> {
    let router = Router::new().route("/openapi.json", get(document));
    requests::routes().iter().fold(router, |router, route| {
        let methods = if route.post.is_some() { get(reply).post(reply) } else { get(reply) };
        router.route(&format!("/{}", route.path), methods)
    })
}

async fn document(
    State(server): State<Arc<Server>>,
    RawQuery(query): RawQuery,
) -> Result<Json<serde_json::Value>, Refusal> {
    Parameters::parse(&query.unwrap_or_default(), &[], None)?;
    Ok(Json(openapi::document(&server.answers.engines.registry)))
}

/// Parses and answers a request.
async fn reply(
    State(server): State<Arc<Server>>,
    Extension(client): Extension<Client>,
    route: MatchedPath,
    uri: Uri,
    Path(names): Path<Vec<(String, String)>>,
    method: Method,
    body: Body,
) -> Result<Json<Reply>, Refusal> {
    if names.iter().any(|(_, name)| name.contains('/')) {
        return Err(no_such_path(uri).await);
    }
    let path = route.as_str().strip_prefix("/api/").unwrap_or_default();
    let path = names
        .iter()
        .fold(path.to_string(), |path, (key, name)| path.replace(&format!("{{{key}}}"), name));
    let body = if method == Method::POST { Some(read(body).await?) } else { None };
    let registry = &server.answers.engines.registry;
    let query = uri.query().unwrap_or_default();
    let query = Query::parse(registry, &path, query, body.as_deref());
    let query = query.map_err(|error| match error {
        QueryError::NoSuchPath(error) => server.refusal(error).not_found(),
        QueryError::Invalid(error) => server.refusal(error),
    })?;
    server.answer(query, client.0).await.map(Json)
}

impl Server {
    async fn answer(&self, query: Query<'_>, client: IpAddr) -> Result<Reply, Refusal> {
        let (answers, deadline) = (&self.answers, self.answers.deadline());
        let engines = &answers.engines;
        let found = match query {
            Query::Games => {
                let tablebases = |name: &str| {
                    let own = engines.tablebases.iter();
                    let own = own.filter(|tablebase| tablebase.game == name);
                    own.map(|tablebase| tablebase.rules.clone()).collect()
                };
                Ok(Reply::Games(Games::of(&engines.registry, tablebases)))
            }
            Query::Analyses(game) => Ok(Reply::Analyses(AnalysesAnswer::of(game))),
            Query::Analysis(request) => answers.analyze(request, deadline).await.map(Reply::Tables),
            Query::Position(subject, ask) => answers.reply(&subject, ask, deadline).await,
            Query::Positions(subjects, request) => {
                // The request itself has been counted as one.
                self.clients.count(client, subjects.len().saturating_sub(1))?;
                Ok(Reply::Answers(self.answer_each(subjects, request, deadline).await))
            }
            Query::Load(game, record) => {
                game.load(&record, &engines.resources()).and_then(Loaded::of).map(Reply::Loaded)
            }
        };
        found.map_err(|error| self.refusal(error))
    }

    /// Answers positions one after another until the deadline.
    async fn answer_each(
        &self,
        subjects: Vec<Result<Subject<'_>, Error>>,
        request: Request,
        deadline: Instant,
    ) -> Answers {
        let mut answers = Vec::with_capacity(subjects.len());
        for subject in subjects {
            let found = match subject {
                Ok(subject) => self.answers.answer(&subject, request, deadline).await,
                Err(error) => Err(error),
            };
            answers.push(found.map_err(|error| self.public(error)).into());
        }
        Answers { answers }
    }

    fn refusal(&self, error: Error) -> Refusal {
        Refusal::from(self.public(error))
    }

    /// The error without names of files of this machine.
    fn public(&self, error: Error) -> Error {
        if error.kind == Kind::Failed {
            tracing::error!("{error}");
        }
        let message = self.answers.engines.without_paths(&error.message);
        Error { message, ..error }.of_parameter()
    }
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
