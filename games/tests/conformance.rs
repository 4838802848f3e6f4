//! Properties that every registered game must have, checked on playouts.

use bsq_engine::conformance::{Violation, check, check_evaluator, check_reversible, check_rules};
use bsq_engine::definition::Definition;
use bsq_engine::game::{Game, Notation};
use bsq_engine::monitor::{Monitor, SolveError};
use bsq_engine::random::Random;
use bsq_engine::strong;
use bsq_engine::strong::{AcyclicGame, Solved};
use bsq_games::british_square;
use bsq_games::british_square::{Board, BritishSquare, Position, Rules};
use bsq_games::{GAMES, Visitor, dots, mnk, rpsw, visit_all};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use std::fmt::Debug;

/// The length at which a playout is considered endless.
const TOO_LONG: usize = 10_000;

fn runner(cases: u32) -> TestRunner {
    TestRunner::new(ProptestConfig { cases, failure_persistence: None, ..Default::default() })
}

#[test]
fn every_registered_game_conforms() {
    for &name in GAMES {
        match name {
            british_square::NAME => {
                british_squares().iter().for_each(|game| conforms(game, true, in_turn));
            }
            dots::NAME => {
                for game in &dots_games() {
                    conforms(game, true, took_a_box);
                }
            }
            rpsw::NAME => {
                for game in &rpsws() {
                    conforms(game, false, in_turn);
                    holds(game, check_reversible(game));
                }
            }
            mnk::NAME => mnks().iter().for_each(|game| conforms(game, true, in_turn)),
            other => panic!("{other} is registered; add its instances here"),
        }
    }
}

#[test]
fn options_of_every_registered_game_conform() {
    struct Check(usize);
    impl Visitor for Check {
        fn visit<D: Definition>(&mut self, game: D) {
            let name = &game.info().name;
            check_rules(&game.rules()).unwrap_or_else(|it| panic!("{name}: {it}"));
            self.0 += 1;
        }
    }
    let mut check = Check(0);
    visit_all(&mut check);
    assert_eq!(check.0, GAMES.len());
}

/// Heuristics prefer some of the legal moves, at least one.
#[test]
fn heuristics_prefer_legal_moves() {
    struct Check(usize);
    impl Visitor for Check {
        fn visit<D: Definition>(&mut self, game: D) {
            let rules = game.rules();
            for heuristic in game.heuristics(&rules) {
                let mut random = Random(1);
                for _ in 0..20 {
                    let mut position = rules.start();
                    for _ in 0..100 {
                        let legal = rules.moves(&position);
                        if legal.is_empty() {
                            break;
                        }
                        let preferred = (heuristic.preferred)(&position);
                        let is_legal = preferred.iter().all(|mv| legal.contains(mv));
                        let name = &heuristic.name;
                        assert!(is_legal && !preferred.is_empty(), "{name}: {position:?}");
                        position = rules.play(&position, legal[random.below(legal.len())].clone());
                        self.0 += 1;
                    }
                }
            }
        }
    }
    let mut check = Check(0);
    visit_all(&mut check);
    assert!(check.0 > 1000);
}

#[test]
fn evaluators_conform() {
    for (rows, cols, pieces) in [(4, 4, None), (5, 5, None), (3, 4, Some(2))] {
        let rules = Rules { pieces, ..Rules::standard(rows, cols).unwrap() };
        let evaluator = british_square::Evaluator::new(&rules, None).unwrap();
        holds(&rules, check_evaluator(&evaluator, 4));
    }
    for rules in dots_games() {
        // Positions with more open lines have no value, or are refused.
        let evaluator = dots::Evaluator::new(rules, None, 1 << 20, 17);
        holds(&rules, check_evaluator(&evaluator, 4));
    }
}

/// Panics with the violation, if there is one.
fn holds(game: &impl Debug, result: Result<(), Violation>) {
    result.unwrap_or_else(|violation| panic!("{game:?}: {violation}"));
}

fn british_squares() -> Vec<Rules> {
    let sizes = [(1, 1), (1, 5), (3, 3), (4, 5), (5, 5), (6, 7), (8, 8)];
    let standard = |(rows, cols)| Rules::standard(rows, cols).unwrap();
    let mut games: Vec<Rules> = sizes.into_iter().map(standard).collect();
    for (rows, cols) in [(1, 1), (3, 3), (5, 5)] {
        games.push(Rules { center_allowed: true, ..standard((rows, cols)) });
    }
    for (limit, bias) in [(1, 0), (3, 2), (6, -1)] {
        games.push(Rules { pieces: Some(limit), bias, ..standard((5, 5)) });
        games.push(Rules { pieces: Some(limit), bias, ..standard((3, 4)) });
    }
    games
}

fn rpsws() -> Vec<rpsw::Rules> {
    let standard = rpsw::Rules::standard;
    let mut games = vec![standard(), standard().with_takes([0b1111; 4])];
    for (cols, rows, pieces) in [(4, 6, 2), (1, 3, 4), (3, 4, 3), (2, 5, 1)] {
        games.push(standard().on_board(cols, rows).unwrap().with_pieces(pieces).unwrap());
    }
    games
}

