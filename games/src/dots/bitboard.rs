//! Bitboards: sets of open lines, laid out for operations on the whole board.
//!
//! A box, the line above it and the line left of it have the same place in a word; one more
//! column than there are boxes holds the last vertical line of a row. How many sides of each box are
//! open is then a sum of four words, bit by bit.

use super::board::{Board, Lines, lines_of};

/// Lines that are not drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct OpenLines {
    /// Level lines, each at the place of the box below it.
    pub horizontal: u64,
    /// Upright lines, each at the place of the box right of it.
    pub vertical: u64,
}

impl OpenLines {
    /// Number of lines.
    #[inline(always)]
    pub fn count(self) -> u32 {
        self.horizontal.count_ones() + self.vertical.count_ones()
    }

    /// Without those lines.
    #[inline(always)]
    pub fn without(self, lines: OpenLines) -> OpenLines {
        OpenLines {
            horizontal: self.horizontal & !lines.horizontal,
            vertical: self.vertical & !lines.vertical,
        }
    }

    /// Those lines that are in both.
    #[inline(always)]
    pub fn and(self, other: OpenLines) -> OpenLines {
        OpenLines {
            horizontal: self.horizontal & other.horizontal,
            vertical: self.vertical & other.vertical,
        }
    }
}

/// Boxes by the number of their open sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Degrees {
    /// One: they can be taken.
    pub one: u64,
    /// Two.
    pub two: u64,
    /// Three or four.
    pub more: u64,
}

/// A board laid out like that, with its images.
#[derive(Clone, Debug)]
pub struct Bitboard {
    board: Board,
    boxes: u64,
    stride: u32,
    /// Places of a word.
    places: u32,
    /// For each byte of the two words, one behind the other, and each of its values: the images.
    tables: Vec<[Images; 256]>,
    /// Where two lines next to each other in an image may change places: the lower ones.
    exchanges: Vec<u64>,
}

/// Bytes of the board looked up together. Written out one by one, so that all images of a byte are
/// read at once; in a loop the compiler gathers one image of several bytes, which is slower.
const BYTES_AT_A_TIME: usize = 4;

/// A set of lines seen from eight sides, or twice from four.
type Images = [u64; 8];

impl Bitboard {
    /// The layout of a board.
    pub fn new(board: Board) -> Bitboard {
        Bitboard::with_reductions(board, true, true)
    }

    /// The same, but [`canonical`](Self::canonical) takes images, or what may change places at the
    /// corners, for different positions.
    pub fn with_reductions(board: Board, images: bool, corners: bool) -> Bitboard {
        let stride = board.cols() as u32 + 1;
        let places = (board.rows() + 1) * (board.cols() + 1);
        let bytes = (places + board.rows() * (board.cols() + 1)).div_ceil(8);
        let mut bitboard = Bitboard {
            board,
            boxes: 0,
            stride,
            places: places as u32,
            tables: vec![[[0; 8]; 256]; bytes.next_multiple_of(BYTES_AT_A_TIME)],
            exchanges: Vec::new(),
        };
        for row in 0..board.rows() {
            for col in 0..board.cols() {
                bitboard.boxes |= 1 << bitboard.place(row, col);
            }
        }
        bitboard.fill_tables(if images {
            board.symmetries()
        } else {
            vec![(0..board.lines()).collect()]
        });
        if !corners {
            bitboard.exchanges.clear();
        }
        bitboard
    }

    fn fill_tables(&mut self, symmetries: Vec<Vec<usize>>) {
        let bits = packing(&self.board);
        self.exchanges = exchanges(&self.board, &bits);
        for line in 0..self.board.lines() {
            let open = self.open(self.board.all() & !(1 << line));
            let images: Images =
                std::array::from_fn(|side| 1 << bits[symmetries[side % symmetries.len()][line]]);
            let place = match open.horizontal {
                0 => open.vertical.trailing_zeros() + self.places,
                horizontal => horizontal.trailing_zeros(),
            } as usize;
            let table = &mut self.tables[place / 8];
            for (value, set) in table.iter_mut().enumerate() {
                if value >> (place % 8) & 1 == 1 {
                    set.iter_mut().zip(images).for_each(|(set, image)| *set |= image);
                }
            }
        }
    }

