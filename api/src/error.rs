//! Errors of questions.

use bsq_analyses::AnalysisError;
use serde::Serialize;

/// An error in answering a question.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[error("{message}")]
pub struct Error {
    /// What kind of error it is.
    pub code: Code,
    /// The part of the question that was wrong: the name of an option, `position`, `moves`, `record`
    /// or `tablebase`. Null if no part was.
    pub location: Option<String>,
    /// What was wrong, and what would be valid.
    pub message: String,
}

/// The kind of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Code {
    /// A part of the question is invalid.
    Invalid,
    /// The question is valid, but answering it takes more than is allowed.
    Refused,
    /// The caller stopped the job.
    Stopped,
    /// The evaluation failed.
    Failed,
}

impl From<AnalysisError> for Error {
    fn from(error: AnalysisError) -> Error {
        let code = match &error {
            AnalysisError::Option { name, why } => return Error::invalid(name, why),
            AnalysisError::Unknown { option, .. } => return Error::invalid(option, &error),
            AnalysisError::Method { .. } => return Error::invalid("method", &error),
            error if error.is_stopped() => Code::Stopped,
            error if error.is_usage() => Code::Invalid,
            AnalysisError::Tablebase(_) | AnalysisError::Contradiction(_) => Code::Failed,
            _ => Code::Refused,
        };
        Error::of(code, error)
    }
}

impl Error {
    /// An error about a part of the question.
    pub fn invalid(location: &str, message: impl ToString) -> Error {
        let location = Some(location.to_string());
        Error { code: Code::Invalid, location, message: message.to_string() }
    }

    /// An error without a location.
    pub fn of(code: Code, message: impl ToString) -> Error {
        Error { code, location: None, message: message.to_string() }
    }

    /// The error located by the name of a parameter, where an option of that name was wrong.
    pub fn of_parameter(self) -> Error {
        Error { location: self.location.map(|location| location.replace(' ', "_")), ..self }
    }
}
