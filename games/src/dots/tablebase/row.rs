//! The values of a row, from those of the rows with a line more.
//!
//! A row has a byte for each set of low lines, its places: a value, as an integer with a sign. Places come in blocks, which differ in
//! their last digits only; what is done is done to a whole block, but for moves inside it. The
//! functions at the end are compiled for several sets of vector instructions.

use super::chains::Chains;
use super::digits::{Left, Radix};
use super::plan::{BLOCK, Plan};
use crate::dots::bitboard::OpenLines;
use crate::dots::board::lines_of;
use bsq_engine::for_each_cpu;

/// The values of a block, the last ones unused where blocks are smaller.
type Block = [u8; BLOCK];

/// No move so far. Every position but the last has one.
pub(super) const NONE: u8 = i8::MIN.cast_unsigned();

/// What is true of all rows.
pub(super) struct Table {
    /// Places of a block.
    inner: usize,
    /// For each block which digits have open lines, those of the block itself apart.
    blocks: Vec<Left>,
    /// How many blocks further a place is with a line more, by digit.
    strides: Vec<usize>,
    /// The digits of places in a block.
    inner_digits: Vec<usize>,
    /// The same, a bit each.
    inner_set: u64,
    /// The digits of places, a bit each.
    low_set: u64,
    /// Moves inside a block, in an order in which all values are known when they are needed.
    steps: Vec<Step>,
    /// For each digit the boxes beside it: the digits that must be full for its last line to close
    /// the box.
    boxes: Vec<Vec<u64>>,
    /// For each digit and each set of its boxes that the lines outside of the block let it close: how
    /// many of them it closes at each place of the block.
    gains: Vec<[Block; 4]>,
    /// Which digits are chains, a bit each.
    chain_set: u64,
    chains: Option<Chains>,
}

/// A move from one place of a block to another.
struct Step {
    from: u8,
    to: u8,
    /// Which of the digits of a block.
    digit: u8,
}

/// A move to another row.
pub(super) struct Lift {
    /// The digit.
    pub digit: usize,
    /// Whether it has no open line after that.
    pub last: bool,
    /// The high digits that are full before it.
    pub full: u64,
    /// What is open at the first place of the row before it, see [`Table::open`].
    pub open: OpenLines,
}

impl Table {
    pub fn new(plan: &Plan) -> Table {
        let (low, digits) = (&plan.low, &plan.digits);
        let inner = low.inner;
        let is_inner = |digit: &usize| low.strides[*digit] < inner;
        let (inner_digits, outer_digits): (Vec<usize>, Vec<usize>) =
            low.digits.iter().copied().partition(is_inner);
        let inner_set = inner_digits.iter().fold(0, |set, &digit| set | 1 << digit);
        let low_set = low.digits.iter().fold(0, |set, &digit| set | 1 << digit);
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

    /// What is open at the first place of the row of an index; nothing where there are no chains,
    /// and nobody asks.
    pub fn open(&self, plan: &Plan, high: usize) -> OpenLines {
        self.chains.as_ref().map_or_else(OpenLines::default, |chains| {
            chains.open(plan.from, &plan.digits, &plan.high, high)
        })
    }

    /// What the last line of a digit closes in a block, where these digits are full.
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

    /// The same for a chain.
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

/// No box anywhere.
static ZERO: Block = [0; BLOCK];

/// What a move is worth that closes so many boxes and leads to a position of that value.
#[inline(always)]
fn after_move(value: u8, gain: u8) -> u8 {
    // The other player goes on, unless a box was closed.
    let turn = u8::from(gain == 0).wrapping_neg();
    (value ^ turn).wrapping_sub(turn).wrapping_add(gain)
}

/// The greater of two values.
#[inline(always)]
fn better(one: u8, other: u8) -> u8 {
    one.cast_signed().max(other.cast_signed()).cast_unsigned()
}

/// Moves that close nothing.
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

/// Moves that close so many boxes at each place of a block.
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
    /// Takes into account the moves of a digit that lead to a row.
    pub(super) fn lift(table: &Table, row: &mut [u8], child: &[u8], by: &Lift) {
        table.lift(row, child, by);
    }

    /// Takes into account the moves inside the row, where these high digits are full and these lines
    /// open at its first place. After that the row is finished.
    pub(super) fn settle(table: &Table, row: &mut [u8], full: u64, open: OpenLines) {
        table.settle(row, full, open);
    }

    /// Takes into account moves that were found for the image of the row under a symmetry.
    pub(super) fn gather(low: &Radix, symmetry: usize, row: &mut [u8], image: &[u8]) {
        let places = &low.place_images[symmetry];
        for (row, &block) in row.chunks_exact_mut(low.inner).zip(&low.block_images[symmetry]) {
            for (value, &place) in row.iter_mut().zip(places) {
                *value = better(*value, image[(block + place) as usize]);
            }
        }
    }
}
