//! CSV output: a header, a line for each row, plain numbers, and empty fields for missing values.

use bsq_analyses::{Cell, ColumnType, Table};
use std::io::Write;

/// Writes a table.
///
/// # Errors
///
/// If the text cannot be written.
pub fn write(to: impl Write, table: &Table) -> Result<(), csv::Error> {
    let mut csv = csv::Writer::from_writer(to);
    csv.write_record(table.columns.iter().map(|column| &*column.name))?;
    for row in &table.rows {
        csv.write_record(row.iter().zip(&table.columns).map(|(cell, c)| text(cell, c.kind)))?;
    }
    csv.flush()?;
    Ok(())
}

/// Formats a truth value as `true` or `false`.
pub fn truth(yes: bool) -> &'static str {
    if yes { "true" } else { "false" }
}

/// Formats a value.
pub fn text(cell: &Cell, kind: ColumnType) -> String {
    match (cell, kind) {
        (Cell::Integer(n), _) => n.to_string(),
        (Cell::Real(x), ColumnType::Real(decimals)) => format!("{x:.decimals$}"),
        (Cell::Real(x), _) => format!("{x:.6}"),
        (Cell::Text(text), _) => text.clone(),
        (Cell::Truth(yes), _) => truth(*yes).to_string(),
        (Cell::Empty, _) => String::new(),
    }
}
