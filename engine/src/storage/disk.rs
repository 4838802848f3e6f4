//! Free space on disks.

use super::files::folder_of;
use crate::error::{HasKind, Kind};
use bytesize::ByteSize;
use std::path::Path;

/// A disk without space for a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path} may take {}, and {} are free on its disk", needed.display().iec(), available.display().iec())]
pub struct DiskFull {
    /// The path of the file or folder.
    pub path: String,
    /// The greatest size that it may have.
    pub needed: ByteSize,
    /// What is free.
    pub available: ByteSize,
}

impl HasKind for DiskFull {
    fn kind(&self) -> Kind {
        Kind::Failed
    }
}

/// Checks that a file or folder of that size fits on its disk.
///
/// # Errors
///
/// If it does not. The check is left out if the system does not report what is free.
pub fn check(path: &Path, bytes: u64) -> Result<(), DiskFull> {
    let Ok(available) = fs4::available_space(folder_of(path)) else { return Ok(()) };
    if available < bytes {
        Err(DiskFull {
            path: path.display().to_string(),
            needed: ByteSize::b(bytes),
            available: ByteSize::b(available),
        })
    } else {
        Ok(())
    }
}
