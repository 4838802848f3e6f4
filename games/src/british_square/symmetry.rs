//! Incremental canonical forms: all symmetric images of a position, updated together.
//!
//! A position of up to 25 cells fits a 64-bit word: the first player's cells in bits 0 to 24, the
//! second player's in bits 25 to 49, the turn above them. [`Images`] holds eight such words, the
//! images of a position under the symmetries of the board. Placing a piece adds the eight images of
//! the piece, a constant vector, and the smallest of the eight words is the canonical one. No
//! permutation is applied during the search.
//!
//! The breadth-first count uses different words, without a turn; see
//! [`pairs`](super::count::pairs).
//!
//! The loops exist in three versions, scalar, AVX2 and AVX-512, selected at run time and tested
//! against each other. Of this game's files, only this one and `count/pairs.rs` contain `unsafe`.

use super::board::{Board, Cells, cells_of};

/// Bits of a set of cells in a word: the largest board, in cells.
pub const SET_BITS: usize = 25;
/// The lowest bit of the turn in a word.
pub const TURN_SHIFT: usize = 2 * SET_BITS;
/// One turn, in a word.
pub const ONE_TURN: u64 = 1 << TURN_SHIFT;
/// The bits of a set of cells in a word, unshifted.
pub const SET_MASK: u64 = (1 << SET_BITS) - 1;
/// The number of images of a position, one for each symmetry of a square. Boards with fewer
/// symmetries repeat theirs.
pub(super) const LANES: usize = 8;
/// The number of cells whose images are read from the table at once.
const SLICE_BITS: usize = 5;

/// The images of a position or a piece under each symmetry, the identity first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Images(pub [u64; LANES]);

impl Images {
    /// The images of the empty board, at turn 0.
    pub const EMPTY: Images = Images([0; LANES]);

    /// The position itself: the image under the identity.
    #[inline]
    pub fn word(&self) -> u64 {
        self.0[0]
    }

    /// The sums of corresponding words; the union, where no bit is set in both.
    #[inline]
    pub fn plus(&self, other: &Images) -> Images {
        let mut sum = *self;
        for (lane, &more) in sum.0.iter_mut().zip(&other.0) {
            *lane += more;
        }
        sum
    }

    /// The smallest word: the canonical position.
    #[inline]
    pub fn smallest(&self) -> u64 {
        let [a, b, c, d, e, f, g, h] = self.0;
        a.min(b).min(c.min(d)).min(e.min(f).min(g.min(h)))
    }
}

/// The output of [`ImageTable::place_each`].
pub struct Placements<'a> {
    /// The canonical words of the positions.
    pub words: &'a mut [u64],
    /// The cells, each added to the tag; of the same length as `words`.
    pub cells: &'a mut [u16],
    /// A number whose low 8 bits are 0, for the caller's use.
    pub tag: u16,
}

impl<'a> Placements<'a> {
    #[inline(always)]
    fn each(self, cells: Cells) -> impl Iterator<Item = ((&'a mut u64, &'a mut u16), usize)> {
        self.words.iter_mut().zip(self.cells.iter_mut()).zip(cells_of(cells))
    }
}

/// The instruction set of the loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kernel {
    /// Scalar instructions.
    Plain,
    /// 256-bit vectors.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// 512-bit vectors.
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Kernel {
    /// The kernels that this machine supports, slowest first.
    pub fn available() -> Vec<Kernel> {
        #[cfg_attr(not(target_arch = "x86_64"), expect(unused_mut))]
        let mut kernels = vec![Kernel::Plain];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi1") {
                kernels.push(Kernel::Avx2);
            }
            if is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("bmi1")
            {
                kernels.push(Kernel::Avx512);
            }
        }
        kernels
    }

    /// The fastest kernel that this machine supports.
    pub fn best() -> Kernel {
        Kernel::available().pop().unwrap_or(Kernel::Plain)
    }
}

