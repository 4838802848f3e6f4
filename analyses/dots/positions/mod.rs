//! How many positions a board has, by the number of lines drawn.
//!
//! A position is a set of lines: who is to move and who has which boxes makes no difference to what
//! is best. Every set can be reached, because no line is ever forbidden: draw its lines in any order.
//!
//! Images are counted by Burnside's lemma: there are as many classes as a symmetry leaves sets in
//! place, on average. It leaves those in place in which each of its cycles of lines is drawn
//! whole or not at all, so a cycle of `n` lines is a factor `1 + x^n`. Where lines along the border
//! of one box may change places, only their number counts: they are a digit from 0 to `m`, and a
//! cycle of `n` such digits is a factor `1 + x^n + ... + x^(m n)`.

use super::{Asked, PassError};
use crate::chart::{Chart, Figure};
use crate::{Cell, Kind, Table};
use bsq_engine::monitor::Monitor;
use bsq_games::dots::{Board, Lines};
use num_bigint::BigUint;
use std::collections::BTreeMap;

/// Positions by the lines drawn, counted in three ways.
pub const CHART: Chart = Chart {
    x: "drawn",
    y: &["positions", "classes", "merged"],
    log: true,
    x_label: "lines drawn",
    y_label: "positions",
    ..Chart::new("dots-positions", Figure::Lines)
};

/// Positions by the number of lines drawn. 128 bits are enough: of at most 2^64 positions a sum
/// over 8 symmetries is taken.
type ByLines = Vec<u128>;

/// The pass.
pub fn run(asked: &Asked, _: &Monitor) -> Result<Vec<Table>, PassError> {
    Ok(vec![table(&asked.board)])
}

fn table(board: &Board) -> Table {
    let mut table = Table::new(
        "dots-positions",
        "Positions by the number of lines drawn",
        &[
            ("drawn", Kind::Label, "lines drawn"),
            ("positions", Kind::Integer, "sets of so many lines; play can reach each of them"),
            ("classes", Kind::Integer, "the same, images under symmetry of the board taken as one"),
            (
                "merged",
                Kind::Integer,
                "the same, lines along the border of one box interchangeable too",
            ),
        ],
    );
    let singly: Vec<Lines> = (0..board.lines()).map(|line| 1 << line).collect();
    let columns = [
        fixed(board, &singly, &identity(board)),
        classes(board, &singly),
        classes(board, &digits(board)),
    ];
    let cells = |at: &dyn Fn(&ByLines) -> u128| {
        columns.each_ref().map(|c| Cell::from(BigUint::from(at(c))))
    };
    for drawn in 0..=board.lines() {
        let counts = cells(&|column| column[drawn]);
        table.push(std::iter::once(drawn.into()).chain(counts).collect());
    }
    let totals = cells(&|column| column.iter().sum());
    table.push(std::iter::once("all".into()).chain(totals).collect());
    table
}

fn identity(board: &Board) -> Vec<usize> {
    (0..board.lines()).collect()
}

/// The lines in groups within which they may change places, some of them alone.
fn digits(board: &Board) -> Vec<Lines> {
    let mut digits = board.exchanges();
    let grouped = digits.iter().fold(0, |all, lines| all | lines);
    let alone = (0..board.lines()).map(|line| 1 << line).filter(|line| grouped & line == 0);
    digits.extend(alone);
    digits
}

/// Classes under the symmetries of the board.
fn classes(board: &Board, digits: &[Lines]) -> ByLines {
    let symmetries = board.symmetries();
    let mut sum = vec![0; board.lines() + 1];
    for symmetry in &symmetries {
        let fixed = fixed(board, digits, symmetry);
        sum.iter_mut().zip(fixed).for_each(|(sum, fixed)| *sum += fixed);
    }
    sum.into_iter().map(|sum| sum / symmetries.len() as u128).collect()
}

