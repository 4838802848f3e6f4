//! The endgame table: values of positions that consist of independent chains and loops.
//!
//! Such a position is determined by the number of chains and loops of each length. There are few of
//! them, so the table contains them all.

use super::encoding::Encoding;
use std::collections::HashMap;

/// An isolated component.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Component {
    /// A chain: it ends at two other boxes, or at the border.
    Chain(u32),
    /// A loop, of at least four boxes.
    Loop(u32),
}

impl Component {
    /// The number of boxes.
    pub fn boxes(self) -> u32 {
        match self {
            Component::Chain(boxes) | Component::Loop(boxes) => boxes,
        }
    }

    /// The cost of control for the player to whom it is opened: twice the number of boxes that a
    /// double-dealing move leaves to the opponent. `None` if there is no such move.
    pub fn control_cost(self) -> Option<i32> {
        match self {
            Component::Chain(boxes) => (boxes >= 3).then_some(4),
            Component::Loop(_) => Some(8),
        }
    }
}

/// A multiset of chains and loops by its number in the table. 0 is the empty one.
pub type Endgame = u32;

/// The opening of a component.
#[derive(Clone, Copy, Debug)]
pub struct Opening {
    /// The component.
    pub component: Component,
    /// The endgame without it.
    pub rest: Endgame,
}

/// All endgames up to some number of boxes.
pub struct EndgameTable {
    /// The endgame with one more component, by endgame and component.
    more: Vec<Endgame>,
    kinds: usize,
    longest: u32,
    openings: Vec<[Option<Opening>; 4]>,
    boxes: Vec<u8>,
    values: Vec<i8>,
}

impl EndgameTable {
    /// The largest number of boxes of the endgames of a search: more than a board of 64 lines has.
    pub const MOST_BOXES: u32 = 28;

    /// Values all endgames of up to the given number of boxes. The player who draws the last line
    /// gets `penalty` points.
    pub fn new(boxes: u32, penalty: i32, encoding: Encoding) -> EndgameTable {
        let kinds = (1..=boxes).map(Component::Chain);
        let kinds: Vec<Component> =
            kinds.chain((4..=boxes).step_by(2).map(Component::Loop)).collect();
        let mut lists: Vec<Vec<Component>> = vec![Vec::new()];
        let mut at = 0;
        // Each list is extended by every component that is not less than its last one.
        while at < lists.len() {
            let left = boxes - lists[at].iter().map(|component| component.boxes()).sum::<u32>();
            let last = lists[at].last().copied();
            for &kind in &kinds {
                if kind.boxes() <= left && last.is_none_or(|last| last <= kind) {
                    let mut list = lists[at].clone();
                    list.push(kind);
                    lists.push(list);
                }
            }
            at += 1;
        }
        let numbers: HashMap<Vec<Component>, Endgame> =
            lists.iter().cloned().enumerate().map(|(i, list)| (list, i as Endgame)).collect();
        let mut endgames = EndgameTable {
            more: vec![Endgame::MAX; lists.len() * kinds.len()],
            kinds: kinds.len(),
            longest: boxes,
            openings: Vec::with_capacity(lists.len()),
            boxes: Vec::with_capacity(lists.len()),
            values: Vec::with_capacity(lists.len()),
        };
        for (number, list) in lists.iter().enumerate() {
            let without = |component: Component| {
                let mut rest = list.clone();
                let at = rest.iter().position(|&other| other == component)?;
                rest.remove(at);
                Some(Opening { component, rest: numbers[&rest] })
            };
            for &component in list {
                let rest = without(component).expect("it is there").rest;
                let at = rest as usize * endgames.kinds + endgames.kind(component);
                endgames.more[at] = number as Endgame;
            }
            let least = |wanted: fn(&Component) -> bool| {
                list.iter().copied().filter(wanted).min().and_then(without)
            };
            let openings = [
                least(|component| *component == Component::Chain(1)),
                least(|component| *component == Component::Chain(2)),
                least(|component| matches!(component, Component::Chain(3..))),
                least(|component| matches!(component, Component::Loop(_))),
            ];
            let value = openings.iter().flatten().map(|opening| {
                let rest = i32::from(endgames.values[opening.rest as usize]);
                let odd = (i32::from(endgames.boxes[opening.rest as usize]) + penalty) & 1 == 1;
                let component = opening.component;
                -given(encoding, component.boxes() as i32, component.control_cost(), rest, odd)
            });
            endgames.values.push(value.max().unwrap_or(encoding.value(penalty, 0)) as i8);
            endgames.openings.push(openings);
            endgames.boxes.push(list.iter().map(|component| component.boxes() as u8).sum());
        }
        endgames
    }

    /// The number of endgames.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    #[inline(always)]
    fn kind(&self, component: Component) -> usize {
        match component {
            Component::Chain(boxes) => boxes as usize - 1,
            Component::Loop(boxes) => (self.longest + boxes / 2 - 2) as usize,
        }
    }

    /// The endgame with one more component, if the table has it.
    #[inline(always)]
    pub fn with(&self, endgame: Endgame, component: Component) -> Option<Endgame> {
        let is_there = self.boxes(endgame) + component.boxes() <= self.longest;
        is_there.then(|| self.more[endgame as usize * self.kinds + self.kind(component)])
    }

    /// The number of boxes of an endgame.
    #[inline(always)]
    pub fn boxes(&self, endgame: Endgame) -> u32 {
        self.boxes[endgame as usize].into()
    }

    /// The value of an endgame for the player to move.
    #[inline(always)]
    pub fn value(&self, endgame: Endgame) -> i32 {
        self.values[endgame as usize].into()
    }

    /// The openings worth trying: of the long chains and of the loops only the shortest.
    #[inline(always)]
    pub fn openings(&self, endgame: Endgame) -> impl Iterator<Item = Opening> + '_ {
        self.openings[endgame as usize].iter().flatten().copied()
    }
}

/// The value for a player to whom the given number of boxes are opened: the player either takes all
/// of them and moves next, or leaves the last ones, so that the opponent moves next. `rest` is the
/// value of the position after that for the player to move there; `odd` is the parity of its
/// scores. If there is a choice, the move that opened the boxes was loony.
#[inline(always)]
pub fn given(
    encoding: Encoding,
    boxes: i32,
    control_cost: Option<i32>,
    rest: i32,
    odd: bool,
) -> i32 {
    match control_cost {
        Some(control_cost) => {
            let rest = encoding.score(rest, odd);
            encoding.value((boxes + rest).max(boxes - control_cost - rest), 1)
        }
        None => encoding.value(boxes, 0) + rest,
    }
}
