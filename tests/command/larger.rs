//! Tests boards of more than 25 cells: values, maps, sizes of tables, checkpoints.

use super::errors::{fails, refused};
use super::*;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::process::Stdio;

fn value(line: &str) -> i64 {
    json(line)["value"]["score"].as_i64().unwrap()
}

#[test]
fn boards_of_up_to_64_cells_have_a_value() {
    for (board, expected) in [("5x6", 2), ("4x9", 2), ("6x6", 0), ("8x8", 0), ("1x30", 1)] {
        assert_eq!(value(&format!("solve --board {board}")), expected, "{board}");
    }
    // The centre rule and the bias apply on larger boards as well.
    assert_eq!(value("solve --board 3x9 --bias 3"), -1);
    assert_eq!(value("solve --board 1x27"), 2);
    assert_eq!(value("solve --board 1x27 --center-allowed"), 2);
}

#[test]
fn values_of_moves_come_when_they_are_asked_for() {
    let plain = json("solve --board 4x7");
    let moves = plain["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 28);
    assert!(moves.iter().all(|mv| mv["value"].is_null() && mv["class"].is_null()));
    assert_eq!(table("solve --board 4x7")[0]["score"], "2");
    let mapped = json("solve 4x7 --values");
    assert_eq!(mapped["moves"].as_array().unwrap().len(), 28);
    assert_eq!(mapped["value"], plain["value"]);
    let best = &mapped["moves"][0];
    assert_eq!((&best["value"], &best["class"]), (&plain["value"], &json!("best")));
    assert_eq!(table("solve --board 4x7 --map").len(), 28);
    // Up to 25 cells they are found at once.
    assert!(json("solve --board 4x6")["moves"][23]["value"].is_object());
    let text = out("solve --board 4x7 --format table");
    assert!(text.contains("Add --values for the value of every move."), "{text}");
}

/// The value of a position on a larger board is that of its best move.
#[test]
fn perfect_play_keeps_the_value_of_a_larger_board() {
    let mut moves = String::new();
    for _ in 0..12 {
        let position = json(&format!("solve --board 4x7 --values --moves '{moves}'"));
        assert_eq!(position["value"]["score"], 2, "after {moves}");
        let Some(best) = position["moves"].as_array().unwrap().first().cloned() else { return };
        moves += &format!(" {}", best["move"].as_str().unwrap());
    }
}

#[test]
fn a_table_too_small_to_begin_is_refused() {
    let says = "the table is too small for the board; it takes at least 32.0 MiB";
    fails(1, "solve --board 7x9 --memory 1MB", &[says]);
    for size in ["-1", "much", "8XB"] {
        refused(&format!("solve --memory={size}"), &[&format!("'{size}' is not a size")]);
    }
    fails(1, "solve --memory 0", &["the table is too small for the board"]);
    assert_eq!(value("solve --board 5x6 --memory 64B"), 2); // a line of four entries
}

#[test]
fn a_limit_on_pieces_keeps_to_what_can_be_searched() {
    refused("solve --board 5x6 --pieces 3", &["25 cells"]);
    refused("solve --pieces 3 --checkpoint x", &["--checkpoint"]);
}

#[test]
fn a_checkpoint_is_gone_on_from_and_guarded() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("search");
    let file = path.display();
    assert_eq!(value(&format!("solve --board 5x6 --checkpoint {file}")), 2);
    let again = run(&format!("solve --board 5x6 --checkpoint {file} --format json"));
    assert_eq!(again.code, 0);
    assert!(again.err.contains("continues the search after"), "{}", again.err);
    assert!(again.out.contains("\"score\": 2,"), "{}", again.out);

    let other = run(&format!("solve --board 5x6 --bias 1 --checkpoint {file}"));
    assert_eq!(other.code, 2);
    assert!(
        other.err.contains("it was made for 'British Square 5x6', and this is"),
        "{}",
        other.err
    );
    let mut bytes = std::fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&path, &bytes).unwrap();
    let damaged = run(&format!("solve --board 5x6 --checkpoint {file}"));
    assert_eq!(damaged.code, 1);
    assert!(damaged.err.contains("it is damaged"), "{}", damaged.err);
    assert_eq!(std::fs::read(&path).unwrap(), bytes, "a refused file is left alone");
    std::fs::write(&path, "something else\n").unwrap();
    let foreign = run(&format!("solve --board 5x6 --checkpoint {file}"));
    assert_eq!(foreign.code, 2);
    assert!(foreign.err.contains("begins with 'something else'"), "{}", foreign.err);
    let nowhere = run("solve --board 5x6 --checkpoint /nowhere/at/all");
    assert_eq!((nowhere.code, nowhere.out.as_str()), (1, ""));
    assert!(nowhere.err.contains("cannot write"), "{}", nowhere.err);
}

