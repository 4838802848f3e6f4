//! The driver of the search: MTD(f) on all threads, and the values of positions and of their moves.

use super::alpha_beta::{Search, Shared};
use super::captures::Captures;
use super::encoding::Encoding;
use super::move_history::MoveHistory;
use super::node::{MoveGenerator, Node, Reductions};
use crate::dots::{Bitboard, Board, Lines, lines_of};
use bsq_engine::evaluate::Learned;
use bsq_engine::game::Player;
use bsq_engine::monitor::{Halt, Monitor, SolveError};
use bsq_engine::table::transposition::Entry;
use bsq_engine::table::{Bounds, ClassTable};
use std::sync::{Mutex, PoisonError};

/// The player who must make the next loony move if both play optimally.
///
/// A move is loony if after it a box can be taken whose neighbour across the open line has two open
/// sides: the opponent may take all boxes and move on, or make a double-dealing move (Wilson).
/// Among moves with equal scores a player prefers those after which the opponent must make the next
/// loony move, then those after which neither player must.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loony {
    /// The player to move; of a move, the player who makes it.
    Mover,
    /// The other player.
    Other,
    /// Neither player.
    Nobody,
}

/// A score with a loony mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Marked {
    /// Net score: boxes still to come, the mover's minus the opponent's.
    pub score: i32,
    /// The player who must make the next loony move.
    pub loony: Loony,
}

impl Marked {
    /// The same for the other player.
    pub fn for_opponent(self) -> Marked {
        let loony = match self.loony {
            Loony::Mover => Loony::Other,
            Loony::Other => Loony::Mover,
            Loony::Nobody => Loony::Nobody,
        };
        Marked { score: -self.score, loony }
    }

    /// The value for the player to move after a best move that takes this number of boxes.
    pub(super) fn after_move(self, taken: u32) -> Marked {
        match taken {
            0 => self.for_opponent(),
            taken => Marked { score: self.score - taken as i32, ..self },
        }
    }
}

impl Loony {
    /// The player who must make the next loony move, if the mover is `player`.
    pub fn player(self, player: Player) -> Option<Player> {
        match self {
            Loony::Mover => Some(player),
            Loony::Other => Some(player.other()),
            Loony::Nobody => None,
        }
    }
}

/// A solver of positions of one board with one penalty. Its transposition table and move histories
/// are kept from one search to the next.
pub struct Solver {
    shared: Shared,
    /// The move history of each thread.
    histories: Vec<Mutex<MoveHistory>>,
}

impl Solver {
    /// A solver with a transposition table of at most `table_bytes` bytes. `penalty` is 0 or less.
    pub fn new(board: Board, penalty: i32, table_bytes: u64) -> Result<Solver, SolveError> {
        Solver::with_options(board, penalty, table_bytes, false, Reductions::ALL)
    }

    /// A solver that also determines loony marks if `marks` is set. Reductions can be switched off
    /// for tests.
    pub fn with_options(
        board: Board,
        penalty: i32,
        table_bytes: u64,
        marks: bool,
        reductions: Reductions,
    ) -> Result<Solver, SolveError> {
        let encoding = Encoding { marks };
        assert!(
            encoding.value(board.boxes() as i32 - penalty, 1) <= ClassTable::MAX_BOUND,
            "the table has room for every value"
        );
        let generator = MoveGenerator::new(board, penalty, encoding, reductions);
        let history = || Mutex::new(MoveHistory::new(board.lines()));
        Ok(Solver {
            shared: Shared::new(generator, penalty, table_bytes)?,
            histories: (0..rayon::current_num_threads()).map(|_| history()).collect(),
        })
    }

    /// The number of nodes searched.
    pub fn nodes(&self) -> u64 {
        self.shared.nodes()
    }

    /// The value of a position: the net score of the boxes still to come for the player to move.
    ///
    /// # Errors
    ///
    /// Returns [`SolveError::Stopped`] if the monitor asks to stop.
    pub fn value(&self, drawn: Lines, monitor: &Monitor) -> Result<i32, SolveError> {
        Ok(self.marked(drawn, monitor)?.score)
    }

    /// The value of a position with its mark, which is [`Loony::Nobody`] if marks are off.
    pub fn marked(&self, drawn: Lines, monitor: &Monitor) -> Result<Marked, SolveError> {
        self.marked_near(drawn, 0, monitor)
    }

    /// The value with its mark, faster if the score is near `guess`.
    fn marked_near(
        &self,
        drawn: Lines,
        guess: i32,
        monitor: &Monitor,
    ) -> Result<Marked, SolveError> {
        let generator = &self.shared.generator;
        let (captures, node) = self.captures(drawn);
        let guess = generator.encoding.value(guess - captures.boxes, 0);
        let rest = self.mtdf(&node, guess, monitor)?;
        let odd = generator.odd(&node);
        let value = captures.value(generator.encoding, rest, odd);
        let odd = odd ^ (captures.boxes & 1 == 1);
        Ok(Marked {
            score: generator.encoding.score(value, odd),
            loony: match generator.encoding.mark(value, odd) {
                0 => Loony::Nobody,
                1.. => Loony::Other,
                _ => Loony::Mover,
            },
        })
    }

    /// Whether the value of a position is at least `goal`.
    pub fn reaches(&self, drawn: Lines, goal: i32, monitor: &Monitor) -> Result<bool, SolveError> {
        let (captures, node) = self.captures(drawn);
        let encoding = self.shared.generator.encoding;
        let odd = i32::from(self.shared.generator.odd(&node));
        let least = |goal: i32| -> Result<bool, SolveError> {
            let goal = encoding.value(goal + ((goal ^ odd) & 1), -1);
            match self.shared.bounds(&node) {
                Bounds { lower, .. } if goal <= lower => Ok(true),
                Bounds { upper, .. } if goal > upper => Ok(false),
                _ => Ok(self.null_window(&node, goal, monitor)? >= goal),
            }
        };
        match captures.control_cost {
            _ if least(goal - captures.boxes)? => Ok(true),
            Some(control_cost) => Ok(!least(captures.boxes - control_cost - goal + 1)?),
            None => Ok(false),
        }
    }

