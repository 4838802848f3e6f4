//! The folder of a run: a file for each layer, and a manifest that lists them.
//!
//! Files are written beside, synced and renamed, the manifest last; only then what it does not list
//! any more is removed. Nothing else in the folder is touched. See `docs/dots-tablebase.md`.

use super::error::TablebaseError;
use super::plan::{CRC_BYTES, Limits, Plan};
use crate::dots::board::{Board, Lines};
use serde::{Deserialize, Serialize};
use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

const MANIFEST: &str = "manifest";
const LOCK: &str = "manifest.lock";
const MAGIC: &str = "bsq dots layers, version ";
const VERSION: u32 = 1;
/// A manifest is not longer than that: a run has at most 64 layers.
const MOST_BYTES: u64 = 1 << 20;

/// What a manifest says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Manifest {
    board: String,
    from: Lines,
    /// Its chains, if each counts as one line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    chains: Vec<Lines>,
    penalty: i32,
    book: u32,
    /// The most places of a row that were asked for.
    row: usize,
    /// The digits, as sets of lines, that name rows.
    high: Vec<Lines>,
    /// Those that name places in a row.
    low: Vec<Lines>,
    /// How many layers there are still to be made: those with the fewest high lines.
    pub left: usize,
    /// The value of the start, at the end.
    pub value: Option<i8>,
    pub files: Vec<FileRecord>,
}

/// A file of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FileRecord {
    pub name: String,
    /// How many high lines are drawn.
    pub layer: usize,
    /// Bytes of a row.
    pub places: usize,
    pub bytes: u64,
    pub crc32: u32,
}

impl Manifest {
    /// Of a run that has not begun.
    pub fn new(plan: &Plan) -> Manifest {
        let lines = |digits: &[usize]| digits.iter().map(|&d| plan.digits.lines[d]).collect();
        Manifest {
            board: plan.board.to_string(),
            from: plan.from,
            chains: plan.chains(),
            penalty: plan.penalty(),
            book: plan.kept_lines,
            row: plan.low.size,
            high: lines(&plan.high.digits),
            low: lines(&plan.low.digits),
            left: plan.layers(),
            value: None,
            files: Vec::new(),
        }
    }

    /// The plan of this run, if it makes sense.
    pub fn plan(&self) -> Option<Plan> {
        let board = Board::parse(&self.board).ok()?;
        let limits = Limits { row: self.row, ..Limits::default() };
        let make = if self.chains.is_empty() { Plan::line_by_line } else { Plan::new };
        let plan = make(&board, self.from, self.penalty, Some(self.book), &limits).ok()?;
        let possible = |file: &FileRecord| {
            let whole = plan.low.size;
            file.layer < plan.layers()
                && (file.places == whole && file.name == layer_name(file.layer)
                    || file.places == plan.kept_places(file.layer)
                        && file.name == book_name(file.layer))
                && file.bytes == plan.file_bytes(file.layer, file.places)
        };
        let fits =
            self.is_of(&plan) && self.left <= plan.layers() && self.files.iter().all(possible);
        fits.then_some(plan)
    }

    /// Whether the run is of that.
    pub fn is_of(&self, plan: &Plan) -> bool {
        let Manifest { left, value, files, .. } = self.clone();
        *self == Manifest { left, value, files, ..Manifest::new(plan) }
    }

    /// The file of a layer with whole rows, or of the part that is kept of it.
    pub fn file(&self, name: &str) -> Option<&FileRecord> {
        self.files.iter().find(|file| file.name == name)
    }
}

/// The file of a layer.
pub(super) fn layer_name(layer: usize) -> String {
    format!("layer-{layer:02}")
}

/// The file of what is kept of a layer, if that is not all of it.
pub(super) fn book_name(layer: usize) -> String {
    format!("book-{layer:02}")
}

/// A folder, held by this process alone.
#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
    pub manifest: Manifest,
    /// Whether this process has made it.
    made: bool,
    _lock: File,
}

impl Folder {
    /// A folder for a new run, made if it is not there; or with one of the same plan, to go on with.
    pub fn open(path: &Path, plan: &Plan, resume: bool) -> Result<Folder, TablebaseError> {
        let shown = || path.display().to_string();
        if resume && !path.join(MANIFEST).exists() {
            return Err(TablebaseError::Missing(shown()));
        }
        let made = !path.exists();
        fs::create_dir_all(path).map_err(|error| TablebaseError::system("make", path, &error))?;
        let lock = lock(path)?;
        let kept = read_manifest(path)?;
        if let Some(kept) = &kept {
            let of = || kept.plan().map_or(format!("board {}", kept.board), |plan| plan.describe());
            if !resume {
                return Err(TablebaseError::Occupied { folder: shown(), kept: of() });
            }
            if !kept.is_of(plan) {
                let (kept, asked) = (of(), plan.describe());
                return Err(TablebaseError::Other { folder: shown(), kept, asked });
            }
            if kept.plan().is_none() {
                return Err(nonsense(path));
            }
        }
        let manifest = kept.unwrap_or_else(|| Manifest::new(plan));
        let folder = Folder { path: path.to_path_buf(), manifest, made, _lock: lock };
        folder.sweep();
        Ok(folder)
    }

