//! `bsq dots solve`.

use super::errors::{fails, refused};
use super::{bsq, files, finish, json, out, run, table};
use serde_json::{Value, json};
use std::path::Path;

const PROBLEM: &str = "tests/golden/dots/problem-12.15.txt";

/// The first player's points minus the second player's from the position on.
fn to_come(line: &str) -> Value {
    json(&format!("dots solve {line}"))["to_come"].clone()
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
        ("1x1", -1),
        ("1x2", 0),
        ("2x2", 2),
        ("2x3", -2),
        ("3x2", -2),
        ("3x3", -3),
        ("2x2 --variant standard", 2),
        ("1x1 --variant icelandic", -1),
        ("1x1 --variant swedish", 0),
        ("1x2 --variant swedish", 2),
        ("2x2 --variant swedish", -4),
    ] {
        assert_eq!(to_come(board), expected, "{board}");
    }
}

/// A variant is equivalent to the position with its lines drawn.
#[test]
fn variants_are_positions() {
    for (variant, position) in [
        ("2x2 --variant icelandic", "'../|..../../|..../-- A'"),
        ("3x3 --variant swedish", "'---/|.....|/.../|.....|/.../|.....|/--- A'"),
    ] {
        let [one, two] = [variant, position].map(|line| json(&format!("dots solve {line} --pv")));
        for key in ["position", "value", "moves", "principal_variation"] {
            assert_eq!(one[key], two[key], "{variant}: {key}");
        }
        assert_eq!(two["rules"]["variant"], "standard");
    }
}

