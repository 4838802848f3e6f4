//! The value of a position of British Square and of its moves: by territory search, from a table of
//! the whole board, or by a strong solution where pieces are limited.

use super::count::state_bounds::states_at_most;
use super::territory::{SearchRequest, Solver, Solvers, StrongSolution};
use super::{
    Board, BritishSquare, Move, Position, Rules, TerritoryBoard, TooLarge, cells_of, permute,
};
use bsq_engine::error::{HasKind, Kind};
use bsq_engine::evaluate;
use bsq_engine::evaluate::{Cost, Detail, Known, Learned, MoveEvaluation};
use bsq_engine::game::{Game, Player, Value};
use bsq_engine::monitor::{Monitor, SolveError};
use bsq_engine::proved::Proved;
use bsq_engine::strong;
use bsq_engine::table::{Bounds, ShardedTable};
use bsq_engine::text::thousands;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::OnceLock;

/// Boards of up to this many cells have a table of the whole board, built in less than a second.
const SMALL_BOARD: usize = 25;
/// The same limit for boards of a single row, on which many more territories can be reached.
const SHORT_ROW: usize = 20;
/// The memory for tables in bytes, if it is not given.
const MOST_BY_DEFAULT: u64 = 8 << 30;

/// A position of British Square with its value.
pub type Evaluation = evaluate::Evaluation<Move, (), ()>;

/// Evaluates positions of one game. Tables are kept from one position to the next.
///
/// ```
/// use bsq_engine::evaluate::{Detail, Evaluator as _};
/// use bsq_engine::monitor::Monitor;
/// use bsq_games::british_square::{Evaluator, Rules};
///
/// let rules = Rules::standard(3, 3).unwrap();
/// let evaluator = Evaluator::new(&rules, None).unwrap();
/// let found = evaluator.evaluate(&rules.start(), Detail::Value, &Monitor::default()).unwrap();
/// assert_eq!(found.value.unwrap().points(), Some(1));
/// ```
pub struct Evaluator {
    rules: Rules,
    method: Method,
}

/// The value of the move to each cell; `None` if that is illegal.
type CellValues = Vec<Option<i32>>;

/// The algorithm that finds values.
enum Method {
    /// Territory search.
    Search(Box<Solvers>),
    /// A table of the values of all territories of a small board, built by the first evaluation.
    Table(Box<TerritoryBoard>, Box<OnceLock<StrongSolution>>),
    /// A strong solution below the position.
    DepthFirst {
        game: Box<BritishSquare>,
        /// The memory for its table in bytes.
        memory: u64,
        /// Whether the number of states is reported.
        is_reported: bool,
    },
}

/// An error in creating an evaluator.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EvaluatorError {
    /// The rules are invalid, or the board is too large.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    /// The transposition table is too small, or cannot be allocated.
    #[error(transparent)]
    Solve(#[from] SolveError),
}

impl HasKind for EvaluatorError {
    fn kind(&self) -> Kind {
        match self {
            EvaluatorError::TooLarge(error) => error.kind(),
            EvaluatorError::Solve(error) => error.kind(),
        }
    }
}

impl Evaluator {
    /// An evaluator that searches, with tables that grow to what is useful on the board, and to at
    /// most the given number of bytes, by default 8 GiB. With a limit on pieces, each evaluation has a
    /// table of its own, which is as large as the board requires: if that is more, evaluations fail.
    pub fn new(rules: &Rules, memory: Option<u64>) -> Result<Evaluator, EvaluatorError> {
        let memory = memory.unwrap_or(MOST_BY_DEFAULT);
        let method = if rules.pieces.is_some() {
            // The value does not depend on the territory alone.
            let game = Box::new(BritishSquare::new(rules.clone())?);
            Method::DepthFirst { game, memory, is_reported: false }
        } else {
            rules.check().map_err(TooLarge::Rules)?;
            Method::Search(Box::new(Solvers::new(TerritoryBoard::new(rules.board), memory)?))
        };
        Ok(Evaluator { rules: rules.clone(), method })
    }

