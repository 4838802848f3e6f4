//! `bsq rpsw`.

use super::errors::{fails, refused};
use super::{json, out, run, table};

#[test]
fn the_game_with_one_piece_each() {
    insta::assert_snapshot!(out("rpsw solve --pieces 1 --format table"));
}

#[test]
fn what_is_decided_and_drawn_is_everything() {
    let line = "rpsw solve --board 3x4 --pieces 2";
    let rows = table(line);
    let count = |row: &super::Row| row["positions"].parse::<u64>().unwrap();
    let (totals, plies): (Vec<_>, Vec<_>) = rows.iter().partition(|row| row["plies"] == "all");
    assert_eq!((totals[0]["result"].as_str(), totals[1]["result"].as_str()), ("drawn", "all"));
    let decided: u64 = plies.iter().map(|row| count(row)).sum();
    assert_eq!(decided + count(totals[0]), count(totals[1]));
    let tables = json(line)["tables"].clone();
    let is_material = |table: &&serde_json::Value| table["name"] == "rpsw-material";
    let material = tables.as_array().unwrap().iter().find(is_material).unwrap();
    let material = material["rows"].as_array().unwrap();
    let all = material.last().unwrap();
    assert_eq!(all["positions"], count(totals[1]));
    assert_eq!(all["drawn"], count(totals[0]));
    // Materials are ordered pairs, because kinds are not interchangeable.
    assert_eq!(material.len(), 10 * 10 + 1);
}

#[test]
fn threads_change_nothing() {
    let line = "rpsw solve --board 4x5 --pieces 2 --format json --threads";
    assert_eq!(out(&format!("{line} 1")), out(&format!("{line} 3")));
}

#[test]
fn games_that_there_are_not() {
    refused("rpsw solve --pieces 0", &["0 pieces a player are out of range; give 1 to 4"]);
    refused("rpsw solve --pieces 5", &["5 pieces a player are out of range"]);
    refused(
        "rpsw solve --board 5x6",
        &["a board of 6 rows and 5 columns is out of range; it has 3 to 6 rows and 1 to 4 columns"],
    );
    refused("rpsw solve --board wide", &["'wide' is not a board; write columns x rows"]);
}

/// A tablebase of a small game in a temporary folder.
fn database() -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("small.db").display().to_string();
    let ran = run(&format!("rpsw solve --board 3x4 --pieces 2 --out {path} --quiet"));
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    (folder, path)
}

const POSITION: &str = "'r.p/.../.../R.P first'";

#[test]
fn a_database_is_written_probed_and_verified() {
    let (_folder, path) = database();
    insta::assert_snapshot!(out(&format!("rpsw probe {path} {POSITION} --format table")));
    let rows = table(&format!("rpsw probe {path} {POSITION}"));
    assert_eq!((rows[0]["move"].as_str(), rows[0]["result"].as_str()), ("none", "won"));
    assert_eq!(rows[0]["plies"], rows[1]["plies"], "the best move comes first");
    let rows = table(&format!("rpsw verify {path} --sample 500 --full"));
    let count = |what: &str| {
        let row = rows.iter().find(|row| row["checked"].contains(what)).unwrap();
        row["count"].parse::<u64>().unwrap()
    };
    assert_eq!(count("sampled positions"), 500);
    assert_eq!(count("by solving the game again"), std::fs::metadata(&path).unwrap().len());
}

