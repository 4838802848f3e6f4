//! A position of the search, and what its moves lead to.

use super::endings::{Ending, Endings, Strand, given};
use super::scale::Scale;
use super::settle::{Settled, take};
use crate::dots::{Board, Field, Open};
use bsq_engine::table::Bounds;

/// What makes a move be tried later: to be far from the middle,
const QUIET: i32 = 10;
/// to open many boxes;
const OPENED: i32 = 20;
/// and earlier: that more boxes have two open sides after it. By trials on 3x4 and Icelandic 4x4.
const STRANDS: i32 = 15;

/// What makes the search short, each to be switched off for a test of the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reductions {
    /// Of the lines that open the same boxes one is tried.
    pub strands: bool,
    /// Chains and loops apart from all else count by their number and length.
    pub apart: bool,
    /// Lines along the border of one box may change places.
    pub corners: bool,
    /// Positions that are each other's image are one.
    pub images: bool,
}

impl Reductions {
    /// All of them.
    pub const ALL: Reductions =
        Reductions { strands: true, apart: true, corners: true, images: true };
}

/// A position in which no box can be taken: the open lines that hang together in some other way
/// than chains and loops do, and those chains and loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// Open lines.
    pub open: Open,
    /// Chains and loops on their own.
    pub ending: Ending,
}

/// A move that may be worth it.
#[derive(Clone, Copy, Debug)]
pub struct Move {
    /// What it leads to once the opponent has taken what it opens.
    pub node: Node,
    /// Boxes that it opens to the opponent.
    pub boxes: i32,
    /// What the opponent pays to leave the last of them.
    pub price: Option<i32>,
    /// Whether scores of what it leads to are odd.
    pub odd: bool,
    /// Less is tried first.
    pub rank: i32,
}

/// The board with what is known about it beforehand.
pub struct Ground {
    /// The board.
    pub field: Field,
    /// All that can be left of it in chains and loops.
    pub endings: Endings,
    /// How values are written.
    pub scale: Scale,
    penalty: i32,
    reductions: Reductions,
    /// How far lines are from the middle of the board, squared, by place: level ones, upright ones.
    from_middle: [[i32; 64]; 2],
}

impl Ground {
    /// A board where the last line costs a penalty.
    pub fn new(board: Board, penalty: i32, scale: Scale, reductions: Reductions) -> Ground {
        let field = Field::with_images(board, reductions.images, reductions.corners);
        let endings = Endings::new(board.boxes() as u32, penalty, scale);
        let mut from_middle = [[0; 64]; 2];
        for line in 0..board.lines() {
            let upright = board.locate(line).0;
            let open = field.open(board.all() & !(1 << line));
            let place = (open.level | open.upright).trailing_zeros() as usize;
            from_middle[usize::from(upright)][place] = board.from_middle(line) as i32;
        }
        Ground { field, endings, scale, penalty, reductions, from_middle }
    }

    /// Boxes not yet taken.
    #[inline(always)]
    pub fn boxes(&self, node: &Node) -> i32 {
        let core = self.field.boxes_at(node.open).count_ones();
        (core + self.endings.boxes(node.ending)) as i32
    }

    /// Whether the scores of a node are odd: every box goes to somebody.
    #[inline(always)]
    pub fn odd(&self, node: &Node) -> bool {
        (self.boxes(node) + self.penalty) & 1 == 1
    }

    #[inline(always)]
    fn move_to(&self, node: Node, boxes: i32, price: Option<i32>, rank: i32) -> Move {
        Move { node, boxes, price, odd: self.odd(&node), rank }
    }

    /// The node of open lines, without a box to take, beside an ending.
    #[inline(always)]
    pub fn node(&self, open: Open, ending: Ending) -> Node {
        self.node_and_strands(open, ending).0
    }

    /// The same, with how many of its boxes have two open sides.
    #[inline(always)]
    fn node_and_strands(&self, mut open: Open, mut ending: Ending) -> (Node, u32) {
        let field = &self.field;
        let valences = field.valences(open);
        debug_assert_eq!(valences.one, 0);
        let bound = field.connected(open, valences.more, valences.more | valences.two);
        let mut apart = if self.reductions.apart { valences.two & !bound } else { 0 };
        while apart != 0 {
            let strand = field.connected(open, apart & apart.wrapping_neg(), apart);
            let lines = field.lines_at(open, strand);
            let boxes = strand.count_ones();
            let kind = if lines.count() == boxes { Strand::Loop } else { Strand::Chain };
            ending = self.endings.with(ending, kind(boxes));
            open = open.without(lines);
            apart &= !strand;
        }
        (Node { open, ending }, (valences.two & bound).count_ones())
    }

