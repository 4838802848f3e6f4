//! Positions of the search, and the generation of moves.

use super::captures::{Captures, take};
use super::encoding::Encoding;
use super::endgame_table::{Component, Endgame, EndgameTable, given};
use crate::dots::bitboard::{MOST_PLACES, first};
use crate::dots::{Bitboard, Board, OpenLines, Word};
use bsq_engine::table::Bounds;

// Weights of the static rank of a move, found by trials on 3x4 and Icelandic 4x4. Moves of a higher
// rank are tried later.

/// The weight of the distance from the middle.
const QUIET: i32 = 10;
/// The weight of the number of boxes that the move opens.
const OPENED: i32 = 20;
/// The weight, subtracted, of the number of boxes with two open sides after the move.
const CHAIN_BOXES: i32 = 15;

/// The reductions of the search. Each can be switched off to test the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reductions {
    /// Of the lines that open the same boxes only one is tried.
    pub components: bool,
    /// Isolated chains and loops are represented by their number and lengths.
    pub endgames: bool,
    /// Positions with isomorphic graphs are identified.
    pub isomorphism: bool,
}

impl Reductions {
    /// All reductions.
    pub const ALL: Reductions = Reductions { components: true, endgames: true, isomorphism: true };
}

/// A position without captures: the open lines of components other than chains and loops, and the
/// endgame of isolated chains and loops. If these have more boxes than the endgame table, some are
/// among the open lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node<W = u64> {
    /// Open lines.
    pub open: OpenLines<W>,
    /// Isolated chains and loops.
    pub endgame: Endgame,
}

impl<W: Word> Node<W> {
    /// A hash of the open lines and the endgame.
    #[inline(always)]
    pub fn hash(&self) -> u64 {
        let OpenLines { horizontal, vertical } = self.open;
        let lines = horizontal.folded() ^ vertical.folded().rotate_left(32);
        lines ^ u64::from(self.endgame) << 20
    }
}

/// A move of the search.
#[derive(Clone, Copy, Debug)]
pub struct Move<W = u64> {
    /// The position after the opponent has taken the boxes that the move opens.
    pub node: Node<W>,
    /// The number of boxes that it opens to the opponent.
    pub boxes: i32,
    /// The cost of control of the opponent in these boxes.
    pub control_cost: Option<i32>,
    /// Whether scores of the position after it are odd.
    pub odd: bool,
    /// Moves of lower rank are tried first.
    pub rank: i32,
}

/// A move generator: the bitboard layout, the endgame table and the reductions of a board.
pub struct MoveGenerator<W = u64> {
    /// The board.
    pub bitboard: Bitboard<W>,
    /// The values of all endgames of the board.
    pub endgames: EndgameTable,
    /// The encoding of values.
    pub encoding: Encoding,
    penalty: i32,
    reductions: Reductions,
    /// The squared distance of each line from the middle of the board, horizontal and vertical.
    from_middle: [[i32; MOST_PLACES]; 2],
}

impl<W: Word> MoveGenerator<W> {
    /// A move generator for a board with a penalty for the last line.
    pub fn new(
        board: Board,
        penalty: i32,
        encoding: Encoding,
        reductions: Reductions,
    ) -> MoveGenerator<W> {
        let bitboard = Bitboard::<W>::of(board);
        let boxes = (board.boxes() as u32).min(EndgameTable::MOST_BOXES);
        let endgames = EndgameTable::new(boxes, penalty, encoding);
        let mut from_middle = [[0; MOST_PLACES]; 2];
        for line in 0..board.lines() {
            let vertical = board.locate(line).0;
            let open = bitboard.open(board.all() & !(1 << line));
            let place = (open.horizontal | open.vertical).trailing_zeros() as usize;
            from_middle[usize::from(vertical)][place] = board.from_middle(line) as i32;
        }
        MoveGenerator { bitboard, endgames, encoding, penalty, reductions, from_middle }
    }

    /// The number of boxes that are not taken.
    #[inline(always)]
    pub fn boxes(&self, node: &Node<W>) -> i32 {
        let core = self.bitboard.boxes_at(node.open).count_ones();
        (core + self.endgames.boxes(node.endgame)) as i32
    }

    /// Whether the scores of a node are odd.
    #[inline(always)]
    pub fn odd(&self, node: &Node<W>) -> bool {
        (self.boxes(node) + self.penalty) & 1 == 1
    }