#[test]
fn a_problem_has_one_winning_move() {
    let solved = json(&format!("dots solve {PROBLEM} --values --pv"));
    assert_eq!((&solved["to_come"], &solved["to_move"]), (&json!(1), &json!("first")));
    let rules = json!({ "board": "5x5", "penalty": "0", "variant": "standard" });
    assert_eq!(solved["rules"], rules);
    assert_eq!((&solved["score"], &solved["value"]["score"]), (&json!(0), &json!(1)));
    let moves = solved["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 40);
    let winning: Vec<&Value> =
        moves.iter().filter(|mv| mv["value"]["outcome"] == "first").collect();
    assert_eq!((winning.len(), &winning[0]["move"]), (1, &json!("b3-b4")));
    assert_eq!(moves[0], *winning[0]);
    assert_eq!((&moves[0]["class"], &moves[0]["cost"]), (&json!("best"), &json!(0)));
    let line = solved["principal_variation"].as_array().unwrap();
    let line: Vec<&str> = line.iter().map(|mv| mv.as_str().unwrap()).collect();
    assert_eq!((line.len(), line[0]), (40, "b3-b4"));
    let end = json(&format!("dots solve '{}' --moves '{}'", text(&solved), line.join(" ")));
    assert_eq!((&end["is_over"], &end["score"]), (&json!(true), &json!(1)));
}

/// The position of an answer.
fn text(answer: &Value) -> &str {
    answer["position"].as_str().unwrap()
}

#[test]
fn screens() {
    for (name, line) in [
        ("dots_2x2_values", "dots solve 2x2 --values --pv --format table".to_string()),
        ("dots_problem", format!("dots solve {PROBLEM} --values --pv --format table")),
        ("dots_problem_value", format!("dots solve {PROBLEM} --format table")),
        ("dots_half_a_penalty", "dots solve 1x2 --penalty -0.5 --pv --format table".to_string()),
        ("dots_unknown", "dots solve '---/|?|..../-.. B' --pv --format table".to_string()),
        ("dots_over", "dots solve '--/|A|A|/-- A' --values --pv --format table".to_string()),
        ("dots_facts", "dots solve 1x3 --values --loony --nimstring --format table".to_string()),
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
    for (penalty, expected) in [
        ("0", json!(2)),
        ("-1", json!(1)),
        ("-0.5", json!("3/2")),
        ("-1/2", json!("3/2")),
        ("-1/3", json!("5/3")),
        ("-7/3", json!("-1/3")),
    ] {
        assert_eq!(to_come(&format!("2x2 --penalty {penalty}")), expected, "{penalty}");
        assert_eq!(to_come(&format!("2x2 --penalty={penalty}")), expected, "{penalty}");
    }
    // With very low penalties the player who draws the last line loses.
    let at = |penalty: i32| to_come(&format!("2x2 --penalty {penalty}")).as_i64().unwrap();
    assert_eq!(at(-1000) - at(-10), 990 * (at(-11) - at(-10)));
    let rows = table("dots solve 2x2 --values --penalty -0.5");
    assert_eq!(rows.len(), 12);
    assert!(rows.iter().all(|row| row["score"].ends_with("/2")), "{rows:?}");
    let row = &table("dots solve 2x2 --penalty -0.5")[0];
    assert_eq!([&row["outcome"], &row["score"]], ["first", "3/2"]);
}

/// A penalty one lower changes every score by one (Wilson).
#[test]
fn a_list_of_penalties_has_a_row_for_each() {
    fn column<'a>(rows: &'a [super::Row], name: &str) -> Vec<&'a str> {
        rows.iter().map(|row| &*row[name]).collect()
    }
    let rows = table("dots solve 3x3 --penalty 2,1,0,-1,-2,-3,-4");
    assert_eq!(column(&rows, "penalty"), ["2", "1", "0", "-1", "-2", "-3", "-4"]);
    assert_eq!(column(&rows, "score"), ["-5", "-4", "-3", "-2", "-1", "0", "-1"]);
    assert_eq!(column(&rows, "change"), ["", "1", "1", "1", "1", "1", "-1"]);
    for row in &rows {
        let alone = &table(&format!("dots solve 3x3 --penalty={}", row["penalty"]))[0];
        assert_eq!([&row["score"], &row["best"]], [&alone["score"], &alone["best"]]);
    }

    let rows = table("dots solve 2x2 --penalty=0,-1,-2,-3,-4,-5,-6 --values");
    assert_eq!(rows.len(), 7 * 12);
    assert!(rows[12..].iter().all(|row| ["1", "-1"].contains(&&*row["change"])), "{rows:?}");

    // Fractions are texts in all rows.
    let rows = table("dots solve 2x2 --penalty -1,-1/2");
    assert_eq!(column(&rows, "score"), ["1", "3/2"]);
    assert_eq!(rows[1]["change"], "1/2");
    let rows = table("dots solve 2x2 --variant standard,icelandic --penalty=0,-1");
    let rules: Vec<_> = rows.iter().map(|row| (&*row["variant"], &*row["penalty"])).collect();
    let [one, other] = ["standard", "icelandic"];
    assert_eq!(rules, [(one, "0"), (one, "-1"), (other, "0"), (other, "-1")]);
    assert!(!rows[0].contains_key("change"));

    // The list replaces the penalty of a file.
    let file = "-0.5 100 B\n+-+ +\n|A|  \n+-+ +\n";
    let rows = super::rows(&of_file(file, "--penalty=0,-2 --values").out);
    assert_eq!(column(&rows, "penalty"), ["0", "0", "0", "-2", "-2", "-2"]);
    let rows = table("mnk solve --board 3x3 --k 2,3");
    assert_eq!(column(&rows, "k"), ["2", "3"]);
    assert_eq!(column(&rows, "outcome"), ["first", "tie"]);
    insta::assert_snapshot!(out("dots solve 3x3 --penalty=0,-1,-2 --format table"));
    refused("dots solve 2x2 --penalty=0,half", &["--penalty: 'half' is not a penalty"]);
    refused("dots solve 2x2 --penalty=0,-1 --checkpoint f", &["not for a list"]);
    refused("dots solve - --penalty=0,-1", &["'-' takes one value of each rule"]);
}

#[test]
fn scores_so_far_count_where_they_are_known() {
    // Player A has one box; B takes the other one, or the penalty decides.
    for (position, so_far, end, to_come) in [
        ("'--/|A|.|/-. B'", json!(1), json!(0), -1),
        ("'--/|A|.|/-. A'", json!(1), json!(2), 1),
        ("'--/|?|.|/-. A'", json!(null), json!(null), 1),
    ] {
        let solved = json(&format!("dots solve {position}"));
        assert_eq!((&solved["score"], &solved["value"]["score"]), (&so_far, &end), "{position}");
        assert_eq!(solved["to_come"], to_come, "{position}");
        assert_eq!(solved["value"].is_null(), so_far.is_null(), "{position}");
    }
}

