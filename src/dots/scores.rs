//! Scores as the commands on Dots-and-Boxes show them: from the point of view of the player to
//! move.

use anyhow::Result;
use bsq_engine::evaluate::{Cost, Detail, Evaluator as _};
use bsq_engine::monitor::Monitor;
use bsq_engine::score::Score;
use bsq_games::dots::{Evaluator, Lines, Position};
use std::cmp::Reverse;

/// A move with its score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scored {
    /// The line.
    pub line: usize,
    /// The number of boxes that it completes.
    pub takes: u32,
    /// The points to come, those of the player to move minus the opponent's; none if unknown.
    pub score: Option<i32>,
}

/// A position and all its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scores {
    /// The points to come, those of the player to move minus the opponent's; none if unknown.
    pub value: Option<i32>,
    /// The moves from best to worst, those that complete boxes first, then in reading order.
    pub moves: Vec<Scored>,
}

impl Scores {
    /// The best moves, if the scores are known.
    pub fn best(&self) -> impl Iterator<Item = &Scored> {
        self.moves.iter().take_while(|scored| scored.score.is_some() && scored.score == self.value)
    }

    /// The score of a move.
    pub fn of(&self, line: usize) -> Option<i32> {
        self.moves.iter().find(|scored| scored.line == line).and_then(|scored| scored.score)
    }
}

/// Finds the scores of a position.
pub fn find(evaluator: &Evaluator, lines: Lines, monitor: &Monitor) -> Result<Scores> {
    // The first player is to move, so points to come are those of the player to move.
    let position = Position::of_lines(lines);
    let found = evaluator.evaluate(&position, Detail::Moves, monitor)?;
    let integer = |score: Option<Score>| score.and_then(Score::to_integer);
    let scored = found.moves.iter().flatten().map(|evaluated| Scored {
        line: evaluated.mv,
        takes: evaluated.facts.taken,
        score: integer(evaluated.facts.to_come),
    });
    let mut moves: Vec<Scored> = scored.collect();
    moves.sort_by_key(|&Scored { line, takes, score }| (Reverse(score), takes == 0, line));
    Ok(Scores { value: integer(found.to_come), moves })
}

/// Whether a position and all its moves are in the tablebase.
pub fn is_stored(evaluator: &Evaluator, lines: Lines) -> bool {
    matches!(evaluator.cost(&Position::of_lines(lines), Detail::Moves), Cost::LookUp)
}
