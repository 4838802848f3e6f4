//! Requests, parsed once into what they ask.

use super::Subject;
use super::analyses::AnalysisRequest;
use super::batch::Batch;
use super::parameters::Parameters;
use super::replies::{Chosen, Record, Reply, Variation};
use super::routes::{Body, Target, routes};
use crate::{Answer, Error, Game, Kind, Monitor, Registry, Request, Session, Wanted, Workload};

/// Why a request is not valid.
#[derive(Debug, thiserror::Error)]
pub enum QueryError {
    /// There is no such path, game or analysis.
    #[error(transparent)]
    NoSuchPath(Error),
    /// A parameter or the body is invalid.
    #[error(transparent)]
    Invalid(#[from] Error),
}

impl From<QueryError> for Error {
    fn from(error: QueryError) -> Error {
        let (QueryError::NoSuchPath(error) | QueryError::Invalid(error)) = error;
        error
    }
}

/// A valid request. Front ends differ in how they find the values that it needs.
pub enum Query<'a> {
    /// The games.
    Games,
    /// The analyses of a game.
    Analyses(&'a dyn Game),
    /// The tables of an analysis.
    Analysis(AnalysisRequest),
    /// Something about a position.
    Position(Subject<'a>, Ask),
    /// Answers about many positions, or the errors of those that cannot be set up.
    Positions(Vec<Result<Subject<'a>, Error>>, Request),
    /// The content of a record.
    Load(&'a dyn Game, String),
}

/// What is asked about a position.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Ask {
    /// The answer.
    Answer(Request),
    /// The principal variation with its positions.
    Line {
        /// The most moves.
        limit: usize,
    },
    /// The move of an agent.
    Move {
        /// The agent.
        agent: String,
        /// The random seed.
        seed: u64,
    },
    /// A puzzle after random moves.
    Puzzle(Wanted),
    /// The record of the game.
    Record,
}

impl<'a> Query<'a> {
    /// Parses a request by its path, such as `mnk/position`, its query, such as `moves=b2`, and its
    /// body if it has one.
    ///
    /// # Errors
    ///
    /// If there is no such path, or if a parameter or the body is invalid.
    pub fn parse(
        registry: &'a Registry,
        path: &str,
        query: &str,
        body: Option<&[u8]>,
    ) -> Result<Query<'a>, QueryError> {
        let parts: Vec<&str> = path.split('/').collect();
        let is_at = |pattern: &str| {
            let pattern = pattern.split('/');
            pattern.clone().count() == parts.len()
                && pattern.zip(&parts).all(|(one, part)| one == *part || one.starts_with('{'))
        };
        let route = routes().iter().find(|route| is_at(route.path));
        let route = route.ok_or_else(|| no_such_path(path))?;
        let game = match route.target {
            Target::Registry => None,
            _ => Some(registry.find(parts[0]).map_err(QueryError::NoSuchPath)?),
        };
        match (&route.target, game, body) {
            (_, Some(game), Some(bytes)) => {
                let post = route.post.as_ref().ok_or_else(|| no_such_path(path))?;
                Parameters::parse(query, &[], None)?;
                match post.body {
                    Body::Batch => {
                        let batch = Batch::parse(bytes)?;
                        let request = batch.request()?;
                        Ok(Query::Positions(batch.subjects(game)?, request))
                    }
                    Body::Record => {
                        Ok(Query::Load(game, String::from_utf8_lossy(bytes).into_owned()))
                    }
                }
            }
            (Target::Registry, ..) | (_, None, _) => {
                Parameters::parse(query, &route.options, None)?;
                Ok(Query::Games)
            }
            (Target::Game, Some(game), None) => {
                Parameters::parse(query, &route.options, None)?;
                Ok(Query::Analyses(game))
            }
            (Target::Analysis, Some(game), None) => {
                let name = parts.last().copied().unwrap_or_default();
                Ok(Query::Analysis(AnalysisRequest::parse(game, name, query)?))
            }
            (Target::Position(ask), Some(game), None) => {
                let given = Parameters::parse(query, &route.options, Some(game))?;
                Ok(Query::Position(given.subject(game), ask(&given)?))
            }
        }
    }
}

fn no_such_path(path: &str) -> QueryError {
    QueryError::NoSuchPath(Error::of(Kind::Usage, format!("there is no {path}")))
}

impl Ask {
    /// How many positions the reply needs values of.
    pub fn workload(&self) -> Workload {
        match self {
            Ask::Puzzle(_) => Workload::Many,
            Ask::Answer(_) | Ask::Line { .. } | Ask::Move { .. } | Ask::Record => Workload::One,
        }
    }

    /// The request whose answer the reply consists of or is made from, if there is one.
    pub fn request(&self) -> Option<Request> {
        match *self {
            Ask::Answer(request) => Some(request),
            Ask::Line { limit } => Some(Request { detail: None, line: limit }),
            Ask::Move { .. } | Ask::Puzzle(_) | Ask::Record => None,
        }
    }

    /// Whether values are needed to answer in the current position of a session.
    ///
    /// # Errors
    ///
    /// If the agent is unknown.
    pub fn needs_values(&self, session: &dyn Session) -> Result<bool, Error> {
        match self {
            Ask::Answer(request) => Ok(*request != Request::default()),
            Ask::Line { .. } | Ask::Puzzle(_) => Ok(true),
            Ask::Move { agent, .. } => session.needs_values(agent),
            Ask::Record => Ok(false),
        }
    }

    /// Replies in the current position of a session.
    ///
    /// # Errors
    ///
    /// As for the methods of [`Session`].
    pub fn reply(&self, session: &dyn Session, monitor: &Monitor) -> Result<Reply, Error> {
        match self {
            Ask::Answer(request) => self.made_from(session.answer(*request, monitor)?, session),
            Ask::Line { limit } => {
                let request = Request { detail: None, line: *limit };
                self.made_from(session.answer(request, monitor)?, session)
            }
            Ask::Move { agent, seed } => {
                Ok(Reply::Move(Chosen::of(session, agent, *seed, monitor)?))
            }
            Ask::Puzzle(wanted) => Ok(Reply::Puzzle(session.puzzle(wanted, monitor)?)),
            Ask::Record => Ok(Reply::Record(Record { record: session.record() })),
        }
    }

    /// The reply that consists of an answer, or is made from one: that to [`request`](Ask::request)
    /// in the current position of a session.
    ///
    /// # Errors
    ///
    /// If the principal variation is illegal.
    pub fn made_from(&self, answer: Answer, session: &dyn Session) -> Result<Reply, Error> {
        match self {
            Ask::Line { .. } => {
                let moves = answer.principal_variation.unwrap_or_default();
                Ok(Reply::Line(Variation::of(session.fork(), moves)?))
            }
            _ => Ok(Reply::Answer(Box::new(answer))),
        }
    }
}
