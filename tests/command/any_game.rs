//! The subcommands of registered games, on the example of m,n,k games.

use super::errors::{fails, refused};
use super::{bsq, finish, json, out, run, table};
use serde_json::{Value, json};

#[test]
fn games_are_listed() {
    let list = out("games");
    let names: Vec<&str> = list.lines().map(|line| line.split_once(' ').unwrap().0).collect();
    assert_eq!(names, ["british-square", "dots", "rpsw", "mnk", "graph"]);
}

#[test]
fn the_default_game_may_be_named() {
    let line = "solve --board 3x3 --format csv";
    assert_eq!(out(&format!("british-square {line}")), out(line));
}

#[test]
fn positions_are_solved() {
    insta::assert_snapshot!(out("mnk solve --format table"));
    insta::assert_snapshot!(out("mnk solve 4x4 --k 3 --moves 'b2 a1' --pv --format table"));
    insta::assert_snapshot!(out("mnk solve 'XX./OO./...' --format table"));
    insta::assert_snapshot!(out("mnk solve 'XXX/OO./...' --format table"));
    insta::assert_snapshot!(out("mnk solve 'XX./OO./...' --format json"));
    let rows = table("mnk solve --moves b2 --values");
    let corners: Vec<&str> = rows[..4].iter().map(|row| row["move"].as_str()).collect();
    assert_eq!(corners, ["a1", "c1", "a3", "c3"]); // any edge loses
    assert!(
        rows[4..]
            .iter()
            .all(|row| row["best"] == "false" && row["plies"] == "6" && row["outcome"] == "first")
    );
}

/// The principal variation is a column, of positions and of moves.
#[test]
fn moves_have_a_principal_variation() {
    let rows = table("mnk solve --moves 'b2 a2' --values --pv");
    let line = rows[0]["pv"].as_str();
    assert!(line.starts_with(&format!("{} ", rows[0]["move"])), "{line}");
    assert!(rows[1..].iter().all(|row| row["pv"].is_empty()));
    let one = table("mnk solve --moves 'b2 a2' --pv");
    assert_eq!(one[0]["pv"], line);
    let mut command = bsq("mnk solve - --moves 'b2 a2' --values --pv");
    command.write_stdin(".../.../...\n");
    assert_eq!(super::rows(&finish(command).out)[0]["pv"], line);
    assert!(!table("mnk solve --values")[0].contains_key("pv"));
}

/// A line of a draw does not go round in circles.
#[test]
fn a_line_ends_with_a_repeated_position() {
    let line = "rpsw solve --board 4x3 --pieces 2 '.sw/.../.../PR. first' --pv";
    let answer = json(line);
    let moves = answer["principal_variation"].as_array().unwrap();
    assert!((2..1000).contains(&moves.len()), "{}", moves.len());
    let words: Vec<&str> = moves.iter().map(|mv| mv.as_str().unwrap()).collect();
    let positions = (0..=words.len()).map(|count| {
        json(&format!("{line} --moves '{}'", words[..count].join(" ")))["position"].to_string()
    });
    let positions: Vec<String> = positions.collect();
    let (last, before) = positions.split_last().unwrap();
    assert_eq!(before.iter().filter(|position| *position == last).count(), 1);
    assert_eq!(before.iter().collect::<std::collections::HashSet<_>>().len(), before.len());
}

/// A board that is too large for the memory is refused before it is full.
#[test]
fn memory_is_limited() {
    let line = "mnk analyze positions --board 5x5 --k 4 --memory 1MB";
    fails(1, line, &["the limit of 976.6 KiB does not suffice for"]);
    fails(1, "mnk solve 5x5 --k 4 --memory 1KB", &["at least 64.0 KiB", "raise --memory"]);
    // A search takes as much as there is.
    let line = "mnk solve 'XXOXO/OOXXO/XXOOX/OXXO./XO...' --memory 1MB --board 5x5 --k 5";
    assert!(out(line).starts_with("line,position,outcome,"));
}

