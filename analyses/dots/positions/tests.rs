use super::*;
use bsq_engine::results::Cell;
use std::collections::BTreeSet;

/// Counts the orbits of the group that permutations of the lines generate, position by position.
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

/// The transpositions of two lines along the border of one box.
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
        assert_eq!(table.total.unwrap().rows[0][0], total);
        assert_eq!(table.rows.len(), board.lines() + 1);
    }
}
