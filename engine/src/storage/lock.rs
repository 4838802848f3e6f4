//! Exclusive locks between processes.

use super::StorageError;
use std::fs::{self, File, TryLockError};
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
            let file =
                options.open(path).map_err(|error| StorageError::system("write", path, &error))?;
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
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Whether the path still names the open file.
#[cfg(unix)]
fn is_named(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    match (file.metadata(), fs::symlink_metadata(path)) {
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
mod tests {
    use super::*;

    #[test]
    fn a_lock_is_held_once() {
        let folder = std::env::temp_dir().join(format!("bsq-lock-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("lock");
        let held = Lock::acquire(&path).unwrap();
        let in_use = StorageError::InUse { path: folder.display().to_string() };
        assert_eq!(Lock::acquire(&path).unwrap_err(), in_use);
        // A file that was opened before the removal does not count as the lock.
        let late = File::open(&path).unwrap();
        held.remove();
        let next = Lock::acquire(&path).unwrap();
        drop(held);
        late.try_lock().unwrap();
        assert!(!cfg!(unix) || !is_named(&late, &path));
        assert_eq!(Lock::acquire(&path).unwrap_err(), in_use);
        next.remove();
        assert!(!path.exists());
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(folder.join("target"), &path).unwrap();
            assert!(matches!(Lock::acquire(&path), Err(StorageError::System { .. })));
            assert!(!folder.join("target").exists());
        }
        fs::remove_dir_all(&folder).unwrap();
    }
}
