//! Errors of analyses.

use crate::options::{METHOD, Method, TABLEBASE};
use bsq_engine::error::{Error, HasKind, Kind};
use bsq_engine::explore::ExploreError;
use bsq_engine::monitor::SolveError;
use bsq_games::british_square::{EvaluatorError, TooLarge};
use bsq_games::dots::search::EveryError;
use bsq_games::rpsw::tablebase::TablebaseError;
use bsq_games::{dots, rpsw};
use std::borrow::Cow;

/// An error of an analysis: an invalid request, or a job that failed or was stopped.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AnalysisError {
    /// The rules are invalid, or too large for the solver.
    #[error(transparent)]
    Rules(#[from] TooLarge),
    /// The board has too many lines.
    #[error(transparent)]
    Board(EveryError),
    /// There is no tablebase, which the analysis needs.
    #[error("the tablebase is missing")]
    NoTablebase,
    /// The value of an option is invalid.
    #[error("{why}")]
    Option {
        /// The name of the option.
        name: String,
        /// What is wrong, and what would be valid.
        why: String,
    },
    /// The analysis does not have the option.
    #[error("the analysis '{analysis}' takes no option '{option}'; it takes {}", options.join(", "))]
    Unknown {
        /// The name of the analysis.
        analysis: String,
        /// The option.
        option: String,
        /// The names of the options that it has.
        options: Vec<Cow<'static, str>>,
    },
    /// The analysis does not have the method.
    #[error("the method '{method}' is not for '{analysis}', which has {}", methods.join(", "))]
    Method {
        /// The name of the analysis.
        analysis: String,
        /// The method.
        method: String,
        /// The methods that it has.
        methods: Vec<Cow<'static, str>>,
    },
    /// The method does not support an option that the request has.
    #[error("the method '{}' does not support the option '{option}'", method.name())]
    ByMethod {
        /// The method.
        method: Method,
        /// The name of the option.
        option: &'static str,
    },
    /// The analysis is not counted in parts.
    #[error("'{analysis}' is not counted in parts; {} are", divided.join(" and "))]
    NoParts {
        /// The name of the analysis.
        analysis: String,
        /// The analyses that are.
        divided: Vec<&'static str>,
    },
    /// Only sets of pieces are counted in parts.
    #[error("parts need the method '{}'", Method::Sets.name())]
    PartMethod,
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
    /// Play need not end.
    #[error("positions can repeat, so play need not end")]
    Recurring,
    /// The tablebase cannot be read.
    #[error(transparent)]
    Tablebase(#[from] TablebaseError),
    /// The tablebase of Dots-and-Boxes cannot be read, or does not fit in memory.
    #[error(transparent)]
    DotsTablebase(#[from] dots::tablebase::TablebaseError),
    /// The tablebase contradicts itself.
    #[error(transparent)]
    Contradiction(rpsw::EvaluatorError),
    /// The game is not explored.
    #[error(transparent)]
    Explore(#[from] ExploreError),
    /// The solver failed or was stopped.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// The count by the transfer matrix failed or was stopped.
    #[error(transparent)]
    TransferMatrix(SolveError),
}

impl HasKind for AnalysisError {
    fn kind(&self) -> Kind {
        match self {
            AnalysisError::Rules(error) => error.kind(),
            AnalysisError::Board(error) => error.kind(),
            AnalysisError::Tablebase(error) => error.kind(),
            AnalysisError::DotsTablebase(error) => error.kind(),
            AnalysisError::Contradiction(error) => error.kind(),
            AnalysisError::Explore(error) => error.kind(),
            AnalysisError::Solve(error) | AnalysisError::TransferMatrix(error) => error.kind(),
            AnalysisError::Match { .. } => Kind::Failed,
            AnalysisError::NoTablebase
            | AnalysisError::Option { .. }
            | AnalysisError::Unknown { .. }
            | AnalysisError::Method { .. }
            | AnalysisError::ByMethod { .. }
            | AnalysisError::NoParts { .. }
            | AnalysisError::PartMethod
            | AnalysisError::Recurring
            | AnalysisError::NoArrangements => Kind::Usage,
        }
    }
}

impl AnalysisError {
    /// The error as front ends present it, located at the option that is wrong.
    pub fn located(self) -> Error {
        match &self {
            AnalysisError::Option { name, why } => Error::invalid(name, why),
            AnalysisError::Unknown { option, .. } => Error::invalid(option, &self),
            AnalysisError::Method { .. } => Error::invalid(METHOD, &self),
            AnalysisError::ByMethod { option, .. } => Error::invalid(option, &self),
            AnalysisError::NoTablebase => Error::invalid(&TABLEBASE.name, &self),
            _ => self.into(),
        }
    }

    /// The error of an invalid value of an option.
    pub fn option(name: impl Into<String>, why: impl Into<String>) -> AnalysisError {
        AnalysisError::Option { name: name.into(), why: why.into() }
    }

    /// Whether the question does not arise for the subject, although it is valid.
    pub fn is_inapplicable(&self) -> bool {
        matches!(self, AnalysisError::NoArrangements)
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
