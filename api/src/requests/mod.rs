//! Requests by path and query, and the JSON that answers them.
//!
//! [`routes`] lists the paths, with their parameters and replies. [`Query::parse`] turns a request
//! into what it asks. A server answers many queries at a time, within its limits; [`Local`] answers
//! one after another.

mod analyses;
mod ask;
mod batch;
mod local;
mod parameters;
mod query;
mod replies;
mod routes;

pub use analyses::{
    AnalysesAnswer, AnalysisRequest, TablesAnswer, asked_for, options as analysis_options,
};
pub use ask::Ask;
pub use batch::{Batch, BatchPosition, Form, Values};
pub use local::Local;
pub use parameters::Parameters;
pub use query::{Query, QueryError};
#[cfg(feature = "schema")]
pub use replies::{BatchReply, RowValue};
pub use replies::{Chosen, Games, Loaded, OneAnswer, Record, Reply, ServedGame, Variation};
#[cfg(feature = "schema")]
pub use routes::SchemaOf;
pub use routes::{Body, Post, Route, Target, routes};

use crate::{Error, Game, RulesAnswer};
use bsq_engine::options::borrowed;
use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

/// The maximum length of a parameter in bytes.
pub const MOST_TEXT: usize = 2000;
/// The most moves of a principal variation.
pub const LONGEST_LINE: usize = 200;
/// The default number of moves of [`Variation`].
pub const DEFAULT_LINE: usize = 100;
/// The most positions of a batch.
pub const MOST_POSITIONS: usize = 500;
/// The longest time that a request can give to a search, in seconds.
pub const MOST_SECONDS: u64 = 3600;
/// The agent that moves if none is named.
pub const DEFAULT_AGENT: &str = "perfect";

/// A position that a request is about.
#[derive(Clone)]
pub struct Subject {
    /// The game.
    pub game: Arc<dyn Game>,
    /// Names and values of options of the rules.
    pub rules: Vec<(String, String)>,
    /// The first position; the start of the game if it is left out.
    pub position: Option<String>,
    /// Moves to play from there.
    pub moves: String,
    /// The names of the [optional facts](crate::Resources::facts) to find.
    pub facts: Vec<String>,
}

/// What an engine is for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct EngineKey {
    /// The name of the game.
    pub game: Cow<'static, str>,
    /// Every option of the rules with its value.
    pub rules: RulesAnswer,
    /// The names of the [optional facts](crate::Resources::facts) that it finds.
    pub facts: Vec<String>,
}

impl Subject {
    /// The engine that answers.
    ///
    /// # Errors
    ///
    /// If a rule or the position is invalid.
    pub fn engine_key(&self) -> Result<EngineKey, Error> {
        Ok(EngineKey {
            game: self.game.info().name.clone(),
            rules: self.game.rules_at(&borrowed(&self.rules), self.position.as_deref(), None)?,
            facts: self.facts.clone(),
        })
    }
}

/// The rules of an answer by the names of their options.
pub fn options_of<'a>(game: &'a dyn Game, rules: &'a RulesAnswer) -> Vec<(&'a str, &'a str)> {
    let value = |name: &str| rules.get(name)?.as_deref();
    let options = game.options().iter();
    options.filter_map(|option| Some((&*option.name, value(&option.parameter())?))).collect()
}

/// Refuses a text that is longer than [`MOST_TEXT`].
fn check_length(name: &str, text: &str) -> Result<(), Error> {
    if text.len() > MOST_TEXT {
        return Err(Error::invalid(name, format!("longer than {MOST_TEXT} bytes")));
    }
    Ok(())
}

/// The time of a search in seconds.
fn seconds(given: Option<u64>) -> Result<Option<Duration>, Error> {
    if given.is_some_and(|seconds| !(1..=MOST_SECONDS).contains(&seconds)) {
        return Err(Error::invalid("time", format!("not from 1 to {MOST_SECONDS} seconds")));
    }
    Ok(given.map(Duration::from_secs))
}

fn unknown(name: &str, names: &[String]) -> String {
    if names.is_empty() {
        format!("'{name}' is not a parameter; there are none here")
    } else {
        format!("'{name}' is not a parameter; there are {}", names.join(", "))
    }
}
