//! Scores under penalties that need not be whole.

use crate::dots::{reduced, write_fraction};
use std::cmp::Ordering;
use std::fmt;
use std::ops::{Neg, Sub};

/// A number of boxes and penalties, exactly.
///
/// ```
/// use bsq_games::dots::search::Score;
///
/// let score = Score::new(-9, 6);
/// assert_eq!((score.to_string(), (-score - 1).to_string()), ("-1.5".into(), "0.5".into()));
/// assert_eq!(Score::new(7, 3).to_string(), "7/3");
/// assert!(Score::new(7, 3) > Score::from(2));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Score {
    numerator: i64,
    denominator: i64,
}

impl Score {
    /// A fraction. The denominator is above 0, and both are small enough to be multiplied.
    pub fn new(numerator: i64, denominator: i64) -> Score {
        debug_assert!(denominator > 0);
        let (numerator, denominator) = reduced(numerator, denominator);
        Score { numerator, denominator }
    }

    /// The numerator of the reduced fraction.
    pub fn numerator(self) -> i64 {
        self.numerator
    }

    /// The denominator of the reduced fraction, 1 or more.
    pub fn denominator(self) -> i64 {
        self.denominator
    }

    /// The nearest floating-point number.
    pub fn to_f64(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }

    /// Without its sign.
    pub fn abs(self) -> Score {
        Score { numerator: self.numerator.abs(), ..self }
    }

    /// -1, 0 or 1.
    pub fn signum(self) -> i32 {
        self.numerator.signum() as i32
    }
}

impl From<i32> for Score {
    fn from(whole: i32) -> Score {
        Score { numerator: whole.into(), denominator: 1 }
    }
}

impl Neg for Score {
    type Output = Score;

    fn neg(self) -> Score {
        Score { numerator: -self.numerator, ..self }
    }
}

impl Sub<i32> for Score {
    type Output = Score;

    fn sub(self, whole: i32) -> Score {
        let Score { numerator, denominator } = self;
        Score { numerator: numerator - i64::from(whole) * denominator, denominator }
    }
}

impl Ord for Score {
    fn cmp(&self, other: &Score) -> Ordering {
        let one = i128::from(self.numerator) * i128::from(other.denominator);
        one.cmp(&(i128::from(other.numerator) * i128::from(self.denominator)))
    }
}

impl PartialOrd for Score {
    fn partial_cmp(&self, other: &Score) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A whole number or a decimal if it is one, else a fraction.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_fraction(f, self.numerator, self.denominator)
    }
}
