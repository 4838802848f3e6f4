use super::*;
use crate::british_square::Rules;
use crate::british_square::count::explorer::census;
use crate::british_square::count::state_bounds::states_without_passes;
use bsq_engine::explore::Limits;

fn counted(rules: &Rules) -> StateCounts {
    count_states(rules, &Monitor::default()).unwrap()
}

/// The same numbers, counted by the explorer.
fn explored(rules: &Rules) -> StateCounts {
    let census = census(rules, Limits::default(), &Monitor::default()).unwrap();
    let terminals = census.scores.iter().map(|(score, count)| (*score, count.terminals));
    StateCounts { terminals: terminals.collect(), levels: census.levels }
}

#[test]
fn the_counts_are_those_of_the_explorer() {
    let boards = (1..=5).flat_map(|rows| (1..=20).map(move |cols| (rows, cols)));
    let boards: Vec<(usize, usize)> = boards.filter(|(rows, cols)| rows * cols <= 16).collect();
    assert_eq!(boards.len(), 36);
    for (rows, cols) in boards {
        for center_allowed in [false, true] {
            for pieces in [None, Some(1), Some(2), Some(3), Some(5), Some(7)] {
                let standard = Rules::standard(rows, cols).unwrap();
                let rules = Rules { center_allowed, pieces, ..standard };
                assert_eq!(counted(&rules), explored(&rules), "{rules:?}");
            }
        }
    }
}

#[test]
fn larger_boards_too() {
    for (rows, cols) in [(3, 7), (4, 5), (20, 1)] {
        let rules = Rules::standard(rows, cols).unwrap();
        assert_eq!(counted(&rules), explored(&rules), "{rules:?}");
    }
}

/// The numbers of states, terminal states and turns, as version 0.2.0 counted level by level.
#[test]
fn boards_of_28_cells_and_more() {
    let known = [(4, 7, [180_574_878, 52_153, 38]), (5, 6, [786_146_807, 130_547, 40])];
    for (rows, cols, wanted) in known {
        let counts = counted(&Rules::standard(rows, cols).unwrap());
        let terminals = counts.terminals.values().sum::<u128>();
        assert_eq!(
            [counts.states(), terminals, counts.levels.len() as u128],
            wanted,
            "{rows}x{cols}"
        );
    }
}

/// The numbers of states, terminal states and turns, first computed here. The states of the turns
/// in which nobody can have passed are those of another method.
#[test]
#[ignore = "minutes: cargo test --release -p bsq-games --lib boards_of_35 -- --ignored"]
fn boards_of_35_cells_and_more() {
    let known = [(5, 7, [36_893_830_780, 1_265_161, 47]), (6, 6, [38_787_890_591, 981_187, 48])];
    for (rows, cols, wanted) in known {
        let rules = Rules::standard(rows, cols).unwrap();
        let counts = counted(&rules);
        let terminals = counts.terminals.values().sum::<u128>();
        let found = [counts.states(), terminals, counts.levels.len() as u128];
        assert_eq!(found, wanted, "{rows}x{cols}");
        let without_passes = states_without_passes(&rules, &Monitor::default()).unwrap();
        let passes = counts.levels.iter().position(|level| level.passes() > 0).unwrap();
        assert!(passes > 10);
        for (level, wanted) in counts.levels[..passes].iter().zip(without_passes) {
            assert_eq!(level.states(), wanted.states, "{rows}x{cols}");
        }
    }
}

#[test]
fn subsets_up_to_symmetry_are_counted_without_generating_them() {
    for (rows, cols) in [(3, 3), (2, 4), (4, 4)] {
        let board = Rules::standard(rows, cols).unwrap().board;
        let (orbits, mut found) = (Orbits::new(&board), Vec::new());
        let mut numbers = vec![0; board.cells() + 1];
        for part in 0..orbits.parts() {
            orbits.in_part(part, &mut found);
            found.iter().for_each(|orbit| numbers[orbit.set.count_ones() as usize] += 1);
        }
        for (size, number) in (0..).zip(numbers) {
            assert_eq!(orbits.subsets(u8::MAX, board.all(), size), number, "{size} of {board}");
        }
    }
}

#[test]
fn a_count_stops() {
    let stop = std::sync::atomic::AtomicBool::new(true);
    let monitor = Monitor { stop: Some(&stop), ..Monitor::default() };
    let rules = Rules::standard(6, 6).unwrap();
    assert_eq!(count_states(&rules, &monitor), Err(SolveError::Stopped));
}