    /// The moves worth trying in a position: of the lines that open the same boxes one is enough.
    #[inline(always)]
    pub fn moves(&self, node: &Node, mut each: impl FnMut(Move)) {
        let field = &self.field;
        let valences = field.valences(node.open);
        let quiet = node.open.without(field.lines_at(node.open, valences.two));
        for (upright, mut lines) in [quiet.level, quiet.upright].into_iter().enumerate() {
            while lines != 0 {
                let line = lines & lines.wrapping_neg();
                lines ^= line;
                let mut open = node.open;
                *[&mut open.level, &mut open.upright][upright] ^= line;
                let from_middle = self.from_middle[upright][line.trailing_zeros() as usize];
                let (node, strands) = self.node_and_strands(open, node.ending);
                let rank = QUIET * from_middle - STRANDS * strands as i32;
                each(self.move_to(node, 0, None, rank));
            }
        }
        let mut strands = valences.two;
        while strands != 0 {
            let strand = field.connected(node.open, strands & strands.wrapping_neg(), strands);
            strands &= !strand;
            match self.reductions.strands {
                true => each(self.open_strand(node, strand)),
                false => self.open_lines(node, strand, &mut each),
            }
        }
        for opening in self.endings.openings(node.ending) {
            let boxes = opening.strand.boxes() as i32;
            let rank = OPENED * boxes - STRANDS * valences.two.count_ones() as i32;
            let node = Node { ending: opening.rest, ..*node };
            each(self.move_to(node, boxes, opening.strand.price(), rank));
        }
    }

    /// Every line of some boxes as a move of its own.
    #[cold]
    fn open_lines(&self, node: &Node, strand: u64, each: &mut impl FnMut(Move)) {
        let lines = self.field.lines_at(node.open, strand);
        for (upright, mut lines) in [lines.level, lines.upright].into_iter().enumerate() {
            while lines != 0 {
                let line = lines & lines.wrapping_neg();
                lines ^= line;
                let mut open = node.open;
                *[&mut open.level, &mut open.upright][upright] ^= line;
                let Settled { boxes, price, open, .. } = Settled::new(&self.field, open);
                each(self.move_to(self.node(open, node.ending), boxes, price, OPENED * boxes));
            }
        }
    }

    /// The move that opens these boxes, which hang together and have two open sides each.
    #[inline(always)]
    fn open_strand(&self, node: &Node, strand: u64) -> Move {
        let field = &self.field;
        let lines = field.lines_at(node.open, strand);
        let ring = lines.count() == strand.count_ones();
        let mut open = node.open.without(lines);
        let mut boxes = strand.count_ones() as i32;
        // A ring through a box of three open sides: that box goes too, and maybe more.
        while let one @ 1.. = field.valences(open).one {
            boxes += take(field, &mut open, one & one.wrapping_neg());
        }
        let (node, strands) = self.node_and_strands(open, node.ending);
        let rank = OPENED * boxes - STRANDS * strands as i32;
        let kind = if ring { Strand::Loop } else { Strand::Chain };
        self.move_to(node, boxes, kind(boxes as u32).price(), rank)
    }
}

impl Move {
    /// Between what it is worth to the player who makes it, from what is known of what it leads to.
    #[inline(always)]
    pub fn bounds(&self, scale: Scale, rest: Bounds) -> Bounds {
        if self.boxes == 0 {
            return Bounds { lower: -rest.upper, upper: -rest.lower };
        }
        let worth = |rest| given(scale, self.boxes, self.price, rest, self.odd);
        let ends = [rest.lower, rest.upper].map(worth);
        let mut least = ends[0].min(ends[1]);
        if let Some(price) = self.price {
            // Least where both choices are worth the same, or as nearly as the parity lets them.
            let even = -price / 2;
            let [low, high] = [rest.lower, rest.upper].map(|rest| scale.score(rest, self.odd));
            if low <= even && even <= high {
                least = scale.value(self.boxes + even + i32::from(self.odd), 1);
            }
        }
        Bounds { lower: -ends[0].max(ends[1]), upper: -least }
    }

    /// The next goal for what the move leads to, to decide whether it reaches its own.
    pub fn test(&self, scale: Scale, rest: Bounds, goal: i32) -> i32 {
        if self.price.is_none() {
            return 1 - goal - scale.value(self.boxes, 0);
        }
        // The opponent's score must not be more than that.
        let most = if scale.marks { (-goal - 1) >> 1 } else { -goal };
        let odd = i32::from(self.odd);
        let high = most - self.boxes;
        let high = scale.value(high - ((high ^ odd) & 1), 1);
        if rest.upper > high {
            return high + 1;
        }
        let low = self.boxes - self.price.unwrap_or(0) - most;
        scale.value(low + ((low ^ odd) & 1), -1)
    }
}