    /// Where a file is.
    pub fn path(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Makes this the state to go on from, and removes the files that are not listed any more.
    pub fn save(&mut self, manifest: Manifest) -> Result<(), TablebaseError> {
        let (path, new) = (self.path(MANIFEST), self.path(&beside(MANIFEST)));
        let write = || -> io::Result<()> {
            let json = serde_json::to_string(&manifest)?;
            let mut file = File::create(&new)?;
            writeln!(file, "{MAGIC}{VERSION}, crc32 {:08x}", crc32fast::hash(json.as_bytes()))?;
            writeln!(file, "{json}")?;
            file.sync_all()?;
            sync_folder(&self.path)?; // the new files, before they are relied on
            fs::rename(&new, &path)?;
            sync_folder(&self.path)
        };
        write().map_err(|error| TablebaseError::system("write", &path, &error))?;
        self.manifest = manifest;
        self.sweep();
        Ok(())
    }

    /// Removes files of layers that the manifest does not list. What cannot be removed is in
    /// nobody's way.
    fn sweep(&self) {
        for entry in fs::read_dir(&self.path).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let Some(name) = name.to_str() else { continue };
            if is_ours(name) && self.manifest.file(name).is_none() {
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}

impl Drop for Folder {
    /// Leaves nothing behind where nothing is kept.
    fn drop(&mut self) {
        if !self.path(MANIFEST).exists() {
            self.sweep();
            let _ = fs::remove_file(self.path(LOCK));
            if self.made {
                let _ = fs::remove_dir(&self.path);
            }
        }
    }
}

/// Whether a file of that name is one of a run, or one that was not finished.
fn is_ours(name: &str) -> bool {
    let (name, unfinished) = match name.strip_suffix(NEW) {
        Some(name) => (name, true),
        None => (name, false),
    };
    let number = name.strip_prefix("layer-").or_else(|| name.strip_prefix("book-"));
    let is_number = |text: &str| text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit());
    number.is_some_and(is_number) || unfinished && name == MANIFEST
}

const NEW: &str = ".new";

/// The name of a file until it is finished.
fn beside(name: &str) -> String {
    format!("{name}{NEW}")
}

fn lock(folder: &Path) -> Result<File, TablebaseError> {
    let path = folder.join(LOCK);
    let file =
        File::create(&path).map_err(|error| TablebaseError::system("write", &path, &error))?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(TablebaseError::InUse(folder.display().to_string())),
        // Where the system has no locks there is only one's own care.
        _ => Ok(file),
    }
}

/// Reads the manifest of a folder, if there is one.
pub(super) fn read_manifest(folder: &Path) -> Result<Option<Manifest>, TablebaseError> {
    let path = folder.join(MANIFEST);
    let bytes = match fs::metadata(&path) {
        Ok(about) if !about.is_file() || about.len() > MOST_BYTES => {
            return Err(TablebaseError::damaged(&path, "it is no manifest"));
        }
        Ok(_) => fs::read(&path),
        Err(error) => Err(error),
    };
    let bytes = match bytes {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(TablebaseError::system("read", &path, &error)),
    };
    let text = std::str::from_utf8(&bytes).ok();
    let parts = text.and_then(|text| text.strip_prefix(MAGIC)?.split_once('\n'));
    let parts = parts.and_then(|(line, json)| Some((line.split_once(", crc32 ")?, json)));
    let Some(((version, crc32), json)) = parts else {
        return Err(TablebaseError::damaged(&path, "it does not begin as a manifest does"));
    };
    if version != VERSION.to_string() {
        let (path, found) = (path.display().to_string(), version.to_string());
        return Err(TablebaseError::Version { path, found, known: VERSION });
    }
    let json = json.strip_suffix('\n').unwrap_or(json);
    if crc32 != format!("{:08x}", crc32fast::hash(json.as_bytes())) {
        return Err(TablebaseError::damaged(&path, "its checksum is wrong"));
    }
    let manifest = serde_json::from_str(json);
    manifest.map(Some).map_err(|error| TablebaseError::damaged(&path, error.to_string()))
}

/// The manifest of this folder has the right checksum, but says what no run has written.
pub(super) fn nonsense(folder: &Path) -> TablebaseError {
    TablebaseError::damaged(&folder.join(MANIFEST), "its numbers make no sense")
}

/// Puts the names of a folder's files on the disk, where a system can do that.
fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

/// A file of rows that is being written, in any order; it has its name when it is finished.
pub(super) struct NewRows {
    record: FileRecord,
    path: PathBuf,
    new: PathBuf,
    file: File,
}

impl NewRows {
    /// Begins a file of a layer, with so many bytes of each row.
    pub fn begin(
        folder: &Folder,
        plan: &Plan,
        layer: usize,
        name: String,
        places: usize,
    ) -> Result<NewRows, TablebaseError> {
        let (path, new) = (folder.path(&name), folder.path(&beside(&name)));
        let file = File::options().read(true).write(true).create(true).truncate(true).open(&new);
        let file = file.map_err(|error| TablebaseError::system("write", &path, &error))?;
        let bytes = plan.file_bytes(layer, places);
        let record = FileRecord { name, layer, places, bytes, crc32: 0 };
        Ok(NewRows { record, path, new, file })
    }

