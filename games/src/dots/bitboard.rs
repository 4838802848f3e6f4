//! Bitboards: sets of open lines, laid out for operations on the whole board.
//!
//! A box, the line above it and the line left of it have the same bit of a word. A row has one more
//! bit than boxes, for its last vertical line. The number of open sides of every box is then a
//! bitwise sum of four words.

mod isomorphism;
mod word;

use super::board::{Board, Lines, lines_of, set_of};
use isomorphism::Kernel;
pub use word::Word;
pub(super) use word::{MOST_PLACES, first, has};

/// A set of open lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct OpenLines<W = u64> {
    /// Horizontal lines, each at the bit of the box below it.
    pub horizontal: W,
    /// Vertical lines, each at the bit of the box right of it.
    pub vertical: W,
}

impl<W: Word> OpenLines<W> {
    /// Whether no line is open.
    #[inline(always)]
    pub fn is_empty(self) -> bool {
        self.horizontal | self.vertical == W::zero()
    }

    /// The number of lines.
    #[inline(always)]
    pub fn count(self) -> u32 {
        self.horizontal.count_ones() + self.vertical.count_ones()
    }

    /// The lines that are not in the other set.
    #[inline(always)]
    pub fn without(self, lines: Self) -> Self {
        OpenLines {
            horizontal: self.horizontal & !lines.horizontal,
            vertical: self.vertical & !lines.vertical,
        }
    }

    /// The lines that are in both sets.
    #[inline(always)]
    pub fn and(self, other: Self) -> Self {
        OpenLines {
            horizontal: self.horizontal & other.horizontal,
            vertical: self.vertical & other.vertical,
        }
    }
}

/// The boxes with each number of open sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Degrees<W = u64> {
    /// One open side: the box can be taken.
    pub one: W,
    /// Two open sides.
    pub two: W,
    /// Three or four open sides.
    pub more: W,
    /// Four open sides.
    pub four: W,
}

/// The layout of a board, with tables of the images of positions.
#[derive(Clone, Debug)]
pub struct Bitboard<W = u64> {
    board: Board,
    kernel: Kernel,
    boxes: W,
    /// The lines in play.
    all: OpenLines<W>,
    stride: usize,
    /// Bits of a word that are used.
    places: u32,
    /// The images of each value of each byte of packed lines.
    tables: Vec<[Images; 256]>,
    /// Steps of a sorting network for interchangeable lines: the lower bits of pairs to compare.
    exchanges: Vec<u64>,
}

/// Bytes that are looked up together. The look-ups are unrolled by hand, so that all images of a
/// byte are loaded at once. In a loop the compiler would gather one image of several bytes, which
/// is slower.
const BYTES_AT_A_TIME: usize = 4;

/// The images of a set of lines under eight symmetries, or twice under four.
type Images = [u64; 8];

impl Bitboard {
    /// The layout of a board in words of 64 bits.
    pub fn new(board: Board) -> Bitboard {
        Bitboard::of(board)
    }
}

impl<W: Word> Bitboard<W> {
    /// The layout of a board.
    pub fn of(board: Board) -> Bitboard<W> {
        let places = (board.rows() + 1) * (board.cols() + 1);
        let mut bitboard = Bitboard {
            board,
            kernel: W::kernels(&board)[0],
            boxes: W::zero(),
            all: OpenLines::default(),
            stride: board.cols() + 1,
            places: places as u32,
            tables: Vec::new(),
            exchanges: Vec::new(),
        };
        for row in 0..board.rows() {
            for col in 0..board.cols() {
                bitboard.boxes |= W::one() << bitboard.place(row, col);
            }
        }
        bitboard.all = bitboard.open(0);
        bitboard.fill_tables(board.symmetries());
        bitboard
    }

    fn fill_tables(&mut self, symmetries: Vec<Vec<usize>>) {
        let bits = packing(&self.board);
        self.exchanges = exchanges(&self.board, &bits);
        let bytes = (self.packed_bits() as usize).div_ceil(8);
        self.tables = vec![[[0; 8]; 256]; bytes.next_multiple_of(BYTES_AT_A_TIME)];
        for line in 0..self.board.lines() {
            let open = self.open(self.board.all() & !(1 << line));
            let images: Images =
                std::array::from_fn(|side| 1 << bits[symmetries[side % symmetries.len()][line]]);
            let place = self.packed(open).trailing_zeros() as usize;
            let table = &mut self.tables[place / 8];
            for (value, set) in table.iter_mut().enumerate() {
                if value >> (place % 8) & 1 == 1 {
                    set.iter_mut().zip(images).for_each(|(set, image)| *set |= image);
                }
            }
        }
    }

    fn place(&self, row: usize, col: usize) -> usize {
        row * self.stride + col
    }

    /// The board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The set of all boxes.
    #[inline(always)]
    pub fn boxes(&self) -> W {
        self.boxes
    }

    /// The open lines if these lines are drawn.
    pub fn open(&self, drawn: Lines) -> OpenLines<W> {
        let mut open = OpenLines::default();
        for line in lines_of(self.board.all() & !drawn) {
            let (vertical, row, col) = self.board.locate(line);
            let place = W::one() << self.place(row, col);
            if vertical { open.vertical |= place } else { open.horizontal |= place }
        }
        open
    }