/// Interrupts a search of hours, which reports the proved bounds and the checkpoint.
#[cfg(target_os = "linux")]
#[test]
fn a_long_search_is_stopped_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("search");
    let line = format!("solve --board 7x9 --memory 64MiB --checkpoint {}", path.display());
    for taken_up in [false, true] {
        let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin!("bsq"));
        command.args(words(&line)).stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = command.spawn().unwrap();
        streams::wait_until_it_listens(child.id());
        std::thread::sleep(std::time::Duration::from_secs(2));
        let process = child.id().to_string();
        let kill = std::process::Command::new("kill").args(["-INT", &process]).status();
        assert!(kill.unwrap().success());
        let output = child.wait_with_output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(130), "{error}");
        let rows = super::rows(std::str::from_utf8(&output.stdout).unwrap());
        let [least, most] = ["score_min", "score_max"].map(|name| rows[0][name].parse::<i32>());
        // The first player does not lose on a board whose centre is forbidden.
        assert!(least.unwrap() <= 0 && most.unwrap() >= 0, "{rows:?}");
        assert_eq!((&*rows[0]["score"], &*rows[0]["proved"]), ("", "false"));
        assert!(!error.contains("nothing was kept"), "{error}");
        assert!(error.contains("the same command resumes from there"), "{error}");
        assert_eq!(error.contains("continues the search after"), taken_up, "{error}");
        assert_eq!(files(folder.path()), ["search"]);
    }
}

/// Compares the small boards of the committed table with new results.
#[test]
fn small_boards_are_worth_what_the_results_say() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(run(&format!("analyze boards --out {}", folder.path().display())).code, 0);
    let results = Path::new(env!("CARGO_MANIFEST_DIR")).join("results");
    for (name, least) in [("boards.csv", 60), ("boards_openings.csv", 100)] {
        let mut kept = rows(&read(&results, name));
        assert!(kept.iter().any(|row| row["cells"] == "49") || name != "boards.csv");
        kept.retain(|row| row["cells"].parse::<u32>().unwrap() <= 25);
        assert!(kept.len() >= least, "{}", kept.len());
        assert_eq!(rows(&read(folder.path(), name)), kept, "{name}");
    }
}

/// Compares the counts of boards up to a size in the committed tables with new ones.
fn assert_states_are_those_of_the_results(line: &str, boards: usize) {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(run(&format!("analyze growth {line} --out {}", folder.path().display())).code, 0);
    let results = Path::new(env!("CARGO_MANIFEST_DIR")).join("results");
    let key = |row: &BTreeMap<String, String>| (row["rows"].clone(), row["cols"].clone());
    for name in ["growth.csv", "growth_by_turn.csv"] {
        let new = rows(&read(folder.path(), name));
        let counted: BTreeSet<_> = new.iter().map(key).collect();
        assert_eq!(counted.len(), boards, "{line}, {name}");
        let mut kept = rows(&read(&results, name));
        assert!(kept.iter().any(|row| row["rows"] == "7" && row["cols"] == "7"));
        kept.retain(|row| counted.contains(&key(row)));
        assert_eq!(new, kept, "{line}, {name}");
    }
}

#[test]
fn small_boards_have_as_many_states_as_the_results_say() {
    assert_states_are_those_of_the_results("--method sets", 46);
    assert_states_are_those_of_the_results("--method transfer-matrix", 46);
}

#[test]
#[ignore = "minutes: cargo test --release --features full --test command -- --ignored up_to_32"]
fn boards_of_up_to_32_cells_have_as_many_states_by_sets() {
    assert_states_are_those_of_the_results("--board 4x8 --method sets", 62);
}