/// Files of Wilson's analyser contain the penalty.
#[test]
fn a_file_and_a_position_are_the_same() {
    for penalty in ["0", "-0.5"] {
        let text = format!("{penalty} B\n+-+ +\n|A|  \n+-+ +\n");
        let expected =
            out(&format!("dots solve '-./|A|../-. B' --penalty {penalty} --values --format json"));
        assert_eq!(of_file(&text, "--values --format json").out, expected);
        let solved: Value = serde_json::from_str(&expected).unwrap();
        assert_eq!((&solved["score"], &solved["to_move"]), (&json!(1), &json!("second")));
        assert_eq!(solved["rules"]["penalty"], penalty);
    }
    let ran = of_file("-0.5 B\n+-+ +\n|A|  \n+-+ +\n", "");
    assert_eq!(
        ran.out.lines().nth(1),
        Some("1,-./|A|../-. B,first,1/2,1/2,1/2,true,,b1-c1,,-1/2,-1/2,-1/2"),
        "{}",
        ran.err
    );
    let ran = of_file("-0.5 100 B\n+ +-+\n     \n+ + +\n", "--penalty -2");
    assert!(ran.err.contains("contains the rules; leave --penalty out"), "{}", ran.err);
    assert_eq!(ran.code, 2);
}

#[test]
fn positions_of_standard_input_are_answered_in_lines() {
    let typed = "-./|A|../-. B\n--/|?|.|/-. A\n";
    let mut command = bsq("dots solve - --pv --board 1x2");
    command.write_stdin(typed);
    assert_eq!(
        finish(command).out,
        "line,position,outcome,score,score_min,score_max,proved,plies,best,error,\
         to_come,to_come_min,to_come_max,pv\n\
         1,-./|A|../-. B,tie,0,0,0,true,,b1-c1,,-1,-1,-1,b1-c1 b2-c2 c1-c2\n\
         2,--/|?|.|/-. A,,,,,true,,b2-c2,,1,1,1,b2-c2\n"
    );
    let mut command = bsq("dots solve - --values --pv --board 1x2");
    command.write_stdin(typed);
    assert_eq!(
        finish(command).out,
        "line,position,move,outcome,score,cost,best,error,to_come,pv\n\
         1,-./|A|../-. B,b1-c1,tie,0,0,true,,-1,b1-c1 b2-c2 c1-c2\n\
         1,-./|A|../-. B,b2-c2,tie,0,0,true,,-1,\n\
         1,-./|A|../-. B,c1-c2,tie,0,0,true,,-1,\n\
         2,--/|?|.|/-. A,b2-c2,,,0,true,,1,b2-c2\n"
    );
}

#[test]
fn a_table_is_written_with_its_manifest() {
    let folder = tempfile::tempdir().unwrap();
    for flags in ["--values", ""] {
        let to = folder.path().display();
        assert_eq!(out(&format!("dots solve 2x2 {flags} --quiet --out {to}")), "");
        assert_eq!(files(folder.path()), ["datapackage.json", "solve.csv"]);
        let solved = out(&format!("dots solve 2x2 {flags}"));
        assert_eq!(super::read(folder.path(), "solve.csv"), solved);
        let manifest = super::read(folder.path(), "datapackage.json");
        let manifest: Value = serde_json::from_str(&manifest).unwrap();
        let entry = &manifest["resources"][0];
        let rules =
            json!({ "game": "dots", "board": "2x2", "penalty": "0", "variant": "standard" });
        assert_eq!(entry["rules"], rules);
        let flags = if flags.is_empty() { "" } else { " --values" };
        let command = format!("bsq dots solve '../...../../...../.. A' --board 2x2{flags} --out .");
        assert_eq!(entry["command"], command);
    }
}

#[test]
fn threads_and_tables_change_nothing() {
    for line in [
        "dots solve 3x3 --values --pv --format json",
        "dots solve 2x4 --penalty -1/2 --format json",
    ] {
        let [one, three] =
            ["--threads 1", "--threads 3"].map(|flag| out(&format!("{line} {flag}")));
        assert_eq!(one, three);
        assert_eq!(one, out(&format!("{line} --memory 64kB")));
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
        ("0\n+-+-+\n| |\n+-+\n", &["position.txt: line 4, column 4: this row is 3 wide"][..]),
        ("0\n+-+-+\n| | | |\n+-+ +\n", &["line 3, column 6: this row is 7 wide"]),
        ("0\n+-+ +\n|A   \n+-+ +\n", &["line 3, column 2: 'A' stands in a box that is not closed"]),
        ("1001 A\n+-+\n\n+-+\n", &["line 1, column 1: the penalty 1001 is too high"]),
        ("0\n+-+\n\t\n+-+\n", &["line 3, column 1: this is a tab"]),
        ("", &["position.txt: "]),
    ] {
        said(text.as_bytes(), "", says);
        said(text.as_bytes(), "--values --format json", says);
    }
    said(b"0 A\n+-+\n|\xff|\n+-+\n", "", &["line 3, column 2", "not UTF-8"]);
    said(&[b'0'; 2_000_000], "", &["it has more than 1.0 MiB"]);
    let wide = format!("0\n{}+\n\n{}+\n", "+ ".repeat(22), "+ ".repeat(22));
    said(wide.as_bytes(), "", &["line 2, column 1", "67 lines; at most 64 are possible"]);
    said(b"0\n+-+\n\n+-+\n", "--variant swedish", &["contains the rules; leave --variant out"]);
}

