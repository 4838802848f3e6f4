use super::*;
use crate::british_square::permute;

/// The same numbers, by enumerating all pairs of sets.
fn listed(board: &Board, dominated: bool) -> BTreeMap<(u32, u32), u128> {
    let mut counts = BTreeMap::new();
    for first in 0..=board.all() {
        for second in 0..=board.all() {
            let reach = first | board.neighbours(first);
            if second & reach == 0 && (!dominated || (reach | second) == board.all()) {
                *counts.entry((first.count_ones(), second.count_ones())).or_default() += 1;
            }
        }
    }
    counts
}

#[test]
fn counts_agree_with_listing_on_small_boards() {
    for (rows, cols) in [(1, 1), (1, 6), (5, 1), (2, 3), (3, 3), (4, 2)] {
        let board = Board::new(rows, cols).unwrap();
        for (what, dominated) in [(Count::BySizes, false), (Count::DominatedBySizes, true)] {
            let counted = pairs(&board, &board.symmetries()[0], what, &Monitor::default()).unwrap();
            assert_eq!(counted, listed(&board, dominated), "{board} {dominated}");
        }
        let all = listed(&board, false).into_values().sum();
        let together =
            pairs(&board, &board.symmetries()[0], Count::AllTogether, &Monitor::default()).unwrap();
        assert_eq!(together, BTreeMap::from([((0, 0), all)]), "{board}");
    }
}

#[test]
fn states_without_passes_agree_with_listing_on_small_boards() {
    for (rows, cols) in [(1, 1), (1, 6), (5, 1), (2, 3), (3, 3), (4, 2)] {
        let board = Board::new(rows, cols).unwrap();
        for (center_allowed, pieces) in [(true, None), (false, None), (false, Some(2))] {
            let rules = Rules { board, center_allowed, bias: 0, pieces };
            let by_turn = states_without_passes(&rules, &Monitor::default()).unwrap();
            let turns = 1..=by_turn.len() as u32 + 1;
            let listed = turns.map(|turn| listed_without_passes(&rules, turn));
            let listed: Vec<_> = listed.filter(|count| count.positions > 0).collect();
            assert_eq!(by_turn, listed, "{rules:?}");
        }
    }
}

fn listed_without_passes(rules: &Rules, turn: u32) -> WithoutPasses {
    let board = &rules.board;
    let sizes = (turn / 2, (turn - 1) / 2);
    let begins = |first: Cells| {
        let opening = first & !rules.forbidden_opening();
        first == 0 || opening != 0
    };
    let (mut positions, mut states) = (0, std::collections::BTreeSet::new());
    for first in (0..=board.all()).filter(|&first| begins(first)) {
        for second in 0..=board.all() {
            let apart = second & (first | board.neighbours(first)) == 0;
            let fits = (first.count_ones(), second.count_ones()) == sizes;
            if apart && fits && rules.pieces.is_none_or(|most| sizes.0 <= most) {
                positions += 1;
                let turned = |p: &Vec<usize>| [permute(first, p), permute(second, p)];
                states.insert(board.symmetries().iter().map(turned).min());
            }
        }
    }
    WithoutPasses { positions, states: states.len() as u128 }
}

#[test]
fn orbits_partition_the_board() {
    let board = Board::new(5, 5).unwrap();
    let sizes = |number: usize| {
        let orbits = orbits(&board, &board.symmetries()[number]);
        let mut sizes: Vec<u32> = orbits.iter().map(|orbit| orbit.count_ones()).collect();
        assert_eq!(orbits.iter().fold(0, |all, orbit| all | orbit), board.all());
        assert_eq!(sizes.iter().sum::<u32>(), 25);
        sizes.sort();
        sizes.dedup();
        sizes
    };
    assert_eq!(sizes(0), [1]);
    assert_eq!(sizes(4), [1, 2]); // Ten pairs, and the five cells on the diagonal.
}
