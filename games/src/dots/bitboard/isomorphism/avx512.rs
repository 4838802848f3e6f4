//! Labels of all boxes of a board at once, with AVX-512.

use super::{
    Bitboard, Board, Degrees, FACTOR, FOUR, Labels, MORE, OWN, OpenLines, ROUNDS, SHIFT, TWO,
};
use std::arch::x86_64::*;

/// The bits of a set of boxes.
const PLACES: usize = 32;

/// Words of 16 bits, one for each bit of a set of boxes.
type All = __m512i;

/// Whether the boxes of a board fit.
pub fn fits(board: &Board) -> bool {
    board.rows() * (board.cols() + 1) <= PLACES
}

/// The [signature](Bitboard::signature) of a position of a board that [fits](fits()).
#[target_feature(enable = "avx512bw")]
pub fn signature(bitboard: &Bitboard, open: OpenLines) -> u64 {
    let labels = refine(bitboard, open);
    let mixed = mix(labels);
    let one = quarter(_mm512_madd_epi16(labels, mixed));
    let two = quarter(_mm512_madd_epi16(mixed, mix(mixed)));
    let halves = _mm_hadd_epi32(two, one);
    _mm_cvtsi128_si64(_mm_hadd_epi32(halves, halves)) as u64
}

/// The labels of a position of a board that [fits](fits()).
#[target_feature(enable = "avx512bw")]
pub fn labels(bitboard: &Bitboard, open: OpenLines) -> Labels {
    let mut labels = [0; 72];
    labels[..PLACES].copy_from_slice(&store(refine(bitboard, open)));
    labels
}

#[inline]
#[target_feature(enable = "avx512bw")]
fn refine(bitboard: &Bitboard, open: OpenLines) -> All {
    let Degrees { two, more, four, .. } = bitboard.degrees(open);
    let mut labels = _mm512_maskz_set1_epi16(two as u32, TWO as i16);
    labels = _mm512_mask_set1_epi16(labels, more as u32, MORE as i16);
    labels = _mm512_mask_set1_epi16(labels, four as u32, (MORE ^ FOUR) as i16);
    // The boxes that are joined with the box above, below, on the left and on the right.
    let stride = bitboard.stride;
    let above = open.horizontal & bitboard.boxes & bitboard.boxes << stride;
    let left = open.vertical & bitboard.boxes & bitboard.boxes << 1;
    let joined = [above, above >> stride, left, left >> 1].map(|set| set as u32);
    // The places of these neighbours.
    let places = places();
    let (row, col) = (all(stride as u16), all(1));
    let places = [
        _mm512_sub_epi16(places, row),
        _mm512_add_epi16(places, row),
        _mm512_sub_epi16(places, col),
        _mm512_add_epi16(places, col),
    ];
    for _ in 0..ROUNDS {
        let mut sum = _mm512_mullo_epi16(labels, all(OWN));
        for side in 0..4 {
            let near = _mm512_maskz_permutexvar_epi16(joined[side], places[side], labels);
            sum = _mm512_add_epi16(sum, near);
        }
        labels = mix(sum);
    }
    labels
}

/// The number of each place.
#[inline]
#[target_feature(enable = "avx512bw")]
fn places() -> All {
    const WORDS: [u16; PLACES] = {
        let mut words = [0; PLACES];
        let mut place = 0;
        while place < PLACES {
            words[place] = place as u16;
            place += 1;
        }
        words
    };
    // SAFETY: 32 words of 16 bits are 512 bits, and need not be aligned.
    unsafe { _mm512_loadu_si512(WORDS.as_ptr().cast()) }
}

/// The same word for all places.
#[inline]
#[target_feature(enable = "avx512bw")]
fn all(word: u16) -> All {
    _mm512_set1_epi16(word as i16)
}

#[inline]
#[target_feature(enable = "avx512bw")]
fn mix(words: All) -> All {
    let words = _mm512_mullo_epi16(words, all(FACTOR));
    _mm512_xor_si512(words, _mm512_srli_epi16::<SHIFT>(words))
}

/// Adds four numbers of 32 bits at a time.
#[inline]
#[target_feature(enable = "avx512bw")]
fn quarter(words: All) -> __m128i {
    let half = _mm512_castsi512_si256(words);
    let half = _mm256_add_epi32(half, _mm512_extracti64x4_epi64::<1>(words));
    _mm_add_epi32(_mm256_castsi256_si128(half), _mm256_extracti128_si256::<1>(half))
}

#[inline]
#[target_feature(enable = "avx512bw")]
fn store(words: All) -> [u16; PLACES] {
    let mut stored = [0; PLACES];
    // SAFETY: 32 words of 16 bits are 512 bits, and need not be aligned.
    unsafe { _mm512_storeu_si512(stored.as_mut_ptr().cast(), words) };
    stored
}
