//! Exact scores.

use num_rational::Ratio;
use num_traits::Signed;
use serde::{Serialize, Serializer};
use std::fmt;
use std::ops::{Add, Neg, Sub};

/// The largest number of decimals in a formatted score, and the denominator that corresponds to it.
const DECIMALS: usize = 6;
const FINEST: i64 = 1_000_000;

/// A number of points as an exact fraction, because penalties need not be integers.
///
/// It is formatted as an integer or a decimal if at most six decimals are exact, otherwise as a
/// fraction.
///
/// ```
/// use bsq_engine::score::Score;
///
/// let score = Score::new(-9, 6);
/// assert_eq!((score.to_string(), (-score - 1).to_string()), ("-1.5".into(), "0.5".into()));
/// assert_eq!(Score::new(7, 3).to_string(), "7/3");
/// assert!(Score::new(7, 3) > Score::from(2));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(Ratio<i64>);

impl Score {
    /// No points.
    pub const ZERO: Score = Score(Ratio::new_raw(0, 1));

    /// A fraction, which is reduced. The denominator must be positive.
    pub fn new(numerator: i64, denominator: i64) -> Score {
        Score(Ratio::new(numerator, denominator))
    }

    /// The numerator of the reduced fraction.
    #[inline]
    pub const fn numerator(self) -> i64 {
        *self.0.numer()
    }

    /// The denominator of the reduced fraction, 1 or more.
    #[inline]
    pub const fn denominator(self) -> i64 {
        *self.0.denom()
    }

    /// The score as an integer, if it is one.
    #[inline]
    pub fn to_integer(self) -> Option<i32> {
        self.0.is_integer().then_some(self.numerator() as i32)
    }

    /// The absolute value.
    pub fn abs(self) -> Score {
        Score(self.0.abs())
    }

    /// -1, 0 or 1.
    #[inline]
    pub fn signum(self) -> i32 {
        self.numerator().signum() as i32
    }
}

/// In JSON an integer, or a fraction as text, such as `"-3/2"`.
impl Serialize for Score {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match (self.numerator(), self.denominator()) {
            (points, 1) => serializer.serialize_i64(points),
            (numerator, denominator) => {
                serializer.collect_str(&format_args!("{numerator}/{denominator}"))
            }
        }
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Score {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Score".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "A number of points: an integer, or a fraction as text.",
            "oneOf": [
                { "type": "integer" },
                { "type": "string", "pattern": "^-?[0-9]+/[0-9]+$" },
            ],
        })
    }
}

impl From<i32> for Score {
    #[inline]
    fn from(points: i32) -> Score {
        Score(Ratio::from_integer(points.into()))
    }
}

impl Neg for Score {
    type Output = Score;

    #[inline]
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl Add<i32> for Score {
    type Output = Score;

    #[inline]
    fn add(self, points: i32) -> Score {
        Score(self.0 + i64::from(points))
    }
}

impl<S: Into<Score>> Sub<S> for Score {
    type Output = Score;

    #[inline]
    fn sub(self, other: S) -> Score {
        Score(self.0 - other.into().0)
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (numerator, denominator) = (self.numerator(), self.denominator());
        if FINEST % denominator != 0 {
            return write!(f, "{numerator}/{denominator}");
        }
        let finest = FINEST.unsigned_abs();
        let millionths = numerator.unsigned_abs() * (finest / denominator.unsigned_abs());
        let sign = if numerator < 0 { "-" } else { "" };
        let decimals = format!(".{:0DECIMALS$}", millionths % finest);
        let decimals = decimals.trim_end_matches('0').trim_end_matches('.');
        write!(f, "{sign}{}{decimals}", millionths / finest)
    }
}
