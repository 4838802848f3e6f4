//! Canonical pairs of sets of cells, the keys of the breadth-first count.
//!
//! The count processes one turn at a time, so its keys do not contain the turn: a key is two sets
//! of 32 bits, or of 64 bits on larger boards. The images of each set come from the tables of
//! [`symmetry`](crate::british_square::symmetry). The loops over 64-bit keys exist in the same
//! three versions; those over 128-bit keys are scalar code compiled for several instruction sets.

use crate::british_square::board::{Board, Cells};
#[cfg(target_arch = "x86_64")]
use crate::british_square::symmetry::x86;
use crate::british_square::symmetry::{Images, Kernel, Slices};
use bsq_engine::for_each_cpu;
use bsq_engine::levels::StateKey;

/// The tables of one board: images of sets of cells.
#[derive(Clone, Debug)]
pub struct PairTable {
    kernel: Kernel,
    slices: Slices,
}

impl PairTable {
    /// Builds the tables of a board.
    ///
    /// # Panics
    ///
    /// Panics if the kernel is not [`available`](Kernel::available).
    pub fn new(board: &Board, kernel: Kernel) -> PairTable {
        // The calls of the vector loops rely on this.
        assert!(Kernel::available().contains(&kernel), "this machine does not have {kernel:?}");
        PairTable { kernel, slices: Slices::new(board) }
    }

    /// The images of a set of cells, in the low bits.
    #[inline]
    pub fn set(&self, cells: Cells) -> Images {
        self.slices.set(cells)
    }
}

/// A key that consists of two sets of cells.
pub trait PairKey: StateKey {
    /// Writes the canonical keys of pairs: `own`, given by its images, is the mover's set, and each
    /// element of `opponent` the opponent's. `words` has the length of `opponent`. The cells of the
    /// table's board must fit the key.
    fn pair_each(table: &PairTable, own: &Images, opponent: &[Cells], words: &mut [Self]);
}

impl PairKey for u64 {
    fn pair_each(table: &PairTable, own: &Images, opponent: &[Cells], words: &mut [u64]) {
        match table.kernel {
            Kernel::Plain => pair_each_plain(own, &table.slices, opponent, words),
            // SAFETY: `PairTable::new` checked that this machine supports the kernel.
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2 => unsafe { pair_each_avx2(own, &table.slices, opponent, words) },
            // SAFETY: likewise.
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512 => unsafe { pair_each_avx512(own, &table.slices, opponent, words) },
        }
    }
}

impl PairKey for u128 {
    fn pair_each(table: &PairTable, own: &Images, opponent: &[Cells], words: &mut [u128]) {
        pair_each_wide(own, &table.slices, opponent, words);
    }
}

/// The lowest bit of the opponent's set in a 64-bit key.
const SHIFT: usize = <u64 as StateKey>::SET_BITS;

for_each_cpu! {
    // The opponent's set is the high half: among its smallest images, take the smallest of the
    // mover's.
    fn pair_each_wide(own: &Images, slices: &Slices, opponent: &[Cells], words: &mut [u128]) {
        for (word, &set) in words.iter_mut().zip(opponent) {
            let set = slices.set(set);
            let least = set.smallest();
            let mut lanes = *own;
            for (lane, &image) in lanes.0.iter_mut().zip(&set.0) {
                *lane |= if image == least { 0 } else { Cells::MAX };
            }
            *word = u128::of(least, lanes.smallest());
        }
    }
}

fn pair_each_plain(low: &Images, slices: &Slices, high: &[Cells], words: &mut [u64]) {
    for (word, &set) in words.iter_mut().zip(high) {
        let raised = Images(slices.set(set).0.map(|image| image << SHIFT));
        *word = low.plus(&raised).smallest();
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn pair_each_avx2(low: &Images, slices: &Slices, high: &[Cells], words: &mut [u64]) {
    use std::arch::x86_64::_mm256_slli_epi64;
    const BY: i32 = SHIFT as i32;
    /// AVX2 compares signed integers. Flipping the top bits gives the unsigned order.
    const TOP: u64 = 1 << 63;
    let low = x86::load_avx2(&Images(low.0.map(|word| word ^ TOP)));
    for (word, &set) in words.iter_mut().zip(high) {
        let mut sum = x86::load_avx2(&Images::EMPTY);
        for slice in slices.of(set) {
            sum = x86::plus_avx2(sum, x86::load_avx2(slice));
        }
        let raised = x86::Pair(_mm256_slli_epi64::<BY>(sum.0), _mm256_slli_epi64::<BY>(sum.1));
        *word = x86::smallest_avx2(x86::plus_avx2(low, raised)) ^ TOP;
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vl")]
fn pair_each_avx512(low: &Images, slices: &Slices, high: &[Cells], words: &mut [u64]) {
    use std::arch::x86_64::{_mm512_add_epi64, _mm512_setzero_si512, _mm512_slli_epi64};
    let low = x86::load_avx512(low);
    for (word, &set) in words.iter_mut().zip(high) {
        let mut sum = _mm512_setzero_si512();
        for slice in slices.of(set) {
            sum = _mm512_add_epi64(sum, x86::load_avx512(slice));
        }
        let raised = _mm512_slli_epi64::<{ SHIFT as u32 }>(sum);
        *word = x86::smallest_avx512(_mm512_add_epi64(low, raised));
    }
}

#[cfg(test)]
mod tests;
