//! Sets of lines as mixed-radix numbers: a digit for each line, or for interchangeable lines
//! together.

use crate::dots::board::{Board, Boxes, Lines, lines_of, set_of};

/// The digits of positions. The value of a digit is the number of its drawn lines.
///
/// Two border lines of a box are interchangeable, so they are one digit with three values. A chain
/// of the start position is a digit with two values: intact and filled. There are fewer than 64
/// digits, so a set of digits is a word with a bit for each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Digits {
    /// The open lines of each digit.
    pub lines: Vec<Lines>,
    /// The symmetries of the start as permutations of the digits, the identity first.
    pub images: Vec<Vec<usize>>,
    /// For each digit, the boxes that its last line can close, each as the set of the other digits
    /// that must be full to close it.
    pub boxes: Vec<Vec<u64>>,
    /// The set of digits that are chains.
    pub chains: u64,
}

impl Digits {
    /// The digits of a board on which the lines `from` are drawn at the start. With `chains`, each
    /// chain is a digit.
    pub fn new(board: &Board, from: Lines, chains: bool) -> Digits {
        let chains = if chains { chains_of(board, from) } else { Vec::new() };
        let union = |sets: &[Lines]| sets.iter().fold(0, |all, lines| all | lines);
        let open = board.all() & !from & !union(&chains);
        let mut lines: Vec<Lines> = board
            .exchanges()
            .into_iter()
            .map(|lines| lines & open)
            .filter(|lines| lines.count_ones() > 1)
            .collect();
        let single = open & !union(&lines);
        lines.extend(lines_of(single).map(|line| 1 << line));
        let first_chain = lines.len();
        lines.extend(chains);
        let chains = set_of(first_chain..lines.len());
        let open = union(&lines);
        let mut owner = [usize::MAX; 64];
        for (digit, &lines) in lines.iter().enumerate() {
            for line in lines_of(lines) {
                owner[line] = digit;
            }
        }
        let fixes =
            |symmetry: &Vec<usize>| set_of(lines_of(from).map(|line| symmetry[line])) == from;
        let mut images: Vec<Vec<usize>> = Vec::new();
        for symmetry in board.symmetries().into_iter().filter(fixes) {
            let image: Vec<usize> = lines
                .iter()
                .map(|lines| owner[symmetry[lines.trailing_zeros() as usize]])
                .collect();
            if !images.contains(&image) {
                images.push(image);
            }
        }
        let of_box =
            |cell: usize| set_of(lines_of(board.sides(cell) & open).map(|line| owner[line]));
        let of_digit = |(digit, &lines): (usize, &Lines)| {
            let beside = board.beside(lines.trailing_zeros() as usize);
            lines_of(beside).map(|cell| of_box(cell) & !(1 << digit)).collect()
        };
        let boxes = lines.iter().enumerate().map(of_digit).collect();
        Digits { lines, images, boxes, chains }
    }

    /// Whether a digit is a chain.
    pub fn is_chain(&self, digit: usize) -> bool {
        self.chains >> digit & 1 == 1
    }

    /// The largest value of a digit: its number of lines, or 1 for a chain.
    pub fn most(&self, digit: usize) -> usize {
        if self.is_chain(digit) { 1 } else { self.lines[digit].count_ones() as usize }
    }

    /// The orbits of the digits under the symmetries. Those with the largest values come first; of
    /// equal values, chains come last, and otherwise larger orbits come first.
    pub fn orbits(&self) -> Vec<Vec<usize>> {
        let mut orbits: Vec<Vec<usize>> = Vec::new();
        for digit in 0..self.lines.len() {
            let mut orbit: Vec<usize> = self.images.iter().map(|image| image[digit]).collect();
            orbit.sort_unstable();
            orbit.dedup();
            if orbit[0] == digit {
                orbits.push(orbit);
            }
        }
        orbits.sort_by_key(|orbit| {
            let first = orbit[0];
            std::cmp::Reverse((self.most(first), !self.is_chain(first), orbit.len()))
        });
        orbits
    }

