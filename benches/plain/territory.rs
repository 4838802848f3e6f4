//! A plain territory search for one value: alpha-beta with null windows and a table of bounds. Free
//! cells are not settled, territories are not split into regions, and moves are tried in the order
//! of cells.

use std::collections::HashMap;

const SIDE: u32 = 5;
const CELLS: u32 = SIDE * SIDE;
const BOARD: u32 = (1 << CELLS) - 1;
const CENTRE: u32 = 1 << (CELLS / 2);

/// The value of the game on 5x5, and the number of nodes searched.
pub fn value() -> (i32, u64) {
    let mut search = Search { bounds: HashMap::new(), nodes: 0 };
    let (mut lower, mut upper) = (-(CELLS as i32), CELLS as i32);
    let mut goal = 0;
    while lower < upper {
        let found = search.test(BOARD, BOARD, BOARD & !CENTRE, goal);
        if found >= goal {
            lower = found;
            goal = found + 1;
        } else {
            upper = found;
            goal = found;
        }
    }
    (lower, search.nodes)
}

struct Search {
    /// Bounds on the value of pairs of sets, the mover's first.
    bounds: HashMap<(u32, u32), (i8, i8)>,
    nodes: u64,
}

impl Search {
    /// A bound on the value that decides whether it is at least the goal.
    fn test(&mut self, own: u32, other: u32, allowed: u32, goal: i32) -> i32 {
        if own == 0 {
            return -(other.count_ones() as i32);
        }
        let key = canonical(own, other);
        let all_allowed = own & !allowed == 0;
        let unknown = (-(CELLS as i8), CELLS as i8);
        let (lower, upper) = self.bounds.get(&key).copied().unwrap_or(unknown);
        if all_allowed && i32::from(lower) >= goal {
            return i32::from(lower);
        }
        if all_allowed && i32::from(upper) < goal {
            return i32::from(upper);
        }
        self.nodes += 1;
        let mut best = i32::MIN;
        let mut moves = own & allowed;
        while moves != 0 && best < goal {
            let cell = moves & moves.wrapping_neg();
            moves ^= cell;
            best = best.max(1 - self.test(other & !reach(cell), own & !cell, BOARD, 2 - goal));
        }
        if all_allowed {
            let known = if best >= goal { (best as i8, upper) } else { (lower, best as i8) };
            self.bounds.insert(key, known);
        }
        best
    }
}

fn reach(cell: u32) -> u32 {
    const LEFT: u32 = 0b00001_00001_00001_00001_00001;
    let sideways = (cell & !LEFT) >> 1 | cell << 1 & !LEFT;
    (cell | sideways | cell << SIDE | cell >> SIDE) & BOARD
}

/// The least of the eight images of a pair of sets.
fn canonical(own: u32, other: u32) -> (u32, u32) {
    let mut image = (own, other);
    let mut least = image;
    for turn in 0..8 {
        image = match turn {
            4 => (flipped(own), flipped(other)),
            _ => (turned(image.0), turned(image.1)),
        };
        least = least.min(image);
    }
    least
}

/// The set rotated by 90 degrees.
fn turned(set: u32) -> u32 {
    moved(set, |row, col| (col, SIDE - 1 - row))
}

/// The mirror image of the set.
fn flipped(set: u32) -> u32 {
    moved(set, |row, col| (row, SIDE - 1 - col))
}

fn moved(mut set: u32, to: impl Fn(u32, u32) -> (u32, u32)) -> u32 {
    let mut image = 0;
    while set != 0 {
        let cell = set.trailing_zeros();
        set &= set - 1;
        let (row, col) = to(cell / SIDE, cell % SIDE);
        image |= 1 << (row * SIDE + col);
    }
    image
}