#[test]
fn many_positions_are_answered_line_by_line() {
    let typed = "X../.../...\n\nXX./OO./...\n..\nOX./.../...\nXXX/OO./...\n";
    let mut command = bsq("mnk solve - --format csv");
    command.write_stdin(typed);
    let ran = finish(command);
    assert_eq!(
        ran.out,
        "line,position,outcome,score,score_min,score_max,proved,plies,best,error,bounds\n\
         1,X../.../...,tie,,,,true,,b2,,\n\
         3,XX./OO./...,first,,,,true,1,c1,,\n\
         4,,,,,,,,,\"found 1 of the 3 rows of a 3x3 board; write them from the top, separated \
         by / or blanks, as in .../.../...\",\n\
         5,OX./.../...,tie,,,,true,,a2,,\n\
         6,XXX/OO./...,first,,,,true,0,,,\n"
    );
    assert_eq!(ran.code, 1);
    let says = "error: 1 of the lines has no answer; the column 'error' says why\n";
    assert_eq!(ran.err, says);

    let mut command = bsq("mnk solve - --values --format csv");
    command.write_stdin(typed);
    let rows = super::rows(&finish(command).out);
    let of_line = |line: &str| {
        let rows = rows.iter().filter(|row| row["line"] == line);
        rows.map(|row| (&*row["move"], &*row["outcome"], &*row["best"])).collect::<Vec<_>>()
    };
    assert_eq!(of_line("1")[0], ("b2", "tie", "true"));
    assert_eq!(of_line("1").len(), 8);
    assert_eq!(of_line("3")[0], ("c1", "first", "true"));
    assert_eq!(of_line("4"), [("", "", "")]);
    let best = of_line("5").into_iter().filter(|row| row.2 == "true").map(|row| row.0);
    assert_eq!(best.collect::<Vec<_>>(), ["a2", "b2", "a3", "c3"]);
    assert_eq!(of_line("6"), [("", "first", "")]);

    // A position that is not valid does not end the others.
    let mut command = bsq("mnk solve - --memory 1MB --board 5x5 --k 5 --pv");
    let full = "XXOXO/OOXXO/XXOOX/OXXO./XO...";
    command.write_stdin(format!("...../...../...../.....\n{full}\n"));
    let ran = finish(command);
    assert_eq!((ran.code, ran.out.lines().count()), (1, 3), "{}", ran.err);
    let rows = super::rows(&ran.out);
    assert!(rows[0]["error"].starts_with("found 4 of the 5 rows of a 5x5 board"), "{rows:?}");
    assert_eq!((&*rows[1]["line"], &*rows[1]["position"], &*rows[1]["error"]), ("2", full, ""));

    for format in ["json", "jsonl"] {
        let mut command = bsq(&format!("mnk solve - --format {format} --pv --moves c1"));
        command.write_stdin("XX./OO./...\n");
        let answer: serde_json::Value = serde_json::from_str(&finish(command).out).unwrap();
        let expected = json!({
            "line": 1, "position": "XXX/OO./...", "outcome": "first", "score": null,
            "score_min": null, "score_max": null, "proved": true, "plies": 0, "best": null,
            "error": null, "bounds": null, "pv": null,
        });
        assert_eq!(answer, expected);
    }
}

