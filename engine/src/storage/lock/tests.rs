use super::*;
use std::fs;
use std::sync::atomic::{AtomicU32, Ordering};

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

/// Every holder removes the file, so contenders keep opening files that are about to be removed.
#[test]
fn no_two_contenders_hold_a_lock_together() {
    let folder = std::env::temp_dir().join(format!("bsq-locks-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join("lock");
    let (holders, taken) = (AtomicU32::new(0), AtomicU32::new(0));
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while taken.load(Ordering::Relaxed) < 500 {
                    let Ok(lock) = Lock::acquire(&path) else { continue };
                    assert_eq!(holders.fetch_add(1, Ordering::SeqCst), 0);
                    taken.fetch_add(1, Ordering::Relaxed);
                    holders.fetch_sub(1, Ordering::SeqCst);
                    lock.remove();
                }
            });
        }
    });
    fs::remove_dir_all(&folder).unwrap();
}
