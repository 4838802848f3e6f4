//! The end of the command: exit codes and error messages.

use crate::advice::{self, find};
use crate::stop::is_stopped;
use crate::usage::Usage;
use bsq_analyses::AnalysisError;
use bsq_analyses::parts::PartsError;
use bsq_engine::monitor::SolveError;
use std::io::{ErrorKind, Write};
use std::process::ExitCode;

/// Returns the exit code of a finished command and prints its error to standard error: 0 for
/// success and a closed pipe, 1 for a failed job, 2 for a usage error, 130 after Ctrl-C.
pub fn code(result: anyhow::Result<()>) -> ExitCode {
    let Err(error) = result else { return ExitCode::SUCCESS };
    if is_closed_pipe(&error) {
        return ExitCode::SUCCESS;
    }
    // If standard error is closed, the exit code still reports the error.
    let _ = writeln!(std::io::stderr(), "error: {}", advice::describe(error.as_ref()));
    ExitCode::from(match () {
        () if is_stopped(&error) => 130,
        () if is_usage(&error) => 2,
        () => 1,
    })
}

fn is_usage(error: &anyhow::Error) -> bool {
    find::<Usage>(error).is_some()
        || find::<AnalysisError>(error).is_some_and(AnalysisError::is_usage)
        || find::<SolveError>(error).is_some_and(SolveError::is_usage)
        || find::<PartsError>(error).is_some_and(PartsError::is_usage)
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
