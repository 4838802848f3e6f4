//! Writes exports, tables that do not fit in memory.

use super::folder::{Folder, Source};
use crate::run::Run;
use anyhow::Result;
use bsq_analyses::{Described, Export, Rows};
use bsq_api::tables;
use bsq_api::tables::manifest::{FileFormat, field};

/// The description of a column with positions, which names the command that reads them.
const POSITION: &str = "the same position as 'bsq solve' reads it: rows from the top, X for the first player, O for the second, then who is to move";

/// Writes an export and its manifest to a folder.
pub fn export(
    run: &Run,
    mut folder: Folder,
    export: &Export,
    rows: &dyn Rows,
    rules: &Described,
    command: &str,
    format: FileFormat,
) -> Result<()> {
    let mut table = export.table();
    for column in table.columns.iter_mut().filter(|column| column.name == "position") {
        column.description = POSITION.into();
    }
    let file = folder.begin(&table, format)?;
    let path = file.path().to_path_buf();
    let file = tables::write_rows(file, &table, rows, format, &path, &run.monitor())?;
    let source = Source { command, rules, table: &table };
    let fields = table.columns.iter().map(|column| field(column, format, std::iter::empty()));
    folder.add(file, &source, rows.count(), fields.collect());
    folder.finish(run)
}
