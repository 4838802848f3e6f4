//! Usage errors, which end the command with exit code 2.

use bsq_games::british_square::{ParseError, Unreachable};
use std::fmt::Display;

/// A usage error.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Usage(pub String);

/// Converts an error or a message to a usage error.
pub fn usage(error: impl Display) -> anyhow::Error {
    Usage(error.to_string()).into()
}

/// The option of the command that allows the first move on the centre.
pub const CENTRE_OPTION: &str = "--center-allowed";

/// Formats an error that `cause` explains. If the cause is the first move on the forbidden centre,
/// the text names the option that allows it.
pub fn with_centre_option(error: impl Display, cause: Option<&ParseError>, option: &str) -> String {
    match cause {
        Some(ParseError::Unreachable { why: Unreachable::Centre, .. }) => {
            format!("{error} (allow it with {option})")
        }
        _ => error.to_string(),
    }
}
