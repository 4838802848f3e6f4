use super::*;
use crate::british_square::count::sets;

/// The board sizes of at most `cells` cells.
fn sizes(cells: usize) -> impl Iterator<Item = (usize, usize)> {
    let all = (1..=cells).flat_map(move |rows| (1..=cells).map(move |columns| (rows, columns)));
    all.filter(move |(rows, columns)| rows * columns <= cells)
}

fn counted(rules: &Rules) -> StateCounts {
    count_states(rules, &Monitor::default()).unwrap()
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

fn assert_standard_counts_agree(rows: usize, columns: usize) {
    let rules = Rules::standard(rows, columns).unwrap();
    assert_eq!(counted(&rules), from_sets(&rules), "{rules:?}");
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
    assert_standard_counts_agree(4, 7);
    assert_standard_counts_agree(5, 6);
}

#[test]
#[ignore = "minutes: cargo test --release -p bsq-games --lib transfer_matrix -- --ignored"]
fn boards_of_35_and_36_cells_too() {
    assert_standard_counts_agree(5, 7);
    assert_standard_counts_agree(6, 6);
}

#[test]
#[ignore = "slow: cargo test --release -p bsq-games --lib transfer_matrix -- --ignored"]
fn six_by_six() {
    let counts = counted(&Rules::standard(6, 6).unwrap());
    assert_eq!(counts.levels.iter().map(LevelCount::states).sum::<u128>(), 38_787_890_591);
    assert_eq!(counts.levels.iter().map(LevelCount::moves).sum::<u128>(), 305_662_070_770);
    let with = |is_wanted: fn(i32) -> bool| -> u128 {
        let wanted = counts.terminals.iter().filter(|(lead, _)| is_wanted(**lead));
        wanted.map(|(_, states)| states).sum()
    };
    let by_winner = [with(|lead| lead > 0), with(|lead| lead < 0), with(|lead| lead == 0)];
    assert_eq!(by_winner, [489_784, 388_574, 102_829]);
}

/// Sweeps along the rows and along the columns, plain and reduced, have the same sums.
#[test]
fn the_sums_do_not_depend_on_the_sweep() {
    for (length, width) in sizes(10).filter(|(length, width)| length.max(width) <= &8) {
        let monitor = Monitor::default();
        let plan = Plan { length, width, is_reduced: true, monitor: &monitor };
        let tally = identity::tally(plan).unwrap();
        let plain = Plan { is_reduced: false, ..plan };
        assert_eq!(identity::tally(plain), Ok(tally.clone()), "{length}x{width}");
        let across = Plan { length: width, width: length, ..plan };
        assert_eq!(identity::tally(across), Ok(tally), "{length}x{width}");
    }
}

#[test]
#[ignore = "slow: cargo test --release -p bsq-games --lib transfer_matrix -- --ignored"]
fn six_by_seven_along_either_side() {
    let monitor = Monitor::default();
    let plan = Plan { length: 7, width: 6, is_reduced: true, monitor: &monitor };
    let across = Plan { length: 6, width: 7, ..plan };
    assert_eq!(identity::tally(across), identity::tally(plan));
}

/// Sets visited one by one are those of the sums.
#[test]
fn all_sets_are_as_many_one_by_one() {
    for (rows, columns) in sizes(12).filter(|(rows, columns)| rows.min(columns) <= &8) {
        let board = Rules::standard(rows, columns).unwrap().board;
        let monitor = Monitor::default();
        let identity: Vec<usize> = (0..board.cells()).collect();
        let visited = symmetric::tally(&board, &identity, &monitor).unwrap();
        let (length, width) = (rows.max(columns), rows.min(columns));
        let plan = Plan { length, width, is_reduced: true, monitor: &monitor };
        assert_eq!(identity::tally(plan), Ok(visited), "{board}");
    }
}

#[test]
fn the_classes_contain_each_symmetry_once() {
    for ((rows, columns), wanted) in [
        ((4, 4), vec![1, 1, 2, 2, 2]),
        ((3, 4), vec![1; 4]),
        ((1, 5), vec![1; 2]),
        ((1, 1), vec![1]),
    ] {
        let classes = symmetric::classes(&Rules::standard(rows, columns).unwrap().board);
        let mut sizes: Vec<usize> = classes.into_values().collect();
        sizes.sort_unstable();
        assert_eq!(sizes, wanted, "{rows}x{columns}");
    }
}

#[test]
#[should_panic(expected = "leave 3 states unchanged")]
fn a_remainder_is_noticed() {
    let mut tally = Tally::default();
    tally.states.insert((1, 2), 3);
    tally.up_to_symmetry(2);
}

#[test]
fn memory_and_a_stop_are_respected() {
    let rules = Rules::standard(5, 5).unwrap();
    let needed = memory_of(&rules.board);
    let within = |bytes| Monitor::default().within(Some(bytes));
    let error = count_states(&rules, &within(needed - 1));
    assert_eq!(error, Err(SolveError::TooMuch { needed, allowed: needed - 1 }));
    assert!(count_states(&rules, &within(needed)).is_ok());
    let (length, width, monitor) = (5, 5, within(100 << 10));
    let plan = Plan { length, width, is_reduced: true, monitor: &monitor };
    let over = identity::tally(plan).unwrap_err();
    assert!(matches!(over, SolveError::OverLimit { bytes: 0x19000, .. }), "{over}");
    let stop = std::sync::atomic::AtomicBool::new(true);
    let monitor = Monitor { stop: Some(&stop), ..Monitor::default() };
    assert_eq!(count_states(&rules, &monitor), Err(SolveError::Stopped));
}
