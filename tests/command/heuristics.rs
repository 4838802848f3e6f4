//! Tests the comparison of heuristics with perfect play, and the lists of failures.

use super::playing::plain;
use super::{Row, files, json, names, out, read, rows, run, table};
use bsq_games::british_square::{Move, Rules};
use std::collections::BTreeSet;

/// The summary of a heuristic, and the positions where it fails.
fn tested(name: &str, flags: &str) -> (Summary, Vec<Row>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("failures.csv");
    let line = format!("test-heuristic {name} {flags}");
    let summary = out(&format!("{line} --format json --failures '{}'", path.display()));
    assert_eq!(summary, out(&format!("{line} --format json")), "bsq {line}");
    assert_eq!(files(folder.path()), ["failures.csv"]);
    (Summary::of(&line), rows(&read(folder.path(), "failures.csv")))
}

/// The results of a heuristic by turn, by player, and in total.
#[derive(Debug, PartialEq)]
struct Summary {
    turns: Vec<Row>,
    players: Vec<Row>,
    total: Row,
}

impl Summary {
    /// The tables that a command writes.
    fn of(line: &str) -> Summary {
        let folder = tempfile::tempdir().unwrap();
        out(&format!("{line} --quiet --out '{}'", folder.path().display()));
        let find = |end: &str| {
            let names = files(folder.path());
            let name = names.iter().find(|name| name.ends_with(end)).unwrap();
            rows(&read(folder.path(), name))
        };
        let [total] = &find("_total.csv")[..] else { panic!("one row") };
        let [main] = &files(folder.path())
            .into_iter()
            .filter(|name| {
                name.ends_with(".csv")
                    && !name.ends_with("_total.csv")
                    && !name.ends_with("_by_player.csv")
            })
            .collect::<Vec<_>>()[..]
        else {
            panic!("one table")
        };
        Summary {
            turns: rows(&read(folder.path(), main)),
            players: find("_by_player.csv"),
            total: total.clone(),
        }
    }

    fn all(&self) -> impl Iterator<Item = &Row> {
        self.turns.iter().chain(&self.players).chain([&self.total])
    }
}

fn tiles(text: &str) -> BTreeSet<u32> {
    text.split(' ').map(|tile| tile.parse().unwrap()).collect()
}

fn heuristics() -> Vec<String> {
    names("test-heuristic list")
}

#[test]
fn every_heuristic_answers_in_every_format() {
    for name in heuristics() {
        let line = format!("test-heuristic {name} --board 3x4");
        let answer = json(&line);
        assert_eq!(answer["command"], line);
        let listed = answer["tables"][0]["rows"].as_array().unwrap();
        let rows = table(&line);
        assert_eq!(rows.len(), listed.len());
        for (row, object) in rows.iter().zip(listed) {
            assert_eq!(row["heuristic"], name);
            for (column, value) in row {
                assert_eq!(*value, plain(&object[column]), "{name} {column}");
            }
        }
        let screen = out(&format!("{line} --format table"));
        assert!(screen.starts_with(&format!("{name} against perfect play (3x4")), "{screen}");
    }
}

#[test]
fn the_analysis_says_of_every_heuristic_what_its_own_test_says() {
    let analysis = table("analyze heuristics --board 3x4");
    let each = heuristics()
        .into_iter()
        .map(|name| Summary::of(&format!("test-heuristic {name} --board 3x4")).total);
    assert_eq!(analysis, each.collect::<Vec<_>>());
}

#[test]
fn turns_add_up_to_players_and_players_to_all() {
    for name in heuristics() {
        let summary = Summary::of(&format!("test-heuristic {name} --board 3x4"));
        for column in ["decisions", "risky", "fails", "fails_badly"] {
            let count = |row: &Row| row[column].parse::<u64>().unwrap();
            let all = count(&summary.total);
            assert_eq!(summary.turns.iter().map(count).sum::<u64>(), all, "{name} {column}");
            let players = summary.players.iter().map(|row| row["player"].as_str());
            assert!(players.eq(["first", "second"]));
            assert_eq!(summary.players.iter().map(count).sum::<u64>(), all, "{name} {column}");
        }
    }
}

#[test]
fn greedy_fails_on_three_by_four_as_often_as_a_plain_program_says() {
    let summary = Summary::of("test-heuristic greedy --board 3x4");
    let count = |column: &str| summary.total[column].clone();
    let found = ["decisions", "risky", "fails"].map(count);
    assert_eq!(found, ["964", "513", "110"]);
}

#[test]
fn a_failures_file_has_a_row_for_each_failure() {
    for name in heuristics() {
        let (summary, failures) = tested(&name, "--board 3x4");
        assert!(!failures.is_empty(), "{name} is perfect?");
        for row in summary.all() {
            let same = |failure: &&Row| {
                let same = |column: &str| row.get(column).is_none_or(|it| *it == failure[column]);
                same("turn") && same("player")
            };
            let count = failures.iter().filter(same).count();
            assert_eq!(row["fails"], count.to_string(), "{name} {row:?}");
            let bad =
                |failure: &&Row| tiles(&failure["liked"]).is_disjoint(&tiles(&failure["perfect"]));
            let badly = failures.iter().filter(same).filter(bad).count();
            assert_eq!(row["fails_badly"], badly.to_string(), "{name} {row:?}");
        }
    }
}

