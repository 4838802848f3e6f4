//! Results with their rules.

use bsq_analyses::{Subject, Table, rules_fields, rules_label};
use bsq_games::british_square::Rules;
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
