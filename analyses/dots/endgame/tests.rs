use super::*;
use bsq_engine::monitor::Monitor;

fn of(endgame: &str, penalty: &str) -> Vec<Table> {
    let given = [("endgame", endgame), ("penalty", penalty)];
    analysis().prepare(&given, None).unwrap().run(&Monitor::default()).unwrap()
}

#[test]
fn openings_have_their_scores() {
    let [openings, value] = &of("chains 5 6 loops 4", "0")[..] else { panic!("two tables") };
    let row = |component: &str, boxes: i32, score: i32, cost: i32| -> Vec<Cell> {
        vec![component.into(), boxes.into(), 1.into(), score.into(), cost.into()]
    };
    let rows = [row("chain", 5, -3, 0), row("chain", 6, -5, 2), row("loop", 4, -3, 0)];
    assert_eq!(openings.rows, rows);
    assert_eq!(value.rows, [vec![15.into(), (-3).into(), 3.into()]]);
}

#[test]
fn the_controlled_value_is_left_out_where_the_theorem_does_not_apply() {
    for (endgame, penalty) in [("chains 2 5", "0"), ("chains 5 6 loops 4", "-1")] {
        let tables = of(endgame, penalty);
        assert_eq!(tables[1].rows[0][2], Cell::Empty);
        assert!(!tables[0].note.as_deref().unwrap().contains("controlled"));
    }
}

#[test]
fn other_endgames_and_penalties_are_refused() {
    for (name, value, says) in [
        ("endgame", "chains", "'chains 3 4 5 loops 4 4'"),
        ("endgame", "loops 3", "a loop has an even number of boxes"),
        ("penalty", "1/2", "a whole number of points, not 0.5"),
        ("penalty", "x", "'x' is not a penalty"),
    ] {
        let error = analysis().prepare(&[(name, value)], None).err().unwrap().to_string();
        assert!(error.contains(says), "{error}");
    }
}
