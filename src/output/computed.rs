//! Results with their rules.

use bsq_analyses::{Described, Table};

/// The result of a command.
pub struct Computed {
    /// The command that computes the tables, without the name of the program and flags about output and
    /// work, such as `analyze playouts --board 4x4`.
    pub command: String,
    /// The rules.
    pub rules: Described,
    /// The main table, followed by any others.
    pub tables: Vec<Table>,
}

impl Computed {
    /// The tables, each followed by its total.
    pub fn all_tables(&self) -> impl Iterator<Item = &Table> {
        self.tables.iter().flat_map(|table| std::iter::once(table).chain(table.total.as_deref()))
    }
}
