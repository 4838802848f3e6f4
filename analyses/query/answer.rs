//! The collector of a query: its groups or its rows.

use super::aggregate::{Aggregate, number_cell};
use super::columns::{Dataset, Known, Row};
use super::options::{BY, CONDITION};
use super::{Named, Query};
use crate::{AnalysisError, Cell, ColumnType};
use bsq_engine::dataset::{Collector, Entry};
use bsq_engine::expression::{Expression, Number, ParseError, Row as _, Type};
use bsq_engine::game::Game;
use bsq_engine::monitor::{Growth, SolveError};
use bsq_engine::record::Recorded;
use foldhash::fast::FixedState;
use std::borrow::Cow;
use std::collections::HashMap;

/// A value of a key.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Key {
    Number(Number),
    Truth(bool),
    /// The index of a word of an enumeration.
    Word(usize),
    Text(String),
    /// No value. Comes last.
    Missing,
}

/// The groups of a query by their keys, with an aggregate for each column.
pub type Groups = HashMap<Vec<Key>, Vec<Aggregate>, FixedState>;

/// Collects what a query asks for.
pub struct Answer<'a, G: Recorded> {
    query: &'a Query<G>,
    game: &'a G,
    growth: &'a Growth<'a>,
    pub groups: Groups,
    /// The rows that are shown, and the drawings of their positions.
    pub rows: Vec<Shown>,
    /// The key of the row at hand.
    key: Vec<Key>,
    failure: Option<Failure>,
}

/// A row that is shown.
pub struct Shown {
    pub cells: Vec<Cell>,
    pub drawing: Option<String>,
}

impl Shown {
    /// About how many bytes the row takes.
    fn bytes(&self) -> u64 {
        let texts = self.cells.iter().map(|cell| match cell {
            Cell::Text(text) => text.len(),
            _ => 0,
        });
        let drawing = self.drawing.as_ref().map_or(0, String::len);
        (size_of_val(&*self.cells) + texts.sum::<usize>() + drawing) as u64
    }
}

/// Why a query has no answer.
pub(super) enum Failure {
    /// An expression of an option has no value in some row.
    Expression { option: Cow<'static, str>, error: ParseError },
    /// The answer does not fit in the memory allowed.
    Memory(SolveError),
}

impl Failure {
    /// The failure of an expression of that option.
    pub fn of(option: impl Into<Cow<'static, str>>) -> impl FnOnce(ParseError) -> Failure {
        |error| Failure::Expression { option: option.into(), error }
    }
}

impl From<Failure> for AnalysisError {
    fn from(failure: Failure) -> AnalysisError {
        match failure {
            Failure::Expression { option, error } => {
                AnalysisError::option(option, error.to_string())
            }
            Failure::Memory(error) => error.into(),
        }
    }
}

/// About how many bytes a group takes besides its texts, and each of its keys and aggregates.
const GROUP_BYTES: usize = 64;

impl<G: Game> Query<G> {
    /// About how many bytes a group takes.
    fn bytes_of_group(&self, keys: &[Key]) -> u64 {
        let texts = keys.iter().map(|key| match key {
            Key::Text(text) => text.len(),
            _ => 0,
        });
        let parts = GROUP_BYTES * (1 + keys.len() + self.aggregates.len());
        (parts + texts.sum::<usize>()) as u64
    }
}

impl<'a, G: Recorded> Answer<'a, G> {
    /// No rows yet.
    pub fn new(query: &'a Query<G>, game: &'a G, growth: &'a Growth<'a>) -> Answer<'a, G> {
        Answer {
            query,
            game,
            growth,
            groups: Groups::default(),
            rows: Vec::new(),
            key: Vec::new(),
            failure: None,
        }
    }