/// Lines that have arrived together are answered by all threads, in their order.
#[test]
fn thousands_of_lines_are_answered_in_order() {
    for (line, positions, wrong, why) in [
        (
            "mnk solve -",
            ["X../.../...", "XX./OO./...", "OX./X../..O"],
            "XXX/OOO/...",
            "'XXX/OOO/...' has no value",
        ),
        (
            "solve - --board 3x4",
            ["..../..../.... X", "X.../..../...O X", "O..X/.X../O.X. O"],
            "XO../..../.... X",
            "no game reaches ",
        ),
    ] {
        let answers = positions.map(|position| {
            let answer = out(&line.replacen(" -", &format!(" '{position}'"), 1));
            answer.lines().nth(1).unwrap().strip_prefix("1,").unwrap().to_string()
        });
        let (mut expected, mut input, mut errors) = (Vec::new(), String::new(), 0);
        for number in 1..=2000 {
            match number % 7 {
                0 => input += "  \n",
                3 => {
                    input += &format!("{wrong}\n");
                    errors += 1;
                    expected.push(format!("{number},,"));
                }
                choice => {
                    input += &format!("{}\n", positions[choice % 3]);
                    expected.push(format!("{number},{}", answers[choice % 3]));
                }
            }
        }
        for flags in ["-q -j 1", "-q -j 2", "-q -j 7"] {
            let mut command = bsq(&format!("{line} {flags}"));
            command.write_stdin(input.clone());
            let ran = finish(command);
            assert_eq!(ran.out.lines().count(), expected.len() + 1, "{line} {flags}");
            for (row, expected) in ran.out.lines().skip(1).zip(&expected) {
                let is_error = expected.matches(',').count() == 2;
                let is_right = if is_error { row.starts_with(expected) } else { row == expected };
                assert!(is_right, "{line} {flags}: {row}");
                assert_eq!(row.contains(why), is_error, "{line} {flags}: {row}");
            }
            let says = "of the lines have no answer; the column 'error' says why";
            assert_eq!((ran.code, ran.err.trim_end()), (1, &*format!("error: {errors} {says}")));
        }
    }
}

/// Neither a wait for input nor a search of hours delays it.
#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_ends_the_answers_to_lines() {
    use std::process::{Command, Stdio};
    let start = format!("{}..... A\n", "...../.........../".repeat(5));
    for typed in [start.as_str(), "", "..\n"] {
        let line = "dots solve - --board 5x5 --memory 64MiB";
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("bsq"));
        command.args(super::words(line)).stdin(Stdio::piped());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        super::streams::wait_until_it_listens(child.id());
        let mut stdin = child.stdin.take().unwrap();
        std::io::Write::write_all(&mut stdin, typed.as_bytes()).unwrap();
        std::thread::sleep(std::time::Duration::from_millis(500));
        let began = std::time::Instant::now();
        let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        assert!(kill.unwrap().success());
        let output = child.wait_with_output().unwrap();
        drop(stdin); // its end would be another end of the answers
        assert_eq!(output.status.code(), Some(130), "{typed}");
        let error = String::from_utf8(output.stderr).unwrap();
        let says = "error: stopped before the end; the lines above have their answers\n";
        assert!(error.ends_with(says), "{error}");
        assert!(began.elapsed().as_secs_f64() < 1.5, "{typed}");
        // The last row has what is proved by then.
        let last = String::from_utf8(output.stdout).unwrap();
        let last = last.lines().last().unwrap().to_string();
        assert_eq!(last.contains("A,,,-25,25,false,"), typed == start, "{last}");
    }
}

#[test]
fn a_game_is_read_from_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.txt");
    let file = path.display();
    std::fs::write(&path, "game: m,n,k\nboard: 4x4\nk: 4\nmoves: b2 c3\n").unwrap();
    let answer = json(&format!("mnk solve '{file}'"));
    assert_eq!(answer["position"], "..../.X../..O./....");
    assert_eq!(answer["rules"], json!({ "board": "4x4", "k": "4", "misere": "no" }));
    refused(&format!("mnk solve '{file}' --k 3"), &["contains the rules; leave --k out"]);
    std::fs::write(&path, "board: 9x9\n").unwrap();
    refused(
        &format!("mnk solve '{file}'"),
        &["game.txt: line 1: board: a board of 9x9 cells; boards have 1 to 64 cells"],
    );
}

#[test]
fn analyses_of_any_game() {
    let list = out("mnk analyze list");
    for row in list.lines() {
        let name = row.split_whitespace().next().unwrap();
        let ran = run(&format!("mnk analyze {name} --format csv"));
        assert_eq!(ran.code, 0, "{name}: {}", ran.err);
        assert!(ran.out.lines().count() > 1, "{name}");
    }
    let playouts = table("mnk analyze playouts");
    let sum: u64 = playouts.iter().map(|row| row["playouts"].parse::<u64>().unwrap()).sum();
    assert_eq!(sum, 255_168);
    let perft = table("mnk analyze perft --depth 3");
    assert_eq!(perft.last().unwrap()["sequences"], (9 * 8 * 7).to_string());
    let answer = json("mnk analyze positions --board 3x4");
    assert_eq!(answer["rules"], json!({ "game": "mnk", "board": "3x4", "k": "3", "misere": "no" }));
}

