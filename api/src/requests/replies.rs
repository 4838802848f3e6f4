//! The JSON that answers requests, besides [`Answer`].

use super::analyses::{AnalysesAnswer, TablesAnswer};
use crate::{
    Answer, Choice, Error, GameAnswer, Monitor, Puzzle, Registry, Request, RulesAnswer, Session,
};
use serde::Serialize;
use std::collections::BTreeMap;
use std::time::Duration;

/// The reply to a request.
#[derive(Serialize)]
#[serde(untagged)]
pub enum Reply {
    /// The games.
    Games(Games),
    /// The analyses of a game.
    Analyses(AnalysesAnswer),
    /// The tables of an analysis.
    Tables(TablesAnswer),
    /// The answer about a position.
    Answer(Box<Answer>),
    /// A principal variation.
    Line(Variation),
    /// The move of an agent.
    Move(Chosen),
    /// A puzzle.
    Puzzle(Puzzle),
    /// A game as text.
    Record(Record),
    /// The content of a record.
    Loaded(Loaded),
}

/// The games.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Games {
    /// The version of bsq.
    version: &'static str,
    games: Vec<ServedGame>,
}

/// A game that can be asked about.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ServedGame {
    #[serde(flatten)]
    game: GameAnswer,
    /// The rules of the tablebases in use.
    tablebases: Vec<RulesAnswer>,
}

impl Games {
    /// The games of a registry, with the rules of the tablebases of the game of a name.
    pub fn of(registry: &Registry, tablebases: impl Fn(&str) -> Vec<RulesAnswer>) -> Games {
        let games = registry.describe().into_iter();
        let games = games.map(|game| ServedGame { tablebases: tablebases(&game.name), game });
        Games { version: env!("CARGO_PKG_VERSION"), games: games.collect() }
    }
}

/// The reply to a batch, in the order of the questions.
#[cfg(feature = "schema")]
#[derive(schemars::JsonSchema, Serialize)]
#[serde(untagged)]
pub enum BatchReply {
    /// Answers.
    Answers {
        /// The answers.
        answers: Vec<OneAnswer>,
    },
    /// Rows of a table of values.
    Rows {
        /// The rows, objects by column.
        rows: Vec<BTreeMap<String, RowValue>>,
    },
}

/// A value of a row.
#[cfg(feature = "schema")]
#[derive(schemars::JsonSchema, Serialize)]
#[serde(untagged)]
pub enum RowValue {
    /// No value.
    Empty(()),
    /// A number.
    Integer(i64),
    /// A truth value.
    Truth(bool),
    /// A text.
    Text(String),
}

/// An answer of a batch, or why there is none.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum OneAnswer {
    /// The answer.
    Found(Box<Answer>),
    /// No answer.
    Failed {
        /// Why.
        error: Error,
    },
}

impl From<Result<Answer, Error>> for OneAnswer {
    fn from(found: Result<Answer, Error>) -> OneAnswer {
        match found {
            Ok(found) => OneAnswer::Found(Box::new(found)),
            Err(error) => OneAnswer::Failed { error },
        }
    }
}

/// A principal variation with its positions.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Variation {
    /// The moves.
    moves: Vec<String>,
    /// The position before each move, and the one after the last, without values.
    answers: Vec<Answer>,
    /// Whether the variation was found; otherwise the time was over before.
    is_complete: bool,
}

impl Variation {
    /// The positions along the principal variation of an answer to the current position of a session.
    ///
    /// # Errors
    ///
    /// If a move is illegal.
    pub fn of(mut session: Box<dyn Session>, answer: Answer) -> Result<Variation, Error> {
        let (moves, is_complete) =
            (answer.principal_variation.unwrap_or_default(), answer.is_complete);
        let mut answers = vec![bare(session.as_ref())?];
        for mv in &moves {
            session.play(mv)?;
            answers.push(bare(session.as_ref())?);
        }
        Ok(Variation { moves, answers, is_complete })
    }
}

/// The answer without values.
fn bare(session: &dyn Session) -> Result<Answer, Error> {
    session.answer(Request::default(), &Monitor::default())
}

/// The move of an agent.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Chosen {
    /// The move, as text that can be played.
    pub r#move: String,
    /// The heuristics that prefer the move to others.
    pub liked_by: Vec<String>,
    /// Whether the agent found the move as it should. Otherwise the time was over, and it is the move
    /// that seems best so far.
    pub is_sure: bool,
}

impl Chosen {
    /// The move of an agent in the current position of a session.
    ///
    /// # Errors
    ///
    /// As for [`Session::choose`].
    pub fn of(
        session: &dyn Session,
        agent: &str,
        seed: u64,
        time: Option<Duration>,
        monitor: &Monitor,
    ) -> Result<Chosen, Error> {
        let Choice { mv, is_sure } = session.choose(agent, seed, time, monitor)?;
        Ok(Chosen { liked_by: session.liked_by(&mv), r#move: mv, is_sure })
    }
}

/// A game as text.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Record {
    /// The record, which can be loaded.
    pub record: String,
}

/// The content of a record.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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

impl Loaded {
    /// The game of a session.
    ///
    /// # Errors
    ///
    /// If the first position has no answer.
    pub fn of(mut session: Box<dyn Session>) -> Result<Loaded, Error> {
        let (moves, at) = (session.moves(), session.at());
        session.go_to(0);
        let Answer { rules, position, .. } = bare(session.as_ref())?;
        let rules = rules.into_iter().filter_map(|(name, value)| Some((name, value?))).collect();
        Ok(Loaded { rules, position, moves, at })
    }
}
