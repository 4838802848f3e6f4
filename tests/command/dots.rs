//! `bsq dots`.

use super::errors::{fails, refused};
use super::{bsq, files, finish, json, out, run, table};
use serde_json::{Value, json};
use std::path::Path;

const PROBLEM: &str = "tests/golden/dots/problem-12.15.txt";

fn value(line: &str) -> f64 {
    json(&format!("dots solve {line} --no-line"))["value"].as_f64().unwrap()
}

/// Runs the command on a file with this text.
fn of_file(text: impl AsRef<[u8]>, flags: &str) -> super::Ran {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("position.txt");
    std::fs::write(&path, text).unwrap();
    let ran = run(&format!("dots solve {} {flags}", path.display()));
    assert_eq!(files(folder.path()), ["position.txt"]);
    ran
}

#[test]
fn small_boards_have_their_values() {
    for (board, expected) in [
        ("1x1", -1.0),
        ("1x2", 0.0),
        ("2x2", 2.0),
        ("2x3", -2.0),
        ("3x2", -2.0),
        ("3x3", -3.0),
        ("2x2 --variant standard", 2.0),
        ("1x1 --variant icelandic", -1.0),
        ("1x1 --variant swedish", 0.0),
        ("1x2 --variant swedish", 2.0),
        ("2x2 --variant swedish", -4.0),
    ] {
        assert_eq!(value(board), expected, "{board}");
    }
}

/// A variant is equivalent to the position with its lines drawn.
#[test]
fn variants_are_positions() {
    for (variant, position) in [
        ("2x2 --variant icelandic", "'../|..../../|..../-- A'"),
        ("3x3 --variant swedish", "'---/|.....|/.../|.....|/.../|.....|/--- A'"),
    ] {
        assert_eq!(value(variant), value(position), "{variant}");
        let [one, two] = [variant, position].map(|line| json(&format!("dots solve {line}")));
        assert_eq!((&one["position"], &one["line"]), (&two["position"], &two["line"]));
        assert_eq!(two["rules"]["variant"], Value::Null);
    }
}

