//! Values of positions and of their moves under any penalty.
//!
//! A final score is a difference of boxes plus or minus the penalty. All box differences that a
//! position can lead to have the same parity. The value, as a function of the penalty, is therefore
//! linear between two neighbouring integers, and its values at these differ by one.
//!
//! If the absolute value of the penalty exceeds the number of boxes, the player who draws the last
//! line loses, or wins if the penalty is positive. Each player then first tries to avoid that line, or
//! to draw it. For all such penalties of one sign the value is linear, and it moves away from 0 as the
//! penalty does.

use super::encoding::Encoding;
use super::node::Reductions;
use super::solver::{AnySolver, Loony, Marked, Solver};
use crate::dots::{Bitboard, Board, Lines, Penalty, lines_of};
use bsq_engine::evaluate::Learned;
use bsq_engine::monitor::{Monitor, SolveError};
use bsq_engine::proved::Proved;
use bsq_engine::score::Score;
use bsq_engine::search::Learner;
use bsq_engine::table::{Bounds, ClassTable};
use std::cmp::Reverse;

/// Solves positions of one board under one penalty, integer or fractional.
///
/// Tables are kept from one position to the next.
pub struct PenaltySolver {
    /// For the kinds of moves.
    bitboard: Bitboard<u128>,
    penalty: Penalty,
    /// Solvers for the integers on both sides of the penalty, the upper one first. There is only
    /// one if the penalty is an integer, or so far from 0 that values are linear from that of the solver
    /// on.
    solvers: Vec<Box<dyn AnySolver>>,
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

/// The integers on both sides of a penalty, the upper one first. One if they are equal, or if values
/// are linear beyond them.
fn wholes(board: &Board, penalty: Penalty) -> Vec<i32> {
    let most = 1 + board.boxes() as i32;
    let mut wholes = vec![penalty.ceil().clamp(-most, most), penalty.floor().clamp(-most, most)];
    wholes.dedup();
    wholes
}

impl PenaltySolver {
    /// The largest number of a value with its mark that the table has room for.
    pub const MOST_VALUE: i32 = ClassTable::MAX_BOUND;

    /// The largest number of a value of a board under a penalty, with or without marks.
    pub fn most_value(board: &Board, penalty: Penalty, marks: bool) -> i32 {
        let most = wholes(board, penalty).into_iter().map(i32::abs).max().unwrap_or(0);
        Encoding { marks }.value(board.boxes() as i32 + most, 1)
    }

    /// Creates a solver with tables of at most `table_bytes` bytes in all.
    ///
    /// With `marks` it also determines who must make the next loony move.
    pub fn new(
        board: Board,
        penalty: Penalty,
        table_bytes: u64,
        marks: bool,
    ) -> Result<PenaltySolver, SolveError> {
        let wholes = wholes(&board, penalty);
        let count = wholes.len() as u64;
        let solver = |&whole: &i32| -> Result<Box<dyn AnySolver>, SolveError> {
            let (bytes, all) = (table_bytes / count, Reductions::ALL);
            Ok(if board.is_small() {
                Box::new(Solver::<u64>::with_options(board, whole, bytes, marks, all)?)
            } else {
                Box::new(Solver::<u128>::with_options(board, whole, bytes, marks, all)?)
            })
        };
        let solvers: Result<Vec<_>, SolveError> = wholes.iter().map(solver).collect();
        let solvers = solvers.map_err(|error| match error {
            SolveError::TableTooSmall { least } => {
                SolveError::TableTooSmall { least: least * count }
            }
            error => error,
        })?;
        Ok(PenaltySolver { bitboard: Bitboard::of(board), penalty, solvers, marks })
    }

    /// The board.
    pub fn board(&self) -> &Board {
        self.bitboard.board()
    }

    /// The layout of the board.
    pub fn bitboard(&self) -> &Bitboard<u128> {
        &self.bitboard
    }

    /// The size of the tables, in bytes.
    pub fn table_bytes(&self) -> u64 {
        self.solvers.iter().map(|solver| solver.table_bytes()).sum()
    }

    /// The solvers, one or two.
    pub fn solvers(&self) -> &[Box<dyn AnySolver>] {
        &self.solvers
    }

    /// The value of a position under the penalty of each solver.
    pub fn values(&self, drawn: Lines, monitor: &Monitor) -> Result<Vec<Marked>, SolveError> {
        let value = |solver: &dyn AnySolver| {
            let describe = |bounds: Bounds| {
                let proved = monitor.words(bounds);
                match self.solvers.len() {
                    1 => proved,
                    _ => format!("with the penalty {}, {proved}", solver.penalty()),
                }
            };
            solver.marked(drawn, &monitor.describing(&describe))
        };
        self.solvers.iter().map(|solver| value(&**solver)).collect()
    }

    /// The score under the penalty, from the [values](Self::values) of the solvers.
    pub fn score(&self, values: &[Marked]) -> Score {
        self.between(values[0].score, values.get(1).map(|second| second.score))
    }

    /// The score under the penalty, from the scores of the solvers. It grows with each of them.
    fn between(&self, first: i32, second: Option<i32>) -> Score {
        let whole = self.solvers[0].penalty();
        // The change of the score for each point by which the penalty is lower.
        let slope = second.map_or(-whole.signum() * first.signum(), |second| second - first);
        let denominator = self.penalty.denominator();
        let below = i64::from(whole) * denominator - self.penalty.numerator();
        Score::new(i64::from(first) * denominator + i64::from(slope) * below, denominator)
    }

    /// Stores the net score of a position in which no box can be taken. Only for an integral penalty,
    /// without marks.
    pub fn learn(&self, drawn: Lines, score: i32) {
        self.solvers.iter().for_each(|solver| solver.learn(drawn, score));
    }

    /// Bounds on the net score of the player to move from a position on, without a search.
    pub fn known(&self, drawn: Lines) -> Proved<Score> {
        let bounds: Vec<Bounds> = self.solvers.iter().map(|solver| solver.known(drawn)).collect();
        let second = bounds.get(1);
        Proved {
            least: self.between(bounds[0].lower, second.map(|second| second.lower)),
            most: self.between(bounds[0].upper, second.map(|second| second.upper)),
        }
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
        let open: Vec<usize> = lines_of(self.board().all() & !drawn).collect();
        let mut moves = Vec::with_capacity(open.len());
        for (number, &line) in (1..).zip(&open) {
            monitor.check()?;
            let describe = |_| format!("move {number} of {}", open.len());
            let monitor = monitor.describing(&describe);
            let both = self.solvers.iter().zip(values);
            let values: Vec<Marked> = both
                .map(|(solver, best)| solver.marked_move(drawn, line, best.score, &monitor))
                .collect::<Result<_, SolveError>>()?;
            moves.push(ScoredMove { line, score: self.score(&values), loony: self.loony(&values) });
        }
        moves.sort_by_key(|mv| (Reverse(mv.score), self.rank(drawn, mv.line)));
        Ok(moves)
    }

    /// The order of equally good moves: first those that take boxes, then by distance from the
    /// middle of the board, then by number. The search prefers the middle too, so it has the most
    /// entries for these moves.
    pub fn rank(&self, drawn: Lines, line: usize) -> (bool, usize, usize) {
        (self.board().closed_by(drawn, line) == 0, self.board().from_middle(line), line)
    }
}

impl Learner for PenaltySolver {
    fn learned(&self) -> Vec<&dyn Learned> {
        self.solvers.iter().map(|solver| &**solver as &dyn Learned).collect()
    }
}
