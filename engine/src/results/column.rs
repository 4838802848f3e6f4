//! The columns of tables.

use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// The type of a column's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ColumnType {
    /// Integers of any size.
    Integer,
    /// Real numbers with the given number of decimals.
    Real(usize),
    /// Shares between 0 and 1, with six decimals; shown as percentages.
    Share,
    /// Text.
    Text,
    /// Truth values.
    Truth,
}

/// A column of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Column {
    /// The name in CSV, JSON and manifests, which is stable: lower case, words joined by `_`.
    pub name: Cow<'static, str>,
    /// The type of the values.
    pub kind: ColumnType,
    /// The meaning and the unit of the values, as a sentence, and when there is no value.
    pub description: Cow<'static, str>,
    /// Whether the column is a part of the primary key.
    pub is_key: bool,
}

impl Column {
    const fn new(name: &'static str, kind: ColumnType, description: &'static str) -> Column {
        let (name, description) = (Cow::Borrowed(name), Cow::Borrowed(description));
        Column { name, kind, description, is_key: false }
    }

    /// A column whose name and description are known when the program runs.
    pub fn named(name: String, kind: ColumnType, description: String) -> Column {
        Column { name: name.into(), kind, description: description.into(), is_key: false }
    }

    /// The column as a part of the primary key.
    pub fn key(self) -> Column {
        Column { is_key: true, ..self }
    }
}

/// Declares a column of integers.
pub const fn integer(name: &'static str, description: &'static str) -> Column {
    Column::new(name, ColumnType::Integer, description)
}

/// Declares a column of shares.
pub const fn share(name: &'static str, description: &'static str) -> Column {
    Column::new(name, ColumnType::Share, description)
}

/// Declares a column of texts.
pub const fn text(name: &'static str, description: &'static str) -> Column {
    Column::new(name, ColumnType::Text, description)
}

/// Declares a column of truth values.
pub const fn truth(name: &'static str, description: &'static str) -> Column {
    Column::new(name, ColumnType::Truth, description)
}

/// Declares a column of real numbers with the given number of decimals.
pub const fn real(decimals: usize, name: &'static str, description: &'static str) -> Column {
    Column::new(name, ColumnType::Real(decimals), description)
}
