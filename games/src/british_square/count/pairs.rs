//! Two sets of cells as one word, and its smallest image: what the counting pass sorts by.
//!
//! A turn changes one set at a time, and the counting pass keeps the turn elsewhere, so its words
//! are two sets of 32 bits each, or of 64 bits for boards of more cells. The images of either set
//! come from the tables of [`images`](super::images). The loops over small words have the same
//! three forms; those over large ones are plain, compiled for each kind of processor.

use crate::british_square::board::{Board, Cells};
#[cfg(target_arch = "x86_64")]
use crate::british_square::symmetry::x86;
use crate::british_square::symmetry::{Images, Kernel, Slices};
use bsq_engine::for_each_cpu;
use bsq_engine::levels::StateKey;

/// The images of sets of cells of one board.
#[derive(Clone, Debug)]
pub struct PairTable {
    kernel: Kernel,
    slices: Slices,
}

impl PairTable {
    /// The table of a board. Panics if the kernel is not [`available`](Kernel::available).
    pub fn new(board: &Board, kernel: Kernel) -> PairTable {
        // What makes the calls of the vector loops sound.
        assert!(Kernel::available().contains(&kernel), "this machine does not have {kernel:?}");
        PairTable { kernel, slices: Slices::new(board) }
    }

    /// A set of cells, seen from all sides, in the low bits.
    #[inline]
    pub fn set(&self, cells: Cells) -> Images {
        self.slices.set(cells)
    }
}

/// A word that holds two sets of cells.
pub trait PairKey: StateKey {
    /// The canonical words of one set, seen from all sides, as the mover's together with each of
    /// the others as the opponent's. `words` holds as many as there are sets. The cells of the
    /// table's board must fit.
    fn pair_each(table: &PairTable, own: &Images, opponent: &[Cells], words: &mut [Self]);
}

impl PairKey for u64 {
    fn pair_each(table: &PairTable, own: &Images, opponent: &[Cells], words: &mut [u64]) {
        match table.kernel {
            Kernel::Plain => pair_each_plain(own, &table.slices, opponent, words),
            // SAFETY: `PairTable::new` made sure that this machine has the kernel.
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

/// Bits by which the opponent's set is raised in a small word.
const SHIFT: usize = <u64 as StateKey>::SET_BITS;

for_each_cpu! {
    /// The opponent's set first: of its smallest images the one with the smallest of the mover's.
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
    /// The vectors compare as if the words had a sign: with the top bit turned over the order
    /// is that of words without one.
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
mod tests {
    use super::*;
    use crate::british_square::permute;
    use proptest::prelude::*;

    /// Every board of at most so many cells, the widest and the highest ones among them.
    fn board(most: usize) -> impl Strategy<Value = Board> {
        let boards: Vec<Board> = (1..=most)
            .flat_map(|rows| (1..=most / rows).map(move |cols| (rows, cols)))
            .map(|(rows, cols)| Board::new(rows, cols).unwrap())
            .collect();
        proptest::sample::select(boards)
    }

    fn agree<W: PairKey + std::fmt::Debug>(board: &Board, own: Cells, opponent: Vec<Cells>) {
        let (own, all) = (own & board.all(), board.all());
        let opponent = opponent.into_iter().map(|set| set & all).chain([0, all]);
        let opponent: Vec<Cells> = opponent.collect();
        let plainly = |opponent: &Cells| {
            let image = |p: &Vec<usize>| W::of(permute(*opponent, p), permute(own, p));
            board.symmetries().iter().map(image).min().unwrap()
        };
        let expected: Vec<W> = opponent.iter().map(plainly).collect();
        for kernel in Kernel::available() {
            let table = PairTable::new(board, kernel);
            let mut words = vec![W::default(); opponent.len()];
            W::pair_each(&table, &table.set(own), &opponent, &mut words);
            assert_eq!(words, expected, "{board} {kernel:?}");
        }
    }

    proptest! {
        #[test]
        fn small_words_agree_with_cell_by_cell_turning(
            board in board(u64::SET_BITS),
            own: u64,
            opponent in proptest::collection::vec(any::<u64>(), 0..5),
        ) {
            agree::<u64>(&board, own, opponent);
        }

        #[test]
        fn large_words_agree_with_cell_by_cell_turning(
            board in board(u128::SET_BITS),
            own: u64,
            opponent in proptest::collection::vec(any::<u64>(), 0..5),
        ) {
            agree::<u128>(&board, own, opponent);
        }
    }
}
