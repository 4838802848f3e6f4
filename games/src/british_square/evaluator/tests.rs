use super::*;
use crate::british_square::Board;
use bsq_engine::evaluate::Evaluator as _;
use bsq_engine::game::Player;

/// Compares all positions of a game of arbitrary moves.
fn compare(rules: &Rules, seed: usize) {
    let table = Evaluator::with_table(rules, 1 << 26).unwrap();
    let search = Evaluator::new(rules, None).unwrap();
    let mut position = rules.start();
    let (at_first, later) = if Evaluator::has_table(rules) {
        (Cost::Build, Cost::LookUp)
    } else {
        (search.cost(&position, Detail::Moves), search.cost(&position, Detail::Moves))
    };
    assert_eq!(table.cost(&position, Detail::Moves), at_first);
    loop {
        let [found, searched] = [&table, &search].map(|evaluator| {
            evaluator.evaluate(&position, Detail::Moves, &Monitor::default()).unwrap()
        });
        assert_eq!(found, searched, "{}", rules.format_position(&position));
        assert_eq!(table.cost(&position, Detail::Moves), later);
        let moves = rules.moves(&position);
        let turn = position.turn as usize;
        let Some(mv) = moves.get((seed + 7 * turn) % moves.len().max(1)) else { break };
        position = rules.play(&position, *mv);
    }
}

#[test]
fn values_looked_up_are_those_searched() {
    for (board, seed) in
        [("1x1", 0), ("1x2", 0), ("3x3", 1), ("1x20", 3), ("25x1", 4), ("4x4", 2), ("4x5", 9)]
    {
        let board = Board::parse(board).unwrap();
        for center_allowed in [false, true] {
            let rules = Rules { board, center_allowed, bias: 0, pieces: None };
            compare(&rules, seed);
        }
    }
}

#[test]
fn positions_that_play_does_not_reach_have_values() {
    let rules = Rules::standard(4, 5).unwrap();
    let table = Evaluator::with_table(&rules, 1 << 26).unwrap();
    let search = Evaluator::new(&rules, None).unwrap();
    for (first, second, to_move) in
        [(0, 0b11, Player::First), (0b111, 0, Player::First), (0, 1 << 7 | 1, Player::Second)]
    {
        let position = Position { pieces: [first, second], to_move, turn: 5 };
        let [found, searched] = [&table, &search].map(|evaluator| {
            evaluator.evaluate(&position, Detail::Moves, &Monitor::default()).unwrap()
        });
        assert_eq!(found, searched);
        assert!(rules.position(first, second, to_move).is_err());
    }
}

/// With little memory, values are searched, and a strong solution is refused with what it takes.
#[test]
fn tables_keep_to_their_memory() {
    let rules = Rules::standard(4, 5).unwrap();
    let little = Evaluator::with_table(&rules, 1 << 16).unwrap();
    assert_eq!(little.cost(&rules.start(), Detail::Moves), Cost::Quick);
    let limited = Rules { pieces: Some(5), ..rules };
    let evaluate = |memory| {
        let evaluator = Evaluator::new(&limited, Some(memory)).unwrap();
        let start = limited.start();
        evaluator.evaluate(&start, Detail::Value, &Monitor::default()).map(|found| found.points())
    };
    let Err(SolveError::TooMuch { needed, allowed: 1000 }) = evaluate(1000) else {
        panic!("it is refused")
    };
    assert_eq!(evaluate(needed), evaluate(u64::MAX));
}
