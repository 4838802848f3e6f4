//! Tables in JSON, with integers of any size as numbers.

use super::batches::Digits;
use super::csv;
use bsq_analyses::{Cell, Column, Table, Values};
use bsq_engine::results::Series;
use serde_json::{Map, Number, Value, json};
use std::io::{self, Write};

/// A table as an object: `name`, `title`, `note`, `rows`, each an object by column, and `total`.
///
/// ```
/// use bsq_engine::tabulate;
///
/// let table = tabulate!("squares", "Squares", for number in 1u32..=2 => {
///     "number": integer key, "an integer" => number;
///     "square": integer, "its square" => number * number;
/// });
/// let value = bsq_api::tables::json::table(&table);
/// assert_eq!(value["rows"][1]["square"], 4);
/// ```
pub fn table(table: &Table) -> Value {
    json!({
        "name": table.name,
        "title": table.title,
        "note": table.note,
        "rows": rows(table),
        "total": table.total.as_deref().map(total),
    })
}

/// The rows of a table as objects by column.
pub(super) fn rows(table: &Table) -> Vec<Value> {
    let row = |row: &Vec<Cell>| -> Value {
        let fields = table.columns.iter().zip(row);
        fields
            .map(|(column, cell)| (column.name.to_string(), value(cell, column)))
            .collect::<Map<_, _>>()
            .into()
    };
    table.rows.iter().map(row).collect()
}

/// A total without key columns is an object, otherwise an array.
fn total(table: &Table) -> Value {
    let mut rows = rows(table);
    let has_key = table.columns.iter().any(|column| column.is_key);
    if rows.len() == 1 && !has_key { rows.remove(0) } else { rows.into() }
}

fn value(cell: &Cell, column: &Column) -> Value {
    match cell {
        Cell::Integer(_) | Cell::Real(_) => {
            // The same digits as in CSV.
            let digits: Result<Number, _> = csv::text(cell, column.kind).parse();
            digits.map_or(Value::Null, Value::Number)
        }
        Cell::Text(text) => Value::String(text.clone()),
        Cell::Truth(yes) => Value::Bool(*yes),
        Cell::Empty => Value::Null,
    }
}

/// A batch of rows as JSON objects by column, a line for each.
///
/// # Errors
///
/// Never in practice.
pub(crate) fn lines(columns: &[Column], batch: &[Series]) -> io::Result<Vec<u8>> {
    let rows = batch.first().map_or(0, |series| series.values.len());
    let (mut lines, mut digits) = (Vec::new(), Digits::default());
    for row in 0..rows {
        for (at, (series, column)) in batch.iter().zip(columns).enumerate() {
            lines.push(if at == 0 { b'{' } else { b',' });
            write!(lines, "\"{}\":", column.name)?;
            match &series.values {
                _ if !series.has(row) => lines.extend_from_slice(b"null"),
                Values::Text(texts) => serde_json::to_writer(&mut lines, texts.get(row))?,
                values => {
                    lines.extend_from_slice(digits.field(values, row, column.kind).as_bytes());
                }
            }
        }
        lines.extend_from_slice(b"}\n");
    }
    Ok(lines)
}