#[test]
fn questions_that_are_none() {
    refused("dots solve --bord", &["unexpected argument '--bord'"]);
    refused("dots solve 5x6", &["5x6 boxes has 71 lines; at most 64 are possible"]);
    refused("dots solve 0x3", &["at least one row and one column"]);
    refused("dots solve 99999999999999999999x1", &["is not a board"]);
    refused("dots solve nowhere.txt", &["such as ../...../..", "there is no file nowhere.txt"]);
    refused("dots solve nowhere/at/all.txt", &["there is no file nowhere/at/all.txt"]);
    refused("dots solve ''", &["position"]);
    refused("dots solve tests", &["tests is not a regular file"]);
    refused("dots solve '../....../.. A'", &["row 2 is 6 characters long"]);
    refused("dots solve '../..x../.. A'", &["row 2, column 3: 'x' is not a vertical"]);
    refused("dots solve '-./|A|../.. A'", &["row 2, column 2: 'A' stands in a box that is not"]);
    refused(
        "dots solve '../...../.. A' --variant icelandic",
        &["the variant icelandic draws at the start"],
    );
    refused("dots solve 2x2 --variant danish", &["'danish'", "standard, icelandic, swedish"]);
    for (penalty, says) in [
        ("1001", "the penalty 1001 is too high"),
        ("-1001", "too low"),
        ("half", "'half' is not a penalty"),
        ("-1/0", "'-1/0' is not a penalty"),
    ] {
        refused(&format!("dots solve 2x2 --penalty {penalty}"), &["--penalty", says]);
    }
    fails(
        1,
        "dots solve 2x2 --memory 0",
        &["the table is too small for the board; it takes at least 64 B"],
    );
    refused("dots solve 2x2 --memory much", &["'much' is not a size"]);
    if Path::new("/dev/null").exists() {
        fails(1, "dots solve 2x2 --out /dev/null/x", &["cannot write into the folder"]);
    }
}

/// Interrupts a search of hours with Ctrl-C. Returns its message.
#[cfg(target_os = "linux")]
fn stopped(flags: &[&str]) -> String {
    let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin!("bsq"));
    command.args(["dots", "solve", "5x5", "--values", "--memory", "64MiB"]).args(flags);
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
    assert_eq!(output.status.code(), Some(130), "{error}");
    // What is proved is printed: here, which moves there are.
    let moves = String::from_utf8(output.stdout).unwrap();
    assert!(flags.contains(&"--out") || moves.lines().count() == 61, "{moves}");
    assert!(error.contains("positions searched in"), "{error}");
    error
}

/// Nothing is written into a folder.
#[cfg(target_os = "linux")]
#[test]
fn a_search_is_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let error = stopped(&["--out", &folder.path().display().to_string()]);
    assert!(error.contains("stopped before the end; nothing was kept"), "{error}");
    assert_eq!(files(folder.path()), [""; 0]);
    let error = stopped(&[]);
    assert!(error.contains("stopped before the end; the answer is what is proved"), "{error}");
}

/// The rows that were answered, and what is proved under the rules in work.
#[cfg(target_os = "linux")]
#[test]
fn a_list_of_penalties_is_stopped() {
    use super::inputs::{ended, signal, start};
    let line = "dots solve 4x5 --penalty=0,-1";
    let child = start(line);
    std::thread::sleep(std::time::Duration::from_millis(1500));
    signal(&child, "-INT");
    let output = ended(child, line);
    let rows = super::rows(std::str::from_utf8(&output.stdout).unwrap());
    assert_eq!((output.status.code(), rows.len()), (Some(130), 1));
    assert_eq!([&rows[0]["penalty"], &rows[0]["proved"]], ["0", "false"]);
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("stopped before the end; the answer is what is proved"), "{error}");
}

/// With `--checkpoint`, the table is saved.
#[cfg(target_os = "linux")]
#[test]
fn a_stopped_search_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("search").display().to_string();
    for taken_up in [false, true] {
        let error = stopped(&["--checkpoint", &path]);
        assert!(error.contains("the same command resumes from there"), "{error}");
        assert_eq!(error.contains("continues the search after"), taken_up, "{error}");
        assert_eq!(error.contains(" million a second, after "), taken_up, "{error}");
        assert_eq!(files(folder.path()), ["search"]);
    }
}

