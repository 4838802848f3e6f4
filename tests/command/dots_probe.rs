//! Tests `bsq dots probe`, and tablebases of the positions after a start.

use super::errors::{fails, refused};
use super::{Row, bsq, finish, json, out, rows, run, table};
use std::sync::LazyLock;
use tempfile::TempDir;

/// All positions of 2x2, and those of 2x3 with up to 9 lines.
static FOLDER: LazyLock<TempDir> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    for flags in ["2x2 --out '{}/all'", "2x3 --penalty -1 --book 9 --out '{}/book'"] {
        let flags = flags.replace("{}", &folder.path().display().to_string());
        out(&format!("dots enumerate {flags} --quiet"));
    }
    folder
});

fn probe(folder: &str, rest: &str) -> String {
    format!("dots probe '{}/{folder}' {rest}", FOLDER.path().display())
}

fn scores(rows: &[Row]) -> Vec<(&str, &str, &str)> {
    rows.iter().map(|row| (&*row["move"], &*row["score"], &*row["takes"])).collect()
}

fn score(row: &Row) -> i32 {
    row["score"].parse().unwrap()
}

#[test]
fn the_start_and_its_moves() {
    let rows = table(&probe("all", "'../...../../...../.. A'"));
    assert_eq!(rows.len(), 13);
    assert_eq!(scores(&rows[..2]), [("none", "2", "0"), ("a1-b1", "2", "0")]);
    assert_eq!(rows[1]["position"], "-./...../../...../.. B");
    assert!(rows.windows(2).all(|two| score(&two[0]) >= score(&two[1])));
}

#[test]
fn captures_come_first_among_the_best() {
    let position = "-./|.|../../...../.. B";
    insta::assert_snapshot!(out(&probe("all", &format!("'{position}' --format table"))));
    let rows = table(&probe("all", &format!("'{position}'")));
    assert_eq!((&*rows[1]["move"], &*rows[1]["takes"]), ("a2-b2", "1"));
    assert_eq!(rows[1]["score"], rows[0]["score"]);
    // Taking a box and declining both boxes of a chain are equally good here; a1-a2 comes first.
    let rows = table(&probe("all", "'--/....|/--/|...|/.. A'"));
    assert_eq!(scores(&rows)[1..3], [("b1-b2", "0", "1"), ("a1-a2", "0", "0")]);
    // The penalty is included in all values, and is the value at the end.
    let over = table(&probe("book", "'---/|A|A|B|/---/|A|A|B|/--- A'"));
    assert_eq!(scores(&over), [("none", "-1", "0")]);
}

#[test]
fn what_the_folder_lacks_is_searched() {
    let position = "'-.-/|....../---/..|...|/..- A'";
    let rest = format!("{position} --moves 'a3-b3'");
    let all = FOLDER.path().join("whole");
    out(&format!("dots enumerate 2x3 --penalty -1 --out '{}' --quiet", all.display()));
    let searched = run(&probe("book", &rest));
    assert!(searched.err.contains("had to be searched"), "{}", searched.err);
    assert_eq!(searched.out, out(&probe("whole", &rest)));
    let start = run(&probe("book", "'.../......./.../......./...'"));
    assert_eq!((start.code, start.err.as_str()), (0, ""));
}

#[test]
fn a_file_and_moves() {
    let file = FOLDER.path().join("board.txt");
    std::fs::write(&file, "0 B\n+-+ +\n| |\n+ + +\n\n+ + +\n").unwrap();
    let probed = |rest: &str| json(&probe("all", &format!("'{}' {rest}", file.display())));
    let answer = probed("--moves 'a2-b2, A3-B3'");
    assert_eq!(answer["rules"]["board"], "2x2");
    let row = &answer["tables"][0]["rows"][0];
    assert_eq!(row["position"], "-./|B|../-./...../-. A");
    std::fs::write(&file, "-1\n+-+ +\n\n+ + +\n\n+ + +\n").unwrap();
    let line = probe("all", &format!("'{}'", file.display()));
    refused(&line, &["a penalty of -1", "the folder is for one of 0"]);
    std::fs::write(&file, "-0.5\n+-+\n\n+ +\n").unwrap();
    refused(&line, &["board.txt: the penalty -0.5 is no whole number"]);
    std::fs::write(&file, "0\n+-+\n|A\n+ +\n").unwrap();
    refused(&line, &["board.txt: line 3, column 2: 'A' stands in a box that is not closed"]);
}

