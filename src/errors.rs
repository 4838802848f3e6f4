//! The errors of the command: their kinds, messages and exit codes.

use crate::printable;
use bsq_analyses::AnalysisError;
use bsq_analyses::parts::PartsError;
use bsq_api::tables::WriteError;
use bsq_api::{Error, HasKind, Kind};
use bsq_engine::explore::ExploreError;
use bsq_engine::monitor::SolveError;
use bsq_engine::storage::StorageError;
use bsq_games::british_square::TooLarge;
use std::fmt::Display;
use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

/// The end of an error about a part that only full builds have.
pub const FULL_BUILD: &str = "build it with 'cargo build --release --features full'";

/// A usage error.
pub fn usage(message: impl Display) -> anyhow::Error {
    Error::of(Kind::Usage, message).into()
}

/// The error of a job, with advice if it takes more memory than is allowed.
pub fn of_job(error: impl Into<Error>) -> anyhow::Error {
    let error: Error = error.into();
    match error.kind {
        Kind::Refused => Error { message: raise_memory(&error), ..error }.into(),
        _ => error.into(),
    }
}

/// The message of a job that takes more memory than is allowed, with advice.
pub fn raise_memory(error: impl Display) -> String {
    format!("{error}; raise --memory")
}

/// The error of a job that the user stopped and whose state was saved.
pub fn stopped_and_saved() -> anyhow::Error {
    let message =
        "stopped before the end; the progress was saved; the same command resumes from there";
    Error::of(Kind::Stopped, message).into()
}

/// The error of a search that the user stopped, after what it has proved.
pub fn proved_so_far() -> anyhow::Error {
    Error::of(Kind::Stopped, "stopped before the end; the answer is what is proved so far").into()
}

/// The error of answers to lines that the user stopped.
pub fn answered_so_far() -> anyhow::Error {
    Error::of(Kind::Stopped, "stopped before the end; the lines above have their answers").into()
}

/// The kind of an error, which is that of the first cause that has one.
pub fn kind(error: &anyhow::Error) -> Kind {
    fn of<E: HasKind + 'static>(cause: &(dyn std::error::Error + 'static)) -> Option<Kind> {
        cause.downcast_ref::<E>().map(E::kind)
    }
    let kind = |cause: &(dyn std::error::Error + 'static)| {
        let presented = cause.downcast_ref::<Error>().map(|error| error.kind);
        presented
            .or_else(|| of::<AnalysisError>(cause))
            .or_else(|| of::<PartsError>(cause))
            .or_else(|| of::<ExploreError>(cause))
            .or_else(|| of::<SolveError>(cause))
            .or_else(|| of::<StorageError>(cause))
            .or_else(|| of::<TooLarge>(cause))
            .or_else(|| of::<WriteError>(cause))
    };
    error.chain().find_map(kind).unwrap_or(Kind::Failed)
}

/// Whether the user stopped the job.
pub fn is_stopped(error: &anyhow::Error) -> bool {
    kind(error) == Kind::Stopped
}

/// Prints the error of a finished command to standard error, and returns its exit code.
///
/// The code is 0 for success and a closed pipe, 1 for a failed or refused job, 2 for a usage error,
/// and 130 after Ctrl-C.
pub fn exit_code(result: anyhow::Result<()>) -> ExitCode {
    let Err(error) = result else { return ExitCode::SUCCESS };
    if is_closed_pipe(&error) {
        return ExitCode::SUCCESS;
    }
    let message = error.chain().map(ToString::to_string).collect::<Vec<_>>().join(": ");
    let message = without_codes(&message);
    // If standard error is closed, the exit code still reports the error.
    let _ = writeln!(io::stderr(), "error: {}", printable::message(&message));
    ExitCode::from(match kind(&error) {
        Kind::Usage => 2,
        Kind::Refused | Kind::Failed => 1,
        Kind::Stopped => 130,
    })
}

/// A message without the numbers of the system for its errors, such as ` (os error 2)`.
fn without_codes(message: &str) -> String {
    const CODE: &str = " (os error ";
    let mut parts = message.split(CODE);
    let mut plain = parts.next().unwrap_or_default().to_string();
    for part in parts {
        match part.split_once(')') {
            Some((code, rest)) if code.bytes().all(|byte| byte.is_ascii_digit()) => plain += rest,
            _ => plain = plain + CODE + part,
        }
    }
    plain
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let io = cause.downcast_ref::<io::Error>().map(io::Error::kind);
        let csv = cause.downcast_ref::<csv::Error>().map(|error| match error.kind() {
            csv::ErrorKind::Io(io) => io.kind(),
            _ => ErrorKind::Other,
        });
        let json =
            cause.downcast_ref::<serde_json::Error>().and_then(|error| error.io_error_kind());
        let table = match cause.downcast_ref::<WriteError>() {
            Some(WriteError::Io(error)) => Some(error.kind()),
            _ => None,
        };
        [io, csv, json, table].contains(&Some(ErrorKind::BrokenPipe))
    })
}
