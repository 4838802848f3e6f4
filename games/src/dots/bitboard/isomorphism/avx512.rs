//! Labels of all boxes of a board at once, and the mapping that they determine, with AVX-512.

use super::{
    Bitboard, Board, Degrees, FACTOR, FOUR, Labels, MORE, MOST_PLACES, OWN, OpenLines, ROUNDS,
    SHIFT, TWO, lines_of,
};
use std::arch::x86_64::*;

/// The bits of a set of boxes.
const PLACES: usize = 32;

/// The label of the first boxes that are mapped.
const FIRST: u16 = 0x8001;
/// Rounds of refinement before the first and after each choice. With 6, 0.07% of the isomorphic
/// positions in the tests of 4x5 are not recognized, with 3, 1%.
const FAR: usize = 6;

/// Words of 16 bits, one for each bit of a set of boxes.
type All = __m512i;

/// Whether the boxes of a board fit.
pub fn fits(board: &Board) -> bool {
    board.rows() * (board.cols() + 1) <= PLACES
}

/// The [signature](Bitboard::signature) of a position of a board that [fits](fits()).
#[target_feature(enable = "avx512bw")]
pub fn signature(bitboard: &Bitboard, open: OpenLines) -> u64 {
    let graph = Graph::new(bitboard, open);
    let labels = graph.refine::<ROUNDS>(graph.degrees);
    let mixed = mix(labels);
    let one = quarter(_mm512_madd_epi16(labels, mixed));
    let two = quarter(_mm512_madd_epi16(mixed, mix(mixed)));
    let halves = _mm_hadd_epi32(two, one);
    _mm_cvtsi128_si64(_mm_hadd_epi32(halves, halves)) as u64
}

/// The labels of a position of a board that [fits](fits()).
#[target_feature(enable = "avx512bw")]
pub fn labels(bitboard: &Bitboard, open: OpenLines) -> Labels {
    let graph = Graph::new(bitboard, open);
    let mut labels = [0; MOST_PLACES];
    labels[..PLACES].copy_from_slice(&store(graph.refine::<ROUNDS>(graph.degrees)));
    labels
}

/// Whether a mapping of the boxes of one position of a board that [fits](fits()) to those of another
/// with as many boxes is found that preserves the graph.
///
/// If labels are unique, they determine the mapping. Otherwise one of several boxes with the same
/// label is mapped to any box of the other position with that label, both get a new label, and labels
/// are refined again (individualisation and refinement). No choice is revised.
#[target_feature(enable = "avx512bw")]
pub fn isomorphic(bitboard: &Bitboard, one: OpenLines, other: OpenLines) -> bool {
    let [one, other] = [one, other].map(|open| Graph::new(bitboard, open));
    let mut labels = one.refine::<FAR>(one.degrees);
    let mut other_labels = other.refine::<FAR>(other.degrees);
    for choices in 0..PLACES as u16 {
        // The image of each box, and two boxes that are to be mapped.
        let (words, mut images) = (store(labels), [0; PLACES]);
        let (mut used, mut choice) = (0, None);
        for place in lines_of(one.boxes) {
            let found = _mm512_mask_cmpeq_epi16_mask(other.boxes, other_labels, all(words[place]));
            let image = found.trailing_zeros();
            images[place] = image as u16;
            used |= found;
            if found.count_ones() > 1 {
                // Identical positions are mapped to themselves.
                let itself = 1 << place;
                choice = Some((itself, if found & itself != 0 { itself } else { 1 << image }));
            }
        }
        if used != other.boxes {
            return false;
        }
        let Some((place, image)) = choice else {
            return one.is_mapped_by(&images, labels, &other, other_labels);
        };
        let label = all(FIRST.wrapping_add(choices));
        labels = one.refine::<FAR>(_mm512_mask_mov_epi16(labels, place, label));
        other_labels = other.refine::<FAR>(_mm512_mask_mov_epi16(other_labels, image, label));
    }
    false
}

/// The graph of a position.
struct Graph {
    boxes: u32,
    /// A word for each degree.
    degrees: All,
    /// The boxes that are joined with the box above, below, on the left and on the right.
    joined: [u32; 4],
    /// The places of these neighbours.
    places: [All; 4],
}

impl Graph {
    #[inline]
    #[target_feature(enable = "avx512bw")]
    fn new(bitboard: &Bitboard, open: OpenLines) -> Graph {
        let Degrees { two, more, four, .. } = bitboard.degrees(open);
        let mut degrees = _mm512_maskz_set1_epi16(two as u32, TWO as i16);
        degrees = _mm512_mask_set1_epi16(degrees, more as u32, MORE as i16);
        degrees = _mm512_mask_set1_epi16(degrees, four as u32, (MORE ^ FOUR) as i16);
        let stride = bitboard.stride;
        let [above, left] = bitboard.joined(open);
        let (places, row, col) = (load(&NUMBERS), all(stride as u16), all(1));
        Graph {
            boxes: (two | more) as u32,
            degrees,
            joined: [above, above >> stride, left, left >> 1].map(|set| set as u32),
            places: [
                _mm512_sub_epi16(places, row),
                _mm512_add_epi16(places, row),
                _mm512_sub_epi16(places, col),
                _mm512_add_epi16(places, col),
            ],
        }
    }

