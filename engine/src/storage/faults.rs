//! The operations of the system that [`storage`](super) performs, with faults on request, for tests.
//!
//! The environment variable `BSQ_FAULT` requests a fault: `KIND:AT:SEED:FOLDER`. Operations are
//! counted from 1, in the order in which they begin; the fault concerns the operation with the
//! number `AT`. The number of operations so far is in the file `operations` of the folder, which
//! must be on the same file system as the files of the job. The kinds:
//!
//! * `error`: the operation fails with an input or output error;
//! * `gone`: so do all later ones, as if the disk had been removed;
//! * `full`: from then on nothing can be written, the first write ends in the middle;
//! * `short`: from then on reads and writes transfer fewer bytes than asked, or are interrupted;
//! * `kill`: the process ends;
//! * `power`: the process ends, and what was not synced is lost or torn.
//!
//! After a loss of power, each write that was not synced is complete, lost, or complete up to some
//! byte, independently of the others. Of the changes to a folder that were not synced, some number
//! of the first ones remain. This allows for all that POSIX permits, except a change of bytes that
//! were synced before and not written since.

use crate::random::Random;
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::fs::{self, Metadata, OpenOptions, TryLockError};
use std::io::{self, Error, ErrorKind, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

pub use std::fs::ReadDir;

/// The exit code of a process that a fault has ended.
pub const EXIT_CODE: i32 = 86;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Error,
    Gone,
    Full,
    Short,
    Kill,
    Power,
}

/// The requested fault.
struct Plan {
    kind: Kind,
    at: u64,
    seed: u64,
    /// The folder for the number of operations, and for files that were removed or replaced.
    folder: PathBuf,
}

impl Plan {
    fn parse(text: &str) -> Option<Plan> {
        let mut parts = text.splitn(4, ':');
        let kind = match parts.next()? {
            "error" => Kind::Error,
            "gone" => Kind::Gone,
            "full" => Kind::Full,
            "short" => Kind::Short,
            "kill" => Kind::Kill,
            "power" => Kind::Power,
            _ => return None,
        };
        let [at, seed] = [parts.next()?, parts.next()?].map(|number| number.parse().ok());
        Some(Plan { kind, at: at?, seed: seed?, folder: parts.next()?.into() })
    }
}

static PLAN: LazyLock<Option<Plan>> = LazyLock::new(|| {
    let text = std::env::var("BSQ_FAULT").ok()?;
    Some(Plan::parse(&text).unwrap_or_else(|| panic!("BSQ_FAULT: '{text}' is not a fault")))
});

static LOG: Mutex<Log> = Mutex::new(Log::new());

/// What has happened so far.
struct Log {
    operations: u64,
    random: Option<Random>,
    /// The writes that are not synced, in order.
    writes: Vec<UnsyncedWrite>,
    /// The changes of folders that are not synced, in order.
    names: Vec<(PathBuf, NameChange)>,
}

/// The device and the inode of a file.
type Id = (u64, u64);

struct UnsyncedWrite {
    id: Id,
    file: Arc<fs::File>,
    at: u64,
    /// The bytes in the same place before, as far as the file went.
    old: Vec<u8>,
    new: Vec<u8>,
    /// The length of the file before.
    length: u64,
}

/// A change of the names in a folder. A backup is another name of a file that was removed.
enum NameChange {
    Created(PathBuf),
    CreatedFolder(PathBuf),
    Removed { path: PathBuf, backup: PathBuf },
    RemovedFolder(PathBuf),
    Renamed { from: PathBuf, to: PathBuf, backup: Option<PathBuf> },
}

/// What an operation needs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Needs {
    Nothing,
    Space,
}

/// The fault of an operation that is performed nevertheless.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Transfer {
    Whole,
    Part,
}

impl Log {
    const fn new() -> Log {
        Log { operations: 0, random: None, writes: Vec::new(), names: Vec::new() }
    }

    /// Adds a change of the names in a folder, if that must be logged.
    fn change(&mut self, folder: PathBuf, change: NameChange) {
        if power().is_some() {
            self.names.push((folder, change));
        }
    }