    /// An evaluator that visits every state below a position by depth-first search, with a table of
    /// at most the given number of bytes, and reports their number.
    pub fn depth_first(rules: &Rules, memory: u64) -> Result<Evaluator, TooLarge> {
        let game = Box::new(BritishSquare::new(rules.clone())?);
        let method = Method::DepthFirst { game, memory, is_reported: true };
        Ok(Evaluator { rules: rules.clone(), method })
    }

    /// An evaluator that looks values up in a table of the whole board if the game [has
    /// one](Evaluator::has_table) and it fits the given number of bytes, and otherwise searches with
    /// tables of at most so many. The first evaluation builds the table of the whole board and cannot
    /// be cancelled meanwhile.
    pub fn with_table(rules: &Rules, memory: u64) -> Result<Evaluator, EvaluatorError> {
        if !Evaluator::has_table(rules) || table_bytes(&rules.board) > memory {
            return Evaluator::new(rules, Some(memory));
        }
        rules.check().map_err(TooLarge::Rules)?;
        let board = Box::new(TerritoryBoard::new(rules.board));
        Ok(Evaluator { rules: rules.clone(), method: Method::Table(board, Box::default()) })
    }

    /// The evaluator with known scores of positions under the standard rules of the board. They are of
    /// use to a territory search only.
    #[must_use]
    pub fn knowing(self, scores: &[(Position, i32)]) -> Evaluator {
        let Some(solvers) = self.solvers() else { return self };
        let solver = solvers.largest();
        let standard = Rules::of(self.rules.board);
        let search = Search { rules: &standard, solver };
        for (position, score) in scores {
            let to_come = position.to_move.sign() * (score - standard.score(position));
            solver.learn(&search.request(position, ANY_SCORE, 0), to_come);
        }
        self
    }

    /// Whether the board is small enough for a table of all its territories.
    pub fn has_table(rules: &Rules) -> bool {
        let most = match rules.board.rows().min(rules.board.cols()) {
            1 => SHORT_ROW,
            _ => SMALL_BOARD,
        };
        rules.pieces.is_none() && rules.board.cells() <= most
    }

    /// The evaluator, with its tables, for other rules on the same board without a limit on pieces.
    pub fn under(self, rules: Rules) -> Evaluator {
        assert!(rules.board == self.rules.board && rules.pieces.is_none(), "the same board");
        Evaluator { rules, ..self }
    }

    /// The territory solvers, if values are searched.
    fn solvers(&self) -> Option<&Solvers> {
        match &self.method {
            Method::Search(solvers) => Some(solvers),
            Method::Table(..) | Method::DepthFirst { .. } => None,
        }
    }

    /// The value of a position and, by cell, the values of its moves, if they are wanted or found at
    /// once.
    fn values(
        &self,
        position: &Position,
        with_moves: bool,
        monitor: &Monitor,
    ) -> Result<(i32, Option<CellValues>), SolveError> {
        match &self.method {
            Method::Search(solvers) => solvers.search(monitor, |solver, monitor| {
                let search = Search { rules: &self.rules, solver };
                let score = self.rules.score(position);
                let describe = |bounds| search.proved(position, bounds).to_string();
                let described = monitor.describing(&describe);
                let value = search.value(position, ANY_SCORE, score, &described)?;
                let moves = with_moves.then(|| search.moves(position, value, monitor));
                Ok((value, moves.transpose()?))
            }),
            Method::Table(board, table) => {
                let table =
                    Table { table: built(table, board, &self.rules)?, board, rules: &self.rules };
                let moves = with_moves.then(|| table.moves(position, monitor)).transpose()?;
                Ok((table.value(position, monitor)?, moves))
            }
            Method::DepthFirst { game, memory, is_reported } => {
                let monitor = &monitor.within(Some(*memory));
                let solved = strong::solve(game.as_ref(), &game.node(position), monitor)?;
                if *is_reported {
                    let states = thousands(solved.positions());
                    monitor.note(&format!("visited {states} states by depth-first search"));
                }
                // The values of the moves are in the table as well.
                let moves = game.move_values(&solved, position);
                Ok((solved.value() - self.rules.bias, Some(moves)))
            }
        }
    }
}

impl evaluate::Evaluator for Evaluator {
    type Game = Rules;
    type Facts = ();
    type MoveFacts = ();
    type Error = SolveError;

    fn game(&self) -> &Rules {
        &self.rules
    }

