//! The manifest of tables as files, a [Data Package](https://datapackage.org) of version 2.
//!
//! It contains the data that does not vary between runs: command, version, rules, rows, checksum,
//! and the type and description of every column.

use crate::command::program;
use bsq_analyses::{Cell, Column, ColumnType, Described, Table};
use bsq_engine::results::MOST_DIGITS;
use num_bigint::BigUint;
use serde_json::{Value, json};
use std::fmt;

/// The name of the file.
pub const FILE: &str = "datapackage.json";
/// The maximum length of the file, in bytes.
pub const LONGEST: u64 = 16 << 20;
const NAME: &str = "bsq-results";
const PROFILES: &str = "https://datapackage.org/profiles/2.0";
/// The largest integer that readers which parse integers as floating-point numbers represent
/// exactly.
const EXACT_IN_A_FLOAT: u64 = 1 << 53;

/// How tables are written to files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileFormat {
    /// Plain text, one row per line.
    Csv,
    /// A JSON object per row, one per line.
    JsonLines,
    /// Typed columns, compressed.
    Parquet,
    /// Typed columns as they are in memory, in the IPC format of Arrow.
    Arrow,
}

impl fmt::Display for FileFormat {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            FileFormat::Csv => "CSV",
            FileFormat::JsonLines => "JSON Lines",
            FileFormat::Parquet => "Parquet",
            FileFormat::Arrow => "Arrow",
        })
    }
}

/// A table as a file.
pub struct TableFile<'a> {
    /// The table, possibly without its rows.
    pub table: &'a Table,
    /// The format of the file.
    pub format: FileFormat,
    /// The command without the name of the program and the output, such as `analyze playouts`.
    pub command: &'a str,
    /// The rules.
    pub rules: &'a Described,
    /// The number of rows.
    pub rows: usize,
    /// The size of the file.
    pub bytes: u64,
    /// The SHA-256 digest of the file, in hexadecimal digits.
    pub sha256: &'a str,
}

/// The manifest of files by their entries, sorted by name.
pub fn package(mut entries: Vec<Value>) -> Value {
    entries.sort_by(|a, b| a["name"].as_str().cmp(&b["name"].as_str()));
    let licenses = env!("CARGO_PKG_LICENSE").split(" OR ");
    let version = env!("CARGO_PKG_VERSION");
    json!({
        "$schema": format!("{PROFILES}/datapackage.json"),
        "name": NAME,
        "title": "Results of bsq, exact analysis of small two-player games",
        "version": version,
        "licenses": licenses.map(|name| json!({ "name": name })).collect::<Vec<_>>(),
        "sources": [{ "title": "bsq", "version": version }],
        "resources": entries,
    })
}

/// The entries of a manifest of this program. `None` if it is something else.
pub fn entries(manifest: &str) -> Option<Vec<Value>> {
    let manifest: Value = serde_json::from_str(manifest).ok()?;
    if manifest.get("name")? != NAME || !manifest.get("$schema")?.as_str()?.starts_with(PROFILES) {
        return None;
    }
    let resources = manifest.get("resources")?.as_array()?;
    resources.iter().all(|entry| entry["name"].is_string()).then(|| resources.clone())
}

/// The entry of a file with the [entries of its columns](field).
pub fn entry(file: &TableFile, fields: Vec<Value>) -> Value {
    let TableFile { table, format, command, rules, rows, bytes, sha256 } = file;
    let FormatEntry { ending, suffix, flag, media_type, encoding } = format.entry();
    let key = table.columns.iter().filter(|column| column.is_key).map(|column| &*column.name);
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
        // Validators that read a format by a library do not count its bytes.
        "bytes": encoding.map(|_| bytes),
        "hash": format!("sha256:{sha256}"),
        "rows": rows,
        "command": format!("{} {command}{flag} --out .", program().name),
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
    /// The ending of the names of files.
    pub fn ending(self) -> &'static str {
        self.entry().ending
    }

    fn entry(self) -> FormatEntry {
        match self {
            FileFormat::Csv => FormatEntry {
                ending: "csv",
                suffix: "",
                flag: "",
                media_type: "text/csv",
                encoding: Some("utf-8"),
            },
            FileFormat::JsonLines => FormatEntry {
                ending: "jsonl",
                suffix: "-jsonl",
                flag: " --format jsonl",
                media_type: "application/jsonl",
                encoding: Some("utf-8"),
            },
            FileFormat::Arrow => FormatEntry {
                ending: "arrow",
                suffix: "-arrow",
                flag: " --format arrow",
                media_type: "application/vnd.apache.arrow.file",
                encoding: None,
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
    let is_binary = matches!(format, FileFormat::Parquet | FileFormat::Arrow);
    let (kind, warning) = match column.kind {
        ColumnType::Integer if is_binary && largest.is_some_and(|n| digits(n) > MOST_DIGITS) => {
            ("string", ". Integers as text, because some have more than 38 digits")
        }
        ColumnType::Integer
            if !is_binary && largest.is_some_and(|n| n > &EXACT_IN_A_FLOAT.into()) =>
        {
            (
                "integer",
                ". Some values exceed 2^53: read them as integers, not as floating-point numbers",
            )
        }
        ColumnType::Integer => ("integer", ""),
        ColumnType::Text => ("string", ""),
        ColumnType::Real(_) | ColumnType::Share => ("number", ""),
        ColumnType::Truth => ("boolean", ""),
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
