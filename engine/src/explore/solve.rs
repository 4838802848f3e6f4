//! The value of every explored position, by retrograde analysis.

use super::ExploreError;
use super::reach::Exploration;
use super::store::{DRAW, Slot, UNKNOWN, WIN};
use crate::game::{Game, Outcome, Player, Value};
use crate::monitor::Monitor;
use std::collections::HashSet;
use std::ops::Deref;

/// A strong solution: the positions of a game, and the value of each.
pub struct Solution<G: Game>(Exploration<G>);

impl<G: Game> Deref for Solution<G> {
    type Target = Exploration<G>;

    fn deref(&self) -> &Exploration<G> {
        &self.0
    }
}

/// A stored value is, in games with points, the number of points to come, otherwise `WIN` minus the
/// depth to win, negative if the second player wins, and 0 for a tie. Then values compare as
/// numbers do, except that a draw is between a tie and the loss of the player concerned.
fn rank(value: i32, player: Player) -> i64 {
    match value {
        DRAW => -1,
        value => 2 * i64::from(value) * i64::from(player.sign()),
    }
}

impl<G: Game> Exploration<G> {
    /// Finds the value of every position.
    ///
    /// # Errors
    ///
    /// If a score or a depth to win does not fit in the table, if positions that recur are
    /// [reduced](Game::reduced) in a game with points, or if the monitor stops the job.
    pub fn solve(mut self, monitor: &Monitor) -> Result<Solution<G>, ExploreError> {
        if self.is_acyclic() {
            self.settle(monitor, Self::value_from_rules)?;
        } else {
            if self.forgets_points() {
                return Err(ExploreError::PointsRecur);
            }
            self.store.fill(DRAW);
            // Ties come last: they matter only where neither player can win.
            self.solve_in_rounds(monitor, false)?;
            self.solve_in_rounds(monitor, true)?;
        }
        Ok(Solution(self))
    }

    /// Computes the value of each position from those of its successors until no value changes,
    /// with or without ties. Values change only at the end of a round, so that round n decides wins
    /// in n plies. Without ties, the positions from which a player can force some score or more
    /// only increase from round to round; with ties afterwards, only draws change. So rounds end.
    fn solve_in_rounds(&mut self, monitor: &Monitor, with_ties: bool) -> Result<(), ExploreError> {
        for round in 0.. {
            monitor.status(&format!("round {round}"));
            let changes = self.in_all_plies(monitor, |place, position| {
                let old = self.store.value(place);
                if old != DRAW && self.kind.has_outcomes {
                    return Ok(None);
                }
                let new = self.value_from_rules(position)?;
                let points = if self.kind.has_points { self.game.score(position) } else { 0 };
                let is_tie = new != DRAW && i64::from(new) + i64::from(points) == 0;
                Ok((new != old && (with_ties || !is_tie)).then_some(new))
            })?;
            if changes.is_empty() {
                break;
            }
            changes.into_iter().for_each(|(place, value)| self.store.set(place, value));
        }
        Ok(())
    }

    /// The value to store for a terminal position.
    fn terminal_value(&self, position: &G::Position) -> Result<i32, ExploreError> {
        let Some(result) = self.game.result(position) else { return Ok(0) };
        if let Some(score) = result.score {
            let points = result.points().ok_or(ExploreError::Fraction(score))?;
            return self.checked(i64::from(points) - i64::from(self.game.score(position)));
        }
        let plies = i64::from(result.plies.unwrap_or(0));
        match result.outcome {
            Outcome::Draw => Ok(DRAW),
            Outcome::Tie => Ok(0),
            Outcome::Win(_) if plies >= i64::from(WIN) => {
                Err(ExploreError::OutOfRange { most: WIN - 1 })
            }
            Outcome::Win(player) => {
                self.checked((i64::from(WIN) - plies) * i64::from(player.sign()))
            }
        }
    }

    /// The value to store for a position: its result, or the best value of its moves. Unknown if
    /// that of a successor is.
    fn value_from_rules(&self, position: &G::Position) -> Result<i32, ExploreError> {
        let player = self.game.to_move(position);
        let mut best = None;
        for (_, next, value) in self.successors(position) {
            if value == UNKNOWN {
                return Ok(UNKNOWN);
            }
            let value = self.total(&next, value)?;
            best = best.max(Some((rank(value, player), value)));
        }
        match best {
            None => self.terminal_value(position),
            Some((_, value)) if value != DRAW && self.kind.has_points => {
                self.checked(i64::from(value) - i64::from(self.game.score(position)))
            }
            Some((_, value)) => Ok(value),
        }
    }

