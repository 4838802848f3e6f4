//! Compares samples with plain loops over the rules.

use bsq_analyses::source::Explorer;
use bsq_analyses::{Analysis, AnalysisError, Cell, Table, queries_of, sample};
use bsq_engine::definition::Definition as _;
use bsq_engine::explore::{Limits, PlayoutSampler};
use bsq_engine::game::{Game, Notation, Player};
use bsq_engine::monitor::Monitor;
use bsq_engine::random::Random;
use bsq_games::{british_square, dots, mnk, rpsw};
use std::collections::{BTreeMap, HashSet};

fn run(analysis: &Analysis, given: &[(&str, &str)]) -> Table {
    let job = analysis.prepare(given, None).unwrap();
    job.run(&Monitor::default()).unwrap().remove(0)
}

fn special(game: &str) -> Analysis {
    let [.., sample] = queries_of(game).unwrap();
    sample
}

/// The texts of a column.
fn texts(table: &Table, name: &str) -> Vec<String> {
    let at = table.columns.iter().position(|column| column.name == name).unwrap();
    let cells = table.rows.iter().map(|row| match &row[at] {
        Cell::Text(text) => text.to_string(),
        Cell::Integer(number) => number.to_string(),
        other => panic!("{other:?}"),
    });
    cells.collect()
}

/// All playouts of a game from a position, as lists of positions.
fn playouts<G: Game>(game: &G, so_far: &mut Vec<G::Position>, all: &mut Vec<Vec<G::Position>>) {
    let position = so_far[so_far.len() - 1].clone();
    let moves = game.moves(&position);
    if moves.is_empty() {
        all.push(so_far.clone());
    }
    for mv in moves {
        so_far.push(game.play(&position, mv));
        playouts(game, so_far, all);
        so_far.pop();
    }
}

/// Draws as many playouts as 40 times their number: each comes about 40 times, and so does each position
/// as the share of playouts and plies says. With a fixed seed the test is deterministic; the bounds are
/// those that a fair draw misses with a probability below one in a million.
fn assert_playouts<G: Game + Notation>(game: &G, start: &G::Position) {
    let mut all = Vec::new();
    playouts(game, &mut vec![start.clone()], &mut all);
    let sampler = PlayoutSampler::new(game, start, Limits::default(), &Monitor::default()).unwrap();
    assert_eq!(sampler.playouts(), all.len() as u128);
    let mut drawn: BTreeMap<Vec<String>, u32> = BTreeMap::new();
    let texts = |playout: &[G::Position]| {
        playout.iter().map(|position| game.format_position(position)).collect::<Vec<String>>()
    };
    let mut wanted: BTreeMap<Vec<String>, u32> = BTreeMap::new();
    all.iter().for_each(|playout| *wanted.entry(texts(playout)).or_default() += 1);
    let mut random = Random(5);
    for _ in 0..40 * all.len() {
        *drawn.entry(texts(&sampler.draw(&mut random))).or_default() += 1;
    }
    assert!(drawn.keys().all(|playout| wanted.contains_key(playout)));
    let mut chi_squared = 0.0;
    for (playout, ways) in &wanted {
        let (found, expected) = (drawn.get(playout).copied().unwrap_or(0), 40.0 * f64::from(*ways));
        chi_squared += (f64::from(found) - expected).powi(2) / expected;
    }
    // Of a chi-squared distribution, five standard deviations above the mean.
    let freedom = (wanted.len() - 1) as f64;
    assert!(
        chi_squared < freedom + 5.0 * (2.0 * freedom).sqrt() + 10.0,
        "{chi_squared} of {freedom}"
    );
}

#[test]
fn playouts_are_drawn_with_equal_probability() {
    let square = |rows, cols| british_square::Rules::standard(rows, cols).unwrap();
    for rules in
        [square(1, 5), square(2, 3), british_square::Rules { center_allowed: true, ..square(1, 3) }]
    {
        assert_playouts(&rules, &rules.start());
    }
    let rules = dots::Rules::standard(dots::Board::new(1, 2).unwrap());
    assert_playouts(&rules, &rules.start());
    let rules = mnk::Rules::tic_tac_toe();
    let mut position = rules.start();
    for mv in ["b2", "a1", "c1", "a3"] {
        position = rules.play(&position, rules.parse_move(&position, mv).unwrap());
    }
    assert_playouts(&rules, &position);
}