/// One of the two sets of cells in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Half {
    /// Bits 0 to 24.
    Low = 0,
    /// Bits 25 to 49.
    High = 1,
}

/// The images of the sets of cells within each slice of five cells, in the low half of a word.
#[derive(Clone, Debug)]
pub(super) struct Slices(Vec<[Images; 1 << SLICE_BITS]>);

impl Slices {
    /// Builds the slices of a board.
    pub fn new(board: &Board) -> Slices {
        let symmetries = board.symmetries();
        let mut slices = vec![[Images::EMPTY; 1 << SLICE_BITS]; board.cells().div_ceil(SLICE_BITS)];
        for cell in 0..board.cells() {
            let piece = piece(&symmetries, cell);
            for (value, images) in slices[cell / SLICE_BITS].iter_mut().enumerate() {
                if value >> (cell % SLICE_BITS) & 1 == 1 {
                    *images = images.plus(&piece);
                }
            }
        }
        Slices(slices)
    }

    /// The entries whose sum is the images of a set of cells.
    #[inline(always)]
    pub fn of(&self, cells: Cells) -> impl Iterator<Item = &Images> {
        let slices = self.0.iter().enumerate();
        slices.map(move |(i, slice)| {
            &slice[(cells >> (i * SLICE_BITS)) as usize & ((1 << SLICE_BITS) - 1)]
        })
    }

    /// The images of a set of cells.
    #[inline]
    pub fn set(&self, cells: Cells) -> Images {
        self.of(cells).fold(Images::EMPTY, |sum, slice| sum.plus(slice))
    }
}

/// The images of a piece.
fn piece(symmetries: &[Vec<usize>], cell: usize) -> Images {
    let image = |lane: usize| 1 << symmetries[lane % symmetries.len()][cell];
    Images(std::array::from_fn(image))
}

/// The tables of one board: images of pieces and of slices of five cells.
#[derive(Clone, Debug)]
pub struct ImageTable {
    kernel: Kernel,
    /// For each half and cell, the images of a piece plus one turn.
    moves: [[Images; SET_BITS]; 2],
    slices: Slices,
}

/// The images of a pass: one turn without a piece.
pub const PASS: Images = Images([ONE_TURN; LANES]);

impl ImageTable {
    /// Builds the tables of a board.
    ///
    /// # Panics
    ///
    /// Panics if the board has more than [`SET_BITS`] cells or the kernel is not
    /// [`available`](Kernel::available).
    pub fn new(board: &Board, kernel: Kernel) -> ImageTable {
        assert!(board.cells() <= SET_BITS, "{board} does not fit a word");
        // The calls of the vector loops rely on this.
        assert!(Kernel::available().contains(&kernel), "this machine does not have {kernel:?}");
        let symmetries = board.symmetries();
        let mut moves = [[Images::EMPTY; SET_BITS]; 2];
        let [low, high] = &mut moves;
        for (cell, (low, high)) in low.iter_mut().zip(high).take(board.cells()).enumerate() {
            let piece = piece(&symmetries, cell);
            *low = piece.plus(&PASS);
            *high = Images(piece.0.map(|word| word << SET_BITS)).plus(&PASS);
        }
        let slices = Slices::new(board);
        ImageTable { kernel, moves, slices }
    }

    /// The images of a set of cells in one half.
    #[inline]
    pub fn set(&self, cells: Cells, half: Half) -> Images {
        let images = self.slices.set(cells);
        match half {
            Half::Low => images,
            Half::High => Images(images.0.map(|word| word << SET_BITS)),
        }
    }

    /// The images of the position after placing a piece on `cell`.
    #[inline]
    pub fn place(&self, images: &Images, half: Half, cell: usize) -> Images {
        images.plus(&self.moves[half as usize][cell])
    }

