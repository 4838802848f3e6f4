//! Rows of a dataset in memory, column by column.

use super::columns::{Known, Row};
use crate::{Column, Texts, Values};
use bsq_engine::dataset::Entry;
use bsq_engine::expression::{Row as _, Type};
use bsq_engine::game::Game;
use bsq_engine::record::Recorded;
use bsq_engine::results::Series;

/// Some columns of rows.
pub(crate) struct Batch<'a, G: Game> {
    columns: &'a [Known<G>],
    /// The numbers of the columns.
    shown: &'a [usize],
    cells: Vec<Cells>,
    rows: usize,
}

impl<'a, G: Recorded> Batch<'a, G> {
    /// No rows yet, with the columns of the given numbers.
    pub(crate) fn new(columns: &'a [Known<G>], shown: &'a [usize]) -> Batch<'a, G> {
        let cells = shown.iter().map(|&at| Cells::of(columns[at].kind())).collect();
        Batch { columns, shown, cells, rows: 0 }
    }

    /// A batch with the same columns, without rows.
    pub(crate) fn fresh(&self) -> Batch<'a, G> {
        Batch::new(self.columns, self.shown)
    }

    /// All columns that rows have.
    pub(crate) fn columns(&self) -> &'a [Known<G>] {
        self.columns
    }

    /// The columns of the batch.
    pub(crate) fn shown(&self) -> Vec<Column> {
        self.shown.iter().map(|&at| self.columns[at].column()).collect()
    }

    /// The number of rows.
    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    /// Adds a row.
    pub(crate) fn push<E: Entry<G>>(&mut self, row: &Row<G, E>) {
        self.rows += 1;
        for (cells, &at) in self.cells.iter_mut().zip(self.shown) {
            cells.push(&self.columns[at], row, at);
        }
    }

    /// Adds the rows of another batch with the same columns.
    pub(crate) fn append(&mut self, later: Batch<'a, G>) {
        self.rows += later.rows;
        self.cells.iter_mut().zip(later.cells).for_each(|(mine, theirs)| mine.append(theirs));
    }

    /// Takes the rows so far, as series of values.
    pub(crate) fn take(&mut self) -> Vec<Series> {
        let taken = std::mem::replace(self, self.fresh());
        taken.cells.into_iter().map(Cells::series).collect()
    }
}

/// The values of a column, some of which may be missing.
enum Cells {
    Numbers(Vec<Option<i64>>),
    Truths(Vec<Option<bool>>),
    Texts { texts: Texts, present: Vec<bool> },
}

impl Cells {
    fn of(kind: Type) -> Cells {
        match kind {
            Type::Number => Cells::Numbers(Vec::new()),
            Type::Truth => Cells::Truths(Vec::new()),
            Type::Words(_) | Type::Text => {
                Cells::Texts { texts: Texts::default(), present: Vec::new() }
            }
        }
    }

    fn push<G: Recorded, E: Entry<G>>(&mut self, column: &Known<G>, row: &Row<G, E>, at: usize) {
        match self {
            // Columns have integers.
            Cells::Numbers(numbers) => numbers.push(row.number(at).map(|it| it.to_integer())),
            Cells::Truths(truths) => truths.push(row.truth(at)),
            Cells::Texts { texts, present } => {
                let text = match column.kind() {
                    Type::Words(words) => row.word(at).map(|word| words[word].to_string()),
                    _ => row.text(at),
                };
                present.push(text.is_some());
                texts.push(text.as_deref().unwrap_or_default());
            }
        }
    }

    fn append(&mut self, later: Cells) {
        match (self, later) {
            (Cells::Numbers(mine), Cells::Numbers(theirs)) => mine.extend(theirs),
            (Cells::Truths(mine), Cells::Truths(theirs)) => mine.extend(theirs),
            (Cells::Texts { texts, present }, Cells::Texts { texts: more, present: others }) => {
                more.ranges().for_each(|range| texts.push(&more.joined()[range]));
                present.extend(others);
            }
            _ => unreachable!("a column has one type"),
        }
    }

    fn series(self) -> Series {
        match self {
            Cells::Numbers(numbers) => Series::longs(numbers),
            Cells::Truths(truths) => Series::truths(truths),
            Cells::Texts { texts, present } => {
                let is_full = present.iter().all(|is_present| *is_present);
                Series { values: Values::Text(texts), present: (!is_full).then_some(present) }
            }
        }
    }
}
