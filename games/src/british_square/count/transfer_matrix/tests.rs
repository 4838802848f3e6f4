use super::*;
use crate::british_square::count::sets;

/// The board sizes of at most `cells` cells.
fn sizes(cells: usize) -> impl Iterator<Item = (usize, usize)> {
    let all = (1..=cells).flat_map(move |rows| (1..=cells).map(move |columns| (rows, columns)));
    all.filter(move |(rows, columns)| rows * columns <= cells)
}

fn counted(rules: &Rules) -> StateCounts {
    count_states(rules, None, &Monitor::default()).unwrap()
}

/// The same numbers, from the sets of pieces one by one.
fn from_sets(rules: &Rules) -> StateCounts {
    sets::count_states(rules, &Monitor::default()).unwrap()
}

fn assert_counts_agree(rows: usize, columns: usize) {
    for center_allowed in [false, true] {
        let rules = Rules { center_allowed, ..Rules::standard(rows, columns).unwrap() };
        assert_eq!(counted(&rules), from_sets(&rules), "{rules:?}");
    }
}

#[test]
fn the_counts_are_those_of_the_sets() {
    for (rows, columns) in sizes(16) {
        assert_counts_agree(rows, columns);
    }
}

#[test]
fn larger_boards_too() {
    for (rows, columns) in [(3, 7), (4, 5), (5, 5)] {
        assert_counts_agree(rows, columns);
    }
}