#[test]
fn failing_positions_are_what_they_seem() {
    let rules = Rules::standard(3, 4).unwrap();
    for name in heuristics() {
        let (_, failures) = tested(&name, "--board 3x4");
        let mut seen = BTreeSet::new();
        for row in &failures {
            let position = rules.parse_position(&row["position"]).unwrap();
            assert_eq!(rules.format_position(&position), row["position"]);
            assert_eq!(position.turn.to_string(), row["turn"]);
            assert_eq!(position.to_move.name(), row["player"]);
            let legal: BTreeSet<u32> = rules.moves(&position).into_iter().map(tile).collect();
            let [perfect, liked] = [tiles(&row["perfect"]), tiles(&row["liked"])];
            assert!(!perfect.is_empty() && perfect.is_subset(&legal), "{row:?}");
            assert!(!liked.is_subset(&perfect) && liked.is_subset(&legal), "{row:?}");
            assert!(row["cost_most"].parse::<u32>().unwrap() > 0, "{row:?}");
            assert!(seen.insert(&row["position"]), "{row:?} is there twice");
        }
        assert!(failures.is_sorted_by_key(|row| row["turn"].parse::<u32>().unwrap()));
    }
}

fn tile(mv: Move) -> u32 {
    match mv {
        Move::Place(cell) => cell as u32 + 1,
        Move::Pass => panic!("a pass is not a decision"),
    }
}

/// Compares some failures with the output of `bsq solve`.
fn solved_the_same(name: &str, flags: &str) {
    let (_, failures) = tested(name, flags);
    for row in failures.iter().step_by(failures.len().div_ceil(9).max(1)) {
        let solved = json(&format!("solve {flags} --values '{}'", row["position"]));
        assert_eq!(row["value"], solved["value"]["score"].to_string(), "{row:?}");
        let moves = solved["moves"].as_array().unwrap();
        let tile = |mv: &serde_json::Value| mv["move"].as_str().unwrap().parse::<u32>().unwrap();
        let best = moves.iter().filter(|mv| mv["class"] == "best");
        let best: BTreeSet<u32> = best.map(tile).collect();
        assert_eq!(tiles(&row["perfect"]), best, "{row:?}");
        let liked = tiles(&row["liked"]);
        let costs = moves.iter().filter(|mv| liked.contains(&tile(mv)));
        let most = costs.map(|mv| mv["cost"].as_u64().unwrap()).max().unwrap();
        assert_eq!(row["cost_most"], most.to_string(), "{row:?}");
    }
}

#[test]
fn failing_positions_are_solved_the_same() {
    for name in heuristics() {
        solved_the_same(&name, "--board 3x4");
    }
    solved_the_same("greedy", "--board 4x4");
    solved_the_same("random", "--board 3x3 --center-allowed --bias -3");
    solved_the_same("greedy", "--board 3x4 --pieces 4 --bias 2");
}

#[test]
fn a_heuristic_without_failures_leaves_a_file_with_a_header_only() {
    let (summary, failures) = tested("random", "--board 1x2");
    assert_eq!((summary.total["fails"].as_str(), failures.len()), ("0", 0));
}

#[test]
fn an_older_failures_file_is_replaced_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("failures.csv");
    std::fs::write(&path, "old\n".repeat(10_000)).unwrap();
    out(&format!("test-heuristic greedy --board 3x3 --failures '{}'", path.display()));
    assert_eq!(files(folder.path()), ["failures.csv"]);
    assert!(!read(folder.path(), "failures.csv").contains("old"));
}

#[test]
fn a_bias_changes_no_choice() {
    let [plain, biased] =
        ["", "--bias 2"].map(|bias| tested("greedy", &format!("--board 3x4 {bias}")));
    assert_eq!(plain.0, biased.0);
    for (plain, biased) in plain.1.iter().zip(&biased.1) {
        let value = |row: &Row| row["value"].parse::<i32>().unwrap();
        assert_eq!(value(biased), value(plain) - 2);
        assert_eq!((&biased["perfect"], &biased["liked"]), (&plain["perfect"], &plain["liked"]));
    }
}

/// The heuristics of other games are tested by the rules alone.
#[test]
fn heuristics_of_other_games() {
    assert_eq!(names("dots test-heuristic list"), ["greedy", "double-cross", "chain-rule"]);
    let unknown = run("dots test-heuristic lucky --board 1x1");
    assert_eq!(unknown.code, 2);
    assert!(unknown.err.contains("there are greedy, double-cross, chain-rule"), "{}", unknown.err);
    // With one box, every line is perfect.
    let rows = table("dots test-heuristic greedy --board 1x1");
    assert!(rows.iter().all(|row| row["fails"] == "0"), "{rows:?}");
    assert_eq!(run("mnk test-heuristic greedy").code, 2);
}
