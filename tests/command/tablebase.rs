//! `bsq GAME tablebase`.

use super::errors::{fails, refused};
use super::{Row, bsq, files, finish, json, out, rows, run, table};
use std::path::Path;
use std::sync::LazyLock;
use tempfile::TempDir;

/// All positions of 2x2, those of 2x3 with up to 9 lines, and a small game of
/// rock-paper-scissors-well.
static FOLDER: LazyLock<TempDir> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    for (game, name, flags) in [
        ("dots", "all", "--board 2x2"),
        ("dots", "book", "--board 2x3 --penalty -1 --book 9"),
        ("rpsw", "small", "--board 4x3 --pieces 2"),
    ] {
        let path = folder.path().join(name).display().to_string();
        let ran = run(&format!("{game} tablebase build '{path}' {flags} --quiet"));
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    }
    folder
});

fn path(name: &str) -> String {
    FOLDER.path().join(name).display().to_string()
}

fn probe(game: &str, name: &str, rest: &str) -> String {
    format!("{game} tablebase probe '{}' {rest}", path(name))
}

/// The answers to lines of standard input.
fn asked(line: &str, typed: impl Into<Vec<u8>>) -> super::Ran {
    let mut command = bsq(line);
    command.write_stdin(typed);
    finish(command)
}

#[test]
fn every_position_of_a_small_board() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("2x3").display().to_string();
    let line = format!("dots tablebase build {path}");
    let built = run(&format!("{line} --board 2x3 --format csv"));
    assert!(built.err.contains("starts a new tablebase"), "{}", built.err);
    let first = rows(&built.out);
    assert_eq!((first[0]["value"].as_str(), first[0]["book"].as_str()), ("-2", "17"));
    let again = run(&format!("{line} --board 2x3 --format csv"));
    assert_eq!((again.code, rows(&again.out)), (0, first.clone()));
    assert!(again.err.contains("is finished already"), "{}", again.err);
    let other = format!("{line} --board 2x3 --penalty -1");
    refused(&other, &["holds a tablebase of 2x3", "not of 2x3 with a penalty of -1"]);
    let verified = table(&format!("dots tablebase verify {path}"));
    assert_eq!(verified[2]["count"], first[0]["positions"]);
    let sampled = out(&format!("dots tablebase verify {path} --sample 200000 --format table"));
    assert!(sampled.contains("If 7 or more values had been wrong from"), "{sampled}");
    let full = run(&format!("dots tablebase verify {path} --full --format table"));
    assert!(
        full.out.contains("is right") && full.out.contains("bytes, by building"),
        "{}",
        full.out
    );
    assert_eq!(files(folder.path()), ["2x3"]);
    let file = format!("{path}/layer-00");
    let mut bytes = std::fs::read(&file).unwrap();
    bytes[7] ^= 1;
    std::fs::write(&file, bytes).unwrap();
    let says = ["layer-00 is damaged: its checksum is wrong"];
    fails(1, &format!("dots tablebase verify {path}"), &says);
    std::fs::remove_file(&file).unwrap();
    let rebuilt = run(&format!("{line} --board 2x3"));
    assert!(
        rebuilt.err.contains("cannot read") && !rebuilt.err.contains("finished"),
        "{}",
        rebuilt.err
    );
    assert_eq!((rebuilt.code, rebuilt.out.as_str()), (1, ""));
}

#[test]
fn a_book_of_a_variant() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book").display().to_string();
    let flags = "--board 3x3 --variant swedish --book 15 --quiet";
    let answer = json(&format!("dots tablebase build {path} {flags}"));
    assert_eq!(answer["rules"]["variant"], "swedish");
    let stored = answer["tables"][1]["rows"].as_array().unwrap();
    // The 12 lines along the border are drawn at the start, and up to three of the 12 others later.
    let lines: Vec<u64> = stored.iter().map(|row| row["lines"].as_u64().unwrap()).collect();
    assert_eq!(lines, [12, 13, 14, 15]);
    let verified = out(&format!("dots tablebase verify {path} --format table"));
    assert!(verified.contains("swedish"), "{verified}");
}