#[test]
fn a_problem_has_one_winning_move() {
    let solved = json(&format!("dots solve {PROBLEM} --moves"));
    assert_eq!((&solved["value"], &solved["penalty"]), (&json!(1), &json!(0)));
    assert_eq!((&solved["board"], &solved["to_move"]), (&json!("5x5"), &json!("A")));
    assert_eq!((&solved["score_so_far"], &solved["final_score"]), (&json!(0), &json!(1)));
    let moves = solved["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 40);
    let winning: Vec<&Value> =
        moves.iter().filter(|mv| mv["score"].as_i64().unwrap() > 0).collect();
    assert_eq!((winning.len(), &winning[0]["move"]), (1, &json!("b3-b4")));
    assert_eq!(moves[0], *winning[0]);
    assert_eq!(moves[0]["best"], true);
    let line = solved["line"].as_array().unwrap();
    assert_eq!(
        (line.len(), &line[0]["move"], &line[0]["player"]),
        (40, &json!("b3-b4"), &json!("A"))
    );
    let taken: i64 = line
        .iter()
        .map(|step| step["takes"].as_i64().unwrap() * if step["player"] == "A" { 1 } else { -1 })
        .sum();
    assert_eq!(taken, 1, "the line comes to the value");
}

#[test]
fn screens() {
    for (name, line) in [
        ("dots_2x2_moves", "dots solve 2x2 --moves --format table".to_string()),
        ("dots_problem", format!("dots solve {PROBLEM} --moves --format table")),
        ("dots_half_a_penalty", "dots solve 1x2 --penalty -0.5 --moves --format table".to_string()),
        ("dots_unknown", "dots solve '---/|?|..../-.. B' --format table".to_string()),
        ("dots_over", "dots solve '--/|A|A|/-- A' --moves --format table".to_string()),
    ] {
        let text = out(&line);
        for line in text.lines() {
            assert_eq!(line, line.trim_end());
            assert!(line.chars().count() <= 80, "{line}");
        }
        let mut settings = insta::Settings::clone_current();
        settings.set_description(format!("bsq {line}"));
        settings.set_omit_expression(true);
        settings.set_prepend_module_to_snapshot(false);
        settings.bind(|| insta::assert_snapshot!(name, text));
    }
}

#[test]
fn penalties_are_exact() {
    for (penalty, expected) in
        [("0", 2.0), ("-1", 1.0), ("-0.5", 1.5), ("-1/2", 1.5), ("-1/3", 1.666667)]
    {
        assert_eq!(value(&format!("2x2 --penalty {penalty}")), expected, "{penalty}");
        assert_eq!(value(&format!("2x2 --penalty={penalty}")), expected, "{penalty}");
    }
    let solved = json("dots solve 2x2 --penalty -7/3");
    assert_eq!(solved["value_exact"], "-1/3");
    // The flag overrides the file.
    let file = "-0.5 100 B\n+ +-+\n     \n+ + +\n";
    let penalty = |flags: &str| {
        let ran = of_file(file, &format!("--format json {flags}"));
        serde_json::from_str::<Value>(&ran.out).unwrap()["penalty"].clone()
    };
    assert_eq!((penalty(""), penalty("--penalty -2")), (json!(-0.5), json!(-2)));
    // With very low penalties the player who draws the last line loses.
    let at = |penalty: i32| value(&format!("2x2 --penalty {penalty}"));
    assert_eq!(at(-1000) - at(-10), 990.0 * (at(-11) - at(-10)));
    let rows = table("dots solve 2x2 --moves --penalty -0.5");
    assert!(rows.iter().all(|row| row["score"].ends_with(".5")), "{rows:?}");
}

#[test]
fn scores_so_far_count_where_they_are_known() {
    // Player A has one box; B takes the other one, or the penalty decides.
    for (position, so_far, end) in [
        ("'--/|A|.|/-. B'", json!(1), json!(0)),
        ("'--/|A|.|/-. A'", json!(1), json!(2)),
        ("'--/|?|.|/-. A'", json!(null), json!(null)),
    ] {
        let solved = json(&format!("dots solve {position}"));
        assert_eq!((&solved["score_so_far"], &solved["final_score"]), (&so_far, &end));
        assert_eq!(solved["value"], 1, "{position}");
    }
}

#[test]
fn a_file_a_position_and_standard_input_are_the_same() {
    let text = "0 B\n+-+ +\n|A|  \n+-+ +\n";
    let position = "'-./|A|../-. B'";
    let expected = out(&format!("dots solve {position} --moves --format json"));
    assert_eq!(of_file(text, "--moves --format json").out, expected);
    let mut command = bsq("dots solve - --moves --format json");
    command.write_stdin(text);
    assert_eq!(finish(command).out, expected);
    let solved: Value = serde_json::from_str(&expected).unwrap();
    assert_eq!((&solved["score_so_far"], &solved["to_move"]), (&json!(1), &json!("B")));
}

#[test]
fn tables_are_written_with_their_manifest() {
    let folder = tempfile::tempdir().unwrap();
    let line = format!("dots solve 2x2 --moves --quiet --out {}", folder.path().display());
    assert_eq!(out(&line), "");
    let names = ["datapackage.json", "dots-line.csv", "dots-moves.csv", "dots-value.csv"];
    assert_eq!(files(folder.path()), names);
    let manifest: Value =
        serde_json::from_str(&super::read(folder.path(), "datapackage.json")).unwrap();
    assert_eq!(manifest["resources"][0]["rules"]["board"], "2x2");
    assert_eq!(super::read(folder.path(), "dots-moves.csv"), out("dots solve 2x2 --moves"));
    assert_eq!(super::read(folder.path(), "dots-value.csv"), out("dots solve 2x2"));
}

#[test]
fn threads_and_tables_change_nothing() {
    for line in
        ["dots solve 3x3 --moves --format json", "dots solve 2x4 --penalty -1/2 --format json"]
    {
        let [one, three] =
            ["--threads 1", "--threads 3"].map(|flag| out(&format!("{line} {flag}")));
        assert_eq!(one, three);
        assert_eq!(one, out(&format!("{line} --table-size 64kB")));
    }
}

#[test]
fn files_that_are_no_position() {
    let said = |text: &[u8], flags: &str, says: &[&str]| {
        let ran = of_file(text, flags);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{}", ran.err);
        assert!(ran.err.starts_with("error: "), "{}", ran.err);
        for words in says {
            assert!(ran.err.contains(words), "{}\nshould say: {words}", ran.err);
        }
    };
    for (text, says) in [
        ("", &["line 1, column 1: a penalty belongs here"][..]),
        ("0\n+-+-+\n| |\n+-+\n", &["line 4, column 4: this row is 3 wide"]),
        ("0\n+-+-+\n| | | |\n+-+ +\n", &["line 3, column 6: this row is 7 wide"]),
        ("0\n+-+ +\n|A   \n+-+ +\n", &["line 3, column 2: 'A' stands in a box that is not closed"]),
        ("1 A\n+-+\n\n+-+\n", &["line 1, column 1: the penalty 1 is positive"]),
        ("0\n+-+\n\t\n+-+\n", &["line 3, column 1: this is a tab"]),
    ] {
        said(text.as_bytes(), "", says);
        said(text.as_bytes(), "--moves --format json --penalty -1", says);
    }
    said(b"0 A\n+-+\n|\xff|\n+-+\n", "", &["line 3, column 2: this is no text"]);
    said(&[b'0'; 100_000], "", &["longer than 64 KiB"]);
    let wide = format!("0\n{}+\n\n{}+\n", "+ ".repeat(22), "+ ".repeat(22));
    said(wide.as_bytes(), "", &["line 2, column 1", "67 lines; at most 64 are possible"]);
    said(b"0\n+-+\n\n+-+\n", "--variant swedish", &["--variant swedish", "is no board"]);
}

#[test]
fn questions_that_are_none() {
    refused("dots solve", &["<BOARD|FILE|POSITION>"]);
    refused("dots solve --bord", &["unexpected argument '--bord'"]);
    refused("dots solve 5x6", &["5x6 boxes has 71 lines; at most 64 are possible"]);
    refused("dots solve 0x3", &["at least one row and one column"]);
    refused("dots solve 99999999999999999999x1", &["is no board"]);
    let tried = ["cannot read nowhere.txt: ", "3x5", "'../...../.. A'"];
    refused("dots solve nowhere.txt", &tried);
    refused("dots solve nowhere/at/all.txt", &["cannot read nowhere/at/all.txt"]);
    refused("dots solve ''", &["cannot read"]);
    refused("dots solve tests", &["tests is a folder"]);
    refused("dots solve '../....../.. A'", &["row 2 is 6 characters long"]);
    refused("dots solve '../..x../.. A'", &["cannot read", "row 2, column 3: 'x' is no upright"]);
    refused("dots solve '-./|A|../.. A'", &["row 2, column 2: 'A' stands in a box that is not"]);
    refused("dots solve '../...../.. A' --variant icelandic", &["--variant icelandic"]);
    refused("dots solve 2x2 --variant danish", &["'danish'", "standard, icelandic, swedish"]);
    for (penalty, says) in [
        ("1", "the penalty 1 is positive"),
        ("-1001", "too low"),
        ("half", "'half' is no penalty"),
        ("-1/0", "'-1/0' is no penalty"),
    ] {
        refused(&format!("dots solve 2x2 --penalty {penalty}"), &["--penalty", says]);
    }
    refused("dots solve 2x2 --table-size 0", &["cannot search 2x2: the table is too small"]);
    refused("dots solve 2x2 --table-size much", &["'much' is no size"]);
    if Path::new("/dev/null").exists() {
        fails(1, "dots solve 2x2 --out /dev/null/x", &["cannot write into the folder"]);
    }
}

/// Interrupts a search of hours with Ctrl-C. Returns its message.
#[cfg(target_os = "linux")]
fn stopped(flags: &[&str]) -> String {
    let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin!("bsq"));
    command.args(["dots", "solve", "5x5", "--moves", "--table-size", "64MiB"]).args(flags);
    command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    let child = command.spawn().unwrap();
    super::streams::wait_until_it_listens(child.id());
    std::thread::sleep(std::time::Duration::from_millis(1500));
    let began = std::time::Instant::now();
    let kill = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.unwrap().success());
    let output = child.wait_with_output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(began.elapsed().as_secs_f64() < 2.0, "{error}");
    assert_eq!((output.status.code(), output.stdout.len()), (Some(130), 0), "{error}");
    assert!(error.contains("positions searched in"), "{error}");
    error
}

