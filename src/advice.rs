//! Error messages: the errors of the libraries, with advice about flags and commands.

use bsq_analyses::AnalysisError;
use bsq_engine::levels::LevelsError;
use bsq_engine::monitor::SolveError;
use bsq_engine::storage::StorageError;
use bsq_games::british_square::EvaluatorError;
use bsq_games::dots::EvaluatorError as DotsEvaluatorError;
use bsq_games::dots::tablebase as dots;
use bsq_games::rpsw;
use bsq_games::rpsw::tablebase::{Problem, TablebaseError};
use std::error::Error;
use std::path::Path;

/// Formats an error with its causes and with advice.
pub fn describe(error: &anyhow::Error) -> String {
    error.chain().map(one).collect::<Vec<_>>().join(": ")
}

/// Formats one error of a chain of causes.
fn one(error: &(dyn Error + 'static)) -> String {
    let error = innermost(error);
    let advised = error.downcast_ref().map(solve);
    let advised = advised.or_else(|| error.downcast_ref().map(levels));
    let advised = advised.or_else(|| error.downcast_ref().map(dots_tablebase));
    let advised = advised.or_else(|| error.downcast_ref().map(rpsw_tablebase));
    advised.unwrap_or_else(|| error.to_string())
}

/// Finds an error of a type among the causes, or wrapped by one of them.
pub fn find<E: std::error::Error + 'static>(error: &anyhow::Error) -> Option<&E> {
    error.chain().find_map(|cause| innermost(cause).downcast_ref::<E>())
}

/// Unwraps errors that only wrap an error of a solver or of a file.
pub fn innermost<'a>(error: &'a (dyn Error + 'static)) -> &'a (dyn Error + 'static) {
    macro_rules! pass_on {
        ($($variant:path),* $(,)?) => {
            $(if let Some($variant(error)) = error.downcast_ref() {
                return innermost(error);
            })*
        };
    }
    pass_on!(
        AnalysisError::Rules,
        AnalysisError::Solve,
        AnalysisError::Tablebase,
        AnalysisError::Contradiction,
        EvaluatorError::TooLarge,
        EvaluatorError::Solve,
        rpsw::EvaluatorError::Tablebase,
        rpsw::EvaluatorError::Solve,
        DotsEvaluatorError::Solve,
        DotsEvaluatorError::Tablebase,
        dots::TablebaseError::Solve,
        SolveError::Levels,
    );
    error
}

fn solve(error: &SolveError) -> String {
    match error {
        SolveError::StoppedAt { .. } => format!("{error}, the same command goes on from there"),
        SolveError::FailedAt { error, turn } => format!(
            "{}; the turns before turn {turn} are kept, the same command goes on from there",
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
        | LevelsError::Storage(StorageError::System { .. }) => "",
    };
    format!("{error}{advice}")
}

fn dots_tablebase(error: &dots::TablebaseError) -> String {
    use dots::TablebaseError as Error;
    let advice = match error {
        Error::Missing(_) => "; 'bsq dots tablebase build DIR' builds one",
        Error::Unfinished(_) => "; 'bsq dots tablebase build DIR' goes on",
        Error::Storage(StorageError::Damaged { .. }) => "; build it anew, or copy it again",
        _ => "",
    };
    format!("{error}{advice}")
}

fn rpsw_tablebase(error: &TablebaseError) -> String {
    format!("{error}{}", rpsw_advice(&error.problem))
}

/// Advice about a file of rock-paper-scissors-well.
pub fn rpsw_advice(problem: &Problem) -> &'static str {
    match problem {
        Problem::Foreign => "; 'bsq rpsw tablebase build FILE' builds one",
        Problem::Version { .. } => "; build it anew with 'bsq rpsw tablebase build FILE'",
        Problem::Damaged(_) | Problem::Block { .. } => {
            "; copy it again, or build it anew with 'bsq rpsw tablebase build FILE'"
        }
        Problem::Unreadable(_) | Problem::Truncated | Problem::Wrong(_) => "",
    }
}
