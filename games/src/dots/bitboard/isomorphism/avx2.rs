//! Labels of boxes, computed a row at a time with AVX2.

use super::{
    Bitboard, Board, Degrees, FACTOR, FOUR, Labels, MORE, MOST_PLACES, OWN, OpenLines, ROUNDS,
    SHIFT, TWO,
};
use std::arch::x86_64::*;

/// The largest number of rows.
const MOST_ROWS: usize = 5;
/// The number of boxes in a row.
const COLS: usize = 8;

/// Words of 16 bits, one for each box.
type Row = __m128i;

/// Whether a board has few enough rows and columns.
pub fn fits(board: &Board) -> bool {
    board.rows() <= MOST_ROWS && board.cols() <= COLS
}

/// The [signature](Bitboard::signature) of a position of a board that [fits](fits()).
#[target_feature(enable = "avx2")]
pub fn signature(bitboard: &Bitboard, open: OpenLines) -> u64 {
    match bitboard.board.rows() {
        ..=3 => sums(refine::<3>(bitboard, open)),
        4 => sums(refine::<4>(bitboard, open)),
        _ => sums(refine::<MOST_ROWS>(bitboard, open)),
    }
}

/// The labels of a position of a board that [fits](fits()).
#[target_feature(enable = "avx2")]
pub fn labels(bitboard: &Bitboard, open: OpenLines) -> Labels {
    match bitboard.board.rows() {
        ..=3 => by_place(bitboard, refine::<3>(bitboard, open)),
        4 => by_place(bitboard, refine::<4>(bitboard, open)),
        _ => by_place(bitboard, refine::<MOST_ROWS>(bitboard, open)),
    }
}

/// Computes the labels of each row.
#[inline]
#[target_feature(enable = "avx2")]
fn refine<const ROWS: usize>(bitboard: &Bitboard, open: OpenLines) -> [Row; ROWS] {
    let rows = |set| rows::<ROWS>(bitboard.stride, set);
    let Degrees { two, more, four, .. } = bitboard.degrees(open);
    let (two, more, four) = (rows(two), rows(more), rows(four));
    // The boxes that are joined with the box above, on the left or on the right.
    let [above, left] = bitboard.joined(open);
    let (above, left, right) = (rows(above), rows(left), rows(left >> 1));
    let mut labels = [_mm_setzero_si128(); ROWS];
    for r in 0..ROWS {
        let first =
            _mm_or_si128(_mm_and_si128(two[r], all(TWO)), _mm_and_si128(more[r], all(MORE)));
        labels[r] = _mm_xor_si128(first, _mm_and_si128(four[r], all(FOUR)));
    }
    for _ in 0..ROUNDS {
        let last = labels;
        for r in 0..ROWS {
            let (from_left, from_right) =
                (_mm_slli_si128::<2>(last[r]), _mm_srli_si128::<2>(last[r]));
            let mut sum = _mm_mullo_epi16(last[r], all(OWN));
            sum = _mm_add_epi16(sum, _mm_and_si128(from_left, left[r]));
            sum = _mm_add_epi16(sum, _mm_and_si128(from_right, right[r]));
            if r > 0 {
                sum = _mm_add_epi16(sum, _mm_and_si128(last[r - 1], above[r]));
            }
            if r + 1 < ROWS {
                sum = _mm_add_epi16(sum, _mm_and_si128(last[r + 1], above[r + 1]));
            }
            labels[r] = mix(sum);
        }
    }
    labels
}

/// Words of ones for the boxes of a set, and zeros for the others.
#[inline]
#[target_feature(enable = "avx2")]
fn rows<const ROWS: usize>(stride: usize, set: u64) -> [Row; ROWS] {
    // A row takes one more bit than it has boxes.
    let cols = (1 << (stride - 1)) - 1;
    let boxes = _mm_setr_epi16(1, 1 << 1, 1 << 2, 1 << 3, 1 << 4, 1 << 5, 1 << 6, 1 << 7);
    std::array::from_fn(|r| {
        let row = all((set >> (r * stride)) as u16 & cols);
        _mm_cmpeq_epi16(_mm_and_si128(row, boxes), boxes)
    })
}

/// The same word for all boxes.
#[inline]
#[target_feature(enable = "avx2")]
fn all(word: u16) -> Row {
    _mm_set1_epi16(word as i16)
}

#[inline]
#[target_feature(enable = "avx2")]
fn mix(row: Row) -> Row {
    let row = _mm_mullo_epi16(row, all(FACTOR));
    _mm_xor_si128(row, _mm_srli_epi16::<{ SHIFT as i32 }>(row))
}

#[inline]
#[target_feature(enable = "avx2")]
fn sums<const ROWS: usize>(labels: [Row; ROWS]) -> u64 {
    let (mut one, mut two) = (_mm_setzero_si128(), _mm_setzero_si128());
    for row in labels {
        let mixed = mix(row);
        one = _mm_add_epi32(one, _mm_madd_epi16(row, mixed));
        two = _mm_add_epi32(two, _mm_madd_epi16(mixed, mix(mixed)));
    }
    let halves = _mm_hadd_epi32(two, one);
    _mm_cvtsi128_si64(_mm_hadd_epi32(halves, halves)) as u64
}

#[inline]
#[target_feature(enable = "avx2")]
fn by_place<const ROWS: usize>(bitboard: &Bitboard, rows: [Row; ROWS]) -> Labels {
    let mut labels = [0; MOST_PLACES];
    for (r, row) in rows.into_iter().enumerate() {
        labels[r * bitboard.stride..][..COLS].copy_from_slice(&store(row));
    }
    labels
}

#[inline]
#[target_feature(enable = "avx2")]
fn store(row: Row) -> [u16; COLS] {
    let mut words = [0; COLS];
    // SAFETY: `words` has 128 bits, and the store does not require alignment.
    unsafe { _mm_storeu_si128(words.as_mut_ptr().cast(), row) };
    words
}