#[test]
fn chains_of_the_start_are_one_line_each() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("chains").display().to_string();
    // Three boxes along the top, with four lines, and the middle one below, with two.
    let start = "---/......./---/......./.../..|.|../...";
    let line = format!("dots tablebase build {path} --from '{start}'");
    let ran = run(&line);
    assert_eq!(ran.code, 0, "{}", ran.err);
    for text in ["2 chains of the start count as one line each", "12 lines to draw, not 16"] {
        assert!(ran.err.contains(text), "{}", ran.err);
    }
    let rows = table(&line);
    assert_eq!((rows[0]["chains"].as_str(), rows[0]["book"].as_str()), ("2", "20"));
    assert!(rows[0]["from"].starts_with(start), "{}", rows[0]["from"]);
    let verified = table(&format!("dots tablebase verify {path}"));
    assert_eq!(verified[3]["count"], "10000");
    // After a chain is opened in the middle, all values are known.
    for drawn in [start, "---/..|..../---/......./.../..|.|../..."] {
        let found = json(&format!("dots tablebase probe {path} {drawn}"));
        assert_eq!(found["cost"]["kind"], "look-up", "{drawn}");
        assert_eq!(found["to_come"], json(&format!("dots solve {drawn}"))["to_come"], "{drawn}");
    }
    refused(&format!("{line} --board 2x2"), &["and the board is 2x2"]);
}

#[test]
fn tablebases_that_cannot_be_built() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run").display().to_string();
    let line = format!("dots tablebase build {path}");
    refused(&format!("{line} --board 0x3"), &["at least one row"]);
    refused(&format!("{line} --board wide"), &["'wide' is not a board"]);
    refused(&format!("{line} --board 2x2 --penalty -0.5"), &["a whole number of points, not -0.5"]);
    fails(1, &format!("{line} --board 3x4 --memory 1MiB"), &["--memory: a limit of 1.0 MiB"]);
    fails(1, &format!("{line} --board 3x4 --disk 50MiB"), &["--disk: ", "this takes 177"]);
    refused(&format!("{line} --board 3x4 --disk much"), &["--disk: 'much' is not a size"]);
    refused(&format!("{line} --board 5x5"), &["positions are too many"]);
    refused(&format!("{line} --from nowhere.txt"), &["nowhere.txt"]);
    refused(&format!("dots tablebase verify {path}"), &["there is no tablebase"]);
    assert!(files(folder.path()).is_empty());
    let line = format!("rpsw tablebase build {path}");
    refused(&format!("{line} --pieces 5"), &["'5' is not an integer from 1 to 4"]);
    refused(&format!("{line} --board 6x5"), &["a board of 6 rows and 5 columns is out of range"]);
    refused(&format!("{line} --total 9"), &["'9' is not an integer from 2 to 8"]);
    let here = folder.path().display();
    refused(&format!("rpsw tablebase build {here} --pieces 1"), &["is a folder"]);
    fails(1, &format!("rpsw tablebase build {path}/none --pieces 1"), &["cannot write"]);
    assert!(files(folder.path()).is_empty());
    assert_eq!(run(&format!("dots tablebase build {path} --board 1x1 --quiet")).code, 0);
}

#[test]
fn a_probe_is_an_answer_by_the_rules_of_the_tablebase() {
    for (game, name, position) in
        [("dots", "all", "-./|.|../../...../.. B"), ("rpsw", "small", "r.p/.../.../R.P first")]
    {
        let probed = json(&probe(game, name, &format!("'{position}' --values --pv")));
        let tablebase = format!("--tablebase '{}'", path(name));
        let solved = json(&format!("{game} solve '{position}' {tablebase} --values --pv"));
        assert_eq!(probed, solved);
        assert_eq!(probed["cost"]["kind"], "look-up");
        assert_eq!(probed["moves"][0]["class"], "best");
    }
    assert_eq!(json(&probe("dots", "book", ""))["rules"]["penalty"], "-1");
    let small = format!("rpsw solve --tablebase '{}'", path("small"));
    assert_eq!(json(&small)["rules"]["board"], "4x3");
    assert_eq!(out(&format!("{small} --pieces 2")), out(&small));
    refused(&format!("{small} --pieces 3"), &["of board 4x3, pieces 2, not of", "pieces 3"]);
    let all = format!("dots solve --tablebase '{}'", path("all"));
    refused(&format!("{all} --board 2x3"), &["is of board 2x2", "not of board 2x3"]);
}

#[test]
fn what_a_book_lacks_is_searched() {
    let whole = tempfile::tempdir().unwrap();
    let whole = whole.path().join("whole").display().to_string();
    out(&format!("dots tablebase build '{whole}' --board 2x3 --penalty -1 --quiet"));
    let rest = "'-.-/|....../---/..|...|/..- A' --moves a3-b3 --values --format csv";
    let found = out(&format!("dots tablebase probe '{whole}' {rest}"));
    assert_eq!(out(&probe("dots", "book", rest)), found);
    // The penalty is included in all values, and is the value at the end.
    let over = json(&probe("dots", "book", "'---/|A|A|B|/---/|A|A|B|/--- A'"));
    assert_eq!(over["to_come"], -1);
}