    /// The value of a move to a position with the given stored value: the final score, or the
    /// outcome counted from before the move.
    fn total(&self, next: &G::Position, stored: i32) -> Result<i32, ExploreError> {
        match stored {
            DRAW => Ok(DRAW),
            points if self.kind.has_points => {
                let total = i64::from(points) + i64::from(self.game.score(next));
                i32::try_from(total).map_err(|_| out_of_range())
            }
            // A win with no plies left would be a tie.
            1 | -1 => Err(ExploreError::OutOfRange { most: WIN - 1 }),
            outcome => Ok(outcome - outcome.signum()),
        }
    }

    /// Whether positions forget points made, so that the value of a position may depend on its
    /// past.
    pub(super) fn forgets_points(&self) -> bool {
        self.kind.has_points && self.kind.reduces
    }

    fn checked(&self, value: i64) -> Result<i32, ExploreError> {
        if value.abs() <= i64::from(WIN) { Ok(value as i32) } else { Err(out_of_range()) }
    }
}

fn out_of_range() -> ExploreError {
    ExploreError::OutOfRange { most: WIN }
}

impl<G: Game> Solution<G> {
    /// The value of a position that play from the start reaches, `None` for any other. In a game
    /// with points, those that the position does not show count as none.
    pub fn value(&self, position: &G::Position) -> Option<Value> {
        Some(self.value_here(self.stored(position)?, position))
    }

    /// The value of the position that is stored in a slot.
    pub(super) fn value_at(&self, slot: Slot, position: &G::Position) -> Value {
        self.value_here(self.store.value(slot), position)
    }

    fn value_here(&self, stored: i32, position: &G::Position) -> Value {
        let points = if self.kind.has_points { self.game.score(position) } else { 0 };
        self.value_of(stored, points)
    }

    /// Passes every legal move of a position that was found to `see`, with its value. Plies are
    /// counted from before the move.
    pub(super) fn each_move(&self, position: &G::Position, mut see: impl FnMut(G::Move, Value)) {
        for (mv, next, stored) in self.successors(position) {
            let total = self.total(&next, stored).unwrap_or(DRAW);
            see(mv, self.value_of(total, 0));
        }
    }

    /// The legal moves with their values, the best ones for the player to move first. Plies are
    /// counted from before the move. `None` if the position was not found.
    pub fn moves(&self, position: &G::Position) -> Option<Vec<(G::Move, Value)>> {
        self.stored(position)?;
        let player = self.game.to_move(position);
        let total = |(mv, next, value)| (mv, self.total(&next, value).unwrap_or(DRAW));
        let mut moves: Vec<_> = self.successors(position).map(total).collect();
        moves.sort_by_key(|&(_, total)| std::cmp::Reverse(rank(total, player)));
        Some(moves.into_iter().map(|(mv, total)| (mv, self.value_of(total, 0))).collect())
    }

    /// The principal variation, of at most `limit` moves. Empty if the position was not found. Where
    /// positions can recur, best play may put off the end of the game: the last move is then the
    /// first that repeats a position of the line.
    pub fn principal_variation(&self, position: &G::Position, limit: usize) -> Vec<G::Move> {
        let (mut position, mut line) = (position.clone(), Vec::new());
        let mut seen = HashSet::new();
        let may_repeat = !self.is_acyclic();
        while line.len() < limit && (!may_repeat || seen.insert(position.clone())) {
            let moves = self.moves(&position).unwrap_or_default();
            let Some((mv, _)) = moves.into_iter().next() else { break };
            position = self.game.play(&position, mv.clone());
            line.push(mv);
        }
        line
    }

    /// The value that a stored value stands for, in a position with the given score.
    fn value_of(&self, stored: i32, score: i32) -> Value {
        match stored {
            DRAW => Value::DRAW,
            points if self.kind.has_points => Value::of_score((points + score).into()),
            0 => Value::TIE,
            win => {
                let winner = if win > 0 { Player::First } else { Player::Second };
                Value::win(winner, (WIN - win.abs()) as u32)
            }
        }
    }
}
