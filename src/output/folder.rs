//! A folder of tables as files and their manifest, a [Data Package](https://datapackage.org) of version 2.
//!
//! The manifest contains the data that does not vary between runs: command, version, rules, rows,
//! checksum, and the type and description of every column. Entries of other tables in the folder
//! are kept.

use super::answer::Answer;
use super::parquet;
use crate::cli::args::{FileFormat, OutputArgs};
use crate::errors::usage;
use crate::files::NewFile;
use crate::run::Run;
use anyhow::{Context, Result};
use bsq_analyses::{Cell, Column, Described, Kind, Table};
use bsq_api::tables::csv;
use bsq_engine::storage::files;
use num_bigint::BigUint;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The name of the manifest.
pub const MANIFEST: &str = "datapackage.json";
/// The maximum length of the manifest, in bytes.
pub const LONGEST_MANIFEST: u64 = 16 << 20;
const NAME: &str = "bsq-results";
const PROFILES: &str = "https://datapackage.org/profiles/2.0";
/// The largest integer that readers which parse integers as floating-point numbers represent
/// exactly.
const EXACT_IN_A_FLOAT: u64 = 1 << 53;
/// The most digits of integers that are numbers in Parquet.
pub const MOST_DIGITS: usize = 38;

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
        let entries = match files::read_text(&path.join(MANIFEST), LONGEST_MANIFEST) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(error).context(format!("{}", path.join(MANIFEST).display())),
            Ok(text) => resources(&text).ok_or_else(|| {
                usage(format!(
                    "{} is not a manifest of this program; remove it or choose another folder",
                    path.join(MANIFEST).display()
                ))
            })?,
        };
        Ok(Folder { path: path.to_path_buf(), entries, files: Vec::new() })
    }

    /// Writes the tables of the answers, their totals and the manifest.
    pub fn write(mut self, run: &Run, answers: &[Answer], format: FileFormat) -> Result<()> {
        for answer in answers {
            for table in answer.all_tables() {
                let mut file = self.begin(table, format)?;
                match format {
                    FileFormat::Csv => csv::write(&mut file, table)?,
                    FileFormat::Parquet => file.write_all(&parquet::bytes(table)?)?,
                }
                let fields = table.columns.iter().enumerate();
                let cells = |i: usize| table.rows.iter().map(move |row| &row[i]);
                let fields = fields.map(|(i, column)| field(column, format, cells(i)));
                let source = Source { command: &answer.command, rules: &answer.rules, table };
                self.add(file, &source, table.rows.len(), fields.collect());
            }
        }
        self.finish(run)
    }

    /// Creates the file of a table.
    pub fn begin(&self, table: &Table, format: FileFormat) -> Result<TableFile> {
        let path = self.path.join(format!("{}.{}", table.name, format.entry().ending));
        let file = NewFile::begin(&path)?;
        Ok(TableFile { path, format, file, digest: Sha256::new(), bytes: 0 })
    }

    /// Adds a written file with the given number of rows.
    pub fn add(&mut self, file: TableFile, source: &Source, rows: usize, fields: Vec<Value>) {
        let entry = entry(&file, source, rows, fields);
        self.entries.retain(|kept| kept["name"] != entry["name"]);
        self.entries.push(entry);
        self.files.push((file.path, file.file));
    }

    /// Writes the manifest and moves all files to their paths, after all of them are written. The
    /// manifest is the last one.
    pub fn finish(mut self, run: &Run) -> Result<()> {
        self.entries.sort_by(|a, b| a["name"].as_str().cmp(&b["name"].as_str()));
        let licenses = env!("CARGO_PKG_LICENSE").split(" OR ");
        let version = env!("CARGO_PKG_VERSION");
        let manifest = json!({
            "$schema": format!("{PROFILES}/datapackage.json"),
            "name": NAME,
            "title": "Results of bsq, exact analysis of small two-player games",
            "version": version,
            "licenses": licenses.map(|name| json!({ "name": name })).collect::<Vec<_>>(),
            "sources": [{ "title": "bsq", "version": version }],
            "resources": self.entries,
        });
        let path = self.path.join(MANIFEST);
        let mut file = NewFile::begin(&path)?;
        let text = serde_json::to_string_pretty(&manifest)? + "\n";
        file.write_all(text.as_bytes())
            .with_context(|| format!("cannot write {}", path.display()))?;
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
pub struct TableFile {
    path: PathBuf,
    format: FileFormat,
    file: NewFile,
    digest: Sha256,
    bytes: u64,
}

impl TableFile {
    /// The path of the finished file.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Write for TableFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let named = |error: io::Error| {
            io::Error::new(error.kind(), format!("cannot write {}: {error}", self.path.display()))
        };
        let written = self.file.write(bytes).map_err(named)?;
        self.digest.update(&bytes[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

fn resources(manifest: &str) -> Option<Vec<Value>> {
    let manifest: Value = serde_json::from_str(manifest).ok()?;
    if manifest.get("name")? != NAME || !manifest.get("$schema")?.as_str()?.starts_with(PROFILES) {
        return None;
    }
    let resources = manifest.get("resources")?.as_array()?;
    resources.iter().all(|entry| entry["name"].is_string()).then(|| resources.clone())
}

fn entry(file: &TableFile, source: &Source, rows: usize, fields: Vec<Value>) -> Value {
    let Source { command, rules, table } = source;
    let digest = file.digest.clone().finalize();
    let digest: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    let FormatEntry { ending, suffix, flag, media_type, encoding } = file.format.entry();
    let key = table.columns.iter().filter(|column| column.is_key).map(|column| column.name);
    let mut entry = json!({
        "$schema": format!("{PROFILES}/dataresource.json"),
        "name": format!("{}{suffix}", table.name.replace('_', "-")),
        "path": format!("{}.{ending}", table.name),
        "type": "table",
        "title": table.title,
        "description": table.note,
        "format": ending,
        "mediatype": media_type,
        "encoding": encoding,
        // Validators that read Parquet by a library do not count its bytes.
        "bytes": encoding.map(|_| file.bytes),
        "hash": format!("sha256:{digest}"),
        "rows": rows,
        "command": format!("bsq {command}{flag} --out ."),
        "version": env!("CARGO_PKG_VERSION"),
        "rules": rules.fields,
        "schema": {
            "$schema": format!("{PROFILES}/tableschema.json"),
            "fields": fields,
            "fieldsMatch": "exact",
            "missingValues": [""],
            "primaryKey": key.collect::<Vec<_>>(),
        },
    });
    if let Some(entry) = entry.as_object_mut() {
        entry.retain(|_, value| !value.is_null());
    }
    if let Some(schema) = entry["schema"].as_object_mut() {
        schema.retain(|_, value| value != &json!([]));
    }
    entry
}

/// The description of a file format in the manifest.
struct FormatEntry {
    ending: &'static str,
    /// The suffix that distinguishes the names of a table in several formats.
    suffix: &'static str,
    /// The flag of the command.
    flag: &'static str,
    media_type: &'static str,
    encoding: Option<&'static str>,
}

impl FileFormat {
    fn entry(self) -> FormatEntry {
        match self {
            FileFormat::Csv => FormatEntry {
                ending: "csv",
                suffix: "",
                flag: "",
                media_type: "text/csv",
                encoding: Some("utf-8"),
            },
            FileFormat::Parquet => FormatEntry {
                ending: "parquet",
                suffix: "-parquet",
                flag: " --format parquet",
                media_type: "application/vnd.apache.parquet",
                encoding: None,
            },
        }
    }
}

/// The entry of a column in the manifest.
pub fn field<'a>(
    column: &Column,
    format: FileFormat,
    cells: impl Iterator<Item = &'a Cell>,
) -> Value {
    let integers = cells.filter_map(|cell| match cell {
        Cell::Integer(number) => Some(number.magnitude()),
        _ => None,
    });
    let largest = integers.max();
    let is_parquet = format == FileFormat::Parquet;
    let (kind, warning) = match column.kind {
        Kind::Integer if is_parquet && largest.is_some_and(|n| digits(n) > MOST_DIGITS) => {
            ("string", ". Integers as text, because some have more than 38 digits")
        }
        Kind::Integer if !is_parquet && largest.is_some_and(|n| n > &EXACT_IN_A_FLOAT.into()) => (
            "integer",
            ". Some values exceed 2^53: read them as integers, not as floating-point numbers",
        ),
        Kind::Integer => ("integer", ""),
        Kind::Text => ("string", ""),
        Kind::Real(_) | Kind::Share => ("number", ""),
        Kind::Truth => ("boolean", ""),
    };
    json!({
        "name": column.name,
        "type": kind,
        "description": format!("{}{warning}", column.description),
    })
}

/// The number of digits.
pub fn digits(magnitude: &BigUint) -> usize {
    magnitude.to_string().len()
}
