//! CSV: a header, a line for each row, plain numbers, empty where there is no value.

use super::folder::TableFile;
use super::stream::Stream;
use anyhow::Result;
use bsq_analyses::{Cell, Kind, Table, Values};
use std::io::Write;

/// Rows that are written together.
const BATCH: usize = 1 << 14;

/// Writes a table.
pub fn write(to: impl Write, table: &Table) -> Result<()> {
    let mut csv = csv::Writer::from_writer(to);
    csv.write_record(table.columns.iter().map(|column| column.name))?;
    for row in &table.rows {
        csv.write_record(row.iter().zip(&table.columns).map(|(cell, c)| text(cell, c.kind)))?;
    }
    csv.flush()?;
    Ok(())
}

/// Writes a table that comes in batches.
pub fn write_rows(mut file: TableFile, table: &Table, stream: &Stream) -> Result<TableFile> {
    write(&mut file, table)?; // its header
    stream.pass_on(BATCH, lines, |lines| Ok(file.write_all(&lines)?))?;
    Ok(file)
}

/// The lines of a batch.
fn lines(batch: Vec<Values>) -> Result<Vec<u8>> {
    let rows = batch.first().map_or(0, Values::len);
    let mut csv = csv::Writer::from_writer(Vec::new());
    let mut digits = itoa::Buffer::new();
    for row in 0..rows {
        for column in &batch {
            csv.write_field(match column {
                Values::Tiny(values) => digits.format(values[row]),
                Values::Integer(values) => digits.format(values[row]),
                Values::Truth(values) => truth(values[row]),
                Values::Text(texts) => texts.get(row),
            })?;
        }
        csv.write_record(None::<&[u8]>)?;
    }
    Ok(csv.into_inner().map_err(|error| error.into_error())?)
}

fn truth(yes: bool) -> &'static str {
    if yes { "true" } else { "false" }
}

/// A value in plain characters.
pub fn text(cell: &Cell, kind: Kind) -> String {
    match (cell, kind) {
        (Cell::Integer(n), _) => n.to_string(),
        (Cell::Real(x), Kind::Real(decimals)) => format!("{x:.decimals$}"),
        (Cell::Real(x), _) => format!("{x:.6}"),
        (Cell::Text(text), _) => text.clone(),
        (Cell::Truth(yes), _) => truth(*yes).to_string(),
        (Cell::Empty, _) => String::new(),
    }
}
