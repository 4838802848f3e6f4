//! Requests, parsed once into what they ask.

use super::Subject;
use super::analyses::AnalysisRequest;
use super::ask::Ask;
use super::batch::{Batch, Form};
use super::parameters::Parameters;
use super::routes::{Body, Target, routes};
use crate::{Error, Game, Kind, Registry, Request};
use std::sync::Arc;

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
pub enum Query {
    /// The games.
    Games,
    /// The analyses of a game.
    Analyses(Arc<dyn Game>),
    /// The tables of an analysis.
    Analysis(AnalysisRequest),
    /// Something about a position.
    Position(Subject, Ask),
    /// Answers about many positions, or the errors of those that cannot be set up.
    Positions(Vec<Result<Subject, Error>>, Request, Form),
    /// The content of a record.
    Load(Arc<dyn Game>, String),
}

impl Query {
    /// Parses a request by its path, such as `mnk/position`, its query, such as `moves=b2`, and its
    /// body if it has one.
    ///
    /// # Errors
    ///
    /// If there is no such path, or if a parameter or the body is invalid.
    pub fn parse(
        registry: &Registry,
        path: &str,
        query: &str,
        body: Option<&[u8]>,
    ) -> Result<Query, QueryError> {
        let parts: Vec<&str> = path.split('/').collect();
        let is_at = |pattern: &str| {
            let pattern = pattern.split('/');
            pattern.clone().count() == parts.len()
                && pattern.zip(&parts).all(|(one, part)| one == *part || one.starts_with('{'))
        };
        let route = routes().iter().find(|route| is_at(route.path));
        let route = route.ok_or_else(|| no_such_path(path))?;
        let game = match route.target {
            Target::Games => None,
            _ => Some(registry.find(parts[0]).map_err(QueryError::NoSuchPath)?),
        };
        match (&route.target, game, body) {
            (_, Some(game), Some(bytes)) => {
                let post = route.post.as_ref().ok_or_else(|| no_such_path(path))?;
                Parameters::parse(query, &[], None)?;
                match post.body {
                    Body::Batch => {
                        let batch = Batch::parse(bytes)?;
                        let (request, form) = (batch.request()?, batch.form(game.as_ref())?);
                        Ok(Query::Positions(batch.subjects(&game)?, request, form))
                    }
                    Body::Record => {
                        Ok(Query::Load(game, String::from_utf8_lossy(bytes).into_owned()))
                    }
                }
            }
            (Target::Games, ..) | (_, None, _) => {
                Parameters::parse(query, &route.options, None)?;
                Ok(Query::Games)
            }
            (Target::Analyses, Some(game), None) => {
                Parameters::parse(query, &route.options, None)?;
                Ok(Query::Analyses(game))
            }
            (Target::Analysis, Some(game), None) => {
                let name = parts.last().copied().unwrap_or_default();
                Ok(Query::Analysis(AnalysisRequest::parse(game.as_ref(), name, query)?))
            }
            (Target::Position(ask), Some(game), None) => {
                let given = Parameters::parse(query, &route.options, Some(game.as_ref()))?;
                Ok(Query::Position(given.subject(&game), ask(&given)?))
            }
        }
    }
}

fn no_such_path(path: &str) -> QueryError {
    QueryError::NoSuchPath(Error::of(Kind::Usage, format!("there is no {path}")))
}
