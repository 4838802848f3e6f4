//! Atomic files, directories, positioned reads and writes.

use super::StorageError;
use super::header::{Format, HEADER_BYTES, program};
use super::system;
pub use super::system::File;
use bytesize::ByteSize;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs::Metadata;
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// The ending of the name of an [`AtomicFile`] that is not committed.
pub const NEW: &str = ".new";

/// A file that gets its name when it is complete. It is written under a temporary name in the same
/// folder, synced, and renamed. If it is dropped before being committed, the temporary file is
/// removed.
#[derive(Debug)]
pub struct AtomicFile {
    path: PathBuf,
    new: PathBuf,
    file: File,
    committed: bool,
}

impl AtomicFile {
    /// Creates the temporary file in a folder that only this process writes to. The temporary name
    /// is the name followed by [`NEW`]; a file that an earlier process left there is replaced.
    pub fn create(path: &Path) -> Result<AtomicFile, StorageError> {
        let failed = |error: io::Error| StorageError::system("write", path, &error);
        let new = with_suffix(path, NEW);
        match system::remove_file(&new) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(failed(error)),
            _ => {}
        }
        AtomicFile::at(path, new).map_err(failed)
    }

    /// Creates the temporary file in a folder that other processes may write to. No other process
    /// uses the temporary name. Temporary files of processes that were killed are removed.
    pub fn create_unique(path: &Path) -> io::Result<AtomicFile> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let name = path.file_name().ok_or(ErrorKind::InvalidFilename)?;
        let prefix = format!(".{}.", name.to_string_lossy());
        let folder = folder_of(path);
        remove_abandoned(folder, &prefix);
        loop {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let new = folder.join(format!("{prefix}{}-{number}{NEW}", std::process::id()));
            match AtomicFile::at(path, new) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
                Ok(file) => {
                    // Held by the lock, the file is not removed as abandoned.
                    let _ = file.file.try_lock();
                    return Ok(file);
                }
            }
        }
    }

    fn at(path: &Path, new: PathBuf) -> io::Result<AtomicFile> {
        // Creating a new file does not follow a symbolic link of that name.
        let file = File::create_new(&new)?;
        Ok(AtomicFile { path: path.to_path_buf(), new, file, committed: false })
    }

    /// The open file.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// The name of the file once it is committed.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Syncs the file and gives it its name. The name is on the disk when the folder is synced, see
    /// [`sync_folder`].
    pub fn rename(mut self) -> Result<(), StorageError> {
        let renamed = self.file.sync_all().and_then(|()| system::rename(&self.new, &self.path));
        renamed.map_err(|error| StorageError::system("write", &self.path, &error))?;
        self.committed = true;
        Ok(())
    }

    /// Syncs the file, gives it its name, and syncs the folder.
    pub fn commit(self) -> Result<(), StorageError> {
        let path = self.path.clone();
        self.rename()?;
        sync_folder(folder_of(&path))
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for AtomicFile {
    fn drop(&mut self) {
        if !self.committed {
            let _ = system::remove_file(&self.new);
        }
    }
}

/// Removes temporary files that no process holds. Failures are ignored.
fn remove_abandoned(folder: &Path, prefix: &str) {
    for entry in system::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let Some(name) = name.to_str() else { continue };
        let number = name.strip_prefix(prefix).and_then(|rest| rest.strip_suffix(NEW));
        let is_number = |number: &str| number.bytes().all(|b| b.is_ascii_digit() || b == b'-');
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if number.is_some_and(is_number)
            && is_file
            && File::open(entry.path()).is_ok_and(|file| file.try_lock().is_ok())
        {
            let _ = system::remove_file(entry.path());
        }
    }
}

/// Appends a suffix to a path.
fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// Returns the folder of a file.
pub fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Creates a folder and those above it, and syncs their names.
pub fn create_folder(folder: &Path) -> Result<(), StorageError> {
    let is_missing = |path: &&Path| !path.as_os_str().is_empty() && !path.exists();
    let missing: Vec<&Path> = folder.ancestors().take_while(is_missing).collect();
    let created = system::create_dir_all(folder);
    created.map_err(|error| StorageError::system("make", folder, &error))?;
    missing.into_iter().rev().try_for_each(|created| sync_folder(folder_of(created)))
}

/// Syncs the entries of a folder, where the system supports it.
pub fn sync_folder(folder: &Path) -> Result<(), StorageError> {
    let sync = || if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) };
    sync().map_err(|error| StorageError::system("write", folder, &error))
}

/// Returns the names of the files in a folder, except those that are not Unicode.
pub fn names(folder: &Path) -> Result<Vec<String>, StorageError> {
    let read = || -> io::Result<Vec<String>> {
        let names =
            system::read_dir(folder)?.map(|entry| Ok(entry?.file_name().into_string().ok()));
        Ok(names.collect::<io::Result<Vec<_>>>()?.into_iter().flatten().collect())
    };
    read().map_err(|error| StorageError::system("read", folder, &error))
}

