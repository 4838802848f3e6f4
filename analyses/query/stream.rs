//! The rows of a query that do not fit in memory: batches, column by column, in a fixed order.

use super::Query;
use super::answer::Failure;
use super::batch::Batch;
use super::columns::{Dataset, Row};
use super::options::CONDITION;
use crate::{AnalysisError, Column, ColumnType, Table, Texts, Values};
use bsq_engine::dataset::{Collector, Entry};
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

/// Collects rows, and passes full batches on.
pub struct Stream<'a, G: Game> {
    query: &'a Query<G>,
    game: &'a G,
    batch_rows: usize,
    /// Where batches go; only the collector of the whole dataset has it.
    sink: Option<Mutex<&'a mut Sink<'a>>>,
    batch: Batch<'a, G>,
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
        let batch = Batch::new(&query.columns, &query.shown);
        Stream { query, game, batch_rows, sink: None, batch, is_broken: false, failure: None }
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
            Ok(true) => self.batch.push(row),
            Err(error) => self.failure = Some(Failure::of(CONDITION.name)(error)),
        }
    }

    /// Passes the rows so far to the sink.
    fn flush(&mut self) {
        if self.batch.rows() == 0 || self.is_broken {
            return;
        }
        let rows = self.batch.take();
        if let Some(sink) = &mut self.sink {
            self.is_broken = (sink.get_mut())(rows).is_break();
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
        self.batch.append(later.batch);
        if self.failure.is_none() {
            self.failure = later.failure;
        }
        if self.batch.rows() >= self.batch_rows {
            self.flush();
        }
    }

    fn is_full(&self) -> bool {
        self.is_broken || self.failure.is_some()
    }
}
