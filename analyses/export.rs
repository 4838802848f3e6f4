//! Tables that do not fit in memory: rows are computed in batches, column by column.

use crate::{AnalysisError, EXPORTS, Table, Values};
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
