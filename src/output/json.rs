//! JSON output, with integers of any size as numbers.

use super::computed::Computed;
use anyhow::Result;
use bsq_api::tables::json;
use serde_json::{Value, json};
use std::io::Write;

/// Prints one answer as an object, several as an array.
pub fn print_answers(to: &mut impl Write, answers: &[Computed]) -> Result<()> {
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

fn answer(answer: &Computed) -> Value {
    json!({
        "command": answer.command,
        "rules": answer.rules.fields,
        "tables": answer.tables.iter().map(json::table).collect::<Vec<_>>(),
    })
}
