//! Numbers of any magnitude, with the precision that a picture needs.

/// A decimal floating-point number: a mantissa from 1 to 10, or 0, times a power of ten. The
/// exponent is not limited to that of a binary floating-point number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Number {
    mantissa: f64,
    exponent: i32,
}

/// The decimal digits of an `f64`.
const DIGITS: usize = 17;

impl Number {
    /// The number 0.
    pub const ZERO: Number = Number { mantissa: 0.0, exponent: 0 };

    /// Parses an integer of any length, or a real number.
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

    /// Converts a finite number.
    pub fn of(number: f64) -> Option<Number> {
        if !number.is_finite() {
            return None;
        }
        let text = format!("{number:e}");
        let (mantissa, exponent) = text.split_once('e')?;
        Some(Number { mantissa: mantissa.parse().ok()?, exponent: exponent.parse().ok()? })
    }

    /// The power of ten of the first digit. None for 0.
    pub fn exponent(self) -> Option<i32> {
        (self.mantissa != 0.0).then_some(self.exponent)
    }

    /// The number divided by a power of ten: 0 or infinite if out of range.
    pub fn scaled(self, power: i32) -> f64 {
        match self.mantissa == 0.0 {
            true => 0.0,
            false => self.mantissa * 10_f64.powi(self.exponent.saturating_sub(power)),
        }
    }

    /// The decimal logarithm of a positive number.
    pub fn log10(self) -> Option<f64> {
        (self.mantissa > 0.0).then(|| f64::from(self.exponent) + self.mantissa.log10())
    }

    /// The absolute value.
    pub fn abs(self) -> Number {
        Number { mantissa: self.mantissa.abs(), ..self }
    }

    /// Whether the number is negative.
    pub fn is_negative(self) -> bool {
        self.mantissa < 0.0
    }

    /// Compares two numbers.
    pub fn compare(&self, other: &Number) -> std::cmp::Ordering {
        self.key().partial_cmp(&other.key()).unwrap_or(std::cmp::Ordering::Equal)
    }

    /// A key whose order is that of the numbers: sign, magnitude, mantissa.
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
