//! Positions that are equal by a symmetry of the board, or by an exchange of lines that are sides of
//! the same box and lie on the border.

use super::board::{Board, Lines, lines_of, set_of};
use super::rules::{Position, Rules};
use std::collections::BTreeSet;

/// The length above which only lines of the boxes at the ends of a board one box wide are
/// exchanged, because each further box would double the number of images.
const LONGEST: usize = 4;

/// The sets of interchangeable lines.
fn exchanged(board: &Board) -> Vec<Lines> {
    let mut sets = board.exchanges();
    let narrow = board.rows().min(board.cols()) == 1;
    if narrow && board.boxes() > LONGEST {
        // Boxes in the middle have two sides on the border, those at the ends have three.
        sets.retain(|set| set.count_ones() > 2);
    }
    sets
}

fn moved(set: u64, image: &[usize]) -> u64 {
    set_of(lines_of(set).map(|at| image[at]))
}

/// The images of a position under the symmetries of the rectangle, the position itself first.
fn turned(board: &Board, position: &Position) -> Vec<Position> {
    let turn = |(lines, boxes): (Vec<usize>, Vec<usize>)| Position {
        lines: moved(position.lines, &lines),
        taken: position.taken.map(|taken| moved(taken, &boxes)),
        to_move: position.to_move,
    };
    board.both_symmetries().map(turn).collect()
}

/// All subsets of that size.
fn choices(set: Lines, size: u32) -> impl Iterator<Item = Lines> {
    let subsets = std::iter::successors(Some(0), move |&subset: &Lines| {
        let next = subset.wrapping_sub(set) & set;
        (next != 0).then_some(next)
    });
    subsets.filter(move |subset| subset.count_ones() == size)
}

/// The first `size` lines of a set.
fn first(set: Lines, size: u32) -> Lines {
    set_of(lines_of(set).take(size as usize))
}

/// The symmetries of the rectangle, combined with exchanges of lines along the border of one box.
/// They do not depend on the variant. On a board of one row or column with more than 4 boxes,
/// exchanges within the boxes in the middle are left out, so that there are at most 128 images.
impl Rules {
    /// The distinct images of a position, the position itself first.
    pub fn images(&self, position: &Position) -> Vec<Position> {
        let mut images: BTreeSet<Position> = turned(&self.board, position).into_iter().collect();
        for set in exchanged(&self.board) {
            let exchange = |image: &Position| {
                let image = *image;
                let drawn = choices(set, (image.lines & set).count_ones());
                drawn.map(move |drawn| Position { lines: image.lines & !set | drawn, ..image })
            };
            images = images.iter().flat_map(exchange).collect();
        }
        images.remove(position);
        std::iter::once(*position).chain(images).collect()
    }

    /// The image that represents all of them.
    pub fn canonical(&self, position: &Position) -> Position {
        let sets = exchanged(&self.board);
        let settle = |image: Position| {
            let settle =
                |lines: Lines, &set: &Lines| lines & !set | first(set, (lines & set).count_ones());
            Position { lines: sets.iter().fold(image.lines, settle), ..image }
        };
        let images = turned(&self.board, position).into_iter();
        images.map(settle).min().expect("the position itself")
    }
}

#[cfg(test)]
mod tests;
