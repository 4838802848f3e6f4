use super::*;
use crate::dots::Board;
use bsq_engine::evaluate::Evaluator as _;

const GIB: u64 = 1 << 30;

#[test]
fn tables_grow_up_to_the_memory() {
    assert_eq!(sizes(1 << 20), [1 << 20]);
    assert_eq!(sizes(256 << 20), [256 << 20]);
    assert_eq!(sizes(GIB), [64 << 20, 960 << 20]);
    assert_eq!(sizes(13 * GIB), [64 << 20, GIB, (12 << 30) - (64 << 20)]);
    // The largest board solved in the literature can use more memory than there is.
    assert!(suitable_table(49) > 64 * GIB);
    assert!((0..=60).map(suitable_table).map(sizes).all(|sizes| sizes.is_sorted()));
    assert_eq!(sizes(u64::MAX).iter().sum::<u64>(), u64::MAX);
}

#[test]
fn a_long_search_goes_on_with_a_larger_table() {
    let rules = Rules::standard(Board::new(3, 3).unwrap());
    let sized = |sizes: &[u64]| Evaluator {
        solvers: sizes.iter().map(|&size| (size, OnceLock::new())).collect(),
        ..Evaluator::new(rules, None, 0, u32::MAX)
    };
    let monitor = Monitor::default();
    let evaluate = |evaluator: &Evaluator, detail| {
        evaluator.evaluate(&rules.start(), detail, &monitor).unwrap()
    };
    let direct = sized(&[1 << 20]);
    // 2,048 positions are searched with the first table; the second one suffices.
    let growing = sized(&[1 << 14, 1 << 20, 1 << 24]);
    for detail in [Detail::Value, Detail::Moves] {
        let [value, other] = [&direct, &growing].map(|evaluator| evaluate(evaluator, detail));
        assert_eq!(value, other);
    }
    let (number, solver) = growing.largest().unwrap();
    assert_eq!(number, 1);
    let nodes = |solver: &PenaltySolver| solver.solvers()[0].nodes();
    assert!(nodes(solver) > nodes(growing.solvers[0].1.get().unwrap()));
    assert_eq!(growing.bytes(), (1 << 14) + (1 << 20));
}

#[test]
fn a_larger_table_starts_with_the_entries_of_the_smaller_one() {
    let rules = Rules::standard(Board::new(2, 3).unwrap());
    let table = |bytes| PenaltySolver::new(rules.board, rules.penalty, bytes, false).unwrap();
    let (smaller, larger) = (table(1 << 14), table(1 << 20));
    let monitor = Monitor::default();
    let value = smaller.values(0, &monitor).unwrap();
    let nodes = smaller.solvers()[0].nodes();
    assert!(nodes > 0);
    larger.learn(&smaller);
    assert_eq!(larger.solvers()[0].nodes(), nodes);
    // The root is known, so nothing is searched again.
    assert_eq!(larger.values(0, &monitor).unwrap(), value);
    assert_eq!(larger.solvers()[0].nodes(), nodes);
}
