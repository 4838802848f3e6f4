//! Usage errors, which end the command with exit code 2.

use std::fmt::Display;

/// What the error about a part that only full builds have ends with.
pub const FULL_BUILD: &str = "build it with 'cargo build --release --features full'";

/// A usage error.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Usage(pub String);

/// Converts an error or a message to a usage error.
pub fn usage(error: impl Display) -> anyhow::Error {
    Usage(error.to_string()).into()
}