    /// The drawn lines if these lines are open.
    pub fn drawn(&self, open: OpenLines<W>) -> Lines {
        let bit = |&line: &usize| {
            let (vertical, row, col) = self.board.locate(line);
            let word = if vertical { open.vertical } else { open.horizontal };
            !has(word, self.place(row, col))
        };
        set_of((0..self.board.lines()).filter(bit))
    }

    /// The boxes with each number of open sides.
    #[inline(always)]
    pub fn degrees(&self, open: OpenLines<W>) -> Degrees<W> {
        let (a, b) = (open.horizontal, open.horizontal >> self.stride);
        let (c, d) = (open.vertical, open.vertical >> 1);
        let (one_ab, two_ab) = (a ^ b, a & b);
        let (one_cd, two_cd) = (c ^ d, c & d);
        let odd = (one_ab ^ one_cd) & self.boxes;
        let pair = one_ab & one_cd;
        let four = two_ab & two_cd;
        let some = two_ab | two_cd;
        Degrees {
            one: odd & !some,
            two: (pair | (two_ab ^ two_cd)) & !odd & self.boxes,
            more: ((odd & some) | four) & self.boxes,
            four: four & self.boxes,
        }
    }

    /// The open lines around some boxes.
    #[inline(always)]
    pub fn lines_at(&self, open: OpenLines<W>, boxes: W) -> OpenLines<W> {
        OpenLines {
            horizontal: open.horizontal & (boxes | boxes << self.stride),
            vertical: open.vertical & (boxes | boxes << 1),
        }
    }

    /// The boxes on either side of some lines.
    #[inline(always)]
    pub fn boxes_at(&self, lines: OpenLines<W>) -> W {
        let OpenLines { horizontal, vertical } = lines;
        (horizontal | horizontal >> self.stride | vertical | vertical >> 1) & self.boxes
    }

    /// The boxes of the set `within` that are connected with the boxes `from` by open lines inside
    /// the set.
    #[inline(always)]
    pub fn connected(&self, open: OpenLines<W>, from: W, within: W) -> W {
        let mut all = from;
        loop {
            let more = self.boxes_at(self.lines_at(open, all)) & within | all;
            if more == all {
                return all;
            }
            all = more;
        }
    }

    /// Open lines as a number of [`packed_bits`](Self::packed_bits) bits.
    #[inline(always)]
    pub fn packed(&self, open: OpenLines<W>) -> u128 {
        W::packed(self, open)
    }

    /// The open lines of a number. Bits beyond those of packed lines are ignored.
    #[inline(always)]
    pub fn unpacked(&self, bits: u128) -> OpenLines<W> {
        W::unpacked(self, bits)
    }

    /// The number of bits of packed lines.
    #[inline(always)]
    pub fn packed_bits(&self) -> u32 {
        W::packed_bits(self)
    }

    /// A word that is the same for all equivalent positions.
    #[inline(always)]
    pub fn canonical(&self, open: OpenLines<W>) -> u64 {
        let packed = self.packed(open);
        let mut images = [0; 8];
        for (i, tables) in self.tables.chunks_exact(BYTES_AT_A_TIME).enumerate() {
            let bytes = (packed >> (8 * BYTES_AT_A_TIME * i)) as u32;
            images = add_images(tables, bytes, images);
        }
        for &lower in &self.exchanges {
            images = images.map(|image| {
                let moved = (image >> 1) & !image & lower;
                image ^ (moved | moved << 1)
            });
        }
        images.into_iter().fold(u64::MAX, u64::min)
    }
}

/// Adds the images of four bytes.
#[inline(always)]
fn add_images(tables: &[[Images; 256]], bytes: u32, images: Images) -> Images {
    let [a, b, c, d] = bytes.to_le_bytes().map(usize::from);
    let (a, b, c, d) = (&tables[0][a], &tables[1][b], &tables[2][c], &tables[3][d]);
    std::array::from_fn(|side| images[side] | a[side] | b[side] | c[side] | d[side])
}

/// The bit of each line in an image. Interchangeable lines are adjacent.
fn packing(board: &Board) -> Vec<u32> {
    let mut bits = vec![u32::MAX; board.lines()];
    let (mut next, exchanged) = (0, board.exchanges().into_iter().flat_map(lines_of));
    for line in exchanged.chain(0..board.lines()) {
        if bits[line] == u32::MAX {
            (bits[line], next) = (next, next + 1);
        }
    }
    bits
}

/// The steps of a sorting network that moves the open lines of each group of interchangeable lines
/// to its first bits. A step exchanges two adjacent bits if only the upper one is set.
fn exchanges(board: &Board, bits: &[u32]) -> Vec<u64> {
    let groups = board.exchanges();
    let most = groups.iter().map(|lines| lines.count_ones()).max().unwrap_or(0);
    let mut steps = Vec::new();
    // Bubble sort: each round settles one more bit of each group.
    for round in (1..most).rev() {
        for at in 0..round {
            let lower = |lines: &u64| {
                let first = lines_of(*lines).map(|line| bits[line]).min().unwrap_or(0);
                if at + 1 < lines.count_ones() { 1 << (first + at) } else { 0 }
            };
            steps.push(groups.iter().map(lower).fold(0, |set, bit: u64| set | bit));
        }
    }
    steps
}

#[cfg(test)]
mod tests;