    /// Puts a row in its place. Gives its checksum.
    pub fn write(&self, row: usize, bytes: &[u8]) -> Result<u32, TablebaseError> {
        let at = row as u64 * self.record.places as u64;
        write_all_at(&self.file, bytes, at).map_err(|error| self.failed(&error))?;
        Ok(crc32fast::hash(bytes))
    }

    /// Puts on the disk what was written so far, so that little is left to do at the end.
    pub fn sync(&self) -> Result<(), TablebaseError> {
        self.file.sync_data().map_err(|error| self.failed(&error))
    }

    /// Adds the checksums of all rows, and gives the file its name.
    pub fn finish(mut self, checksums: &[u32]) -> Result<FileRecord, TablebaseError> {
        let places = self.record.places as u64;
        let end: Vec<u8> = checksums.iter().flat_map(|crc| crc.to_le_bytes()).collect();
        let write = || -> io::Result<()> {
            write_all_at(&self.file, &end, checksums.len() as u64 * places)?;
            self.file.sync_all()?;
            fs::rename(&self.new, &self.path)
        };
        write().map_err(|error| self.failed(&error))?;
        let mut whole = crc32fast::Hasher::new();
        for &crc in checksums {
            whole.combine(&crc32fast::Hasher::new_with_initial_len(crc, places));
        }
        whole.update(&end);
        self.record.crc32 = whole.finalize();
        Ok(self.record)
    }

    fn failed(&self, error: &io::Error) -> TablebaseError {
        TablebaseError::system("write", &self.path, error)
    }
}

/// A finished file of rows.
pub(super) struct RowsFile {
    pub path: PathBuf,
    pub record: FileRecord,
    file: File,
}

impl RowsFile {
    pub fn open(path: PathBuf, record: &FileRecord) -> Result<RowsFile, TablebaseError> {
        let open = || -> io::Result<(File, fs::Metadata)> {
            // Others, such as pipes, may never open.
            if !fs::metadata(&path)?.is_file() {
                return Err(io::Error::other("it is no ordinary file"));
            }
            let file = File::open(&path)?;
            let about = file.metadata()?;
            Ok((file, about))
        };
        let (file, about) =
            open().map_err(|error| TablebaseError::system("read", &path, &error))?;
        if about.len() != record.bytes {
            return Err(TablebaseError::damaged(&path, "its length is wrong"));
        }
        Ok(RowsFile { path, record: record.clone(), file })
    }

    /// Reads a row.
    pub fn read(&self, row: usize, bytes: &mut [u8]) -> Result<(), TablebaseError> {
        self.read_at(row as u64 * self.record.places as u64, bytes)
    }

    /// Reads a row and compares its checksum.
    pub fn read_checked(&self, row: usize, bytes: &mut [u8]) -> Result<(), TablebaseError> {
        self.read(row, bytes)?;
        let mut crc = [0; CRC_BYTES as usize];
        let rows = self.record.bytes / (self.record.places as u64 + CRC_BYTES);
        self.read_at(rows * self.record.places as u64 + row as u64 * CRC_BYTES, &mut crc)?;
        if crc32fast::hash(bytes).to_le_bytes() != crc {
            return Err(TablebaseError::damaged(
                &self.path,
                format!("row {row} has another checksum"),
            ));
        }
        Ok(())
    }

    /// Compares the checksum of the whole file. Tells after each piece how many bytes it had.
    pub fn check(
        &self,
        mut heard: impl FnMut(u64) -> Result<(), TablebaseError>,
    ) -> Result<(), TablebaseError> {
        let (mut at, mut crc) = (0, crc32fast::Hasher::new());
        let mut bytes = vec![0; 1 << 20];
        while at < self.record.bytes {
            let piece = (self.record.bytes - at).min(bytes.len() as u64);
            let bytes = &mut bytes[..piece as usize];
            self.read_at(at, bytes)?;
            crc.update(bytes);
            at += piece;
            heard(piece)?;
        }
        if crc.finalize() != self.record.crc32 {
            return Err(TablebaseError::damaged(&self.path, "its checksum is wrong"));
        }
        Ok(())
    }

    fn read_at(&self, at: u64, bytes: &mut [u8]) -> Result<(), TablebaseError> {
        let read = read_exact_at(&self.file, bytes, at);
        read.map_err(|error| TablebaseError::system("read", &self.path, &error))
    }
}

#[cfg(unix)]
fn read_exact_at(file: &File, bytes: &mut [u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, at)
}

#[cfg(unix)]
fn write_all_at(file: &File, bytes: &[u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, at)
}

#[cfg(windows)]
fn read_exact_at(file: &File, mut bytes: &mut [u8], mut at: u64) -> io::Result<()> {
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

#[cfg(windows)]
fn write_all_at(file: &File, mut bytes: &[u8], mut at: u64) -> io::Result<()> {
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
