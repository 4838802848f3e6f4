//! Integers wide enough for the counts they hold.
//!
//! Counts begin with 64 bits. Before each step an upper bound on every sum is known; if it does not
//! fit, the counts are widened to 128 bits, and then to integers of any size. So additions need no
//! overflow check.

use num_bigint::BigUint;

/// A count of playouts.
pub trait Tally: Clone + Default + Send + Sync + Into<BigUint> {
    /// The width of this type.
    const WIDTH: Width;
    /// Adds another count. The caller guarantees that the sum fits.
    fn add(&mut self, other: &Self);
    /// Adds a multiple of another count. The caller guarantees that the sum fits.
    fn add_times(&mut self, other: &Self, times: u32);
    /// The number of 64-bit words in which the count is stored.
    fn words(&self) -> usize;
    /// Appends the words of the count, least significant first. An unbounded count is preceded by
    /// the number of its words.
    fn store(&self, words: &mut Vec<u64>);
    /// Converts a count of at most this width.
    fn from_u128(count: u128) -> Self;
    /// Reads a count of at most this width from its words, least significant first, without the
    /// number of words.
    fn from_words(words: &[u64]) -> Self {
        Self::from_u128(words.iter().rev().fold(0, |n, &word| n << 64 | u128::from(word)))
    }
    /// The heap memory, in bytes, of a count of at most `most`.
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
        // The digits, and the allocator's header.
        most.bits().div_ceil(64) * 8 + 16
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

    /// The number of bits, 0 for unbounded, as in files.
    pub fn bits(self) -> u32 {
        match self {
            Width::Bits64 => 64,
            Width::Bits128 => 128,
            Width::Unbounded => 0,
        }
    }

    /// The width with the given number of [`bits`](Width::bits). `None` if there is none.
    pub fn of_bits(bits: u32) -> Option<Width> {
        [Width::Bits64, Width::Bits128, Width::Unbounded].into_iter().find(|w| w.bits() == bits)
    }

    /// The least number of 64-bit words in which a positive count is stored.
    pub fn words(self) -> usize {
        match self {
            Width::Bits64 => 1,
            Width::Bits128 | Width::Unbounded => 2,
        }
    }
}