    /// The number of bits of a key.
    pub fn key_bits(&self) -> u32 {
        self.bitboard.packed_bits() + self.endgames.len().ilog2() + 1
    }

    /// The node as a number.
    #[inline(always)]
    pub fn key(&self, node: &Node<W>) -> u128 {
        let Node { open, endgame } = *node;
        self.bitboard.packed(open) | u128::from(endgame) << self.bitboard.packed_bits()
    }

    /// The node of a key.
    #[inline(always)]
    pub fn node_of_key(&self, key: u128) -> Node<W> {
        let endgame = (key >> self.bitboard.packed_bits()) as Endgame;
        Node { open: self.bitboard.unpacked(key), endgame }
    }

    /// Whether a number is the key of a node.
    pub fn is_key(&self, key: u128) -> bool {
        let node = self.node_of_key(key);
        let is_key = key >> self.key_bits() == 0 && (node.endgame as usize) < self.endgames.len();
        let bitboard = &self.bitboard;
        is_key
            && bitboard.open(bitboard.drawn(node.open)) == node.open
            && bitboard.degrees(node.open).one == W::zero()
            && self.boxes(&node) <= bitboard.board().boxes() as i32
    }

    /// A hash that is the same for isomorphic nodes.
    #[inline(always)]
    pub fn signature(&self, node: &Node<W>) -> u64 {
        if self.reductions.isomorphism {
            self.bitboard.signature(node.open) ^ u64::from(node.endgame)
        } else {
            node.hash()
        }
    }

    /// Whether a node is isomorphic to that of another key.
    #[inline(always)]
    pub fn isomorphic(&self, node: &Node<W>, key: u128) -> bool {
        let other = self.node_of_key(key);
        self.reductions.isomorphism
            && node.endgame == other.endgame
            && self.bitboard.isomorphic(node.open, other.open)
    }

    #[inline(always)]
    fn move_to(&self, node: Node<W>, boxes: i32, control_cost: Option<i32>, rank: i32) -> Move<W> {
        Move { node, boxes, control_cost, odd: self.odd(&node), rank }
    }

    /// The node of open lines without captures together with an endgame.
    #[inline(always)]
    pub fn node(&self, open: OpenLines<W>, endgame: Endgame) -> Node<W> {
        self.node_and_chain_boxes(open, endgame).0
    }

    /// The node, and the number of its boxes with two open sides.
    #[inline(always)]
    fn node_and_chain_boxes(&self, mut open: OpenLines<W>, mut endgame: Endgame) -> (Node<W>, u32) {
        let bitboard = &self.bitboard;
        let degrees = bitboard.degrees(open);
        debug_assert_eq!(degrees.one, W::zero());
        let bound = bitboard.connected(open, degrees.more, degrees.more | degrees.two);
        let mut endgames = if self.reductions.endgames { degrees.two & !bound } else { W::zero() };
        while endgames != W::zero() {
            let component = bitboard.connected(open, first(endgames), endgames);
            let lines = bitboard.lines_at(open, component);
            let boxes = component.count_ones();
            let kind = if lines.count() == boxes { Component::Loop } else { Component::Chain };
            endgames &= !component;
            // Components beyond the table stay in the core.
            if let Some(more) = self.endgames.with(endgame, kind(boxes)) {
                endgame = more;
                open = open.without(lines);
            }
        }
        (Node { open, endgame }, (degrees.two & bound).count_ones())
    }

    /// Generates the moves of a position; of lines that open the same boxes only one.
    #[inline(always)]
    pub fn moves(&self, node: &Node<W>, mut each: impl FnMut(Move<W>)) {
        let bitboard = &self.bitboard;
        let degrees = bitboard.degrees(node.open);
        let quiet = node.open.without(bitboard.lines_at(node.open, degrees.two));
        for (vertical, mut lines) in [quiet.horizontal, quiet.vertical].into_iter().enumerate() {
            while lines != W::zero() {
                let line = first(lines);
                lines ^= line;
                let mut open = node.open;
                *[&mut open.horizontal, &mut open.vertical][vertical] ^= line;
                let from_middle = self.from_middle[vertical][line.trailing_zeros() as usize];
                let (node, components) = self.node_and_chain_boxes(open, node.endgame);
                let rank = QUIET * from_middle - CHAIN_BOXES * components as i32;
                each(self.move_to(node, 0, None, rank));
            }
        }
        let mut components = degrees.two;
        while components != W::zero() {
            let component = bitboard.connected(node.open, first(components), components);
            components &= !component;
            if self.reductions.components {
                each(self.open_component(node, component));
            } else {
                self.open_lines(node, component, &mut each);
            }
        }
        for opening in self.endgames.openings(node.endgame) {
            let boxes = opening.component.boxes() as i32;
            let rank = OPENED * boxes - CHAIN_BOXES * degrees.two.count_ones() as i32;
            let node = Node { endgame: opening.rest, ..*node };
            each(self.move_to(node, boxes, opening.component.control_cost(), rank));
        }
    }