/// The table grows, so that the search begins at once.
#[test]
fn a_search_with_a_checkpoint_begins_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("search");
    let ran = run(&format!("dots solve --board 5x5 --checkpoint '{}' --time 1s", path.display()));
    let searched = ran.err.lines().find_map(|line| line.split_once(" positions searched"));
    let searched = searched.unwrap().0.replace(',', "").parse::<u64>().unwrap();
    assert!(searched > 10_000, "{}", ran.err);
    assert!(ran.err.contains("table of 64.0 MiB"), "{}", ran.err);
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
        assert_eq!(first.code, 0, "{}", first.err);
        assert!(first.err.starts_with("starts a new search\n"), "{}", first.err);
        let bytes = std::fs::read(&path).unwrap();
        let again = solve("2x5", &flags);
        assert_eq!((again.code, again.out), (0, first.out));
        for says in ["continues the search after", "the search had already finished\n"] {
            assert!(again.err.contains(says), "{}", again.err);
        }
        for (question, flags) in [
            ("2x5", ""),
            ("5x2", &flags),
            ("2x5", &format!("{flags} --loony")),
            ("2x5", &format!("{flags} --variant swedish")),
        ] {
            let other = solve(question, flags);
            assert_eq!(other.code, 2, "{}", other.err);
            let made =
                format!("it was made for 'Dots-and-Boxes 2x5, penalty {penalty}', and this is");
            assert!(other.err.contains(&made), "{}", other.err);
        }
        std::fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
        let damaged = solve("2x5", &flags);
        assert_eq!((damaged.code, damaged.out.as_str()), (1, ""));
        assert!(damaged.err.contains("it is damaged"), "{}", damaged.err);
        std::fs::remove_file(&path).unwrap();
    }
}

#[test]
fn loony_marks_and_nimbers_are_facts() {
    let solve = |flags: &str| json(&format!("dots solve {PROBLEM} --values {flags}"));
    let (answer, plain) = (solve("--loony --nimstring"), solve(""));
    assert_eq!((&answer["to_come"], &answer["facts"]["nimber"]), (&1.into(), &3.into()));
    assert_eq!(plain["facts"], json!({ "next_loony_move": null, "nimber": null }));
    let scores = |answer: &Value| {
        let moves = answer["moves"].as_array().unwrap();
        moves.iter().map(|mv| (mv["move"].clone(), mv["value"].clone())).collect::<Vec<_>>()
    };
    assert_eq!(scores(&answer), scores(&plain));
    for mv in answer["moves"].as_array().unwrap() {
        // The player of a loony move must make the next one.
        let facts = &mv["facts"];
        assert!(facts["kind"] != "loony" || facts["next_loony_move"] == "first", "{mv}");
    }
    let of_moves = table(&format!("dots solve {PROBLEM} --values --loony --nimstring"));
    for (row, mv) in of_moves.iter().zip(answer["moves"].as_array().unwrap()) {
        assert_eq!(row["next_loony_move"], mv["facts"]["next_loony_move"].as_str().unwrap_or(""));
        assert_eq!(row["nimber"], "3");
    }
    let of_position = table(&format!("dots solve {PROBLEM} --loony --nimstring"));
    assert_eq!(of_position[0]["nimber"], "3");
    let next = answer["facts"]["next_loony_move"].as_str().unwrap();
    assert_eq!(of_position[0]["next_loony_move"], next);
    assert!(
        !table(&format!("dots solve {PROBLEM} --nimstring"))[0].contains_key("next_loony_move")
    );
    let table = out(&format!("dots solve {PROBLEM} --loony --nimstring --format table"));
    assert!(table.contains("Nimber: 3.\n"), "{table}");
    assert!(table.contains("Next loony move: "), "{table}");
}

/// All lines of the smallest Swedish board are drawn at the start. Nobody has drawn the last one.
#[test]
fn nobody_is_charged_for_a_line_that_nobody_drew() {
    let folder = tempfile::tempdir().unwrap();
    let checkpoint = folder.path().join("checkpoint");
    for more in ["".to_string(), format!("--checkpoint {}", checkpoint.display())] {
        let line = "dots solve 1x1 --variant swedish --penalty";
        for penalty in ["0", "-2", "-0.5"] {
            assert_eq!(json(&format!("{line} {penalty} {more}"))["to_come"], 0, "{penalty} {more}");
            let _ = std::fs::remove_file(&checkpoint);
        }
    }
    // Whoever drew the last of all lines is charged.
    assert_eq!(json("dots solve '-/|?|/- A' --board 1x1 --penalty -2")["to_come"], -2);
}
