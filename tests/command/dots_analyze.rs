//! `bsq dots analyze`.

use super::errors::refused;
use super::{files, json, out, read, rows, run, table};

#[test]
fn small_boards_have_their_published_values() {
    let boards = table("dots analyze boards --lines 17");
    let mut golden = csv::Reader::from_path("tests/golden/dots_boards.csv").unwrap();
    let mut compared = 0;
    for row in golden.records().map(Result::unwrap) {
        let board = |found: &&super::Row| {
            found["variant"] == "standard"
                && format!("{}x{}", found["rows"], found["cols"]) == row[0]
        };
        if let Some(found) = boards.iter().find(board) {
            assert_eq!(found["value"], row[1], "{}", &row[0]);
            compared += 1;
        }
    }
    assert_eq!(compared, 3); // 1x2, 2x2, 2x3
    let open = |row: &super::Row| row["open"].parse::<u32>().unwrap();
    assert_eq!(boards.iter().map(open).max(), Some(17));
    // The table of moves has the same values, and a row for each line.
    let tables = json("dots analyze boards --lines 17")["tables"].clone();
    let openings = tables[1]["rows"].as_array().unwrap();
    assert_eq!(openings.len() as u32, boards.iter().map(open).sum::<u32>());
    for row in &boards {
        let here = openings.iter().filter(|opening| {
            ["rows", "cols", "variant"]
                .iter()
                .all(|&name| opening[name].to_string().trim_matches('"') == row[name])
        });
        let best = here.clone().filter(|opening| opening["perfect"] == true).count();
        assert_eq!(row["perfect"], best.to_string());
        assert_eq!(here.count() as u32, open(row));
    }
}

#[test]
fn tables_as_they_look() {
    insta::assert_snapshot!("dots_boards", out("dots analyze boards --lines 9 --format table"));
    insta::assert_snapshot!("dots_rules", out("dots analyze rules --board 2x2 --format table"));
    insta::assert_snapshot!(
        "dots_positions",
        out("dots analyze positions --board 2x2 --format table")
    );
}

#[test]
fn rules_of_thumb_are_counted_at_every_position() {
    let rules = json("dots analyze rules --board 2x3")["tables"].clone();
    let count = |row: &serde_json::Value, column: &str| row[column].as_u64().unwrap();
    let total = rules[0]["total"].as_array().unwrap();
    assert_eq!((total.len(), &rules[1]["total"]), (3, &serde_json::Value::Null));
    for (which, rule) in [0, 1].into_iter().flat_map(|which| total.iter().map(move |t| (which, t)))
    {
        let rows = rules[which]["rows"].as_array().unwrap();
        let of_rule = || rows.iter().filter(|row| row["rule"] == rule["rule"]);
        for column in ["positions", "mistakable", "fails", "fails_badly"] {
            let sum: u64 = of_rule().map(|row| count(row, column)).sum();
            assert_eq!(sum, count(rule, column), "{rule} {column}");
        }
        assert_eq!(count(rule, "positions"), (1 << 17) - 1);
    }
    // No guarantee exceeds the value under perfect play.
    let from_start = rules[2]["rows"].as_array().unwrap();
    assert_eq!(from_start.len(), 6);
    for row in from_start {
        let [value, sure] = ["value", "guaranteed"].map(|name| row[name].as_i64().unwrap());
        assert_eq!(value, -2);
        assert!(if row["player"] == "first" { sure <= value } else { sure >= value });
        assert_eq!(row["keeps"], sure == value);
    }
}

#[test]
fn threads_change_nothing() {
    for analysis in ["rules --board 2x3", "boards --lines 14"] {
        let line = format!("dots analyze {analysis} --format json --threads");
        assert_eq!(out(&format!("{line} 1")), out(&format!("{line} 3")));
    }
}

