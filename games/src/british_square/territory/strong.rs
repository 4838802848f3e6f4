//! The value of every territory below a root, each worked out once.
//!
//! No region is looked up and no move is left out: of what is proved in `docs/territory.md`
//! only the folding of free cells is used, so this checks the rest.

use super::{Territorial, Territory, cells_of};
use arrayvec::ArrayVec;
use bsq_engine::monitor::{Monitor, SolveError};
use bsq_engine::table::{Claim, ShardedTable};
use rayon::prelude::*;
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};

/// Enough territories to share out among threads.
const ENOUGH_TASKS: usize = 1024;
/// Territories found between two reports.
const AT_A_TIME: u64 = 4096;

/// Every settled territory that play can reach from a root, with its value.
pub struct StrongSolution<G> {
    field: G,
    table: ShardedTable,
}

impl<G: Territorial> StrongSolution<G> {
    /// The most cells that a board can have here: two sets of them are a key of the table.
    pub const MAX_CELLS: usize = 28;

    /// Values all territories from a root on, of which there are probably about that many.
    pub fn solve(
        field: G,
        root: Territory,
        expected: u64,
        monitor: &Monitor,
    ) -> Result<StrongSolution<G>, SolveError> {
        assert!(field.cells() <= Self::MAX_CELLS, "two sets fit a key");
        let table = |room| {
            let table = ShardedTable::with_capacity_for(room);
            table.ok_or(SolveError::NoRoom { positions: room })
        };
        let mut room = expected;
        let mut every = StrongSolution { field, table: table(room)? };
        loop {
            monitor.begin("territories", expected);
            match every.fill(root, monitor) {
                // Nothing tells beforehand how many there are.
                Err(SolveError::Full(_)) => {
                    room = room.saturating_mul(2);
                    every.table = table(room)?;
                }
                filled => return filled.map(|()| every),
            }
        }
    }

    /// The value for the mover of a territory that can be reached from the root; none for
    /// another one.
    pub fn value(&self, territory: Territory) -> Option<i32> {
        let (score, open) = territory.settle(&self.field);
        if open == Territory::CLOSED {
            return Some(score);
        }
        Some(score + self.table.get(self.key(open))?)
    }

    /// Every settled territory with its value for the mover, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = (Territory, i32)> + '_ {
        self.table.iter().map(|(key, value)| (self.territory(key), value))
    }

    /// Number of settled territories, images taken as one, closed ones left out.
    pub fn len(&self) -> usize {
        self.table.iter().count()
    }

    /// Whether the root was closed.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn key(&self, open: Territory) -> u64 {
        let Territory { own, other } = self.field.canonical(open);
        own << self.field.cells() | other
    }

    fn territory(&self, key: u64) -> Territory {
        let cells = self.field.cells();
        Territory { own: key >> cells, other: key & !(u64::MAX << cells) }
    }

    fn fill(&self, root: Territory, monitor: &Monitor) -> Result<(), SolveError> {
        let failed = AtomicBool::new(false);
        let worker = || Filler { every: self, monitor, failed: &failed, new: 0 };
        let tasks = self.tasks(root);
        let work = |&task: &Territory| {
            let value = worker().value(task).map(drop);
            failed.fetch_or(value.is_err(), Ordering::Relaxed);
            value.map_err(Some)
        };
        // A thread that only stopped because another one failed says nothing.
        let ended = tasks.par_iter().map(work).reduce(
            || Ok(()),
            |a, b| match (a, b) {
                (Err(Some(SolveError::Stopped)), other @ Err(_)) => other,
                (Ok(()), other) => other,
                (one, _) => one,
            },
        );
        ended.map_err(|error| error.unwrap_or(SolveError::Stopped))?;
        let (_, open) = root.settle(&self.field);
        worker().value(open).map(drop)
    }

    /// Territories a few moves below the root, in an order that looks random.
    fn tasks(&self, root: Territory) -> Vec<Territory> {
        let mut level: Vec<Territory> = vec![root.settle(&self.field).1];
        loop {
            let children = level.iter().flat_map(|&territory| {
                let take = move |cell| territory.take(&self.field, cell).settle(&self.field).1;
                cells_of(territory.own).map(take)
            });
            let next: HashSet<u64> = children
                .filter(|&open| open != Territory::CLOSED)
                .map(|open| self.key(open))
                .collect();
            if next.is_empty() {
                return level;
            }
            let mut keys: Vec<u64> = next.into_iter().collect();
            keys.sort_unstable_by_key(|key| key.wrapping_mul(0x9E37_79B9_7F4A_7C15));
            level = keys.into_iter().map(|key| self.territory(key)).collect();
            if level.len() >= ENOUGH_TASKS {
                return level;
            }
        }
    }
}

/// One thread's part of the work.
struct Filler<'a, G> {
    every: &'a StrongSolution<G>,
    monitor: &'a Monitor<'a>,
    failed: &'a AtomicBool,
    new: u64,
}

impl<G: Territorial> Filler<'_, G> {
    /// The value of a settled territory that is not closed, from the table or for it.
    fn value(&mut self, open: Territory) -> Result<i32, SolveError> {
        if open == Territory::CLOSED {
            return Ok(0);
        }
        let key = self.every.key(open);
        let home = self.every.table.locate(key);
        match self.every.table.get(key) {
            Some(value) => Ok(value),
            None => self.work_out(open, key, home),
        }
    }

    fn work_out(&mut self, open: Territory, key: u64, home: usize) -> Result<i32, SolveError> {
        let (field, table) = (&self.every.field, &self.every.table);
        let mut best = i32::MIN;
        let mut unknown: ArrayVec<(i32, Territory, u64, usize), 28> = ArrayVec::new();
        for cell in cells_of(open.own) {
            let (score, rest) = open.take(field, cell).settle(field);
            if rest == Territory::CLOSED {
                best = best.max(1 - score);
            } else {
                let key = self.every.key(rest);
                unknown.push((1 - score, rest, key, table.locate(key)));
            }
        }
        for (score, rest, key, home) in unknown {
            let value = match table.glance(key, home) {
                (true, value) => i32::from(value),
                (false, _) => match table.get(key) {
                    Some(value) => value,
                    None => self.work_out(rest, key, home)?,
                },
            };
            best = best.max(score - value);
        }
        // Two threads may work out the same territory; the value is the same.
        if let Claim::New(slot) | Claim::Open(slot) = table.claim(key, home)? {
            table.settle(slot, best);
            self.count()?;
        }
        Ok(best)
    }

    fn count(&mut self) -> Result<(), SolveError> {
        self.new += 1;
        if self.new.is_multiple_of(AT_A_TIME) {
            self.monitor.advance(AT_A_TIME);
            self.monitor.check()?;
            if self.failed.load(Ordering::Relaxed) {
                return Err(SolveError::Stopped);
            }
        }
        Ok(())
    }
}
