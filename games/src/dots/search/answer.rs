//! Values and moves of a position under any penalty.
//!
//! At the end a player is ahead by some boxes, more or less the penalty. How many boxes that can be
//! is all odd or all even, so two ends of a game change places, as the penalty goes down, at whole
//! numbers only: between two neighbours a score is on a straight line, and at these it differs by
//! one. Once the penalty is more than all boxes, who draws the last line is behind, and players ask
//! first who that will be: from there down a score goes on in the direction that its sign tells.

use super::solver::{Loony, Marked, Solver};
use super::variation::MoveKind;
use crate::dots::{Board, Lines, Penalty, lines_of};
use bsq_engine::evaluate::Learned;
use bsq_engine::monitor::{Monitor, Progress, SolveError};
use bsq_engine::score::Score;
use std::cmp::Reverse;

/// Values positions of one board under one penalty, with all that it has learned so far.
///
/// ```
/// use bsq_games::dots::{Board, Penalty};
/// use bsq_engine::monitor::Monitor;
/// use bsq_games::dots::search::Analyst;
///
/// let board = Board::new(2, 2).unwrap();
/// let analyst = Analyst::new(board, Penalty::parse("-0.5").unwrap(), 1 << 20).unwrap();
/// let value = analyst.value(0, &Monitor::default()).unwrap();
/// let moves = analyst.moves(0, &Monitor::default()).unwrap();
/// assert_eq!(value.to_string(), "1.5");
/// assert_eq!((moves.len(), moves[0].score), (12, value));
/// ```
pub struct Analyst {
    board: Board,
    penalty: Penalty,
    /// For the whole numbers on both sides of the penalty, the one above it first; for the lowest
    /// number that has to be solved where the penalty is lower; or for the penalty alone.
    solvers: Vec<Solver>,
    marks: bool,
}

/// A legal move and what it is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The line.
    pub line: usize,
    /// Boxes that it closes.
    pub taken: i32,
    /// Points still to come, the mover's minus the other player's, these boxes among them.
    pub score: Score,
    /// What kind of a move it is.
    pub note: MoveKind,
    /// Who must make the next loony move then, seen by who makes the move, if that was asked for. Under a
    /// penalty between whole numbers it is known where both of these say the same.
    pub loony: Option<Loony>,
}

impl Analyst {
    /// An analyst with tables of no more than that many bytes in all.
    pub fn new(board: Board, penalty: Penalty, table_bytes: u64) -> Result<Analyst, SolveError> {
        Analyst::make(board, penalty, table_bytes, false)
    }

    /// One that also finds out who must make the next loony move.
    pub fn with_marks(
        board: Board,
        penalty: Penalty,
        table_bytes: u64,
    ) -> Result<Analyst, SolveError> {
        Analyst::make(board, penalty, table_bytes, true)
    }

    fn make(
        board: Board,
        penalty: Penalty,
        table_bytes: u64,
        marks: bool,
    ) -> Result<Analyst, SolveError> {
        let lowest = -1 - board.boxes() as i32;
        let mut wholes = vec![penalty.ceil().max(lowest), penalty.floor().max(lowest)];
        wholes.dedup();
        let count = wholes.len() as u64;
        let solver = |&whole: &i32| match marks {
            true => Solver::with_marks(board, whole, table_bytes / count),
            false => Solver::new(board, whole, table_bytes / count),
        };
        let solvers: Result<Vec<Solver>, SolveError> = wholes.iter().map(solver).collect();
        let solvers = solvers.map_err(|error| match error {
            SolveError::TableTooSmall { least } => {
                SolveError::TableTooSmall { least: least * count }
            }
            error => error,
        })?;
        Ok(Analyst { board, penalty, solvers, marks })
    }

    /// The board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The penalty.
    pub fn penalty(&self) -> Penalty {
        self.penalty
    }

    /// Nodes searched so far.
    pub fn nodes(&self) -> u64 {
        self.solvers.iter().map(Solver::nodes).sum()
    }

    /// Bytes of the tables.
    pub fn table_bytes(&self) -> u64 {
        self.solvers.iter().map(|solver| solver.table().bytes()).sum()
    }

    /// The share of the tables that is in use.
    pub fn fill(&self) -> f64 {
        let fills = self.solvers.iter().map(|solver| solver.table().fill());
        fills.sum::<f64>() / self.solvers.len() as f64
    }

    /// What was learned, to be kept in a checkpoint.
    pub fn learned(&self) -> Vec<&dyn Learned> {
        self.solvers.iter().map(|solver| solver as &dyn Learned).collect()
    }

    /// The solvers, one or two.
    pub(super) fn solvers(&self) -> &[Solver] {
        &self.solvers
    }

