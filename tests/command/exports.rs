//! Tests folders of CSV files with their manifest.

use super::{Row, analyses, files, long_analyses, out, read, rows, run};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::path::Path;

/// Runs a command that writes into the folder and prints nothing.
fn export(line: &str, folder: &Path) {
    let printed = out(&format!("{line} --quiet --out '{}'", folder.display()));
    assert_eq!(printed, "", "bsq {line}");
}

fn manifest(folder: &Path) -> Value {
    serde_json::from_str(&read(folder, "datapackage.json")).unwrap()
}

fn resources(folder: &Path) -> Vec<Value> {
    manifest(folder)["resources"].as_array().unwrap().clone()
}

fn names(folder: &Path) -> Vec<String> {
    let resources = resources(folder);
    resources.iter().map(|entry| entry["name"].as_str().unwrap().to_string()).collect()
}

/// Checks that the manifest describes all files correctly, and no others.
fn check(folder: &Path) {
    let mut listed = vec!["datapackage.json".to_string()];
    let manifest = manifest(folder);
    assert_eq!(manifest["$schema"], "https://datapackage.org/profiles/2.0/datapackage.json");
    assert_eq!(manifest["version"], env!("CARGO_PKG_VERSION"));
    let licenses = serde_json::json!([{ "name": "MIT" }, { "name": "Apache-2.0" }]);
    assert_eq!(manifest["licenses"], licenses);
    for entry in manifest["resources"].as_array().unwrap() {
        let path = entry["path"].as_str().unwrap();
        listed.push(path.to_string());
        check_file(entry, &read(folder, path));
    }
    listed.sort();
    assert_eq!(files(folder), listed);
    assert!(names(folder).is_sorted_by(|a, b| a < b), "{:?}", names(folder));
}

fn check_file(entry: &Value, text: &str) {
    let name = entry["name"].as_str().unwrap();
    assert_eq!(entry["bytes"], text.len(), "{name}");
    let hex: String = Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(entry["hash"], format!("sha256:{hex}"), "{name}");
    let rows = rows(text);
    assert_eq!(entry["rows"], rows.len(), "{name}");
    assert!(!text.contains('\r') && text.ends_with('\n'), "{name}");

    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-._/".contains(c);
    assert!(name.chars().all(plain), "{name}");
    for key in ["title", "command", "version"] {
        assert!(!entry[key].as_str().unwrap().is_empty(), "{name} {key}");
    }
    let command = entry["command"].as_str().unwrap();
    assert!(command.starts_with("bsq ") && command.ends_with(" --out ."), "{name}");
    assert_eq!(entry["type"], "table", "{name}");
    // A data package permits a text here or no field, but not `null`.
    assert!(entry.get("description").is_none_or(Value::is_string), "{name}");
    assert_eq!(entry["schema"]["missingValues"], serde_json::json!([""]), "{name}");

    let fields = entry["schema"]["fields"].as_array().unwrap();
    let head: Vec<&str> = fields.iter().map(|field| field["name"].as_str().unwrap()).collect();
    assert_eq!(text.lines().next().unwrap(), head.join(","), "{name}");
    let key = entry["schema"].get("primaryKey").and_then(Value::as_array);
    let key: Vec<&str> = key.into_iter().flatten().map(|name| name.as_str().unwrap()).collect();
    assert!(key.iter().all(|name| head.contains(name)), "{name}");
    let keys = rows.iter().map(|row| key.iter().map(|name| &row[*name]).collect::<Vec<_>>());
    assert_eq!(keys.collect::<std::collections::HashSet<_>>().len(), rows.len(), "{name}");
    for field in fields {
        let column = field["name"].as_str().unwrap();
        assert!(field["description"].as_str().unwrap().len() > 3, "{name} {column}");
        for row in &rows {
            check_type(field["type"].as_str().unwrap(), &row[column], name);
        }
    }
}

fn check_type(kind: &str, value: &str, name: &str) {
    let is_integer = |text: &str| {
        let digits = text.strip_prefix('-').unwrap_or(text);
        !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit())
    };
    let fits = match kind {
        _ if value.is_empty() => true,
        "integer" => is_integer(value),
        "number" => value.parse::<f64>().is_ok_and(f64::is_finite),
        "boolean" => value == "true" || value == "false",
        "string" => true,
        other => panic!("{name}: no type is called {other}"),
    };
    assert!(fits, "{name}: {value} is no {kind}");
}

