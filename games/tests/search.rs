//! The search of any game finds the values of the explorer.

use bsq_engine::evaluate::{Evaluator as _, Learned};
use bsq_engine::explore::{Limits, OnDemand, explore};
use bsq_engine::game::{Game, Notation, Player, Value};
use bsq_engine::monitor::Monitor;
use bsq_engine::nim::Nim;
use bsq_engine::proved::Proved;
use bsq_engine::random::Random;
use bsq_engine::search::Search;
use bsq_games::{british_square, dots, mnk};
use bsq_plain::mnk as mnk_plain;
use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

/// Every position that play from the start reaches.
fn positions<G: Game>(game: &G) -> Vec<G::Position> {
    let mut found = vec![game.start()];
    let mut seen: HashSet<G::Position> = found.iter().cloned().collect();
    let mut at = 0;
    while let Some(position) = found.get(at).cloned() {
        for mv in game.moves(&position) {
            let next = game.play(&position, mv);
            if seen.insert(next.clone()) {
                found.push(next);
            }
        }
        at += 1;
    }
    found
}

fn contains(known: &Proved<Value>, value: Value) -> bool {
    let rank = |value: Value| value.rank(Player::First);
    rank(known.least) <= rank(value) && rank(value) <= rank(known.most)
}

/// Compares the values of every `step`-th position, by searches that share a small table.
fn compare<G: Game + Clone>(game: G, name: &str, step: usize) {
    let monitor = Monitor::default();
    let solution = explore(game.clone(), Limits::default(), &monitor).unwrap();
    let solution = solution.solve(&monitor).unwrap();
    let search = Search::new(game.clone(), 64 << 10).unwrap();
    // The last positions first: then the table does not yet have the others.
    for position in positions(&game).iter().rev().step_by(step) {
        let known = search.known(position);
        let found = search.prove(position, &monitor).unwrap();
        let value = solution.value(position).unwrap();
        assert_eq!(found.exact(), Some(value), "{name} {position:?}");
        assert!(contains(&known, value), "{name} {position:?}: {known:?}");
        let keeps = |mv: &G::Move| {
            solution.value(&game.play(position, mv.clone())).unwrap().before() == value
        };
        let best = game.moves(position).into_iter().find(keeps);
        assert_eq!(search.best_move(position, &monitor).unwrap(), best, "{name} {position:?}");
    }
}

/// The result of a game that is over is known without a search, and so is a move that wins at once.
#[test]
fn results_after_a_move_are_known() {
    let rules = mnk::Rules::new(8, 8, 5).unwrap();
    let text = format!("XXXX..../OOOO....{}", "/........".repeat(6));
    let position = rules.parse_position(&text).unwrap();
    let evaluator = OnDemand::new(rules.clone(), Limits::default());
    evaluator.grow(u64::MAX).unwrap();
    let known = evaluator.known(&position);
    let winning = rules.parse_move(&position, "e1").unwrap();
    let win = Some(Proved::exactly(Value::win(Player::First, 1)));
    assert_eq!(known.moves[0], (winning, win));
    let monitor = Monitor::default().for_at_most(Duration::from_secs(20));
    assert_eq!(evaluator.best_move(&position, &monitor).unwrap(), Some(winning));
}

#[test]
fn every_position_of_small_games_has_the_value_of_the_explorer() {
    compare(Nim([3, 4, 5]), "nim", 1);
    for misere in [false, true] {
        for (rows, cols, k) in [(1, 5, 2), (2, 2, 2), (2, 3, 2), (3, 3, 2), (3, 3, 3), (2, 5, 3)] {
            let rules = mnk::Rules::new(rows, cols, k).unwrap().with_misere(misere);
            compare(rules, &format!("{rows}x{cols} {k}, misère {misere}"), 1);
        }
    }
    for penalty in ["0", "-1", "-3", "2"] {
        let board = dots::Board::new(2, 2).unwrap();
        let penalty = dots::Penalty::parse(penalty).unwrap();
        compare(dots::Rules { penalty, ..dots::Rules::standard(board) }, "dots", 1);
    }
    for (rows, cols) in [(1, 4), (2, 3), (3, 3)] {
        compare(british_square::Rules::standard(rows, cols).unwrap(), "british square", 1);
    }
}

/// Positions of random playouts, whose values the explorer finds.
#[test]
fn random_positions_have_the_values_of_the_explorer() {
    let monitor = Monitor::default();
    let mut random = Random::of(1, "positions");
    for (rows, cols, k) in [(4, 4, 4), (3, 5, 4), (3, 5, 3), (4, 4, 3)] {
        let rules = mnk::Rules::new(rows, cols, k).unwrap();
        let solution = explore(rules.clone(), Limits::default(), &monitor).unwrap();
        let solution = solution.solve(&monitor).unwrap();
        let search = Search::new(rules.clone(), 64 << 10).unwrap();
        for _ in 0..300 {
            let mut position = rules.start();
            for _ in 0..3 + random.below(rows * cols - 3) {
                let moves = rules.moves(&position);
                if !moves.is_empty() {
                    position = rules.play(&position, moves[random.below(moves.len())]);
                }
            }
            let found = search.prove(&position, &monitor).unwrap();
            let value = solution.value(&position);
            assert_eq!(found.exact(), value, "{}", rules.format_position(&position));
        }
    }
}

