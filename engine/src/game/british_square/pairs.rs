//! Two sets of cells as one word, and its smallest image: what the counting pass sorts by.
//!
//! A turn changes one set at a time, and the counting pass keeps the turn elsewhere, so its words
//! are two sets of 32 bits: boards of up to 32 cells. The images of either set come from the
//! tables of [`images`](super::images); the loops have the same three forms.

use super::board::Board;
#[cfg(target_arch = "x86_64")]
use super::images::x86;
use super::images::{Images, Kernel, Slices};

/// Bits of a set: the most cells that a board can have here.
pub const PAIR_BITS: usize = 32;

/// The images of sets of cells of one board.
#[derive(Clone, Debug)]
pub struct PairTable {
    kernel: Kernel,
    slices: Slices,
}

impl PairTable {
    /// The table of a board of at most [`PAIR_BITS`] cells. Panics if the board is larger or the
    /// kernel is not [`available`](Kernel::available).
    pub fn new(board: &Board, kernel: Kernel) -> PairTable {
        assert!(board.cells() <= PAIR_BITS, "two sets of cells of {board} do not fit a word");
        // What makes the calls of the vector loops sound.
        assert!(Kernel::available().contains(&kernel), "this machine does not have {kernel:?}");
        PairTable { kernel, slices: Slices::new(board) }
    }

    /// A set of cells, seen from all sides, in the low half of the words.
    #[inline]
    pub fn set(&self, cells: u32) -> Images {
        self.slices.set(cells.into())
    }

    /// The canonical words of one set in the low half together with each of the others in the
    /// high half. `words` holds as many as there are sets.
    pub fn pair_each(&self, low: &Images, high: &[u32], words: &mut [u64]) {
        match self.kernel {
            Kernel::Plain => pair_each_plain(low, &self.slices, high, words),
            // SAFETY: `new` made sure that this machine has the kernel.
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2 => unsafe { pair_each_avx2(low, &self.slices, high, words) },
            // SAFETY: likewise.
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512 => unsafe { pair_each_avx512(low, &self.slices, high, words) },
        }
    }
}

fn pair_each_plain(low: &Images, slices: &Slices, high: &[u32], words: &mut [u64]) {
    for (word, &set) in words.iter_mut().zip(high) {
        let raised = Images(slices.set(set.into()).0.map(|image| image << PAIR_BITS));
        *word = low.plus(&raised).smallest();
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn pair_each_avx2(low: &Images, slices: &Slices, high: &[u32], words: &mut [u64]) {
    use std::arch::x86_64::_mm256_slli_epi64;
    const SHIFT: i32 = PAIR_BITS as i32;
    /// The vectors compare as if the words had a sign: with the top bit turned over the order
    /// is that of words without one.
    const TOP: u64 = 1 << 63;
    let low = x86::load_avx2(&Images(low.0.map(|word| word ^ TOP)));
    for (word, &set) in words.iter_mut().zip(high) {
        let mut sum = x86::load_avx2(&Images::EMPTY);
        for slice in slices.of(set.into()) {
            sum = x86::plus_avx2(sum, x86::load_avx2(slice));
        }
        let raised =
            x86::Pair(_mm256_slli_epi64::<SHIFT>(sum.0), _mm256_slli_epi64::<SHIFT>(sum.1));
        *word = x86::smallest_avx2(x86::plus_avx2(low, raised)) ^ TOP;
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vl")]
fn pair_each_avx512(low: &Images, slices: &Slices, high: &[u32], words: &mut [u64]) {
    use std::arch::x86_64::{_mm512_add_epi64, _mm512_setzero_si512, _mm512_slli_epi64};
    let low = x86::load_avx512(low);
    for (word, &set) in words.iter_mut().zip(high) {
        let mut sum = _mm512_setzero_si512();
        for slice in slices.of(set.into()) {
            sum = _mm512_add_epi64(sum, x86::load_avx512(slice));
        }
        let raised = _mm512_slli_epi64::<{ PAIR_BITS as u32 }>(sum);
        *word = x86::smallest_avx512(_mm512_add_epi64(low, raised));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::british_square::permute;
    use proptest::prelude::*;

    /// Every board that fits, the widest and the highest ones among them.
    fn board() -> impl Strategy<Value = Board> {
        let boards: Vec<Board> = (1..=PAIR_BITS)
            .flat_map(|rows| (1..=PAIR_BITS / rows).map(move |cols| (rows, cols)))
            .map(|(rows, cols)| Board::new(rows, cols).unwrap())
            .collect();
        proptest::sample::select(boards)
    }

    proptest! {
        #[test]
        fn kernels_agree_with_cell_by_cell_turning(
            board in board(),
            low: u32,
            high in proptest::collection::vec(any::<u32>(), 0..5),
        ) {
            let all = board.all() as u32;
            let (low, high) = (low & all, high.into_iter().map(|set| set & all));
            let high: Vec<u32> = high.chain([0, all]).collect();
            let plainly = |high: &u32| {
                let image = |p: &Vec<usize>| {
                    permute(u64::from(*high), p) << PAIR_BITS | permute(low.into(), p)
                };
                board.symmetries().iter().map(image).min().unwrap()
            };
            let expected: Vec<u64> = high.iter().map(plainly).collect();
            for kernel in Kernel::available() {
                let table = PairTable::new(&board, kernel);
                let mut words = vec![0; high.len()];
                table.pair_each(&table.set(low), &high, &mut words);
                prop_assert_eq!(&words, &expected, "{} {:?}", board, kernel);
            }
        }
    }
}
