//! Errors of analyses.

use crate::options::{Method, RequestOption};
use bsq_engine::explore::ExploreError;
use bsq_engine::monitor::SolveError;
use bsq_games::british_square::{EvaluatorError, TooLarge};
use bsq_games::dots::search::EveryError;
use bsq_games::rpsw;
use bsq_games::rpsw::tablebase::TablebaseError;

/// An error of an analysis: an invalid request, or a job that failed or was stopped.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AnalysisError {
    /// The rules are invalid, or too large for the solver.
    #[error(transparent)]
    Rules(#[from] TooLarge),
    /// The board has too many lines.
    #[error(transparent)]
    Board(EveryError),
    /// The subject is of another kind than the one named.
    #[error("the analysis takes {0}")]
    Subject(&'static str),
    /// The value of an option of the subject is invalid.
    #[error("{1}")]
    Option(&'static str, String),
    /// The request has an option that the analysis does not support.
    #[error("the analysis '{analysis}' does not support {option}")]
    Unsupported {
        /// The name of the analysis.
        analysis: &'static str,
        /// The option.
        option: RequestOption,
    },
    /// The analysis does not have the method.
    #[error("the method '{}' is not for '{analysis}'", method.name())]
    Method {
        /// The name of the analysis.
        analysis: &'static str,
        /// The method.
        method: Method,
    },
    /// The request has an option that the method does not support.
    #[error("the method '{}' does not support {option}", method.name())]
    UnsupportedByMethod {
        /// The method.
        method: Method,
        /// The option.
        option: RequestOption,
    },
    /// The game of the tablebase does not begin with four pieces each on four columns.
    #[error(
        "arrangements are those of four pieces on a base row of four squares, and the game of this tablebase begins otherwise"
    )]
    NoArrangements,
    /// At some standing of a match, perfect play in a round need not be perfect play in the match.
    #[error("at {}-{}, the value of a round does not decide who wins the match", points[0], points[1])]
    Match {
        /// The points of both players.
        points: [u32; 2],
    },
    /// The tablebase cannot be read.
    #[error(transparent)]
    Tablebase(#[from] TablebaseError),
    /// The tablebase contradicts itself.
    #[error(transparent)]
    Contradiction(rpsw::EvaluatorError),
    /// The game is not explored.
    #[error(transparent)]
    Explore(#[from] ExploreError),
    /// The solver failed or was stopped.
    #[error(transparent)]
    Solve(#[from] SolveError),
}

impl AnalysisError {
    /// Whether the request is invalid. If not, the job failed or was stopped.
    pub fn is_usage(&self) -> bool {
        match self {
            AnalysisError::Solve(error) => error.is_usage(),
            AnalysisError::Match { .. }
            | AnalysisError::Tablebase(_)
            | AnalysisError::Contradiction(_) => false,
            AnalysisError::Explore(error) => matches!(error, ExploreError::Endless),
            _ => true,
        }
    }

    /// Whether the question does not arise for the subject, although it is valid.
    pub fn is_inapplicable(&self) -> bool {
        matches!(self, AnalysisError::NoArrangements)
    }

    /// Whether the caller stopped the job.
    pub fn is_stopped(&self) -> bool {
        match self {
            AnalysisError::Solve(error) | AnalysisError::Explore(ExploreError::Solve(error)) => {
                error.is_stopped()
            }
            _ => false,
        }
    }
}

impl From<EveryError> for AnalysisError {
    fn from(error: EveryError) -> AnalysisError {
        match error {
            EveryError::Solve(error) => AnalysisError::Solve(error),
            error => AnalysisError::Board(error),
        }
    }
}

impl From<EvaluatorError> for AnalysisError {
    fn from(error: EvaluatorError) -> AnalysisError {
        match error {
            EvaluatorError::TooLarge(error) => AnalysisError::Rules(error),
            EvaluatorError::Solve(error) => AnalysisError::Solve(error),
        }
    }
}

impl From<rpsw::EvaluatorError> for AnalysisError {
    fn from(error: rpsw::EvaluatorError) -> AnalysisError {
        match error {
            rpsw::EvaluatorError::Tablebase(error) => AnalysisError::Tablebase(error),
            rpsw::EvaluatorError::Solve(error) => AnalysisError::Solve(error),
            error => AnalysisError::Contradiction(error),
        }
    }
}
