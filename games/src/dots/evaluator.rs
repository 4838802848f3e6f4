//! The value of a position of Dots-and-Boxes and of its moves: from a tablebase where it has them,
//! otherwise by search.

use super::search::{Captures, Loony, MoveKind, PenaltySolver, Step};
use super::tablebase::{Tablebase, TablebaseError};
use super::{Bitboard, Lines, Nimber, Nimstring, Position, Rules};
use bsq_engine::error::{HasKind, Kind};
use bsq_engine::evaluate;
use bsq_engine::evaluate::{Cost, Detail, Known, Learned, MoveEvaluation};
use bsq_engine::game::{Game, Player, Value};
use bsq_engine::monitor::{Monitor, SolveError};
use bsq_engine::proved::Proved;
use bsq_engine::score::Score;
use bsq_engine::search::{Growing, Learner};
use bsq_engine::table::Bounds;
use bsq_engine::view::{self, Fact};
use std::cmp::Reverse;
use std::time::Duration;

/// The smallest size that [`suitable_table`] returns, in bytes.
const LEAST_TABLE: u64 = 1 << 20;
/// The size in bytes of the first table. It is small, because filling memory takes time.
const FIRST_TABLE: u64 = 64 << 20;
/// The most open lines with which a search of every move takes less than a second,
const QUICK: u32 = 20;
/// and the most joints, boxes with three or four open sides after all captures.
const QUICK_JOINTS: u32 = 7;
/// The joints with which a search takes about a second on two threads. Each one more doubles the time,
/// in random games on 5x5 to 8x8 boxes; with as many joints times differ by a factor of up to 10.
const JOINTS_OF_A_SECOND: i32 = 12;

/// A position of Dots-and-Boxes with its value.
pub type Evaluation = evaluate::Evaluation<usize, MoveFacts, Facts>;

/// Facts about a position besides its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    /// The number of positions, this one and those after its moves, that were searched because they
    /// are not in the tablebase.
    pub searched: usize,
    /// The player who must make the next loony move. `None` if there is none, or if it is unknown
    /// or was not requested.
    pub loony: Option<Player>,
    /// The nimber, if requested.
    pub nimber: Option<Nimber>,
}

/// Facts about a move besides its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveFacts {
    /// First player's points minus the second player's from the position on if this move is played.
    pub to_come: Option<Score>,
    /// Boxes that the move closes.
    pub taken: u32,
    /// The kind of the move.
    pub kind: MoveKind,
    /// The player who must make the next loony move after it, as in [`Facts`].
    pub loony: Option<Player>,
}

impl view::Facts for Facts {
    fn facts(&self) -> Vec<(&'static str, Fact)> {
        let nimber = self.nimber.map(|nimber| match nimber {
            Nimber::Heap(size) => Fact::from(size),
            Nimber::Loony => Fact::Word("loony"),
        });
        vec![("next loony move", self.loony.into()), ("nimber", nimber.into())]
    }
}

impl view::Facts for MoveFacts {
    fn facts(&self) -> Vec<(&'static str, Fact)> {
        vec![
            ("taken", self.taken.into()),
            ("kind", Fact::Word(self.kind.name())),
            ("next loony move", self.loony.into()),
        ]
    }

    fn to_come(&self) -> Option<Score> {
        self.to_come
    }
}

/// Facts that are computed only on request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Optional {
    /// The player who must make the next loony move.
    pub loony: bool,
    /// The nimber of a position, with at most the given number of bytes of memory.
    pub nimber: Option<u64>,
}

