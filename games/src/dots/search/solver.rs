//! The values of positions and of their moves, by the [driver](bsq_engine::search::driver) of all
//! searches.

use super::alpha_beta::{Search, Shared};
use super::captures::Captures;
use super::encoding::Encoding;
use super::move_history::MoveHistory;
use super::node::{MoveGenerator, Node, Reductions};
use crate::dots::{Bitboard, Board, Lines, Word, lines_of};
use bsq_engine::evaluate::Learned;
use bsq_engine::game::Player;
use bsq_engine::monitor::{Monitor, SolveError};
use bsq_engine::search::driver::{narrow, on_every_thread};
use bsq_engine::table::transposition::{Entry, MAX_EFFORT};
use bsq_engine::table::{Bounds, ClassTable};
use parking_lot::Mutex;

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

/// A [`Solver`] with words of any size.
pub trait AnySolver: Learned + Send {
    /// The penalty in points.
    fn penalty(&self) -> i32;

    /// Bounds on the net score of the boxes still to come for the player to move, without a search.
    fn known(&self, drawn: Lines) -> Bounds;

    /// Stores the net score of a position in which no box can be taken. Only without marks.
    fn learn(&self, drawn: Lines, score: i32);

    /// The value of a position with its mark, which is [`Loony::Nobody`] if marks are off.
    fn marked(&self, drawn: Lines, monitor: &Monitor) -> Result<Marked, SolveError>;

    /// A legal move with its score and mark, for the player who makes it. `guess` is the first
    /// guess of the score.
    fn marked_move(
        &self,
        drawn: Lines,
        line: usize,
        guess: i32,
        monitor: &Monitor,
    ) -> Result<Marked, SolveError>;

    /// Whether the score of a move is at least `goal`, for the player who makes it.
    fn move_reaches(
        &self,
        drawn: Lines,
        line: usize,
        goal: i32,
        monitor: &Monitor,
    ) -> Result<bool, SolveError>;
}

/// A solver of positions of one board with one penalty. Its transposition table and move histories
/// are kept from one search to the next.
pub struct Solver<W = u64> {
    shared: Shared<W>,
    /// The move history of each thread.
    histories: Vec<Mutex<MoveHistory>>,
}

impl Solver {
    /// A solver with a transposition table of at most `table_bytes` bytes.
    pub fn new(board: Board, penalty: i32, table_bytes: u64) -> Result<Solver, SolveError> {
        Solver::with_options(board, penalty, table_bytes, false, Reductions::ALL)
    }
}

impl<W: Word> Solver<W> {
    /// A solver that also determines loony marks if `marks` is set. Reductions can be switched off
    /// for tests.
    pub fn with_options(
        board: Board,
        penalty: i32,
        table_bytes: u64,
        marks: bool,
        reductions: Reductions,
    ) -> Result<Solver<W>, SolveError> {
        let encoding = Encoding { marks };
        assert!(
            encoding.value(board.boxes() as i32 + penalty.abs(), 1) <= ClassTable::MAX_BOUND,
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
        self.shared.state.nodes()
    }

    /// The value of a position: the net score of the boxes still to come for the player to move.
    ///
    /// # Errors
    ///
    /// Returns [`SolveError::Stopped`] if the monitor asks to stop.
    pub fn value(&self, drawn: Lines, monitor: &Monitor) -> Result<i32, SolveError> {
        Ok(self.marked(drawn, monitor)?.score)
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
        let rest = self.rest((&captures, &node), guess, monitor)?;
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

    /// Bounds on the score of a position by those on the value of the rest after its captures.
    fn scores(&self, captures: &Captures<W>, node: &Node<W>, rest: Bounds) -> Bounds {
        let generator = &self.shared.generator;
        let odd = generator.odd(node);
        let score = |value| generator.encoding.score(value, odd);
        captures.bounds(Bounds { lower: score(rest.lower), upper: score(rest.upper) })
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
                _ => Ok(self.null_window(&node, goal, monitor, &|| ())? >= goal),
            }
        };
        match captures.control_cost {
            _ if least(goal - captures.boxes)? => Ok(true),
            Some(control_cost) => Ok(!least(captures.boxes - control_cost - goal + 1)?),
            None => Ok(false),
        }
    }

