//! The number of positions of a board, by the number of lines drawn.
//!
//! A position is a set of lines: the best moves depend neither on the player to move nor on the
//! owners of boxes. Every set can be reached by drawing its lines in any order.
//!
//! Classes under symmetry are counted by Burnside's lemma: their number is the average number of
//! sets that a symmetry fixes. A symmetry fixes a set if each of its cycles of lines is drawn
//! completely or not at all, so a cycle of `n` lines contributes the factor `1 + x^n`. Lines along
//! the border of one box are interchangeable: `m` of them are a digit from 0 to `m`, and a cycle of
//! `n` such digits contributes the factor `1 + x^n + ... + x^(m n)`.

use crate::chart::{Chart, Figure, Shown};
use crate::{Analysis, AnalysisError, Table};
use bsq_engine::monitor::Monitor;
use bsq_engine::tabulate;
use bsq_games::dots::{Board, Lines, MOST_LINES};
use num_bigint::BigUint;
use std::collections::BTreeMap;

/// The number of positions by lines drawn, counted in three ways.
pub const CHART: Chart = Chart {
    x: "drawn",
    y: &["positions", "classes", "merged"],
    shown: &[
        Shown::new("positions", "all"),
        Shown::new("classes", "up to symmetry"),
        Shown::new("merged", "up to symmetry, border lines of a box interchangeable"),
    ],
    log_y: true,
    x_label: "lines drawn",
    y_label: "positions",
    ..Chart::new(
        "dots-positions",
        Figure::Lines,
        "There are {total of positions} positions, {total of classes} up to symmetry, {total of merged} with border lines merged",
    )
};

/// Numbers of positions by the number of lines drawn. Sums over 8 symmetries of at most 2^64
/// positions fit in 128 bits.
type ByLines = Vec<u128>;

/// The analysis `positions`. See the [module](self).
pub fn analysis() -> Analysis {
    let summary = "how many positions {board} has, by lines drawn";
    super::about_board("positions", summary, MOST_LINES, |_| 0.01, run).with_charts(&[&CHART])
}

fn run(board: Board, _: &Monitor) -> Result<Vec<Table>, AnalysisError> {
    Ok(vec![table(&board)])
}

fn table(board: &Board) -> Table {
    let singly: Vec<Lines> = (0..board.lines()).map(|line| 1 << line).collect();
    let columns = [
        fixed(board, &singly, &identity(board)),
        classes(board, &singly),
        classes(board, &digits(board)),
    ];
    let rows = (0..=board.lines())
        .map(|drawn| (Some(drawn), columns.each_ref().map(|column| BigUint::from(column[drawn]))));
    let totals = columns.each_ref().map(|column| BigUint::from(column.iter().sum::<u128>()));
    let rows = rows.chain([(None, totals)]);
    let title = "Positions by the number of lines drawn";
    let table = tabulate!("dots-positions", title, for (drawn, [positions, classes, merged]) in rows => {
        "drawn": integer key, "lines drawn" => drawn;
        "positions": integer, "sets of so many lines; play can reach each of them" => positions;
        "classes": integer, "the same, images under symmetry of the board taken as one" => classes;
        "merged": integer, "the same, lines along the border of one box interchangeable too"
            => merged;
    });
    table.total_over(&["drawn"])
}

fn identity(board: &Board) -> Vec<usize> {
    (0..board.lines()).collect()
}

/// Partitions the lines into groups of interchangeable ones.
fn digits(board: &Board) -> Vec<Lines> {
    let mut digits = board.exchanges();
    let grouped = digits.iter().fold(0, |all, lines| all | lines);
    let alone = (0..board.lines()).map(|line| 1 << line).filter(|line| grouped & line == 0);
    digits.extend(alone);
    digits
}

/// Counts classes under the symmetries of the board.
fn classes(board: &Board, digits: &[Lines]) -> ByLines {
    let symmetries = board.symmetries();
    let mut sum = vec![0; board.lines() + 1];
    for symmetry in &symmetries {
        let fixed = fixed(board, digits, symmetry);
        sum.iter_mut().zip(fixed).for_each(|(sum, fixed)| *sum += fixed);
    }
    sum.into_iter().map(|sum| sum / symmetries.len() as u128).collect()
}

/// Counts the positions that a symmetry fixes.
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

/// Counts the cycles of digits by the largest digit and the length.
fn cycles(digits: &[Lines], symmetry: &[usize]) -> BTreeMap<(usize, usize), usize> {
    // The image of a digit is the digit of the image of its first line.
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

/// Multiplies a polynomial by `1 + x^length + ... + x^(most length)`, truncated to its degree.
fn times(product: &[u128], most: usize, length: usize) -> ByLines {
    let at = |drawn: usize| -> u128 {
        let steps = (0..=most).map_while(|value| drawn.checked_sub(value * length));
        steps.map(|rest| product[rest]).sum()
    };
    (0..product.len()).map(at).collect()
}

#[cfg(test)]
mod tests;
