//! Quotients of counts.

use num_bigint::{BigInt, BigUint, Sign};
use num_traits::{CheckedDiv, ToPrimitive};

/// The quotient of two counts, truncated after twelve decimals, which is more than any table shows;
/// `None` if the divisor is 0.
pub fn big_ratio(part: &BigUint, whole: &BigUint) -> Option<f64> {
    const SCALE: u64 = 1_000_000_000_000;
    let scaled = (part * SCALE).checked_div(whole)?;
    scaled.to_f64().map(|scaled| scaled / SCALE as f64)
}

/// [`big_ratio`] of integers.
pub fn signed_ratio(part: &BigInt, whole: &BigInt) -> Option<f64> {
    let ratio = big_ratio(part.magnitude(), whole.magnitude())?;
    Some(if (part.sign() == Sign::Minus) == (whole.sign() == Sign::Minus) { ratio } else { -ratio })
}

/// [`big_ratio`] of counts of fixed width.
pub fn ratio(part: impl Into<BigUint>, whole: impl Into<BigUint>) -> Option<f64> {
    big_ratio(&part.into(), &whole.into())
}
