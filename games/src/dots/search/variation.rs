//! Principal variations.

use super::move_kind::MoveKind;
use super::penalty_solver::PenaltySolver;
use super::solver::Marked;
use crate::dots::{Lines, Position, Rules, lines_of};
use bsq_engine::game::{Game, Player};
use bsq_engine::monitor::{Monitor, SolveError};
use bsq_engine::score::Score;

/// A move of a principal variation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The player who makes the move.
    pub player: Player,
    /// The line.
    pub line: usize,
    /// Boxes that the move closes.
    pub taken: u32,
    /// Net score of the player from here on, including these boxes.
    pub score: Score,
    /// The kind of the move.
    pub kind: MoveKind,
}

impl PenaltySolver {
    /// Best play from a position, at most `limit` moves. Of equally good moves the first one by
    /// [`rank`](Self::rank) is taken.
    pub fn principal_variation(
        &self,
        position: &Position,
        limit: usize,
        monitor: &Monitor,
    ) -> Result<Vec<Step>, SolveError> {
        let rules = Rules::standard(*self.board());
        let mut values = self.values(position.lines, monitor)?;
        let (mut position, mut steps) = (*position, Vec::new());
        while steps.len() < limit
            && let Some(line) = self.best_move(position.lines, &values, monitor)?
        {
            let taken = rules.closes(position.lines, line).count_ones();
            steps.push(Step {
                player: position.to_move,
                line,
                taken,
                score: self.score(&values),
                kind: MoveKind::of(self.bitboard(), position.lines, line),
            });
            values.iter_mut().for_each(|value| *value = value.after_move(taken));
            position = rules.play(&position, line);
        }
        Ok(steps)
    }

    /// The first of the best moves of a position with these values.
    fn best_move(
        &self,
        drawn: Lines,
        values: &[Marked],
        monitor: &Monitor,
    ) -> Result<Option<usize>, SolveError> {
        let mut moves: Vec<usize> = lines_of(self.board().all() & !drawn).collect();
        moves.sort_by_key(|&line| self.rank(drawn, line));
        let Some((last, others)) = moves.split_last() else { return Ok(None) };
        for &line in others {
            monitor.check()?;
            // Scores are linear between the penalties of the solvers, and none exceeds the best
            // one: a move is best in between if it is best at both ends.
            let mut is_best = true;
            for (solver, value) in self.solvers().iter().zip(values) {
                is_best = is_best && solver.move_reaches(drawn, line, value.score, monitor)?;
            }
            if is_best {
                return Ok(Some(line));
            }
        }
        Ok(Some(*last))
    }
}

#[cfg(test)]
mod tests;
