//! The endgame table: values of positions that consist of independent chains and loops.
//!
//! Where the boxes lie makes no difference then: a position is how many chains and loops there are
//! of each length. There are few of them, so all are valued beforehand.

use super::encoding::Encoding;
use std::collections::HashMap;

/// Boxes that are opened to the opponent together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Component {
    /// Between two other boxes, or from the border to the border.
    Chain(u32),
    /// In a ring; at least four boxes.
    Loop(u32),
}

impl Component {
    /// Number of boxes.
    pub fn boxes(self) -> u32 {
        match self {
            Component::Chain(boxes) | Component::Loop(boxes) => boxes,
        }
    }

    /// What it costs the player to whom it is opened not to draw the last line of it: twice as many
    /// boxes as are left to the opponent. None where there is no way to leave them.
    pub fn control_cost(self) -> Option<i32> {
        match self {
            Component::Chain(boxes) => (boxes >= 3).then_some(4),
            Component::Loop(_) => Some(8),
        }
    }
}

/// A set of chains and loops by its number. 0 is the empty one.
pub type Endgame = u32;

/// A component that may be opened, and what is left after it is gone.
#[derive(Clone, Copy, Debug)]
pub struct Opening {
    /// What is opened.
    pub component: Component,
    /// The rest.
    pub rest: Endgame,
}

/// All of them up to some number of boxes.
pub struct EndgameTable {
    /// By endgame and component, the endgame with that component too.
    more: Vec<Endgame>,
    kinds: usize,
    longest: u32,
    openings: Vec<[Option<Opening>; 4]>,
    boxes: Vec<u8>,
    values: Vec<i8>,
}

impl EndgameTable {
    /// All endgames of up to that many boxes, where who draws the last line of all gets `penalty`.
    pub fn new(boxes: u32, penalty: i32, encoding: Encoding) -> EndgameTable {
        let kinds = (1..=boxes).map(Component::Chain);
        let kinds: Vec<Component> =
            kinds.chain((4..=boxes).step_by(2).map(Component::Loop)).collect();
        let mut lists: Vec<Vec<Component>> = vec![Vec::new()];
        let mut first = 0;
        // One component more each time, in ascending order.
        while first < lists.len() {
            let end = lists.len();
            for i in first..end {
                let left = boxes - lists[i].iter().map(|component| component.boxes()).sum::<u32>();
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

    /// How many there are.
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

    /// The same with one component more.
    #[inline(always)]
    pub fn with(&self, endgame: Endgame, component: Component) -> Endgame {
        self.more[endgame as usize * self.kinds + self.kind(component)]
    }

    /// Number of boxes.
    #[inline(always)]
    pub fn boxes(&self, endgame: Endgame) -> u32 {
        self.boxes[endgame as usize].into()
    }

    /// What is left is worth that to the player on the move.
    #[inline(always)]
    pub fn value(&self, endgame: Endgame) -> i32 {
        self.values[endgame as usize].into()
    }

    /// The components worth opening: of the long chains, and of the loops, the shortest.
    #[inline(always)]
    pub fn openings(&self, endgame: Endgame) -> impl Iterator<Item = Opening> + '_ {
        self.openings[endgame as usize].iter().flatten().copied()
    }
}

/// What a player gets, on balance, to whom that many boxes are opened: all of them and the next
/// move elsewhere, or all but a few, which the opponent then has to take and to move. What is left
/// is worth `rest` to who moves there, and its score is odd or not. Where there is a choice, the
/// move that opened the boxes was loony.
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
