//! Results with their rules.

use bsq_analyses::{Subject, Table, rules_fields, rules_label};
use bsq_games::british_square::{Board, Rules};
use serde_json::Value;

/// The result of a command.
pub struct Answer {
    /// The command that computes the tables, without the name of the program and flags about output and
    /// work, such as `analyze playouts --board 4x4`.
    pub command: String,
    /// The rules.
    pub rules: Described,
    /// The main table, followed by any others.
    pub tables: Vec<Table>,
}

impl Answer {
    /// The tables, each followed by its total.
    pub fn all_tables(&self) -> impl Iterator<Item = &Table> {
        self.tables.iter().flat_map(|table| std::iter::once(table).chain(table.total.as_deref()))
    }
}

/// Rules as they are presented with results.
#[derive(Clone, Debug)]
pub struct Described {
    /// A short text.
    pub label: String,
    /// Fields named after the flags.
    pub fields: Value,
}

impl From<&Rules> for Described {
    fn from(rules: &Rules) -> Described {
        Described { label: rules_label(rules), fields: rules_fields(rules) }
    }
}

impl From<&Subject> for Described {
    fn from(subject: &Subject) -> Described {
        Described { label: subject.label(), fields: subject.fields() }
    }
}

/// Formats the rules in a manifest as a short text. Empty if they are unknown.
pub fn rules_of_manifest(fields: &Value) -> String {
    let board = fields["board"].as_str();
    if let (None, Some(board)) = (fields["game"].as_str(), board.and_then(|b| Board::parse(b).ok()))
    {
        let number = |name: &str| fields[name].as_i64();
        return rules_label(&Rules {
            board,
            center_allowed: fields["center_allowed"] == true,
            bias: number("bias").and_then(|bias| bias.try_into().ok()).unwrap_or(0),
            pieces: number("pieces").and_then(|pieces| pieces.try_into().ok()),
        });
    }
    match (board, fields["lines"].as_u64()) {
        (Some(board), _) => board.to_string(),
        (None, Some(lines)) => format!("up to {lines} open lines"),
        (None, None) => String::new(),
    }
}