#[test]
fn positions_of_the_largest_board() {
    let rows = table("dots analyze positions --board 5x5");
    assert_eq!(rows.len(), 61);
    assert_eq!(rows[60]["positions"], "1");
    assert_eq!(rows[1]["classes"], "9");
    let total = &json("dots analyze positions --board 5x5")["tables"][0]["total"];
    assert_eq!(total["positions"], 1152921504606846976_u64);
    assert_eq!(total.get("drawn"), None);
}

#[test]
fn all_of_it_in_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path().display().to_string();
    let ran = run(&format!("dots analyze all --lines 12 --board 2x2 --out {here}"));
    assert_eq!((ran.code, ran.out.as_str()), (0, ""), "{}", ran.err);
    let names = [
        "datapackage.json",
        "dots-boards.csv",
        "dots-openings.csv",
        "dots-positions-total.csv",
        "dots-positions.csv",
        "dots-rules-by-line.csv",
        "dots-rules-from-start.csv",
        "dots-rules-total.csv",
        "dots-rules.csv",
    ];
    let found = files(folder.path());
    assert!(names.iter().all(|name| found.iter().any(|found| found == name)), "{found:?}");
    // Every table of every analysis, and its total.
    let answers = json("dots analyze all --lines 12 --board 2x2");
    let tables =
        answers.as_array().unwrap().iter().flat_map(|one| one["tables"].as_array().unwrap());
    let count = |table: &serde_json::Value| if table["total"].is_null() { 1 } else { 2 };
    let wanted: usize = tables.map(count).sum();
    assert_eq!(found.len(), wanted + 1);
    assert_eq!(rows(&read(folder.path(), "dots-positions.csv")).len(), 13);
    let manifest: serde_json::Value =
        serde_json::from_str(&read(folder.path(), "datapackage.json")).unwrap();
    let entries = manifest["resources"].as_array().unwrap();
    assert_eq!(entries.len(), wanted);
    let entry = |name: &str| entries.iter().find(|entry| entry["name"] == name).unwrap();
    assert_eq!(entry("dots-boards")["rules"], serde_json::json!({ "game": "dots", "lines": 12 }));
    assert_eq!(entry("dots-rules")["rules"], serde_json::json!({ "game": "dots", "board": "2x2" }));
}

#[test]
fn questions_that_there_are_not() {
    let list = out("dots analyze list");
    assert!(["boards", "rules", "positions"].iter().all(|name| list.contains(name)), "{list}");
    refused("dots analyze", &["<ANALYSIS>"]);
    refused("dots analyze wins", &["'wins'", "boards, rules, positions"]);
    refused("dots analyze rules --board 2x5", &["2x5 boxes has 27 lines", "up to 24 lines"]);
    refused("dots analyze all --board 5x5 --format json", &["5x5 boxes has 60 lines"]);
    refused("dots analyze all", &["several tables do not fit one CSV"]);
    refused("dots analyze positions --board 5x6", &["71 lines; at most 64"]);
    refused("dots analyze positions --board 0x3", &["at least one row and one column"]);
    refused("dots analyze positions --board wide", &["'wide' is not a board"]);
    refused("dots analyze positions --lines 3", &["takes no --lines; it takes --board"]);
    refused("dots analyze boards --board 3x3", &["takes no --board; it takes --lines"]);
    refused("dots analyze rules --variant swedish", &["takes no --variant; it takes --board"]);
    refused("dots analyze boards --lines 0", &["'0' is not an integer from 1 to 64"]);
    refused("dots analyze boards --lines 65", &["'65' is not an integer from 1 to 64"]);
    refused("dots analyze boards --scratch x", &["unexpected argument '--scratch'"]);
}

#[test]
fn questions_about_any_game_are_asked_with_its_rules() {
    let rows = table("dots analyze openings --board 1x2 --variant swedish");
    assert_eq!((rows.len(), rows[0]["score"].as_str()), (1, "2"));
    let perft = table("dots analyze perft --board 1x1 --depth 2");
    assert_eq!(perft.len(), 3);
    refused("dots analyze openings --lines 3", &["takes no --lines; it takes --board, --variant"]);
    refused("dots analyze perft --depth many", &["--depth: 'many' is not an integer"]);
}
