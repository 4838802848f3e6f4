//! The value of a position of Dots-and-Boxes and of its moves: from a tablebase where it has them,
//! otherwise by search.

use super::search::{Analyst, MoveKind};
use super::tablebase::{Tablebase, TablebaseError};
use super::{Bitboard, Lines, Penalty, Position, Rules};
use bsq_engine::evaluate;
use bsq_engine::evaluate::{Cost, Detail, Learned, MoveEvaluation};
use bsq_engine::game::{Game, Player, Value};
use bsq_engine::monitor::{Monitor, SolveError};
use bsq_engine::score::Score;
use std::cmp::Reverse;
use std::sync::OnceLock;

/// The largest and the smallest table that [`suitable_table`] gives, in bytes.
const MOST_TABLE: u64 = 1 << 30;
const LEAST_TABLE: u64 = 1 << 20;

/// A position of Dots-and-Boxes with its value.
pub type Evaluation = evaluate::Evaluation<usize, MoveFacts, Facts>;

/// What is known of a position besides its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    /// Positions, this one and those after its moves, that are not in the tablebase and were searched.
    pub searched: usize,
}

/// What is known of a move besides its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveFacts {
    /// First player's points minus the second player's from the position on if this move is played.
    pub to_come: Option<Score>,
    /// Boxes that the move closes.
    pub taken: u32,
    /// What kind of a move it is.
    pub kind: MoveKind,
}

/// Evaluates positions of one board under one penalty, with everything learned from earlier positions.
pub struct Evaluator {
    /// The variant is not used.
    rules: Rules,
    field: Bitboard,
    tablebase: Option<Tablebase>,
    /// Made by the first search.
    analyst: OnceLock<Analyst>,
    table_bytes: u64,
    most_open: u32,
}

/// Why a position is not evaluated.
#[derive(Debug, thiserror::Error)]
pub enum EvaluatorError {
    /// The tablebase cannot be read.
    #[error(transparent)]
    Tablebase(#[from] TablebaseError),
    /// The search did not come to its end.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// The position is not in the tablebase, and too many lines are open for a search.
    #[error("{open} lines are open; positions with up to {most} are searched")]
    TooManyOpen {
        /// Open lines.
        open: u32,
        /// The most that are searched.
        most: u32,
    },
}

/// The values of a position and of its moves from the point of view of the player to move.
struct Found {
    value: Option<Score>,
    moves: Option<Vec<(usize, Option<Score>)>>,
    searched: usize,
}

impl Evaluator {
    /// An evaluator that looks values up in a tablebase, if there is one for these rules, and
    /// searches positions that it lacks, with a table of that many bytes and up to `most_open` open
    /// lines. Where more lines are open values are unknown.
    pub fn new(
        rules: Rules,
        tablebase: Option<Tablebase>,
        table_bytes: u64,
        most_open: u32,
    ) -> Evaluator {
        let (field, analyst) = (Bitboard::new(rules.board), OnceLock::new());
        Evaluator { rules, field, tablebase, analyst, table_bytes, most_open }
    }

    /// The tablebase.
    pub fn tablebase(&self) -> Option<&Tablebase> {
        self.tablebase.as_ref()
    }

    fn open(&self, lines: Lines) -> u32 {
        (self.rules.board.all() & !lines).count_ones()
    }

    fn analyst(&self) -> Result<&Analyst, SolveError> {
        if let Some(analyst) = self.analyst.get() {
            return Ok(analyst);
        }
        let Rules { board, penalty, .. } = self.rules;
        let made = Analyst::new(board, Penalty::from(penalty), self.table_bytes)?;
        Ok(self.analyst.get_or_init(|| made))
    }

    fn search(
        &self,
        lines: Lines,
        detail: Detail,
        monitor: &Monitor,
    ) -> Result<Found, EvaluatorError> {
        let analyst = self.analyst()?;
        let value = Some(analyst.value(lines, monitor)?);
        let moves = match detail {
            Detail::Value => None,
            Detail::Moves => {
                let moves = analyst.moves(lines, monitor)?.into_iter();
                Some(moves.map(|choice| (choice.line, Some(choice.score))).collect())
            }
        };
        Ok(Found { value, moves, searched: 1 })
    }

    /// Values from the tablebase, and from a search for what it lacks.
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
            Ok(Some(self.analyst()?.value(lines, monitor)?))
        };
        if detail == Detail::Value {
            let value = value(lines)?;
            return Ok(Found { value, moves: None, searched });
        }
        let mut moves = Vec::new();
        for line in self.rules.moves(&Position::of_lines(lines)) {
            let after = value(lines | 1 << line)?;
            let score = after.map(|after| match self.taken(lines, line) {
                0 => -after,
                taken => after + taken as i32,
            });
            moves.push((line, score));
        }
        moves.sort_by_key(|&(line, score)| (Reverse(score), self.taken(lines, line) == 0, line));
        // Unless all moves are known, another one may be the best.
        let value = match moves.first() {
            Some(&(_, best)) if moves.iter().all(|(_, score)| score.is_some()) => best,
            Some(_) => value(lines)?,
            None => Some(self.rules.penalty.into()),
        };
        Ok(Found { value, moves: Some(moves), searched })
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
        match is_known {
            true => Cost::LookUp,
            false if open <= most => Cost::Search,
            false => Cost::Refused(EvaluatorError::TooManyOpen { open, most }),
        }
    }

    /// What cannot be searched is evaluated as far as the tablebase has it.
    fn evaluate(
        &self,
        position: &Position,
        detail: Detail,
        monitor: &Monitor,
    ) -> Result<Evaluation, EvaluatorError> {
        let lines = position.lines;
        let found = match self.tablebase {
            None if self.open(lines) <= self.most_open => self.search(lines, detail, monitor)?,
            _ => self.look_up(lines, detail, monitor)?,
        };
        let absolute = |score: Option<Score>| match position.to_move {
            Player::First => score,
            Player::Second => score.map(|score| -score),
        };
        let lead = position.lead(&self.rules.board);
        let value = |to_come: Option<Score>| Some(Value::of_score(to_come? + lead?));
        let evaluated = |(line, score): (usize, Option<Score>)| {
            let (to_come, taken) = (absolute(score), self.taken(lines, line));
            let kind = MoveKind::of(&self.field, lines, line);
            let facts = MoveFacts { to_come, taken, kind };
            MoveEvaluation { mv: line, value: value(to_come), facts }
        };
        let to_come = absolute(found.value);
        Ok(Evaluation {
            value: value(to_come),
            to_come,
            moves: found.moves.map(|moves| moves.into_iter().map(evaluated).collect()),
            facts: Facts { searched: found.searched },
        })
    }

    fn bytes(&self) -> u64 {
        self.analyst.get().map_or(0, Analyst::table_bytes)
    }

    fn learned(&self) -> Vec<&dyn Learned> {
        self.analyst.get().map_or_else(Vec::new, Analyst::learned)
    }
}

/// The bytes of a table that holds most of what a search finds with that many open lines. On 3x5 about
/// one set of lines in six thousand is searched, and an entry takes 16 bytes. A larger table is slower,
/// since it has more cache misses.
pub fn suitable_table(open: u32) -> u64 {
    let bytes = 16.0 * (f64::from(open) - 13.0).exp2();
    (bytes as u64).clamp(LEAST_TABLE, MOST_TABLE)
}