    fn place(&self, row: usize, col: usize) -> u32 {
        row as u32 * self.stride + col as u32
    }

    /// The board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Every box.
    #[inline(always)]
    pub fn boxes(&self) -> u64 {
        self.boxes
    }

    /// What is open when those lines are drawn.
    pub fn open(&self, drawn: Lines) -> OpenLines {
        let mut open = OpenLines::default();
        for line in lines_of(self.board.all() & !drawn) {
            let (vertical, row, col) = self.board.locate(line);
            let place = 1 << self.place(row, col);
            if vertical { open.vertical |= place } else { open.horizontal |= place }
        }
        open
    }

    /// The lines drawn when those are open.
    pub fn drawn(&self, open: OpenLines) -> Lines {
        let bit = |&line: &usize| {
            let (vertical, row, col) = self.board.locate(line);
            let word = if vertical { open.vertical } else { open.horizontal };
            word >> self.place(row, col) & 1 == 0
        };
        (0..self.board.lines()).filter(bit).fold(0, |set, line| set | 1 << line)
    }

    /// Boxes by the number of their open sides.
    #[inline(always)]
    pub fn degrees(&self, open: OpenLines) -> Degrees {
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
        }
    }

    /// The open lines around some boxes.
    #[inline(always)]
    pub fn lines_at(&self, open: OpenLines, boxes: u64) -> OpenLines {
        OpenLines {
            horizontal: open.horizontal & (boxes | boxes << self.stride),
            vertical: open.vertical & (boxes | boxes << 1),
        }
    }

    /// The boxes on either side of some lines.
    #[inline(always)]
    pub fn boxes_at(&self, lines: OpenLines) -> u64 {
        let OpenLines { horizontal, vertical } = lines;
        (horizontal | horizontal >> self.stride | vertical | vertical >> 1) & self.boxes
    }

    /// The boxes of a set that are connected by open lines, inside the set, with some of its boxes.
    #[inline(always)]
    pub fn connected(&self, open: OpenLines, from: u64, within: u64) -> u64 {
        let mut all = from;
        loop {
            let more = self.boxes_at(self.lines_at(open, all)) & within | all;
            if more == all {
                return all;
            }
            all = more;
        }
    }

    /// One word for all images of the open lines, exchanges at the corners among them.
    #[inline(always)]
    pub fn canonical(&self, open: OpenLines) -> u64 {
        let both = u128::from(open.horizontal) | u128::from(open.vertical) << self.places;
        let mut images = [0; 8];
        for (i, tables) in self.tables.chunks_exact(BYTES_AT_A_TIME).enumerate() {
            let bytes = (both >> (8 * BYTES_AT_A_TIME * i)) as u32;
            images = seen_in(tables, bytes, images);
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

/// Adds what is seen of four bytes of the board.
#[inline(always)]
fn seen_in(tables: &[[Images; 256]], bytes: u32, images: Images) -> Images {
    let [a, b, c, d] = bytes.to_le_bytes().map(usize::from);
    let (a, b, c, d) = (&tables[0][a], &tables[1][b], &tables[2][c], &tables[3][d]);
    std::array::from_fn(|side| images[side] | a[side] | b[side] | c[side] | d[side])
}

/// The bit of each line in an image: those that may change places are next to each other.
fn packing(board: &Board) -> Vec<u32> {
    let mut bits = vec![u32::MAX; board.lines()];
    let exchanged = board.exchanges().into_iter().flat_map(lines_of);
    for (next, line) in exchanged
        .chain(0..board.lines())
        .fold(Vec::new(), |mut order, line| {
            if !order.contains(&line) {
                order.push(line);
            }
            order
        })
        .into_iter()
        .enumerate()
    {
        bits[line] = next as u32;
    }
    bits
}

/// Steps that bring the open lines of each exchange to its first bits: in each, two bits next to
/// each other change places where only the upper one is set. A network for up to four lines.
fn exchanges(board: &Board, bits: &[u32]) -> Vec<u64> {
    let groups = board.exchanges();
    let most = groups.iter().map(|lines| lines.count_ones()).max().unwrap_or(0);
    let mut steps = Vec::new();
    // Bubbles: after round `r` the last `r` bits of each group are settled.
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
