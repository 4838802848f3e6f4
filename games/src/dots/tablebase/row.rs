//! The values of a row, from those of the rows with one more line.
//!
//! A row has a place for each set of low lines: a signed byte, the value. The places of a block
//! differ in their last digits only; all operations but moves inside a block are on whole blocks.
//! The functions at the end are compiled for several sets of vector instructions.

use super::chains::Chains;
use super::digits::{Left, Radix};
use super::plan::{BLOCK, Plan};
use crate::dots::bitboard::OpenLines;
use crate::dots::board::{lines_of, set_of};
use bsq_engine::for_each_cpu;

/// The values of a block; the last ones are unused if blocks are smaller.
type Block = [u8; BLOCK];

/// The value before any move is taken into account. Every position but the full board has a move.
pub(super) const NONE: u8 = i8::MIN.cast_unsigned();

/// The properties of all rows.
pub(super) struct Table {
    /// The number of places of a block.
    inner: usize,
    /// The digits with open lines of each block, without the digits of places in the block.
    blocks: Vec<Left>,
    /// The strides of digits in blocks.
    strides: Vec<usize>,
    /// The digits of places in a block.
    inner_digits: Vec<usize>,
    /// The digits of places in a block, as a set.
    inner_set: u64,
    /// The digits of places in a row, as a set.
    low_set: u64,
    /// Moves inside a block, in an order in which every value is final before it is used.
    steps: Vec<Step>,
    /// The boxes beside each digit, each as the set of digits that must be full for the last line
    /// of the digit to close the box.
    boxes: Vec<Vec<u64>>,
    /// For each digit and each set of its boxes that the lines outside of the block permit to
    /// close: the number of boxes that the digit closes at each place of the block.
    gains: Vec<[Block; 4]>,
    /// The digits that are chains, as a set.
    chain_set: u64,
    chains: Option<Chains>,
}

/// A move from one place of a block to another.
struct Step {
    from: u8,
    to: u8,
    /// The number of the digit among those of a block.
    digit: u8,
}

/// A move to another row.
pub(super) struct Lift {
    /// The digit.
    pub digit: usize,
    /// Whether the move draws its last line.
    pub last: bool,
    /// The high digits that are full before the move.
    pub full: u64,
    /// The open lines at the first place of the row before the move, see [`Table::open`].
    pub open: OpenLines,
}

impl Table {
    pub fn new(plan: &Plan) -> Table {
        let (low, digits) = (&plan.low, &plan.digits);
        let inner = low.inner;
        let is_inner = |digit: &usize| low.strides[*digit] < inner;
        let (inner_digits, outer_digits): (Vec<usize>, Vec<usize>) =
            low.digits.iter().copied().partition(is_inner);
        let inner_set = set_of(inner_digits.iter().copied());
        let low_set = set_of(low.digits.iter().copied());
        let without = |left: Left| Left {
            full: left.full & !inner_set,
            open: left.open & !inner_set,
            last: left.last & !inner_set,
        };
        let blocks = (0..low.size / inner).map(|block| without(low.left(block * inner))).collect();
        let mut strides = vec![0; digits.lines.len()];
        outer_digits.iter().for_each(|&digit| strides[digit] = low.strides[digit] / inner);
        let mut places: Vec<usize> = (0..inner).collect();
        places.sort_by_key(|&place| std::cmp::Reverse(low.drawn(place)));
        let mut steps = Vec::new();
        for from in places {
            let open = low.left(from).open & inner_set;
            for (number, &digit) in inner_digits.iter().enumerate() {
                if open >> digit & 1 == 1 {
                    let to = from + low.strides[digit];
                    steps.push(Step { from: from as u8, to: to as u8, digit: number as u8 });
                }
            }
        }
        let gains = (0..digits.lines.len()).map(|digit| {
            let gain = |set: usize, place: usize| {
                let left = low.left(place);
                let is_last = inner_set & !left.last & 1 << digit == 0;
                let closes = |&(number, others): &(usize, &u64)| {
                    is_last && set >> number & 1 == 1 && others & inner_set & !left.full == 0
                };
                digits.boxes[digit].iter().enumerate().filter(closes).count() as u8
            };
            let block =
                |set| std::array::from_fn(|place| if place < inner { gain(set, place) } else { 0 });
            std::array::from_fn(block)
        });
        let gains = gains.collect();
        let boxes = digits.boxes.clone();
        let (chain_set, chains) = (digits.chains, Chains::new(&plan.board, plan.from, digits, low));
        Table {
            inner,
            blocks,
            strides,
            inner_digits,
            inner_set,
            low_set,
            steps,
            boxes,
            gains,
            chain_set,
            chains,
        }
    }

    /// The open lines at the first place of a row; empty if there are no chains, since only they
    /// use it.
    pub fn open(&self, plan: &Plan, high: usize) -> OpenLines {
        self.chains.as_ref().map_or_else(OpenLines::default, |chains| {
            chains.open(plan.from, &plan.digits, &plan.high, high)
        })
    }

    /// The boxes that the last line of a digit closes in a block in which these digits are full.
    #[inline(always)]
    fn gain(&self, digit: usize, full: u64) -> Option<&Block> {
        let mut set = 0;
        for (number, others) in self.boxes[digit].iter().enumerate() {
            set |= usize::from(others & !self.inner_set & !full == 0) << number;
        }
        (set != 0).then(|| &self.gains[digit][set & 3])
    }