    fn random(&mut self, plan: &Plan, limit: usize) -> usize {
        self.random.get_or_insert(Random::of(plan.seed, "faults")).below(limit)
    }

    /// The number of bytes to transfer.
    fn length(&mut self, transfer: Transfer, length: usize) -> io::Result<usize> {
        match (transfer, &*PLAN) {
            (Transfer::Part, Some(plan)) if length > 1 => match self.random(plan, 4) {
                0 => Err(ErrorKind::Interrupted.into()),
                _ => Ok(1 + self.random(plan, length - 1)),
            },
            _ => Ok(length),
        }
    }

    fn backup(&self, plan: &Plan, path: &Path) -> io::Result<PathBuf> {
        let backup = plan.folder.join(format!("removed-{}", self.operations));
        fs::hard_link(path, &backup)?;
        Ok(backup)
    }

    /// Applies a loss of power, and ends the process.
    fn lose_power(&mut self, plan: &Plan) -> ! {
        let mut of_file: BTreeMap<Id, Vec<UnsyncedWrite>> = BTreeMap::new();
        for write in self.writes.drain(..) {
            of_file.entry(write.id).or_default().push(write);
        }
        let random = self.random.get_or_insert(Random::of(plan.seed, "faults"));
        for writes in of_file.into_values() {
            for write in writes.iter().rev() {
                write.file.write_all_at(&write.old, write.at).expect("the bytes before");
            }
            writes[0].file.set_len(writes[0].length).expect("the length before");
            let keeps_any = random.below(4) > 0;
            for write in writes.iter().filter(|_| keeps_any) {
                let kept = match random.below(4) {
                    0 => 0,
                    1 => random.below(write.new.len() + 1),
                    _ => write.new.len(),
                };
                write.file.write_all_at(&write.new[..kept], write.at).expect("the kept bytes");
            }
        }
        let mut kept: BTreeMap<PathBuf, usize> = BTreeMap::new();
        for (folder, _) in &self.names {
            *kept.entry(folder.clone()).or_default() += 1;
        }
        for count in kept.values_mut() {
            *count = random.below(*count + 1);
        }
        // The changes of each folder beyond the kept ones are undone, the last one first.
        let mut number: BTreeMap<&Path, usize> = BTreeMap::new();
        let is_lost = self.names.iter().map(|(folder, _)| {
            let number = number.entry(folder).or_default();
            *number += 1;
            *number > kept[folder]
        });
        let is_lost: Vec<bool> = is_lost.collect();
        for ((_, change), _) in self.names.iter().zip(is_lost).rev().filter(|(_, is_lost)| *is_lost)
        {
            change.undo(plan).expect("a change of names is undone");
        }
        exit()
    }
}

impl NameChange {
    fn undo(&self, plan: &Plan) -> io::Result<()> {
        match self {
            NameChange::Created(path) => fs::remove_file(path),
            NameChange::CreatedFolder(path) => {
                let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                fs::rename(path, plan.folder.join(format!("lost-{name}")))
            }
            NameChange::Removed { path, backup } => fs::hard_link(backup, path),
            NameChange::RemovedFolder(path) => fs::create_dir(path),
            NameChange::Renamed { from, to, backup } => {
                fs::rename(to, from)?;
                backup.as_ref().map_or(Ok(()), |backup| fs::hard_link(backup, to))
            }
        }
    }
}

fn exit() -> ! {
    // SAFETY: `_exit` ends the process without running any code of it.
    unsafe { libc::_exit(EXIT_CODE) }
}

