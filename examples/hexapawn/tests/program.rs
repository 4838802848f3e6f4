//! A program with a single game has a name, a version, examples and verbs of its own.

use std::process::{Command, Output};

fn ran(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_hexapawn")).args(args).output().unwrap()
}

/// What the program prints with these arguments, which are valid.
fn out(args: &[&str]) -> String {
    let Output { status, stdout, stderr } = ran(args);
    assert!(status.success(), "{args:?}: {}", String::from_utf8_lossy(&stderr));
    String::from_utf8(stdout).unwrap()
}

#[test]
fn it_has_a_name_of_its_own() {
    assert_eq!(out(&["--version"]), "hexapawn 1.0.0\n");
    let help = out(&["--help"]);
    for own in [
        "Usage: hexapawn <COMMAND>",
        "Examples:\n  hexapawn solve",
        "\n  play ",
        "\n  export ",
        "\n  test-heuristic ",
    ] {
        assert!(help.contains(own), "{own}: {help}");
    }
    for other in ["bsq", "dots", "search-heuristic", "merge", "\n  games "] {
        assert!(!help.contains(other), "{other}: {help}");
    }
    assert!(out(&["man"]).contains("hexapawn"));
    assert!(out(&["completions", "bash"]).contains("complete -F _hexapawn"));
}

#[test]
fn its_verbs_are_at_the_top_level() {
    let found = out(&["solve", "--format", "csv"]);
    assert_eq!(found.lines().nth(1).unwrap().split(',').nth(7), Some("6"), "{found}");
    // The name of the game may be given.
    assert_eq!(out(&["hexapawn", "solve", "--format", "csv"]), found);
    assert_eq!(ran(&["export", "states"]).status.code(), Some(2));
    assert!(out(&["export", "positions", "ply = 0"]).lines().count() == 2);
    let missing = ran(&["solve", "--moves", "a3a3"]);
    assert_eq!(missing.status.code(), Some(2));
}

#[test]
fn its_manifest_has_its_command() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    out(&["analyze", "positions", "--quiet", "--out", path]);
    let manifest = std::fs::read_to_string(folder.path().join("datapackage.json")).unwrap();
    assert!(manifest.contains("\"hexapawn analyze positions --out .\""), "{manifest}");
}
