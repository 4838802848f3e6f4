//! The stored values of first plies, against the rules and against searches without them.

use bsq_engine::definition::{Definition, Resources};
use bsq_engine::evaluate::{Detail, Evaluator};
use bsq_engine::game::{Game, Notation as _, Player, Value};
use bsq_engine::monitor::Monitor;
use bsq_engine::record::GameRecord;
use bsq_games::{british_square, dots, rpsw};
use serde::Deserialize;
use std::collections::HashMap;
use std::time::Duration;

const MEMORY: u64 = 256 << 20;

/// A row of a table.
#[derive(Deserialize)]
struct Row {
    rows: usize,
    cols: usize,
    moves: String,
    score: i32,
}

/// The rows of each board of a table.
fn boards(table: &str) -> HashMap<(usize, usize), Vec<Row>> {
    let mut boards = HashMap::<_, Vec<Row>>::new();
    for row in csv::Reader::from_reader(table.as_bytes()).deserialize() {
        let row: Row = row.unwrap();
        boards.entry((row.rows, row.cols)).or_default().push(row);
    }
    boards
}

/// A job for the rows of each board, with its definition and standard rules.
trait Job {
    fn run<D: Definition>(&self, definition: &D, rules: &D::Rules, rows: &[Row]);
}

fn for_every_board(job: &impl Job) {
    let stored = boards(include_str!("../src/british_square/first-plies.csv"));
    assert!(stored.len() >= 2);
    for ((rows, cols), stored) in stored {
        let rules = british_square::Rules::standard(rows, cols).unwrap();
        job.run(&british_square::Definition, &rules, &stored);
    }
    let stored = boards(include_str!("../src/dots/first-plies.csv"));
    assert!(stored.len() >= 2);
    for ((rows, cols), stored) in stored {
        let rules = dots::Rules::standard(dots::Board::new(rows, cols).unwrap());
        job.run(&dots::Definition, &rules, &stored);
    }
}

fn position_of<D: Definition>(rules: &D::Rules, row: &Row) -> <D::Rules as Game>::Position {
    let mut record = GameRecord::new(rules.clone());
    record.play_all(&row.moves).unwrap();
    record.position().clone()
}

/// The best of some scores for a player.
fn best(player: Player, scores: impl Iterator<Item = i32>) -> Option<i32> {
    if player == Player::First { scores.max() } else { scores.min() }
}

/// The score of a position is the best of those after its moves.
struct AreConsistent;

impl Job for AreConsistent {
    fn run<D: Definition>(&self, _: &D, rules: &D::Rules, rows: &[Row]) {
        let mut stored = HashMap::<_, i32>::new();
        for row in rows {
            let class = rules.canonical(&position_of::<D>(rules, row));
            // The rules have more symmetries than the board.
            let before = stored.insert(class, row.score);
            assert!(before.is_none_or(|before| before == row.score), "{}", row.moves);
        }
        let last = rows.iter().map(|row| row.moves.split_whitespace().count()).max().unwrap();
        for row in rows.iter().filter(|row| row.moves.split_whitespace().count() < last) {
            let position = position_of::<D>(rules, row);
            let scores = rules.moves(&position).into_iter().map(|mv| {
                let after = rules.canonical(&rules.play(&position, mv));
                *stored.get(&after).expect("every position of the first plies is stored")
            });
            assert_eq!(Some(row.score), best(rules.to_move(&position), scores), "{}", row.moves);
        }
    }
}

#[test]
fn the_score_of_a_position_is_the_best_of_its_moves() {
    for_every_board(&AreConsistent);
}

/// The evaluator has the stored scores at once.
struct AreFoundAtOnce;