/// The shares of plies and players of a sample of playouts are those of all of them.
#[test]
fn plies_are_drawn_with_equal_probability() {
    let rules = british_square::Rules::standard(2, 3).unwrap();
    let mut all = Vec::new();
    playouts(&rules, &mut vec![rules.start()], &mut all);
    let mut wanted: BTreeMap<(String, String), f64> = BTreeMap::new();
    for playout in &all {
        for (ply, position) in playout.iter().enumerate() {
            let key = (ply.to_string(), rules.format_position(position));
            *wanted.entry(key).or_default() += 1.0 / (all.len() * playout.len()) as f64;
        }
    }
    let given = [("board", "2x3"), ("number", "100000"), ("seed", "3")];
    let table = run(&special(british_square::NAME), &given);
    let mut found: BTreeMap<(String, String), f64> = BTreeMap::new();
    let players = texts(&table, "player");
    for (at, key) in texts(&table, "ply").into_iter().zip(texts(&table, "position")).enumerate() {
        let position = rules.parse_position(&key.1).unwrap();
        assert_eq!(players[at], rules.to_move(&position).name());
        *found.entry(key).or_default() += 1e-5;
    }
    assert!(found.keys().all(|key| wanted.contains_key(key)));
    for (key, share) in wanted {
        let deviation = (share / 100_000.0).sqrt();
        let found = found.get(&key).copied().unwrap_or(0.0);
        assert!((found - share).abs() < 5.0 * deviation, "{key:?}: {found} instead of {share}");
    }
}

/// A sample of all states is every state once; a smaller one begins in the same way, and depends on the
/// seed.
#[test]
fn states_are_drawn_at_most_once() {
    let generic = sample::analysis::<Explorer<british_square::Rules>>(
        british_square::NAME,
        &british_square::Definition.rules(),
    );
    for analysis in [special(british_square::NAME), generic] {
        let of = |number: &str, seed: &str| {
            let given = [("board", "3x3"), ("number", number), ("seed", seed), ("from", "states")];
            texts(&run(&analysis, &given), "position")
        };
        let all = of("1000000", "1");
        assert_eq!(all.iter().collect::<HashSet<_>>().len(), all.len());
        let [query, ..] = queries_of(british_square::NAME).unwrap();
        let counted = run(&query, &[("board", "3x3"), ("condition", "true")]);
        assert_eq!(counted.rows[0][0], all.len().into());
        assert_eq!(of("10", "1"), all[..10]);
        assert_ne!(of("10", "2"), all[..10]);
    }
    let dots = sample::analysis::<Explorer<dots::Rules>>(dots::NAME, &dots::Definition.rules());
    let given = [("board", "1x2"), ("number", "1000"), ("from", "states")];
    let table = run(&dots, &given);
    assert!(table.columns.iter().all(|column| column.name != "player"));
    assert!(texts(&table, "position").len() > 10);
}

/// The share of a state in samples of one from many seeds is that of the others.
#[test]
fn each_state_is_as_probable_as_the_others() {
    let analysis = special(british_square::NAME);
    let mut found: BTreeMap<String, f64> = BTreeMap::new();
    for seed in 0..3000 {
        let seed = seed.to_string();
        let given = [("board", "1x3"), ("number", "1"), ("seed", &seed), ("from", "states")];
        *found.entry(texts(&run(&analysis, &given), "position").remove(0)).or_default() += 1.0;
    }
    assert_eq!(found.len(), 3);
    assert!(found.values().all(|count| (count - 1000.0).abs() < 130.0), "{found:?}");
}

#[test]
fn samples_begin_at_a_position() {
    let analysis = special(british_square::NAME);
    for from in ["playouts", "states"] {
        let given =
            [("board", "3x3"), ("number", "50"), ("from", from), ("moves", "a1"), ("seed", "9")];
        let table = run(&analysis, &given);
        let rules = british_square::Rules::standard(3, 3).unwrap();
        for (text, ply) in texts(&table, "position").iter().zip(texts(&table, "ply")) {
            let position = rules.parse_position(text).unwrap();
            let corners: [u64; 4] = [1, 1 << 2, 1 << 6, 1 << 8];
            assert!(corners.iter().any(|corner| position.pieces[0] & corner != 0), "{text}");
            assert_eq!(ply.parse::<u32>().unwrap() + 1, position.turn);
            assert!(position.turn > 1 || position.to_move == Player::First);
        }
    }
}

#[test]
fn a_game_that_need_not_end_has_no_playouts() {
    let small = [("board", "4x3"), ("pieces", "1"), ("number", "10")];
    let analysis = special(rpsw::NAME);
    let job = analysis.prepare(&small, None).unwrap();
    assert_eq!(job.run(&Monitor::default()).unwrap_err(), AnalysisError::Recurring);
    let states = [&small[..], &[("from", "states")]].concat();
    assert_eq!(run(&analysis, &states).rows.len(), 10);
    let error = analysis.prepare(&[("number", "0")], None).err().unwrap().to_string();
    assert_eq!(error, "'0' is not an integer from 1 to 10000000");
}