#[test]
fn positions_of_larger_games_have_the_values_of_the_explorer() {
    for misere in [false, true] {
        let rules = mnk::Rules::new(3, 4, 3).unwrap().with_misere(misere);
        compare(rules, "3x4 3", 37);
    }
    let board = dots::Board::new(2, 3).unwrap();
    compare(dots::Rules::standard(board), "dots 2x3", 997);
    compare(british_square::Rules::standard(3, 4).unwrap(), "british square 3x4", 97);
}

/// Compares positions of random play, with at most so many plies to the end, with plain minimax.
fn compare_with_minimax<G: Game + Clone>(game: &G, plies: u32, positions: usize) {
    let mut random = Random::of(1, "larger boards");
    let search = Search::new(game.clone(), 16 << 20).unwrap();
    let left = |position: &G::Position| game.remaining(position).unwrap().plies;
    let mut compared = 0;
    while compared < positions {
        let mut position = game.start();
        let last = random.below(plies as usize + 1) as u32;
        while left(&position) > last {
            let moves = game.moves(&position);
            if moves.is_empty() {
                break;
            }
            position = game.play(&position, moves[random.below(moves.len())].clone());
        }
        let value = mnk_plain::solve(game, &position, G::Position::clone, &mut HashMap::new());
        let found = search.prove(&position, &Monitor::default()).unwrap();
        assert_eq!(found.exact(), Some(value), "{position:?}");
        compared += 1;
    }
}

/// 10,000 positions.
#[test]
fn random_positions_of_larger_boards_have_the_values_of_plain_minimax() {
    for (rows, cols, k, misere) in [
        (5, 5, 4, false),
        (5, 5, 4, true),
        (6, 6, 4, false),
        (6, 6, 5, false),
        (4, 7, 3, true),
        (8, 8, 5, false),
    ] {
        let rules = mnk::Rules::new(rows, cols, k).unwrap().with_misere(misere);
        compare_with_minimax(&rules, 8, 1000);
    }
    for (rows, cols, penalty) in [(3, 3, "0"), (4, 4, "-1"), (3, 3, "1")] {
        let penalty = dots::Penalty::parse(penalty).unwrap();
        let rules = dots::Rules::standard(dots::Board::new(rows, cols).unwrap());
        compare_with_minimax(&dots::Rules { penalty, ..rules }, 9, 1000);
    }
    for (rows, cols) in [(5, 5), (4, 8)] {
        compare_with_minimax(&british_square::Rules::standard(rows, cols).unwrap(), 12, 1000);
    }
}

/// Dots-and-Boxes 3x3 from its rules alone, and by its own search, with the positions per second of
/// both.
#[test]
#[ignore = "takes minutes: cargo test --release -p bsq-games --test search -- --ignored --nocapture"]
fn dots_and_boxes_is_solved_from_its_rules() {
    let rate = |nodes: u64, began: Instant| {
        let seconds = began.elapsed().as_secs_f64();
        println!("{nodes} positions in {seconds:.1} s, {:.0} a second", nodes as f64 / seconds);
    };
    let board = dots::Board::new(3, 3).unwrap();
    let rules = dots::Rules::standard(board);
    let began = Instant::now();
    let own = dots::search::Solver::new(board, 0, 256 << 20).unwrap();
    let value = own.value(0, &Monitor::default()).unwrap();
    rate(own.nodes(), began);
    let began = Instant::now();
    let search = Search::new(rules, 1 << 30).unwrap();
    let found = search.prove(&rules.start(), &Monitor::default()).unwrap();
    rate(search.nodes(), began);
    assert_eq!(found.exact(), Some(Value::of_score(value.into())));
}

/// The published values of m,n,k games on boards of up to 6x6 with k from 3 to 5.
#[test]
fn published_values_of_m_n_k_games() {
    for row in include_str!("../../tests/golden/mnk_values.csv").lines().skip(1) {
        let fields: Vec<&str> = row.split(',').take(4).collect();
        let [rows, cols, k] = [0, 1, 2].map(|at| fields[at].parse::<usize>().unwrap());
        let search = Search::new(mnk::Rules::new(rows, cols, k).unwrap(), 256 << 20).unwrap();
        let start = search.game().start();
        let found = search.prove(&start, &Monitor::default()).unwrap().exact().unwrap();
        let winner = found.winner().map_or("draw", Player::name);
        assert_eq!(winner, fields[3], "{row}");
    }
}
