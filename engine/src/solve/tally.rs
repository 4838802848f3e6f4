//! Integers wide enough for the counts they keep.
//!
//! Counts begin in 64 bits. Before each step a bound on the largest sum it can make is known,
//! and where that does not fit the counts move to 128 bits, then to integers without bound.
//! So additions need no check and no count is ever wrong.

use num_bigint::BigUint;
use num_traits::ToPrimitive;

/// A count of playouts.
pub trait Tally: Clone + Send + Sync + Into<BigUint> {
    /// Adds another one; the caller has made sure that the sum fits.
    fn add(&mut self, other: &Self);
    /// Adds another one so many times; the caller has made sure that the sum fits.
    fn add_times(&mut self, other: &Self, times: u32);
    /// The count from a narrower or equal kind, if it fits.
    fn from_big(count: &BigUint) -> Option<Self>;

    /// The sum of any number of counts, whatever its size.
    fn total<'a>(counts: impl Iterator<Item = &'a Self>) -> BigUint
    where
        Self: 'a,
    {
        counts.map(|count| count.clone().into()).sum()
    }
}

impl Tally for u64 {
    #[inline(always)]
    fn add(&mut self, other: &u64) {
        *self += other;
    }

    #[inline(always)]
    fn add_times(&mut self, other: &u64, times: u32) {
        *self += other * u64::from(times);
    }

    fn from_big(count: &BigUint) -> Option<u64> {
        count.to_u64()
    }

    /// Fewer than 2^64 counts of 64 bits fit 128.
    fn total<'a>(counts: impl Iterator<Item = &'a u64>) -> BigUint {
        counts.map(|&count| u128::from(count)).sum::<u128>().into()
    }
}

impl Tally for u128 {
    #[inline(always)]
    fn add(&mut self, other: &u128) {
        *self += other;
    }

    #[inline(always)]
    fn add_times(&mut self, other: &u128, times: u32) {
        *self += other * u128::from(times);
    }

    fn from_big(count: &BigUint) -> Option<u128> {
        count.to_u128()
    }
}

impl Tally for BigUint {
    fn add(&mut self, other: &BigUint) {
        *self += other;
    }

    fn add_times(&mut self, other: &BigUint, times: u32) {
        *self += other * times;
    }

    fn from_big(count: &BigUint) -> Option<BigUint> {
        Some(count.clone())
    }
}

/// The kinds of tally, narrowest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Width {
    /// 64 bits.
    Bits64,
    /// 128 bits.
    Bits128,
    /// As many bits as it takes.
    Unbounded,
}

impl Width {
    /// The narrowest kind that holds every count up to a bound.
    ///
    /// ```
    /// use bsq_engine::solve::tally::Width;
    /// assert_eq!(Width::holding(&u64::MAX.into()), Width::Bits64);
    /// assert_eq!(Width::holding(&(u128::from(u64::MAX) + 1).into()), Width::Bits128);
    /// ```
    pub fn holding(bound: &BigUint) -> Width {
        match bound.bits() {
            0..=64 => Width::Bits64,
            65..=128 => Width::Bits128,
            _ => Width::Unbounded,
        }
    }
}
