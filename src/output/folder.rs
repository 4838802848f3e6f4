//! A folder of CSV files and their manifest, a Frictionless `datapackage.json`.
//!
//! The manifest says what is the same every time: command, version, rules, rows, checksum, and
//! the type and meaning of every column. Tables of other names that the folder already holds
//! keep their entries.

use super::{Answer, csv};
use crate::args::OutputArgs;
use crate::exit::usage;
use crate::files::NewFile;
use crate::run::Run;
use anyhow::{Context, Result};
use bsq_analyses::{Cell, Column, Kind, Table};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::io::Write;
use std::path::PathBuf;

/// The name of the manifest.
pub const MANIFEST: &str = "datapackage.json";
const NAME: &str = "bsq-results";
/// Above this many readers take integers for floating-point numbers and lose digits.
const EXACT_IN_A_FLOAT: u64 = 1 << 53;

/// A folder that results are written into.
pub struct Folder {
    path: PathBuf,
    /// Entries of the manifest that was there.
    kept: Vec<Value>,
}

impl Folder {
    /// The folder that was asked for, if one was; made if it is not there. Fails before any
    /// work is done if nothing can be written into it.
    pub fn open(output: &OutputArgs) -> Result<Option<Folder>> {
        let Some(path) = output.out.clone() else { return Ok(None) };
        std::fs::create_dir_all(&path)
            .and_then(|()| tempfile::tempfile_in(&path))
            .with_context(|| format!("cannot write into the folder {}", path.display()))?;
        let kept = match std::fs::read_to_string(path.join(MANIFEST)) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(error).context(format!("{}", path.join(MANIFEST).display())),
            Ok(text) => resources(&text).ok_or_else(|| {
                usage(format!(
                    "{} is no manifest of this program; remove it or choose another folder",
                    path.join(MANIFEST).display()
                ))
            })?,
        };
        Ok(Some(Folder { path, kept }))
    }

    /// Writes every table of the answers and the manifest. None of the files takes its place
    /// before all of them are written; the manifest is the last.
    pub fn write(self, run: &Run, answers: &[Answer]) -> Result<()> {
        let mut entries = self.kept;
        let mut files = Vec::new();
        let mut add = |name: &str, bytes: &[u8]| -> Result<()> {
            let path = self.path.join(name);
            let mut file = NewFile::begin(&path)?;
            file.write_all(bytes).with_context(|| format!("cannot write {}", path.display()))?;
            files.push((path, file));
            Ok(())
        };
        for answer in answers {
            for table in &answer.tables {
                let mut bytes = Vec::new();
                csv::write(&mut bytes, table)?;
                add(&file_name(table), &bytes)?;
                let entry = entry(answer, table, &bytes);
                entries.retain(|kept| kept["name"] != entry["name"]);
                entries.push(entry);
            }
        }
        entries.sort_by(|a, b| a["name"].as_str().cmp(&b["name"].as_str()));
        let manifest = json!({
            "profile": "tabular-data-package",
            "name": NAME,
            "title": "What bsq found",
            "resources": entries,
        });
        add(MANIFEST, (serde_json::to_string_pretty(&manifest)? + "\n").as_bytes())?;
        for (path, file) in files {
            file.finish()?;
            run.note(&format!("wrote {}", path.display()));
        }
        Ok(())
    }
}

fn resources(manifest: &str) -> Option<Vec<Value>> {
    let manifest: Value = serde_json::from_str(manifest).ok()?;
    if manifest.get("name")? != NAME {
        return None;
    }
    let resources = manifest.get("resources")?.as_array()?;
    resources.iter().all(|entry| entry["name"].is_string()).then(|| resources.clone())
}

fn file_name(table: &Table) -> String {
    format!("{}.csv", table.name)
}

fn entry(answer: &Answer, table: &Table, bytes: &[u8]) -> Value {
    let fields: Vec<Value> = (0..table.columns.len())
        .map(|i| field(&table.columns[i], column_cells(table, i)))
        .collect();
    let digest: String = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    let mut entry = json!({
        "name": table.name.replace('_', "-"),
        "path": file_name(table),
        "profile": "tabular-data-resource",
        "title": table.title,
        "format": "csv",
        "mediatype": "text/csv",
        "encoding": "utf-8",
        "bytes": bytes.len(),
        "hash": format!("sha256:{digest}"),
        "rows": table.rows.len(),
        "command": format!("bsq {}", answer.command),
        "version": env!("CARGO_PKG_VERSION"),
        "rules": answer.rules.fields,
        "schema": { "fields": fields, "missingValues": [""] },
    });
    if let Some(note) = &table.note {
        entry["description"] = json!(note);
    }
    entry
}

fn column_cells(table: &Table, i: usize) -> impl Iterator<Item = &Cell> {
    table.rows.iter().map(move |row| &row[i])
}

fn field<'a>(column: &Column, mut cells: impl Iterator<Item = &'a Cell>) -> Value {
    let kind = match column.kind {
        Kind::Integer => "integer",
        Kind::Label | Kind::Text => "string",
        Kind::Real(_) | Kind::Share => "number",
        Kind::Truth => "boolean",
    };
    let large = cells
        .any(|cell| matches!(cell, Cell::Integer(n) if n.magnitude() > &EXACT_IN_A_FLOAT.into()));
    let warning = if large {
        ". Some values exceed 2^53: read them as integers, not as floating-point numbers"
    } else {
        ""
    };
    json!({
        "name": column.name,
        "type": kind,
        "description": format!("{}{warning}", column.description),
    })
}
