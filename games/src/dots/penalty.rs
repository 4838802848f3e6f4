//! The penalty for the last line, as an exact fraction.

use bsq_engine::score::Score;
use std::fmt;

/// The largest absolute value.
const MOST: i64 = 1000;
/// The largest number of decimals, and the largest denominator.
const DECIMALS: usize = 6;
const FINEST: i64 = 1_000_000;

/// Points for the player who draws the last line, a bonus if they are positive: from -1000 to 1000, a
/// fraction with a denominator of at most 1,000,000. Written like a [`Score`].
///
/// ```
/// use bsq_games::dots::Penalty;
///
/// let penalty = Penalty::parse("-3/2").unwrap();
/// assert_eq!((penalty.floor(), penalty.ceil(), penalty.fraction()), (-2, -1, (1, 2)));
/// assert_eq!(penalty.to_string(), "-1.5");
/// assert!(Penalty::parse("1001").is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Penalty(Score);

/// Why a penalty is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PenaltyError {
    /// Not a number.
    #[error("'{0}' is not a penalty; a penalty is a number such as -1, -0.5, -1/2 or 2")]
    Malformed(String),
    /// Less than -1000.
    #[error("the penalty {0} is too low; a penalty is from -1000 to 1000")]
    TooLow(String),
    /// More than 1000.
    #[error("the penalty {0} is too high; a penalty is from -1000 to 1000")]
    TooHigh(String),
    /// Too many decimals, or too large a denominator.
    #[error(
        "the penalty {0} is too fine; at most 6 decimals are possible, or a fraction of millionths"
    )]
    TooFine(String),
}

impl Penalty {
    /// No penalty.
    pub const ZERO: Penalty = Penalty(Score::ZERO);

    /// A fraction, which is reduced. The denominator must be positive, the value from -1000 to
    /// 1000.
    pub fn new(numerator: i64, denominator: i64) -> Result<Penalty, PenaltyError> {
        Penalty::checked(numerator, denominator, &format!("{numerator}/{denominator}"))
    }

    /// A fraction with its text, for errors.
    fn checked(numerator: i64, denominator: i64, text: &str) -> Result<Penalty, PenaltyError> {
        if denominator <= 0 {
            return Err(PenaltyError::Malformed(text.to_string()));
        }
        let most = i128::from(MOST) * i128::from(denominator);
        if i128::from(numerator) < -most {
            return Err(PenaltyError::TooLow(text.to_string()));
        }
        if i128::from(numerator) > most {
            return Err(PenaltyError::TooHigh(text.to_string()));
        }
        let score = Score::new(numerator, denominator);
        if score.denominator() <= FINEST {
            Ok(Penalty(score))
        } else {
            Err(PenaltyError::TooFine(text.to_string()))
        }
    }

    /// Parses an integer, a decimal (`-0.5`) or a fraction (`-1/2`).
    pub fn parse(text: &str) -> Result<Penalty, PenaltyError> {
        let text = text.trim();
        let (negative, value) = match text.strip_prefix('-') {
            Some(value) => (true, value),
            None => (false, text),
        };
        let malformed = || PenaltyError::Malformed(text.to_string());
        let too_large = || {
            if negative {
                PenaltyError::TooLow(text.to_string())
            } else {
                PenaltyError::TooHigh(text.to_string())
            }
        };
        let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let (above, below) = match (value.split_once('/'), value.split_once('.')) {
            (Some((above, below)), _) => {
                if above.is_empty() || below.is_empty() || !is_number(above) || !is_number(below) {
                    return Err(malformed());
                }
                let too_fine = |_| PenaltyError::TooFine(text.to_string());
                (above.to_string(), below.parse().map_err(too_fine)?)
            }
            (None, Some((whole, decimals))) => {
                if decimals.is_empty() || !is_number(whole) || !is_number(decimals) {
                    return Err(malformed());
                }
                if decimals.len() > DECIMALS {
                    return Err(PenaltyError::TooFine(text.to_string()));
                }
                (format!("{whole}{decimals}"), 10i64.pow(decimals.len() as u32))
            }
            (None, None) if value.is_empty() || !is_number(value) => return Err(malformed()),
            (None, None) => (value.to_string(), 1),
        };
        let above: i64 = above.parse().map_err(|_| too_large())?;
        Penalty::checked(if negative { -above } else { above }, below, text)
    }

    /// The penalty as a score.
    pub fn score(&self) -> Score {
        self.0
    }

    /// The numerator of the reduced fraction.
    pub fn numerator(&self) -> i64 {
        self.0.numerator()
    }

    /// The denominator of the reduced fraction, from 1 to 1,000,000.
    pub fn denominator(&self) -> i64 {
        self.0.denominator()
    }

    /// The largest integer that is not above the penalty.
    pub fn floor(&self) -> i32 {
        self.numerator().div_euclid(self.denominator()) as i32
    }

    /// The smallest integer that is not below the penalty.
    pub fn ceil(&self) -> i32 {
        -((-self.numerator()).div_euclid(self.denominator()) as i32)
    }

    /// The penalty minus its floor, from 0 to less than 1: a reduced numerator and denominator.
    pub fn fraction(&self) -> (i64, i64) {
        (self.numerator().rem_euclid(self.denominator()), self.denominator())
    }

    /// Whether the penalty is an integer.
    pub fn is_whole(&self) -> bool {
        self.denominator() == 1
    }
}

impl Default for Penalty {
    fn default() -> Penalty {
        Penalty::ZERO
    }
}

impl From<i32> for Penalty {
    /// From -1000 to 1000.
    fn from(points: i32) -> Penalty {
        debug_assert!((-MOST..=MOST).contains(&points.into()));
        Penalty(points.into())
    }
}

impl fmt::Display for Penalty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests;
