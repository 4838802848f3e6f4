//! The rows of a query that do not fit in memory: batches, column by column, in a fixed order.

use super::Query;
use super::answer::Failure;
use super::columns::{Dataset, Known, Row};
use super::options::CONDITION;
use crate::{AnalysisError, Column, ColumnType, Table, Texts, Values};
use bsq_engine::dataset::{Collector, Entry};
use bsq_engine::expression::{Row as _, Type};
use bsq_engine::game::Game;
use bsq_engine::monitor::Monitor;
use bsq_engine::record::Recorded;
use bsq_engine::results::Series;
use parking_lot::Mutex;
use std::ops::ControlFlow;

/// Receives a batch of rows. If it breaks, no further one follows.
pub type Sink<'a> = dyn FnMut(Vec<Series>) -> ControlFlow<()> + Send + 'a;

/// Rows that are computed batch by batch.
pub struct Streamed {
    /// The table, without rows.
    pub table: Table,
    /// The memory that the visit may take, in bytes; no limit if `None`.
    memory: Option<u64>,
    run: Box<RunRows>,
}

/// Passes batches of at least so many rows to the sink, but for the last one.
type RunRows = dyn Fn(usize, &mut Sink, &Monitor) -> Result<(), AnalysisError> + Send + Sync;

impl Streamed {
    pub(super) fn new(
        table: Table,
        run: impl Fn(usize, &mut Sink, &Monitor) -> Result<(), AnalysisError> + Send + Sync + 'static,
    ) -> Streamed {
        Streamed { table, memory: None, run: Box::new(run) }
    }

    /// The same rows, for which a visit may take so much memory.
    pub(crate) fn within(self, memory: Option<u64>) -> Streamed {
        Streamed { memory, ..self }
    }

    /// Passes all rows to a sink, in batches of at least `batch_rows` rows, the last one excepted. A
    /// column has the same type in every batch, also in [`empty`](Streamed::empty).
    ///
    /// # Errors
    ///
    /// If the positions are not visited, or an expression has no value.
    pub fn run(
        &self,
        batch_rows: usize,
        sink: &mut Sink,
        monitor: &Monitor,
    ) -> Result<(), AnalysisError> {
        match self.memory {
            Some(_) => (self.run)(batch_rows, sink, &monitor.within(self.memory)),
            None => (self.run)(batch_rows, sink, monitor),
        }
    }

    /// A batch without rows.
    pub fn empty(&self) -> Vec<Series> {
        let series = |column: &Column| {
            Series::from(match column.kind {
                ColumnType::Truth => Values::Truth(Vec::new()),
                ColumnType::Text => Values::Text(Texts::default()),
                _ => Values::Long(Vec::new()),
            })
        };
        self.table.columns.iter().map(series).collect()
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

/// Collects rows, and passes full batches on.
pub struct Stream<'a, G: Game> {
    query: &'a Query<G>,
    game: &'a G,
    batch_rows: usize,
    /// Where batches go; only the collector of the whole dataset has it.
    sink: Option<Mutex<&'a mut Sink<'a>>>,
    cells: Vec<Cells>,
    rows: usize,
    is_broken: bool,
    failure: Option<Failure>,
}

impl<'a, G: Recorded> Stream<'a, G> {
    /// No rows yet. All of them go to the sink.
    pub fn new(
        query: &'a Query<G>,
        game: &'a G,
        batch_rows: usize,
        sink: &'a mut Sink<'a>,
    ) -> Stream<'a, G> {
        Stream { sink: Some(Mutex::new(sink)), ..Stream::part(query, game, batch_rows) }
    }

    /// No rows of a part yet.
    fn part(query: &'a Query<G>, game: &'a G, batch_rows: usize) -> Stream<'a, G> {
        let (sink, rows, is_broken, failure) = (None, 0, false, None);
        let cells = query.shown.iter().map(|&at| Cells::of(query.columns[at].kind())).collect();
        Stream { query, game, batch_rows, sink, cells, rows, is_broken, failure }
    }

    /// Passes on the rows that are left, unless some row has no answer.
    pub fn finish(mut self) -> Result<(), AnalysisError> {
        if let Some(failure) = self.failure {
            return Err(failure.into());
        }
        self.flush();
        Ok(())
    }

    fn add<E: Entry<G>>(&mut self, row: &Row<G, E>) {
        if self.failure.is_some() {
            return;
        }
        match self.query.condition.holds(row) {
            Ok(false) => {}
            Ok(true) => {
                self.rows += 1;
                for (cells, &at) in self.cells.iter_mut().zip(&self.query.shown) {
                    cells.push(&self.query.columns[at], row, at);
                }
            }
            Err(error) => self.failure = Some(Failure::of(CONDITION.name)(error)),
        }
    }

    /// Passes the rows so far to the sink.
    fn flush(&mut self) {
        if self.rows == 0 || self.is_broken {
            return;
        }
        let fresh = Stream::part(self.query, self.game, self.batch_rows);
        self.rows = 0;
        let cells = std::mem::replace(&mut self.cells, fresh.cells);
        if let Some(sink) = &mut self.sink {
            let batch = cells.into_iter().map(Cells::series).collect();
            self.is_broken = (sink.get_mut())(batch).is_break();
        }
    }
}

impl<G: Recorded> Collector<G> for Stream<'_, G> {
    fn fresh(&self) -> Self {
        Stream::part(self.query, self.game, self.batch_rows)
    }

    fn see(&mut self, entry: &impl Entry<G>) {
        let row = Row::of_position(&self.query.columns, self.game, entry);
        match self.query.dataset {
            Dataset::Positions => self.add(&row),
            Dataset::Moves => entry.each_move(|mv, value| self.add(&row.of_move(mv, value))),
        }
    }

    fn absorb(&mut self, later: Self) {
        self.cells.iter_mut().zip(later.cells).for_each(|(mine, theirs)| mine.append(theirs));
        self.rows += later.rows;
        if self.failure.is_none() {
            self.failure = later.failure;
        }
        if self.rows >= self.batch_rows {
            self.flush();
        }
    }

    fn is_full(&self) -> bool {
        self.is_broken || self.failure.is_some()
    }
}