#[test]
fn only_what_follows_a_position() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("from").display().to_string();
    let start = "'-../..|..../.../......./...'";
    let rows = table(&format!("dots tablebase build '{path}' --from {start}"));
    let all = table(&format!("dots tablebase build '{path}-all' --board 2x3"));
    let many = |rows: &[Row]| rows[0]["positions"].parse::<u64>().unwrap();
    assert!(many(&rows) < many(&all));
    let asked = "'-../..|..../.../|....../...' --values";
    let found = json(&format!("dots tablebase probe '{path}' {asked}"));
    assert_eq!(
        found["moves"],
        json(&format!("dots tablebase probe '{path}-all' {asked}"))["moves"]
    );
}

#[test]
fn many_positions_line_by_line() {
    let typed = "../...../../...../..\n\n --/|A|A|/--/|A|A|/-- B \n";
    let ran = asked(&probe("dots", "all", "-"), typed);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let found = rows(&ran.out);
    assert_eq!((&*found[0]["line"], &*found[0]["to_come"]), ("1", "2"));
    assert_eq!((&*found[1]["line"], &*found[1]["to_come"], &*found[1]["best"]), ("3", "0", ""));
    let lines = asked(&probe("dots", "all", "- --values --format jsonl"), typed).out;
    let moves: Vec<serde_json::Value> =
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&moves[0]["to_come"], moves.len()), (&2.into(), 12 + 1));
    assert_eq!(
        (&moves[0]["move"], &moves[0]["best"]),
        (&(&*found[0]["best"]).into(), &true.into())
    );
    let folder = tempfile::tempdir().unwrap();
    let ran =
        asked(&probe("dots", "all", &format!("- --out '{}'", folder.path().display())), typed);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let manifest = super::read(folder.path(), "datapackage.json");
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    let entry = &manifest["resources"][0];
    assert_eq!((&entry["rules"]["board"], &entry["rows"]), (&"2x2".into(), &2.into()));
    assert!(entry["command"].as_str().unwrap().contains("dots solve - --tablebase "), "{entry}");
    let mut typed = b"r.p/.../.../R.P first\n\nr.p/.../.../RRP first\n".to_vec();
    typed.extend([&b"\xff\xfe\n"[..], &[b'x'; 100_000], b"\nr.p/.../.../R.P second"].concat());
    let ran = asked(&probe("rpsw", "small", "-"), typed);
    let found = rows(&ran.out);
    let lines = found.iter().map(|row| row["line"].as_str());
    assert_eq!(lines.collect::<Vec<_>>(), ["1", "3", "4", "5", "6"]);
    assert_eq!(&*found[0]["outcome"], "first");
    assert!(found[1]["error"].starts_with("there are two of 'R'"), "{}", ran.out);
    assert!(ran.err.contains("error: 3 of the lines have no answer"), "{}", ran.err);
    assert_eq!(ran.code, 1);
}

#[test]
fn the_game_with_one_piece_each() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x").display().to_string();
    let text = out(&format!("rpsw tablebase build {path} --pieces 1 --format table"));
    insta::assert_snapshot!(text);
}

#[test]
fn what_is_decided_and_drawn_is_everything() {
    let folder = tempfile::tempdir().unwrap();
    let build = |name: &str, flags: &str| {
        let path = folder.path().join(name).display().to_string();
        json(&format!("rpsw tablebase build {path} --board 4x3 --quiet {flags}"))["tables"].clone()
    };
    let tables = build("two", "--pieces 2");
    let named = |tables: &serde_json::Value, name: &str| {
        let tables = tables.as_array().unwrap();
        tables.iter().find(|table| table["name"] == name).unwrap()["rows"].clone()
    };
    let iterations = named(&tables, "rpsw-iterations");
    let total = |name: &str| {
        let tables = tables.as_array().unwrap();
        tables.iter().find(|table| table["name"] == name).unwrap()["total"].clone()
    };
    let total_of_iterations = total("rpsw-iterations");
    let plies = iterations.as_array().unwrap();
    let decided: u64 = plies.iter().map(|row| row["positions"].as_u64().unwrap()).sum();
    let [won, lost, drawn, all] = ["won", "lost", "drawn", "positions"]
        .map(|column| total_of_iterations[column].as_u64().unwrap());
    assert_eq!((decided, decided + drawn), (won + lost, all));
    let material = named(&tables, "rpsw-material");
    for column in ["won", "lost", "drawn", "positions"] {
        assert_eq!(total("rpsw-material")[column], total_of_iterations[column], "{column}");
    }
    // Materials are ordered pairs, because kinds are not interchangeable.
    assert_eq!(material.as_array().unwrap().len(), 10 * 10);
    // The analyses of the tablebase have the same numbers.
    let two = format!("--tablebase '{}'", folder.path().join("two").display());
    let distances = json(&format!("rpsw analyze distances {two}"))["tables"].clone();
    for name in ["rpsw-iterations", "rpsw-material"] {
        assert_eq!(named(&distances, name), named(&tables, name));
    }
    let draws = json(&format!("rpsw analyze draws {two}"))["tables"][0]["rows"].clone();
    let of = |row: &serde_json::Value| row["drawn"].as_u64().unwrap();
    assert_eq!(draws.as_array().unwrap().iter().map(of).sum::<u64>(), drawn);
    // Other captures and fewer pieces in all.
    assert_ne!(named(&build("three", "--pieces 2 --total 3"), "rpsw-iterations"), iterations);
    let takes = build("takes", "--pieces 2 --takes R:RPSW,P:,S:P,W:r");
    assert_ne!(named(&takes, "rpsw-iterations"), iterations);
    let threads = ["1", "3"].map(|threads| build(threads, &format!("--pieces 2 -j {threads}")));
    assert_eq!(threads[0], threads[1]);
}