    /// The answer, unless some row has none.
    pub fn finish(self) -> Result<Answer<'a, G>, AnalysisError> {
        match self.failure {
            Some(failure) => Err(failure.into()),
            None => Ok(self),
        }
    }

    fn add<E: Entry<G>>(&mut self, row: &Row<G, E>, position: &E) {
        if self.failure.is_none()
            && let Err(failure) = self.try_add(row, position)
        {
            self.failure = Some(failure);
        }
    }

    fn try_add<E: Entry<G>>(&mut self, row: &Row<G, E>, entry: &E) -> Result<(), Failure> {
        let query = self.query;
        if !query.condition.holds(row).map_err(Failure::of(CONDITION.name))? {
            return Ok(());
        }
        if query.rows.is_some() {
            if !self.is_full() {
                let drawing = query.draw.as_ref().map(|draw| draw(self.game, entry.position()));
                let cells = query.shown.iter().map(|&at| cell(&query.columns[at], row, at));
                let shown = Shown { cells: cells.collect(), drawing };
                self.growth.add(shown.bytes(), 1).map_err(Failure::Memory)?;
                self.rows.push(shown);
            }
            return Ok(());
        }
        self.key.clear();
        for key in &query.keys {
            self.key.push(key_of(&key.expression, row).map_err(Failure::of(BY.name))?);
        }
        let group = if let Some(group) = self.groups.get_mut(&self.key) {
            group
        } else {
            self.growth.add(query.bytes_of_group(&self.key), 1).map_err(Failure::Memory)?;
            let begun = query.aggregates.iter().map(|(kind, _)| kind.begin()).collect();
            self.groups.entry(self.key.clone()).or_insert(begun)
        };
        for (aggregate, (kind, quantity)) in group.iter_mut().zip(&query.aggregates) {
            let number = match quantity {
                Some(Named { expression, .. }) => {
                    expression.amount(row).map_err(Failure::of(kind.name()))?
                }
                None => None,
            };
            aggregate.add(number);
        }
        Ok(())
    }
}

impl<G: Recorded> Collector<G> for Answer<'_, G> {
    fn fresh(&self) -> Self {
        Answer::new(self.query, self.game, self.growth)
    }

    fn see(&mut self, entry: &impl Entry<G>) {
        let row = Row::of_position(&self.query.columns, self.game, entry);
        match self.query.dataset {
            Dataset::Positions => self.add(&row, entry),
            Dataset::Moves => {
                entry.each_move(|mv, value| self.add(&row.of_move(mv, value), entry));
            }
        }
    }

    fn absorb(&mut self, later: Self) {
        for (key, group) in later.groups {
            match self.groups.get_mut(&key) {
                Some(mine) => {
                    mine.iter_mut().zip(&group).for_each(|(mine, theirs)| mine.absorb(theirs));
                    self.growth.release(self.query.bytes_of_group(&key), 1);
                }
                None => {
                    self.groups.insert(key, group);
                }
            }
        }
        let room = self.query.rows.map_or(0, |rows| rows - self.rows.len());
        for (at, row) in later.rows.into_iter().enumerate() {
            if at < room {
                self.rows.push(row);
            } else {
                self.growth.release(row.bytes(), 1);
            }
        }
        self.failure = match (self.failure.take(), later.failure) {
            // Without an order, any thread may be the first to fail.
            (
                Some(Failure::Expression { error: mine, .. }),
                Some(Failure::Expression { option, error }),
            ) if !self.query.is_ordered() && error.to_string() < mine.to_string() => {
                Some(Failure::Expression { option, error })
            }
            (mine, theirs) => mine.or(theirs),
        };
    }

    fn is_full(&self) -> bool {
        self.failure.is_some() || self.query.rows.is_some_and(|rows| self.rows.len() >= rows)
    }
}

fn key_of<G: Recorded, E: Entry<G>>(
    expression: &Expression,
    row: &Row<G, E>,
) -> Result<Key, ParseError> {
    let key = match expression {
        Expression::Number(quantity) => quantity.amount(row)?.map(Key::Number),
        Expression::Truth(condition) => Some(Key::Truth(condition.holds(row)?)),
        Expression::Words(column) => row.word(*column).map(Key::Word),
        Expression::Text(column) => row.text(*column).map(Key::Text),
    };
    Ok(key.unwrap_or(Key::Missing))
}

/// The value of a column in a row.
fn cell<G: Recorded, E: Entry<G>>(column: &Known<G>, row: &Row<G, E>, at: usize) -> Cell {
    match column.kind() {
        Type::Number => {
            row.number(at).map_or(Cell::Empty, |number| number_cell(number, ColumnType::Integer))
        }
        Type::Truth => row.truth(at).into(),
        Type::Words(words) => row.word(at).and_then(|word| words.get(word).copied()).into(),
        Type::Text => row.text(at).into(),
    }
}
