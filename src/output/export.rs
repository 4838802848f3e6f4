//! Writes exports, tables that do not fit in memory.

use super::folder::{Folder, OpenTable, Source};
#[cfg(feature = "full")]
use super::parquet;
use super::stream::Stream;
use crate::run::Run;
use anyhow::Result;
use bsq_analyses::{Described, Export, Rows, Table, Values};
use bsq_api::tables;
use bsq_api::tables::manifest::{FileFormat, field};
use std::io::Write;

/// The number of rows of CSV that a thread formats at a time.
const BATCH: usize = 1 << 14;
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
        column.description = POSITION;
    }
    let file = folder.begin(&table, format)?;
    let path = file.path().to_path_buf();
    let stream = Stream { run, rows, path: &path };
    let file = match format {
        FileFormat::Csv => write_csv(file, &table, &stream)?,
        #[cfg(feature = "full")]
        FileFormat::Parquet => parquet::write_rows(file, &table, &stream)?,
        #[cfg(not(feature = "full"))]
        FileFormat::Parquet => return super::check_parquet(),
    };
    let source = Source { command, rules, table: &table };
    let fields = table.columns.iter().map(|column| field(column, format, std::iter::empty()));
    folder.add(file, &source, rows.count(), fields.collect());
    folder.finish(run)
}

/// Writes a table as CSV.
fn write_csv(mut file: OpenTable, table: &Table, stream: &Stream) -> Result<OpenTable> {
    tables::csv::write(&mut file, table)?; // its header
    stream.pass_on(BATCH, lines, |lines| Ok(file.write_all(&lines)?))?;
    Ok(file)
}

/// Formats a batch as lines of CSV.
fn lines(batch: Vec<Values>) -> Result<Vec<u8>> {
    let rows = batch.first().map_or(0, Values::len);
    let mut csv = csv::Writer::from_writer(Vec::new());
    let mut digits = itoa::Buffer::new();
    for row in 0..rows {
        for column in &batch {
            csv.write_field(match column {
                Values::Tiny(values) => digits.format(values[row]),
                Values::Integer(values) => digits.format(values[row]),
                Values::Truth(values) => tables::csv::truth(values[row]),
                Values::Text(texts) => texts.get(row),
            })?;
        }
        csv.write_record(None::<&[u8]>)?;
    }
    Ok(csv.into_inner().map_err(|error| error.into_error())?)
}