#[test]
fn a_tablebase_of_a_small_game_is_verified() {
    let path = path("small");
    let rows = table(&format!("rpsw tablebase verify {path} --sample 500 --full"));
    let count = |what: &str| {
        let row = rows.iter().find(|row| row["checked"].contains(what)).unwrap();
        row["count"].parse::<u64>().unwrap()
    };
    assert_eq!(count("sampled positions"), 500);
    assert_eq!(count("by solving the game again"), std::fs::metadata(&path).unwrap().len());
}

#[test]
fn files_that_are_no_tablebase() {
    let folder = tempfile::tempdir().unwrap();
    let bad = folder.path().join("bad.db");
    let said = |code: i32, says: &str| {
        let path = bad.display();
        fails(code, &format!("rpsw tablebase verify {path}"), &[says]);
        fails(code, &format!("rpsw tablebase probe {path}"), &[says]);
        fails(code, &format!("rpsw tablebase build {path} --pieces 1"), &[says]);
    };
    std::fs::write(&bad, "something else").unwrap();
    said(2, "is not a tablebase of rock-paper-scissors-well");
    let bytes = std::fs::read(path("small")).unwrap();
    std::fs::write(&bad, &bytes[..bytes.len() / 2]).unwrap();
    said(1, "ends too early; it was not copied or written whole");
    let header = String::from_utf8_lossy(&bytes).find('{').unwrap();
    let first = b"bsq rpsw database, version 0, crc32 00000000\n";
    std::fs::write(&bad, [first, &bytes[header..]].concat()).unwrap();
    said(
        2,
        "is of version 0 of the format, and this program reads version 3; remove it, and run the command that made it again",
    );
    let mut flipped = bytes.clone();
    flipped[bytes.len() / 2] ^= 4;
    std::fs::write(&bad, flipped).unwrap();
    let verify = format!("rpsw tablebase verify {}", bad.display());
    fails(1, &verify, &["is damaged in block "]);
    let build = format!("rpsw tablebase build '{}'", path("small"));
    refused(
        &format!("{build} --pieces 1"),
        &["of board 4x3, pieces 2, not of board 6x4, pieces 1"],
    );
}

#[test]
fn positions_that_cannot_be_probed() {
    refused(&probe("dots", "all", "--move"), &["unexpected argument '--move'"]);
    let checkpoint = probe("dots", "all", "'../...../..' --checkpoint file");
    refused(&checkpoint, &["unexpected argument '--checkpoint'"]);
    refused(&probe("dots", "all", "what"), &["and there is no file what"]);
    let moves =
        |moves: &str| probe("dots", "all", &format!("'-./...../../...../..' --moves '{moves}'"));
    refused(&moves("a1-b1"), &["a1-b1 is drawn already"]);
    refused(&moves("a1-c1"), &["a1 and c1 are not neighbours"]);
    let damaged = FOLDER.path().join("damaged");
    std::fs::create_dir(&damaged).unwrap();
    std::fs::write(damaged.join("manifest"), "{").unwrap();
    refused(&probe("dots", "damaged", "'../...../..'"), &["is not a manifest of a tablebase"]);
    let probe = |position: &str, says: &[&str]| {
        refused(&probe("rpsw", "small", &format!("'{position}'")), says);
    };
    probe("r.p/.../R.P first", &["found 3 of the 4 rows of a 4x3 board"]);
    probe("r.p/.../..x/R.P first", &["'x' at character 11 is not a cell"]);
    probe("r.p/.../..p/R.P first", &["there are two of 'p'"]);
    probe("rsp/.../.../R.P first", &["the second player has 3 pieces; these rules have at most 2"]);
    probe("rP./.../.../R.. first", &["the game is over there, and not by a move"]);
}

