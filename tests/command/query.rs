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

/// Every verb about positions finds with a tablebase of Dots-and-Boxes what it finds without.
#[test]
fn a_tablebase_of_lines_answers() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lines");
    let path = path.to_str().unwrap();
    out(&format!("dots tablebase build '{path}' --board 2x2"));
    for verb in [
        "query loony --by lines,to_come --count --sum orbit_size",
        "query true --dataset moves --by ply,best --count --mean cost",
        "query true --by ply,worst_cost --moves 'a1-b1 b1-b2'",
        "test-heuristic chain-rule",
        "test-heuristic greedy --moves a1-b1",
    ] {
        let wanted = out(&format!("dots {verb} --board 2x2"));
        assert_eq!(out(&format!("dots {verb} --tablebase '{path}'")), wanted, "{verb}");
    }
    let rows = |from: &str| table(&format!("dots export positions {from}")).len();
    assert_eq!(rows(&format!("--tablebase '{path}'")), rows("--board 2x2"));
    let refused = run(&format!("dots query true --tablebase '{path}' --memory 64B"));
    assert_eq!(refused.code, 1, "{}", refused.err);
    assert!(refused.err.contains("a limit of 64 B of memory is too small"), "{}", refused.err);
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

/// An export has the rows of the query, in the same order, for any number of threads.
#[test]
fn datasets_are_exported() {
    for (game, more) in [("", "--board 3x4"), ("dots ", "--board 1x2"), ("mnk ", "")] {
        for dataset in ["positions", "moves"] {
            let shown = "ply,best_moves,terminal,orbit_size,position";
            let query = format!("{game}query 'ply > 1' --dataset {dataset} --rows 1000000 {more}");
            let wanted = out(&format!("{query} --show {shown}"));
            let export = format!("{game}export {dataset} 'ply > 1' {more} --show {shown}");
            assert_eq!(out(&format!("{export} -j 1")), wanted, "{export}");
            assert_eq!(out(&format!("{export} -j 3")), wanted, "{export}");
        }
    }
    // Without a choice there are all columns.
    let columns = table("query --columns --board 3x3 --dataset moves");
    let names: Vec<&str> = columns.iter().map(|row| row["column"].as_str()).collect();
    assert!(out("export moves --board 3x3").starts_with(&format!("{}\n", names.join(","))));
    let line = out("mnk export moves 'best and terminal' --board 2x2 --k 2 -f jsonl");
    assert_eq!(line, "");
}

#[test]
fn exports_are_files_with_a_manifest() {
    let folder = tempfile::tempdir().unwrap();
    let out_dir = folder.path().join("e");
    out(&format!("export positions 'score > 0' --board 3x3 --out {} -q", out_dir.display()));
    assert_eq!(files(&out_dir), ["datapackage.json", "positions.csv"]);
    let manifest = read(&out_dir, "datapackage.json");
    assert!(
        manifest.contains("bsq export positions 'score > 0' --board 3x3 --out ."),
        "{manifest}"
    );
    let lines = read(&out_dir, "positions.csv").lines().count() - 1;
    assert!(manifest.contains(&format!("\"rows\": {lines},")), "{manifest}");
    let path = folder.path().join("one.csv");
    out(&format!("export positions 'score > 0' --board 3x3 -o {} -q", path.display()));
    assert_eq!(read(folder.path(), "one.csv"), read(&out_dir, "positions.csv"));

    let refused = |line: &str| {
        let ran = run(line);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{}", ran.err);
        ran.err
    };
    assert!(refused("export states 'ply > 1' --out x").contains("'export positions' takes this"));
    assert!(refused("export states").contains("--out DIR"));
    assert!(refused("export positions 'plie > 1'").contains("did you mean 'ply'?"));
    assert!(refused("export positions --show regionz").contains("--show: 'regionz'"));
    assert!(refused("dots export states").contains("states"));
    // An unfinished file is removed.
    let path = folder.path().join("none.csv");
    let ran = run(&format!("export positions '1 / ply > 0' --board 3x3 -o {}", path.display()));
    assert!(ran.code == 2 && ran.err.contains("division by zero") && !path.exists());
}

/// The same numbers in every format.
#[cfg(feature = "full")]
#[test]
fn exports_have_the_same_rows_in_binary_formats() {
    let folder = tempfile::tempdir().unwrap();
    let csv = out("mnk export positions 'not terminal'");
    for format in ["parquet", "arrow"] {
        let path = folder.path().join(format!("p.{format}"));
        out(&format!("mnk export positions 'not terminal' -o {} -q", path.display()));
        let bytes = std::fs::read(&path).unwrap();
        assert!(bytes.starts_with(if format == "parquet" { b"PAR1" } else { b"ARRO" }));
    }
    // What 'solve -' reads back.
    let path = folder.path().join("p.parquet");
    let mut command = super::bsq("mnk solve -");
    command.pipe_stdin(&path).unwrap();
    let solved = super::finish(command);
    let column = |text: &str, name: &str| -> Vec<String> {
        super::rows(text).into_iter().map(|row| row[name].clone()).collect()
    };
    assert_eq!(column(&solved.out, "plies"), column(&csv, "plies"));
    assert_eq!(column(&solved.out, "position"), column(&csv, "position"));
}
