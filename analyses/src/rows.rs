//! Rows that more than one pass makes: who wins, and how large a share.

use bsq_engine::game::Player;
use bsq_engine::levels::{Census, ScoreCount};
use bsq_games::british_square::Rules;
use num_bigint::BigUint;
use num_traits::{CheckedDiv, ToPrimitive};

/// The quotient of two counts, cut off after twelve decimals, more than any table shows; none
/// where there is nothing to divide by.
pub fn share(part: &BigUint, whole: &BigUint) -> Option<f64> {
    const SCALE: u64 = 1_000_000_000_000;
    let scaled = (part * SCALE).checked_div(whole)?;
    scaled.to_f64().map(|scaled| scaled / SCALE as f64)
}

/// The same of 64-bit counts.
pub fn ratio(part: u64, whole: u64) -> Option<f64> {
    share(&part.into(), &whole.into())
}

/// Who a score is a win for; nobody where it is 0.
pub fn winner(score: i32) -> Option<Player> {
    match score {
        0 => None,
        score if score > 0 => Some(Player::First),
        _ => Some(Player::Second),
    }
}

/// The three results and their total, in the order of every table.
pub const RESULTS: [(&str, ResultOf); 4] = [
    ("first", ResultOf::Win(Some(Player::First))),
    ("second", ResultOf::Win(Some(Player::Second))),
    ("tie", ResultOf::Win(None)),
    ("all", ResultOf::Any),
];

/// A result, or any of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultOf {
    /// A win for that player, or for nobody.
    Win(Option<Player>),
    /// Whatever the result.
    Any,
}

impl ResultOf {
    /// Whether a score, bias subtracted, is that result.
    pub fn is_of(self, score: i32) -> bool {
        self == ResultOf::Any || self == ResultOf::Win(winner(score))
    }
}

/// How often a game ends that way, the bias counted.
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
