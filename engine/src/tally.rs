//! Integers wide enough for the counts they keep.
//!
//! Counts begin in 64 bits. Before each step a bound on the largest sum it can make is known,
//! and where that does not fit the counts move to 128 bits, then to integers without bound.
//! So additions need no check and no count is ever wrong.

use num_bigint::BigUint;

/// A count of playouts.
pub trait Tally: Clone + Send + Sync + Into<BigUint> {
    /// Which kind it is.
    const WIDTH: Width;
    /// Adds another one; the caller has made sure that the sum fits.
    fn add(&mut self, other: &Self);
    /// Adds another one so many times; the caller has made sure that the sum fits.
    fn add_times(&mut self, other: &Self, times: u32);
    /// 64-bit words in which it is stored.
    fn words(&self) -> usize;
    /// Appends it as it is stored, least word first.
    fn store(&self, words: &mut Vec<u64>);
    /// The tally of a narrower or equal kind.
    fn from_u128(count: u128) -> Self;
    /// The tally of words, least first, of a narrower or equal kind.
    fn from_words(words: &[u64]) -> Self {
        Self::from_u128(words.iter().rev().fold(0, |n, &word| n << 64 | u128::from(word)))
    }
    /// Bytes that a tally up to a bound takes besides its own.
    fn bytes_elsewhere(_most: &BigUint) -> u64 {
        0
    }
}

impl Tally for u64 {
    const WIDTH: Width = Width::Bits64;

    #[inline(always)]
    fn add(&mut self, other: &u64) {
        *self += other;
    }

    #[inline(always)]
    fn add_times(&mut self, other: &u64, times: u32) {
        *self += other * u64::from(times);
    }

    #[inline(always)]
    fn words(&self) -> usize {
        1
    }

    #[inline(always)]
    fn store(&self, words: &mut Vec<u64>) {
        words.push(*self);
    }

    #[inline(always)]
    fn from_u128(count: u128) -> u64 {
        count as u64
    }
}

impl Tally for u128 {
    const WIDTH: Width = Width::Bits128;

    #[inline(always)]
    fn add(&mut self, other: &u128) {
        *self += other;
    }

    #[inline(always)]
    fn add_times(&mut self, other: &u128, times: u32) {
        *self += other * u128::from(times);
    }

    #[inline(always)]
    fn words(&self) -> usize {
        2
    }

    #[inline(always)]
    fn store(&self, words: &mut Vec<u64>) {
        words.extend_from_slice(&[*self as u64, (*self >> 64) as u64]);
    }

    #[inline(always)]
    fn from_u128(count: u128) -> u128 {
        count
    }
}

impl Tally for BigUint {
    const WIDTH: Width = Width::Unbounded;

    fn add(&mut self, other: &BigUint) {
        *self += other;
    }

    fn add_times(&mut self, other: &BigUint, times: u32) {
        *self += other * times;
    }

    fn words(&self) -> usize {
        1 + self.bits().div_ceil(64) as usize
    }

    fn store(&self, words: &mut Vec<u64>) {
        words.push(self.bits().div_ceil(64));
        words.extend(self.iter_u64_digits());
    }

    fn from_u128(count: u128) -> BigUint {
        count.into()
    }

    fn from_words(words: &[u64]) -> BigUint {
        let halves = words.iter().flat_map(|&word| [word as u32, (word >> 32) as u32]);
        BigUint::new(halves.collect())
    }

    fn bytes_elsewhere(most: &BigUint) -> u64 {
        // Its digits are elsewhere in memory, with a header of the allocator's.
        most.bits().div_ceil(64) * 8 + 16
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
    /// use bsq_engine::tally::Width;
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

    /// Bits of a tally, 0 for any number: how files say it.
    pub fn bits(self) -> u32 {
        match self {
            Width::Bits64 => 64,
            Width::Bits128 => 128,
            Width::Unbounded => 0,
        }
    }

    /// The kind with that many [`bits`](Width::bits).
    pub fn of_bits(bits: u32) -> Option<Width> {
        [Width::Bits64, Width::Bits128, Width::Unbounded].into_iter().find(|w| w.bits() == bits)
    }

    /// The fewest 64-bit words in which a tally above 0 is stored.
    pub fn words(self) -> usize {
        match self {
            Width::Bits64 => 1,
            Width::Bits128 | Width::Unbounded => 2,
        }
    }
}
