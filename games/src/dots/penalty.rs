//! What the last line costs, exactly.

use std::fmt;

/// The highest cost.
const MOST: i64 = 1000;
/// Decimals that can be written, and the denominator that goes with them.
const DECIMALS: usize = 6;
const FINEST: i64 = 1_000_000;

/// Points for who draws the last line of all: 0 or less, at least -1000, a fraction with a
/// denominator of at most 1,000,000.
///
/// ```
/// use bsq_games::dots::Penalty;
///
/// let penalty = Penalty::parse("-3/2").unwrap();
/// assert_eq!((penalty.floor(), penalty.ceil(), penalty.fraction()), (-2, -1, (1, 2)));
/// assert_eq!(penalty.to_string(), "-1.5");
/// assert!(Penalty::parse("1").is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Penalty {
    /// From -1000 times the denominator to 0.
    numerator: i64,
    /// From 1 to 1,000,000, without a divisor in common.
    denominator: i64,
}

/// Why there is no such penalty.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PenaltyError {
    /// Not a number.
    #[error("'{0}' is no penalty; a penalty is 0 or negative, such as 0, -1, -0.5 or -1/2")]
    Malformed(String),
    /// More than 0.
    #[error("the penalty {0} is positive; a penalty is 0 or negative, such as -1")]
    Positive(String),
    /// Less than -1000.
    #[error("the penalty {0} is too low; a penalty is from -1000 to 0")]
    TooLow(String),
    /// Too many decimals, or too large a denominator.
    #[error(
        "the penalty {0} is too fine; at most 6 decimals are possible, or a fraction of millionths"
    )]
    TooFine(String),
}

impl Penalty {
    /// No penalty.
    pub const ZERO: Penalty = Penalty { numerator: 0, denominator: 1 };

    /// A fraction, reduced. The denominator is above 0; the value from -1000 to 0.
    pub fn new(numerator: i64, denominator: i64) -> Result<Penalty, PenaltyError> {
        Penalty::checked(numerator, denominator, &format!("{numerator}/{denominator}"))
    }

    /// The same with the text for errors.
    fn checked(numerator: i64, denominator: i64, text: &str) -> Result<Penalty, PenaltyError> {
        if denominator <= 0 {
            return Err(PenaltyError::Malformed(text.to_string()));
        }
        if numerator > 0 {
            return Err(PenaltyError::Positive(text.to_string()));
        }
        if i128::from(numerator) < -i128::from(MOST) * i128::from(denominator) {
            return Err(PenaltyError::TooLow(text.to_string()));
        }
        let (numerator, denominator) = reduced(numerator, denominator);
        match denominator <= FINEST {
            true => Ok(Penalty { numerator, denominator }),
            false => Err(PenaltyError::TooFine(text.to_string())),
        }
    }

    /// Reads a whole number, a decimal (`-0.5`) or a fraction (`-1/2`).
    pub fn parse(text: &str) -> Result<Penalty, PenaltyError> {
        let text = text.trim();
        let (negative, value) = match text.strip_prefix('-') {
            Some(value) => (true, value),
            None => (false, text),
        };
        let malformed = || PenaltyError::Malformed(text.to_string());
        let too_large = || match negative {
            true => PenaltyError::TooLow(text.to_string()),
            false => PenaltyError::Positive(text.to_string()),
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

    /// The numerator of the reduced fraction, 0 or less.
    pub fn numerator(&self) -> i64 {
        self.numerator
    }

    /// The denominator of the reduced fraction, from 1 to 1,000,000.
    pub fn denominator(&self) -> i64 {
        self.denominator
    }

    /// The highest whole number that is not above it.
    pub fn floor(&self) -> i32 {
        self.numerator.div_euclid(self.denominator) as i32
    }

    /// The lowest whole number that is not below it.
    pub fn ceil(&self) -> i32 {
        -((-self.numerator).div_euclid(self.denominator) as i32)
    }

    /// How much it is above its floor, from 0 to less than 1: a reduced numerator and denominator.
    pub fn fraction(&self) -> (i64, i64) {
        (self.numerator.rem_euclid(self.denominator), self.denominator)
    }

    /// Whether it is a whole number.
    pub fn is_whole(&self) -> bool {
        self.denominator == 1
    }
}

impl Default for Penalty {
    fn default() -> Penalty {
        Penalty::ZERO
    }
}

/// A whole number or a decimal if it is one, else a fraction.
impl fmt::Display for Penalty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_fraction(f, self.numerator, self.denominator)
    }
}