/// Performs an operation, or fails in its place.
fn perform<T>(
    needs: Needs,
    operation: impl FnOnce(&mut Log, Transfer) -> io::Result<T>,
) -> io::Result<T> {
    let Some(plan) = &*PLAN else { return operation(&mut Log::new(), Transfer::Whole) };
    let mut log = LOG.lock();
    log.operations += 1;
    let number = log.operations;
    fs::write(plan.folder.join("operations"), number.to_string())?;
    let failed = |code| Err(Error::from_raw_os_error(code));
    match plan.kind {
        Kind::Error if number == plan.at => failed(libc::EIO),
        Kind::Gone if number >= plan.at => failed(libc::EIO),
        Kind::Full if number > plan.at && needs == Needs::Space => failed(libc::ENOSPC),
        Kind::Full if number == plan.at && needs == Needs::Space => {
            let result = operation(&mut log, Transfer::Part);
            result.and_then(|_| failed(libc::ENOSPC))
        }
        Kind::Short if number >= plan.at => operation(&mut log, Transfer::Part),
        Kind::Kill if number == plan.at => exit(),
        Kind::Power if number == plan.at => log.lose_power(plan),
        _ => operation(&mut log, Transfer::Whole),
    }
}

/// The plan, if changes that are not synced must be logged.
fn power() -> Option<&'static Plan> {
    PLAN.as_ref().filter(|plan| plan.kind == Kind::Power)
}

fn folder_of(path: &Path) -> PathBuf {
    super::files::folder_of(path).to_path_buf()
}

/// As [`std::fs::File`].
#[derive(Debug)]
pub struct File {
    inner: Arc<fs::File>,
    path: PathBuf,
    id: Id,
}

impl File {
    fn of(inner: fs::File, path: &Path) -> io::Result<File> {
        let about = inner.metadata()?;
        let id = (about.dev(), about.ino());
        Ok(File { inner: Arc::new(inner), path: path.to_path_buf(), id })
    }

    /// As [`std::fs::File::options`].
    pub fn options() -> OpenOptions {
        fs::File::options()
    }

    /// As [`std::fs::File::open`].
    pub fn open(path: impl AsRef<Path>) -> io::Result<File> {
        open(File::options().read(true), path.as_ref())
    }

    /// As [`std::fs::File::create_new`].
    pub fn create_new(path: impl AsRef<Path>) -> io::Result<File> {
        open(File::options().read(true).write(true).create_new(true), path.as_ref())
    }

    /// As [`std::fs::File::metadata`].
    pub fn metadata(&self) -> io::Result<Metadata> {
        perform(Needs::Nothing, |_, _| self.inner.metadata())
    }

    /// As [`std::fs::File::try_lock`].
    pub fn try_lock(&self) -> Result<(), TryLockError> {
        self.inner.try_lock()
    }

    /// As [`std::fs::File::sync_all`].
    pub fn sync_all(&self) -> io::Result<()> {
        perform(Needs::Nothing, |log, _| {
            self.inner.sync_all()?;
            log.writes.retain(|write| write.id != self.id);
            log.names.retain(|(folder, _)| *folder != self.path);
            Ok(())
        })
    }

    /// As [`std::fs::File::sync_data`].
    pub fn sync_data(&self) -> io::Result<()> {
        perform(Needs::Nothing, |log, _| {
            self.inner.sync_data()?;
            log.writes.retain(|write| write.id != self.id);
            Ok(())
        })
    }

    /// Writes at a position, and logs it.
    fn write_some(&self, bytes: &[u8], at: Option<u64>) -> io::Result<usize> {
        perform(Needs::Space, |log, transfer| {
            let bytes = &bytes[..log.length(transfer, bytes.len())?];
            let place = at.map_or_else(|| (&*self.inner).stream_position(), Ok)?;
            let change = if power().is_none() {
                None
            } else {
                let length = self.inner.metadata()?.len();
                let overlap = length.saturating_sub(place).min(bytes.len() as u64);
                let mut old = vec![0; overlap as usize];
                self.inner.read_exact_at(&mut old, place)?;
                let (file, new) = (Arc::clone(&self.inner), bytes.to_vec());
                Some(UnsyncedWrite { id: self.id, file, at: place, old, new, length })
            };
            match at {
                Some(at) => self.inner.write_all_at(bytes, at)?,
                None => (&*self.inner).write_all(bytes)?,
            }
            log.writes.extend(change);
            Ok(bytes.len())
        })
    }
}

