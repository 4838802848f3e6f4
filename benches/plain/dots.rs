//! Dots-and-Boxes by plain alpha-beta: all legal moves in reading order, with a hash table of
//! bounds by drawn lines, on one thread.

use bsq_games::dots::{Board, Lines, lines_of};

const SLOT_BITS: u32 = 23;

/// The search of one board.
pub struct Plain {
    board: Board,
    sides: Vec<Lines>,
    /// Lines with the bounds of their value.
    table: Vec<(Lines, [i8; 2])>,
    /// The number of positions searched.
    pub nodes: u64,
}

impl Plain {
    /// Creates a search with an empty table of 128 MiB.
    pub fn new(board: Board) -> Plain {
        let sides = (0..board.boxes()).map(|cell| board.sides(cell)).collect();
        let nothing = (Lines::MAX, [i8::MIN, i8::MAX]);
        Plain { board, sides, table: vec![nothing; 1 << SLOT_BITS], nodes: 0 }
    }

    /// The net score of the boxes still to come for the player to move.
    pub fn value(&mut self, drawn: Lines) -> i32 {
        let boxes = self.board.boxes() as i32;
        self.search(drawn, -boxes, boxes)
    }

    /// The value if it lies in the window, otherwise a bound outside it (fail-soft).
    fn search(&mut self, drawn: Lines, mut alpha: i32, beta: i32) -> i32 {
        self.nodes += 1;
        if drawn == self.board.all() {
            return 0;
        }
        let slot = (drawn.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - SLOT_BITS)) as usize;
        let (lines, bounds) = self.table[slot];
        let [mut lower, mut upper] = [i32::from(i8::MIN), i32::from(i8::MAX)];
        if lines == drawn {
            [lower, upper] = bounds.map(i32::from);
        }
        if lower >= beta || lower == upper {
            return lower;
        }
        if upper <= alpha {
            return upper;
        }
        let window = alpha;
        let mut best = i32::MIN;
        for line in lines_of(self.board.all() & !drawn) {
            let next = drawn | 1 << line;
            let closes = |sides: &&Lines| **sides >> line & 1 == 1 && **sides & !next == 0;
            let worth = match self.sides.iter().filter(closes).count() as i32 {
                0 => -self.search(next, -beta, -alpha),
                taken => taken + self.search(next, alpha - taken, beta - taken),
            };
            best = best.max(worth);
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        if best > window {
            lower = best;
        }
        if best < beta {
            upper = best;
        }
        self.table[slot] = (drawn, [lower as i8, upper as i8]);
        best
    }
}