impl Job for AreFoundAtOnce {
    fn run<D: Definition>(&self, definition: &D, rules: &D::Rules, rows: &[Row]) {
        let resources = Resources { first_plies: true, ..Resources::new(MEMORY) };
        let evaluator = definition.evaluator(rules, &resources).unwrap();
        let soon = Monitor::default();
        for row in rows {
            let position = position_of::<D>(rules, row);
            let limit = soon.for_at_most(Duration::from_millis(500));
            let found = evaluator.evaluate(&position, Detail::Value, &limit);
            let value = found.unwrap_or_else(|error| panic!("{}: {error}", row.moves)).value;
            assert_eq!(value, Some(Value::of_score(row.score.into())), "{}", row.moves);
        }
        if rows.len() > 1 {
            let limit = soon.for_at_most(Duration::from_millis(500));
            let found = evaluator.evaluate(&rules.start(), Detail::Moves, &limit).unwrap();
            assert!(found.moves.unwrap().iter().all(|mv| mv.value.is_some()));
        }
    }
}

#[test]
fn stored_scores_need_no_search() {
    for_every_board(&AreFoundAtOnce);
}

/// Some scores are those of a search without them.
struct AreThoseOfASearch;

impl Job for AreThoseOfASearch {
    fn run<D: Definition>(&self, definition: &D, rules: &D::Rules, rows: &[Row]) {
        let evaluator = definition.evaluator(rules, &Resources::new(4 << 30)).unwrap();
        if rows.len() == 1 {
            return; // the start of 4x5, half a day
        }
        // The positions of the last ply are the cheapest.
        for row in rows.iter().rev().step_by(rows.len() / 3) {
            let position = position_of::<D>(rules, row);
            let found = evaluator.evaluate(&position, Detail::Value, &Monitor::default()).unwrap();
            assert_eq!(found.value, Some(Value::of_score(row.score.into())), "{}", row.moves);
        }
    }
}

#[test]
#[ignore = "takes some minutes: cargo test --release -p bsq-games --test first_plies -- --ignored"]
fn stored_scores_are_those_of_a_search() {
    for_every_board(&AreThoseOfASearch);
}

#[test]
fn the_tables_are_those_of_the_results() {
    let here = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let copies = [
        ("british_square/first-plies.csv", "boards_first_plies.csv"),
        ("dots/first-plies.csv", "dots-first-plies.csv"),
        ("rpsw/starts.csv", "rpsw-arrangements.csv"),
    ];
    for (copy, original) in copies {
        let copy = std::fs::read(here.join("src").join(copy)).unwrap();
        assert!(
            copy == std::fs::read(here.join("../results").join(original)).unwrap(),
            "{original}"
        );
    }
}

#[test]
fn every_start_of_rock_paper_scissors_well_is_stored() {
    let rules = rpsw::Rules::standard();
    let resources = Resources { first_plies: true, ..Resources::new(MEMORY) };
    let evaluator = rpsw::Definition.evaluator(&rules, &resources).unwrap();
    let value = |position: &str| {
        let position = rules.parse_position(position).unwrap();
        let found = evaluator.evaluate(&position, Detail::Moves, &Monitor::default()).unwrap();
        let best = found.best().map(|mv| rules.format_move(&position, mv)).collect::<Vec<_>>();
        let of = |mv: &str| found.of(rules.parse_move(&position, mv).unwrap());
        assert!(best.iter().all(|mv| of(mv) == found.value));
        (found.value.unwrap(), best.join(" "))
    };
    let rest = "/..../..../..../..../";
    assert_eq!(
        value(&format!("rpws{rest}RPSW first")),
        (Value::win(Player::First, 27), "a1a2 b1b2 d1d2".into())
    );
    assert_eq!(value(&format!("rpsw{rest}RPSW first")).0, Value::DRAW);
    // Other positions are not.
    let position = rules.parse_position("rpsw/..../..../..../R.../.PSW second").unwrap();
    assert!(evaluator.evaluate(&position, Detail::Value, &Monitor::default()).is_err());
    assert!(evaluator.evaluate(&rules.start(), Detail::Value, &Monitor::default()).is_ok());
    // Without them, nothing is known.
    let plain = rpsw::Definition.evaluator(&rules, &Resources::new(MEMORY)).unwrap();
    assert!(plain.evaluate(&rules.start(), Detail::Value, &Monitor::default()).is_err());
}
