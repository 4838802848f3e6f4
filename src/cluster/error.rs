//! Why processes do not finish a count together.

/// Something is wrong with another process or the way to it.
#[derive(Debug, thiserror::Error)]
pub enum ClusterError {
    /// The address of this process cannot be listened on.
    #[error("cannot listen on {address}, the address of --process {process}: {why}")]
    Listen {
        /// `host:port`.
        address: String,
        /// This one.
        process: usize,
        /// In the system's words.
        why: String,
    },
    /// Others do not want this process.
    #[error("refused by {name}: {why}")]
    Refused {
        /// Who refuses it.
        name: String,
        /// What differs.
        why: String,
    },
    /// A process that is there does not fit.
    #[error("these cannot count together: {why}")]
    Unfit {
        /// What differs.
        why: String,
    },
    /// Some did not come up.
    #[error("{names} did not come within {seconds} seconds{refused}; --wait has the limit")]
    Absent {
        /// Who.
        names: String,
        /// How long they were waited for.
        seconds: u64,
        /// Who came instead and why it was refused, and how those who did not come could not be
        /// reached.
        refused: String,
    },
    /// One is gone.
    #[error("lost {name}: {why}; {kept}")]
    Lost {
        /// Who.
        name: String,
        /// How that shows.
        why: String,
        /// From where the count can go on.
        kept: String,
    },
    /// One said that it ends.
    #[error("{name} ended: {why}; {kept}")]
    Ended {
        /// Who.
        name: String,
        /// Why, in its words.
        why: String,
        /// From where the count can go on.
        kept: String,
    },
    /// A thread of this process is gone: a defect of the program.
    #[error("a thread of this process ended before its time; {kept}")]
    Thread {
        /// From where the count can go on.
        kept: String,
    },
}

impl ClusterError {
    /// Whether something else should have been asked for; else the job failed.
    pub fn is_usage(&self) -> bool {
        use ClusterError::{Listen, Refused, Unfit};
        matches!(self, Listen { .. } | Refused { .. } | Unfit { .. })
    }
}
