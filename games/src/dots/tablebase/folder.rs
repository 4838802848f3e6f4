//! The folder of a tablebase: a file for each layer, and a manifest that lists them.
//!
//! Files are written atomically. The manifest is written last. Then the layer files that it does
//! not list are removed. Other files in the folder are not touched. `docs/dots-tablebase.md`
//! describes the files.

use super::error::TablebaseError;
use super::plan::{CRC_BYTES, Limits, Plan};
use crate::dots::board::{Board, Lines};
use bsq_engine::storage::Digest;
use bsq_engine::storage::files::{self, AtomicFile, File, NEW};
use bsq_engine::storage::lock::Lock;
use bsq_engine::storage::{FileRecord, Format, Identity, StorageError};
use serde::{Deserialize, Serialize};
use std::io;
use std::path::{Path, PathBuf};

const MANIFEST: &str = "manifest";
const LOCK: &str = "manifest.lock";
const FORMAT: Format = Format { kind: "dots layers", noun: "manifest of a tablebase", version: 3 };
/// The number of bytes read at a time when checksums are compared, unless a row is longer.
const PIECE_BYTES: u64 = 1 << 20;

/// The metadata of a manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Manifest {
    board: String,
    from: Lines,
    /// The chains of the start, if each counts as one line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    chains: Vec<Lines>,
    penalty: i32,
    #[serde(rename = "book")]
    kept_lines: u32,
    /// The limit on the places of a row.
    row: usize,
    /// The high digits, as sets of lines.
    high: Vec<Lines>,
    /// The low digits.
    low: Vec<Lines>,
    /// The number of layers still to be built: those with the fewest high lines.
    pub left: usize,
    /// The value of the start, once it is known.
    pub value: Option<i8>,
    pub files: Vec<LayerFile>,
}

/// A file of rows of a layer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct LayerFile {
    /// The number of high lines drawn.
    pub layer: usize,
    /// The number of bytes of a row.
    pub places: usize,
    /// The name, the length, and the SHA-256 of the CRC-32s of the rows.
    pub record: FileRecord,
}

impl LayerFile {
    fn rows(&self) -> u64 {
        self.record.bytes / (self.places as u64 + CRC_BYTES)
    }
}

impl Manifest {
    /// The manifest of a tablebase without layers.
    pub fn new(plan: &Plan) -> Manifest {
        let lines = |digits: &[usize]| digits.iter().map(|&d| plan.digits.lines[d]).collect();
        Manifest {
            board: plan.board.to_string(),
            from: plan.from,
            chains: plan.chains(),
            penalty: plan.penalty(),
            kept_lines: plan.kept_lines,
            row: plan.low.size,
            high: lines(&plan.high.digits),
            low: lines(&plan.low.digits),
            left: plan.layers(),
            value: None,
            files: Vec::new(),
        }
    }

    /// The plan of this tablebase; `None` if the fields contradict each other.
    pub fn plan(&self) -> Option<Plan> {
        let board = Board::parse(&self.board).ok()?;
        let chains = !self.chains.is_empty();
        let limits = Limits { row: self.row, chains, ..Limits::default() };
        let plan =
            Plan::new(&board, self.from, self.penalty, Some(self.kept_lines), &limits).ok()?;
        let possible = |file: &LayerFile| {
            let LayerFile { layer, places, ref record } = *file;
            layer < plan.layers()
                && (places == plan.low.size && record.name == layer_name(layer)
                    || places == plan.kept_places(layer) && record.name == kept_name(layer))
                && record.bytes == plan.file_bytes(layer, places)
        };
        let fits =
            self.is_of(&plan) && self.left <= plan.layers() && self.files.iter().all(possible);
        fits.then_some(plan)
    }

    /// Whether the tablebase has this plan.
    pub fn is_of(&self, plan: &Plan) -> bool {
        let Manifest { left, value, files, .. } = self.clone();
        *self == Manifest { left, value, files, ..Manifest::new(plan) }
    }

    /// Returns the file with the given name.
    pub fn file(&self, name: &str) -> Option<&LayerFile> {
        self.files.iter().find(|file| file.record.name == name)
    }
}

impl Plan {
    /// What the rows of a file of the tablebase belong to: the manifest of a tablebase without
    /// layers, with no program, and the name of the file. Rows are numbered as in their layer.
    pub fn identity(&self, file: &str) -> Identity {
        let manifest = FORMAT.encode("", &Manifest::new(self)).expect("a manifest is JSON");
        Identity::of((manifest + file).as_bytes())
    }
}

/// The name of the file of a layer.
pub(super) fn layer_name(layer: usize) -> String {
    format!("layer-{layer:02}")
}

/// The name of the file of a layer that is stored only in part.
pub(super) fn kept_name(layer: usize) -> String {
    format!("book-{layer:02}")
}

/// A locked folder.
#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
    pub manifest: Manifest,
    /// Whether this process created it.
    created: bool,
    lock: Lock,
}