/// Evaluates positions of one board under one penalty. Tables are kept from one position to the
/// next.
///
/// ```
/// use bsq_engine::evaluate::{Detail, Evaluator as _};
/// use bsq_engine::monitor::Monitor;
/// use bsq_games::dots::evaluator::{Evaluator, Optional};
/// use bsq_games::dots::{Board, Penalty, Rules};
///
/// let (board, penalty) = (Board::new(2, 2).unwrap(), Penalty::parse("-0.5").unwrap());
/// let rules = Rules { penalty, ..Rules::standard(board) };
/// let evaluator = Evaluator::new(rules, None, 1 << 20, u32::MAX);
/// let start = evaluator.game().start();
/// let found = evaluator.evaluate(&start, Detail::Moves, &Monitor::default()).unwrap();
/// assert_eq!(found.to_come.unwrap().to_string(), "1.5");
/// let moves = found.moves.unwrap();
/// assert_eq!((moves.len(), moves[0].facts.to_come), (12, found.to_come));
/// ```
pub struct Evaluator {
    /// The variant matters only if it draws all lines.
    rules: Rules,
    bitboard: Bitboard<u128>,
    tablebase: Option<Tablebase>,
    solvers: Growing<PenaltySolver>,
    most_open: u32,
    optional: Optional,
}

