//! Searches that are stopped: what they have proved by then is true, and never less than before.

use bsq_engine::evaluate::{Detail, Evaluator, Known};
use bsq_engine::explore::{Limits, OnDemand};
use bsq_engine::game::{Game, Player, Value};
use bsq_engine::monitor::{Monitor, WorkLimit};
use bsq_engine::proved::Proved;
use bsq_engine::random::Random;
use bsq_games::dots::evaluator::Optional;
use bsq_games::{british_square, dots, mnk};
use std::fmt::Debug;

/// The random moments at which a search is stopped.
const MOMENTS: usize = 20;

/// Whether bounds contain a value.
fn contain(bounds: &Proved<Value>, value: Value) -> bool {
    let rank = |value: Value| value.rank(Player::First);
    rank(bounds.least) <= rank(value) && rank(value) <= rank(bounds.most)
}

/// Stops evaluations of a position at random moments and compares what is known with the values that
/// another evaluator finds.
fn compare<E: Evaluator>(make: impl Fn() -> E, position: &<E::Game as Game>::Position)
where
    E::Error: Debug,
{
    let complete = make();
    let monitor = Monitor::default();
    let found = complete.evaluate(position, Detail::Moves, &monitor).unwrap();
    let (value, moves) = (found.value.unwrap(), found.moves.unwrap());
    let check = |known: &Known<_>| {
        let bounds = known.value.unwrap();
        assert!(contain(&bounds, value), "{bounds} {value:?}");
        assert_eq!(known.moves.len(), moves.len());
        for (mv, bounds) in &known.moves {
            let exact = moves.iter().find(|found| found.mv == *mv).unwrap().value.unwrap();
            let bounds = bounds.unwrap();
            assert!(contain(&bounds, exact), "{mv:?}: {bounds} {exact:?}");
        }
    };
    let nodes: u64 = complete.learned().iter().map(|solver| solver.nodes()).sum();
    let mut random = Random::of(1, "moments");
    let stopped = make();
    let mut before: Option<Proved<Value>> = None;
    let mut searches_stopped = 0;
    for _ in 0..MOMENTS {
        let work = random.below(1 + 2 * nodes as usize / MOMENTS);
        let limit = WorkLimit::new(&monitor, work as u64);
        searches_stopped +=
            usize::from(stopped.evaluate(position, Detail::Moves, &limit.monitor()).is_err());
        let known = stopped.known(position);
        if known.value.is_none() {
            continue; // no search has begun
        }
        check(&known);
        // Bounds only ever narrow.
        let now = known.value.unwrap();
        if let Some(before) = before {
            assert!(contain(&before, now.least) && contain(&before, now.most), "{before} {now}");
        }
        before = Some(now);
    }
    assert!(searches_stopped > MOMENTS / 9, "{searches_stopped} were stopped, {nodes} nodes");
    let goes_on = stopped.evaluate(position, Detail::Moves, &monitor).unwrap();
    assert_eq!(goes_on.value, Some(value));
    let known = stopped.known(position);
    check(&known);
    assert_eq!(known.value.unwrap().exact(), Some(value));
    assert_eq!(known.to_come.and_then(|points| points.exact()), found.to_come);
    // After a complete search, the first move is one of the best.
    let best = moves.iter().find(|found| found.mv == known.moves[0].0).unwrap();
    assert_eq!(best.value, Some(value));
}

#[test]
fn stopped_searches_of_british_square_prove_what_is_true() {
    for (rows, cols) in [(5, 6), (4, 7)] {
        let rules = british_square::Rules::standard(rows, cols).unwrap();
        let make = || british_square::Evaluator::new(&rules, Some(64 << 20)).unwrap();
        compare(make, &rules.start());
        compare(make, &rules.play(&rules.start(), british_square::Move::Place(9)));
    }
}

#[test]
fn stopped_searches_of_dots_and_boxes_prove_what_is_true() {
    for (rows, cols, penalty) in
        [(3, 4, "0"), (3, 3, "-1"), (3, 3, "-1.5"), (3, 3, "-20"), (3, 3, "1.5"), (3, 3, "20")]
    {
        let penalty = dots::Penalty::parse(penalty).unwrap();
        let rules = dots::Rules::standard(dots::Board::new(rows, cols).unwrap());
        let rules = dots::Rules { penalty, ..rules };
        for loony in [false, true] {
            let optional = Optional { loony, nimber: None };
            let make = || dots::Evaluator::new(rules, None, 128 << 20, 99).with(optional);
            compare(make, &rules.play(&rules.start(), 4));
        }
    }
}

#[test]
fn stopped_searches_of_any_game_prove_what_is_true() {
    for (rows, cols, k, misere, moves) in
        [(5, 5, 4, false, [6, 7, 8, 16]), (5, 4, 3, true, [5, 10, 6, 9])]
    {
        let rules = mnk::Rules::new(rows, cols, k).unwrap().with_misere(misere);
        let position = moves.into_iter().fold(rules.start(), |at, mv| rules.play(&at, mv));
        compare(|| OnDemand::new(rules.clone(), Limits::default()), &position);
    }
    let rules = dots::Rules::standard(dots::Board::new(2, 4).unwrap());
    let position = [4, 9, 13].into_iter().fold(rules.start(), |at, line| rules.play(&at, line));
    compare(|| OnDemand::new(rules, Limits::default()), &position);
}
