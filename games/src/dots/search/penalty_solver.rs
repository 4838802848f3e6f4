//! Values of positions and of their moves under any penalty.
//!
//! A final score is a difference of boxes plus or minus the penalty. All box differences that a
//! position can lead to have the same parity. The value, as a function of the penalty, is therefore
//! linear between two neighbouring integers, and its values at these differ by one.
//!
//! If the absolute value of the penalty exceeds the number of boxes, the player who draws the last
//! line loses. Each player then first tries to avoid that line. For all such penalties the value is
//! linear, and it moves away from 0 as the penalty decreases.

use super::node::Reductions;
use super::solver::{Loony, Marked, Solver};
use crate::dots::{Bitboard, Board, Lines, Penalty, lines_of};
use bsq_engine::evaluate::Learned;
use bsq_engine::monitor::{Monitor, Progress, SolveError};
use bsq_engine::score::Score;
use std::cmp::Reverse;

/// Solves positions of one board under one penalty, integer or fractional.
///
/// Tables are kept from one position to the next.
pub struct PenaltySolver {
    board: Board,
    penalty: Penalty,
    /// Solvers for the integers on both sides of the penalty, the upper one first. There is only
    /// one if the penalty is an integer, or so low that values are linear below that of the solver.
    solvers: Vec<Solver>,
    marks: bool,
}

/// A legal move with its score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScoredMove {
    /// The line.
    pub line: usize,
    /// The net score of the mover from here on, including the boxes of the move.
    pub score: Score,
    /// The player who must make the next loony move, from the point of view of the player who makes
    /// this move. `None` if marks are off or the solvers disagree.
    pub loony: Option<Loony>,
}

impl PenaltySolver {
    /// Creates a solver with tables of at most `table_bytes` bytes in all.
    ///
    /// With `marks` it also determines who must make the next loony move.
    pub fn new(
        board: Board,
        penalty: Penalty,
        table_bytes: u64,
        marks: bool,
    ) -> Result<PenaltySolver, SolveError> {
        let lowest = -1 - board.boxes() as i32;
        let mut wholes = vec![penalty.ceil().max(lowest), penalty.floor().max(lowest)];
        wholes.dedup();
        let count = wholes.len() as u64;
        let solver = |&whole: &i32| {
            Solver::with_options(board, whole, table_bytes / count, marks, Reductions::ALL)
        };
        let solvers: Result<Vec<Solver>, SolveError> = wholes.iter().map(solver).collect();
        let solvers = solvers.map_err(|error| match error {
            SolveError::TableTooSmall { least } => {
                SolveError::TableTooSmall { least: least * count }
            }
            error => error,
        })?;
        Ok(PenaltySolver { board, penalty, solvers, marks })
    }

    /// The board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The bitboard of the board.
    pub fn bitboard(&self) -> &Bitboard {
        self.solvers[0].bitboard()
    }

    /// The size of the tables, in bytes.
    pub fn table_bytes(&self) -> u64 {
        self.solvers.iter().map(|solver| solver.table().bytes()).sum()
    }

    /// The solvers, as the content of a checkpoint.
    pub fn learned(&self) -> Vec<&dyn Learned> {
        self.solvers.iter().map(|solver| solver as &dyn Learned).collect()
    }

    /// Adds the entries and the number of nodes of a solver for the same board and penalty.
    pub fn learn(&self, other: &PenaltySolver) {
        for (solver, other) in self.solvers.iter().zip(&other.solvers) {
            other.table().iter().for_each(|entry| solver.add_entry(&entry));
            solver.add_nodes(other.nodes());
        }
    }

    /// The solvers, one or two.
    pub fn solvers(&self) -> &[Solver] {
        &self.solvers
    }

    /// The value of a position under the penalty of each solver.
    pub fn values(&self, drawn: Lines, monitor: &Monitor) -> Result<Vec<Marked>, SolveError> {
        let value = |solver: &Solver| {
            let prefix = if self.solvers.len() == 1 {
                String::new()
            } else {
                format!("penalty {}, ", solver.penalty())
            };
            labelled(monitor, &format!("{prefix}value "), |monitor| solver.marked(drawn, monitor))
        };
        self.solvers.iter().map(value).collect()
    }

    /// The score under the penalty, from the [values](Self::values) of the solvers.
    pub fn score(&self, values: &[Marked]) -> Score {
        let first = values[0].score;
        let slope = match values.get(1) {
            Some(second) => second.score - first,
            None => first.signum(),
        };
        let denominator = self.penalty.denominator();
        let below = i64::from(self.solvers[0].penalty()) * denominator - self.penalty.numerator();
        Score::new(i64::from(first) * denominator + i64::from(slope) * below, denominator)
    }

    /// The player who must make the next loony move, if marks are on and all values agree.
    pub fn loony(&self, values: &[Marked]) -> Option<Loony> {
        let first = values[0].loony;
        (self.marks && values.iter().all(|value| value.loony == first)).then_some(first)
    }

    /// The legal moves of a position with the given values, the best ones first.
    ///
    /// Equally good moves are in the order of [`rank`](Self::rank).
    pub fn moves(
        &self,
        drawn: Lines,
        values: &[Marked],
        monitor: &Monitor,
    ) -> Result<Vec<ScoredMove>, SolveError> {
        let open: Vec<usize> = lines_of(self.board.all() & !drawn).collect();
        let mut moves = Vec::with_capacity(open.len());
        for (number, &line) in (1..).zip(&open) {
            monitor.check()?;
            let label = format!("move {number} of {}: ", open.len());
            let values: Vec<Marked> = labelled(monitor, &label, |monitor| {
                self.solvers
                    .iter()
                    .zip(values)
                    .map(|(solver, best)| solver.marked_move(drawn, line, best.score, monitor))
                    .collect::<Result<_, SolveError>>()
            })?;
            moves.push(ScoredMove { line, score: self.score(&values), loony: self.loony(&values) });
        }
        moves.sort_by_key(|mv| (Reverse(mv.score), self.rank(drawn, mv.line)));
        Ok(moves)
    }

    /// The order of equally good moves: first those that take boxes, then by distance from the
    /// middle of the board, then by number. The search prefers the middle too, so it has the most
    /// entries for these moves.
    pub fn rank(&self, drawn: Lines, line: usize) -> (bool, usize, usize) {
        (self.board.closed_by(drawn, line) == 0, self.board.from_middle(line), line)
    }
}

/// Runs a job with a prefix for its status texts.
fn labelled<T>(monitor: &Monitor, label: &str, work: impl FnOnce(&Monitor) -> T) -> T {
    let Some(progress) = monitor.progress else { return work(monitor) };
    let labelled = Labelled { progress, label };
    progress.status(label.trim_end_matches([' ', ':']));
    work(&Monitor { progress: Some(&labelled), ..*monitor })
}

/// Reports progress with a prefix for status texts.
struct Labelled<'a> {
    progress: &'a dyn Progress,
    label: &'a str,
}

impl Progress for Labelled<'_> {
    fn begin(&self, what: &str, units: u64) {
        self.progress.begin(what, units);
    }

    fn advance(&self, units: u64) {
        self.progress.advance(units);
    }

    fn status(&self, text: &str) {
        self.progress.status(&format!("{}{text}", self.label));
    }
}