/// Why a position is not evaluated.
#[derive(Debug, thiserror::Error)]
pub enum EvaluatorError {
    /// The tablebase cannot be read.
    #[error(transparent)]
    Tablebase(#[from] TablebaseError),
    /// The search failed or was cancelled.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// The search for the nimber failed or was cancelled.
    #[error("cannot find the value in Nimstring")]
    Nimber(#[source] SolveError),
    /// The position is not in the tablebase, and too many lines are open for a search.
    #[error("{open} lines are open; positions with up to {most} are searched")]
    TooManyOpen {
        /// Open lines.
        open: u32,
        /// The most that are searched.
        most: u32,
    },
}

impl HasKind for EvaluatorError {
    fn kind(&self) -> Kind {
        match self {
            EvaluatorError::Tablebase(error) => error.kind(),
            EvaluatorError::Solve(error) | EvaluatorError::Nimber(error) => error.kind(),
            EvaluatorError::TooManyOpen { .. } => Kind::Refused,
        }
    }
}

/// The values of a position and of its moves from the point of view of the player to move.
struct Found {
    value: Option<Score>,
    moves: Option<Vec<FoundMove>>,
    searched: usize,
    loony: Option<Player>,
}

/// A line, the net score of the mover from the position on, and who must make the next loony move.
type FoundMove = (usize, Option<Score>, Option<Player>);

impl Evaluator {
    /// An evaluator that looks values up in a tablebase, if there is one for these rules, and
    /// searches positions that it lacks and that have up to `most_open` open lines, with tables
    /// that grow up to `table_bytes` bytes in all. Values of positions with more open lines are
    /// unknown.
    pub fn new(
        rules: Rules,
        tablebase: Option<Tablebase>,
        table_bytes: u64,
        most_open: u32,
    ) -> Evaluator {
        Evaluator {
            rules,
            bitboard: Bitboard::of(rules.board),
            tablebase,
            solvers: Growing::new(FIRST_TABLE, table_bytes),
            most_open,
            optional: Optional::default(),
        }
    }

    /// The evaluator with facts that are computed only on request.
    pub fn with(self, optional: Optional) -> Evaluator {
        Evaluator { optional, ..self }
    }

    /// The evaluator with known scores of positions in which no box can be taken, from the point of view
    /// of the first player. Only without a penalty and without loony marks.
    ///
    /// # Errors
    ///
    /// If there is no memory for a table.
    pub fn knowing(self, scores: &[(Position, i32)]) -> Result<Evaluator, SolveError> {
        if scores.is_empty() {
            return Ok(self);
        }
        let solver = self.solvers.grow(0, |bytes| self.solver(bytes))?;
        for (position, score) in scores {
            // Isomorphic positions are not always recognized.
            for image in self.rules.images(position) {
                solver.learn(image.lines, image.to_move.sign() * score);
            }
        }
        Ok(self)
    }

    /// The tablebase.
    pub fn tablebase(&self) -> Option<&Tablebase> {
        self.tablebase.as_ref()
    }

    /// The principal variation of a position by search, at most `limit` moves, with their facts.
    pub fn steps(
        &self,
        position: &Position,
        limit: usize,
        monitor: &Monitor,
    ) -> Result<Vec<Step>, SolveError> {
        self.searched(monitor, |solver, monitor| {
            solver.principal_variation(position, limit, monitor)
        })
    }

    /// The number of joints. The search branches there; between them are chains and loops.
    fn joints(&self, lines: Lines) -> u32 {
        let captures = Captures::new(&self.bitboard, self.bitboard.open(lines));
        self.bitboard.degrees(captures.open).more.count_ones()
    }

    fn open(&self, lines: Lines) -> u32 {
        (self.rules.board.all() & !lines).count_ones()
    }

    /// Whether a position and its moves are searched without probing a tablebase.
    fn is_searched(&self, lines: Lines) -> bool {
        self.tablebase.is_none() && self.open(lines) <= self.most_open
    }

    fn solver(&self, bytes: u64) -> Result<PenaltySolver, SolveError> {
        let Evaluator { rules, optional, .. } = *self;
        PenaltySolver::new(rules.board, rules.penalty, bytes, optional.loony)
    }

    fn searched<T>(
        &self,
        monitor: &Monitor,
        search: impl Fn(&PenaltySolver, &Monitor) -> Result<T, SolveError>,
    ) -> Result<T, SolveError> {
        self.solvers.search(monitor, |bytes| self.solver(bytes), search)
    }

    fn search(
        &self,
        position: &Position,
        detail: Detail,
        monitor: &Monitor,
    ) -> Result<Found, SolveError> {
        let lines = position.lines;
        let player = |loony: Option<Loony>| loony.and_then(|loony| loony.player(position.to_move));
        let describe = |bounds: Bounds| self.describe(position, bounds);
        self.searched(monitor, |solver, monitor| {
            let values = solver.values(lines, &monitor.describing(&describe))?;
            let moves = match detail {
                Detail::Value => None,
                Detail::Moves => {
                    let moves = solver.moves(lines, &values, monitor)?.into_iter();
                    Some(moves.map(|mv| (mv.line, Some(mv.score), player(mv.loony))).collect())
                }
            };
            let (value, loony) = (Some(solver.score(&values)), player(solver.loony(&values)));
            Ok(Found { value, moves, searched: 1, loony })
        })
    }

    /// Returns values from the tablebase, and from a search where it has none.
    fn look_up(
        &self,
        lines: Lines,
        detail: Detail,
        monitor: &Monitor,
    ) -> Result<Found, EvaluatorError> {
        let is_searched = self.open(lines) <= self.most_open;
        let mut searched = 0;
        let mut value = |lines: Lines| -> Result<Option<Score>, EvaluatorError> {
            let known = match &self.tablebase {
                Some(tablebase) => tablebase.value(lines)?,
                None => None,
            };
            if known.is_some() || !is_searched {
                return Ok(known.map(|value| i32::from(value).into()));
            }
            searched += 1;
            let score = self.searched(monitor, |solver, monitor| {
                Ok(solver.score(&solver.values(lines, monitor)?))
            });
            Ok(Some(score?))
        };
        if detail == Detail::Value {
            let value = value(lines)?;
            return Ok(Found { value, moves: None, searched, loony: None });
        }
        let mut moves: Vec<FoundMove> = Vec::new();
        for line in self.rules.moves(&Position::of_lines(lines)) {
            let after = value(lines | 1 << line)?;
            let score = after.map(|after| match self.taken(lines, line) {
                0 => -after,
                taken => after + taken as i32,
            });
            moves.push((line, score, None));
        }
        moves.sort_by_key(|&(line, score, _)| (Reverse(score), self.taken(lines, line) == 0, line));
        // A move is known to be best only if the values of all moves are known.
        let value = match moves.first() {
            Some(&(_, best, _)) if moves.iter().all(|(_, score, _)| score.is_some()) => best,
            Some(_) => value(lines)?,
            None => Some(self.rules.penalty.score()),
        };
        Ok(Found { value, moves: Some(moves), searched, loony: None })
    }

    fn nimber(&self, lines: Lines, monitor: &Monitor) -> Result<Option<Nimber>, EvaluatorError> {
        let Some(bytes) = self.optional.nimber else { return Ok(None) };
        monitor.begin("positions", 0);
        let board = self.rules.board;
        let nimber = if board.is_small() {
            Nimstring::new(board, bytes).value(lines, monitor)
        } else {
            Nimstring::<u128>::of(board, bytes).value(lines, monitor)
        };
        nimber.map(Some).map_err(EvaluatorError::Nimber)
    }

    /// Bounds on the net score of the player to move from a position on, in words: those on the score
    /// at the end if the points made so far are known.
    fn describe(&self, position: &Position, Bounds { lower, upper }: Bounds) -> String {
        let to_come = Proved { least: Score::from(lower), most: Score::from(upper) };
        let to_come = absolute_bounds(position.to_move, to_come);
        match self.at_the_end(position, to_come) {
            Some(value) => value.to_string(),
            None => format!("{} to {} points from here on", to_come.least, to_come.most),
        }
    }

    /// Bounds on the score at the end by those on the points to come, if the points made so far are
    /// known.
    fn at_the_end(&self, position: &Position, to_come: Proved<Score>) -> Option<Proved<Value>> {
        let lead = position.lead(&self.rules.board)?;
        Some(to_come.map(|points| Value::of_score(points + lead)))
    }

    /// Bounds on the points to come that need no search.
    fn known_to_come(&self, position: &Position) -> Option<Proved<Score>> {
        if self.rules.draws_every_line() {
            return Some(Proved::exactly(Score::ZERO));
        }
        let solver = self.solvers.largest()?;
        Some(absolute_bounds(position.to_move, solver.known(position.lines)))
    }

    fn taken(&self, lines: Lines, line: usize) -> u32 {
        self.rules.closes(lines, line).count_ones()
    }
}

impl evaluate::Evaluator for Evaluator {
    type Game = Rules;
    type Facts = Facts;
    type MoveFacts = MoveFacts;
    type Error = EvaluatorError;

    fn game(&self) -> &Rules {
        &self.rules
    }

    fn cost(&self, position: &Position, detail: Detail) -> Cost<EvaluatorError> {
        let moves = match detail {
            Detail::Value => Vec::new(),
            Detail::Moves => self.rules.moves(position),
        };
        let is_known = self.tablebase.as_ref().is_some_and(|tablebase| {
            let has = |lines| tablebase.has(lines);
            has(position.lines) && moves.iter().all(|line| has(position.lines | 1 << line))
        });
        let (open, most) = (self.open(position.lines), self.most_open);
        // Nimbers are not in the tablebase.
        if is_known && self.optional.nimber.is_none() {
            Cost::LookUp
        } else if open <= most.min(QUICK)
            || open <= most && self.joints(position.lines) <= QUICK_JOINTS
        {
            Cost::Quick
        } else if open <= most {
            Cost::Search
        } else {
            Cost::Refused(EvaluatorError::TooManyOpen { open, most })
        }
    }

    fn estimate(&self, position: &Position) -> Option<Duration> {
        let seconds = 2_f64.powi(self.joints(position.lines) as i32 - JOINTS_OF_A_SECOND);
        Some(Duration::from_secs_f64(seconds))
    }

    /// Without a search, only values of the tablebase are known. Loony marks are found by searches
    /// only.
    fn evaluate(
        &self,
        position: &Position,
        detail: Detail,
        monitor: &Monitor,
    ) -> Result<Evaluation, EvaluatorError> {
        let lines = position.lines;
        let found = if self.rules.draws_every_line() {
            let moves = (detail == Detail::Moves).then(Vec::new);
            Found { value: Some(Score::ZERO), moves, searched: 0, loony: None }
        } else if self.is_searched(lines) {
            self.search(position, detail, monitor)?
        } else {
            self.look_up(lines, detail, monitor)?
        };
        let absolute = |score: Option<Score>| Some(absolute(position.to_move, score?));
        let lead = position.lead(&self.rules.board);
        let value = |to_come: Option<Score>| Some(Value::of_score(to_come? + lead?));
        let evaluated = |(line, score, loony): FoundMove| {
            let (to_come, taken) = (absolute(score), self.taken(lines, line));
            let kind = MoveKind::of(&self.bitboard, lines, line);
            let facts = MoveFacts { to_come, taken, kind, loony };
            MoveEvaluation { mv: line, value: value(to_come), facts }
        };
        let to_come = absolute(found.value);
        let nimber = self.nimber(lines, monitor)?;
        Ok(Evaluation {
            value: value(to_come),
            to_come,
            moves: found.moves.map(|moves| moves.into_iter().map(evaluated).collect()),
            facts: Facts { searched: found.searched, loony: found.loony, nimber },
        })
    }

    fn known(&self, position: &Position) -> Known<usize> {
        let value = |position: &Position| self.at_the_end(position, self.known_to_come(position)?);
        // Lines that close boxes come first, those that are loony to draw last.
        let preference = |line: &usize| match MoveKind::of(&self.bitboard, position.lines, *line) {
            MoveKind::Loony => -1,
            _ => self.taken(position.lines, *line) as i32,
        };
        let moves = self.rules.moves(position).into_iter();
        let moves = moves.map(|line| (line, value(&self.rules.play(position, line))));
        let mut known = Known {
            value: value(position),
            to_come: self.known_to_come(position),
            moves: moves.collect(),
        };
        known.sort(position.to_move, preference);
        known
    }

    fn principal_variation(
        &self,
        position: &Position,
        limit: usize,
        monitor: &Monitor,
    ) -> Result<Vec<usize>, EvaluatorError> {
        if !self.is_searched(position.lines) {
            return evaluate::best_moves(self, position, limit, monitor);
        }
        let steps = self.steps(position, limit, monitor)?;
        Ok(steps.into_iter().map(|step| step.line).collect())
    }

    fn bytes(&self) -> u64 {
        self.solvers.iter().map(PenaltySolver::table_bytes).sum()
    }

    fn most_bytes(&self) -> u64 {
        self.solvers.sizes().sum::<u64>() + self.optional.nimber.unwrap_or(0)
    }

    fn grow(&self, bytes: u64) -> Result<(), EvaluatorError> {
        self.solvers.grow(bytes, |bytes| self.solver(bytes))?;
        Ok(())
    }

    fn learned(&self) -> Vec<&dyn Learned> {
        self.solvers.largest().map_or_else(Vec::new, Learner::learned)
    }
}

/// The net score of a player as that of the first player.
fn absolute(player: Player, score: Score) -> Score {
    match player {
        Player::First => score,
        Player::Second => -score,
    }
}

/// Bounds on the net score of a player as those on that of the first player.
fn absolute_bounds(player: Player, Proved { least, most }: Proved<Score>) -> Proved<Score> {
    Proved::of_player(player, absolute(player, least), absolute(player, most))
}

/// The size in bytes of a table that holds most of the entries of a search from a start with the
/// given number of open lines. The number of positions searched grows with the lines, from 0.5
/// million on 3x4 to 38 million on 3x5 and 51 million on 4x4; an entry takes 16 bytes. A larger
/// table is slower, since it has more cache misses.
pub fn suitable_table(open: u32) -> u64 {
    let entries = (0.75 * f64::from(open) - 3.5).exp2();
    ((16.0 * entries) as u64).max(LEAST_TABLE)
}

#[cfg(test)]
mod tests;
