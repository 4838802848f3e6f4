//! Tables that do not fit in memory: rows are computed in batches, column by column.

use crate::{AnalysisError, EXPORTS, Table};
use bsq_engine::monitor::Monitor;
use bsq_games::british_square::{BritishSquare, Rules};
use std::ops::Range;

/// A table whose rows are computed as they are written.
///
/// ```
/// use bsq_analyses::{Values, export_by_name};
/// use bsq_engine::monitor::Monitor;
/// use bsq_games::british_square::Rules;
///
/// let export = export_by_name("states").unwrap();
/// let rules = Rules::standard(3, 3).unwrap();
/// let rows = export.begin(&rules, &Monitor::default()).unwrap();
/// assert_eq!(rows.count(), 74);
/// let (columns, first) = (export.table().columns, rows.batch(0..1));
/// let value = columns.iter().position(|column| column.name == "value").unwrap();
/// assert_eq!(first[value], Values::Tiny(vec![1]));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Export {
    /// The name, which is unique among exports.
    pub name: &'static str,
    /// A description of the table, in a line.
    pub summary: &'static str,
    pub(crate) table: fn() -> Table,
    pub(crate) begin: Begin,
}

/// Does the work that precedes the rows.
type Begin = fn(BritishSquare, &Monitor) -> Result<Box<dyn Rows>, AnalysisError>;

impl Export {
    /// The table without rows.
    pub fn table(&self) -> Table {
        (self.table)()
    }

    /// Returns an error if the rules are too large for the export. Does no work.
    pub fn check(&self, rules: &Rules) -> Result<(), AnalysisError> {
        Ok(BritishSquare::new(rules.clone()).map(drop)?)
    }

    /// Does the work that precedes the rows.
    ///
    /// # Errors
    ///
    /// Fails if the rules are too large, and if the job fails or is stopped.
    pub fn begin(&self, rules: &Rules, monitor: &Monitor) -> Result<Box<dyn Rows>, AnalysisError> {
        (self.begin)(BritishSquare::new(rules.clone())?, monitor)
    }
}

/// Returns the export of that name.
pub fn export_by_name(name: &str) -> Option<&'static Export> {
    EXPORTS.iter().find(|export| export.name == name)
}

/// The rows of an export, in any order and from any thread.
pub trait Rows: Send + Sync {
    /// The number of rows.
    fn count(&self) -> usize;
    /// Computes some rows: the values of each column. A column has the same type in every batch,
    /// also in one without rows.
    fn batch(&self, rows: Range<usize>) -> Vec<Values>;
}

/// The values of a column in a batch of rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Values {
    /// Integers between -128 and 127.
    Tiny(Vec<i8>),
    /// Integers of 32 bits.
    Integer(Vec<i32>),
    /// Truth values.
    Truth(Vec<bool>),
    /// Texts.
    Text(Texts),
}

impl Values {
    /// The number of values.
    #[expect(clippy::len_without_is_empty, reason = "not needed")]
    pub fn len(&self) -> usize {
        match self {
            Values::Tiny(values) => values.len(),
            Values::Integer(values) => values.len(),
            Values::Truth(values) => values.len(),
            Values::Text(texts) => texts.ends.len(),
        }
    }
}

/// Texts, stored one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Texts {
    text: String,
    /// The ends of the texts.
    ends: Vec<usize>,
}

impl Texts {
    /// Adds the text that `write` appends.
    pub fn push_with(&mut self, write: impl FnOnce(&mut String)) {
        write(&mut self.text);
        self.ends.push(self.text.len());
    }

    /// Adds a text.
    pub fn push(&mut self, word: &str) {
        self.push_with(|text| text.push_str(word));
    }

    /// All texts, concatenated.
    pub fn joined(&self) -> &str {
        &self.text
    }

    /// The ranges of the texts in [`joined`](Texts::joined).
    pub fn ranges(&self) -> impl Iterator<Item = Range<usize>> {
        let starts = std::iter::once(&0).chain(&self.ends);
        starts.zip(&self.ends).map(|(&start, &end)| start..end)
    }

    /// Returns the text with that index.
    ///
    /// # Panics
    ///
    /// Panics if the index is out of range.
    pub fn get(&self, i: usize) -> &str {
        let start = if i == 0 { 0 } else { self.ends[i - 1] };
        &self.text[start..self.ends[i]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_told_apart() {
        let mut texts = Texts::default();
        for word in ["", "one", "", "two"] {
            texts.push(word);
        }
        let found: Vec<&str> = (0..4).map(|i| texts.get(i)).collect();
        assert_eq!(found, ["", "one", "", "two"]);
        assert!(texts.ranges().map(|range| &texts.joined()[range]).eq(found));
    }
}
