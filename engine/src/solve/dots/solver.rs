//! Questions to the search: which value, by how many threads.

use super::node::{Ground, Node, Reductions};
use super::search::Worker;
use super::settle::Settled;
use crate::game::dots::{Board, Field, Lines, lines_of};
use crate::solve::busy::{Busy, Halt};
use crate::solve::{Monitor, SolveError};
use crate::table::bounds::Place;
use crate::table::{Bounds, BoundsTable};
use std::sync::atomic::{AtomicU64, Ordering};

/// A solver of positions of one board, with all that it has learned so far.
pub struct Solver {
    pub(super) ground: Ground,
    pub(super) table: BoundsTable,
    pub(super) busy: Busy,
    nodes: AtomicU64,
    penalty: i32,
    /// Bits of a position's key: of its lines, and of all.
    bits: (u32, u32),
}

impl Solver {
    /// A solver with a table of no more than that many bytes.
    pub fn new(board: Board, penalty: i32, table_bytes: u64) -> Result<Solver, SolveError> {
        Solver::with_reductions(board, penalty, table_bytes, Reductions::ALL)
    }

    /// The same with less of what makes the search short.
    pub fn with_reductions(
        board: Board,
        penalty: i32,
        table_bytes: u64,
        reductions: Reductions,
    ) -> Result<Solver, SolveError> {
        let ground = Ground::new(board, penalty, reductions);
        let bits = board.lines() as u32 + ground.endings.len().ilog2() + 1;
        let half = bits.div_ceil(2) as usize;
        let lines = usize::try_from(table_bytes).unwrap_or(usize::MAX) / BoundsTable::LINE_BYTES;
        let least = BoundsTable::least_lines(half);
        if lines < least {
            let least = (least * BoundsTable::LINE_BYTES) as u64;
            return Err(SolveError::TableTooSmall { least });
        }
        let table = BoundsTable::with_lines(half, lines);
        let table = table.ok_or(SolveError::NoRoom { positions: lines as u64 * 4 })?;
        let bits = (board.lines() as u32, half as u32);
        Ok(Solver { ground, table, busy: Busy::default(), nodes: AtomicU64::new(0), penalty, bits })
    }

    /// Nodes searched so far.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    pub(super) fn count(&self, nodes: u64) {
        self.nodes.fetch_add(nodes, Ordering::Relaxed);
    }

    /// The least number from there on that the value can be.
    #[inline]
    pub(super) fn even(&self, node: &Node, goal: i32) -> i32 {
        goal + ((self.ground.boxes(node) + self.penalty - goal) & 1)
    }

    /// What is known of a node without the table.
    #[inline(always)]
    pub(super) fn bounds(&self, node: &Node) -> Bounds {
        if node.open.level | node.open.upright == 0 {
            let value = self.ground.endings.value(node.ending);
            return Bounds { lower: value, upper: value };
        }
        let most = self.ground.boxes(node) - self.penalty;
        Bounds { lower: -most, upper: most }
    }

    /// Where the table has a node.
    #[inline(always)]
    pub(super) fn place(&self, node: &Node) -> Place {
        let word = self.ground.field.canonical(node.open);
        let key = u128::from(word) | u128::from(node.ending) << self.bits.0;
        let half = (1 << self.bits.1) - 1;
        self.table.locate(((key & half) as u64, (key >> self.bits.1) as u64))
    }

    /// The value of a position: boxes still to come, the mover's minus the other player's.
    pub fn value(&self, drawn: Lines, monitor: &Monitor) -> Result<i32, SolveError> {
        self.value_near(drawn, 0, monitor)
    }

    /// The same, sooner where it is near some number.
    pub fn value_near(
        &self,
        drawn: Lines,
        guess: i32,
        monitor: &Monitor,
    ) -> Result<i32, SolveError> {
        let (settled, node) = self.settled(drawn);
        Ok(settled.value(self.node_value(&node, guess - settled.boxes, monitor)?))
    }

    /// Whether the value of a position is at least that.
    pub fn reaches(&self, drawn: Lines, goal: i32, monitor: &Monitor) -> Result<bool, SolveError> {
        let (settled, node) = self.settled(drawn);
        let least = |goal: i32| -> Result<bool, SolveError> {
            match self.bounds(&node) {
                Bounds { lower, .. } if goal <= lower => Ok(true),
                Bounds { upper, .. } if goal > upper => Ok(false),
                _ => Ok(self.test(&node, self.even(&node, goal), monitor)? >= goal),
            }
        };
        match settled.price {
            _ if least(goal - settled.boxes)? => Ok(true),
            Some(price) => Ok(!least(settled.boxes - price - goal + 1)?),
            None => Ok(false),
        }
    }

    /// What can be taken in a position, and what is left then.
    fn settled(&self, drawn: Lines) -> (Settled, Node) {
        let settled = Settled::new(&self.ground.field, self.ground.field.open(drawn));
        (settled, self.ground.node(settled.open, 0))
    }

    /// The board laid out.
    pub fn field(&self) -> &Field {
        &self.ground.field
    }

    /// The penalty.
    pub fn penalty(&self) -> i32 {
        self.penalty
    }

    /// The table, for how full it is.
    pub fn table(&self) -> &BoundsTable {
        &self.table
    }

    /// Every legal move with its score: boxes still to come, the mover's minus the other's.
    pub fn moves(&self, drawn: Lines, monitor: &Monitor) -> Result<Vec<(usize, i32)>, SolveError> {
        let board = self.ground.field.board();
        let mut scores = Vec::new();
        for line in lines_of(board.all() & !drawn) {
            let next = drawn | 1 << line;
            let taken = (board.closed(next) & !board.closed(drawn)).count_ones() as i32;
            let rest = self.value(next, monitor)?;
            scores.push((line, if taken > 0 { taken + rest } else { -rest }));
        }
        Ok(scores)
    }

    fn node_value(&self, node: &Node, guess: i32, monitor: &Monitor) -> Result<i32, SolveError> {
        let mut bounds = self.bounds(node);
        let mut guess = guess;
        while bounds.lower < bounds.upper {
            let goal = self.even(node, guess.clamp(bounds.lower + 1, bounds.upper));
            let found = self.test(node, goal, monitor)?;
            match found >= goal {
                true => bounds.lower = found.min(bounds.upper),
                false => bounds.upper = found.max(bounds.lower),
            }
            guess = if found >= goal { found + 1 } else { found };
            monitor.status(&format!("{} to {}", bounds.lower, bounds.upper));
        }
        Ok(bounds.lower)
    }

    /// Runs a test on every thread; the first to end has the answer.
    fn test(&self, node: &Node, goal: i32, monitor: &Monitor) -> Result<i32, SolveError> {
        let halt = Halt::new(monitor);
        let answers = rayon::broadcast(|_| Worker::new(self).run(node, goal, &halt));
        let stopped = Err(SolveError::Stopped);
        answers.into_iter().find(|answer| answer.is_ok()).unwrap_or(stopped)
    }
}