/// Without a checkpoint, nothing remains.
#[cfg(target_os = "linux")]
#[test]
fn a_search_is_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let error = stopped(&["--out", &folder.path().display().to_string()]);
    assert!(error.contains("stopped before the end; nothing was kept"), "{error}");
    assert_eq!(files(folder.path()), [""; 0]);
}

/// With `--checkpoint`, the table is saved.
#[cfg(target_os = "linux")]
#[test]
fn a_stopped_search_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("search").display().to_string();
    for taken_up in [false, true] {
        let error = stopped(&["--checkpoint", &path]);
        assert!(error.contains("the same command goes on from there"), "{error}");
        assert_eq!(error.contains("going on after"), taken_up, "{error}");
        assert_eq!(files(folder.path()), ["search"]);
    }
}

#[test]
fn a_checkpoint_is_gone_on_from_and_guarded() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("search");
    for penalty in ["-1", "-0.5"] {
        let solve = |question: &str, flags: &str| {
            run(&format!("dots solve {question} --checkpoint {} {flags}", path.display()))
        };
        let flags = format!("--penalty {penalty}");
        let first = solve("2x5", &flags);
        assert_eq!((first.code, first.err.contains("going on")), (0, false), "{}", first.err);
        let bytes = std::fs::read(&path).unwrap();
        let again = solve("2x5", &format!("{flags} --variant swedish"));
        assert_eq!((again.code, again.err.contains("going on")), (0, true), "{}", again.err);
        let again = solve("2x5", &flags);
        assert_eq!((again.out, again.err.contains("going on")), (first.out, true));
        for (question, flags) in
            [("2x5", ""), ("5x2", &flags), ("2x5", &format!("{flags} --loony"))]
        {
            let other = solve(question, flags);
            assert_eq!(other.code, 2, "{}", other.err);
            let made =
                format!("it was made for 'Dots-and-Boxes 2x5, penalty {penalty}', and this is");
            assert!(other.err.contains(&made), "{}", other.err);
        }
        std::fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
        let damaged = solve("2x5", &flags);
        assert_eq!((damaged.code, damaged.out.as_str()), (2, ""));
        assert!(damaged.err.contains("it is damaged"), "{}", damaged.err);
        std::fs::remove_file(&path).unwrap();
    }
}

#[test]
fn marks_and_nimstring() {
    let path = "tests/golden/dots/problem-12.15.txt";
    let answer = json(&format!("dots solve {path} --moves --loony --nimstring --no-line"));
    assert_eq!((&answer["value"], &answer["nimstring"]), (&1.into(), &3.into()));
    let plain = json(&format!("dots solve {path} --moves --no-line"));
    let scores = |answer: &serde_json::Value| {
        let moves = answer["moves"].as_array().unwrap();
        moves.iter().map(|mv| (mv["move"].clone(), mv["score"].clone())).collect::<Vec<_>>()
    };
    assert_eq!(scores(&answer), scores(&plain));
    for mv in answer["moves"].as_array().unwrap() {
        // The player of a loony move must make the next one.
        assert!(mv["note"] != "loony" || mv["loony"] == "A", "{mv}");
    }
    let table = out(&format!("dots solve {path} --moves --loony --nimstring --format table"));
    assert!(table.contains("Nimstring value 3."), "{table}");
    assert!(table.contains("must make the next loony move."), "{table}");
}