/// How many positions a symmetry leaves in place.
fn fixed(board: &Board, digits: &[Lines], symmetry: &[usize]) -> ByLines {
    let mut product = vec![0; board.lines() + 1];
    product[0] = 1;
    for ((most, length), cycles) in cycles(digits, symmetry) {
        for _ in 0..cycles {
            product = times(&product, most, length);
        }
    }
    product
}

/// The cycles of digits, counted by the highest value of the digit and the length.
fn cycles(digits: &[Lines], symmetry: &[usize]) -> BTreeMap<(usize, usize), usize> {
    // A digit goes where its first line goes.
    let first = |digit: Lines| digit.trailing_zeros() as usize;
    let next = |at: usize| {
        let to = symmetry[first(digits[at])];
        digits.iter().position(|digit| digit >> to & 1 == 1).unwrap_or(at)
    };
    let mut seen = vec![false; digits.len()];
    let mut found = BTreeMap::new();
    for (start, digit) in digits.iter().enumerate() {
        let (mut at, mut length) = (start, 0);
        while !std::mem::replace(&mut seen[at], true) {
            (at, length) = (next(at), length + 1);
        }
        if length > 0 {
            *found.entry((digit.count_ones() as usize, length)).or_default() += 1;
        }
    }
    found
}

/// A polynomial times `1 + x^length + ... + x^(most length)`, cut off where no lines are left.
fn times(product: &[u128], most: usize, length: usize) -> ByLines {
    let at = |drawn: usize| -> u128 {
        let steps = (0..=most).map_while(|value| drawn.checked_sub(value * length));
        steps.map(|rest| product[rest]).sum()
    };
    (0..product.len()).map(at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// The classes that a set of permutations of the lines generates, position by position.
    fn brute(board: &Board, permutations: &[Vec<usize>]) -> ByLines {
        let mut counts = vec![0; board.lines() + 1];
        let mut seen = vec![false; 1 << board.lines()];
        for start in 0..=board.all() {
            if seen[start as usize] {
                continue;
            }
            counts[start.count_ones() as usize] += 1;
            let mut stack = BTreeSet::from([start]);
            while let Some(drawn) = stack.pop_first() {
                seen[drawn as usize] = true;
                for permutation in permutations {
                    let drawn_lines = (0..board.lines()).filter(|line| drawn >> line & 1 == 1);
                    let image: Lines = drawn_lines.map(|line| 1 << permutation[line]).sum();
                    if !seen[image as usize] {
                        stack.insert(image);
                    }
                }
            }
        }
        counts
    }

    /// Two lines along the border of one box change places.
    fn swaps(board: &Board) -> Vec<Vec<usize>> {
        let mut swaps = Vec::new();
        for one in 0..board.lines() {
            for other in 0..one {
                if board.beside(one) == board.beside(other) {
                    let mut swap = identity(board);
                    swap.swap(one, other);
                    swaps.push(swap);
                }
            }
        }
        swaps
    }

    #[test]
    fn classes_are_those_found_one_by_one() {
        for (rows, cols) in [(1, 1), (1, 2), (1, 4), (4, 1), (2, 2), (2, 3), (3, 2)] {
            let board = Board::new(rows, cols).unwrap();
            let singly: Vec<Lines> = (0..board.lines()).map(|line| 1 << line).collect();
            let mut permutations = board.symmetries();
            assert_eq!(classes(&board, &singly), brute(&board, &permutations), "{board}");
            permutations.extend(swaps(&board));
            assert_eq!(classes(&board, &digits(&board)), brute(&board, &permutations), "{board}");
        }
    }

    #[test]
    fn all_sets_of_the_largest_boards_are_counted() {
        for (rows, cols) in [(5, 5), (1, 21), (21, 1), (4, 6)] {
            let board = Board::new(rows, cols).unwrap();
            let table = table(&board);
            let total = Cell::from(BigUint::from(1_u8) << board.lines());
            assert_eq!(table.rows.last().unwrap()[1], total);
            assert_eq!(table.rows.len(), board.lines() + 2);
        }
    }
}