#[test]
fn invalid_arguments_of_games_are_refused() {
    refused("mnk solve 3x3 --board 4x4", &["'3x3' is a board, and --board gives another"]);
    refused("mnk solve --k 9", &["--k: 9 in a row; at least 1"]);
    refused("mnk solve 0x3", &["error: a board of 0x3 cells"]);
    refused(
        "mnk solve nothing",
        &[
            "'n' at character 1 is not a cell; use X (first), O (second) or . (empty)",
            "and there is no file nothing",
        ],
    );
    refused("mnk solve 'XXX/OOO/...'", &["both players have 3 in a row"]);
    refused("mnk solve --moves 'b2 b2'", &["b2 is not empty"]);
    refused("mnk solve --bias 2", &["unexpected argument '--bias'"]);
    refused("mnk analyze playout", &["'playout'", "similar value exists: 'playouts'"]);
    refused("mnk solve --format table -", &["choose --format csv, jsonl, parquet or arrow"]);
    refused("mnk solve - -o answers.txt", &["without the ending .txt"]);
    refused("mnk solve - --checkpoint file", &["--checkpoint is for one position"]);
    for depth in ["x", "-1", "1001", "18446744073709551616"] {
        let says = format!("--depth: '{depth}' is not an integer from 0 to 1000");
        refused(&format!("mnk analyze perft --depth={depth}"), &[&says]);
    }
    refused("mnk play --second nobody", &["--second: ", "nobody", "agents: "]);
    refused("mnk solve --tablebase nothing", &["unexpected argument '--tablebase'"]);
    refused("mnk tablebase build nothing", &["unrecognized subcommand 'tablebase'"]);
    assert_eq!(out("mnk solve 3x4 --board 3x4"), out("mnk solve 3x4"));
}

#[test]
fn manual_pages_have_any_depth() {
    for page in ["", "solve", "rpsw solve", "dots tablebase verify", "mnk", "mnk analyze"] {
        assert!(out(&format!("man {page}")).contains(".TH"), "{page}");
    }
    assert_eq!(out("man british-square solve"), out("man solve"));
    refused("man games all", &["'games' has no subcommand 'all'"]);
    refused("man mnk sing", &["there is no page for 'sing'; there are solve, analyze, play"]);
}

/// The ending of the file chooses the format, as it does for one position.
#[test]
fn lines_are_answered_in_the_format_of_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("answers.json");
    let mut command = bsq(&format!("dots solve - --board 1x1 --nimstring -o '{}'", file.display()));
    command.write_stdin("./.../. A\n");
    let ran = finish(command);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let line: Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    assert!(line["nimber"].is_string(), "{line}");
}

/// A line that is too long is an error, whatever it begins with.
#[test]
fn lines_that_are_too_long_have_no_answer() {
    let mut command = bsq("mnk solve -");
    command.write_stdin(format!("../.\n.../.../...{0}\n{0}\n.../.../...\n", " ".repeat(1024)));
    let ran = finish(command);
    let rows = super::rows(&ran.out);
    let errors: Vec<(&str, &str)> =
        rows.iter().map(|row| (&*row["line"], &*row["error"])).collect();
    let too_long = "the line has more than 1024 bytes";
    assert!(errors[0].1.starts_with("found 2 of the 3 rows"), "{errors:?}");
    assert_eq!(errors[1..], [("2", too_long), ("3", too_long), ("4", "")]);
    assert_eq!(ran.code, 1);
}

/// Moves are written as for one position: a coordinate behind a number belongs to it.
#[test]
fn moves_of_lines_are_read_as_those_of_one_position() {
    let start = "...../...../...../...../..... X";
    for flags in ["", "--values"] {
        let mut command = bsq(&format!("solve - --moves '8 (c2)' {flags}"));
        command.write_stdin(format!("{start}\n"));
        let ran = finish(command);
        assert_eq!((ran.code, &*ran.err), (0, ""), "{flags}");
    }
}