/// Writes a whole number or a decimal if it is one, else a fraction.
pub(crate) fn write_fraction(
    f: &mut fmt::Formatter<'_>,
    numerator: i64,
    denominator: i64,
) -> fmt::Result {
    if FINEST % denominator != 0 {
        return write!(f, "{numerator}/{denominator}");
    }
    let millionths = numerator.unsigned_abs() * (FINEST / denominator).unsigned_abs();
    let (whole, rest) = (millionths / FINEST.unsigned_abs(), millionths % FINEST.unsigned_abs());
    let sign = if numerator < 0 { "-" } else { "" };
    let decimals = format!(".{rest:0DECIMALS$}");
    let decimals = decimals.trim_end_matches('0').trim_end_matches('.');
    write!(f, "{sign}{whole}{decimals}")
}

/// A fraction without a divisor in common; the denominator is above 0.
pub(crate) fn reduced(numerator: i64, denominator: i64) -> (i64, i64) {
    let divisor = common_divisor(numerator.unsigned_abs(), denominator.unsigned_abs()) as i64;
    (numerator / divisor, denominator / divisor)
}

fn common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { common_divisor(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn penalties_are_exact_and_written_in_one_way() {
        let cases = [
            ("0", "0", (0, 1), (0, 0, (0, 1))),
            ("-0", "0", (0, 1), (0, 0, (0, 1))),
            ("0.000", "0", (0, 1), (0, 0, (0, 1))),
            ("-0/7", "0", (0, 1), (0, 0, (0, 1))),
            ("-1", "-1", (-1, 1), (-1, -1, (0, 1))),
            ("-0.5", "-0.5", (-1, 2), (-1, 0, (1, 2))),
            ("-.50", "-0.5", (-1, 2), (-1, 0, (1, 2))),
            ("-2/4", "-0.5", (-1, 2), (-1, 0, (1, 2))),
            ("-1.25", "-1.25", (-5, 4), (-2, -1, (3, 4))),
            ("-7/3", "-7/3", (-7, 3), (-3, -2, (2, 3))),
            ("-0.000001", "-0.000001", (-1, 1_000_000), (-1, 0, (999_999, 1_000_000))),
            ("-1000", "-1000", (-1000, 1), (-1000, -1000, (0, 1))),
            (
                "-999999999/1000000",
                "-999.999999",
                (-999_999_999, 1_000_000),
                (-1000, -999, (1, 1_000_000)),
            ),
            (" -2000/2 ", "-1000", (-1000, 1), (-1000, -1000, (0, 1))),
        ];
        for (text, written, fraction, (floor, ceil, rest)) in cases {
            let penalty = Penalty::parse(text).unwrap();
            assert_eq!(penalty.to_string(), written, "{text}");
            assert_eq!((penalty.numerator(), penalty.denominator()), fraction, "{text}");
            assert_eq!((penalty.floor(), penalty.ceil(), penalty.fraction()), (floor, ceil, rest));
            assert_eq!(penalty.is_whole(), floor == ceil);
            assert_eq!(Penalty::parse(written), Ok(penalty));
            assert_eq!(Penalty::new(fraction.0, fraction.1), Ok(penalty));
        }
        assert_eq!(Penalty::default(), Penalty::new(0, i64::MAX).unwrap());
    }

    #[test]
    fn other_numbers_are_refused() {
        let huge = "9".repeat(40);
        let negative = |text: &str| format!("-{text}");
        for text in [
            "", "-", "nan", "NaN", "inf", "-inf", "--1", "+1", "- 1", "-1.", ".", "-.", "1e3",
            "-1e3", "-1/", "/2", "-/2", "-1/-2", "-1/+2", "-1.5/2", "-1/2/3", "-1.2.3", "-1/0",
            "0/0", "-\u{661}",
        ] {
            assert_eq!(Penalty::parse(text), Err(PenaltyError::Malformed(text.to_string())));
        }
        for text in ["1", "0.5", "1/2", "1000000", huge.as_str()] {
            assert_eq!(Penalty::parse(text), Err(PenaltyError::Positive(text.to_string())));
        }
        for text in ["-1001", "-1000.000001", "-3001/3", &negative(&huge)] {
            assert_eq!(Penalty::parse(text), Err(PenaltyError::TooLow(text.to_string())));
        }
        for text in ["-0.5000000", "-1/1000001", "-1/3000000", &format!("-1/{huge}")] {
            assert_eq!(Penalty::parse(text), Err(PenaltyError::TooFine(text.to_string())));
        }
        for (numerator, denominator) in
            [(1, 1), (0, 0), (-1, -1), (i64::MIN, 1), (i64::MIN, i64::MAX - 1)]
        {
            let error = Penalty::new(numerator, denominator).unwrap_err().to_string();
            assert!(error.contains(&format!("{numerator}/{denominator}")), "{error}");
        }
        let error = Penalty::parse("2").unwrap_err().to_string();
        assert_eq!(error, "the penalty 2 is positive; a penalty is 0 or negative, such as -1");
    }
}
