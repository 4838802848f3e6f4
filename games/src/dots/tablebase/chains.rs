//! Chains of the start as one line each: the value of opening or taking one.
//!
//! In a position each of them is intact or filled. `docs/dots-tablebase.md` proves that the value
//! of a position follows from those with one more chain or line filled.

use super::digits::{Digits, Radix};
use crate::dots::bitboard::{Bitboard, Degrees, OpenLines};
use crate::dots::board::{Board, Lines};

/// A chain on the bitboard.
#[derive(Debug)]
struct Chain {
    boxes: u64,
    lines: OpenLines,
    /// The boxes beyond its ends.
    beside: u64,
    /// Whether it is a loop, or both ends are at the same box.
    returns: bool,
}

/// The value of filling a chain, as a function of the value after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry {
    /// Whether the player to move takes the boxes, not the opponent.
    takes: bool,
    /// Net boxes of that player, who moves next.
    all: i32,
    /// Net boxes of that player if the last boxes are left to the other player, who moves next.
    but_last: Option<i32>,
}

impl Entry {
    /// The value for the player to move.
    #[inline(always)]
    fn value(self, after: i8) -> i8 {
        let after = i32::from(after);
        let all = self.all + after;
        let best = self.but_last.map_or(all, |boxes| all.max(boxes - after));
        (if self.takes { best } else { -best }) as i8
    }
}

impl Chain {
    /// The chain of these lines in a start.
    fn new(bitboard: &Bitboard, from: Lines, lines: Lines) -> Chain {
        let lines = bitboard.open(bitboard.board().all() & !lines);
        let all = bitboard.boxes_at(lines);
        let boxes = all & bitboard.degrees(bitboard.open(from)).two;
        // A loop has as many lines as boxes; so has a chain from the border to a box.
        let has_end = bitboard.degrees(lines).one != 0;
        let returns = !has_end && lines.count() == all.count_ones();
        Chain { boxes, lines, beside: all & !boxes, returns }
    }

    /// The value of filling this chain in a position in which it is intact; `None` if another move
    /// is as good.
    #[inline(always)]
    fn entry(&self, bitboard: &Bitboard, open: OpenLines, degrees: Degrees) -> Option<Entry> {
        let boxes = self.boxes.count_ones() as i32;
        let is_far = self.beside & degrees.two == 0 && !self.returns;
        if degrees.one == 0 {
            if is_far {
                let but_last = (boxes >= 3).then_some(boxes - 4);
                return Some(Entry { takes: false, all: boxes, but_last });
            }
            return Some(self.open_component(bitboard, open, degrees));
        }
        let ends = (self.beside & degrees.one).count_ones() as i32;
        if ends == 0 {
            return None;
        }
        let all = boxes + ends;
        if is_far {
            let control_cost = 4 * ends;
            let but_last = (2 * all >= control_cost).then_some(all - control_cost);
            return Some(Entry { takes: true, all, but_last });
        }
        Some(self.take_run(bitboard, open, all))
    }

    /// Without captures: the chain, and the boxes by which it has grown.
    #[cold]
    fn open_component(&self, bitboard: &Bitboard, open: OpenLines, degrees: Degrees) -> Entry {
        let after = open.without(self.lines);
        let closed = bitboard.boxes_at(self.lines) & !bitboard.boxes_at(after);
        let all = closed.count_ones() as i32;
        let (rest, _) = runs(bitboard, after, !0);
        let component = bitboard.connected(open, self.boxes, degrees.two);
        let is_loop = bitboard.lines_at(open, component).count() == component.count_ones();
        let control_cost = if is_loop { Some(8) } else { (all + rest >= 3).then_some(4) };
        Entry {
            takes: false,
            all,
            but_last: control_cost.map(|control_cost| all + 2 * rest - control_cost),
        }
    }

    /// This is the case if the box at one end can be taken and the box at the other end has two
    /// open sides.
    #[cold]
    fn take_run(&self, bitboard: &Bitboard, open: OpenLines, all: i32) -> Entry {
        let after = open.without(self.lines);
        let next = self.beside & bitboard.boxes_at(after);
        let (rest, ends) = runs(bitboard, after, next);
        let control_cost = 4 * ends as i32;
        let can_be_left = 2 * (all + rest) >= control_cost;
        Entry { takes: true, all, but_last: can_be_left.then_some(all + 2 * rest - control_cost) }
    }
}

/// The number of boxes of the runs that begin at captures among `from`, and of the open ends of
/// these runs. If more boxes follow, the last ones can be left later.
#[inline(always)]
fn runs(bitboard: &Bitboard, open: OpenLines, from: u64) -> (i32, u32) {
    let degrees = bitboard.degrees(open);
    let runs = bitboard.connected(open, degrees.one & from, degrees.one | degrees.two);
    (runs.count_ones() as i32, (runs & degrees.one).count_ones())
}

/// The chains of a plan, and the open lines at the places of a row.
#[derive(Debug)]
pub(super) struct Chains {
    bitboard: Bitboard,
    /// The chain of each digit.
    chains: Vec<Option<Chain>>,
    /// The low lines that are drawn at the first place of each block.
    blocks: Vec<OpenLines>,
    /// The low lines that are drawn at each place of the first block.
    places: Vec<OpenLines>,
}

impl Chains {
    /// The chains of a board; `None` if no digit is a chain.
    pub fn new(board: &Board, from: Lines, digits: &Digits, low: &Radix) -> Option<Chains> {
        if digits.chains == 0 {
            return None;
        }
        let all = board.all();
        let bitboard = Bitboard::new(*board);
        let chain = |digit: usize| {
            digits.is_chain(digit).then(|| Chain::new(&bitboard, from, digits.lines[digit]))
        };
        let chains = (0..digits.lines.len()).map(chain).collect();
        let drawn = |index: usize| bitboard.open(all & !digits.drawn(low, index));
        let blocks = (0..low.size / low.inner).map(|block| drawn(block * low.inner)).collect();
        let places = (0..low.inner).map(drawn).collect();
        Some(Chains { bitboard, chains, blocks, places })
    }

    /// The size of the tables in bytes.
    pub fn bytes(low: &Radix) -> u64 {
        const BITBOARD: u64 = 1 << 19;
        BITBOARD + ((low.size / low.inner + low.inner) * size_of::<OpenLines>()) as u64
    }

    /// The open lines at the first place of a row.
    pub fn open(&self, from: Lines, digits: &Digits, names: &Radix, high: usize) -> OpenLines {
        self.bitboard.open(from | digits.drawn(names, high))
    }

    /// Takes filling a chain into account in a block in which it is intact. `first` are the open
    /// lines at the first place of the row.
    #[inline(always)]
    pub fn fill(
        &self,
        digit: usize,
        first: OpenLines,
        block: usize,
        values: &mut [u8],
        after: &[u8],
    ) {
        let Some(chain) = &self.chains[digit] else { return };
        let open = first.without(self.blocks[block]);
        for ((value, &after), &drawn) in values.iter_mut().zip(after).zip(&self.places) {
            let open = open.without(drawn);
            if let Some(entry) = chain.entry(&self.bitboard, open, self.bitboard.degrees(open)) {
                let worth = entry.value(after.cast_signed());
                *value = value.cast_signed().max(worth).cast_unsigned();
            }
        }
    }
}
