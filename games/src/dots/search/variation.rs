//! A line of best play, and what kind of a move each of it is.

use super::answer::Analyst;
use super::captures::Captures;
use super::solver::Solver;
use crate::dots::{Bitboard, Lines, Position, Rules, lines_of};
use bsq_engine::game::{Game, Player};
use bsq_engine::monitor::{Monitor, SolveError};
use bsq_engine::score::Score;

/// What kind of a move a line is. The first that fits counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MoveKind {
    /// It closes a box or two.
    Takes,
    /// It leaves nothing to take.
    Safe,
    /// Instead of taking the last boxes of a chain it leaves them to the opponent: two, or four of
    /// a closed loop.
    DoubleDealing,
    /// It leaves the opponent a choice: to take all boxes, or to leave the last ones.
    Loony,
    /// It opens a chain of two boxes by the line between them, so that there is no choice.
    HardHearted,
    /// It leaves boxes to take, most often one, and no choice.
    Sacrifice,
}

impl MoveKind {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            MoveKind::Takes => "takes",
            MoveKind::Safe => "safe",
            MoveKind::DoubleDealing => "double-dealing",
            MoveKind::Loony => "loony",
            MoveKind::HardHearted => "hard-hearted handout",
            MoveKind::Sacrifice => "sacrifice",
        }
    }

    /// What an open line is when those are drawn.
    pub fn of(bitboard: &Bitboard, drawn: Lines, line: usize) -> MoveKind {
        let (before, after) = (bitboard.open(drawn), bitboard.open(drawn | 1 << line));
        let to_take = bitboard.degrees(before).one;
        let one = bitboard.degrees(after).one;
        let beside = bitboard.boxes_at(before.without(after));
        if beside & to_take != 0 {
            return MoveKind::Takes;
        }
        let captures = Captures::new(bitboard, after);
        // The boxes that the line makes easy to take; those that one line takes with another one.
        let opened = beside & one;
        let paired = bitboard.boxes_at(bitboard.lines_at(after, one & !opened));
        if captures.boxes == 0 {
            MoveKind::Safe
        } else if to_take != 0 && opened != 0 && opened & !paired == 0 {
            MoveKind::DoubleDealing
        } else if captures.control_cost.is_some() {
            MoveKind::Loony
        } else if to_take == 0 && opened.count_ones() == 2 {
            MoveKind::HardHearted
        } else {
            MoveKind::Sacrifice
        }
    }
}

impl std::fmt::Display for MoveKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}

/// A move of a line of best play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Who draws.
    pub player: Player,
    /// What.
    pub line: usize,
    /// Boxes that it closes.
    pub taken: i32,
    /// Points still to come, the player's minus the opponent's, these boxes among them.
    pub score: Score,
    /// What kind of a move it is.
    pub note: MoveKind,
}

impl Analyst {
    /// Best play from a position to the end. Of the best moves the first one is taken, those that
    /// take boxes before others, then from the middle of the board outwards.
    pub fn line(&self, position: &Position, monitor: &Monitor) -> Result<Vec<Step>, SolveError> {
        let rules = Rules::standard(*self.board());
        let mut values = self.values(position.lines, monitor)?;
        let mut position = *position;
        let mut steps = Vec::new();
        while let Some(line) = self.best_move(position.lines, &values, monitor)? {
            let taken = self.taken(position.lines, line);
            steps.push(Step {
                player: position.to_move,
                line,
                taken,
                score: self.score(&values),
                note: MoveKind::of(self.solvers()[0].bitboard(), position.lines, line),
            });
            let rest = |value: &i32| if taken > 0 { value - taken } else { -value };
            values = values.iter().map(rest).collect();
            position = rules.play(&position, line);
        }
        Ok(steps)
    }

    /// The first of the best moves where the position is worth that by each of the solvers.
    fn best_move(
        &self,
        drawn: Lines,
        values: &[i32],
        monitor: &Monitor,
    ) -> Result<Option<usize>, SolveError> {
        let mut moves: Vec<usize> = lines_of(self.board().all() & !drawn).collect();
        moves.sort_by_key(|&line| self.rank(self.taken(drawn, line), line));
        let Some((last, others)) = moves.split_last() else { return Ok(None) };
        for &line in others {
            monitor.check()?;
            let mut best = true;
            // Scores are straight lines between the solvers' penalties, and none is above the
            // best one: it is the best in between if it is at both ends.
            for (solver, &value) in self.solvers().iter().zip(values) {
                best = best && self.keeps(solver, drawn, line, value, monitor)?;
            }
            if best {
                return Ok(Some(line));
            }
        }
        Ok(Some(*last))
    }

    /// Whether a move is worth that.
    fn keeps(
        &self,
        solver: &Solver,
        drawn: Lines,
        line: usize,
        value: i32,
        monitor: &Monitor,
    ) -> Result<bool, SolveError> {
        let next = drawn | 1 << line;
        Ok(match self.taken(drawn, line) {
            0 => !solver.reaches(next, 1 - value, monitor)?,
            taken => solver.reaches(next, value - taken, monitor)?,
        })
    }
}

#[cfg(test)]
mod tests;
