//! Positions in which a heuristic fails.

use super::heuristics::{judge, judged};
use super::*;

fn cells(set: Cells) -> BTreeSet<usize> {
    cells_of(set).collect()
}

/// Checks a failure in the image that the tester reports.
fn assert_failure(solution: &Solution, name: &str, found: &Failure) {
    let state = solution.state(situation(&solution.variant, &found.position));
    let judged = judge(&state, name, &solution.variant);
    let case = format!("{name}, {:?}, {:?}", solution.variant, found.position);
    assert!(judged.fails(), "{case}");
    assert_eq!(found.value, state.value, "{case}");
    assert_eq!(cells(found.perfect), state.perfect(), "{case}");
    assert_eq!(cells(found.liked), judged.liked, "{case}");
    assert_eq!(found.worst as i32, judged.worst(), "{case}");
}

fn assert_failures(solution: &Solution, name: &str) {
    let game = BritishSquare::new(rules(&solution.variant, 0)).unwrap();
    let heuristic = heuristic::by_name(name).unwrap();
    let tested = tester::test_with_failures(&game, heuristic, &Monitor::default());
    let (report, failures) = tested.unwrap();
    let alone = tester::test(&game, std::slice::from_ref(heuristic), &Monitor::default()).unwrap();
    assert_eq!(vec![report], alone, "{name}, {:?}", solution.variant);

    let found: Vec<Failure> = failures.iter().collect();
    assert_eq!(failures.len(), found.len());
    assert_eq!(failures.is_empty(), found.is_empty());
    assert!(found.is_sorted_by_key(|failure| failure.position.turn));
    found.iter().for_each(|failure| assert_failure(solution, name, failure));

    let merged = |f: &Failure| solution.variant.merged(&situation(&solution.variant, &f.position));
    let states: BTreeSet<Situation> = found.iter().map(merged).collect();
    assert_eq!(states.len(), found.len(), "{name}, {:?}: one twice", solution.variant);
    let judged = judged(solution, name).iter().filter(|judged| judged.fails());
    let wanted: BTreeSet<Situation> = judged.map(|j| j.state.situation.clone()).collect();
    assert_eq!(states, wanted, "{name}, {:?}", solution.variant);
}

#[test]
fn failing_positions_with_perfect_and_liked_moves() {
    for solution in SOLUTIONS.iter() {
        HEURISTICS.iter().for_each(|name| assert_failures(solution, name));
    }
}
