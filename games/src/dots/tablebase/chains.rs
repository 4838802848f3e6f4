//! Chains of the start as one line each: what it is worth to open or take one.
//!
//! A position has each of them intact or filled. Why the value of a position follows from those
//! with one chain or line more filled is in `docs/dots-layers.md`.

use super::digits::Radix;
use super::plan::Plan;
use crate::dots::bitboard::{Field, Open, Valences};
use crate::dots::board::{Board, Boxes, Lines, lines_of};

/// The chains of a position: of boxes with two open sides that hang together all open lines, in the
/// order of their first boxes.
pub(super) fn chains_of(board: &Board, from: Lines) -> Vec<Lines> {
    let open = |cell: usize| board.sides(cell) & !from;
    let mut left: Boxes = (0..board.boxes())
        .filter(|&cell| open(cell).count_ones() == 2)
        .fold(0, |set, cell| set | 1 << cell);
    let mut chains = Vec::new();
    while left != 0 {
        let (mut lines, mut new) = (0, left & left.wrapping_neg());
        while new != 0 {
            left &= !new;
            lines |= lines_of(new).fold(0, |set, cell| set | open(cell));
            new = lines_of(lines).fold(0, |set, line| set | board.beside(line)) & left;
        }
        chains.push(lines);
    }
    chains
}

/// A chain, laid out.
#[derive(Debug)]
struct Chain {
    boxes: u64,
    lines: Open,
    /// Boxes at its ends that are not part of it.
    beside: u64,
    /// A loop, or both ends are at the same box.
    returns: bool,
}

/// What filling a chain is worth, from the value after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry {
    /// The player on the move takes the boxes, not the other.
    takes: bool,
    /// Boxes for that player, who goes on.
    all: i32,
    /// The same if the last ones are left to the other player, who has to go on.
    but_last: Option<i32>,
}

impl Entry {
    /// For the player on the move.
    #[inline(always)]
    fn value(self, after: i8) -> i8 {
        let after = i32::from(after);
        let all = self.all + after;
        let best = self.but_last.map_or(all, |boxes| all.max(boxes - after));
        (if self.takes { best } else { -best }) as i8
    }
}

impl Chain {
    /// Of these lines, which are a chain of that start.
    fn new(field: &Field, from: Lines, lines: Lines) -> Chain {
        let lines = field.open(field.board().all() & !lines);
        let all = field.boxes_at(lines);
        let boxes = all & field.valences(field.open(from)).two;
        // A ring has as many lines as boxes, and a chain that begins at the border and ends at a box.
        let has_end = field.valences(lines).one != 0;
        let returns = !has_end && lines.count() == all.count_ones();
        Chain { boxes, lines, beside: all & !boxes, returns }
    }

    /// What filling this chain is worth in a position where it is intact; none where some other
    /// move is as good.
    #[inline(always)]
    fn entry(&self, field: &Field, open: Open, valences: Valences) -> Option<Entry> {
        let boxes = self.boxes.count_ones() as i32;
        let is_far = self.beside & valences.two == 0 && !self.returns;
        if valences.one == 0 {
            if is_far {
                let but_last = (boxes >= 3).then_some(boxes - 4);
                return Some(Entry { takes: false, all: boxes, but_last });
            }
            return Some(self.open_strand(field, open, valences));
        }
        let ends = (self.beside & valences.one).count_ones() as i32;
        if ends == 0 {
            return None;
        }
        let all = boxes + ends;
        if is_far {
            let price = 4 * ends;
            let but_last = (2 * all >= price).then_some(all - price);
            return Some(Entry { takes: true, all, but_last });
        }
        Some(self.take_run(field, open, all))
    }

    /// Where nothing can be taken: the chain and what it has grown by.
    #[cold]
    fn open_strand(&self, field: &Field, open: Open, valences: Valences) -> Entry {
        let after = open.without(self.lines);
        let closed = field.boxes_at(self.lines) & !field.boxes_at(after);
        let all = closed.count_ones() as i32;
        let (rest, _) = runs(field, after, !0);
        let strand = field.connected(open, self.boxes, valences.two);
        let is_ring = field.lines_at(open, strand).count() == strand.count_ones();
        let price = match is_ring {
            true => Some(8),
            false => (all + rest >= 3).then_some(4),
        };
        Entry { takes: false, all, but_last: price.map(|price| all + 2 * rest - price) }
    }

    /// Where a box at one end can be taken and the one at the other has two open sides.
    #[cold]
    fn take_run(&self, field: &Field, open: Open, all: i32) -> Entry {
        let after = open.without(self.lines);
        let next = self.beside & field.boxes_at(after);
        let (rest, ends) = runs(field, after, next);
        let price = 4 * ends as i32;
        let can_be_left = 2 * (all + rest) >= price;
        Entry { takes: true, all, but_last: can_be_left.then_some(all + 2 * rest - price) }
    }
}

/// The boxes of the runs that begin at some of the boxes that can be taken, and how many ends of
/// these runs are open. More may follow; but then the last ones can be left later.
#[inline(always)]
fn runs(field: &Field, open: Open, from: u64) -> (i32, u32) {
    let valences = field.valences(open);
    let runs = field.connected(open, valences.one & from, valences.one | valences.two);
    (runs.count_ones() as i32, (runs & valences.one).count_ones())
}

/// The chains of a plan, and what is open at the places of a row.
#[derive(Debug)]
pub(super) struct Chains {
    field: Field,
    /// By digit.
    chains: Vec<Option<Chain>>,
    /// Lines of the first place of each block that are drawn, of high lines none.
    blocks: Vec<Open>,
    /// Lines that are drawn at each place of the first block.
    places: Vec<Open>,
}

impl Chains {
    /// None if no digit is a chain.
    pub fn new(plan: &Plan) -> Option<Chains> {
        if plan.digits.chains == 0 {
            return None;
        }
        let (low, all) = (&plan.low, plan.board.all());
        let field = Field::new(plan.board);
        let chain = |digit: usize| {
            plan.digits
                .is_chain(digit)
                .then(|| Chain::new(&field, plan.from, plan.digits.lines[digit]))
        };
        let chains = (0..plan.digits.lines.len()).map(chain).collect();
        let drawn = |index: usize| field.open(all & !plan.digits.drawn(low, index));
        let blocks = (0..low.size / low.inner).map(|block| drawn(block * low.inner)).collect();
        let places = (0..low.inner).map(drawn).collect();
        Some(Chains { field, chains, blocks, places })
    }

    /// Bytes that this takes.
    pub fn bytes(low: &Radix) -> u64 {
        const FIELD: u64 = 1 << 19;
        FIELD + ((low.size / low.inner + low.inner) * size_of::<Open>()) as u64
    }

    /// What is open in the first place of the row of an index.
    pub fn open(&self, plan: &Plan, high: usize) -> Open {
        self.field.open(plan.from | plan.digits.drawn(&plan.high, high))
    }

    /// Takes filling a chain into account in a block where it is intact. `first` is what is open at
    /// the first place of the row.
    #[inline(always)]
    pub fn fill(&self, digit: usize, first: Open, block: usize, values: &mut [u8], after: &[u8]) {
        let Some(chain) = &self.chains[digit] else { return };
        let open = first.without(self.blocks[block]);
        for ((value, &after), &drawn) in values.iter_mut().zip(after).zip(&self.places) {
            let open = open.without(drawn);
            if let Some(entry) = chain.entry(&self.field, open, self.field.valences(open)) {
                let worth = entry.value(after.cast_signed());
                *value = value.cast_signed().max(worth).cast_unsigned();
            }
        }
    }
}
