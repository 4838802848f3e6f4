//! Analyses that begin at another position than the start.

use super::errors::refused;
use super::{files, out, read, rows, table};
use std::fs;

/// The lines of commands that take a root, on a small board.
const LINES: [&str; 14] = [
    "analyze playouts",
    "analyze playouts --by-first-move",
    "analyze states",
    "analyze terminals",
    "analyze scores",
    "analyze openings",
    "analyze blunders",
    "analyze heuristics",
    "analyze agents --first greedy --second random",
    "query true --by ply",
    "export moves",
    "sample 5 --seed 1 --from states",
    "test-heuristic greedy",
    "test-heuristic greedy --from-start",
];

/// Moves, a position, and files with either give the same answer.
#[test]
fn a_root_is_given_by_moves_by_a_position_or_by_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let position = "X.../..../...O X";
    let [of_position, of_moves, of_game] = ["position.txt", "moves.txt", "game.txt"].map(path);
    fs::write(&of_position, format!("{position}\n")).unwrap();
    fs::write(&of_moves, "1 12\n").unwrap();
    fs::write(&of_game, "board: 3x4\nbias: 2\nmoves: 1 12\n").unwrap();
    for line in LINES {
        let rules = "--board 3x4 --bias 2";
        let wanted = out(&format!("{line} {rules} --moves '1 12'"));
        assert_ne!(wanted, out(&format!("{line} {rules}")), "{line}");
        for root in [position, &of_position, &of_moves] {
            assert_eq!(out(&format!("{line} {rules} --position '{root}'")), wanted, "{line}");
        }
        assert_eq!(out(&format!("{line} --position '{of_game}'")), wanted, "{line}");
        let after = out(&format!("{line} {rules} --position '{of_position}' --moves 3"));
        assert_eq!(after, out(&format!("{line} {rules} --moves '1 12 3'")), "{line}");
    }
    let lines = "dots analyze openings --board 2x2";
    fs::write(&of_game, "board: 2x2\nmoves: a1-b1 b1-c1\n").unwrap();
    let wanted = out(&format!("{lines} --moves 'a1-b1 b1-c1'"));
    assert_eq!(out(&format!("dots analyze openings --position '{of_game}'")), wanted);
}

/// What a manifest says about a root does not need the file.
#[test]
fn a_manifest_has_the_position_of_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let game = folder.path().join("game.txt");
    fs::write(&game, "board: 3x4\nmoves: 1 12\n").unwrap();
    let results = folder.path().join("results");
    out(&format!("analyze states --position '{}' --out '{}'", game.display(), results.display()));
    let manifest = read(&results, "datapackage.json");
    let command = "bsq analyze states --board 3x4 --position 'X.../..../...O X' --out .";
    assert!(manifest.contains(command), "{manifest}");
    assert!(!manifest.contains("game.txt"), "{manifest}");
}

#[test]
fn failures_below_a_position() {
    let folder = tempfile::tempdir().unwrap();
    let tested = |root: &str| {
        let path = folder.path().join("failures.csv");
        let line = format!("test-heuristic greedy --board 3x4 {root}");
        let summary = table(&format!("{line} --failures '{}'", path.display()));
        assert_eq!(summary, table(&line));
        assert_eq!(files(folder.path()), ["failures.csv"]);
        let fails: u64 = summary.iter().map(|row| row["fails"].parse::<u64>().unwrap()).sum();
        let failures = rows(&read(folder.path(), "failures.csv"));
        assert_eq!(failures.len() as u64, fails, "{root}");
        fails
    };
    let [all, below] = ["", "--moves 1"].map(tested);
    assert!(0 < below && below < all, "{below} of {all}");
}

#[test]
fn roots_that_are_not_supported() {
    refused("analyze states --position no.txt", &["there is no file no.txt"]);
    refused("analyze states --moves 'c3'", &["--moves: 13 (c3) is not legal here"]);
    refused("analyze variants --moves 1", &["--moves"]);
    let sets = "analyze states --board 3x4 --moves 1 --method sets";
    refused(sets, &["'sets' takes no --moves", "leave --method out"]);
    let retrograde =
        "analyze blunders --position 'X.../..../.... O' --board 3x4 --method retrograde";
    refused(retrograde, &["'retrograde' takes no --position"]);
    let closed = "analyze playouts --moves 1 --method closed-form";
    refused(closed, &["'closed-form' takes no --moves"]);

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.txt");
    let shown = path.display().to_string();
    fs::write(&path, "board: 3x4\nmoves: 1 12\n").unwrap();
    let both = format!("analyze states --board 3x4 --position '{shown}'");
    refused(&both, &[&shown, "it contains the rules; leave --board out"]);
    fs::write(&path, "board: 3x4\nmoves: 1 2\n").unwrap();
    refused(&format!("query true --position '{shown}'"), &[&shown, "2 (b1) is not legal"]);
    fs::write(&path, "{}").unwrap();
    refused(&format!("mnk query true --position '{shown}'"), &[&shown, "this is JSON"]);
    let folder = folder.path().display().to_string();
    refused(&format!("query true --position '{folder}'"), &["--position"]);
}
