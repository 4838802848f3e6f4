//! Rows by outcome, with numbers of playouts.

use bsq_engine::game::Player;
use bsq_engine::levels::{Census, ScoreCount};
use bsq_games::british_square::Rules;

/// The winner of a game with that score, bias subtracted; `None` for a tie.
pub fn winner(score: i32) -> Option<Player> {
    match score {
        0 => None,
        score if score > 0 => Some(Player::First),
        _ => Some(Player::Second),
    }
}

/// The three outcomes and their total, in the order of the rows of all tables.
pub const RESULTS: [(&str, ResultOf); 4] = [
    ("first", ResultOf::Win(Some(Player::First))),
    ("second", ResultOf::Win(Some(Player::Second))),
    ("tie", ResultOf::Win(None)),
    ("all", ResultOf::Any),
];

/// One outcome, or any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultOf {
    /// A win for that player; a tie if `None`.
    Win(Option<Player>),
    /// Any outcome.
    Any,
}

impl ResultOf {
    /// Whether a score, bias subtracted, is that outcome.
    pub fn is_of(self, score: i32) -> bool {
        self == ResultOf::Any || self == ResultOf::Win(winner(score))
    }
}

/// Playouts and terminal states with that outcome, bias subtracted.
pub fn outcome_of(census: &Census, rules: &Rules, result: ResultOf) -> ScoreCount {
    let mut sum = ScoreCount::default();
    for (lead, outcome) in &census.scores {
        if result.is_of(lead - rules.bias) {
            sum.playouts += &outcome.playouts;
            sum.terminals += outcome.terminals;
        }
    }
    sum
}