impl Folder {
    /// Locks a folder, and creates it if it does not exist. A tablebase in it must have the same
    /// plan.
    pub fn open(path: &Path, plan: &Plan) -> Result<Folder, TablebaseError> {
        let created = !path.exists();
        files::create_folder(path)?;
        let lock = Lock::acquire(&path.join(LOCK))?;
        let kept = read_manifest(path)?;
        if let Some(kept) = &kept {
            if !kept.is_of(plan) {
                let kept = match kept.plan() {
                    Some(plan) => plan.describe(),
                    None => format!("board {}", kept.board),
                };
                let (folder, asked) = (path.display().to_string(), plan.describe());
                return Err(TablebaseError::Other { folder, kept, asked });
            }
            if kept.plan().is_none() {
                return Err(inconsistent(path));
            }
        }
        let manifest = kept.unwrap_or_else(|| Manifest::new(plan));
        let folder = Folder { path: path.to_path_buf(), manifest, created, lock };
        folder.sweep();
        Ok(folder)
    }

    /// The path of the folder.
    pub fn folder(&self) -> &Path {
        &self.path
    }

    /// The path of a file.
    pub fn path(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Replaces the manifest, and removes the files that it does not list.
    pub fn save(&mut self, manifest: Manifest) -> Result<(), TablebaseError> {
        FORMAT.write(&self.path(MANIFEST), &manifest)?;
        self.manifest = manifest;
        self.sweep();
        Ok(())
    }

    /// Removes the tablebase.
    pub fn remove(mut self) -> Result<(), TablebaseError> {
        files::remove_file(&self.path(MANIFEST))?;
        self.manifest.files.clear();
        Ok(())
    }

    /// Removes files of layers that the manifest does not list.
    fn sweep(&self) {
        files::remove_files(&self.path, |name| is_own(name) && self.manifest.file(name).is_none());
    }
}

impl Drop for Folder {
    /// If there is no manifest, removes the files and the lock, and the folder if this process
    /// created it.
    fn drop(&mut self) {
        if !self.path(MANIFEST).exists() {
            self.sweep();
            self.lock.remove();
            if self.created {
                files::remove_folder(&self.path);
            }
        }
    }
}

/// Whether the name is that of a layer file, finished or not, or of an unfinished manifest.
fn is_own(name: &str) -> bool {
    let (name, unfinished) = match name.strip_suffix(NEW) {
        Some(name) => (name, true),
        None => (name, false),
    };
    let number = name.strip_prefix("layer-").or_else(|| name.strip_prefix("book-"));
    let is_number = |text: &str| text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit());
    number.is_some_and(is_number) || unfinished && name == MANIFEST
}

/// Reads the manifest of a folder, if there is one.
pub(super) fn read_manifest(folder: &Path) -> Result<Option<Manifest>, TablebaseError> {
    Ok(FORMAT.read(&folder.join(MANIFEST))?)
}

/// The error of a manifest whose fields contradict each other.
pub(super) fn inconsistent(folder: &Path) -> TablebaseError {
    StorageError::damaged(&folder.join(MANIFEST), "its numbers make no sense").into()
}

/// A file of rows that is being written, in any order.
pub(super) struct NewRows {
    layer: usize,
    places: usize,
    name: String,
    identity: Identity,
    bytes: u64,
    file: AtomicFile,
}

impl NewRows {
    /// Begins a file of a layer, with the given number of bytes of each row.
    pub fn begin(
        folder: &Folder,
        plan: &Plan,
        layer: usize,
        name: String,
        places: usize,
    ) -> Result<NewRows, TablebaseError> {
        let file = AtomicFile::create(&folder.path(&name))?;
        let (identity, bytes) = (plan.identity(&name), plan.file_bytes(layer, places));
        Ok(NewRows { layer, places, name, identity, bytes, file })
    }

    /// Writes a row. Returns its CRC-32.
    pub fn write(&self, row: usize, bytes: &[u8]) -> Result<u32, TablebaseError> {
        let at = row as u64 * self.places as u64;
        files::write_all_at(self.file.file(), bytes, at).map_err(|error| self.failed(&error))?;
        Ok(self.identity.crc32(row as u64, bytes))
    }

    /// Syncs the bytes written so far, so that the final sync does not take long.
    pub fn sync(&self) -> Result<(), TablebaseError> {
        self.file.file().sync_data().map_err(|error| self.failed(&error))
    }

    /// Writes the CRC-32s of all rows, and gives the file its name.
    pub fn finish(self, checksums: &[u32]) -> Result<LayerFile, TablebaseError> {
        let end: Vec<u8> = checksums.iter().flat_map(|crc| crc.to_le_bytes()).collect();
        let at = checksums.len() as u64 * self.places as u64;
        files::write_all_at(self.file.file(), &end, at).map_err(|error| self.failed(&error))?;
        self.file.rename()?;
        let record = FileRecord { name: self.name, bytes: self.bytes, sha256: Digest::of(&end) };
        Ok(LayerFile { layer: self.layer, places: self.places, record })
    }

