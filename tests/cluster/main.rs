//! Tests counts by several processes: the result is that of one process, or a message names the
//! cause.

mod cluster;
mod failing;
mod hostile;
mod netns;
mod network;
mod peer;
#[allow(dead_code, reason = "the tests of kills and faults use more of it")]
#[path = "../shared/processes.rs"]
mod processes;
mod refusing;
mod same;

use cluster::{Cluster, alone};
use processes::{Ran, Running, files, words};
use std::time::Duration;

/// The time limit of immediate actions, with a margin for a loaded machine.
const PROMPT: Duration = Duration::from_secs(60);
