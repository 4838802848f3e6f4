//! The results of play in which moves are drawn at random.

use super::flow::{Amount, Flow};
use super::reach::by_result;
use super::{ExploreError, Limits};
use crate::game::{Game, Value};
use crate::monitor::Monitor;
use num_bigint::BigInt;
use num_rational::Ratio;
use num_traits::{One, ToPrimitive, Zero};
use std::collections::HashMap;
use std::ops::AddAssign;

/// The moves that may be played in a position, each with a positive weight: a move is played with the
/// probability of its weight divided by the sum of all. At least one, unless there is no legal move.
pub type Choose<'a, G> =
    dyn Fn(&<G as Game>::Position) -> Vec<(<G as Game>::Move, u32)> + Sync + 'a;

/// Finds how probable each result is if both players draw their moves at random, from a position on.
/// The best results for the first player come first.
///
/// Symmetric positions count as one, so `choose` must treat them alike. The game must end: where
/// positions can [recur](super::Exploration::is_acyclic), the function may not return.
///
/// # Errors
///
/// If the positions of two plies do not fit in the memory allowed, or if the monitor stops the job.
///
/// ```
/// use bsq_engine::explore::{Fixed, Limits, chances};
/// use bsq_engine::game::{Game, Player};
/// use bsq_engine::monitor::Monitor;
/// use bsq_engine::nim::Nim;
/// use num_bigint::BigInt;
/// use num_rational::Ratio;
///
/// let (nim, monitor) = (Nim([1, 2, 0]), Monitor::default());
/// let any = |position: &_| nim.moves(position).into_iter().map(|mv| (mv, 1)).collect();
/// let exact = chances::<_, Ratio<BigInt>>(&nim, &nim.start(), &any, Limits::default(), &monitor);
/// let exact = exact.unwrap();
/// let (first, probability) = &exact[0];
/// assert_eq!(first.unwrap().winner(), Some(Player::First));
/// assert_eq!(probability.to_string(), "1/2");
///
/// let fixed = chances::<_, Fixed>(&nim, &nim.start(), &any, Limits::default(), &monitor);
/// assert_eq!(fixed.unwrap()[0].0, *first);
/// ```
pub fn chances<G: Game, P: Probability>(
    game: &G,
    start: &G::Position,
    choose: &Choose<G>,
    limits: Limits,
    monitor: &Monitor,
) -> Result<Vec<(Option<Value>, P)>, ExploreError> {
    let divide = |position: &G::Position, probability: &P| {
        let moves = choose(position);
        let sum = moves.iter().map(|(_, weight)| u64::from(*weight)).sum();
        let shares = moves.into_iter().map(|(mv, weight)| (mv, probability.share(weight, sum)));
        shares.filter(|(_, share)| !share.is_zero()).collect()
    };
    let normal = G::Position::clone;
    let flow = Flow { game, depth: None, normal: &normal, divide: &divide, limits, monitor };
    let plies =
        flow.follow(start, P::certain(), &mut |_| Ok(()))?.expect("probabilities do not exceed 1");
    let mut results: HashMap<Option<Value>, P> = HashMap::new();
    for (result, probability) in plies.into_iter().flat_map(|ply| ply.ended) {
        *results.entry(result).or_default() += probability;
    }
    Ok(by_result(results))
}

/// How probabilities are computed. The default is 0.
pub trait Probability: Amount<Sum = Self> + Default + PartialEq + AddAssign {
    /// The probability of what is certain.
    fn certain() -> Self;

    /// The share of this probability that a weight has of the sum of all weights.
    fn share(&self, weight: u32, sum: u64) -> Self;

    /// Whether it is 0.
    fn is_zero(&self) -> bool;

    /// By how much it is less than 1.
    fn lack(&self) -> f64;

    /// The nearest floating-point number.
    fn to_f64(&self) -> f64;
}

/// A probability in units of 2^-127, rounded down.
///
/// Sums are exact, so they do not depend on their order, and shares lose less than a unit each.
/// What the probabilities of all results lack of 1 is therefore an upper bound on what any of them
/// lacks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fixed(u128);

impl Fixed {
    const ONE: u128 = 1 << 127;
}

impl AddAssign for Fixed {
    fn add_assign(&mut self, other: Fixed) {
        self.0 += other.0;
    }
}

impl Amount for Fixed {
    type Sum = Fixed;

    fn plus(&self, other: &Fixed) -> Option<Fixed> {
        self.0.checked_add(other.0).map(Fixed)
    }
}

impl Probability for Fixed {
    fn certain() -> Fixed {
        Fixed(Fixed::ONE)
    }

    fn share(&self, weight: u32, sum: u64) -> Fixed {
        let (weight, sum) = (u128::from(weight), u128::from(sum));
        Fixed(self.0 / sum * weight + self.0 % sum * weight / sum)
    }

    fn is_zero(&self) -> bool {
        self.0 == 0
    }

    fn lack(&self) -> f64 {
        Fixed(Fixed::ONE - self.0).to_f64()
    }

    fn to_f64(&self) -> f64 {
        self.0 as f64 / Fixed::ONE as f64
    }
}

impl Amount for Ratio<BigInt> {
    type Sum = Ratio<BigInt>;

    const ON_HEAP: u64 = 96;

    fn plus(&self, other: &Ratio<BigInt>) -> Option<Ratio<BigInt>> {
        Some(self + other)
    }
}

impl Probability for Ratio<BigInt> {
    fn certain() -> Ratio<BigInt> {
        Ratio::one()
    }

    fn share(&self, weight: u32, sum: u64) -> Ratio<BigInt> {
        self * Ratio::new(BigInt::from(weight), BigInt::from(sum))
    }

    fn is_zero(&self) -> bool {
        Zero::is_zero(self)
    }

    fn lack(&self) -> f64 {
        Probability::to_f64(&(Ratio::one() - self))
    }

    fn to_f64(&self) -> f64 {
        // Truncated to 64 bits or more, which is more than a number has.
        let shift = self.denom().bits().saturating_sub(self.numer().bits()) + 64;
        let scaled: BigInt = (self.numer() << shift) / self.denom();
        scaled.to_f64().unwrap_or(f64::NAN) * 2f64.powi(-(shift as i32))
    }
}