#[test]
fn a_batch_answers_line_by_line() {
    let (_folder, path) = database();
    let mut lines =
        b"r.p/.../.../R.P first\n\nr.p/.../.../R.P second\nr.p/.../.../RRP first\n".to_vec();
    lines.extend([&b"\xff\xfe\n"[..], &[b'x'; 100_000], b"\nr.p/.../.../R.P first"].concat());
    let ask = |format: &str| {
        let line = format!("rpsw probe {path} - {format}");
        let ran = super::bsq(&line).write_stdin(lines.clone()).assert().code(1);
        let output = ran.get_output();
        let [out, err] = [&output.stdout, &output.stderr];
        [out, err].map(|text| String::from_utf8(text.clone()).unwrap())
    };
    let [csv, err] = ask("");
    let rows = super::rows(&csv);
    assert_eq!(rows.iter().map(|row| row["line"].as_str()).collect::<Vec<_>>(), ["1", "3", "7"]);
    assert_eq!(rows[0]["result"], "won");
    assert!(rows[0]["best"].starts_with(|letter: char| letter.is_ascii_lowercase()));
    assert!(err.contains("line 4: there are two of 'R'"), "{err}");
    assert!(err.contains("error: 3 of the lines have no answer"), "{err}");
    let [json, _] = ask("--format json");
    let first: serde_json::Value = serde_json::from_str(json.lines().next().unwrap()).unwrap();
    assert_eq!(first["result"], "won");
    assert_eq!(first["plies"], first["moves"][0]["plies"]);
}

#[test]
fn analyses_ask_a_database() {
    let (_folder, path) = database();
    let material = json(&format!("rpsw analyze distances {path}"))["tables"].clone();
    let solved = json("rpsw solve --board 3x4 --pieces 2")["tables"].clone();
    let named = |tables: &serde_json::Value, name: &str| {
        let tables = tables.as_array().unwrap();
        tables.iter().find(|table| table["name"] == name).unwrap()["rows"].clone()
    };
    for name in ["rpsw-iterations", "rpsw-material"] {
        assert_eq!(named(&material, name), named(&solved, name));
    }
    let sum = |rows: &serde_json::Value, column: &str| -> u64 {
        rows.as_array().unwrap().iter().map(|row| row[column].as_u64().unwrap()).sum()
    };
    let iterations = table("rpsw solve --board 3x4 --pieces 2");
    let drawn = iterations.iter().find(|row| row["result"] == "drawn").unwrap();
    let draws = json(&format!("rpsw analyze draws {path}"))["tables"][0]["rows"].clone();
    assert_eq!(sum(&draws, "drawn"), 2 * drawn["positions"].parse::<u64>().unwrap());
    assert!(out("rpsw analyze list").contains("arrangements"));
    refused("rpsw analyze draws", &["the database is missing", "rpsw solve --out FILE"]);
    refused("rpsw analyze wins x.db", &["there is no analysis 'wins'", "arrangements, distances"]);
    refused(&format!("rpsw analyze arrangements {path}"), &["four pieces on a base row"]);
    let all = run(&format!("rpsw analyze all {path} --format json"));
    assert_eq!(all.code, 0);
    assert!(all.err.contains("arrangements left out"), "{}", all.err);
}

#[test]
fn files_that_are_no_database() {
    let (folder, path) = database();
    let bad = folder.path().join("bad.db");
    let said = |says: &str| {
        for command in ["verify", "probe"] {
            let position = if command == "probe" { POSITION } else { "" };
            fails(1, &format!("rpsw {command} {} {position}", bad.display()), &[says]);
        }
    };
    said("there is no database; 'bsq rpsw solve --out FILE' makes one");
    std::fs::write(&bad, "something else").unwrap();
    said("is no database of rock-paper-scissors-well");
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&bad, &bytes[..bytes.len() / 2]).unwrap();
    said("ends too early; it was not copied or written whole");
    let header = String::from_utf8_lossy(&bytes).find('{').unwrap();
    std::fs::write(
        &bad,
        [b"bsq rpsw database, version 0, crc32 00000000\n", &bytes[header..]].concat(),
    )
    .unwrap();
    said("is of version 0 of the format, and this program reads version 2");
    let mut flipped = bytes.clone();
    flipped[bytes.len() / 2] ^= 4;
    std::fs::write(&bad, flipped).unwrap();
    fails(1, &format!("rpsw verify {}", bad.display()), &["is damaged in block "]);
}

