//! Exclusive locks between processes.

use super::StorageError;
use super::system::{self, File};
use std::fs::TryLockError;
use std::path::{Path, PathBuf};

/// A locked file. The lock is released when this is dropped or when the process ends.
///
/// The file may be removed by its holder only. A process that opened the file before the removal
/// and locks it afterwards notices that the path names another file, and tries again, so that no
/// two processes hold a lock of one path.
#[derive(Debug)]
pub struct Lock {
    path: PathBuf,
    file: File,
}

impl Lock {
    /// Locks the file of that path, which is created if it does not exist. Symbolic links are not
    /// followed.
    ///
    /// # Errors
    ///
    /// [`StorageError::InUse`] with the folder of the file if another process holds the lock. Where
    /// the file system has no locks, nothing is checked.
    pub fn acquire(path: &Path) -> Result<Lock, StorageError> {
        loop {
            let mut options = File::options();
            options.read(true).write(true).create(true).truncate(false);
            #[cfg(unix)]
            std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NOFOLLOW);
            let file = system::open(&options, path)
                .map_err(|error| StorageError::system("write", path, &error))?;
            if let Err(TryLockError::WouldBlock) = file.try_lock() {
                let folder = path.parent().unwrap_or(path);
                return Err(StorageError::InUse { path: folder.display().to_string() });
            }
            if is_named(&file, path) {
                return Ok(Lock { path: path.to_path_buf(), file });
            }
        }
    }

    /// Removes the file. Call this as the last action in the locked folder.
    pub fn remove(&self) {
        if is_named(&self.file, &self.path) {
            let _ = system::remove_file(&self.path);
        }
    }
}

/// Whether the path still names the open file.
#[cfg(unix)]
fn is_named(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    match (file.metadata(), system::symlink_metadata(path)) {
        (Ok(open), Ok(named)) => (open.dev(), open.ino()) == (named.dev(), named.ino()),
        _ => false,
    }
}

/// Whether the path still names the open file. Elsewhere an open file keeps its name.
#[cfg(not(unix))]
fn is_named(_: &File, _: &Path) -> bool {
    true
}

#[cfg(test)]
mod tests;
