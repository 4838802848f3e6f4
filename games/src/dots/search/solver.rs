//! Questions to the search: which value, by how many threads.

use super::captures::Captures;
use super::encoding::Encoding;
use super::move_history::MoveHistory;
use super::node::{MoveGenerator, Node, Reductions};
use super::search::Worker;
use crate::dots::{Bitboard, Board, Lines, lines_of};
use bsq_engine::monitor::Halt;
use bsq_engine::monitor::{Monitor, SolveError};
use bsq_engine::storage::checkpoint::Learned;
use bsq_engine::table::InProgress;
use bsq_engine::table::transposition::{Entry, Slot};
use bsq_engine::table::{Bounds, TranspositionTable};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// Who must make the next loony move, if both keep to the best scores: of moves with the same score
/// a player prefers one after which the opponent must, then one after which nobody must.
///
/// A move is loony if the opponent can take a box then whose neighbour across the open line has two
/// open sides: the opponent may take all and move on, or leave the last of them (Wilson).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loony {
    /// The player on the move; of a move, who makes it.
    Mover,
    /// The other player.
    Other,
    /// Neither.
    Nobody,
}

/// A score, and who must make the next loony move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Marked {
    /// Boxes still to come, the mover's minus the other player's.
    pub score: i32,
    /// The mark.
    pub loony: Loony,
}

impl Marked {
    /// The same from the other side of the board.
    pub fn seen_by_the_other(self) -> Marked {
        let loony = match self.loony {
            Loony::Mover => Loony::Other,
            Loony::Other => Loony::Mover,
            Loony::Nobody => Loony::Nobody,
        };
        Marked { score: -self.score, loony }
    }
}

/// A solver of positions of one board, with all that it has learned so far.
pub struct Solver {
    pub(super) generator: MoveGenerator,
    pub(super) table: TranspositionTable,
    pub(super) in_progress: InProgress,
    nodes: AtomicU64,
    /// What each thread has learned.
    history: Vec<Mutex<MoveHistory>>,
    penalty: i32,
    /// Bits of a position's key: of its lines, and of all.
    bits: (u32, u32),
}

impl Solver {
    /// A solver with a table of no more than that many bytes.
    pub fn new(board: Board, penalty: i32, table_bytes: u64) -> Result<Solver, SolveError> {
        Solver::make(board, penalty, table_bytes, false, Reductions::ALL)
    }

    /// One that also finds out who must make the next loony move.
    pub fn with_marks(board: Board, penalty: i32, table_bytes: u64) -> Result<Solver, SolveError> {
        Solver::make(board, penalty, table_bytes, true, Reductions::ALL)
    }

    /// The same with less of what makes the search short.
    pub fn with_reductions(
        board: Board,
        penalty: i32,
        table_bytes: u64,
        reductions: Reductions,
    ) -> Result<Solver, SolveError> {
        Solver::make(board, penalty, table_bytes, false, reductions)
    }

    fn make(
        board: Board,
        penalty: i32,
        table_bytes: u64,
        marks: bool,
        reductions: Reductions,
    ) -> Result<Solver, SolveError> {
        let encoding = Encoding { marks };
        assert!(
            encoding.value(board.boxes() as i32 - penalty, 1) <= TranspositionTable::MAX_BOUND,
            "the table has room for every value"
        );
        let generator = MoveGenerator::new(board, penalty, encoding, reductions);
        let bits = board.lines() as u32 + generator.endgames.len().ilog2() + 1;
        let half = bits.div_ceil(2) as usize;
        let lines =
            usize::try_from(table_bytes).unwrap_or(usize::MAX) / TranspositionTable::BUCKET_BYTES;
        let least = TranspositionTable::min_buckets(half);
        if lines < least {
            let least = (least * TranspositionTable::BUCKET_BYTES) as u64;
            return Err(SolveError::TableTooSmall { least });
        }
        let table = TranspositionTable::with_buckets(half, lines);
        let table = table.ok_or(SolveError::NoRoom { positions: lines as u64 * 4 })?;
        let bits = (board.lines() as u32, half as u32);
        let history = || Mutex::new(MoveHistory::new(board.lines()));
        Ok(Solver {
            generator,
            table,
            in_progress: InProgress::default(),
            nodes: AtomicU64::new(0),
            history: (0..rayon::current_num_threads()).map(|_| history()).collect(),
            penalty,
            bits,
        })
    }

