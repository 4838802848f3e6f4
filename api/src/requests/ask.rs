//! What can be asked about a position.

use super::replies::{Chosen, Record, Reply, Variation};
use crate::{Answer, Error, Monitor, Request, Session, Wanted, Workload};
use std::time::Duration;

/// What is asked about a position.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Ask {
    /// The answer.
    Answer(Request),
    /// The principal variation with its positions.
    Line {
        /// The most moves.
        limit: usize,
        /// The time after which the line is left out.
        time: Option<Duration>,
    },
    /// The move of an agent.
    Move {
        /// The agent.
        agent: String,
        /// The random seed.
        seed: u64,
        /// The time after which the move that seems best so far is played.
        time: Option<Duration>,
    },
    /// A puzzle after random moves.
    Puzzle(Wanted),
    /// The record of the game.
    Record,
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
            Ask::Line { limit, time } => Some(line_request(limit, time)),
            Ask::Move { .. } | Ask::Puzzle(_) | Ask::Record => None,
        }
    }

    /// The same question, whose time, if it has one, is at most the given one.
    pub fn within(mut self, most: Duration) -> Ask {
        match &mut self {
            Ask::Answer(Request { time, .. })
            | Ask::Line { time, .. }
            | Ask::Move { time, .. }
            | Ask::Puzzle(Wanted { time, .. }) => {
                *time = time.map(|time| time.min(most));
            }
            Ask::Record => {}
        }
        self
    }

    /// Whether values are needed to answer in the current position of a session.
    ///
    /// # Errors
    ///
    /// If the agent is unknown.
    pub fn needs_values(&self, session: &dyn Session) -> Result<bool, Error> {
        match self {
            Ask::Answer(request) => Ok(request.needs_values()),
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
            Ask::Line { limit, time } => {
                self.made_from(session.answer(line_request(*limit, *time), monitor)?, session)
            }
            Ask::Move { agent, seed, time } => {
                Ok(Reply::Move(Chosen::of(session, agent, *seed, *time, monitor)?))
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
            Ask::Line { .. } => Ok(Reply::Line(Variation::of(session.fork(), answer)?)),
            _ => Ok(Reply::Answer(Box::new(answer))),
        }
    }
}

/// The request for a principal variation without values.
fn line_request(limit: usize, time: Option<Duration>) -> Request {
    Request { detail: None, line: limit, time }
}