    /// Writes the cells of a set, lowest first, and the canonical words of the positions after
    /// placing a piece on each. The slices of `places` have as many elements as the set.
    #[inline]
    pub fn place_each(&self, images: &Images, half: Half, cells: Cells, places: Placements) {
        let moves = &self.moves[half as usize];
        debug_assert!(cells <= SET_MASK && places.words.len() == cells.count_ones() as usize);
        match self.kernel {
            Kernel::Plain => place_each_plain(images, moves, cells, places),
            // SAFETY: `new` checked that this machine supports the kernel.
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2 => unsafe { x86::place_each_avx2(images, moves, cells, places) },
            // SAFETY: likewise.
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512 => unsafe { x86::place_each_avx512(images, moves, cells, places) },
        }
    }
}

type Moves = [Images; SET_BITS];

fn place_each_plain(images: &Images, moves: &Moves, cells: Cells, places: Placements) {
    let tag = places.tag;
    for ((word, number), cell) in places.each(cells) {
        *word = images.plus(&moves[cell]).smallest();
        *number = tag | cell as u16;
    }
}

#[cfg(target_arch = "x86_64")]
pub(super) mod x86 {
    use super::*;
    use std::arch::x86_64::*;

    /// Two vectors of four words.
    #[derive(Clone, Copy)]
    pub struct Pair(pub __m256i, pub __m256i);

    #[inline]
    #[target_feature(enable = "avx2")]
    pub fn load_avx2(images: &Images) -> Pair {
        let start = images.0.as_ptr().cast::<__m256i>();
        // SAFETY: `Images` is eight words aligned to 64 bytes: two aligned vectors.
        unsafe { Pair(_mm256_load_si256(start), _mm256_load_si256(start.add(1))) }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub fn plus_avx2(a: Pair, b: Pair) -> Pair {
        Pair(_mm256_add_epi64(a.0, b.0), _mm256_add_epi64(a.1, b.1))
    }

    /// Words stay below 2^63, so a signed comparison orders them.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub fn smallest_avx2(images: Pair) -> u64 {
        let least = |a, b| _mm256_blendv_epi8(a, b, _mm256_cmpgt_epi64(a, b));
        let four = least(images.0, images.1);
        let two = least(four, _mm256_permute4x64_epi64::<0b0100_1110>(four));
        let one = least(two, _mm256_permute4x64_epi64::<0b1011_0001>(two));
        _mm_cvtsi128_si64(_mm256_castsi256_si128(one)) as u64
    }

    #[target_feature(enable = "avx2,bmi1")]
    pub fn place_each_avx2(images: &Images, moves: &Moves, cells: Cells, places: Placements) {
        let (images, tag) = (load_avx2(images), places.tag);
        for ((word, number), cell) in places.each(cells) {
            *word = smallest_avx2(plus_avx2(images, load_avx2(&moves[cell])));
            *number = tag | cell as u16;
        }
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    pub fn load_avx512(images: &Images) -> __m512i {
        // SAFETY: `Images` is eight words aligned to 64 bytes: one aligned vector.
        unsafe { _mm512_load_si512(images.0.as_ptr().cast::<__m512i>()) }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512vl")]
    pub fn smallest_avx512(images: __m512i) -> u64 {
        let upper = _mm512_extracti64x4_epi64::<1>(images);
        let four = _mm256_min_epu64(_mm512_castsi512_si256(images), upper);
        let upper = _mm256_extracti128_si256::<1>(four);
        let two = _mm_min_epu64(_mm256_castsi256_si128(four), upper);
        let one = _mm_min_epu64(two, _mm_unpackhi_epi64(two, two));
        _mm_cvtsi128_si64(one) as u64
    }

    #[target_feature(enable = "avx512f,avx512vl,bmi1")]
    pub fn place_each_avx512(images: &Images, moves: &Moves, cells: Cells, places: Placements) {
        let (images, tag) = (load_avx512(images), places.tag);
        for ((word, number), cell) in places.each(cells) {
            *word = smallest_avx512(_mm512_add_epi64(images, load_avx512(&moves[cell])));
            *number = tag | cell as u16;
        }
    }
}

#[cfg(test)]
mod tests;