    fn cost(&self, _: &Position, _: Detail) -> Cost<SolveError> {
        match &self.method {
            Method::Table(_, table) if table.get().is_some() => Cost::LookUp,
            Method::Table(..) => Cost::Build,
            Method::Search(_) if self.rules.board.cells() <= SMALL_BOARD => Cost::Quick,
            Method::Search(_) | Method::DepthFirst { .. } => Cost::Search,
        }
    }

    fn evaluate(
        &self,
        position: &Position,
        detail: Detail,
        monitor: &Monitor,
    ) -> Result<Evaluation, SolveError> {
        let (value, by_cell) = self.values(position, detail == Detail::Moves, monitor)?;
        let moves = by_cell.map(|by_cell| {
            let score_after = |mv| match mv {
                Move::Place(cell) => by_cell[cell],
                Move::Pass => Some(value),
            };
            let moves = self.rules.moves(position).into_iter();
            let mut moves: Vec<(Move, Option<i32>)> =
                moves.map(|mv| (mv, score_after(mv))).collect();
            let sign = position.to_move.sign();
            moves.sort_by_key(|(_, score)| score.map(|score| -sign * score));
            let evaluated = |(mv, score): (Move, Option<i32>)| {
                let value = score.map(|score| Value::of_score(score.into()));
                MoveEvaluation { mv, value, facts: () }
            };
            moves.into_iter().map(evaluated).collect()
        });
        let to_come = Some((value - self.rules.score(position)).into());
        let value = Some(Value::of_score(value.into()));
        Ok(Evaluation { value, to_come, moves, facts: () })
    }

    fn known(&self, position: &Position) -> Known<Move> {
        let rules = &self.rules;
        let proved = |position: &Position| match &self.method {
            Method::Search(solvers) => {
                Some(Search { rules, solver: solvers.largest() }.known(position))
            }
            Method::Table(..) | Method::DepthFirst { .. } => {
                rules.result(position).map(Proved::exactly)
            }
        };
        let value = proved(position);
        let points = value.and_then(|value| value.score());
        let moves = rules.moves(position).into_iter();
        let moves = moves.map(|mv| (mv, proved(&rules.play(position, mv))));
        let mut known = Known {
            value,
            to_come: points.map(|points| points.map(|points| points - rules.score(position))),
            moves: moves.collect(),
        };
        known.sort(position.to_move, |_| 0);
        known
    }

    fn best_move(
        &self,
        position: &Position,
        monitor: &Monitor,
    ) -> Result<Option<Move>, SolveError> {
        let rules = &self.rules;
        match &self.method {
            Method::Search(solvers) => solvers.search(monitor, |solver, monitor| {
                Search { rules, solver }.best_move(position, monitor)
            }),
            Method::Table(board, table) => {
                Table { table: built(table, board, rules)?, board, rules }
                    .best_move(position, monitor)
            }
            Method::DepthFirst { .. } => {
                Ok(self.evaluate(position, Detail::Moves, monitor)?.best().next())
            }
        }
    }

    fn bytes(&self) -> u64 {
        match &self.method {
            Method::Search(solvers) => solvers.bytes(),
            Method::Table(_, table) => table.get().map_or(0, StrongSolution::bytes),
            Method::DepthFirst { .. } => 0,
        }
    }

    fn most_bytes(&self) -> u64 {
        self.solvers().map_or(0, Solvers::most_bytes)
    }

    fn grow(&self, bytes: u64) -> Result<(), SolveError> {
        self.solvers().map_or(Ok(()), |solvers| solvers.grow(bytes))
    }

    fn learned(&self) -> Vec<&dyn Learned> {
        self.solvers().into_iter().map(|solvers| solvers.largest() as &dyn Learned).collect()
    }
}

/// A search under the rules of a game.
struct Search<'a> {
    rules: &'a Rules,
    solver: &'a Solver,
}

