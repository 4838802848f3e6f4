use super::*;
use crate::dots::Board;
use bsq_engine::evaluate::Evaluator as _;

const GIB: u64 = 1 << 30;

#[test]
fn tables_grow_up_to_the_memory() {
    // The largest board solved in the literature can use more memory than there is.
    assert!(suitable_table(49) > 64 * GIB);
    for bytes in (0..=60).map(suitable_table).chain([u64::MAX]) {
        let evaluator = Evaluator::new(Rules::standard(Board::new(1, 1).unwrap()), None, bytes, 0);
        assert_eq!(evaluator.solvers.sizes().sum::<u64>(), bytes);
    }
}

#[test]
fn a_long_search_goes_on_with_a_larger_table() {
    let rules = Rules::standard(Board::new(3, 3).unwrap());
    let monitor = Monitor::default();
    let with = |solvers| Evaluator { solvers, ..Evaluator::new(rules, None, 0, u32::MAX) };
    // 2,048 positions are searched with the first table; the second one suffices.
    let (direct, growing) =
        (with(Growing::new(1 << 18, 1 << 18)), with(Growing::new(1 << 14, 1 << 24)));
    for detail in [Detail::Value, Detail::Moves] {
        let [value, other] = [&direct, &growing]
            .map(|evaluator| evaluator.evaluate(&rules.start(), detail, &monitor).unwrap());
        assert_eq!(value, other);
    }
    let nodes = |solver: &PenaltySolver| solver.solvers()[0].nodes();
    let searched: Vec<u64> = growing.solvers.iter().map(nodes).collect();
    assert!(searched.len() == 2 && searched[0] > 0 && searched[0] < searched[1], "{searched:?}");
    assert_eq!(growing.bytes(), (1 << 14) + (1 << 18));
}

#[test]
fn a_larger_table_starts_with_the_entries_of_the_smaller_one() {
    let rules = Rules::standard(Board::new(2, 3).unwrap());
    let evaluator =
        Evaluator { solvers: Growing::new(1 << 14, 1 << 20), ..Evaluator::new(rules, None, 0, 99) };
    let monitor = Monitor::default();
    let value = evaluator.evaluate(&rules.start(), Detail::Value, &monitor).unwrap();
    let nodes = evaluator.learned()[0].nodes();
    assert!(nodes > 0);
    evaluator.grow(1 << 20).unwrap();
    assert_eq!(evaluator.bytes(), 1 << 20, "both tables");
    assert_eq!(evaluator.learned()[0].nodes(), nodes);
    // The root is known, so nothing is searched again.
    assert_eq!(evaluator.evaluate(&rules.start(), Detail::Value, &monitor).unwrap(), value);
    assert_eq!(evaluator.learned()[0].nodes(), nodes);
}
