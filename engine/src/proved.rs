//! What is proved about a value: bounds.

use crate::game::{Outcome, Player, Value};
use crate::score::Score;

/// Bounds on a value, from the point of view of the first player.
///
/// ```
/// use bsq_engine::game::{Outcome, Player, Value};
/// use bsq_engine::proved::Proved;
///
/// let bounds = Proved { least: Value::of_score(1.into()), most: Value::of_score(4.into()) };
/// assert_eq!(bounds.to_string(), "the first player wins by 1 to 4 points");
/// assert_eq!((bounds.exact(), bounds.outcome()), (None, Some(Outcome::Win(Player::First))));
/// assert_eq!(Proved::exactly(Value::DRAW).exact(), Some(Value::DRAW));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proved<T> {
    /// The worst for the first player that is not excluded.
    pub least: T,
    /// The best that is not excluded.
    pub most: T,
}

impl<T: Copy + PartialEq> Proved<T> {
    /// A value that is known.
    pub fn exactly(value: T) -> Proved<T> {
        Proved { least: value, most: value }
    }

    /// Bounds by the worst and the best for a player.
    pub fn of_player(player: Player, worst: T, best: T) -> Proved<T> {
        match player {
            Player::First => Proved { least: worst, most: best },
            Player::Second => Proved { least: best, most: worst },
        }
    }

    /// The value, if it is known.
    pub fn exact(&self) -> Option<T> {
        (self.least == self.most).then_some(self.least)
    }

    /// Bounds on what a function makes of the value: one that grows with it.
    pub fn map<U>(self, function: impl Fn(T) -> U) -> Proved<U> {
        Proved { least: function(self.least), most: function(self.most) }
    }

    /// The worst for a player that is not excluded, and the best.
    pub fn for_player(&self, player: Player) -> [T; 2] {
        match player {
            Player::First => [self.least, self.most],
            Player::Second => [self.most, self.least],
        }
    }
}

impl Proved<Value> {
    /// The outcome, if it is known.
    pub fn outcome(&self) -> Option<Outcome> {
        (self.least.outcome == self.most.outcome).then_some(self.least.outcome)
    }

    /// Bounds on the score, in games with points.
    pub fn score(&self) -> Option<Proved<Score>> {
        Some(Proved { least: self.least.score?, most: self.most.score? })
    }
}

/// In words, without a capital and a full stop.
impl std::fmt::Display for Proved<Value> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.score() {
            Some(score) => write_score(f, score),
            None => write_outcome(f, self),
        }
    }
}

fn write_score(f: &mut std::fmt::Formatter<'_>, score: Proved<Score>) -> std::fmt::Result {
    let Proved { least, most } = score;
    match (least.signum(), most.signum()) {
        (0, 0) => f.write_str("play ends in a tie"),
        (1, _) => write!(f, "the first player wins by {}", points(least, most)),
        (_, -1) => write!(f, "the second player wins by {}", points(most.abs(), least.abs())),
        (0, _) => {
            write!(f, "the first player does not lose, and wins by at most {}", points(most, most))
        }
        (_, 0) => {
            let most = points(least.abs(), least.abs());
            write!(f, "the second player does not lose, and wins by at most {most}")
        }
        _ => write!(f, "the score is from {least} to {most}"),
    }
}

/// A number of points: `1 point`, `2 points`, `1 to 4 points`.
fn points(least: Score, most: Score) -> String {
    match (least == most, most == Score::from(1)) {
        (true, true) => "1 point".to_string(),
        (true, false) => format!("{most} points"),
        (false, _) => format!("{least} to {most} points"),
    }
}

fn write_outcome(f: &mut std::fmt::Formatter<'_>, bounds: &Proved<Value>) -> std::fmt::Result {
    let plies = |value: Value| value.plies.unwrap_or(0);
    let Proved { least, most } = *bounds;
    let [for_first, for_second] = [least.winner(), most.winner()];
    match bounds.outcome() {
        Some(Outcome::Win(winner)) => {
            let (soonest, latest) = (plies(least).min(plies(most)), plies(least).max(plies(most)));
            if latest == 0 {
                return write!(f, "the {winner} player has won");
            }
            write!(f, "the {winner} player wins in ")?;
            match (soonest == latest, latest) {
                (true, 1) => f.write_str("1 ply"),
                (true, _) => write!(f, "{latest} plies"),
                (false, _) => write!(f, "{soonest} to {latest} plies"),
            }
        }
        Some(Outcome::Tie) => f.write_str("play ends in a tie"),
        Some(Outcome::Draw) => f.write_str("play ends in a draw"),
        None if for_first != Some(Player::Second) => {
            write!(
                f,
                "the first player does not lose{}",
                not_within(plies(most), " and does not win")
            )
        }
        None if for_second != Some(Player::First) => {
            write!(
                f,
                "the second player does not lose{}",
                not_within(plies(least), " and does not win")
            )
        }
        None => match plies(least).min(plies(most)) {
            0 | 1 => f.write_str("nothing is proved yet"),
            soonest => write!(f, "neither player wins{}", not_within(soonest, "")),
        },
    }
}

/// The end of a statement about a win that takes at least so many plies.
fn not_within(plies: u32, verb: &str) -> String {
    match plies.saturating_sub(1) {
        0 => String::new(),
        1 => format!("{verb} within 1 ply"),
        fewer => format!("{verb} within {fewer} plies"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_told_in_words() {
        let score = |least: i32, most: i32| Proved {
            least: Value::of_score(least.into()),
            most: Value::of_score(most.into()),
        };
        let (first, second) = (Player::First, Player::Second);
        let bounds = |least, most| Proved { least, most };
        let cases = [
            (score(-25, 25), "the score is from -25 to 25"),
            (score(1, 1), "the first player wins by 1 point"),
            (score(2, 5), "the first player wins by 2 to 5 points"),
            (score(-5, -1), "the second player wins by 1 to 5 points"),
            (score(0, 3), "the first player does not lose, and wins by at most 3 points"),
            (score(-1, 0), "the second player does not lose, and wins by at most 1 point"),
            (score(0, 0), "play ends in a tie"),
            (Proved::exactly(Value::DRAW), "play ends in a draw"),
            (Proved::exactly(Value::win(second, 1)), "the second player wins in 1 ply"),
            (Proved::exactly(Value::win(first, 0)), "the first player has won"),
            (
                bounds(Value::win(first, 9), Value::win(first, 5)),
                "the first player wins in 5 to 9 plies",
            ),
            (
                bounds(Value::DRAW, Value::win(first, 7)),
                "the first player does not lose and does not win within 6 plies",
            ),
            (bounds(Value::DRAW, Value::win(first, 1)), "the first player does not lose"),
            (
                bounds(Value::win(second, 2), Value::DRAW),
                "the second player does not lose and does not win within 1 ply",
            ),
            (
                bounds(Value::win(second, 8), Value::win(first, 9)),
                "neither player wins within 7 plies",
            ),
            (bounds(Value::win(second, 1), Value::win(first, 9)), "nothing is proved yet"),
        ];
        for (bounds, words) in cases {
            assert_eq!(bounds.to_string(), words);
        }
    }
}