    /// Whether the score of a move is at least `goal`, for the player who makes it.
    pub(super) fn move_reaches(
        &self,
        drawn: Lines,
        line: usize,
        goal: i32,
        monitor: &Monitor,
    ) -> Result<bool, SolveError> {
        let next = drawn | 1 << line;
        Ok(match self.taken(drawn, line) {
            0 => !self.reaches(next, 1 - goal, monitor)?,
            taken => self.reaches(next, goal - taken, monitor)?,
        })
    }

    /// The boxes that a line closes.
    fn taken(&self, drawn: Lines, line: usize) -> i32 {
        self.bitboard().board().closed_by(drawn, line).count_ones() as i32
    }

    /// The captures of a position, and the node after them.
    fn captures(&self, drawn: Lines) -> (Captures, Node) {
        let captures = Captures::new(self.bitboard(), self.bitboard().open(drawn));
        (captures, self.shared.generator.node(captures.open, 0))
    }

    /// The bitboard layout.
    pub fn bitboard(&self) -> &Bitboard {
        &self.shared.generator.bitboard
    }

    /// The penalty in points, 0 or less.
    pub fn penalty(&self) -> i32 {
        self.shared.penalty
    }

    /// The transposition table.
    pub fn table(&self) -> &ClassTable {
        &self.shared.table
    }

    /// Every legal move with its score for the player who makes it.
    pub fn moves(&self, drawn: Lines, monitor: &Monitor) -> Result<Vec<(usize, i32)>, SolveError> {
        let moves = self.marked_moves(drawn, monitor)?;
        Ok(moves.into_iter().map(|(line, marked)| (line, marked.score)).collect())
    }

    /// Every legal move with its score and mark, for the player who makes it.
    pub fn marked_moves(
        &self,
        drawn: Lines,
        monitor: &Monitor,
    ) -> Result<Vec<(usize, Marked)>, SolveError> {
        let open = self.bitboard().board().all() & !drawn;
        lines_of(open).map(|line| Ok((line, self.marked_move(drawn, line, 0, monitor)?))).collect()
    }

    /// A legal move with its score and mark, for the player who makes it. `guess` is the first
    /// guess of the score.
    pub(super) fn marked_move(
        &self,
        drawn: Lines,
        line: usize,
        guess: i32,
        monitor: &Monitor,
    ) -> Result<Marked, SolveError> {
        let next = drawn | 1 << line;
        Ok(match self.taken(drawn, line) {
            0 => self.marked_near(next, -guess, monitor)?.for_opponent(),
            taken => {
                let rest = self.marked_near(next, guess - taken, monitor)?;
                Marked { score: taken + rest.score, ..rest }
            }
        })
    }

    /// The value of a node by MTD(f): null-window searches that narrow its bounds.
    fn mtdf(&self, node: &Node, guess: i32, monitor: &Monitor) -> Result<i32, SolveError> {
        let odd = self.shared.generator.odd(node);
        let mut bounds = self.shared.bounds(node);
        let mut guess = guess;
        while bounds.lower < bounds.upper {
            // Measuring the fill of the table takes longer than many searches.
            if monitor.progress.is_some() {
                self.shared.report(bounds, odd, None, monitor);
            }
            let goal = guess.clamp(bounds.lower + 1, bounds.upper);
            let goal = self.shared.generator.encoding.next(goal, odd);
            let found = self.null_window(node, goal, monitor)?;
            if found >= goal {
                bounds.lower = found.min(bounds.upper);
            } else {
                bounds.upper = found.max(bounds.lower);
            }
            guess = if found >= goal { found + 1 } else { found };
        }
        Ok(bounds.lower)
    }

    /// Runs a null-window search on every thread. The first search to finish has the result.
    fn null_window(&self, node: &Node, goal: i32, monitor: &Monitor) -> Result<i32, SolveError> {
        let halt = Halt::new(monitor);
        let answers = rayon::broadcast(|thread| {
            let history = &self.histories[thread.index() % self.histories.len()];
            // A history affects the order of moves only, so that of a panicked thread can be used.
            let history = history.lock().unwrap_or_else(PoisonError::into_inner);
            Search::new(&self.shared, history).run(node, goal, &halt)
        });
        let stopped = Err(SolveError::Stopped);
        answers.into_iter().find(|answer| answer.is_ok()).unwrap_or(stopped)
    }
}

impl Learned for Solver {
    fn entries(&self) -> Box<dyn Iterator<Item = Entry> + '_> {
        Box::new(self.shared.table.iter())
    }

    fn add_entry(&self, entry: &Entry) {
        self.shared.add_entry(entry);
    }

    fn fill(&self) -> f64 {
        self.shared.table.fill()
    }

    fn table_bytes(&self) -> u64 {
        self.shared.table.bytes()
    }

    fn nodes(&self) -> u64 {
        Solver::nodes(self)
    }

    fn add_nodes(&self, nodes: u64) {
        self.shared.count(nodes);
    }

    fn admits(&self, entry: &Entry) -> bool {
        let bounds = entry.bounds;
        let most = self.shared.most(self.bitboard().board().boxes() as i32);
        self.shared.generator.is_key(entry.key())
            && -most <= bounds.lower
            && bounds.lower <= bounds.upper
            && bounds.upper <= most
    }
}