impl Read for File {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        perform(Needs::Nothing, |log, transfer| {
            let length = log.length(transfer, bytes.len())?;
            (&*self.inner).read(&mut bytes[..length])
        })
    }
}

impl Write for File {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_some(bytes, None)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for File {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        (&*self.inner).seek(to)
    }
}

impl FileExt for File {
    fn read_at(&self, bytes: &mut [u8], at: u64) -> io::Result<usize> {
        perform(Needs::Nothing, |log, transfer| {
            let length = log.length(transfer, bytes.len())?;
            self.inner.read_at(&mut bytes[..length], at)
        })
    }

    fn write_at(&self, bytes: &[u8], at: u64) -> io::Result<usize> {
        self.write_some(bytes, Some(at))
    }
}

impl std::os::fd::AsRawFd for File {
    fn as_raw_fd(&self) -> std::os::fd::RawFd {
        self.inner.as_raw_fd()
    }
}

/// As [`OpenOptions::open`].
pub fn open(options: &OpenOptions, path: &Path) -> io::Result<File> {
    perform(Needs::Nothing, |log, _| {
        let existed = path.exists();
        let file = File::of(options.open(path)?, path)?;
        if !existed {
            log.change(folder_of(path), NameChange::Created(path.to_path_buf()));
        }
        Ok(file)
    })
}

/// As [`std::fs::symlink_metadata`].
pub fn symlink_metadata(path: impl AsRef<Path>) -> io::Result<Metadata> {
    let path = path.as_ref();
    perform(Needs::Nothing, |_, _| fs::symlink_metadata(path))
}

/// As [`std::fs::read_dir`].
pub fn read_dir(path: impl AsRef<Path>) -> io::Result<ReadDir> {
    let path = path.as_ref();
    perform(Needs::Nothing, |_, _| fs::read_dir(path))
}

/// As [`std::fs::rename`], within a folder.
pub fn rename(from: impl AsRef<Path>, to: impl AsRef<Path>) -> io::Result<()> {
    let (from, to) = (from.as_ref(), to.as_ref());
    perform(Needs::Nothing, |log, _| {
        let plan = power().filter(|_| to.exists());
        let backup = plan.map(|plan| log.backup(plan, to)).transpose()?;
        fs::rename(from, to)?;
        let (from, folder) = (from.to_path_buf(), folder_of(to));
        log.change(folder, NameChange::Renamed { from, to: to.to_path_buf(), backup });
        Ok(())
    })
}

/// As [`std::fs::remove_file`].
pub fn remove_file(path: impl AsRef<Path>) -> io::Result<()> {
    let path = path.as_ref();
    perform(Needs::Nothing, |log, _| {
        let plan = power().filter(|_| path.symlink_metadata().is_ok());
        let backup = plan.map(|plan| log.backup(plan, path)).transpose()?;
        fs::remove_file(path)?;
        if let Some(backup) = backup {
            log.change(folder_of(path), NameChange::Removed { path: path.to_path_buf(), backup });
        }
        Ok(())
    })
}

/// As [`std::fs::remove_dir`].
pub fn remove_dir(path: impl AsRef<Path>) -> io::Result<()> {
    let path = path.as_ref();
    perform(Needs::Nothing, |log, _| {
        fs::remove_dir(path)?;
        log.change(folder_of(path), NameChange::RemovedFolder(path.to_path_buf()));
        Ok(())
    })
}

/// As [`std::fs::create_dir_all`].
pub fn create_dir_all(path: impl AsRef<Path>) -> io::Result<()> {
    let path = path.as_ref();
    perform(Needs::Space, |log, _| {
        let missing = path.ancestors().take_while(|path| !path.exists() && **path != *"");
        let missing: Vec<PathBuf> = missing.map(Path::to_path_buf).collect();
        fs::create_dir_all(path)?;
        for path in missing.into_iter().rev() {
            log.change(folder_of(&path), NameChange::CreatedFolder(path));
        }
        Ok(())
    })
}
