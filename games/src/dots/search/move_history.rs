//! Killer and history heuristics: moves that caused cutoffs in positions with as many open lines.

use super::node::{Move, Node};

/// Moves told apart: a line, and whether it opens boxes.
const MOVES: usize = 256;
/// For chains and loops apart, which are opened without a line of the position.
const APART: u8 = 255;

/// What makes a move be tried earlier: to have decided the last test that a move decided,
const LAST: i32 = 30;
/// or the one before,
const LAST_BUT_ONE: i32 = 15;
/// and to decide tests often. By trials on 3x3, 3x4 and Icelandic 4x4: 40% fewer nodes.
const OFTEN: i32 = 200;
/// Tests that a move is taken to have failed before the first.
const DOUBT: i32 = 3;
/// Tests after which half of them are forgotten.
const MOST_TESTS: u16 = 1000;

/// How often a move was tried, and decided a test.
#[derive(Clone, Copy, Default)]
struct Tries {
    decided: u16,
    tests: u16,
}

/// The move history of one thread.
pub struct MoveHistory {
    /// By open lines, the moves that decided a test last.
    last: Vec<[u8; 2]>,
    /// By open lines and move.
    tries: Vec<[Tries; MOVES]>,
}

impl MoveHistory {
    /// None yet, for a board of so many lines.
    pub fn new(lines: usize) -> MoveHistory {
        MoveHistory {
            last: vec![[APART; 2]; lines + 1],
            tries: vec![[Tries::default(); MOVES]; lines + 1],
        }
    }

    /// How much earlier a move is to be tried.
    #[inline]
    pub fn credit(&self, node: &Node, mv: &Move) -> i32 {
        let (lines, code) = (node.open.count() as usize, code(node, mv));
        let [last, last_but_one] = self.last[lines];
        let recent = match code {
            APART => 0,
            code if code == last => LAST,
            code if code == last_but_one => LAST_BUT_ONE,
            _ => 0,
        };
        let Tries { decided, tests } = self.tries[lines][usize::from(code)];
        recent + OFTEN * i32::from(decided) / (i32::from(tests) + DOUBT)
    }

    /// A move was tried, and decided the test or did not.
    #[inline]
    pub fn learn(&mut self, node: &Node, mv: &Move, decided: bool) {
        let (lines, code) = (node.open.count() as usize, code(node, mv));
        let tries = &mut self.tries[lines][usize::from(code)];
        tries.tests += 1;
        tries.decided += u16::from(decided);
        if tries.tests > MOST_TESTS {
            tries.tests /= 2;
            tries.decided /= 2;
        }
        let last = &mut self.last[lines];
        if decided && last[0] != code {
            *last = [code, last[0]];
        }
    }
}

/// A move as a number: the place of its first line, whether that is vertical, whether it opens boxes.
#[inline]
fn code(node: &Node, mv: &Move) -> u8 {
    let lines = node.open.without(mv.node.open);
    let opens = u8::from(mv.boxes > 0) << 7;
    match (lines.horizontal, lines.vertical) {
        (0, 0) => APART,
        (0, vertical) => opens | 64 | vertical.trailing_zeros() as u8,
        (horizontal, _) => opens | horizontal.trailing_zeros() as u8,
    }
}
