//! Operations on the words of a part: moves, mirror images, unions.
//!
//! Small functions of the innermost loops are always inlined, so that they are compiled for the
//! vector instructions of their caller.

use crate::rpsw::rules::Rules;

/// Words that are processed together: those of a part, and zeros.
pub(super) const LANES: usize = 24;
/// The words of a part, followed by zeros.
pub(super) type Part = [u32; LANES];

/// Zeros before the words of a part, which moves across the edge read.
const EDGE: usize = 8;
/// Words of a part with these zeros.
const ROOM: usize = EDGE + LANES;

/// A part of zeros.
pub(super) const ZERO: Part = [0; LANES];

/// The geometry of a part: words and bits are places of one board.
pub(super) struct PartBoard {
    cols: usize,
    /// The open squares, those with another one to the right, and those with one to the left; a bit
    /// each.
    open: u32,
    left_of: u32,
    right_of: u32,
    /// Masks of ones for the words of open squares, of those with a neighbour to the left, to the
    /// right, and in the next row.
    open_words: Part,
    from_left: Part,
    from_right: Part,
    from_further: Part,
    /// For each column, the shift to its mirror image.
    columns: [Shift; 4],
    /// The bit of a captured piece.
    taken: u32,
}

impl PartBoard {
    pub(super) fn new(rules: &Rules) -> PartBoard {
        let (cols, open) = (rules.board().cols(), rules.board().open_squares());
        let bits = |is_in: &dyn Fn(usize) -> bool| {
            (0..open).filter(|&place| is_in(place)).map(|place| 1 << place).sum::<u32>()
        };
        let left_of = bits(&|place| place % cols + 1 < cols);
        let right_of = bits(&|place| place % cols > 0);
        let columns = std::array::from_fn(|col| {
            let by = cols as i32 - 1 - 2 * col as i32;
            Shift::new(bits(&|place| place % cols == col), by)
        });
        PartBoard {
            cols,
            open: bits(&|_| true),
            left_of,
            right_of,
            open_words: select(bits(&|_| true)),
            from_left: select(right_of),
            from_right: select(left_of),
            from_further: select(bits(&|place| place + cols < open)),
            columns,
            taken: 1 << open,
        }
    }

    /// The squares from which a move leads to one of these.
    #[inline(always)]
    pub(super) fn spread(&self, word: u32) -> u32 {
        let word = word & self.open;
        let column = word << self.cols & self.open | word >> self.cols;
        let lines = word | column;
        column | (lines & self.left_of) << 1 | (lines & self.right_of) >> 1
    }

    /// The mirror image of a word.
    #[inline(always)]
    pub(super) fn mirrored_word(&self, word: u32) -> u32 {
        let [a, b, c, d] = &self.columns;
        word & self.taken | a.of(word) | b.of(word) | c.of(word) | d.of(word)
    }

    /// The mirror image of a part.
    #[inline(always)]
    pub(super) fn mirrored(&self, words: &Part) -> Part {
        let turned = match self.cols {
            1 => *words,
            2 => turned::<2>(words),
            3 => turned::<3>(words),
            _ => turned::<4>(words),
        };
        std::array::from_fn(|i| {
            let open = self.open_words[i];
            self.mirrored_word(turned[i] & open | words[i] & !open)
        })
    }
}

/// The mirror image of the words of open squares.
#[inline(always)]
fn turned<const COLS: usize>(words: &Part) -> Part {
    std::array::from_fn(|i| words[i / COLS * COLS + COLS - 1 - i % COLS])
}

/// A word of ones for each bit that is set, and of zeros for the others.
#[inline(always)]
pub(super) fn select(bits: u32) -> Part {
    std::array::from_fn(|i| 0u32.wrapping_sub(bits >> i & 1))
}

#[inline(always)]
pub(super) fn and(one: &Part, other: &Part) -> Part {
    std::array::from_fn(|i| one[i] & other[i])
}

#[inline(always)]
pub(super) fn or(one: &Part, other: &Part) -> Part {
    std::array::from_fn(|i| one[i] | other[i])
}

#[inline(always)]
pub(super) fn and_not(one: &Part, other: &Part) -> Part {
    std::array::from_fn(|i| one[i] & !other[i])
}

#[inline(always)]
pub(super) fn is_zero(words: &Part) -> bool {
    words.iter().fold(0, |all, word| all | word) == 0
}

/// The words of a part that begins there.
#[inline(always)]
pub(super) fn load(words: &[u32], start: usize) -> &Part {
    words[start..start + LANES].try_into().expect("so many words")
}

/// A shift of some bits of a word, up or down.
#[derive(Clone, Copy, Default)]
struct Shift {
    bits: u32,
    up: u32,
    down: u32,
}

impl Shift {
    /// A shift up, or down if `by` is negative.
    fn new(bits: u32, by: i32) -> Shift {
        Shift { bits, up: by.max(0) as u32, down: (-by).max(0) as u32 }
    }

    #[inline(always)]
    fn of(&self, word: u32) -> u32 {
        (word & self.bits) << self.up >> self.down
    }
}

/// Parts of a row, with a margin of zeros for moves across the edge.
pub struct Reached {
    /// Each part with its margin.
    words: Vec<u32>,
    /// For each section, a bit for each part in use; the words of the others are stale.
    live: [u32; 32],
    sections: usize,
}

impl Reached {
    pub(super) fn new(sections: usize) -> Reached {
        Reached { words: vec![0; (sections.pow(2) + 1) * ROOM], live: [0; 32], sections }
    }

    pub(super) fn clear(&mut self) {
        self.live = [0; 32];
    }

    /// For each section, a bit for each part in use.
    #[inline(always)]
    pub(super) fn live(&self) -> &[u32] {
        &self.live[..self.sections]
    }

    #[inline(always)]
    pub(super) fn is_live(&self, section: usize, part: usize) -> bool {
        self.live[section] >> part & 1 == 1
    }

    #[inline(always)]
    pub(super) fn part(&self, section: usize, part: usize) -> &Part {
        load(&self.words, (section * self.sections + part) * ROOM + EDGE)
    }

    /// Adds words to a part. Those after the last place must be zero.
    #[inline(always)]
    pub(super) fn add(&mut self, section: usize, part: usize, words: &Part) {
        if is_zero(words) {
            return;
        }
        let words =
            if self.is_live(section, part) { or(self.part(section, part), words) } else { *words };
        self.live[section] |= 1 << part;
        let start = (section * self.sections + part) * ROOM + EDGE;
        self.words[start..start + LANES].copy_from_slice(&words);
    }

    /// The positions from which a move of the third or the fourth piece leads into a part.
    #[inline(always)]
    pub(super) fn inside(&self, board: &PartBoard, section: usize, part: usize) -> Part {
        let start = (section * self.sections + part) * ROOM + EDGE;
        let at = |row: usize| [row - 1, row, row + 1].map(|start| load(&self.words, start));
        let [nearer, here, further] = [start - board.cols, start, start + board.cols].map(at);
        std::array::from_fn(|i| {
            let left = nearer[0][i] | here[0][i] | further[0][i] & board.from_further[i];
            let right = nearer[2][i] | here[2][i] | further[2][i] & board.from_further[i];
            let column = nearer[1][i] | further[1][i] & board.from_further[i];
            let third = board.open_words[i] & column
                | board.from_left[i] & left
                | board.from_right[i] & right;
            third | board.spread(here[1][i])
        })
    }
}