fn dots_games() -> Vec<dots::Rules> {
    use dots::Variant::*;
    let games = [
        ((1, 1), Standard, 0),
        ((1, 3), Standard, 0),
        ((2, 2), Standard, 0),
        ((3, 1), Standard, 0),
        ((3, 4), Icelandic, 0),
        ((5, 5), Swedish, -1),
        ((1, 21), Standard, 0),
    ];
    let rules = |((rows, cols), variant, penalty): ((_, _), _, i32)| {
        let board = dots::Board::new(rows, cols).unwrap();
        dots::Rules { board, variant, penalty: penalty.into() }
    };
    // Also a part of a large board.
    let part = include_str!("../../tests/golden/dots/large.csv").lines().nth(1).unwrap();
    let (part, _) = part.split_once(' ').unwrap();
    let part = dots::Rules::standard(dots::Board::parse(part).unwrap());
    games.map(rules).into_iter().chain([part]).collect()
}

fn mnks() -> Vec<mnk::Rules> {
    let games = [(1, 1, 1), (3, 3, 3), (1, 7, 3), (3, 5, 4), (5, 2, 3), (4, 4, 4), (5, 5, 5)];
    games.map(|(rows, cols, k)| mnk::Rules::new(rows, cols, k).unwrap()).to_vec()
}

/// Whether the player of a move between two positions moves again, in games without extra turns:
/// never.
fn in_turn<P>(_: &P, _: &P) -> bool {
    false
}

/// Whether the player of a move moves again, in Dots-and-Boxes: if the move completed a box.
fn took_a_box(before: &dots::Position, after: &dots::Position) -> bool {
    let mover = before.to_move.index();
    before.taken[mover] != after.taken[mover]
}

/// Checks the properties of all games, and that play takes turns.
fn conforms<G: Game + Notation + Debug>(
    game: &G,
    ends: bool,
    again: fn(&G::Position, &G::Position) -> bool,
) {
    holds(game, check(game));
    takes_turns(game, ends, again);
}

/// Plays random games, to the end in games that always end, and checks that the opponent moves next
/// unless the same player moves `again`.
fn takes_turns<G: Game + Debug>(
    game: &G,
    ends: bool,
    again: fn(&G::Position, &G::Position) -> bool,
) {
    // When the choices run out, the first legal moves are played to the end.
    let outcome = runner(24).run(&vec(any::<u16>(), 0..80), |choices| {
        let mut position = game.start();
        let mut choices = choices.into_iter();
        for _ in 0..TOO_LONG {
            let (player, moves) = (game.to_move(&position), game.moves(&position));
            for mv in &moves {
                let next = game.play(&position, mv.clone());
                let to_move = if again(&position, &next) { player } else { player.other() };
                prop_assert_eq!(game.to_move(&next), to_move, "{:?} {:?}", &position, mv);
            }
            if moves.is_empty() {
                return Ok(());
            }
            let choice = match choices.next() {
                Some(choice) => usize::from(choice) % moves.len(),
                None if ends => 0,
                None => return Ok(()),
            };
            position = game.play(&position, moves[choice].clone());
        }
        panic!("no end after {TOO_LONG} moves");
    });
    outcome.unwrap_or_else(|error| panic!("{game:?}: {error}"));
}

/// A 4x4 game with the value of every state.
fn solved_4x4() -> (BritishSquare, Solved) {
    let board = Board::new(4, 4).unwrap();
    let rules = Rules { board, center_allowed: false, bias: 0, pieces: None };
    let game = BritishSquare::new(rules).unwrap();
    let solved = strong::solve(&game, &game.root(), &Monitor::default()).unwrap();
    (game, solved)
}

/// Solves every image of some states, and compares the values with those of the full solution.
fn images_agree(game: &BritishSquare, solved: &Solved, states: Vec<(u64, i32)>) {
    assert!(!states.is_empty());
    let search = |position: &Position| -> Result<Solved, SolveError> {
        strong::solve(game, &game.node(position), &Monitor::default())
    };
    let outcome = runner(64).run(&prop::sample::select(states), |(key, value)| {
        let images = game.rules().images(&game.position(key));
        let positions = search(&images[0]).unwrap().positions();
        for image in images {
            let below = search(&image).unwrap();
            prop_assert_eq!(game.key(&game.node(&image)), key);
            prop_assert_eq!((below.value(), below.positions()), (value, positions));
            let differs = below.iter().find(|&(key, value)| solved.get(key) != Some(value));
            prop_assert_eq!(differs, None);
        }
        Ok(())
    });
    outcome.unwrap();
}

#[test]
fn the_value_is_the_same_from_every_side() {
    let (game, solved) = solved_4x4();
    let mut states: Vec<(u64, i32)> = solved.iter().collect();
    states.sort_unstable();
    images_agree(&game, &solved, states);
}

#[test]
fn the_value_of_a_symmetric_position_is_the_same_from_every_side() {
    let (game, solved) = solved_4x4();
    let is_symmetric = |&(key, _): &(u64, i32)| {
        let position = game.position(key);
        game.rules().images(&position).iter().filter(|&image| *image == position).count() > 1
    };
    let mut states: Vec<(u64, i32)> = solved.iter().filter(is_symmetric).collect();
    states.sort_unstable();
    images_agree(&game, &solved, states);
}
