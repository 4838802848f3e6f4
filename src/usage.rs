//! Usage errors, which end the command with exit code 2.

use bsq_games::british_square::{Board, ParseError, Unreachable};
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

/// Formats an error in a position of British Square. If the first move is on the forbidden centre, the
/// text names the option that allows it.
pub fn with_centre_option(error: impl Display, board: Board, option: &str) -> String {
    let text = error.to_string();
    let forbidden = ParseError::Unreachable { why: Unreachable::Centre, board }.to_string();
    match text.ends_with(&forbidden) {
        true => format!("{text} (allow it with {option})"),
        false => text,
    }
}
