//! Values as numbers, from the point of view of the player to move.

use crate::game::{Game, Outcome, Player, Value};
use crate::table::Bounds;

/// The number of a win without further plies. It is the largest bound that the table holds.
pub const WIN: i32 = 127;

/// What the numbers are.
///
/// In games with points, a value is the number of points to come, the mover's minus the opponent's.
/// In other games it is [`WIN`] minus the plies until the mover wins, the negative of that if the
/// opponent wins, and 0 for a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Points to come.
    Points,
    /// Plies until the win.
    Plies,
}

/// The part of a move in the value of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The points that the move makes for its player; 0 in games without points.
    pub gain: i32,
    /// Whether the same player moves again.
    pub again: bool,
}

impl Scale {
    /// The value of a move, by that of the position after it.
    pub fn after(self, step: Step, value: i32) -> i32 {
        let value = if step.again { value } else { -value };
        match self {
            Scale::Points => step.gain + value,
            Scale::Plies => value - value.signum(),
        }
    }

    /// Bounds on the value of a move, by those on the position after it.
    pub fn bounds_after(self, step: Step, bounds: Bounds) -> Bounds {
        let [one, other] = [bounds.lower, bounds.upper].map(|bound| self.after(step, bound));
        Bounds { lower: one.min(other), upper: one.max(other) }
    }

    /// The goal of the position after a move, for a move whose value should be at least `goal`. If
    /// the same player moves again, the position must reach it; otherwise it must not.
    pub fn goal_after(self, step: Step, goal: i32) -> i32 {
        let needed = match self {
            Scale::Points => goal - step.gain,
            Scale::Plies => goal + goal.signum(),
        };
        if step.again { needed } else { 1 - needed }
    }

    /// The value of a terminal position. `None` if it does not fit.
    pub fn terminal<G: Game>(self, game: &G, position: &G::Position) -> Option<i32> {
        let Some(result) = game.result(position) else { return Some(0) };
        let for_first = match self {
            Scale::Points => match result.score {
                Some(_) => result.points()?.checked_sub(game.score(position))?,
                None => return None,
            },
            Scale::Plies => match result.outcome {
                Outcome::Tie if result.score.is_none() => 0,
                Outcome::Tie | Outcome::Draw => return None,
                Outcome::Win(player) => {
                    let plies = i32::try_from(result.plies.unwrap_or(0)).ok()?;
                    (WIN - plies) * player.sign()
                }
            },
        };
        Some(for_first * game.to_move(position).sign()).filter(|value| value.abs() <= WIN)
    }

    /// What a number stands for, if a player is to move and the first player leads by `score`.
    pub fn value(self, number: i32, player: Player, score: i32) -> Value {
        match self {
            Scale::Points => Value::of_score((score + player.sign() * number).into()),
            Scale::Plies => match number {
                0 => Value::TIE,
                1.. => Value::win(player, (WIN - number) as u32),
                _ => Value::win(player.other(), (WIN + number) as u32),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A goal of a position corresponds to that of the position after the move, and bounds to bounds.
    #[test]
    fn goals_are_reached_where_values_reach_them() {
        for scale in [Scale::Points, Scale::Plies] {
            for (gain, again) in [(0, false), (0, true), (2, false), (3, true)] {
                let gain = if scale == Scale::Points { gain } else { 0 };
                let step = Step { gain, again };
                for value in (-9..=9).chain([-WIN, WIN, WIN - 1]).filter(|value| value.abs() != 1) {
                    let after = scale.after(step, value);
                    for goal in after - 3..=after + 3 {
                        let reached = value >= scale.goal_after(step, goal);
                        assert_eq!(
                            after >= goal,
                            reached == again,
                            "{scale:?} {step:?} {value} {goal}"
                        );
                    }
                    let bounds = Bounds { lower: value, upper: value };
                    let both = Bounds { lower: after, upper: after };
                    assert_eq!(scale.bounds_after(step, bounds), both);
                }
            }
        }
    }
}