    /// The number of sets of these digits with each number of lines, up to symmetry.
    pub fn count(&self, digits: &[usize]) -> Vec<u128> {
        let lines: usize = digits.iter().map(|&digit| self.most(digit)).sum();
        let mut sums = vec![0u128; lines + 1];
        for image in &self.images {
            // Burnside's lemma needs the number of sets that the symmetry fixes. In these, all
            // digits of a cycle have the same value.
            let mut fixed = vec![1u128];
            let mut seen = 0u64;
            for &digit in digits {
                let mut length = 0;
                let mut at = digit;
                while seen >> at & 1 == 0 {
                    seen |= 1 << at;
                    length += 1;
                    at = image[at];
                }
                if length > 0 {
                    fixed = times(&fixed, length, self.most(digit));
                }
            }
            for (sum, fixed) in sums.iter_mut().zip(fixed) {
                *sum += fixed;
            }
        }
        sums.iter().map(|sum| sum / self.images.len() as u128).collect()
    }

    /// The values of all digits in a set of lines; `None` if a chain is filled in part.
    pub fn values(&self, lines: Lines) -> Option<Vec<usize>> {
        let value = |(digit, &of): (usize, &Lines)| {
            let drawn = of & lines;
            if !self.is_chain(digit) {
                Some(drawn.count_ones() as usize)
            } else if drawn == 0 {
                Some(0)
            } else {
                (drawn == of).then_some(1)
            }
        };
        self.lines.iter().enumerate().map(value).collect()
    }

    /// The lines that are drawn at an index of some of the digits. Of interchangeable lines, the
    /// first ones are drawn.
    pub fn drawn(&self, radix: &Radix, index: usize) -> Lines {
        let mut drawn: Lines = 0;
        for (digit, value) in radix.values(index) {
            let lines = self.lines[digit];
            let is_full = value == self.most(digit);
            drawn |= if is_full { lines } else { set_of(lines_of(lines).take(value)) };
        }
        drawn
    }
}

/// The chains of a position, in the order of their first boxes: all open lines of connected boxes
/// with two open sides.
fn chains_of(board: &Board, from: Lines) -> Vec<Lines> {
    let open = |cell: usize| board.sides(cell) & !from;
    let mut left: Boxes = set_of((0..board.boxes()).filter(|&cell| open(cell).count_ones() == 2));
    let mut chains = Vec::new();
    while left != 0 {
        let mut lines: Lines = 0;
        let mut new = left & left.wrapping_neg();
        while new != 0 {
            left &= !new;
            lines |= lines_of(new).fold(0, |set, cell| set | open(cell));
            new = lines_of(lines).fold(0, |set, line| set | board.beside(line)) & left;
        }
        chains.push(lines);
    }
    chains
}

/// Multiplies a polynomial by 1 + x^length + ... + x^(most * length).
fn times(polynomial: &[u128], length: usize, most: usize) -> Vec<u128> {
    let mut product = vec![0; polynomial.len() + most * length];
    for (power, factor) in polynomial.iter().enumerate() {
        for value in 0..=most {
            product[power + value * length] += factor;
        }
    }
    product
}

/// Some of the digits as a mixed-radix number, the index. One more line of a digit adds the stride
/// of the digit, so supersets have higher indices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Radix {
    /// The digits, in descending order of strides.
    pub digits: Vec<usize>,
    /// The stride of every digit of the position, or 0 if it is not among these digits.
    pub strides: Vec<usize>,
    /// The largest value of every digit.
    most: Vec<usize>,
    /// The number of indices.
    pub size: usize,
    /// The number of indices of a block. The last digits determine the place of an index in its
    /// block, and the others determine the block.
    pub inner: usize,
    /// For each symmetry, the image of the first index of each block. The image of an index is the
    /// sum of those of its block and its place.
    pub block_images: Vec<Vec<u32>>,
    /// For each symmetry, the image of each place.
    pub place_images: Vec<Vec<u32>>,
}

