//! Numbers of any size, as far as a picture needs them.

/// A mantissa from 1 up to 10, or 0, times a power of ten. It has the first digits of a number and
/// how large it is, whether or not a floating-point number could hold that.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Number {
    mantissa: f64,
    exponent: i32,
}

/// Digits that a floating-point number holds.
const DIGITS: usize = 17;

impl Number {
    /// Nothing.
    pub const ZERO: Number = Number { mantissa: 0.0, exponent: 0 };

    /// Reads an integer of any length, or a real number; none if the text is something else.
    pub fn parse(text: &str) -> Option<Number> {
        let digits = text.strip_prefix('-').unwrap_or(text);
        match !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
            true => Number::of_digits(digits, digits.len() < text.len()),
            false => Number::of(text.parse().ok()?),
        }
    }

    fn of_digits(digits: &str, is_negative: bool) -> Option<Number> {
        let digits = digits.trim_start_matches('0');
        if digits.is_empty() {
            return Some(Number::ZERO);
        }
        let head = &digits[..digits.len().min(DIGITS)];
        let size: f64 = format!("{}.{}", &head[..1], &head[1..]).parse().ok()?;
        let mantissa = if is_negative { -size } else { size };
        Some(Number { mantissa, exponent: i32::try_from(digits.len() - 1).ok()? })
    }

    /// That number; none if it is infinite or no number.
    pub fn of(number: f64) -> Option<Number> {
        if !number.is_finite() {
            return None;
        }
        let text = format!("{number:e}");
        let (mantissa, exponent) = text.split_once('e')?;
        Some(Number { mantissa: mantissa.parse().ok()?, exponent: exponent.parse().ok()? })
    }

    /// The power of ten of its first digit; none for 0.
    pub fn exponent(self) -> Option<i32> {
        (self.mantissa != 0.0).then_some(self.exponent)
    }

    /// How often it holds ten to that power: 0 if that is far larger, infinite if far smaller.
    pub fn scaled(self, power: i32) -> f64 {
        match self.mantissa == 0.0 {
            true => 0.0,
            false => self.mantissa * 10_f64.powi(self.exponent.saturating_sub(power)),
        }
    }

    /// The decimal logarithm; none if it is not above 0.
    pub fn log10(self) -> Option<f64> {
        (self.mantissa > 0.0).then(|| f64::from(self.exponent) + self.mantissa.log10())
    }

    /// Without its sign.
    pub fn abs(self) -> Number {
        Number { mantissa: self.mantissa.abs(), ..self }
    }

    /// Whether it is below 0.
    pub fn is_negative(self) -> bool {
        self.mantissa < 0.0
    }

    /// An order of all numbers.
    pub fn compare(&self, other: &Number) -> std::cmp::Ordering {
        self.key().partial_cmp(&other.key()).unwrap_or(std::cmp::Ordering::Equal)
    }

    /// Numbers are in the order of these: sign, then how large, then the first digits.
    fn key(&self) -> (i32, i64, f64) {
        let exponent = i64::from(self.exponent);
        match self.mantissa {
            0.0 => (0, 0, 0.0),
            mantissa if mantissa < 0.0 => (-1, -exponent, mantissa),
            mantissa => (1, exponent, mantissa),
        }
    }
}

#[cfg(test)]
mod tests;
