//! Error messages: the errors of the libraries, with advice about flags and commands.

use bsq_analyses::AnalysisError;
use bsq_engine::levels::LevelsError;
use bsq_engine::monitor::SolveError;
use bsq_engine::storage::StorageError;
use bsq_games::british_square::EvaluatorError;
use bsq_games::dots::EvaluatorError as DotsEvaluatorError;
use bsq_games::dots::tablebase as dots;
use bsq_games::rpsw;
use bsq_games::rpsw::tablebase::checkpoint::{CheckpointError, CheckpointProblem};
use bsq_games::rpsw::tablebase::resume::InterruptedError;
use bsq_games::rpsw::tablebase::verify::VerifyError;
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
    let stopped = |error: &InterruptedError| match error {
        InterruptedError::StoppedAfter { .. } => format!("{error}, --resume goes on"),
        error => error.to_string(),
    };
    let advised = error.downcast_ref().map(solve);
    let advised = advised.or_else(|| error.downcast_ref().map(levels));
    let advised = advised.or_else(|| error.downcast_ref().map(dots_tablebase));
    let advised = advised.or_else(|| error.downcast_ref().map(rpsw_tablebase));
    let advised = advised.or_else(|| error.downcast_ref().map(rpsw_checkpoint));
    let advised = advised.or_else(|| error.downcast_ref().map(stopped));
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
        VerifyError::Tablebase,
        VerifyError::Stopped,
        InterruptedError::Solve,
        InterruptedError::Checkpoint,
        DotsEvaluatorError::Solve,
        DotsEvaluatorError::Tablebase,
        dots::TablebaseError::Solve,
        SolveError::Levels,
    );
    error
}

fn solve(error: &SolveError) -> String {
    match error {
        SolveError::StoppedAt { .. } => format!("{error}, --resume goes on from there"),
        SolveError::FailedAt { error, turn } => format!(
            "{}; the turns before turn {turn} are kept, --resume goes on from there",
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
        LevelsError::Occupied { .. } => {
            "; go on from it with --resume, give another folder, or remove the checkpoint's files"
        }
        LevelsError::NoCheckpoint { .. } => "; leave out --resume to begin",
        LevelsError::Incomplete { .. } => {
            "; start a process on every machine that has some, with the scratch folder that it had"
        }
        LevelsError::OtherRules { .. } => "; resume it with the same rules, or give another folder",
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
            "; put it back as it was, or remove the files of the count and begin again without --resume"
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
        Error::Occupied { .. } => "; --resume goes on from it, or give another folder",
        Error::Missing(_) => "; 'bsq dots enumerate BOARD --out DIR' makes one",
        Error::Unfinished(_) => "; 'bsq dots enumerate' with --resume goes on",
        Error::Other { .. } => "; ask for the same, or give another folder",
        Error::Storage(StorageError::Damaged { .. }) => "; make it anew, or copy it again",
        Error::Stopped { kept: 1.., .. } => ", --resume goes on from there",
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
        Problem::Foreign => "; 'bsq rpsw solve --out FILE' makes one",
        Problem::Version { .. } => "; make it anew with 'bsq rpsw solve --out FILE'",
        Problem::Damaged(_) | Problem::Block { .. } => {
            "; copy it again, or make it anew with 'bsq rpsw solve --out FILE'"
        }
        Problem::Unreadable(_) | Problem::Truncated | Problem::Wrong(_) => "",
    }
}

fn rpsw_checkpoint(error: &CheckpointError) -> String {
    let advice = match error.problem {
        CheckpointProblem::Occupied => "; --resume goes on from it, or give another folder",
        CheckpointProblem::Missing => "; leave --resume out to begin",
        CheckpointProblem::Version { .. } | CheckpointProblem::Damaged => {
            "; begin again in another folder"
        }
        CheckpointProblem::System(_)
        | CheckpointProblem::Locked
        | CheckpointProblem::OtherRules => "",
    };
    format!("{error}{advice}")
}