    /// Nodes searched so far.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    pub(super) fn count(&self, nodes: u64) {
        self.nodes.fetch_add(nodes, Ordering::Relaxed);
    }

    /// What is known of a node without the table.
    #[inline(always)]
    pub(super) fn bounds(&self, node: &Node) -> Bounds {
        if node.open.horizontal | node.open.vertical == 0 {
            let value = self.generator.endgames.value(node.endgame);
            return Bounds { lower: value, upper: value };
        }
        let most = self.most(self.generator.boxes(node));
        Bounds { lower: -most, upper: most }
    }

    /// Where the table has a node.
    #[inline(always)]
    pub(super) fn place(&self, node: &Node) -> Slot {
        let word = self.generator.bitboard.canonical(node.open);
        let key = u128::from(word) | u128::from(node.endgame) << self.bits.0;
        let half = (1 << self.bits.1) - 1;
        self.table.locate(((key & half) as u64, (key >> self.bits.1) as u64))
    }

    /// The value of a position: boxes still to come, the mover's minus the other player's.
    pub fn value(&self, drawn: Lines, monitor: &Monitor) -> Result<i32, SolveError> {
        Ok(self.marked(drawn, monitor)?.score)
    }

    /// The value of a position with its mark, which is [`Loony::Nobody`] of a solver without marks.
    pub fn marked(&self, drawn: Lines, monitor: &Monitor) -> Result<Marked, SolveError> {
        self.marked_near(drawn, 0, monitor)
    }

    /// The same, sooner where the score is near some number.
    fn marked_near(
        &self,
        drawn: Lines,
        guess: i32,
        monitor: &Monitor,
    ) -> Result<Marked, SolveError> {
        let generator = &self.generator;
        let (captures, node) = self.captures(drawn);
        let guess = generator.encoding.value(guess - captures.boxes, 0);
        let rest = self.node_value(&node, guess, monitor)?;
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

    /// Whether the score of a position is at least that.
    pub fn reaches(&self, drawn: Lines, goal: i32, monitor: &Monitor) -> Result<bool, SolveError> {
        let (captures, node) = self.captures(drawn);
        let encoding = self.generator.encoding;
        let odd = i32::from(self.generator.odd(&node));
        let least = |goal: i32| -> Result<bool, SolveError> {
            let goal = encoding.value(goal + ((goal ^ odd) & 1), -1);
            match self.bounds(&node) {
                Bounds { lower, .. } if goal <= lower => Ok(true),
                Bounds { upper, .. } if goal > upper => Ok(false),
                _ => Ok(self.test(&node, goal, monitor)? >= goal),
            }
        };
        match captures.control_cost {
            _ if least(goal - captures.boxes)? => Ok(true),
            Some(control_cost) => Ok(!least(captures.boxes - control_cost - goal + 1)?),
            None => Ok(false),
        }
    }

    /// What can be taken in a position, and what is left then.
    fn captures(&self, drawn: Lines) -> (Captures, Node) {
        let captures = Captures::new(&self.generator.bitboard, self.generator.bitboard.open(drawn));
        (captures, self.generator.node(captures.open, 0))
    }

    /// The board laid out.
    pub fn bitboard(&self) -> &Bitboard {
        &self.generator.bitboard
    }

    /// The penalty.
    pub fn penalty(&self) -> i32 {
        self.penalty
    }

    /// The table, for how full it is.
    pub fn table(&self) -> &TranspositionTable {
        &self.table
    }

    /// Every legal move with its score: boxes still to come, the mover's minus the other's.
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
        let open = self.generator.bitboard.board().all() & !drawn;
        lines_of(open).map(|line| Ok((line, self.marked_move(drawn, line, 0, monitor)?))).collect()
    }

    /// A legal move with its score and mark, for the player who makes it, sooner where the score is
    /// near some number.
    pub(super) fn marked_move(
        &self,
        drawn: Lines,
        line: usize,
        guess: i32,
        monitor: &Monitor,
    ) -> Result<Marked, SolveError> {
        let next = drawn | 1 << line;
        let taken = self.generator.bitboard.board().closed_by(drawn, line).count_ones() as i32;
        Ok(match taken {
            0 => self.marked_near(next, -guess, monitor)?.seen_by_the_other(),
            _ => {
                let rest = self.marked_near(next, guess - taken, monitor)?;
                Marked { score: taken + rest.score, ..rest }
            }
        })
    }

    /// No value is further from 0.
    #[inline(always)]
    fn most(&self, boxes: i32) -> i32 {
        self.generator.encoding.value(boxes - self.penalty, 1)
    }

    fn node_value(&self, node: &Node, guess: i32, monitor: &Monitor) -> Result<i32, SolveError> {
        let odd = self.generator.odd(node);
        let mut bounds = self.bounds(node);
        let mut guess = guess;
        while bounds.lower < bounds.upper {
            let goal = guess.clamp(bounds.lower + 1, bounds.upper);
            let goal = self.generator.encoding.next(goal, odd);
            let found = self.test(node, goal, monitor)?;
            match found >= goal {
                true => bounds.lower = found.min(bounds.upper),
                false => bounds.upper = found.max(bounds.lower),
            }
            guess = if found >= goal { found + 1 } else { found };
            self.tell(bounds, odd, monitor);
        }
        Ok(bounds.lower)
    }

    fn tell(&self, bounds: Bounds, odd: bool, monitor: &Monitor) {
        // How full the table is takes longer to find out than many a value.
        if monitor.progress.is_none() {
            return;
        }
        let encoding = self.generator.encoding;
        let [lower, upper] = [bounds.lower, bounds.upper].map(|value| encoding.score(value, odd));
        let fill = 100.0 * self.table.fill();
        monitor.status(&format!("{lower} to {upper} boxes, table {fill:.0}% full"));
    }

    /// Runs a test on every thread; the first to end has the answer.
    fn test(&self, node: &Node, goal: i32, monitor: &Monitor) -> Result<i32, SolveError> {
        let halt = Halt::new(monitor);
        let answers = rayon::broadcast(|thread| {
            let history = &self.history[thread.index() % self.history.len()];
            // Whatever a thread that failed left there does no harm.
            let history = history.lock().unwrap_or_else(PoisonError::into_inner);
            Worker::new(self, history).run(node, goal, &halt)
        });
        let stopped = Err(SolveError::Stopped);
        answers.into_iter().find(|answer| answer.is_ok()).unwrap_or(stopped)
    }
}

impl Learned for Solver {
    fn table(&self) -> &TranspositionTable {
        &self.table
    }

    fn nodes(&self) -> u64 {
        Solver::nodes(self)
    }

    fn add_nodes(&self, nodes: u64) {
        self.count(nodes);
    }

    fn admits(&self, Entry { pair, bounds, .. }: &Entry) -> bool {
        let most = self.most(self.generator.bitboard.board().boxes() as i32);
        let is_word = (pair.0 | pair.1) >> self.bits.1 == 0;
        is_word && -most <= bounds.lower && bounds.lower <= bounds.upper && bounds.upper <= most
    }
}