impl Radix {
    /// Creates the mixed-radix numbers of the chosen digits, with blocks of at most `most_inner`
    /// indices. The chosen digits must be closed under the symmetries, and there must be fewer than
    /// 2^32 indices.
    pub fn new(digits: &Digits, chosen: Vec<usize>, most_inner: usize) -> Radix {
        let most: Vec<usize> = (0..digits.lines.len()).map(|digit| digits.most(digit)).collect();
        let mut strides = vec![0; most.len()];
        let (mut size, mut inner) = (1, 1);
        for &digit in chosen.iter().rev() {
            strides[digit] = size;
            size *= most[digit] + 1;
            if size <= most_inner {
                inner = size;
            }
        }
        let mut radix = Radix {
            digits: chosen,
            strides,
            most,
            size,
            inner,
            block_images: Vec::new(),
            place_images: Vec::new(),
        };
        let image = |symmetry: &Vec<usize>, index: usize| {
            let moved = |(digit, value): (usize, usize)| value * radix.strides[symmetry[digit]];
            radix.values(index).map(moved).sum::<usize>() as u32
        };
        let blocks = (0..size / inner).map(|block| block * inner);
        let blocks = |symmetry| blocks.clone().map(|index| image(symmetry, index)).collect();
        let places = |symmetry| (0..inner).map(|index| image(symmetry, index)).collect();
        let block_images = digits.images.iter().map(blocks).collect();
        let place_images = digits.images.iter().map(places).collect();
        radix.block_images = block_images;
        radix.place_images = place_images;
        radix
    }

    /// The digits of an index, each with its value.
    pub fn values(&self, index: usize) -> impl Iterator<Item = (usize, usize)> {
        self.digits.iter().map(move |&digit| {
            let value = index / self.strides[digit] % (self.most[digit] + 1);
            (digit, value)
        })
    }

    /// The number of drawn lines of these digits.
    pub fn drawn(&self, index: usize) -> usize {
        self.values(index).map(|(_, value)| value).sum()
    }

    /// The index of digits with these values.
    pub fn index(&self, values: &[usize]) -> usize {
        self.digits.iter().map(|&digit| values[digit] * self.strides[digit]).sum()
    }

    /// The image of an index under a symmetry.
    pub fn image(&self, symmetry: usize, index: usize) -> usize {
        let (block, place) = (index / self.inner, index % self.inner);
        (self.block_images[symmetry][block] + self.place_images[symmetry][place]) as usize
    }

    /// The least image of an index, and the first symmetry that leads to it.
    pub fn canonical(&self, index: usize) -> (usize, usize) {
        (0..self.block_images.len())
            .map(|symmetry| (self.image(symmetry, index), symmetry))
            .min()
            .unwrap_or((index, 0))
    }

    /// Groups these digits by the number of their open lines.
    pub fn left(&self, index: usize) -> Left {
        let mut left = Left::default();
        for (digit, value) in self.values(index) {
            let bit = 1 << digit;
            match self.most[digit] - value {
                0 => left.full |= bit,
                1 => {
                    left.open |= bit;
                    left.last |= bit;
                }
                _ => left.open |= bit,
            }
        }
        left
    }
}

/// The digits of an index by the number of their open lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Left {
    /// Digits without open lines.
    pub full: u64,
    /// Digits with at least one open line.
    pub open: u64,
    /// Digits with exactly one open line.
    pub last: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_counted_without_their_images() {
        for (rows, cols, from) in [(2, 2, 0), (1, 4, 0), (3, 3, 1 << 9 | 1 << 14), (2, 3, 0b11)] {
            let board = Board::new(rows, cols).unwrap();
            let digits = Digits::new(&board, from, true);
            for chosen in
                [(0..digits.lines.len()).collect(), digits.orbits().concat()[..3].to_vec()]
            {
                let closed = digits.orbits().into_iter().filter(|orbit| chosen.contains(&orbit[0]));
                let radix = Radix::new(&digits, closed.flatten().collect(), 32);
                let mut found = vec![0; digits.count(&radix.digits).len()];
                for index in (0..radix.size).filter(|&index| radix.canonical(index).0 == index) {
                    found[radix.drawn(index)] += 1u128;
                }
                assert_eq!(found, digits.count(&radix.digits), "{board} {from:b}");
            }
        }
    }
}
