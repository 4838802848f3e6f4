//! Errors of files.

use super::header::REMEDY;
use crate::error::{HasKind, Kind};
use std::io;
use std::path::Path;

/// The reason why a file cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StorageError {
    /// An action failed with an error of the operating system.
    #[error("cannot {what} {path}: {why}")]
    System {
        /// The action, such as `write`.
        what: &'static str,
        /// The file or folder.
        path: String,
        /// The message of the operating system.
        why: String,
    },
    /// Another process holds the lock of a folder.
    #[error("{path} is in use by another process")]
    InUse {
        /// The folder.
        path: String,
    },
    /// The format of a file has another version.
    #[error(
        "{path} is of version {found} of the format, and this program reads version {known}; {REMEDY}"
    )]
    OtherVersion {
        /// The file.
        path: String,
        /// The version of the file.
        found: String,
        /// The version that can be read.
        known: u32,
    },
    /// The file has another format.
    #[error("{path} is not a {noun}")]
    Foreign {
        /// The file.
        path: String,
        /// The expected kind of file.
        noun: &'static str,
    },
    /// The content of a file is damaged.
    #[error("{path} is damaged: {why}")]
    Damaged {
        /// The file.
        path: String,
        /// The inconsistency.
        why: String,
    },
}

impl HasKind for StorageError {
    fn kind(&self) -> Kind {
        match self {
            StorageError::InUse { .. }
            | StorageError::OtherVersion { .. }
            | StorageError::Foreign { .. } => Kind::Usage,
            StorageError::System { .. } | StorageError::Damaged { .. } => Kind::Failed,
        }
    }
}

impl StorageError {
    /// Creates the error of a failed action.
    pub fn system(what: &'static str, path: &Path, error: &io::Error) -> StorageError {
        let is_missing = what == "write" && error.kind() == io::ErrorKind::NotFound;
        let folder = path.parent().filter(|folder| is_missing && !folder.is_dir());
        let why = match folder {
            Some(folder) if !folder.as_os_str().is_empty() => {
                format!("there is no folder '{}'; make it first", folder.display())
            }
            _ => error.to_string(),
        };
        StorageError::System { what, path: path.display().to_string(), why }
    }

    /// A file with inconsistent content.
    pub fn damaged(path: &Path, why: impl Into<String>) -> StorageError {
        StorageError::Damaged { path: path.display().to_string(), why: why.into() }
    }
}