    /// Generates every line of some boxes as a separate move.
    #[cold]
    fn open_lines(&self, node: &Node<W>, component: W, each: &mut impl FnMut(Move<W>)) {
        let lines = self.bitboard.lines_at(node.open, component);
        for (vertical, mut lines) in [lines.horizontal, lines.vertical].into_iter().enumerate() {
            while lines != W::zero() {
                let line = first(lines);
                lines ^= line;
                let mut open = node.open;
                *[&mut open.horizontal, &mut open.vertical][vertical] ^= line;
                let Captures { boxes, control_cost, open, .. } =
                    Captures::new(&self.bitboard, open);
                each(self.move_to(
                    self.node(open, node.endgame),
                    boxes,
                    control_cost,
                    OPENED * boxes,
                ));
            }
        }
    }

    /// The move that opens a component: connected boxes with two open sides each.
    #[inline(always)]
    fn open_component(&self, node: &Node<W>, component: W) -> Move<W> {
        let bitboard = &self.bitboard;
        let lines = bitboard.lines_at(node.open, component);
        let is_loop = lines.count() == component.count_ones();
        let mut open = node.open.without(lines);
        let mut boxes = component.count_ones() as i32;
        // A ring through a box with three open sides takes that box too, and maybe more.
        loop {
            let one = bitboard.degrees(open).one;
            if one == W::zero() {
                break;
            }
            boxes += take(bitboard, &mut open, first(one));
        }
        let (node, components) = self.node_and_chain_boxes(open, node.endgame);
        let rank = OPENED * boxes - CHAIN_BOXES * components as i32;
        let kind = if is_loop { Component::Loop } else { Component::Chain };
        self.move_to(node, boxes, kind(boxes as u32).control_cost(), rank)
    }
}

impl<W: Word> Move<W> {
    /// Bounds on the value of the move for the player who makes it, from those of the position
    /// after it.
    #[inline(always)]
    pub fn bounds(&self, encoding: Encoding, rest: Bounds) -> Bounds {
        if self.boxes == 0 {
            return Bounds { lower: -rest.upper, upper: -rest.lower };
        }
        let worth = |rest| given(encoding, self.boxes, self.control_cost, rest, self.odd);
        let ends = [rest.lower, rest.upper].map(worth);
        let mut least = ends[0].min(ends[1]);
        if let Some(control_cost) = self.control_cost {
            // The minimum is where both choices have the same value, as nearly as parity permits.
            let even = -control_cost / 2;
            let [low, high] = [rest.lower, rest.upper].map(|rest| encoding.score(rest, self.odd));
            if low <= even && even <= high {
                least = encoding.value(self.boxes + even + i32::from(self.odd), 1);
            }
        }
        Bounds { lower: -ends[0].max(ends[1]), upper: -least }
    }

    /// The next `beta` for the position after the move, to decide whether the move reaches `goal`.
    pub fn child_beta(&self, encoding: Encoding, rest: Bounds, goal: i32) -> i32 {
        if self.control_cost.is_none() {
            return 1 - goal - encoding.value(self.boxes, 0);
        }
        // The opponent's score must not exceed this.
        let most = if encoding.marks { (-goal - 1) >> 1 } else { -goal };
        let odd = i32::from(self.odd);
        let high = most - self.boxes;
        let high = encoding.value(high - ((high ^ odd) & 1), 1);
        if rest.upper > high {
            return high + 1;
        }
        let low = self.boxes - self.control_cost.unwrap_or(0) - most;
        encoding.value(low + ((low ^ odd) & 1), -1)
    }
}