/// Removes the files of a folder that a predicate selects by name. Failures are ignored, because no
/// reader uses such files.
pub fn remove_files(folder: &Path, selected: impl Fn(&str) -> bool) {
    for name in names(folder).unwrap_or_default().iter().filter(|name| selected(name)) {
        let _ = system::remove_file(folder.join(name));
    }
}

/// Removes a file.
pub fn remove_file(path: &Path) -> Result<(), StorageError> {
    system::remove_file(path).map_err(|error| StorageError::system("remove", path, &error))
}

/// Removes an empty folder. Failures are ignored.
pub fn remove_folder(folder: &Path) {
    let _ = system::remove_dir(folder);
}

/// Creates a file. Fails if it exists.
pub fn create_new(path: &Path) -> io::Result<File> {
    File::create_new(path)
}

/// Opens a regular file for reading. Opening does not block.
///
/// # Errors
///
/// [`ErrorKind::InvalidInput`] for other files, such as folders, pipes and devices.
pub fn open(path: &Path) -> io::Result<(File, Metadata)> {
    let mut options = File::options();
    options.read(true);
    // A pipe that no process writes to is opened at once, and then rejected.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK);
    let file = system::open(&options, path)?;
    let about = file.metadata()?;
    if about.is_file() {
        Ok((file, about))
    } else {
        Err(io::Error::new(ErrorKind::InvalidInput, "it is not a regular file"))
    }
}

/// Reads a regular file of at most `most` bytes.
///
/// # Errors
///
/// [`ErrorKind::FileTooLarge`] for larger files, and the errors of [`open`].
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    read_all(&mut open(path)?.0, most)
}

/// Reads the rest of an input, at most `most` bytes.
///
/// # Errors
///
/// [`ErrorKind::FileTooLarge`] if there are more.
pub fn read_all(input: &mut impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if input.take(most).read_to_end(&mut bytes)? as u64 == most && input.read(&mut [0])? > 0 {
        let most = ByteSize::b(most).display().iec();
        return Err(io::Error::new(ErrorKind::FileTooLarge, format!("it has more than {most}")));
    }
    Ok(bytes)
}

/// Reads a regular file of at most `most` bytes of UTF-8 text.
///
/// # Errors
///
/// [`ErrorKind::InvalidData`] with line and column for other text, and the errors of [`read`].
pub fn read_text(path: &Path, most: u64) -> io::Result<String> {
    String::from_utf8(read(path, most)?).map_err(|error| {
        let valid = String::from_utf8_lossy(&error.as_bytes()[..error.utf8_error().valid_up_to()]);
        let (line, column) = (valid.split('\n').count(), valid.split('\n').next_back());
        let column = column.map_or(0, |rest| rest.chars().count()) + 1;
        let why = format!("line {line}, column {column}: not UTF-8 text");
        io::Error::new(ErrorKind::InvalidData, why)
    })
}

/// Files that consist of a header.
impl Format {
    /// Writes a file that consists of a header, and syncs the folder.
    pub fn write(&self, path: &Path, metadata: &impl Serialize) -> Result<(), StorageError> {
        let mut file = AtomicFile::create(path)?;
        let text = self.encode(&program(), metadata);
        text.and_then(|text| file.write_all(text.as_bytes()))
            .map_err(|error| StorageError::system("write", path, &error))?;
        // New files that the header lists have their names before they are relied on.
        sync_folder(folder_of(path))?;
        file.commit()
    }

    /// Reads a file that consists of a header; `None` if there is no such file, or no such folder.
    pub fn read<T: DeserializeOwned>(&self, path: &Path) -> Result<Option<T>, StorageError> {
        let bytes = match read(path, HEADER_BYTES) {
            Ok(bytes) => bytes,
            Err(error)
                if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) =>
            {
                return Ok(None);
            }
            Err(error) => return Err(StorageError::system("read", path, &error)),
        };
        match self.decode(&bytes) {
            Ok(header) if header.bytes == bytes.len() => Ok(Some(header.metadata)),
            Ok(_) => Err(StorageError::damaged(path, "something follows its end")),
            Err(error) => Err(self.error(path, error)),
        }
    }
}

/// Fills the bytes from a position in the file.
#[cfg(unix)]
pub fn read_exact_at(file: &File, bytes: &mut [u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, at)
}

/// Writes the bytes to a position in the file.
#[cfg(unix)]
pub fn write_all_at(file: &File, bytes: &[u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, at)
}

/// Fills the bytes from a position in the file.
#[cfg(windows)]
pub fn read_exact_at(file: &File, mut bytes: &mut [u8], mut at: u64) -> io::Result<()> {
    use std::os::windows::fs::FileExt;
    while !bytes.is_empty() {
        match file.seek_read(bytes, at) {
            Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
            Ok(read) => (bytes, at) = (&mut bytes[read..], at + read as u64),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Writes the bytes to a position in the file.
#[cfg(windows)]
pub fn write_all_at(file: &File, mut bytes: &[u8], mut at: u64) -> io::Result<()> {
    use std::os::windows::fs::FileExt;
    while !bytes.is_empty() {
        match file.seek_write(bytes, at) {
            Ok(0) => return Err(ErrorKind::WriteZero.into()),
            Ok(written) => (bytes, at) = (&bytes[written..], at + written as u64),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
