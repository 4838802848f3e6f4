use super::*;
use crate::british_square::{BritishSquare, Cells, Move, cells_of};
use bsq_engine::strong::solve;
use std::collections::HashSet;

/// Collects what a visitor sees.
#[derive(Default)]
struct Seen(Vec<(Position, Cells, Vec<i8>)>);

impl Visitor<Position> for Seen {
    fn fresh(&self) -> Seen {
        Seen::default()
    }

    fn visit(&mut self, position: &Position, moves: Cells, values: &[i8]) {
        self.0.push((*position, moves, values.to_vec()));
    }

    fn absorb(&mut self, other: Seen) {
        self.0.extend(other.0);
    }
}

/// Compares the states and the values of their moves with the depth-first search.
fn check(rules: &Rules) {
    let (value, Seen(seen)) = visit_states(rules, Seen::default(), &Monitor::default()).unwrap();
    let game = BritishSquare::new(rules.clone()).unwrap();
    let solved = solve(&game, &game.root(), &Monitor::default()).unwrap();
    assert_eq!(value, solved.value(), "{rules:?}");
    assert_eq!(seen.len() as u64, solved.positions(), "{rules:?}");
    let mut keys = HashSet::new();
    for (position, moves, values) in seen {
        let key = game.node(&position).smallest();
        assert!(solved.get(key).is_some() && keys.insert(key), "{position:?} of {rules:?}");
        assert_eq!(moves, rules.legal(&position, position.to_move), "{position:?} of {rules:?}");
        let moves: Vec<Move> = match moves {
            0 if rules.is_terminal(&position) => Vec::new(),
            0 => vec![Move::Pass],
            moves => cells_of(moves).map(Move::Place).collect(),
        };
        let wanted = moves.into_iter().map(|mv| {
            let child = game.node(&rules.play(&position, mv));
            solved.get(child.smallest()).unwrap() as i8
        });
        assert_eq!(values, wanted.collect::<Vec<_>>(), "{position:?} of {rules:?}");
    }
}

#[test]
fn states_and_values_are_those_of_the_depth_first_search() {
    for (rows, cols) in (1..=16).flat_map(|rows| (1..=16 / rows).map(move |cols| (rows, cols))) {
        for center_allowed in [false, true] {
            let rules = Rules { center_allowed, ..Rules::standard(rows, cols).unwrap() };
            if supports(&rules) {
                check(&rules);
            }
        }
    }
}

#[test]
fn larger_boards_agree_too() {
    for (rows, cols) in [(3, 7), (4, 5)] {
        check(&Rules::standard(rows, cols).unwrap());
    }
}

#[test]
fn rules_with_a_limit_on_pieces_are_not_supported() {
    let rules = Rules::standard(3, 3).unwrap();
    assert!(supports(&rules));
    assert!(!supports(&Rules { pieces: Some(2), ..rules }));
    // The first player has no move.
    assert!(!supports(&Rules::standard(1, 1).unwrap()));
}

#[test]
fn an_analysis_stops() {
    let stop = std::sync::atomic::AtomicBool::new(true);
    let monitor = Monitor { stop: Some(&stop), ..Monitor::default() };
    let rules = Rules::standard(4, 4).unwrap();
    assert_eq!(visit_states(&rules, (), &monitor).err(), Some(SolveError::Stopped));
}