#[test]
fn every_analysis_writes_its_tables_and_a_manifest() {
    for analysis in analyses() {
        let folder = tempfile::tempdir().unwrap();
        export(&format!("analyze {analysis} --board 3x4"), folder.path());
        check(folder.path());
        let printed = out(&format!("analyze {analysis} --board 3x4 --format csv"));
        assert_eq!(read(folder.path(), &format!("{analysis}.csv")), printed);
        for entry in resources(folder.path()) {
            let command = format!("bsq analyze {analysis} --board 3x4 --out .");
            assert_eq!(entry["command"], command);
            assert_eq!(entry["rules"]["board"], "3x4");
        }
    }
}

#[test]
fn all_analyses_go_into_one_folder() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new/folder");
    export("analyze all --board 3x4 --bias 2", &path);
    check(&path);
    let long = long_analyses();
    for analysis in analyses() {
        assert_eq!(names(&path).contains(&analysis), !long.contains(&analysis), "{analysis}");
    }
    for entry in resources(&path) {
        assert_eq!(entry["rules"]["bias"], 2);
    }
}

#[test]
fn solutions_and_heuristics_are_exported_too() {
    let folder = tempfile::tempdir().unwrap();
    export("solve --board 3x4 'X.../..../...O X'", folder.path());
    export("test-heuristic nearest-centre --board 3x4", folder.path());
    check(folder.path());
    let tables = ["", "-by-player", "-total"].map(|end| format!("heuristic-nearest-centre{end}"));
    assert_eq!(names(folder.path()), [&tables[..], &["solve".to_string()]].concat());
    let commands = resources(folder.path());
    let commands = commands.iter().map(|entry| entry["command"].as_str().unwrap());
    let heuristic = "bsq test-heuristic nearest-centre --board 3x4 --out .";
    let solve = "bsq solve 'X.../..../...O X' --board 3x4 --out .";
    assert!(commands.eq([heuristic, heuristic, heuristic, solve]));
}

/// Rules and options that are not the defaults are a part of the command.
#[test]
fn a_recorded_command_writes_the_same_bytes() {
    for line in [
        "analyze playouts --board 3x3 --center-allowed --bias -2 --pieces 4",
        "analyze states --board 2x3 --method explorer --threads 2",
        "analyze boards --board 2x4 --bias 1",
        "dots analyze rules --board 2x2",
        "dots analyze boards --lines 12",
        "mnk analyze perft --board 3x4 --k 3 --depth 4",
        "dots solve 2x2 --penalty -1/2 --variant icelandic --values --pv --loony",
        "solve --board 3x4 --bias 1 --moves 6",
        "test-heuristic 'most claim, most own-free' --board 3x3 --from-start",
        "search-heuristic local --rounds 2 --seed 3 --features claim,own-free --start greedy --board 3x3",
        "export states --board 3x3 --bias 1",
        "dots tablebase build DB --board 1x3 --penalty -2",
        "rpsw tablebase build DB --board 4x2 --pieces 1",
        "rpsw analyze distances --tablebase DB",
        "rpsw tablebase probe DB --values",
        "dots solve 2x2 --penalty=0,-1/2 --moves a1-b1 --values --loony",
        "mnk solve --board 3x3,3x4 --k 2,3",
        "dots analyze endgame --endgame 'chains 3 loops 4' --penalty -1",
    ] {
        let [first, second] = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
        let db = first.path().join("positions.db").display().to_string();
        if line.contains("analyze distances") || line.contains("probe") {
            out(&format!("rpsw tablebase build {db} --board 4x2 --pieces 1 --quiet"));
            std::fs::copy(&db, second.path().join("positions.db")).unwrap();
        }
        export(&line.replace("DB", &db), first.path());
        check_listed(first.path());
        let commands: Vec<Value> =
            resources(first.path()).iter().map(|entry| entry["command"].clone()).collect();
        let command = commands[0].as_str().unwrap();
        assert!(commands.iter().all(|other| other == command), "{commands:?}");
        let words = super::words(command.strip_prefix("bsq ").unwrap());
        let mut again = super::bsq("");
        let again = again.args(words).arg("--quiet").current_dir(second.path()).output().unwrap();
        let error = String::from_utf8_lossy(&again.stderr);
        assert_eq!((again.status.code(), &again.stdout[..]), (Some(0), &b""[..]), "{error}");
        for name in files(first.path()).iter().filter(|name| !name.starts_with("positions")) {
            assert_eq!(read(first.path(), name), read(second.path(), name), "{command}: {name}");
        }
    }
}