impl Search<'_> {
    fn value(
        &self,
        position: &Position,
        known: Bounds,
        guess: i32,
        monitor: &Monitor,
    ) -> Result<i32, SolveError> {
        let rules = self.rules;
        if rules.moves(position) == [Move::Pass] {
            return self.value(&rules.play(position, Move::Pass), known, guess, monitor);
        }
        let to_come = self.solver.value(&self.request(position, known, guess), monitor)?;
        Ok(rules.score(position) + position.to_move.sign() * to_come)
    }

    /// The request for a position with a move, by what is known about the score at the end.
    fn request(&self, position: &Position, known: Bounds, guess: i32) -> SearchRequest {
        let (rules, sign) = (self.rules, position.to_move.sign());
        // Converts the first player's score to the mover's remaining points.
        let score = rules.score(position);
        let to_come = |value: i32| sign * (value - score);
        let (one, two) = (to_come(known.lower), to_come(known.upper));
        SearchRequest {
            allowed: rules.legal(position, position.to_move),
            known: Bounds { lower: one.min(two), upper: one.max(two) },
            guess: to_come(guess),
            ..SearchRequest::new(self.solver.board().territory(rules, position))
        }
    }

    /// The first legal move that keeps the value. `None` if there is no move.
    fn best_move(
        &self,
        position: &Position,
        monitor: &Monitor,
    ) -> Result<Option<Move>, SolveError> {
        let rules = self.rules;
        let moves = rules.moves(position);
        if moves.len() < 2 {
            return Ok(moves.into_iter().next());
        }
        let value = self.value(position, ANY_SCORE, rules.score(position), monitor)?;
        let player = position.to_move;
        evaluate::first_move(rules, position, |after| self.keeps(after, player, value, monitor))
    }

    /// Whether the score of a position is at least as good as `value` for a player.
    fn keeps(
        &self,
        position: &Position,
        player: Player,
        value: i32,
        monitor: &Monitor,
    ) -> Result<bool, SolveError> {
        let rules = self.rules;
        let to_come = player.sign() * (value - rules.score(position));
        match rules.moves(position).as_slice() {
            [] => Ok(to_come <= 0),
            [Move::Pass] => self.keeps(&rules.play(position, Move::Pass), player, value, monitor),
            _ => {
                let request = self.request(position, ANY_SCORE, value);
                if position.to_move == player {
                    self.solver.reaches(&request, to_come, monitor)
                } else {
                    Ok(!self.solver.reaches(&request, 1 - to_come, monitor)?)
                }
            }
        }
    }

    /// Bounds on the score at the end that are known without a search.
    fn known(&self, position: &Position) -> Proved<Value> {
        match self.rules.moves(position).as_slice() {
            [] => Proved::exactly(Value::of_score(self.rules.score(position).into())),
            [Move::Pass] => self.known(&self.rules.play(position, Move::Pass)),
            _ => {
                let request = self.request(position, ANY_SCORE, 0);
                self.proved(position, self.solver.known(&request))
            }
        }
    }

    /// Bounds on the score at the end, by those on the points to come for the player to move.
    fn proved(&self, position: &Position, to_come: Bounds) -> Proved<Value> {
        let (score, player) = (self.rules.score(position), position.to_move);
        let value = |points: i32| Value::of_score((score + player.sign() * points).into());
        Proved::of_player(player, value(to_come.lower), value(to_come.upper))
    }

    /// The score after each move, by cell. Of moves that are images of each other, only one is
    /// searched.
    fn moves(
        &self,
        position: &Position,
        value: i32,
        monitor: &Monitor,
    ) -> Result<CellValues, SolveError> {
        let (rules, player) = (self.rules, position.to_move);
        let symmetries: Vec<Vec<usize>> = rules.board.symmetries();
        let stabilizer: Vec<&Vec<usize>> = symmetries
            .iter()
            .filter(|image| position.pieces.iter().all(|&pieces| permute(pieces, image) == pieces))
            .collect();
        // No move is better than the value of the position, and none is worse than a pass, which
        // has the opposite value if both players may use the same cells.
        let legal = rules.legal(position, player);
        let open = self.solver.board().territory(rules, position);
        let passing = 2 * rules.score(position) - value;
        let passing = if open.own == open.other && legal == open.own {
            passing
        } else {
            -player.sign() * MOST
        };
        let known = Bounds { lower: value.min(passing), upper: value.max(passing) };
        let mut values: HashMap<usize, i32> = HashMap::new();
        let mut moves = vec![None; rules.board.cells()];
        for (number, cell) in (1..).zip(cells_of(legal)) {
            let first = stabilizer.iter().map(|image| image[cell]).min().unwrap_or(cell);
            moves[cell] = Some(match values.entry(first) {
                Entry::Occupied(valued) => *valued.get(),
                Entry::Vacant(unknown) => {
                    let after = rules.play(position, Move::Place(first));
                    let describe = |_| format!("move {number} of {}", legal.count_ones());
                    let monitor = monitor.describing(&describe);
                    *unknown.insert(self.value(&after, known, value, &monitor)?)
                }
            });
        }
        Ok(moves)
    }
}