    /// The boxes that a line closes.
    fn taken(&self, drawn: Lines, line: usize) -> i32 {
        self.bitboard().board().closed_by(drawn, line).count_ones() as i32
    }

    /// The captures of a position, and the node after them.
    fn captures(&self, drawn: Lines) -> (Captures<W>, Node<W>) {
        let captures = Captures::new(self.bitboard(), self.bitboard().open(drawn));
        (captures, self.shared.generator.node(captures.open, 0))
    }

    /// The bitboard layout.
    pub fn bitboard(&self) -> &Bitboard<W> {
        &self.shared.generator.bitboard
    }

    /// The transposition table.
    pub fn table(&self) -> &ClassTable {
        &self.shared.state.table
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

    /// The value of the node after the captures of a position.
    fn rest(
        &self,
        (captures, node): (&Captures<W>, &Node<W>),
        guess: i32,
        monitor: &Monitor,
    ) -> Result<i32, SolveError> {
        let generator = &self.shared.generator;
        let odd = generator.odd(node);
        let goal = |bounds: Bounds, guess: i32| {
            generator.encoding.next(guess.clamp(bounds.lower + 1, bounds.upper), odd)
        };
        let tell = |rest, goal| {
            monitor.tell(self.scores(captures, node, rest), || self.shared.state(node, goal));
        };
        let known = self.shared.known_bounds(node, &mut self.shared.slot(node));
        let null_window =
            |goal, tell: &(dyn Fn() + Sync)| self.null_window(node, goal, monitor, tell);
        narrow(monitor, known, guess, goal, tell, null_window)?.exact().ok_or(SolveError::Stopped)
    }

    /// Runs a null-window search on every thread. The first search to finish has the result.
    fn null_window(
        &self,
        node: &Node<W>,
        goal: i32,
        monitor: &Monitor,
        tell: &(dyn Fn() + Sync),
    ) -> Result<i32, SolveError> {
        on_every_thread(monitor, tell, |thread, halt| {
            let history = self.histories[thread % self.histories.len()].lock();
            Search::new(&self.shared, history, halt).run(node, goal)
        })
    }
}

impl<W: Word> AnySolver for Solver<W> {
    fn penalty(&self) -> i32 {
        self.shared.penalty
    }

    fn known(&self, drawn: Lines) -> Bounds {
        let (captures, node) = self.captures(drawn);
        let rest = self.shared.known_bounds(&node, &mut self.shared.slot(&node));
        self.scores(&captures, &node, rest)
    }

    fn learn(&self, drawn: Lines, score: i32) {
        let (captures, node) = self.captures(drawn);
        assert_eq!(captures.boxes, 0, "no box can be taken");
        assert!(!self.shared.generator.encoding.marks, "the mark is not known");
        let exact = Bounds { lower: score, upper: score };
        self.table().put(&self.shared.slot(&node), exact, MAX_EFFORT);
    }

    fn marked(&self, drawn: Lines, monitor: &Monitor) -> Result<Marked, SolveError> {
        self.marked_near(drawn, 0, monitor)
    }

    fn marked_move(
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

    fn move_reaches(
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
}

impl<W: Word> Learned for Solver<W> {
    fn entries(&self) -> Box<dyn Iterator<Item = Entry> + '_> {
        Box::new(self.table().iter())
    }

    fn add_entry(&self, entry: &Entry) {
        self.shared.add_entry(entry);
    }

    fn fill(&self) -> f64 {
        self.table().fill()
    }

    fn table_bytes(&self) -> u64 {
        self.table().bytes()
    }

    fn nodes(&self) -> u64 {
        Solver::<W>::nodes(self)
    }

    fn add_nodes(&self, nodes: u64) {
        self.shared.state.add_nodes(nodes);
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