    /// See [`lift`].
    #[inline(always)]
    fn lift(&self, row: &mut [u8], child: &[u8], by: &Lift) {
        if self.chain_set >> by.digit & 1 == 1 {
            return self.lift_chain(row, child, by);
        }
        let possible = |others: &u64| others & !self.low_set & !by.full == 0;
        if !by.last || !self.boxes[by.digit].iter().any(possible) {
            return pass(row, child);
        }
        let blocks = row.chunks_exact_mut(self.inner).zip(child.chunks_exact(self.inner));
        for ((row, child), left) in blocks.zip(&self.blocks) {
            match self.gain(by.digit, by.full | left.full) {
                None => pass(row, child),
                Some(gain) => close(row, child, gain),
            }
        }
    }

    /// [`lift`] for a chain.
    #[inline(always)]
    fn lift_chain(&self, row: &mut [u8], child: &[u8], by: &Lift) {
        let Some(chains) = &self.chains else { return };
        let blocks = row.chunks_exact_mut(self.inner).zip(child.chunks_exact(self.inner));
        for (block, (row, child)) in blocks.enumerate() {
            chains.fill(by.digit, by.open, block, row, child);
        }
    }

    /// See [`settle`].
    #[inline(always)]
    fn settle(&self, row: &mut [u8], full: u64, open: OpenLines) {
        let inner = self.inner;
        for (block, left) in self.blocks.iter().enumerate().rev() {
            let full = full | left.full;
            let Some((before, after)) = row.split_at_mut_checked((block + 1) * inner) else {
                return;
            };
            let here = &mut before[block * inner..];
            let mut values = [NONE; BLOCK];
            values[..inner].copy_from_slice(here);
            for digit in lines_of(left.open) {
                let child = &after[(self.strides[digit] - 1) * inner..][..inner];
                if let Some(chains) = &self.chains
                    && self.chain_set >> digit & 1 == 1
                {
                    chains.fill(digit, open, block, &mut values[..inner], child);
                    continue;
                }
                let last = left.last >> digit & 1 == 1;
                match if last { self.gain(digit, full) } else { None } {
                    None => pass(&mut values[..inner], child),
                    Some(gain) => close(&mut values[..inner], child, gain),
                }
            }
            let mut gains = [&ZERO; BLOCK];
            for (gain, &digit) in gains.iter_mut().zip(&self.inner_digits) {
                *gain = self.gain(digit, full).unwrap_or(&ZERO);
            }
            for step in &self.steps {
                let (from, to) = (usize::from(step.from) % BLOCK, usize::from(step.to) % BLOCK);
                let gain = gains[usize::from(step.digit) % BLOCK][from];
                values[from] = better(values[from], after_move(values[to], gain));
            }
            here.copy_from_slice(&values[..inner]);
        }
    }
}

/// Gains of a line that closes no box.
static ZERO: Block = [0; BLOCK];

/// The value of a move that closes `gain` boxes and leads to a position with this value.
#[inline(always)]
fn after_move(value: u8, gain: u8) -> u8 {
    // The opponent moves next, unless a box was closed.
    let turn = u8::from(gain == 0).wrapping_neg();
    (value ^ turn).wrapping_sub(turn).wrapping_add(gain)
}

/// The greater of two values.
#[inline(always)]
fn better(one: u8, other: u8) -> u8 {
    one.cast_signed().max(other.cast_signed()).cast_unsigned()
}

/// Takes moves that close no box into account.
#[inline(always)]
fn pass(row: &mut [u8], child: &[u8]) {
    fn each(row: &mut [u8], child: &[u8]) {
        let values = row.iter_mut().zip(child);
        values.for_each(|(value, &child)| *value = better(*value, child.wrapping_neg()));
    }
    let (rows, rest) = row.as_chunks_mut::<BLOCK>();
    let (children, child_rest) = child.as_chunks::<BLOCK>();
    for (row, child) in rows.iter_mut().zip(children) {
        for place in 0..BLOCK {
            row[place] = better(row[place], child[place].wrapping_neg());
        }
    }
    each(rest, child_rest);
}

/// Takes moves that close `gain` boxes at each place of a block into account.
#[inline(always)]
fn close(row: &mut [u8], child: &[u8], gain: &Block) {
    match (<&mut Block>::try_from(&mut *row), <&Block>::try_from(child)) {
        (Ok(row), Ok(child)) => {
            for place in 0..BLOCK {
                row[place] = better(row[place], after_move(child[place], gain[place]));
            }
        }
        _ => {
            for ((value, &child), &gain) in row.iter_mut().zip(child).zip(gain) {
                *value = better(*value, after_move(child, gain));
            }
        }
    }
}

for_each_cpu! {
    /// Takes the moves of a digit to a row into account.
    pub(super) fn lift(table: &Table, row: &mut [u8], child: &[u8], by: &Lift) {
        table.lift(row, child, by);
    }

    /// Takes the moves inside the row into account, which finishes it. `full` are the high digits
    /// that are full, and `open` the open lines at the first place.
    pub(super) fn settle(table: &Table, row: &mut [u8], full: u64, open: OpenLines) {
        table.settle(row, full, open);
    }

    /// Takes moves into account that were evaluated in the image of the row under a symmetry.
    pub(super) fn gather(low: &Radix, symmetry: usize, row: &mut [u8], image: &[u8]) {
        let places = &low.place_images[symmetry];
        for (row, &block) in row.chunks_exact_mut(low.inner).zip(&low.block_images[symmetry]) {
            for (value, &place) in row.iter_mut().zip(places) {
                *value = better(*value, image[(block + place) as usize]);
            }
        }
    }
}
