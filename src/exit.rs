//! How the command ends: exit codes, errors for people, closed pipes.

use crate::advice;
use bsq_analyses::AnalysisError;
use bsq_engine::levels::LevelsError;
use bsq_engine::monitor::SolveError;
use bsq_games::british_square::{Board, ParseError, TooLarge, Unreachable};
use bsq_games::dots::tablebase::TablebaseError;
use bsq_games::rpsw::tablebase::resume::InterruptedError;
use std::io::{ErrorKind, Write};
use std::process::ExitCode;

/// Something typed that cannot be meant.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Usage(pub String);

/// Marks an error as bad usage.
pub fn usage(error: impl std::fmt::Display) -> anyhow::Error {
    Usage(error.to_string()).into()
}

/// The option of the command that allows the first move on the centre.
pub const CENTRE_OPTION: &str = "--center-allowed";

/// The text of an error in a position of British Square. If the first move is on the forbidden centre,
/// names the option that allows it.
pub fn with_centre_option(error: impl std::fmt::Display, board: Board, option: &str) -> String {
    let text = error.to_string();
    let forbidden = ParseError::Unreachable { why: Unreachable::Centre, board }.to_string();
    match text.ends_with(&forbidden) {
        true => format!("{text} (allow it with {option})"),
        false => text,
    }
}

/// A job that the user stopped, whose state was saved.
#[derive(Debug, thiserror::Error)]
#[error("stopped before the end; what is known was saved, the same command goes on from there")]
pub struct StoppedSaved;

/// The exit code of a finished command, its error on standard error: 0 for success and a
/// closed pipe, 1 for a failed job, 2 for bad usage, 130 when stopped with Ctrl-C.
pub fn code(result: anyhow::Result<()>) -> ExitCode {
    let Err(error) = result else { return ExitCode::SUCCESS };
    if is_closed_pipe(&error) {
        return ExitCode::SUCCESS;
    }
    // Nobody is left to tell if standard error is closed too.
    let _ = writeln!(std::io::stderr(), "error: {}", advice::describe(&error));
    ExitCode::from(match () {
        () if is_stopped(&error) => 130,
        () if is_usage(&error) => 2,
        () => 1,
    })
}

/// Whether the user stopped the job.
pub fn is_stopped(error: &anyhow::Error) -> bool {
    find::<StoppedSaved>(error).is_some()
        || matches!(find(error), Some(InterruptedError::StoppedAfter { .. }))
        || find::<TablebaseError>(error).is_some_and(TablebaseError::is_stopped)
        || find::<SolveError>(error).is_some_and(SolveError::is_stopped)
}

fn is_usage(error: &anyhow::Error) -> bool {
    #[cfg(feature = "cluster")]
    if find::<crate::cluster::ClusterError>(error).is_some_and(|error| error.is_usage()) {
        return true;
    }
    find::<Usage>(error).is_some()
        || find::<TooLarge>(error).is_some()
        || find::<AnalysisError>(error).is_some_and(AnalysisError::is_usage)
        || find::<SolveError>(error).is_some_and(SolveError::is_usage)
        || find::<LevelsError>(error).is_some_and(LevelsError::is_usage)
        || find::<TablebaseError>(error).is_some_and(TablebaseError::is_usage)
}

/// An error of that type among the causes, or passed on by one of them.
fn find<E: std::error::Error + 'static>(error: &anyhow::Error) -> Option<&E> {
    error.chain().find_map(|cause| advice::innermost(cause).downcast_ref::<E>())
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let io = cause.downcast_ref::<std::io::Error>().map(std::io::Error::kind);
        let csv = cause.downcast_ref::<csv::Error>().map(|error| match error.kind() {
            csv::ErrorKind::Io(io) => io.kind(),
            _ => ErrorKind::Other,
        });
        let json =
            cause.downcast_ref::<serde_json::Error>().and_then(|error| error.io_error_kind());
        [io, csv, json].contains(&Some(ErrorKind::BrokenPipe))
    })
}
