//! Tests the theorems of `docs/territory.md` against plain recursion on all territories of tiny
//! boards, and against the strong solution on larger ones.

use bsq_engine::monitor::Monitor;
use bsq_engine::strong;
use bsq_games::british_square::territory::{SearchRequest, Solver, StrongSolution, Territory};
use bsq_games::british_square::{Board, BritishSquare, Rules, TerritoryBoard};
use proptest::prelude::*;
use std::collections::HashMap;

/// Computes values by plain recursion, without symmetries and pruning.
struct Plain {
    board: Board,
    known: HashMap<(u64, u64), i32>,
}

impl Plain {
    fn new(rows: usize, cols: usize) -> Plain {
        Plain { board: Board::new(rows, cols).unwrap(), known: HashMap::new() }
    }

    fn value(&mut self, own: u64, other: u64) -> i32 {
        if own == 0 {
            return -(other.count_ones() as i32); // the other player takes all, one by one
        }
        if let Some(&value) = self.known.get(&(own, other)) {
            return value;
        }
        let moves = (0..self.board.cells()).filter(|cell| own >> cell & 1 == 1);
        let best = moves.map(|cell| 1 - self.after(own, other, cell)).max().unwrap();
        self.known.insert((own, other), best);
        best
    }

    /// The value for the opponent after a move.
    fn after(&mut self, own: u64, other: u64, cell: usize) -> i32 {
        let reach = 1 << cell | self.board.neighbours(1 << cell);
        self.value(other & !reach, own & !(1 << cell))
    }
}

fn all_pairs(board: Board) -> impl Iterator<Item = (u64, u64)> {
    (0..=board.all()).flat_map(move |own| (0..=board.all()).map(move |other| (own, other)))
}

#[test]
fn it_never_pays_to_wait() {
    for (rows, cols) in [(1, 8), (2, 4), (3, 3)] {
        let mut plain = Plain::new(rows, cols);
        for (own, other) in all_pairs(plain.board) {
            assert!(plain.value(own, other) >= -plain.value(other, own), "{own:b} {other:b}");
        }
    }
}

#[test]
fn a_given_piece_never_hurts_and_free_cells_are_points() {
    for (rows, cols) in [(1, 8), (2, 4), (3, 3)] {
        let mut plain = Plain::new(rows, cols);
        let board = plain.board;
        for (own, other) in all_pairs(board) {
            for cell in (0..board.cells()).filter(|cell| own >> cell & 1 == 1) {
                let reach = 1 << cell | board.neighbours(1 << cell);
                let (rest, closed) = (own & !(1 << cell), other & !reach);
                assert!(plain.value(own, other) <= 1 + plain.value(rest, closed));
                assert!(-plain.value(other, own) <= 1 - plain.value(closed, rest));
                if closed == other {
                    assert_eq!(plain.value(own, other), 1 + plain.value(rest, other));
                    assert_eq!(plain.value(other, own), plain.value(other, rest) - 1);
                }
            }
        }
    }
}

fn solver(board: Board, table_bytes: u64) -> Solver {
    Solver::new(TerritoryBoard::new(board), table_bytes).unwrap()
}

fn value(solver: &Solver, own: u64, other: u64) -> i32 {
    let request = SearchRequest::new(Territory { own, other });
    solver.value(&request, &Monitor::default()).unwrap()
}