    /// Refines the labels of boxes by those of their neighbours.
    #[inline]
    #[target_feature(enable = "avx512bw")]
    fn refine<const TIMES: usize>(&self, mut labels: All) -> All {
        for _ in 0..TIMES {
            let own = _mm512_mullo_epi16(labels, all(OWN));
            let [a, b, c, d] = self.near(labels);
            let near = _mm512_add_epi16(_mm512_add_epi16(a, b), _mm512_add_epi16(c, d));
            labels = mix(_mm512_add_epi16(own, near));
        }
        labels
    }

    /// Whether a mapping of boxes with unique labels preserves degrees, and the labels of neighbours.
    #[inline]
    #[target_feature(enable = "avx512bw")]
    fn is_mapped_by(
        &self,
        images: &[u16; PLACES],
        labels: All,
        other: &Graph,
        other_labels: All,
    ) -> bool {
        let images = load(images);
        let differ = |one, other| {
            let other = _mm512_permutexvar_epi16(images, other);
            _mm512_mask_cmpneq_epi16_mask(self.boxes, one, other)
        };
        let mut different = differ(self.degrees, other.degrees);
        let (near, other_near) = (sorted(self.near(labels)), sorted(other.near(other_labels)));
        for (near, other_near) in near.into_iter().zip(other_near) {
            different |= differ(near, other_near);
        }
        different == 0
    }

    /// The labels of the neighbours on each side.
    #[inline]
    #[target_feature(enable = "avx512bw")]
    fn near(&self, labels: All) -> [All; 4] {
        std::array::from_fn(|side| {
            _mm512_maskz_permutexvar_epi16(self.joined[side], self.places[side], labels)
        })
    }
}

/// Sorts the words of each place.
#[inline]
#[target_feature(enable = "avx512bw")]
fn sorted(mut words: [All; 4]) -> [All; 4] {
    for [a, b] in [[0, 1], [2, 3], [0, 2], [1, 3], [1, 2]] {
        let (one, other) = (words[a], words[b]);
        words[a] = _mm512_min_epu16(one, other);
        words[b] = _mm512_max_epu16(one, other);
    }
    words
}

/// The number of each place.
const NUMBERS: [u16; PLACES] = {
    let mut numbers = [0; PLACES];
    let mut place = 0;
    while place < PLACES {
        numbers[place] = place as u16;
        place += 1;
    }
    numbers
};

#[inline]
#[target_feature(enable = "avx512bw")]
fn load(words: &[u16; PLACES]) -> All {
    // SAFETY: 32 words of 16 bits are 512 bits, and need not be aligned.
    unsafe { _mm512_loadu_si512(words.as_ptr().cast()) }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dots::search::Captures;
    use proptest::prelude::*;

    /// Whether boxes have the same degree and the same neighbours in two positions.
    fn is_same(bitboard: &Bitboard, one: OpenLines, other: OpenLines) -> bool {
        let degrees = [one, other].map(|open| bitboard.degrees(open));
        let near = |open, place| bitboard.near(open, place) & bitboard.boxes_at(one);
        degrees[0] == degrees[1]
            && lines_of(bitboard.boxes_at(one)).all(|place| near(one, place) == near(other, place))
    }

    proptest! {
        /// Maps each box to itself.
        #[test]
        fn a_mapping_of_other_graphs_is_rejected(drawn: [u64; 3], lines in 0..3_u32) {
            let board = Board::new(4, 5).unwrap();
            let bitboard = Bitboard::new(board);
            let one = Captures::new(&bitboard, bitboard.open(drawn[0] & drawn[1] & board.all())).open;
            let changed = (0..lines).fold(0, |set, i| set | 1 << (drawn[2] >> (6 * i) & 63));
            let other = bitboard.open(bitboard.drawn(one) ^ (changed & board.all()));
            let degrees = [one, other].map(|open| bitboard.degrees(open));
            let [boxes, other_boxes] = degrees.map(|degrees| degrees.two | degrees.more);
            let is_supported = is_x86_feature_detected!("avx512bw");
            if !is_supported || boxes != other_boxes || degrees[1].one != 0 {
                return Ok(());
            }
            // SAFETY: this machine supports the instructions.
            let found = unsafe {
                let [graph, other] = [one, other].map(|open| Graph::new(&bitboard, open));
                let labels = load(&NUMBERS.map(|number| number + 1));
                graph.is_mapped_by(&NUMBERS, labels, &other, labels)
            };
            prop_assert_eq!(found, is_same(&bitboard, one, other));
        }
    }
}
