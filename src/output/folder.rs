//! A folder of tables as files and their manifest, a [Data Package](https://datapackage.org) of version 2.
//!
//! The manifest contains the data that does not vary between runs: command, version, rules, rows,
//! checksum, and the type and description of every column. Entries of other tables in the folder
//! are kept.

use super::computed::Computed;
use crate::cli::args::OutputArgs;
use crate::errors::usage;
use crate::new_file::NewFile;
use crate::run::Run;
use anyhow::{Context, Result};
use bsq_analyses::{Described, Table};
use bsq_api::tables;
use bsq_api::tables::manifest::{self, FileFormat, TableFile};
use bsq_engine::storage::files;
use bsq_engine::storage::header::Digest;
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A folder for results.
pub struct Folder {
    path: PathBuf,
    /// Entries of the manifest: existing ones, and those of `files`.
    entries: Vec<Value>,
    /// Files that are written but not yet moved to their paths.
    files: Vec<(PathBuf, NewFile)>,
}

impl Folder {
    /// Opens the folder of the arguments, if any, and creates it if necessary. Returns an error if
    /// it, or the file of the printed result, is not writable, or if the build does not support the
    /// format.
    pub fn open(output: &OutputArgs) -> Result<Option<Folder>> {
        super::check(output)?;
        // The file of the printed result is created at the end, and checked here.
        output.file.as_deref().map(NewFile::begin).transpose()?;
        output.out.as_deref().map(Folder::open_at).transpose()
    }

    /// Opens a folder, and creates it if necessary.
    pub fn open_at(path: &Path) -> Result<Folder> {
        std::fs::create_dir_all(path)
            .and_then(|()| tempfile::tempfile_in(path))
            .with_context(|| format!("cannot write into the folder {}", path.display()))?;
        let entries = match files::read_text(&path.join(manifest::FILE), manifest::LONGEST) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => {
                return Err(error).context(format!("{}", path.join(manifest::FILE).display()));
            }
            Ok(text) => manifest::entries(&text).ok_or_else(|| {
                usage(format!(
                    "{} is not a manifest of this program; remove it or choose another folder",
                    path.join(manifest::FILE).display()
                ))
            })?,
        };
        Ok(Folder { path: path.to_path_buf(), entries, files: Vec::new() })
    }

    /// Writes the tables of the answers, their totals and the manifest.
    pub fn write(mut self, run: &Run, answers: &[Computed], format: FileFormat) -> Result<()> {
        for answer in answers {
            for table in answer.all_tables() {
                let mut file = self.begin(table, format)?;
                tables::write(&mut file, table, format)?;
                let fields = table.columns.iter().enumerate();
                let cells = |i: usize| table.rows.iter().map(move |row| &row[i]);
                let fields = fields.map(|(i, column)| manifest::field(column, format, cells(i)));
                let source = Source { command: &answer.command, rules: &answer.rules, table };
                self.add(file, &source, table.rows.len(), fields.collect());
            }
        }
        self.finish(run)
    }

    /// Creates the file of a table.
    pub fn begin(&self, table: &Table, format: FileFormat) -> Result<OpenTable> {
        let path = self.path.join(format!("{}.{}", table.name, format.ending()));
        let file = NewFile::begin(&path)?;
        Ok(OpenTable { path, format, file, digest: Sha256::new(), bytes: 0 })
    }

    /// Adds a written file with the given number of rows, and the entries of its columns.
    pub fn add(&mut self, file: OpenTable, source: &Source, rows: usize, fields: Vec<Value>) {
        let sha256 = String::from(Digest::from(file.digest));
        let &Source { command, rules, table } = source;
        let (format, bytes) = (file.format, file.bytes);
        let sha256 = &sha256;
        let written = TableFile { table, format, command, rules, rows, bytes, sha256 };
        let entry = manifest::entry(&written, fields);
        self.entries.retain(|kept| kept["name"] != entry["name"]);
        self.entries.push(entry);
        self.files.push((file.path, file.file));
    }

    /// Writes the manifest and moves all files to their paths, after all of them are written. The
    /// manifest is the last one.
    pub fn finish(mut self, run: &Run) -> Result<()> {
        let manifest = manifest::package(self.entries);
        let path = self.path.join(manifest::FILE);
        let mut file = NewFile::begin(&path)?;
        let text = serde_json::to_string_pretty(&manifest)? + "\n";
        file.write_all(text.as_bytes())?;
        self.files.push((path, file));
        for (path, file) in self.files {
            file.finish()?;
            run.note(&format!("wrote {}", path.display()));
        }
        Ok(())
    }
}

/// The origin of a table.
pub struct Source<'a> {
    /// The command without the name of the program and the output, such as `analyze playouts`.
    pub command: &'a str,
    /// The rules.
    pub rules: &'a Described,
    /// The table, possibly without its rows.
    pub table: &'a Table,
}

/// The file of a table that is being written, with its checksum so far.
pub struct OpenTable {
    path: PathBuf,
    format: FileFormat,
    file: NewFile,
    digest: Sha256,
    bytes: u64,
}

impl OpenTable {
    /// The path of the finished file.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Write for OpenTable {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.digest.update(&bytes[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
