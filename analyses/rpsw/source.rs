//! The positions of rock-paper-scissors-well: all of a tablebase, or those that play reaches.

use super::Rules;
use crate::options::TABLEBASE;
use crate::source::{Explorer, Root, Source, Visit, tablebase_of};
use crate::{AnalysisError, OptionValues};
use bsq_engine::dataset::{self, Collector, Entry};
use bsq_engine::game::{Game as _, Value};
use bsq_engine::monitor::Monitor;
use bsq_engine::options::RuleOption;
use bsq_games::rpsw::tablebase::{Tablebase, TablebaseError};
use bsq_games::rpsw::{Move, Position};
use std::cell::RefCell;

/// The positions of a tablebase, or those that play reaches from the start.
pub enum Positions {
    /// All positions that are not over, with the first player to move, in the order of the rows.
    OfTablebase(Box<Tablebase>),
    /// Those that play reaches.
    Reached(Explorer<Rules>),
}

impl Source for Positions {
    type Game = Rules;

    const OPTIONS: &[RuleOption] = &[TABLEBASE];

    fn open(request: &OptionValues, default: &Rules) -> Result<(Rules, Positions), AnalysisError> {
        let Some(path) = tablebase_of(request, default)? else {
            let (rules, explorer) = Explorer::open(request, default)?;
            return Ok((rules, Positions::Reached(explorer)));
        };
        let tablebase = Tablebase::open(path)?;
        Ok((tablebase.rules().clone(), Positions::OfTablebase(Box::new(tablebase))))
    }

    fn knows_ply(&self) -> bool {
        matches!(self, Positions::Reached(_))
    }

    fn check(&self, _: &Rules, root: Option<&Root<Rules>>) -> Result<(), AnalysisError> {
        match (self, root) {
            (Positions::OfTablebase(_), Some(_)) => {
                let why = "all positions of a tablebase are visited; leave the position and the \
                           moves out";
                Err(AnalysisError::option(&*TABLEBASE.name, why))
            }
            _ => Ok(()),
        }
    }

    fn estimate(&self, rules: &Rules) -> Option<f64> {
        match self {
            Positions::OfTablebase(tablebase) => {
                Some(tablebase.census().positions.total() as f64 / 5e5)
            }
            Positions::Reached(explorer) => explorer.estimate(rules),
        }
    }

    fn collect<C: Collector<Rules>>(
        &self,
        visit: &Visit<Rules>,
        collector: C,
        monitor: &Monitor,
    ) -> Result<C, AnalysisError> {
        match self {
            Positions::OfTablebase(tablebase) => of_tablebase(tablebase, collector, monitor),
            Positions::Reached(explorer) => explorer.collect(visit, collector, monitor),
        }
    }
}

/// Passes all positions of a tablebase to a collector.
fn of_tablebase<C: Collector<Rules>>(
    tablebase: &Tablebase,
    collector: C,
    monitor: &Monitor,
) -> Result<C, AnalysisError> {
    monitor.begin("positions", tablebase.census().positions.total());
    let rows: Vec<usize> = (0..tablebase.rows()).collect();
    dataset::collect_parts(collector, &rows, monitor, |seen: &mut C, row| {
        monitor.check()?;
        let mut positions = 0;
        tablebase.each_position(*row, |position| {
            let entry = Probed { tablebase, position, failure: RefCell::default() };
            seen.see(&entry);
            positions += 1;
            entry.failure.into_inner().map_or(Ok(()), Err)
        })?;
        monitor.advance(positions);
        Ok(())
    })
}

/// A position whose values are probed when they are asked for.
struct Probed<'a> {
    tablebase: &'a Tablebase,
    position: &'a Position,
    /// Why the last probe failed.
    failure: RefCell<Option<TablebaseError>>,
}

impl Probed<'_> {
    /// The value of a position; a draw if the probe fails.
    fn probe(&self, position: &Position) -> Value {
        self.tablebase.value(position).unwrap_or_else(|error| {
            self.failure.borrow_mut().get_or_insert(error);
            Value::DRAW
        })
    }
}

impl Entry<Rules> for Probed<'_> {
    fn position(&self) -> &Position {
        self.position
    }

    fn ply(&self) -> Option<u32> {
        None
    }

    fn value(&self) -> Value {
        self.probe(self.position)
    }

    fn orbit_size(&self) -> u64 {
        self.tablebase.rules().images(self.position).len() as u64
    }

    fn legal_moves(&self) -> u32 {
        self.tablebase.rules().moves(self.position).len() as u32
    }

    fn each_move(&self, mut see: impl FnMut(&Move, Value)) {
        let rules = self.tablebase.rules();
        for mv in rules.moves(self.position) {
            see(&mv, self.probe(&rules.play(self.position, mv)).before());
        }
    }
}