    fn failed(&self, error: &io::Error) -> TablebaseError {
        StorageError::system("write", self.file.path(), error).into()
    }
}

/// A finished file of rows.
pub(super) struct RowsFile {
    path: PathBuf,
    pub places: usize,
    about: LayerFile,
    identity: Identity,
    file: File,
    /// All rows, if they are in memory.
    rows: Option<Vec<u8>>,
}

impl RowsFile {
    /// Opens a listed file of a folder. Fails if its length is wrong.
    pub fn open(folder: &Path, plan: &Plan, about: &LayerFile) -> Result<RowsFile, TablebaseError> {
        let (path, identity) = (folder.join(&about.record.name), plan.identity(&about.record.name));
        let (file, found) =
            files::open(&path).map_err(|error| StorageError::system("read", &path, &error))?;
        if found.len() != about.record.bytes {
            return Err(StorageError::damaged(&path, "its length is wrong").into());
        }
        let (places, about) = (about.places, about.clone());
        Ok(RowsFile { path, places, about, identity, file, rows: None })
    }

    /// The bytes that all rows take.
    pub fn bytes(&self) -> u64 {
        self.about.rows() * self.places as u64
    }

    /// Reads all rows into memory, and compares their checksums. Calls `on_read` with the number of
    /// bytes read since the last call.
    pub fn load(
        &mut self,
        mut on_read: impl FnMut(u64) -> Result<(), TablebaseError>,
    ) -> Result<(), TablebaseError> {
        let mut rows = vec![0; self.bytes() as usize];
        for (row, bytes) in rows.chunks_mut(self.places.max(1)).enumerate() {
            self.read_checked(row, bytes)?;
            on_read(bytes.len() as u64)?;
        }
        self.rows = Some(rows);
        Ok(())
    }

    /// The value at a place of a row; `None` if there is no such place.
    pub fn value(&self, row: usize, place: usize) -> Result<Option<i8>, TablebaseError> {
        if place >= self.places {
            return Ok(None);
        }
        if let Some(rows) = &self.rows {
            return Ok(Some(rows[row * self.places + place].cast_signed()));
        }
        let mut bytes = vec![0; self.places];
        self.read_checked(row, &mut bytes)?;
        Ok(Some(bytes[place].cast_signed()))
    }

    /// Reads a row.
    pub fn read(&self, row: usize, bytes: &mut [u8]) -> Result<(), TablebaseError> {
        self.read_at(row as u64 * self.places as u64, bytes)
    }

    /// Reads a row and compares its checksum.
    pub fn read_checked(&self, row: usize, bytes: &mut [u8]) -> Result<(), TablebaseError> {
        self.read(row, bytes)?;
        let mut crc = [0; CRC_BYTES as usize];
        self.read_at(self.bytes() + row as u64 * CRC_BYTES, &mut crc)?;
        if self.identity.crc32(row as u64, bytes).to_le_bytes() != crc {
            let why = format!("row {row} has another checksum");
            return Err(StorageError::damaged(&self.path, why).into());
        }
        Ok(())
    }

    /// Compares the checksums of all rows and of the file. Calls `on_read` repeatedly with the
    /// number of bytes read since the last call.
    pub fn check(
        &self,
        mut on_read: impl FnMut(u64) -> Result<(), TablebaseError>,
    ) -> Result<(), TablebaseError> {
        let (rows, places) = (self.about.rows(), self.places as u64);
        let damaged = || StorageError::damaged(&self.path, "its checksum is wrong").into();
        let mut checksums = vec![0; (rows * CRC_BYTES) as usize];
        self.read_at(self.bytes(), &mut checksums)?;
        if Digest::of(&checksums) != self.about.record.sha256 {
            return Err(damaged());
        }
        on_read(rows * CRC_BYTES)?;
        let rows_at_once = (PIECE_BYTES / places).clamp(1, rows.max(1));
        let mut bytes = vec![0; (rows_at_once * places) as usize];
        for first in (0..rows).step_by(rows_at_once as usize) {
            let count = rows_at_once.min(rows - first);
            let bytes = &mut bytes[..(count * places) as usize];
            self.read_at(first * places, bytes)?;
            let checksums = checksums[(first * CRC_BYTES) as usize..].chunks(CRC_BYTES as usize);
            for ((bytes, crc), row) in bytes.chunks(self.places).zip(checksums).zip(first..) {
                if self.identity.crc32(row, bytes).to_le_bytes() != crc {
                    return Err(damaged());
                }
            }
            on_read(count * places)?;
        }
        Ok(())
    }

    fn read_at(&self, at: u64, bytes: &mut [u8]) -> Result<(), TablebaseError> {
        files::read_exact_at(&self.file, bytes, at)
            .map_err(|error| StorageError::system("read", &self.path, &error).into())
    }
}