/// More than any score.
const MOST: i32 = 256;

/// Bounds of an unknown score.
const ANY_SCORE: Bounds = Bounds { lower: -MOST, upper: MOST };

/// An estimate of the number of territories of a board.
fn expected_territories(board: &Board) -> u64 {
    // On average eight states have the same territory. A wrong estimate only costs time.
    u64::try_from(states_at_most(board) / 8).unwrap_or(u64::MAX)
}

/// An estimate of the size in bytes of a table of all territories.
fn table_bytes(board: &Board) -> u64 {
    ShardedTable::bytes_for(expected_territories(board))
}

fn build(board: &TerritoryBoard, rules: &Rules) -> Result<StrongSolution, SolveError> {
    let root = board.territory(rules, &rules.start());
    let expected = expected_territories(&rules.board);
    StrongSolution::solve(board.clone(), root, expected, &Monitor::default())
}

/// The table of the whole board, which is built if it is not there.
fn built<'a>(
    table: &'a OnceLock<StrongSolution>,
    board: &TerritoryBoard,
    rules: &Rules,
) -> Result<&'a StrongSolution, SolveError> {
    if let Some(table) = table.get() {
        return Ok(table);
    }
    let built = build(board, rules)?;
    Ok(table.get_or_init(|| built))
}

/// The table of the whole board. Territories that are not in it, because play does not reach them, are
/// searched.
struct Table<'a> {
    table: &'a StrongSolution,
    board: &'a TerritoryBoard,
    rules: &'a Rules,
}

impl Table<'_> {
    /// The value of a position whose moves are not restricted by the rule about the first one.
    fn look_up(&self, position: &Position, monitor: &Monitor) -> Result<i32, SolveError> {
        let territory = self.board.territory(self.rules, position);
        let to_come = match self.table.value(territory) {
            Some(value) => value,
            None => Solver::new(self.board.clone(), MOST_BY_DEFAULT)?
                .value(&SearchRequest::new(territory), monitor)?,
        };
        Ok(self.rules.score(position) + position.to_move.sign() * to_come)
    }

    fn value(&self, position: &Position, monitor: &Monitor) -> Result<i32, SolveError> {
        let rules = self.rules;
        let legal = rules.legal(position, position.to_move);
        let territory = self.board.territory(rules, position);
        if legal == 0 {
            return match territory.other {
                0 => Ok(rules.score(position)),
                _ => self.look_up(&rules.play(position, Move::Pass), monitor),
            };
        }
        if legal == territory.own {
            return self.look_up(position, monitor);
        }
        // The territory does not contain the rule about the first move.
        let sign = position.to_move.sign();
        let moves = self.moves(position, monitor)?;
        let best = moves.into_iter().flatten().max_by_key(|value| sign * value);
        Ok(best.unwrap_or(rules.score(position)))
    }

    /// The value of each move, by cell.
    fn moves(&self, position: &Position, monitor: &Monitor) -> Result<CellValues, SolveError> {
        let mut moves = vec![None; self.rules.board.cells()];
        for cell in cells_of(self.rules.legal(position, position.to_move)) {
            let after = self.rules.play(position, Move::Place(cell));
            moves[cell] = Some(self.look_up(&after, monitor)?);
        }
        Ok(moves)
    }

    /// The first legal move that keeps the value. `None` if there is no move.
    fn best_move(
        &self,
        position: &Position,
        monitor: &Monitor,
    ) -> Result<Option<Move>, SolveError> {
        let value = self.value(position, monitor)?;
        let keeps = |after: &Position| Ok(self.look_up(after, monitor)? == value);
        evaluate::first_move(self.rules, position, keeps)
    }
}

#[cfg(test)]
mod tests;
