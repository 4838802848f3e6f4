//! Puzzles: positions in which a single move keeps the result.

use crate::answer::ValueAnswer;
use bsq_engine::definition::Definition;
use bsq_engine::error::{Error, Kind};
use bsq_engine::evaluate::{Cost, Detail, Evaluator, MoveEvaluation};
use bsq_engine::explore::seen_ahead;
use bsq_engine::game::{Game, Notation, Player};
use bsq_engine::monitor::Monitor;
use bsq_engine::random::Random;
use bsq_engine::record::Recorded;
use serde::Serialize;
use std::time::Duration;

/// The number of random positions among which a puzzle is searched.
const TRIES: usize = 3000;
/// The longest random sequence of moves to a position. Games need not end.
const LONGEST: usize = 60;
/// The fewest legal moves of a puzzle.
const CHOICES: usize = 3;
/// The most legal moves of a position that is searched although its search may be long.
const FEW: usize = 12;
/// The highest level.
pub const HARDEST: u32 = 3;

/// The task of a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Task {
    /// Find the only move that wins.
    Win,
    /// Find the only move that keeps the tie or draw.
    Save,
}

/// The puzzle that is wanted: the same one for the same seed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Wanted {
    /// The task; by default any.
    pub task: Option<Task>,
    /// The [level](Puzzle::level); by default any.
    pub level: Option<u32>,
    /// Random seed.
    pub seed: u64,
    /// The time after which the search is given up.
    pub time: Option<Duration>,
}

/// A position in which a single move wins, or a single one keeps a tie or draw, as the values of all
/// moves show.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Puzzle {
    /// The task.
    pub task: Task,
    /// 1 if the move leads to a higher score than any other within two plies, as someone sees who
    /// counts points or looks for a win at once; 2 if it does within four plies; 3 otherwise.
    pub level: u32,
    /// The position, as text that can be asked about.
    pub position: String,
    /// The player to move.
    pub to_move: Player,
    /// The value of the position.
    pub value: ValueAnswer,
    /// The only move that keeps the result.
    pub solution: String,
}

/// The position of the rules of a game.
type PositionOf<D> = <<D as Definition>::Rules as Game>::Position;

/// A puzzle after random moves from a position.
pub(crate) fn find<D: Definition>(
    rules: &D::Rules,
    evaluator: &D::Evaluator,
    start: &PositionOf<D>,
    wanted: &Wanted,
    monitor: &Monitor,
) -> Result<Puzzle, Error> {
    if matches!(evaluator.cost(start, Detail::Value), Cost::Build) {
        // The table of this position contains those that follow it.
        evaluator.evaluate(start, Detail::Value, monitor)?;
    }
    let mut random = Random::of(wanted.seed, &rules.format_position(start));
    for _ in 0..TRIES {
        monitor.check().map_err(|error| Error::of(Kind::Stopped, error))?;
        let mut positions = vec![start.clone()];
        while positions.len() < LONGEST {
            let position = &positions[positions.len() - 1];
            let moves = rules.moves(position);
            if moves.is_empty() {
                break;
            }
            positions.push(rules.play(position, moves[random.below(moves.len())].clone()));
        }
        let position = &positions[random.below(positions.len())];
        if let Some(puzzle) = puzzle_at::<D>(rules, evaluator, position, wanted, monitor)? {
            return Ok(puzzle);
        }
    }
    Err(wanted.not_found())
}

/// The puzzle of a position, if it is one that is wanted and its values are found soon.
fn puzzle_at<D: Definition>(
    rules: &D::Rules,
    evaluator: &D::Evaluator,
    position: &PositionOf<D>,
    wanted: &Wanted,
    monitor: &Monitor,
) -> Result<Option<Puzzle>, Error> {
    let choices = rules.moves(position).len();
    let may_be_long = matches!(evaluator.cost(position, Detail::Moves), Cost::Search);
    if choices < CHOICES || (may_be_long && choices > FEW) {
        return Ok(None);
    }
    let found = evaluator.evaluate(position, Detail::Moves, monitor)?;
    let (Some(value), Some(moves)) = (found.value, found.moves) else { return Ok(None) };
    let to_move = rules.to_move(position);
    let task = match value.winner() {
        Some(winner) if winner == to_move => Task::Win,
        Some(_) => return Ok(None),
        None => Task::Save,
    };
    let keeps =
        |mv: &&MoveEvaluation<_, _>| mv.value.is_none_or(|after| after.winner() == value.winner());
    let mut keeping = moves.iter().filter(keeps);
    let (Some(solution), None) = (keeping.next(), keeping.next()) else { return Ok(None) };
    if wanted.task.is_some_and(|wanted| wanted != task) {
        return Ok(None);
    }
    let is_seen = |level: &u32| {
        let seen = |plies| seen_ahead(rules, position, plies) == [solution.mv.clone()];
        (2 * level - 1..=2 * level).any(seen)
    };
    let level = (1..HARDEST).find(is_seen).unwrap_or(HARDEST);
    let is_wanted = wanted.level.is_none_or(|wanted| wanted == level);
    Ok(is_wanted.then(|| Puzzle {
        task,
        level,
        position: rules.format_position(position),
        to_move,
        value: value.into(),
        solution: rules.record_move(position, solution.mv.clone()),
    }))
}

impl Wanted {
    /// The error if there is no such puzzle.
    fn not_found(&self) -> Error {
        let what = match self.task {
            Some(Task::Win) => "only one move wins",
            Some(Task::Save) => "only one move keeps a tie or draw",
            None => "only one move keeps the result",
        };
        let level = self.level.map_or(String::new(), |level| format!(", at level {level}"));
        let why = format!(
            "in none of {TRIES} random positions {what}{level}; choose another seed, level, task or board"
        );
        Error::of(Kind::Refused, why)
    }

    /// The error if the time is over.
    pub(crate) fn not_found_in_time(&self) -> Error {
        let seconds = self.time.unwrap_or_default().as_secs_f64();
        let why = format!(
            "no puzzle was found in {seconds} s; choose another seed, level, task or board"
        );
        Error::of(Kind::Refused, why)
    }
}
