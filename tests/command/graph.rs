//! Games that are given as graphs in files.

use super::errors::{fails, refused};
use super::{json, out, table};
use serde_json::json;
use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;

/// Three counters, of which each move takes one or two. Who takes the last one wins.
const COUNTERS: &str = include_str!("../../games/src/graph/example.csv");

fn written(content: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.csv");
    fs::write(&file, content).unwrap();
    (folder, file)
}

#[test]
fn a_graph_has_the_verbs_of_every_game() {
    let (folder, file) = written(COUNTERS);
    let game = |verb: &str| format!("graph {}", verb.replace("FILE", file.to_str().unwrap()));
    insta::assert_snapshot!(out(&game("solve FILE --values --pv --format table")));
    let solved = json(&game("solve FILE '2 O'"));
    assert_eq!(solved["value"]["outcome"], "second");
    assert_eq!(solved["moves"][0]["move"], "take2");
    let moves = table(&game("solve FILE --moves take1 --values"));
    assert_eq!(moves[0]["move"], "take2");
    // By ply: the start, two positions twice, and an end after three moves.
    let positions = table(&game("analyze FILE positions"));
    let counts: Vec<&str> = positions.iter().map(|row| &*row["positions"]).collect();
    assert_eq!(counts, ["1", "2", "2", "1"]);
    let playouts = table(&game("analyze FILE playouts"));
    assert_eq!(playouts[0]["playouts"], "1");
    let rows = table(&game("query FILE 'plies = 1' --rows 9 --show position,outcome"));
    assert_eq!(rows.len(), 3);
    let export = table(&game("export FILE positions --show position"));
    assert_eq!(export.len(), 6);
    assert_eq!(table(&game("sample FILE 5 --seed 1")).len(), 5);
    let choices = folder.path().join("choices.csv");
    fs::write(&choices, "position,move\n2 O,take1\n3 X,take1\n").unwrap();
    let tested = table(&game(&format!("test-heuristic FILE --choices {}", choices.display())));
    // Of two decisions, the first player's loses anyway, and the second player gives the win away.
    let fails: Vec<&str> = tested.iter().map(|row| &*row["fails"]).collect();
    assert_eq!(fails.iter().filter(|&&fails| fails == "1").count(), 1, "{tested:?}");
    let agents = table(&game("analyze FILE agents --first random --second perfect"));
    assert!(!agents.is_empty());
    // What a folder contains names the file.
    let to = folder.path().join("out");
    out(&game(&format!("analyze FILE openings --out {} -q", to.display())));
    let manifest = fs::read_to_string(to.join("datapackage.json")).unwrap();
    assert!(manifest.contains("bsq graph analyze game.csv openings --out ."), "{manifest}");
}

/// `play` takes words on standard input.
#[test]
fn a_graph_is_played() {
    let (_folder, file) = written(COUNTERS);
    let mut command = super::bsq(&format!("graph play {} --plain", file.display()));
    command.write_stdin("take1\ntake2\n");
    let ran = super::finish(command);
    assert!(ran.out.contains("second wins") || ran.out.contains("wins"), "{}", ran.out);
    assert_eq!(ran.code, 0, "{}", ran.err);
}

/// Play that never ends is a draw.
#[test]
fn a_cycle_is_a_draw() {
    let (_folder, file) = written(
        "position,player,move,next\nhere,first,go,there\nthere,second,back,here\nthere,second,lose,end\n\
         end,first,first\n",
    );
    let solved = json(&format!("graph solve {}", file.display()));
    assert_eq!(solved["value"], json!({"outcome": "draw", "score": null, "plies": null}));
}

#[test]
fn wrong_graphs_are_refused() {
    let (_folder, file) = written("position,player,move,next\na,first,x,b\n");
    let name = file.display();
    let why = "game.csv: line 2: the next position 'b' has no row of its own";
    refused(&format!("graph solve {name}"), &[why]);
    refused(&format!("serve --graph {name}"), &[why]);
    fails(1, &format!("graph solve {name}.none"), &["cannot read", "game.csv.none"]);
    refused("graph solve", &["<FILE>"]);
    let (_folder, file) = written(COUNTERS);
    let why = "'X 4' is not a position of this graph; the start is '3 X'";
    refused(&format!("graph solve {} 'X 4'", file.display()), &[why]);
}
