//! Subsets of a small set, and their ranks.
//!
//! A subset is a word with a bit for each element. Subsets of one size are ordered as numbers,
//! which is the colexicographic order: the rank of a subset with the elements `a < b < c < ...` is
//! `C(a, 1) + C(b, 2) + C(c, 3) + ...` (combinatorial number system).

use crate::british_square::limits::MAX_SOLVED_CELLS;
use crate::british_square::orbits::binomial;

/// The number of bits whose contribution to a rank is read from a table at once.
const SLICE: u32 = 9;
/// The position of the number of elements in an entry, above the rank.
const NUMBER: u32 = 24;
// Ranks are below C(25, 12). Entries of larger elements are never read.
const _: () = assert!(MAX_SOLVED_CELLS == 25 && 5_200_300 < 1 << NUMBER);

/// The subsets of a set of `all` elements that have `size` elements, in increasing order.
pub fn subsets(all: u32, size: u32) -> impl Iterator<Item = u32> {
    let first = (size <= all).then_some((1 << size) - 1);
    std::iter::successors(first, move |&subset: &u32| {
        if size == 0 {
            return None;
        }
        // The lowest run of elements gives one to the place above it, and the others return to the
        // bottom (Gosper's hack).
        let lowest = subset & subset.wrapping_neg();
        let raised = subset + lowest;
        let next = raised | (raised ^ subset) >> (2 + lowest.trailing_zeros());
        (next >> all == 0).then_some(next)
    })
}

/// Tables of ranks.
pub struct Ranks {
    /// By number of elements in lower slices, then by slice: the contribution to the rank, and the
    /// number of elements up to this slice.
    slices: [Vec<[u32; 1 << SLICE]>; 3],
}

impl Ranks {
    /// Builds the tables.
    pub fn new() -> Ranks {
        let contribution = |from: u32, before: u32, bits: u32| {
            let places = (0..SLICE).filter(|place| bits >> place & 1 == 1);
            let terms =
                places.zip(before + 1..).map(|(place, number)| binomial(from + place, number));
            terms.sum::<u64>() as u32 | (before + bits.count_ones()) << NUMBER
        };
        let table = |slice: u32| {
            let from = slice * SLICE;
            let row =
                |before: u32| std::array::from_fn(|bits| contribution(from, before, bits as u32));
            (0..=from).map(row).collect()
        };
        Ranks { slices: [table(0), table(1), table(2)] }
    }

    /// The rank of a subset among all of its size, from 0.
    #[inline]
    pub fn rank(&self, subset: u32) -> usize {
        let [low, middle, high] = &self.slices;
        let slice = |number: u32| (subset >> (number * SLICE)) as usize % (1 << SLICE);
        let low = low[0][slice(0)];
        let middle = middle[(low >> NUMBER) as usize][slice(1)];
        let high = high[(middle >> NUMBER) as usize][slice(2)];
        let rank = |entry: u32| entry % (1 << NUMBER);
        (rank(low) + rank(middle) + rank(high)) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_number_the_subsets() {
        let ranks = Ranks::new();
        for all in (0..=14).chain([25]) {
            for size in 0..=all + 1 {
                let mut number = 0;
                for subset in subsets(all, size) {
                    assert_eq!(subset.count_ones(), size);
                    assert_eq!(ranks.rank(subset), number, "{subset:b}");
                    number += 1;
                }
                assert_eq!(binomial(all, size), number as u64, "{size} of {all}");
            }
        }
    }
}
