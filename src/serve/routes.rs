//! The routes of the API.

use super::Server;
use super::clients::Client;
use super::openapi;
use super::reply::{Encoded, Refusal};
use super::transit::{InTransit, Keeping, Made};
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{MatchedPath, Path, RawQuery, Request, State};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderValue, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Extension, Router};
use bsq_api::requests::{
    self, AnalysesAnswer, Form, Games, Loaded, Parameters, Query, QueryError, Subject,
};
use bsq_api::{Error, Kind};
use http_body_util::LengthLimitError;
use hyper::body::Body as _;
use std::error::Error as _;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;

/// The maximum length of a body in bytes.
pub const MOST_BODY: usize = 1 << 20;
/// The length of a body that counts as a request, in bytes.
const BODY_OF_A_REQUEST: usize = 16 << 10;
/// The memory of a body and of what is parsed from it, as a multiple of its length.
const BODY_COPIES: usize = 3;
/// The memory of the answers of a batch that are being made and sent, in bytes.
const MADE_AT_A_TIME: usize = 256 << 10;
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
    Extension(client): Extension<Client>,
    RawQuery(query): RawQuery,
) -> Result<Response, Refusal> {
    Parameters::parse(&query.unwrap_or_default(), &[], None)?;
    let registry = &server.answers.engines.registry;
    let document = || Encoded::of(&openapi::document(registry));
    server.send(client, server.document.get_or_init(document).clone())
}

/// Parses and answers a request.
async fn reply(
    State(server): State<Arc<Server>>,
    Extension(client): Extension<Client>,
    route: MatchedPath,
    uri: Uri,
    Path(names): Path<Vec<(String, String)>>,
    request: Request,
) -> Result<Response, Refusal> {
    if names.iter().any(|(_, name)| name.contains('/')) {
        return Err(no_such_path(uri).await);
    }
    let path = route.as_str().strip_prefix("/api/").unwrap_or_default();
    let path = names
        .iter()
        .fold(path.to_string(), |path, (key, name)| path.replace(&format!("{{{key}}}"), name));
    let query = uri.query().unwrap_or_default().to_string();
    if request.method() != Method::POST {
        let query = Query::parse(&server.answers.engines.registry, &path, &query, None);
        return server.answer(query.map_err(|error| server.invalid(error))?, client, None).await;
    }
    let (kept, body) = server.read(client, request).await?;
    let parse = {
        let server = Arc::clone(&server);
        move || Query::parse(&server.answers.engines.registry, &path, &query, Some(&body))
    };
    let parsed = server.answers.aside(server.answers.call(client.0), parse).await;
    let query = parsed.map_err(|error| server.refusal(error))?;
    server.answer(query.map_err(|error| server.invalid(error))?, client, Some(kept)).await
}

impl Server {
    /// Answers a request. `kept` is the memory of its body, if it has one.
    async fn answer(
        self: &Arc<Server>,
        query: Query,
        client: Client,
        kept: Option<InTransit>,
    ) -> Result<Response, Refusal> {
        let answers = &self.answers;
        let (engines, call) = (&answers.engines, answers.call(client.0));
        let found = match query {
            Query::Games => {
                let tablebases = |name: &str| {
                    let own = engines.tablebases.iter();
                    let own = own.filter(|tablebase| tablebase.game == name);
                    own.map(|tablebase| tablebase.rules.clone()).collect()
                };
                let games = || Encoded::of(&Games::of(&engines.registry, tablebases));
                self.games.get_or_init(games).clone()
            }
            Query::Analyses(game) => Encoded::of(&AnalysesAnswer::of(game.as_ref())),
            Query::Analysis(request) => answers.analyze(request, call).await,
            Query::Position(subject, ask) => answers.reply(&subject, ask, call).await,
            Query::Load(game, record) => {
                let resources = engines.resources();
                let load =
                    move || Encoded::of(&game.load(&record, &[], &resources).and_then(Loaded::of)?);
                answers.aside(call, load).await.flatten()
            }
            Query::Positions(subjects, request, form) => {
                return self.answer_each(kept, client, subjects, request, form);
            }
        };
        drop(kept);
        self.send(client, found)
    }

    /// Sends an answer, while its memory is in transit.
    fn send(&self, client: Client, found: Result<Encoded, Error>) -> Result<Response, Refusal> {
        let found = found.map_err(|error| self.refusal(error))?;
        let kept = self.transit.take(client.0, found.length())?;
        Ok(found.response(kept))
    }

    /// Answers positions one after another until the deadline, as the client reads the answers.
    fn answer_each(
        self: &Arc<Server>,
        kept: Option<InTransit>,
        client: Client,
        subjects: Vec<Result<Subject, Error>>,
        request: bsq_api::Request,
        form: Form,
    ) -> Result<Response, Refusal> {
        // The request itself has been counted as one.
        self.clients.count(client, subjects.len().saturating_sub(1))?;
        let (sender, made) = mpsc::channel(1);
        let (server, call) = (Arc::clone(self), self.answers.call(client.0));
        tokio::spawn(async move {
            let answers = async {
                let [begin, end] = form.frame();
                let mut before = begin;
                for (number, subject) in (1..).zip(subjects) {
                    let found = match subject {
                        Ok(subject) => server.answers.answer(&subject, request, call).await,
                        Err(error) => Err(error),
                    };
                    let part = form.part(number, found.map_err(|error| server.public(error)));
                    let part = part.expect("an answer is JSON");
                    sender.send([before.as_bytes(), &part].concat().into()).await.ok()?;
                    before = ",";
                }
                let end = if before == begin { [begin, end].concat() } else { end.to_string() };
                sender.send(end.into()).await.ok()
            };
            // If the client has gone, the search in progress ends.
            tokio::select! {
                _ = answers => {}
                () = sender.closed() => {}
            }
        });
        let json = [(CONTENT_TYPE, HeaderValue::from_static("application/json"))];
        Ok((json, Body::new(Keeping::new(Made(made), kept))).into_response())
    }

    /// Reads a body within the limits of length and time, and takes memory for it and for what is
    /// made of it. A body counts as its length.
    async fn read(&self, client: Client, request: Request) -> Result<(InTransit, Bytes), Refusal> {
        let length = request.body().size_hint().upper();
        let length = length.map_or(MOST_BODY, |length| length.min(MOST_BODY as u64) as usize);
        let kept = self.transit.take(client.0, length * BODY_COPIES + MADE_AT_A_TIME)?;
        let read = to_bytes(request.into_body(), MOST_BODY);
        let read = tokio::time::timeout(BODY_TIME, read).await.map_err(|_| {
            let message = format!("the body did not arrive within {} s", BODY_TIME.as_secs());
            Refusal::new(StatusCode::REQUEST_TIMEOUT, Kind::Refused, message)
        })?;
        let body = read.map_err(|error| {
            let is_long = error.source().is_some_and(|cause| cause.is::<LengthLimitError>());
            if is_long {
                let message = format!("the body is longer than {MOST_BODY} bytes");
                Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, Kind::Refused, message)
            } else {
                Refusal::from(Error::of(Kind::Usage, format!("cannot read the body: {error}")))
            }
        })?;
        self.clients.count(client, body.len() / BODY_OF_A_REQUEST)?;
        Ok((kept, body))
    }

    fn invalid(&self, error: QueryError) -> Refusal {
        match error {
            QueryError::NoSuchPath(error) => self.refusal(error).not_found(),
            QueryError::Invalid(error) => self.refusal(error),
        }
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
