//! Events that the threads of a process send to its main thread.

use bsq_engine::levels::{Census, LevelsError};

/// A message from another process, or from a thread of this one.
#[derive(Debug)]
pub enum Event {
    /// Nothing can be sent to a process, for the given reason.
    Unreachable(usize, String),
    /// Nothing more is received from a process, for the given reason.
    Lost(usize, String),
    /// A process sent what it may not, which is described.
    Violation(usize, String),
    /// All threads of a process have ended.
    Complete(usize),
    /// A process ends early, for the given reason.
    Ended(usize, String),
    /// The result is delivered.
    Delivered,
    /// A process is done.
    Bye(usize),
    /// The level of a turn is on disk at all processes. The previous level has this number of
    /// states.
    Level(u32, u64),
    /// A thread of this process has ended.
    Finished(Finished),
}

/// The result of a thread.
pub type Finished = Result<Census, Stop>;

/// The reason why a thread stops.
#[derive(Debug)]
pub enum Stop {
    /// The process is ending.
    Halted,
    /// The thread panicked.
    Panicked,
    Levels(LevelsError),
}

impl From<LevelsError> for Stop {
    fn from(error: LevelsError) -> Stop {
        Stop::Levels(error)
    }
}
