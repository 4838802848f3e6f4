//! The value of every territory below a root: a strong solution by parallel depth-first search.
//!
//! It uses only one theorem of `docs/territory.md`, that free cells can be settled. It neither
//! looks up regions nor prunes moves, so it serves to verify the search, which does both.

use super::board::{Territory, TerritoryBoard};
use crate::british_square::board::cells_of;
use arrayvec::ArrayVec;
use bsq_engine::monitor::{Monitor, SolveError};
use bsq_engine::parallel;
use bsq_engine::table::{Claim, ShardedTable};
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};

/// The least number of tasks to distribute over threads.
const MIN_TASKS: usize = 1024;
/// Territories between two reports of progress and checks for cancellation.
const TERRITORIES_PER_REPORT: u64 = 4096;

/// The values of all settled territories that play can reach from a root. Images under the
/// symmetries of the board are stored once.
pub struct StrongSolution {
    board: TerritoryBoard,
    table: ShardedTable,
}

impl StrongSolution {
    /// The largest board, in cells: two sets of cells form a key of the table.
    pub const MAX_CELLS: usize = 28;

    /// Values all territories below a root. `expected` is an estimate of their number; the table
    /// grows if there are more.
    ///
    /// # Panics
    ///
    /// Panics if the board has more than [`MAX_CELLS`](StrongSolution::MAX_CELLS) cells.
    pub fn solve(
        board: TerritoryBoard,
        root: Territory,
        expected: u64,
        monitor: &Monitor,
    ) -> Result<StrongSolution, SolveError> {
        assert!(board.cells() <= Self::MAX_CELLS, "two sets fit a key");
        let table = |room| {
            let table = ShardedTable::with_capacity_for(room);
            table.ok_or(SolveError::NoRoom { positions: room })
        };
        let mut room = expected;
        let mut solution = StrongSolution { board, table: table(room)? };
        loop {
            monitor.begin("territories", expected);
            match solution.fill(root, monitor) {
                Err(SolveError::Full(_)) => {
                    room = room.saturating_mul(2);
                    solution.table = table(room)?;
                }
                filled => return filled.map(|()| solution),
            }
        }
    }

    /// The value of a territory for the player to move, or `None` if play does not reach it from
    /// the root.
    pub fn value(&self, territory: Territory) -> Option<i32> {
        let (score, open) = territory.settle(&self.board);
        if open == Territory::CLOSED {
            return Some(score);
        }
        Some(score + self.table.get(self.key(open))?)
    }

    /// Iterates over the settled territories with their values for the player to move, in no
    /// particular order.
    pub fn iter(&self) -> impl Iterator<Item = (Territory, i32)> + '_ {
        self.table.iter().map(|(key, value)| (self.territory(key), value))
    }

    /// The number of settled territories stored; closed ones are not.
    pub fn len(&self) -> usize {
        self.table.iter().count()
    }

    /// Whether no territory is stored, because the root was closed.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The size of the table, in bytes.
    pub fn bytes(&self) -> u64 {
        self.table.slots() as u64 * 8
    }

    fn key(&self, open: Territory) -> u64 {
        let Territory { own, other } = self.board.canonical(open);
        own << self.board.cells() | other
    }

    fn territory(&self, key: u64) -> Territory {
        let cells = self.board.cells();
        Territory { own: key >> cells, other: key & !(u64::MAX << cells) }
    }

    fn fill(&self, root: Territory, monitor: &Monitor) -> Result<(), SolveError> {
        let failed = AtomicBool::new(false);
        let worker = || Filler { solution: self, monitor, failed: &failed, new: 0 };
        let tasks = self.tasks(root);
        let work = |task: &Territory| {
            let value = worker().value(*task).map(drop);
            failed.fetch_or(value.is_err(), Ordering::Relaxed);
            value
        };
        let errors = parallel::map(&tasks, work).into_iter().filter_map(Result::err);
        // A thread that stopped because another one failed has no error of its own.
        let error =
            errors.reduce(|one, other| if one == SolveError::Stopped { other } else { one });
        error.map_or(Ok(()), Err)?;
        let (_, open) = root.settle(&self.board);
        worker().value(open).map(drop)
    }

    /// The territories a few moves below the root, in a pseudorandom order.
    fn tasks(&self, root: Territory) -> Vec<Territory> {
        let mut level: Vec<Territory> = vec![root.settle(&self.board).1];
        loop {
            let children = level.iter().flat_map(|&territory| {
                let take = move |cell| territory.take(&self.board, cell).settle(&self.board).1;
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
            if level.len() >= MIN_TASKS {
                return level;
            }
        }
    }
}

/// The depth-first search of one thread.
struct Filler<'a> {
    solution: &'a StrongSolution,
    monitor: &'a Monitor<'a>,
    failed: &'a AtomicBool,
    new: u64,
}

impl Filler<'_> {
    /// The value of a settled territory, looked up or computed and stored.
    fn value(&mut self, open: Territory) -> Result<i32, SolveError> {
        if open == Territory::CLOSED {
            return Ok(0);
        }
        let key = self.solution.key(open);
        let home = self.solution.table.locate(key);
        match self.solution.table.get(key) {
            Some(value) => Ok(value),
            None => self.compute(open, key, home),
        }
    }

    fn compute(&mut self, open: Territory, key: u64, home: usize) -> Result<i32, SolveError> {
        let (board, table) = (&self.solution.board, &self.solution.table);
        let mut best = i32::MIN;
        let mut unknown: ArrayVec<(i32, Territory, u64, usize), 28> = ArrayVec::new();
        for cell in cells_of(open.own) {
            let (score, rest) = open.take(board, cell).settle(board);
            if rest == Territory::CLOSED {
                best = best.max(1 - score);
            } else {
                let key = self.solution.key(rest);
                unknown.push((1 - score, rest, key, table.locate(key)));
            }
        }
        for (score, rest, key, home) in unknown {
            let value = match table.glance(key, home) {
                (true, value) => i32::from(value),
                (false, _) => match table.get(key) {
                    Some(value) => value,
                    None => self.compute(rest, key, home)?,
                },
            };
            best = best.max(score - value);
        }
        // Another thread may compute the same territory, with the same value.
        if let Claim::New(slot) | Claim::Open(slot) = table.claim(key, home)? {
            table.settle(slot, best);
            self.count()?;
        }
        Ok(best)
    }

    fn count(&mut self) -> Result<(), SolveError> {
        self.new += 1;
        if self.new.is_multiple_of(TERRITORIES_PER_REPORT) {
            self.monitor.advance(TERRITORIES_PER_REPORT);
            self.monitor.check()?;
            if self.failed.load(Ordering::Relaxed) {
                return Err(SolveError::Stopped);
            }
        }
        Ok(())
    }
}
