//! `bsq query`.

use super::{Row, files, json, out, read, run, table};

/// The commands of the documentation.
#[test]
fn questions_have_answers() {
    let drawn = out("mnk query 'terminal and outcome = tie' --sum orbit_size");
    assert_eq!(drawn, "sum_orbit_size\n16\n");
    assert_eq!(out("query true"), "positions,sum_orbit_size\n8659987,69159244\n");

    let only = table("query 'best_moves = 1 and ply > 5' --by ply");
    assert_eq!((only[0]["ply"].as_str(), only[0]["positions"].as_str()), ("6", "54039"));
    let shown = table("query 'score = 2 and regions > 3' --rows 5");
    assert!(shown.iter().all(|row| row["score"] == "2" && row["regions"] == "4"));
    assert_eq!(shown.len(), 5);
    let terminal = table("query terminal --by score --count --sum orbit_size");
    let sum = |column: &str| -> u64 {
        terminal.iter().map(|row: &Row| row[column].parse::<u64>().unwrap()).sum()
    };
    assert_eq!((sum("positions"), sum("sum_orbit_size")), (6955, 53604));
    let costs =
        table("query 'claim >= 3 and cost > 0' --dataset moves --by ply,player --mean cost");
    assert_eq!(costs[0]["mean_cost"], "1.200000");
    let below = table("query true --by best_moves --moves c2");
    assert_eq!(below[0]["best_moves"], "0");
    let loony = table("dots query loony --board 2x3 --by lines");
    assert_eq!(loony[0]["lines"], "5");
}

#[test]
fn a_tablebase_answers() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("small.db");
    let path = path.to_str().unwrap();
    out(&format!("rpsw tablebase build {path} --pieces 1 --board 3x3"));
    let rows = table(&format!("rpsw query 'plies >= 3' --tablebase {path} --rows 5"));
    assert!(rows.len() == 5 && rows.iter().all(|row| row["plies"].parse::<u32>().unwrap() >= 3));
    let refused = run(&format!("rpsw query true --tablebase {path} --board 3x3"));
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("--board: the tablebase determines the rules"), "{}", refused.err);
}

#[test]
fn answers_as_they_look() {
    let looks = |name: &str, line: &str| insta::assert_snapshot!(name, out(line));
    looks("query_groups", "query terminal --by score --board 3x4 -f table");
    looks("query_rows", "query 'score = 2 and regions > 1' --rows 2 --board 4x4 -f table");
    looks("query_moves", "query 'cost > 2' --dataset moves --rows 2 --board 4x4 -f table");
    looks("query_columns", "query --columns --dataset moves -f table");
    looks("query_columns_of_dots", "dots query --columns -f table");
    looks("query_columns_of_rpsw", "rpsw query --columns -f table");
}

#[test]
fn a_wrong_condition_is_marked() {
    let refused = |line: &str| {
        let ran = run(line);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{}", ran.err);
        ran.err
    };
    let error = refused("query 'score = 2 and region > 3'");
    let marked = "error: 'region' is not a column; did you mean 'regions'?\n  score = 2 and region > 3\n                ^^^^^^\n";
    assert!(error.starts_with(marked), "{error}");
    assert!(refused("query").contains("CONDITION"));
    assert!(refused("query true --by ply --rows 3").contains("--by: --rows shows rows"));
    assert!(refused("query true --plot a.svg").contains("one or two keys"));
    assert!(refused("query 'ply / 0 = 1' --board 3x3").contains("division by zero"));
    assert!(refused("query true --sum '1 / ply' --board 3x3").contains("--sum: division by zero"));
    assert!(refused("query true --moves 'c3'").contains("--moves"));
    assert!(refused("query true --board 6x6").contains("boards of up to 25 cells"));
    let deep = format!("query '{}true{}'", "(".repeat(200), ")".repeat(200));
    assert!(refused(&deep).contains("at most 100 parts"));
    assert!(refused("query 'ply > 99999999999999999999999'").contains("99999999"));
}

#[test]
fn results_are_tables_like_any_other() {
    let folder = tempfile::tempdir().unwrap();
    let out_dir = folder.path().join("q");
    let line = format!("query 'not terminal' --by ply --board 3x4 --out {}", out_dir.display());
    assert_eq!(out(&line), "");
    assert_eq!(files(&out_dir), ["datapackage.json", "query.csv", "query_total.csv"]);
    let manifest = read(&out_dir, "datapackage.json");
    assert!(manifest.contains("bsq query 'not terminal' --by ply --board 3x4"), "{manifest}");
    let answer = json("query 'not terminal' --by ply --board 3x4");
    let rows = answer["tables"][0]["rows"].as_array().unwrap();
    let sum: u64 = rows.iter().map(|row| row["positions"].as_u64().unwrap()).sum();
    assert_eq!(answer["tables"][0]["total"]["positions"], sum);
}

#[cfg(feature = "full")]
#[test]
fn groups_are_drawn() {
    let folder = tempfile::tempdir().unwrap();
    for (by, mark) in [("ply", "Positions, by ply"), ("ply,score", "by ply and score")] {
        let path = folder.path().join("chart.svg");
        out(&format!("query true --board 4x4 --by {by} --plot {}", path.display()));
        assert!(read(folder.path(), "chart.svg").contains(mark), "{by}");
    }
}