    /// The value of a position: points still to come, the mover's minus the other player's.
    pub fn value(&self, drawn: Lines, monitor: &Monitor) -> Result<Score, SolveError> {
        Ok(self.score(&self.values(drawn, monitor)?))
    }

    /// The value by each of the solvers.
    pub(super) fn values(&self, drawn: Lines, monitor: &Monitor) -> Result<Vec<i32>, SolveError> {
        let value = |solver: &Solver| {
            let aside = match self.solvers.len() {
                1 => String::new(),
                _ => format!("penalty {}, ", solver.penalty()),
            };
            watched(monitor, &format!("{aside}value "), |monitor| solver.value(drawn, monitor))
        };
        self.solvers.iter().map(value).collect()
    }

    /// The score under the penalty, from what it is by each of the solvers.
    pub(super) fn score(&self, values: &[i32]) -> Score {
        let [first, rest @ ..] = values else { return Score::from(0) };
        let down = match rest {
            [second, ..] => second - first,
            [] => first.signum(),
        };
        let below = i64::from(self.solvers[0].penalty()) * self.penalty.denominator()
            - self.penalty.numerator();
        let denominator = self.penalty.denominator();
        Score::new(i64::from(*first) * denominator + i64::from(down) * below, denominator)
    }

    /// Every legal move, the best ones first; of equal ones those that take boxes first, then from
    /// the middle of the board outwards.
    pub fn moves(&self, drawn: Lines, monitor: &Monitor) -> Result<Vec<Choice>, SolveError> {
        let best = self.values(drawn, monitor)?;
        let open: Vec<usize> = lines_of(self.board.all() & !drawn).collect();
        let mut choices = Vec::with_capacity(open.len());
        for (number, &line) in (1..).zip(&open) {
            monitor.check()?;
            let label = format!("move {number} of {}: ", open.len());
            let choice =
                watched(monitor, &label, |monitor| self.choice(drawn, line, &best, monitor))?;
            choices.push(choice);
        }
        choices.sort_by_key(|choice| (Reverse(choice.score), self.rank(choice.taken, choice.line)));
        Ok(choices)
    }

    /// What comes first of moves that are equally good: to take boxes, then the lines from the middle
    /// outwards, then those read first. The search goes from the middle too, so it knows them best.
    pub(super) fn rank(&self, taken: i32, line: usize) -> (bool, usize, usize) {
        (taken == 0, self.board.from_middle(line), line)
    }

    /// Who must make the next loony move, if that was asked for and is known.
    pub fn loony(&self, drawn: Lines, monitor: &Monitor) -> Result<Option<Loony>, SolveError> {
        if !self.marks {
            return Ok(None);
        }
        let mark = |solver: &Solver| Ok(solver.marked(drawn, monitor)?.loony);
        let marks: Result<Vec<Loony>, SolveError> = self.solvers.iter().map(mark).collect();
        Ok(agreed(&marks?))
    }

    /// What a move is worth where the best one is worth that by each of the solvers.
    fn choice(
        &self,
        drawn: Lines,
        line: usize,
        best: &[i32],
        monitor: &Monitor,
    ) -> Result<Choice, SolveError> {
        let taken = self.taken(drawn, line);
        let solvers = self.solvers.iter().zip(best);
        let marked = solvers.map(|(solver, &best)| solver.marked_move(drawn, line, best, monitor));
        let marked: Vec<Marked> = marked.collect::<Result<_, SolveError>>()?;
        let scores: Vec<i32> = marked.iter().map(|marked| marked.score).collect();
        let marks: Vec<Loony> = marked.iter().map(|marked| marked.loony).collect();
        let loony = if self.marks { agreed(&marks) } else { None };
        let note = MoveKind::of(self.solvers[0].bitboard(), drawn, line);
        Ok(Choice { line, taken, score: self.score(&scores), note, loony })
    }

    /// Boxes that a line closes.
    pub(super) fn taken(&self, drawn: Lines, line: usize) -> i32 {
        self.board.closed_by(drawn, line).count_ones() as i32
    }
}

/// What all say, if they say the same.
fn agreed(marks: &[Loony]) -> Option<Loony> {
    let (first, others) = marks.split_first()?;
    others.iter().all(|mark| mark == first).then_some(*first)
}

/// Does something that says how it stands, with some words before what it says.
fn watched<T>(monitor: &Monitor, label: &str, work: impl FnOnce(&Monitor) -> T) -> T {
    let Some(progress) = monitor.progress else { return work(monitor) };
    let labelled = Labelled { progress, label };
    progress.status(label.trim_end_matches([' ', ':']));
    work(&Monitor { progress: Some(&labelled), stop: monitor.stop })
}

/// Progress with some words before what is said of it.
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