/// The parts of large counts, made over several sittings, add up to the states of the results, which
/// another method counted.
#[test]
fn parts_of_large_counts_are_those_of_the_results() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let turns = rows(&read(&root.join("results"), "growth_by_turn.csv"));
    for board in ["5x8", "6x7"] {
        let folder = root.join("tests/parts").join(board);
        let paths: Vec<String> = files(&folder)
            .into_iter()
            .map(|name| folder.join(name).display().to_string())
            .collect();
        let merged = run(&format!("merge {} --format csv --quiet", paths.join(" ")));
        assert_eq!(merged.code, 0, "{}", merged.err);
        let found = rows(&merged.out);
        let of_board =
            turns.iter().filter(|row| format!("{}x{}", row["rows"], row["cols"]) == board);
        let kept: Vec<_> = of_board.collect();
        assert_eq!(found.len(), kept.len());
        for (found, kept) in found.iter().zip(kept) {
            for name in ["turn", "states", "passes", "terminals"] {
                assert_eq!(found[name], kept[name], "{board}, {name}");
            }
        }
    }
}

/// Until a player has passed, states are pairs of sets of cells, which another method counts. Their
/// numbers are a check of the boards on which no other one is feasible.
#[test]
fn before_a_pass_the_states_of_large_boards_are_pairs_of_sets() {
    let results = Path::new(env!("CARGO_MANIFEST_DIR")).join("results");
    let turns = rows(&read(&results, "growth_by_turn.csv"));
    for (board, least) in [("5x7", 10), ("5x8", 11), ("6x7", 11), ("6x8", 12), ("7x7", 17)] {
        let pairs = rows(&out(&format!("analyze capacity --board {board} --format csv --quiet")));
        let of_board =
            turns.iter().filter(|row| format!("{}x{}", row["rows"], row["cols"]) == board);
        let (mut compared, mut has_passed) = (0, false);
        for (turn, pairs) in of_board.zip(&pairs) {
            assert_eq!(turn["turn"], pairs["turn"], "{board}");
            let [states, pairs]: [u128; 2] =
                [turn, pairs].map(|row| row["states"].parse().unwrap());
            if has_passed {
                assert!(states > pairs, "{board}, turn {}", turn["turn"]);
            } else {
                assert_eq!(states, pairs, "{board}, turn {}", turn["turn"]);
                compared += 1;
            }
            has_passed |= turn["passes"] != "0";
        }
        assert!(compared >= least, "{board}: {compared} turns");
    }
}

/// Boards with two even sides need no search, because their value is proved.
#[test]
fn every_opening_of_an_even_board_ties() {
    let moves = json("solve --board 8x8 --values")["moves"].as_array().unwrap().clone();
    assert_eq!(moves.len(), 64);
    assert!(moves.iter().all(|mv| mv["value"]["outcome"] == "tie" && mv["class"] == "best"));
}

#[test]
fn a_board_may_stand_for_the_position() {
    assert_eq!(out("solve 3x4"), out("solve --board 3x4"));
    assert_eq!(out("solve 3x4 --values -f json"), out("solve --board 3x4 --map --format json"));
    refused("solve 3x4 --board 4x4", &["'3x4' is a board, and --board gives another"]);
    refused("solve 99x99", &["99x99"]);
}

/// Best play of both players ends the game with its value.
#[test]
fn the_principal_variation_reaches_the_value() {
    for rules in ["", "--board 3x4 --bias 1", "--board 3x3 --pieces 2", "--board 4x7"] {
        let solved = json(&format!("solve {rules} --pv"));
        let line: Vec<&str> = solved["principal_variation"]
            .as_array()
            .unwrap()
            .iter()
            .map(|mv| mv.as_str().unwrap())
            .collect();
        let end = json(&format!("solve {rules} --moves '{}'", line.join(" ")));
        assert_eq!(end["is_over"], true, "{rules}");
        assert_eq!((&end["value"], &end["score"]), (&solved["value"], &solved["value"]["score"]));
    }
    assert!(json("solve")["principal_variation"].is_null());
    let text = out("solve 3x3 --pv --format table");
    assert!(text.contains("\nPrincipal variation: 1 5 9 3 7\n"), "{text}");
    assert_eq!(table("solve 3x3 --pv")[0]["pv"], "1 5 9 3 7");
}
