//! The kinds of errors, and the error that front ends present.

use serde::Serialize;

/// What kind of error it is. Front ends derive exit codes, HTTP statuses and exceptions from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// What was asked is not valid.
    #[serde(rename = "invalid")]
    Usage,
    /// What was asked is valid, but takes more than the resources allowed.
    Refused,
    /// The caller stopped the job, or its time was up.
    Stopped,
    /// The job failed: a file is damaged or cannot be read, or a resource was unavailable.
    Failed,
}

/// An error with a kind.
///
/// Every type that implements this trait can be converted to [`Error`], which therefore cannot
/// implement it.
///
/// The command looks for the kind of an error among its causes. A type that reaches the command
/// without being converted to [`Error`] must be listed in `kind` of `src/errors.rs`.
pub trait HasKind: std::error::Error {
    /// The kind.
    fn kind(&self) -> Kind;
}

/// Implements [`HasKind`] for types whose errors are all of [`Kind::Usage`].
///
/// ```
/// use bsq_engine::error::{HasKind, Kind};
///
/// #[derive(Debug, thiserror::Error)]
/// #[error("there is no piece '{0}'")]
/// struct NoSuchPiece(char);
///
/// bsq_engine::usage_errors!(NoSuchPiece);
/// assert_eq!(NoSuchPiece('Q').kind(), Kind::Usage);
/// ```
#[macro_export]
macro_rules! usage_errors {
    ($($error:ty),+ $(,)?) => {$(
        impl $crate::error::HasKind for $error {
            fn kind(&self) -> $crate::error::Kind {
                $crate::error::Kind::Usage
            }
        }
    )+};
}

/// An error as front ends present it. Every error with a kind can be converted.
///
/// ```
/// use bsq_engine::error::{Error, Kind};
/// use bsq_engine::monitor::SolveError;
///
/// assert_eq!(Error::from(SolveError::Stopped).kind, Kind::Stopped);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[error("{message}")]
pub struct Error {
    /// What kind of error it is.
    #[serde(rename = "code")]
    pub kind: Kind,
    /// The part of the question that was wrong: the name of an option or parameter, or `position`,
    /// `moves`, `record`, `tablebase` or the like. Null if no part was.
    pub location: Option<String>,
    /// What was wrong, and what would be valid.
    pub message: String,
}

impl Error {
    /// Creates an error about a part of the question that is not valid.
    pub fn invalid(location: &str, message: impl ToString) -> Error {
        Error::of(Kind::Usage, message).at(location)
    }

    /// Creates an error without a location.
    pub fn of(kind: Kind, message: impl ToString) -> Error {
        Error { kind, location: None, message: message.to_string() }
    }

    /// Returns the error with the given location.
    pub fn at(self, location: &str) -> Error {
        Error { location: Some(location.to_string()), ..self }
    }

    /// Converts the location from the name of an option to that of a parameter, with underscores in
    /// place of spaces.
    pub fn of_parameter(self) -> Error {
        Error { location: self.location.map(|location| location.replace(' ', "_")), ..self }
    }
}

impl<E: HasKind> From<E> for Error {
    fn from(error: E) -> Error {
        let mut message = error.to_string();
        let mut cause = error.source();
        while let Some(error) = cause {
            message += &format!(": {error}");
            cause = error.source();
        }
        Error::of(error.kind(), message)
    }
}
