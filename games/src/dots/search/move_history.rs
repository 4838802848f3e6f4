//! Killer and history heuristics: moves that caused cutoffs in positions with the same number of
//! open lines.

use super::node::{Move, Node};
use crate::dots::Word;

/// The number of move codes: a line, and whether it opens boxes.
const MOVES: usize = 512;
/// The code of opening an isolated chain or loop, which is not a line of the position.
const APART: u16 = 511;

/// Weights of the order of moves, found by trials on 3x3, 3x4 and Icelandic 4x4: 40% fewer nodes.
/// The move that caused the last cutoff,
const LAST: i32 = 30;
/// the one before,
const LAST_BUT_ONE: i32 = 15;
/// and the share of searches of a move that caused a cutoff.
const OFTEN: i32 = 200;
/// Searches without a cutoff that every move starts with.
const DOUBT: i32 = 3;
/// The counts of a move are halved after this number of searches.
const MOST_SEARCHES: u16 = 1000;

/// The mean number of nodes is that of about this many positions, the latest ones.
const MEAN_OF: f32 = 64.0;

/// The number of searches of a move, and of those that caused a cutoff.
#[derive(Clone, Copy, Default)]
struct Tries {
    cutoffs: u16,
    searches: u16,
}

/// The move history of one thread.
pub struct MoveHistory {
    /// The moves that caused the last two different cutoffs, by number of open lines.
    last: Vec<[u16; 2]>,
    /// Counts by number of open lines and move.
    tries: Vec<[Tries; MOVES]>,
    /// The mean number of nodes below a position, by number of open lines.
    nodes: Vec<f32>,
}

impl MoveHistory {
    /// An empty history for a board with the given number of lines.
    pub fn new(lines: usize) -> MoveHistory {
        MoveHistory {
            last: vec![[APART; 2]; lines + 1],
            tries: vec![[Tries::default(); MOVES]; lines + 1],
            nodes: vec![0.0; lines + 1],
        }
    }

    /// The credit of a move, to be subtracted from its rank.
    #[inline]
    pub fn credit<W: Word>(&self, node: &Node<W>, mv: &Move<W>) -> i32 {
        let (lines, code) = (node.open.count() as usize, code(node, mv));
        let [last, last_but_one] = self.last[lines];
        let recent = match code {
            APART => 0,
            code if code == last => LAST,
            code if code == last_but_one => LAST_BUT_ONE,
            _ => 0,
        };
        let Tries { cutoffs, searches } = self.tries[lines][usize::from(code)];
        recent + OFTEN * i32::from(cutoffs) / (i32::from(searches) + DOUBT)
    }

    /// The mean number of nodes below a position with as many open lines.
    #[inline]
    pub fn mean_nodes<W: Word>(&self, node: &Node<W>) -> f32 {
        self.nodes[node.open.count() as usize]
    }

    /// Records the number of nodes below a position.
    #[inline]
    pub fn learn_nodes<W: Word>(&mut self, node: &Node<W>, nodes: u64) {
        let mean = &mut self.nodes[node.open.count() as usize];
        *mean += (nodes as f32 - *mean) / MEAN_OF;
    }

    /// Records whether a searched move caused a cutoff.
    #[inline]
    pub fn learn<W: Word>(&mut self, node: &Node<W>, mv: &Move<W>, is_cutoff: bool) {
        let (lines, code) = (node.open.count() as usize, code(node, mv));
        let tries = &mut self.tries[lines][usize::from(code)];
        tries.searches += 1;
        tries.cutoffs += u16::from(is_cutoff);
        if tries.searches > MOST_SEARCHES {
            tries.searches /= 2;
            tries.cutoffs /= 2;
        }
        let last = &mut self.last[lines];
        if is_cutoff && last[0] != code {
            *last = [code, last[0]];
        }
    }
}

/// The code of a move: the place of its first line, whether that is vertical, whether it opens boxes.
#[inline]
fn code<W: Word>(node: &Node<W>, mv: &Move<W>) -> u16 {
    let lines = node.open.without(mv.node.open);
    let opens = u16::from(mv.boxes > 0) << 8;
    if lines.horizontal != W::zero() {
        opens | lines.horizontal.trailing_zeros() as u16
    } else if lines.vertical != W::zero() {
        opens | 1 << 7 | lines.vertical.trailing_zeros() as u16
    } else {
        APART
    }
}
