//! Tables that are too long for memory: their rows come in batches, column by column.

use crate::{AnalysisError, EXPORTS, Request, Table};
use std::ops::Range;

/// A table whose rows are made when they are written.
///
/// ```
/// use bsq_analyses::{Request, Values, export_by_name};
/// use bsq_games::british_square::Rules;
///
/// let export = export_by_name("states").unwrap();
/// let rows = export.begin(&Request::new(Rules::standard(3, 3).unwrap())).unwrap();
/// assert_eq!(rows.count(), 74);
/// let (columns, first) = (export.table().columns, rows.batch(0..1));
/// let value = columns.iter().position(|column| column.name == "value").unwrap();
/// assert_eq!(first[value], Values::Tiny(vec![1]));
/// ```
pub trait Export: Send + Sync {
    /// The word by which the command knows it.
    fn name(&self) -> &'static str;
    /// What it holds, in a line.
    fn summary(&self) -> &'static str;
    /// Its name, title, columns and note; no rows.
    fn table(&self) -> Table;
    /// Says what is wrong with the rules before any work is done.
    fn check(&self, request: &Request) -> Result<(), AnalysisError> {
        request.game().map(drop)
    }
    /// Does what has to be done before there are rows.
    fn begin(&self, request: &Request) -> Result<Box<dyn Rows>, AnalysisError>;
}

/// The export of that name.
pub fn export_by_name(name: &str) -> Option<&'static dyn Export> {
    EXPORTS.iter().copied().find(|export| export.name() == name)
}

/// The rows of an export. Any thread can ask for any of them.
pub trait Rows: Send + Sync {
    /// How many there are.
    fn count(&self) -> usize;
    /// Some of them: the values of each column. Columns have the same kind of values in every
    /// batch, in one without rows too.
    fn batch(&self, rows: Range<usize>) -> Vec<Values>;
}

/// The values of a column in a batch of rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Values {
    /// Integers between -128 and 127.
    Tiny(Vec<i8>),
    /// Integers of 32 bits.
    Integer(Vec<i32>),
    /// Yes or no.
    Truth(Vec<bool>),
    /// Words.
    Text(Texts),
}

impl Values {
    /// How many there are.
    #[expect(clippy::len_without_is_empty, reason = "nobody asks")]
    pub fn len(&self) -> usize {
        match self {
            Values::Tiny(values) => values.len(),
            Values::Integer(values) => values.len(),
            Values::Truth(values) => values.len(),
            Values::Text(texts) => texts.ends.len(),
        }
    }
}

/// Words, one behind the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Texts {
    text: String,
    /// Where each ends.
    ends: Vec<usize>,
}

impl Texts {
    /// Adds what is written.
    pub fn push_with(&mut self, write: impl FnOnce(&mut String)) {
        write(&mut self.text);
        self.ends.push(self.text.len());
    }

    /// Adds a word.
    pub fn push(&mut self, word: &str) {
        self.push_with(|text| text.push_str(word));
    }

    /// All of them without anything between them.
    pub fn joined(&self) -> &str {
        &self.text
    }

    /// Where each of them is in that text.
    pub fn ranges(&self) -> impl Iterator<Item = Range<usize>> {
        let starts = std::iter::once(&0).chain(&self.ends);
        starts.zip(&self.ends).map(|(&start, &end)| start..end)
    }

    /// The word of that number, from 0. Panics if there is none.
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
