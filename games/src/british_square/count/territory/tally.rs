//! Integers wide enough for the counts they hold.
//!
//! Counts begin with 64 bits. Before each step an upper bound on every sum is known; if it does not
//! fit, the counts are widened to 128 bits, and then to integers of any size. So additions need no
//! overflow check.

use num_bigint::BigUint;

/// A count of playouts.
pub trait Tally: Clone + Default + Send + Sync + Into<BigUint> {
    /// Adds a multiple of another count. The caller guarantees that the sum fits.
    fn add_times(&mut self, other: &Self, times: u32);
    /// Converts a count of at most this width.
    fn from_u128(count: u128) -> Self;
    /// Reads a count of at most this width from its 64-bit digits, least significant first.
    fn from_digits(digits: &[u64]) -> Self {
        Self::from_u128(digits.iter().rev().fold(0, |n, &digit| n << 64 | u128::from(digit)))
    }
}

impl Tally for u64 {
    #[inline(always)]
    fn add_times(&mut self, other: &u64, times: u32) {
        *self += other * u64::from(times);
    }

    #[inline(always)]
    fn from_u128(count: u128) -> u64 {
        count as u64
    }
}

impl Tally for u128 {
    #[inline(always)]
    fn add_times(&mut self, other: &u128, times: u32) {
        *self += other * u128::from(times);
    }

    #[inline(always)]
    fn from_u128(count: u128) -> u128 {
        count
    }
}

impl Tally for BigUint {
    fn add_times(&mut self, other: &BigUint, times: u32) {
        *self += other * times;
    }

    fn from_u128(count: u128) -> BigUint {
        count.into()
    }

    fn from_digits(digits: &[u64]) -> BigUint {
        let halves = digits.iter().flat_map(|&digit| [digit as u32, (digit >> 32) as u32]);
        BigUint::new(halves.collect())
    }
}

/// The widths of tallies, narrowest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Width {
    /// 64 bits.
    Bits64,
    /// 128 bits.
    Bits128,
    /// Any number of bits.
    Unbounded,
}

impl Width {
    /// The narrowest width that holds every count up to a bound.
    pub fn holding(bound: &BigUint) -> Width {
        match bound.bits() {
            0..=64 => Width::Bits64,
            65..=128 => Width::Bits128,
            _ => Width::Unbounded,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_width_holds_its_largest_count() {
        assert_eq!(Width::holding(&u64::MAX.into()), Width::Bits64);
        assert_eq!(Width::holding(&(u128::from(u64::MAX) + 1).into()), Width::Bits128);
        assert_eq!(Width::holding(&u128::MAX.into()), Width::Bits128);
        assert_eq!(Width::holding(&(BigUint::from(u128::MAX) + 1u8)), Width::Unbounded);
    }
}