#[test]
fn many_positions_line_by_line() {
    let asked = |flags: &str, typed: &str| {
        let mut command = bsq(&probe("all", &format!("- {flags}")));
        command.write_stdin(typed);
        finish(command)
    };
    let typed = "../...../../...../..\n\n --/|A|A|/--/|A|A|/-- B \n";
    let ran = asked("", typed);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let found = rows(&ran.out);
    assert_eq!((&*found[0]["line"], &*found[0]["value"]), ("1", "2"));
    assert_eq!((&*found[1]["line"], &*found[1]["value"], &*found[1]["best"]), ("3", "0", ""));
    let lines = asked("--format json", typed).out;
    let first: serde_json::Value = serde_json::from_str(lines.lines().next().unwrap()).unwrap();
    assert_eq!((&first["value"], first["moves"].as_array().unwrap().len()), (&2.into(), 12));
    let best: Vec<&str> = found[0]["best"].split(' ').collect();
    assert_eq!(first["moves"][0]["move"], best[0]);
    let wrong = asked("", &format!("what\n{}\n../...../..\n\u{1F600}", "x".repeat(5000)));
    assert_eq!((wrong.code, rows(&wrong.out).len()), (1, 0));
    for says in ["line 1: ", "line 2: ", "line 3: this is a position on a 1x2 board", "4 of the"] {
        assert!(wrong.err.contains(says), "{}", wrong.err);
    }
}

#[test]
fn only_what_follows_a_position() {
    let folder = FOLDER.path().join("from").display().to_string();
    let start = "'-../..|..../.../......./...'";
    let rows = table(&format!("dots enumerate --from {start} --out '{folder}'"));
    let found = table(&probe("from", "'-../..|..../.../|....../...'"));
    let all = table(&format!("dots enumerate 2x3 --out '{folder}-all'"));
    assert_eq!(found, table(&probe("from-all", "'-../..|..../.../|....../...'")));
    let many = |rows: &[Row]| rows[0]["positions"].parse::<u64>().unwrap();
    assert!(many(&rows) < many(&all));
    refused(&probe("from", "'.../......./.../......./...'"), &["that are drawn at the start"]);
    refused(&format!("dots enumerate --from {start} 2x3 --out x"), &["cannot be used with"]);
    refused("dots enumerate --from nowhere.txt --out x", &["there is no file nowhere.txt"]);
    refused("dots enumerate --out x", &["required"]);
}

#[test]
fn what_cannot_be_probed() {
    refused("dots probe nowhere '../...../..'", &["nowhere holds no run"]);
    refused(&probe("all", "'../...../..'"), &["a position on a 1x2 board; the folder is for 2x2"]);
    refused(&probe("all", "--move"), &["there is no such flag"]);
    refused(&probe("all", "what"), &["there is no file what"]);
    refused(&probe("all", "'../..'"), &["2 rows cannot be a board", "nor is there such a file"]);
    let moves = |moves: &str| probe("all", &format!("'-./...../../...../..' --moves '{moves}'"));
    refused(&moves("a1-b1"), &["a1-b1 is not legal at -./"]);
    refused(&moves("a1-c1"), &["a1 and c1 are not neighbours"]);
    std::fs::create_dir(FOLDER.path().join("damaged")).unwrap();
    std::fs::write(FOLDER.path().join("damaged/manifest"), "{").unwrap();
    fails(1, &probe("damaged", "'../...../..'"), &["damaged"]);
}