#[test]
fn the_solver_agrees_with_plain_recursion_on_every_territory_of_tiny_boards() {
    for (rows, cols) in [(1, 7), (2, 3), (2, 4), (3, 2)] {
        let mut plain = Plain::new(rows, cols);
        let solver = solver(plain.board, 1 << 16);
        for (own, other) in all_pairs(plain.board) {
            assert_eq!(value(&solver, own, other), plain.value(own, other), "{own:b} {other:b}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Compares arbitrary sets of cells, reachable or not.
    #[test]
    fn the_solver_agrees_with_plain_recursion(
        (rows, cols) in prop::sample::select(vec![(3, 3), (3, 4), (4, 3), (2, 6), (1, 12)]),
        own: u64,
        other: u64,
        lines in 1_u64..20,
    ) {
        let mut plain = Plain::new(rows, cols);
        let all = plain.board.all();
        let solver = solver(plain.board, lines * 64);
        let (own, other) = (own & all, other & all);
        prop_assert_eq!(value(&solver, own, other), plain.value(own, other));
        prop_assert_eq!(value(&solver, other, own), plain.value(other, own));
    }
}

/// Compares the values of all states of a board by the strong solution and by territory.
fn check_every_state(rows: usize, cols: usize) {
    let rules = Rules { center_allowed: true, ..Rules::standard(rows, cols).unwrap() };
    let game = BritishSquare::new(rules.clone()).unwrap();
    let states = strong::solve(&game, &game.root(), &Monitor::default()).unwrap();
    let field = TerritoryBoard::new(rules.board);
    let root = field.territory(&rules, &rules.start());
    let every =
        StrongSolution::solve(field.clone(), root, states.positions() / 8, &Monitor::default());
    let every = every.unwrap();
    let mut checked = 0;
    for (key, known) in states.iter() {
        let position = game.position(key);
        let open = every.value(field.territory(&rules, &position));
        let sign = position.to_move.sign();
        assert_eq!(
            open.map(|open| rules.score(&position) + sign * open),
            Some(known),
            "{position:?}"
        );
        checked += 1;
    }
    assert_eq!(checked, states.positions());
    assert!(every.len() as u64 <= checked);
}

#[test]
fn folding_changes_no_state_of_5x5() {
    check_every_state(5, 5);
}

#[test]
fn folding_changes_no_state_of_boards_of_up_to_16_cells() {
    for rows in 1..=4 {
        for cols in rows..=16 / rows {
            check_every_state(rows, cols);
        }
    }
}

#[test]
fn folding_changes_no_state_of_boards_of_17_to_20_cells() {
    for rows in 1..=4 {
        for cols in 16 / rows + 1..=20 / rows {
            check_every_state(rows, cols);
        }
    }
}

#[test]
#[ignore = "takes half a minute: cargo test --release -p bsq-games --test territory -- --ignored"]
fn folding_changes_no_state_of_boards_of_21_to_25_cells() {
    for rows in 2..=4 {
        for cols in 20 / rows + 1..=25 / rows {
            check_every_state(rows, cols);
        }
    }
}

/// The solver splits territories into regions, cancels opposite regions and bounds sums;
/// `StrongSolution` does not.
#[test]
fn the_solver_agrees_on_a_sample_of_the_territories_of_5x5() {
    let board = Board::new(5, 5).unwrap();
    let root = Territory { own: board.all(), other: board.all() };
    let every =
        StrongSolution::solve(TerritoryBoard::new(board), root, 1_000_000, &Monitor::default())
            .unwrap();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let checked = pool.install(|| {
        let solver = solver(board, 1 << 20);
        let sample = every.iter().step_by(29).inspect(|&(territory, known)| {
            let Territory { own, other } = territory;
            assert_eq!(value(&solver, own, other), known, "{territory:?}");
        });
        sample.count()
    });
    assert!(checked > 30_000);
}

#[test]
fn threads_agree() {
    for (rows, cols, expected) in [(5, 6, 2), (4, 7, 2), (3, 9, 2)] {
        for threads in [1, 2, 5] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let board = Board::new(rows, cols).unwrap();
            let found = pool.install(|| value(&solver(board, 1 << 18), board.all(), board.all()));
            assert_eq!(found, expected, "{board} on {threads} threads");
        }
    }
}

/// Checks that mirrored territories have value 0, without using that in the search.
#[test]
fn boards_with_two_even_sides_are_tied_by_search_too() {
    for (rows, cols) in [(2, 2), (2, 4), (2, 6), (4, 4), (2, 8), (4, 6), (6, 6)] {
        let field = TerritoryBoard::new(Board::new(rows, cols).unwrap());
        let all = field.board().all();
        let root = Territory { own: all, other: all };
        assert!(field.is_mirrored(root));
        let solver = Solver::new(field.without_mirroring(), 1 << 24).unwrap();
        let found = solver.value(&SearchRequest::new(root), &Monitor::default()).unwrap();
        assert_eq!(found, 0, "{rows}x{cols}");
        assert!(solver.nodes() > 0 || rows * cols <= 8);
    }
}