#[test]
fn positions_that_there_are_not() {
    let (_folder, path) = database();
    let probe = |position: &str, says: &[&str]| {
        refused(&format!("rpsw probe {path} '{position}'"), says);
    };
    probe("r.p/.../R.P first", &["a position is 4 rows of 3 squares"]);
    probe("r.p/.../..x/R.P first", &["'x' is no square"]);
    probe("r.p/.../..p/R.P first", &["there are two of 'p'"]);
    probe("rsp/.../.../R.P first", &["the second player has 3 pieces; these rules have at most 2"]);
    probe("rP./.../.../R.. first", &["the game is over there, and not by a move"]);
    refused(
        &format!("rpsw probe {path} {POSITION} --moves 'a1a4'"),
        &["a1a4 is not legal at", "a1a2"],
    );
    refused(&format!("rpsw probe {path} {POSITION} --moves 'up'"), &["'up' is no move"]);
    let over = out(&format!("rpsw probe {path} 'rR./.../.../... second'"));
    assert!(over.contains("none,lost,0,"), "{over}");
}

#[test]
fn a_folder_is_no_file_and_a_scratch_folder_is_left_clean() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path().display().to_string();
    refused(&format!("rpsw solve --pieces 1 --out {here}"), &["is a folder; --out names the file"]);
    fails(1, &format!("rpsw solve --pieces 1 --out {here}/none/x.db"), &["cannot write"]);
    refused("rpsw solve --pieces 1 --resume", &["--scratch"]);
    let scratch = format!("{here}/scratch");
    fails(
        1,
        &format!("rpsw solve --pieces 1 --scratch {scratch} --resume"),
        &["holds no checkpoint"],
    );
    for line in ["rpsw solve --pieces 1", "rpsw solve --pieces 1 --board 3x3"] {
        let with = out(&format!("{line} --scratch {scratch} --out {here}/x.db --format json"));
        assert_eq!(with, out(&format!("{line} --format json")));
    }
    assert_eq!(super::files(folder.path()), ["x.db"]);
}

#[test]
fn other_captures_and_fewer_pieces_in_all() {
    let all = |line: &str| table(line).last().unwrap()["positions"].clone();
    let two = all("rpsw solve --board 3x4 --pieces 2");
    assert_ne!(two, all("rpsw solve --board 3x4 --pieces 2 --total 3"));
    assert_eq!(two, all("rpsw solve --board 3x4 --pieces 2 --takes R:RPSW,P:,S:P,W:r"));
    assert_ne!(
        out("rpsw solve --board 3x4 --pieces 2"),
        out("rpsw solve --board 3x4 --pieces 2 --takes R:RPSW,P:,S:P,W:r")
    );
    refused("rpsw solve --total 9", &["a limit of 9 on all pieces is out of range; give 2 to 8"]);
    for takes in ["R:S", "R:S,P:RW,S:P,W:RX", "R:S,R:S,S:P,W:R", "RS", ""] {
        refused(&format!("rpsw solve --takes '{takes}'"), &["does not say what each kind takes"]);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_stopped_analysis_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let line = "rpsw solve --pieces 2 --format json";
    let scratch = format!("--scratch {}", folder.path().display());
    let stop = super::counting::stopped::stop;
    let (code, error) = stop(&format!("{line} {scratch}"), folder.path(), "-INT", 1);
    assert_eq!(code, Some(130), "{error}");
    assert!(error.contains("are kept, --resume goes on"), "{error}");
    fails(1, &format!("{line} {scratch}"), &["holds a checkpoint already"]);
    assert_eq!(out(&format!("{line} {scratch} --resume")), out(line));
}

#[cfg(target_os = "linux")]
#[test]
fn a_check_is_stopped() {
    let (_folder, path) = database();
    let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin!("bsq"));
    command.args(["rpsw", "verify", &path, "--sample", "1000000000"]);
    let child = command.stderr(std::process::Stdio::piped()).spawn().unwrap();
    super::streams::wait_until_it_listens(child.id());
    let kill = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.unwrap().success());
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(130));
}