/// The tables of an answer in JSON, without the command, which names the tablebase.
fn tables(answer: &str) -> serde_json::Value {
    serde_json::from_str::<serde_json::Value>(answer).unwrap()["tables"].take()
}

#[test]
fn a_scratch_folder_is_left_clean() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path().display().to_string();
    for flags in ["--pieces 1", "--pieces 1 --board 3x3"] {
        let build = |name: &str, more: &str| {
            tables(&out(&format!(
                "rpsw tablebase build {here}/{name} {flags} {more} --format json"
            )))
        };
        let scratch = format!("--scratch {here}/scratch");
        assert_eq!(build("x.db", &scratch), build("y.db", ""));
        assert_eq!(files(folder.path()), ["x.db", "y.db"]);
        let [x, y] = ["x.db", "y.db"].map(|name| std::fs::read(folder.path().join(name)).unwrap());
        assert!(x == y);
        for name in ["x.db", "y.db"] {
            std::fs::remove_file(folder.path().join(name)).unwrap();
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_stopped_build_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let [scratch, path, other] =
        ["scratch", "two", "other"].map(|name| folder.path().join(name).display().to_string());
    let line = format!("rpsw tablebase build {path} --pieces 2 --format json --scratch {scratch}");
    let stop = super::streams::stop;
    let (code, error) = stop(&line, &folder.path().join("scratch"), "-INT", 1);
    assert_eq!(code, Some(130), "{error}");
    assert!(error.contains("the rounds up to there are kept"), "{error}");
    let rules = format!("rpsw tablebase build {path} --pieces 1 --scratch {scratch}");
    refused(&rules, &["holds a checkpoint of a game by other rules"]);
    let kept = Path::new(&scratch);
    let kept = files(kept).into_iter().map(|name| (std::fs::read(kept.join(&name)).unwrap(), name));
    let kept: Vec<_> = kept.collect();
    let resumed = run(&line);
    assert!(resumed.err.contains("continues the tablebase after "), "{}", resumed.err);
    let once = out(&format!("rpsw tablebase build {other} --pieces 2 --format json"));
    assert_eq!(tables(&resumed.out), tables(&once));
    assert!(std::fs::read(path).unwrap() == std::fs::read(other).unwrap());
    // A process that is killed when the tablebase has its name leaves the checkpoint, and files
    // that the checkpoint does not list.
    std::fs::create_dir(&scratch).unwrap();
    for (bytes, name) in kept {
        std::fs::write(Path::new(&scratch).join(name), bytes).unwrap();
    }
    for name in ["lost-in-16", "lost-in-18.new", "checkpoint.new"] {
        std::fs::write(Path::new(&scratch).join(name), "half").unwrap();
    }
    let again = run(&line);
    assert!(again.err.contains("is finished already"), "{}", again.err);
    assert_eq!(again.out, resumed.out);
    assert_eq!(files(folder.path()), ["other", "two"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_check_is_stopped() {
    let path = path("small");
    let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin!("bsq"));
    command.args(["rpsw", "tablebase", "verify", &path, "--sample", "1000000000"]);
    let child = command.stderr(std::process::Stdio::piped()).spawn().unwrap();
    super::streams::wait_until_it_listens(child.id());
    let kill = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.unwrap().success());
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(130));
}

#[test]
fn analyses_of_a_tablebase() {
    let tablebase = format!("--tablebase '{}'", path("small"));
    assert!(out("rpsw analyze list").contains("arrangements"));
    refused("rpsw analyze draws", &["the tablebase is missing", "bsq rpsw tablebase build PATH"]);
    refused(&format!("rpsw analyze wins {tablebase}"), &["'wins'", "arrangements, distances"]);
    refused(&format!("rpsw analyze arrangements {tablebase}"), &["four pieces on a base row"]);
    refused(&format!("rpsw analyze draws {tablebase} --pieces 2"), &["takes no --pieces"]);
    refused(&format!("rpsw analyze openings {tablebase}"), &["takes no --tablebase"]);
    let all = run(&format!("rpsw analyze all {tablebase} --format json"));
    assert_eq!(all.code, 0);
    assert!(all.err.contains("arrangements left out"), "{}", all.err);
}

#[test]
fn moves_are_played_before_the_search() {
    assert_eq!(run("dots solve 2x2 --moves 'a1-b1 b1-c1'").code, 0);
}
