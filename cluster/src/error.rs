//! Errors of a distributed count.

use bsq_engine::levels::LevelsError;
use bsq_engine::monitor::SolveError;
use bsq_games::british_square::TooLarge;
use std::io;

/// The reason why a distributed count ends without a result.
#[derive(Debug, thiserror::Error)]
pub enum ClusterError {
    /// The hosts file cannot be read.
    #[error("cannot read the hosts in {path}")]
    Unreadable {
        /// The file.
        path: String,
        /// The error of the system.
        source: io::Error,
    },
    /// The hosts file is wrong.
    #[error("the hosts in {path}: {why}")]
    Hosts {
        /// The file.
        path: String,
        /// The message of [`Hosts::parse`](crate::Hosts::parse).
        why: String,
    },
    /// The address of this process cannot be listened on.
    #[error("cannot listen on {address}, the address of --process {process}: {why}")]
    Listen {
        /// `host:port`.
        address: String,
        /// The number of this process.
        process: usize,
        /// The message of the system.
        why: String,
    },
    /// Another process refuses this one.
    #[error("refused by {name}: {why}")]
    Refused {
        /// The other process.
        name: String,
        /// The difference.
        why: String,
    },
    /// Another process has a different identity.
    #[error("these cannot count together: {why}")]
    Unfit {
        /// The difference.
        why: String,
    },
    /// Some processes did not connect in time.
    #[error("{names} did not come within {seconds} seconds{refused}; --wait has the limit")]
    Absent {
        /// The processes.
        names: String,
        /// The time limit.
        seconds: u64,
        /// Refused connections, and the errors of attempts to connect.
        refused: String,
    },
    /// The connection to a process is lost.
    #[error("lost {name}: {why}; {kept}")]
    Lost {
        /// The processes.
        name: String,
        /// The error of the connection.
        why: String,
        /// The turn from which the count can be resumed, in words.
        kept: String,
    },
    /// A process sent what it may not.
    #[error("{name} breaks the rules of the count: it sent {what}; {kept}")]
    Violation {
        /// The process.
        name: String,
        /// What it sent.
        what: String,
        /// The turn from which the count can be resumed, in words.
        kept: String,
    },
    /// A process takes too long for the end of the count.
    #[error("{name} {what} within {seconds} seconds; --wait has the limit; {kept}")]
    Late {
        /// The process.
        name: String,
        /// What did not happen.
        what: &'static str,
        /// The time limit.
        seconds: u64,
        /// The turn from which the count can be resumed, in words.
        kept: String,
    },
    /// Another process ended early.
    #[error("{name} ended: {why}; {kept}")]
    Ended {
        /// The processes.
        name: String,
        /// Its message.
        why: String,
        /// The turn from which the count can be resumed, in words.
        kept: String,
    },
    /// A thread of this process panicked, which is a bug.
    #[error("a thread of this process ended before its time; {kept}")]
    Thread {
        /// The turn from which the count can be resumed, in words.
        kept: String,
    },
    /// The threads of this process cannot be started.
    #[error("cannot start the threads of the count: {why}")]
    Threads {
        /// The message of timely.
        why: String,
    },
    /// A connection cannot be used.
    #[error(transparent)]
    Connection(#[from] io::Error),
    /// The board is too large to be counted.
    #[error(transparent)]
    Rules(#[from] TooLarge),
    /// The part of this process failed.
    #[error(transparent)]
    Levels(#[from] LevelsError),
    /// The count was cancelled, or failed at a turn.
    #[error(transparent)]
    Solve(#[from] SolveError),
}

impl ClusterError {
    /// Whether this is a usage error.
    pub fn is_usage(&self) -> bool {
        use ClusterError::{Hosts, Listen, Refused, Unfit};
        matches!(self, Hosts { .. } | Listen { .. } | Refused { .. } | Unfit { .. })
    }
}
