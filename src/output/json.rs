//! JSON output, with integers of any size as numbers.

use super::answer::Answer;
use anyhow::Result;
use bsq_analyses::{Cell, Column, Table};
use serde_json::{Map, Number, Value, json};
use std::io::Write;

/// Prints one answer as an object, several as an array.
pub fn print_answers(to: &mut impl Write, answers: &[Answer]) -> Result<()> {
    let values: Vec<Value> = answers.iter().map(answer).collect();
    match <[Value; 1]>::try_from(values) {
        Ok([one]) => print(to, &one),
        Err(several) => print(to, &Value::Array(several)),
    }
}

/// Prints a value, indented.
pub fn print(to: &mut impl Write, value: &Value) -> Result<()> {
    let mut text = serde_json::to_string_pretty(value)?;
    text.push('\n');
    Ok(to.write_all(text.as_bytes())?)
}

fn answer(answer: &Answer) -> Value {
    json!({
        "command": answer.command,
        "rules": answer.rules.fields,
        "tables": answer.tables.iter().map(table).collect::<Vec<_>>(),
    })
}

fn table(table: &Table) -> Value {
    json!({
        "name": table.name,
        "title": table.title,
        "note": table.note,
        "rows": rows(table),
        "total": table.total.as_deref().map(total),
    })
}

fn rows(table: &Table) -> Vec<Value> {
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
    match table.columns.iter().any(|column| column.is_key) {
        false if rows.len() == 1 => rows.remove(0),
        _ => rows.into(),
    }
}

fn value(cell: &Cell, column: &Column) -> Value {
    match cell {
        Cell::Integer(_) | Cell::Real(_) => {
            // The same digits as in CSV.
            let digits: Result<Number, _> = super::csv::text(cell, column.kind).parse();
            digits.map_or(Value::Null, Value::Number)
        }
        Cell::Text(text) => Value::String(text.clone()),
        Cell::Truth(yes) => Value::Bool(*yes),
        Cell::Empty => Value::Null,
    }
}
