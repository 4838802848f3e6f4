//! Error messages: the errors of the libraries, with advice about flags and commands.

use crate::printable;
use bsq_analyses::AnalysisError;
use bsq_engine::levels::LevelsError;
use bsq_engine::monitor::SolveError;
use bsq_engine::storage::StorageError;
use std::error::Error;
use std::path::Path;

/// Formats an error with its causes and with advice, made safe to print.
pub fn describe(error: &(dyn Error + 'static)) -> String {
    let text = anyhow::Chain::new(error).map(one).collect::<Vec<_>>().join(": ");
    printable::message(&text).into_owned()
}

/// Formats one error of a chain of causes.
fn one(error: &(dyn Error + 'static)) -> String {
    let error = innermost(error);
    let advised = error.downcast_ref().map(solve);
    let advised = advised.or_else(|| error.downcast_ref().map(levels));
    advised.unwrap_or_else(|| error.to_string())
}

/// Finds an error of a type among the causes, or wrapped by one of them.
pub fn find<E: std::error::Error + 'static>(error: &anyhow::Error) -> Option<&E> {
    error.chain().find_map(|cause| innermost(cause).downcast_ref::<E>())
}

/// Unwraps errors that only wrap an error of a solver or of a file.
pub fn innermost<'a>(error: &'a (dyn Error + 'static)) -> &'a (dyn Error + 'static) {
    macro_rules! pass_on {
        ($($(#[$condition:meta])? $variant:path),* $(,)?) => {
            $($(#[$condition])? if let Some($variant(error)) = error.downcast_ref() {
                return innermost(error);
            })*
        };
    }
    pass_on!(
        AnalysisError::Solve,
        AnalysisError::Tablebase,
        AnalysisError::Contradiction,
        SolveError::Levels,
        #[cfg(feature = "cluster")]
        bsq_cluster::ClusterError::Levels,
        #[cfg(feature = "cluster")]
        bsq_cluster::ClusterError::Solve,
    );
    error
}

fn solve(error: &SolveError) -> String {
    match error {
        SolveError::StoppedAt { .. } => format!("{error}; the same command resumes from there"),
        SolveError::FailedAt { error, turn } => format!(
            "{}; the turns before turn {turn} are kept; the same command resumes from there",
            levels(error)
        ),
        error => error.to_string(),
    }
}

fn levels(error: &LevelsError) -> String {
    let advice = match error {
        LevelsError::LevelTooLarge { .. } => {
            "; raise --memory, or give --scratch DIR to keep them on disk"
        }
        LevelsError::PartTooLarge { turn, needed, limit } => {
            let [needed, limit] = [needed, limit].map(|size| size.display().iec());
            return format!(
                "a part of the states of turn {turn} does not fit a memory limit of {limit}; --memory {needed} would do"
            );
        }
        LevelsError::Incomplete { .. } => {
            "; start a process on every machine that has some, with the scratch folder that it had"
        }
        LevelsError::OtherRules { .. } => "; count with the same rules, or give another folder",
        LevelsError::Storage(StorageError::InUse { path }) => {
            return format!(
                "another count is using the scratch folder {path}; wait for it or give another folder"
            );
        }
        LevelsError::Storage(StorageError::OtherVersion { path, found, known }) => {
            let folder = Path::new(path).parent().unwrap_or(Path::new(path)).display();
            return format!(
                "the checkpoint in {folder} has format version {found}, and this program reads version {known}; resume it with the program that wrote it, or give another folder"
            );
        }
        LevelsError::Storage(StorageError::Damaged { .. }) => {
            "; put it back as it was, or remove the files of the count to begin again"
        }
        LevelsError::LimitTooSmall { .. }
        | LevelsError::Mismatch { .. }
        | LevelsError::Implausible { .. }
        | LevelsError::Storage(StorageError::System { .. }) => "",
    };
    format!("{error}{advice}")
}
