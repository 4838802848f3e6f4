//! Positions in which nothing is left but chains and loops apart from each other.
//!
//! Where the boxes lie makes no difference then: a position is how many chains and loops there are
//! of each length. There are few of them, so all are valued beforehand.

use super::scale::Scale;
use std::collections::HashMap;

/// Boxes that are opened to the opponent together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Strand {
    /// Between two other boxes, or from the border to the border.
    Chain(u32),
    /// In a ring; at least four boxes.
    Loop(u32),
}

impl Strand {
    /// Number of boxes.
    pub fn boxes(self) -> u32 {
        match self {
            Strand::Chain(boxes) | Strand::Loop(boxes) => boxes,
        }
    }

    /// What it costs the player to whom it is opened not to draw the last line of it: twice as many
    /// boxes as are left to the opponent. None where there is no way to leave them.
    pub fn price(self) -> Option<i32> {
        match self {
            Strand::Chain(boxes) => (boxes >= 3).then_some(4),
            Strand::Loop(_) => Some(8),
        }
    }
}

/// A set of chains and loops by its number. 0 is the empty one.
pub type Ending = u32;

/// A strand that may be opened, and what is left after it is gone.
#[derive(Clone, Copy, Debug)]
pub struct Opening {
    /// What is opened.
    pub strand: Strand,
    /// The rest.
    pub rest: Ending,
}

/// All of them up to some number of boxes.
pub struct Endings {
    /// By ending and strand, the ending with that strand too.
    more: Vec<Ending>,
    kinds: usize,
    longest: u32,
    openings: Vec<[Option<Opening>; 4]>,
    boxes: Vec<u8>,
    values: Vec<i8>,
}

impl Endings {
    /// All endings of up to that many boxes, where who draws the last line of all gets `penalty`.
    pub fn new(boxes: u32, penalty: i32, scale: Scale) -> Endings {
        let kinds = (1..=boxes).map(Strand::Chain);
        let kinds: Vec<Strand> = kinds.chain((4..=boxes).step_by(2).map(Strand::Loop)).collect();
        let mut lists: Vec<Vec<Strand>> = vec![Vec::new()];
        let mut first = 0;
        // One strand more each time, in ascending order.
        while first < lists.len() {
            let end = lists.len();
            for i in first..end {
                let left = boxes - lists[i].iter().map(|strand| strand.boxes()).sum::<u32>();
                let last = lists[i].last().copied();
                for &kind in &kinds {
                    if kind.boxes() <= left && last.is_none_or(|last| last <= kind) {
                        let mut list = lists[i].clone();
                        list.push(kind);
                        lists.push(list);
                    }
                }
            }
            first = end;
        }
        let numbers: HashMap<Vec<Strand>, Ending> =
            lists.iter().cloned().enumerate().map(|(i, list)| (list, i as Ending)).collect();
        let mut endings = Endings {
            more: vec![Ending::MAX; lists.len() * kinds.len()],
            kinds: kinds.len(),
            longest: boxes,
            openings: Vec::with_capacity(lists.len()),
            boxes: Vec::with_capacity(lists.len()),
            values: Vec::with_capacity(lists.len()),
        };
        for (number, list) in lists.iter().enumerate() {
            let without = |strand: Strand| {
                let mut rest = list.clone();
                let at = rest.iter().position(|&other| other == strand)?;
                rest.remove(at);
                Some(Opening { strand, rest: numbers[&rest] })
            };
            for &strand in list {
                let rest = without(strand).expect("it is there").rest;
                let at = rest as usize * endings.kinds + endings.kind(strand);
                endings.more[at] = number as Ending;
            }
            let least = |wanted: fn(&Strand) -> bool| {
                list.iter().copied().filter(wanted).min().and_then(without)
            };
            let openings = [
                least(|strand| *strand == Strand::Chain(1)),
                least(|strand| *strand == Strand::Chain(2)),
                least(|strand| matches!(strand, Strand::Chain(3..))),
                least(|strand| matches!(strand, Strand::Loop(_))),
            ];
            let value = openings.iter().flatten().map(|opening| {
                let rest = i32::from(endings.values[opening.rest as usize]);
                let odd = (i32::from(endings.boxes[opening.rest as usize]) + penalty) & 1 == 1;
                let strand = opening.strand;
                -given(scale, strand.boxes() as i32, strand.price(), rest, odd)
            });
            endings.values.push(value.max().unwrap_or(scale.value(penalty, 0)) as i8);
            endings.openings.push(openings);
            endings.boxes.push(list.iter().map(|strand| strand.boxes() as u8).sum());
        }
        endings
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    #[inline(always)]
    fn kind(&self, strand: Strand) -> usize {
        match strand {
            Strand::Chain(boxes) => boxes as usize - 1,
            Strand::Loop(boxes) => (self.longest + boxes / 2 - 2) as usize,
        }
    }

    /// The same with one strand more.
    #[inline(always)]
    pub fn with(&self, ending: Ending, strand: Strand) -> Ending {
        self.more[ending as usize * self.kinds + self.kind(strand)]
    }

    /// Number of boxes.
    #[inline(always)]
    pub fn boxes(&self, ending: Ending) -> u32 {
        self.boxes[ending as usize].into()
    }

    /// What is left is worth that to the player on the move.
    #[inline(always)]
    pub fn value(&self, ending: Ending) -> i32 {
        self.values[ending as usize].into()
    }

    /// The strands worth opening: of the long chains, and of the loops, the shortest.
    #[inline(always)]
    pub fn openings(&self, ending: Ending) -> impl Iterator<Item = Opening> + '_ {
        self.openings[ending as usize].iter().flatten().copied()
    }
}

/// What a player gets, on balance, to whom that many boxes are opened: all of them and the next
/// move elsewhere, or all but a few, which the opponent then has to take and to move. What is left
/// is worth `rest` to who moves there, and its score is odd or not. Where there is a choice, the
/// move that opened the boxes was loony.
#[inline(always)]
pub fn given(scale: Scale, boxes: i32, price: Option<i32>, rest: i32, odd: bool) -> i32 {
    match price {
        Some(price) => {
            let rest = scale.score(rest, odd);
            scale.value((boxes + rest).max(boxes - price - rest), 1)
        }
        None => scale.value(boxes, 0) + rest,
    }
}
