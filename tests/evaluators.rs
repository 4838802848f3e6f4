//! Evaluators against brute force: the values of positions and moves, and principal variations.

use bsq_engine::evaluate::{Cost, Detail, EvaluationOf, Evaluator};
use bsq_engine::game::{Game, Value};
use bsq_engine::monitor::Monitor;
use bsq_games::{british_square, dots};
use std::collections::{HashMap, HashSet};
use std::fmt::Debug;

/// Values by the rules alone.
type Values<P> = HashMap<P, Value>;

fn brute_force<G: Game>(
    game: &G,
    position: &G::Position,
    known: &mut Values<G::Position>,
) -> Value {
    if let Some(&value) = known.get(position) {
        return value;
    }
    let value = game.result(position).unwrap_or_else(|| {
        let moves = game.moves(position).into_iter();
        let after = moves.map(|mv| brute_force(game, &game.play(position, mv), known));
        let player = game.to_move(position);
        after.max_by_key(|value| value.rank(player)).expect("play goes on")
    });
    known.insert(position.clone(), value);
    value
}

/// Every position that play can reach, in the order of its discovery.
fn reachable<G: Game>(game: &G) -> Vec<G::Position> {
    let (mut found, mut seen) = (vec![game.start()], HashSet::from([game.start()]));
    let mut at = 0;
    while at < found.len() {
        for mv in game.moves(&found[at]) {
            let next = game.play(&found[at], mv);
            if seen.insert(next.clone()) {
                found.push(next);
            }
        }
        at += 1;
    }
    found
}

/// Compares one position in so many.
fn check<E: Evaluator>(evaluator: &E, stride: usize)
where
    E::Game: Debug,
    E::Error: Debug,
{
    let (game, mut known) = (evaluator.game(), Values::new());
    for position in reachable(game).iter().step_by(stride) {
        let value = brute_force(game, position, &mut known);
        let says = format!("{game:?} {position:?}");
        assert!(!matches!(evaluator.cost(position, Detail::Moves), Cost::Refused(_)), "{says}");
        let evaluate = |detail| -> EvaluationOf<E> {
            evaluator.evaluate(position, detail, &Monitor::default()).unwrap()
        };
        assert_eq!(evaluate(Detail::Value).value, Some(value), "{says}");
        let found = evaluate(Detail::Moves);
        assert_eq!(found.value, Some(value), "{says}");
        if game.result(position).is_none() {
            let so_far = game.score(position);
            assert_eq!(found.to_come, value.score.map(|score| score - so_far), "{says}");
        }
        let moves = found.moves.unwrap();
        assert_eq!(moves.len(), game.moves(position).len(), "{says}");
        let player = game.to_move(position);
        let ranks = moves.iter().map(|evaluated| evaluated.value.unwrap().rank(player));
        assert!(ranks.rev().is_sorted(), "best first: {says}");
        for evaluated in &moves {
            let after = brute_force(game, &game.play(position, evaluated.mv), &mut known);
            assert_eq!(evaluated.value, Some(after), "{:?} {says}", evaluated.mv);
        }
        let line = evaluator.principal_variation(position, usize::MAX, &Monitor::default());
        let mut last = position.clone();
        for mv in line.unwrap() {
            assert!(game.moves(&last).contains(&mv), "{says}");
            last = game.play(&last, mv);
        }
        assert_eq!(game.result(&last), Some(value), "{says}");
    }
}

#[test]
fn evaluators_of_british_square_agree_with_brute_force() {
    use british_square::{Evaluator, Rules};
    let standard = |rows, cols| Rules::standard(rows, cols).unwrap();
    let mut games = vec![standard(1, 1), standard(3, 4), standard(1, 9)];
    games.push(Rules { bias: 2, ..standard(3, 3) });
    games.push(Rules { center_allowed: true, ..standard(3, 3) });
    for rules in &games {
        check(&Evaluator::new(rules, None).unwrap(), 7);
        check(&Evaluator::with_table(rules, 1 << 20).unwrap(), 3);
    }
    let limited = Rules { pieces: Some(2), bias: -1, ..standard(3, 3) };
    check(&Evaluator::new(&limited, None).unwrap(), 7);
}

#[test]
fn evaluators_of_dots_and_boxes_agree_with_brute_force() {
    use dots::tablebase::{Limits, Plan, Tablebase, build};
    use dots::{Board, Evaluator, Rules, Variant};
    for (rows, cols, penalty) in [(1, 1, 0), (1, 2, -3), (2, 2, 0), (2, 2, -1)] {
        let board = Board::new(rows, cols).unwrap();
        let rules = Rules { board, variant: Variant::Standard, penalty };
        check(&Evaluator::new(rules, None, 1 << 20, u32::MAX), 101);
        // A tablebase of everything, and one that lacks positions.
        for most in [None, Some(4)] {
            let folder = tempfile::tempdir().unwrap();
            let plan = Plan::new(&board, 0, penalty, most, &Limits::default()).unwrap();
            build(&plan, folder.path(), false, &Monitor::default()).unwrap();
            let tablebase = Tablebase::open(folder.path()).unwrap();
            check(&Evaluator::new(rules, Some(tablebase), 1 << 20, u32::MAX), 101);
        }
    }
}