/// Checks the files that the manifest lists.
fn check_listed(folder: &Path) {
    for entry in resources(folder) {
        check_file(&entry, &read(folder, entry["path"].as_str().unwrap()));
    }
}

#[test]
fn a_manifest_of_an_earlier_version_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let earlier = r#"{"profile": "tabular-data-package", "name": "bsq-results", "resources": []}"#;
    std::fs::write(folder.path().join("datapackage.json"), earlier).unwrap();
    let line = format!("analyze playouts --board 3x3 --out '{}'", folder.path().display());
    super::errors::refused(&line, &["is not a manifest of this program", "another folder"]);
    assert_eq!(read(folder.path(), "datapackage.json"), earlier);
}

#[test]
fn another_analysis_keeps_the_entries_of_the_first() {
    let folder = tempfile::tempdir().unwrap();
    export("analyze playouts --board 3x4", folder.path());
    let first = resources(folder.path())[0].clone();
    export("analyze openings --board 3x3", folder.path());
    check(folder.path());
    assert_eq!(names(folder.path()), ["openings", "playouts"]);
    assert_eq!(resources(folder.path())[1], first);
}

#[test]
fn the_same_analysis_again_replaces_its_entry() {
    let folder = tempfile::tempdir().unwrap();
    export("analyze playouts --board 3x4", folder.path());
    export("analyze states --board 3x4", folder.path());
    export("analyze playouts --board 3x3 --bias 1", folder.path());
    check(folder.path());
    let tables = ["playouts", "states", "states-by-moves", "states-by-moves-total", "states-total"];
    assert_eq!(names(folder.path()), tables);
    let boards: Vec<Value> =
        resources(folder.path()).iter().map(|entry| entry["rules"]["board"].clone()).collect();
    assert_eq!(boards, ["3x3", "3x4", "3x4", "3x4", "3x4"]);
}

#[test]
fn the_order_of_commands_does_not_show() {
    let [one, other] = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    for (folder, order) in [(&one, ["scores", "openings"]), (&other, ["openings", "scores"])] {
        for analysis in order {
            export(&format!("analyze {analysis} --board 3x4"), folder.path());
        }
    }
    assert_same(one.path(), other.path());
}

fn assert_same(one: &Path, other: &Path) {
    assert_eq!(files(one), files(other));
    for name in files(one) {
        assert_eq!(read(one, &name), read(other, &name), "{name}");
    }
}

#[test]
fn one_thread_and_two_write_the_same_bytes() {
    let folders = [1, 2].map(|threads| {
        let folder = tempfile::tempdir().unwrap();
        export(&format!("analyze all --board 4x4 --threads {threads}"), folder.path());
        let failures = folder.path().join("failures.csv");
        let line = format!("test-heuristic greedy --board 4x4 --threads {threads}");
        export(&format!("{line} --failures '{}'", failures.display()), folder.path());
        folder
    });
    assert!(files(folders[0].path()).contains(&"failures.csv".to_string()));
    assert_same(folders[0].path(), folders[1].path());
}

#[test]
fn a_format_beside_a_folder_prints_as_well() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().display();
    for format in ["table", "csv", "json"] {
        let line = format!("analyze states --board 3x3 --format {format}");
        let ran = run(&format!("{line} --out '{path}'"));
        assert_eq!((ran.code, ran.out), (0, out(&line)));
        assert!(!ran.err.contains("also computed"), "{}", ran.err);
        assert!(ran.err.contains("wrote "), "{}", ran.err);
    }
    check(folder.path());
}

#[test]
fn large_counts_carry_a_warning_and_all_their_digits() {
    // The board with the shortest count whose number of playouts a floating-point number cannot
    // represent exactly.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().display();
    let json = out(&format!("analyze playouts --board 2x12 --format json --out '{path}'"));
    check(folder.path());
    let row: &Row = &rows(&read(folder.path(), "playouts.csv"))[0];
    let columns = ["playouts_first", "playouts_second", "playouts_tie", "playouts"];
    let counts: [u128; 4] = columns.map(|column| row[column].parse().unwrap());
    assert!(counts[3] > 1 << 53, "{counts:?}");
    assert_eq!(counts[..3].iter().sum::<u128>(), counts[3]);
    assert!(json.contains(&format!("\"playouts\": {}", counts[3])), "{json}");
    let fields = &resources(folder.path())[0]["schema"]["fields"];
    let warned = |i: usize| fields[i]["description"].as_str().unwrap().contains("2^53");
    assert_eq!([0, 1, 5].map(warned), [false, true, false]);
}
