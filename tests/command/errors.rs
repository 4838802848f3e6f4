//! Tests errors: exit code 2 for usage errors, 1 for failed jobs, with a message that names a
//! remedy and without any output.

use super::{bsq, files, finish, out, read, run};
use std::path::Path;

/// Checks the exit code, that nothing is on standard output, and that the message contains all of
/// the words and no panic.
pub fn fails(code: i32, line: &str, says: &[&str]) {
    let ran = run(line);
    assert_eq!(ran.code, code, "bsq {line}\n{}", ran.err);
    assert_eq!(ran.out, "", "bsq {line}");
    assert!(ran.err.starts_with("error: "), "bsq {line}\n{}", ran.err);
    assert!(!ran.err.contains("panicked"), "bsq {line}\n{}", ran.err);
    for words in says {
        assert!(ran.err.contains(words), "bsq {line}\n{}\nshould say: {words}", ran.err);
    }
}

pub fn refused(line: &str, says: &[&str]) {
    fails(2, line, says);
}

#[test]
fn unknown_words() {
    refused("frobnicate", &["unrecognized subcommand 'frobnicate'", "Usage: bsq <COMMAND>"]);
    refused("analyse playouts", &["similar", "'analyze'"]);
    refused("analyze playouts --bord 3x3", &["unexpected argument '--bord'", "'--board'"]);
    refused("solve --bord 3x3", &["'--bord'", "'--board'"]);
    refused("solve --format xml", &["'xml'", "table, csv, json"]);
    refused("completions tcsh", &["'tcsh'", "bash, elvish, fish, powershell, zsh"]);
}

#[test]
fn unknown_analyses_are_answered_with_the_list_and_a_suggestion() {
    refused("analyze playout", &["'playout'", "similar value exists: 'playouts'"]);
    refused("analyze", &["<ANALYSIS>", "Usage: bsq analyze"]);
    let analyses = super::analyses();
    let all: Vec<&str> = analyses.iter().map(String::as_str).collect();
    refused("analyze everything", &all);
}

#[test]
fn unknown_heuristics_are_answered_with_a_suggestion() {
    refused("test-heuristic greed", &["'greed'", "did you mean 'greedy'?", "  ^^^^^"]);
    refused("test-heuristic", &["<HEURISTIC>", "Usage: bsq test-heuristic"]);
    refused("test-heuristic lucky", &["'lucky'", "test-heuristic list", "test-heuristic features"]);
}

/// All subcommands report invalid rules in the same way.
fn rules_refused(flags: &str, says: &[&str]) {
    for line in ["solve", "analyze playouts", "analyze all --format json", "test-heuristic greedy"]
    {
        refused(&format!("{line} {flags}"), says);
    }
}

#[test]
fn boards_that_are_none() {
    rules_refused("--board 0x5", &["0x5 board has no cells", "at least 1"]);
    rules_refused("--board 5by5", &["'5by5' is not a board", "such as 5x5"]);
    rules_refused("--board=-5x5", &["'-5x5' is not a board", "such as 5x5"]);
    rules_refused("--board 99999999999999999999x1", &["is not a board"]);
    for text in ["", "5", "x", "5x", "x5", "5x5x5", "5x5 ,"] {
        refused(&format!("solve --board '{text}'"), &["--board: ", "such as 5x5"]);
    }
}

#[test]
fn boards_that_are_too_large() {
    for board in ["9x9", "1x65", "9999999999x9999999999"] {
        rules_refused(&format!("--board {board}"), &[board, "at most 64 cells"]);
    }
    for board in ["6x6", "1x33", "8x8"] {
        let says = [&format!("a {board} board has "), "up to 25 cells"];
        for line in
            ["solve --pieces 3", "analyze openings", "analyze variants", "test-heuristic greedy"]
        {
            refused(&format!("{line} --board {board}"), &says);
        }
    }
    // Counts support larger boards than the strong solution, and `all` includes both.
    refused("analyze all --board 2x13 --format json", &["2x13 board has 26 cells", "up to 25"]);
}

#[test]
fn methods_that_are_not_for_the_analysis() {
    let takes = "leave --method out or use sets, transfer-matrix, depth-first or explorer";
    refused(
        "analyze states --method closed-form --board 3x3",
        &["'states'", "'closed-form'", takes],
    );
    let takes = "leave --method out or use closed-form, territory or explorer";
    refused("analyze playouts --method depth-first", &["'playouts'", "'depth-first'", takes]);
    refused("analyze blunders --method sets", &["'blunders'", "use retrograde or depth-first"]);
    refused("analyze all --method sets --format json", &["--method is for one analysis"]);
    let limited = "analyze playouts --board 3x3 --pieces 2 --method territory";
    refused(limited, &["'territory'", "takes no --pieces"]);
    let limited = "analyze states --board 3x3 --pieces 2 --method transfer-matrix";
    refused(limited, &["'transfer-matrix'", "takes no --pieces"]);
    let limited = "analyze blunders --board 3x3 --pieces 2 --method retrograde";
    refused(limited, &["'retrograde'", "takes no --pieces"]);
    let names = "closed-form, territory, sets, transfer-matrix, explorer, retrograde, depth-first";
    refused("analyze playouts --method sideways", &["'sideways'", names]);
    refused("analyze playouts --method closed-form --pieces 0", &["'0' is not an integer from 1"]);
}

/// Every command that works has the flag, and treats it alike: more memory than there is counts as
/// what there is, too little of it is refused with exit code 1, and another text is a usage error.
#[test]
fn memory_means_the_same_everywhere() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().display();
    let mut lines = vec![
        "solve 3x3 --pieces 3".to_string(),
        "solve 3x3 --method depth-first".to_string(),
        "mnk solve 3x3".to_string(),
        "dots solve 2x2".to_string(),
        "dots solve 2x2 --nimstring".to_string(),
        "rpsw solve 3x3 --pieces 1".to_string(),
        "test-heuristic greedy --board 3x3".to_string(),
        format!("test-heuristic greedy --board 3x3 --failures '{path}/failures'"),
        "test-heuristic greedy --board 3x3 --from-start".to_string(),
        "dots test-heuristic greedy --board 1x2".to_string(),
        "search-heuristic --board 3x3 --max-rules 1".to_string(),
        format!("export states --board 3x3 --out '{path}/out'"),
        format!("dots tablebase build '{path}/dots' --board 1x2"),
        format!("rpsw tablebase build '{path}/rpsw' --board 3x3 --pieces 1"),
        "dots analyze boards --lines 10".to_string(),
        "dots analyze rules --board 2x2".to_string(),
        "mnk analyze perft".to_string(),
    ];
    for method in ["closed-form", "territory", "explorer"] {
        lines.push(format!("analyze playouts --board 3x4 --method {method}"));
    }
    for analysis in ["openings", "match", "mirror", "blunders", "heuristics", "capacity", "boards"]
    {
        lines.push(format!("analyze {analysis} --board 3x3"));
    }
    lines.push("analyze states --board 3x4 --method transfer-matrix".to_string());
    for line in lines {
        fails(1, &format!("{line} --memory 0"), &[" B"]);
        refused(&format!("{line} --memory much"), &["'much' is not a size"]);
        out(&format!("{line} --quiet --memory 999TiB"));
    }
    // A refused job leaves nothing.
    let left = super::files(folder.path());
    assert!(left.iter().all(|name| !name.ends_with(".new")), "{left:?}");
}

/// Large allocations that fail are errors, and so is a job that does not fit the address space.
#[cfg(target_os = "linux")]
#[test]
fn an_address_space_that_is_too_small() {
    for line in ["mnk solve 4x4 --k 4", "mnk solve 4x4 --k 4 --memory 8GiB", "solve 5x5 --pieces 9"]
    {
        let script = format!("ulimit -v 200000; exec \"$0\" {line} --quiet");
        let mut command = std::process::Command::new("sh");
        command.args(["-c", &script]).arg(assert_cmd::cargo::cargo_bin!("bsq"));
        let output = command.output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(matches!(output.status.code(), Some(0 | 1)), "{line}: {output:?}");
        assert!(output.status.success() || error.starts_with("error: "), "{line}: {error}");
    }
}

#[test]
fn boards_by_pieces() {
    let says = ["'boards' takes no --pieces; it takes --board, --center-allowed, --bias"];
    refused("analyze boards --board 2x2 --pieces 2", &says);
}

/// The analyses that only count.
pub const COUNTING: [&str; 4] = ["playouts", "states", "terminals", "scores"];

#[test]
fn biases_out_of_range() {
    for bias in ["65", "-65", "2147483647", "-2147483648"] {
        rules_refused(&format!("--board 3x3 --bias {bias}"), &[bias, "-64", " 64"]);
    }
    rules_refused("--board 3x3 --bias 3000000000", &["3000000000", "--bias"]);
    rules_refused("--board 3x3 --bias two", &["'two'", "--bias"]);
}

#[test]
fn too_few_pieces() {
    refused("solve --board 3x3 --pieces 0", &["--pieces: '0' is not an integer from 1 to 64"]);
    refused(
        "test-heuristic greedy --board 3x3 --pieces 0",
        &["--pieces: '0' is not an integer from 1 to 64"],
    );
    rules_refused("--board 3x3 --pieces some", &["'some'", "--pieces"]);
}

#[test]
fn quoted_input_is_short_and_does_not_control_the_terminal() {
    let long = "\u{1b}[31mx".repeat(20_000);
    for line in [
        "",
        "solve",
        "solve 3x3 --memory",
        "solve 3x3 --bias",
        "solve 3x3 --moves",
        "solve 3x3 --log",
        "solve 3x3 --out",
        "solve --board",
        "dots solve",
        "dots solve 2x2 --penalty",
        "mnk solve --moves",
        "rpsw solve --tablebase",
        "analyze",
        "analyze playouts --method",
        "analyze states --board 3x3 --method sets --part",
        "merge",
        "test-heuristic",
        "test-heuristic greedy --lists",
        "search-heuristic --features",
        "export",
        #[cfg(feature = "full")]
        "plot",
        "man",
        "games",
    ] {
        for before in ["", "x", "--"] {
            let ran = run(&format!("{line} '{before}{long}'"));
            assert!(ran.code == 1 || ran.code == 2, "bsq {line}\n{}", ran.err);
            assert!(!ran.err.contains('\u{1b}'), "bsq {line}\n{}", ran.err);
            assert!(ran.err.len() < 5000, "bsq {line}\n{} bytes", ran.err.len());
            assert!(ran.err.contains("[31mx"), "bsq {line}\n{}", ran.err);
        }
    }
    let mut command = bsq("mnk solve -");
    command.write_stdin("\u{1b}[31m\n");
    let ran = finish(command);
    assert!(
        ran.out.contains("\n1,,,,,,,,,\"'\\u{1b}' at character 1 is not a cell"),
        "{}",
        ran.out
    );
}

#[cfg(not(feature = "full"))]
#[test]
fn charts_are_in_full_builds() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("scores.svg");
    for line in ["plot results/scores.csv -o", "analyze scores --board 3x3 --plot"] {
        let line = format!("{line} '{}'", file.display());
        refused(&line, &["draws no charts", "--features full"]);
    }
    assert!(!file.exists());
}

#[test]
fn no_threads() {
    rules_refused("--threads 0", &["'0'", "--threads", "a number from 1 to"]);
    rules_refused("--threads many", &["'many'", "--threads"]);
    let most = bsq_engine::parallel::most_threads();
    let range = format!("a number from 1 to {most}");
    for threads in [most + 1, 4096, 65535] {
        refused(&format!("dots solve 3x3 -j {threads}"), &["--threads", &range]);
        rules_refused(&format!("--threads {threads}"), &["--threads", &range]);
    }
    refused("serve --connections 0", &["'0'", "--connections", "a number from 1 to 65535"]);
}

#[test]
fn malformed_positions() {
    for (text, says) in [
        ("..../..?./.... X", "'?' at character 8"),
        ("..../.../.... X", "row 2 has 3 cells; every row of a 3x4 board has 4"),
        ("..../...../.... X", "row 2 has 5 cells"),
        ("..../..../..../.... X", "found 4 of the 3 rows of a 3x4 board"),
        ("..../..../.... Y", "'Y' is not a player; end the position with X (first) or O (second)"),
        ("..../..../..../....", "4 of the 3 rows of a 3x4 board"),
        (".... X", "found 1 of the 3 rows of a 3x4 board"),
        ("", "no position was given"),
        ("..../.é../.... X", "'é' at character 7"),
    ] {
        refused(&format!("solve --board 3x4 '{text}'"), &[says]);
    }
}

#[test]
fn malformed_positions_on_standard_input() {
    let mut command = bsq("solve --board 3x4 -");
    command.write_stdin(b"....\n..../..?./.... X\n..../.\xff../.... X\n".as_slice());
    let ran = finish(command);
    let rows = super::rows(&ran.out);
    assert_eq!((ran.code, rows.len()), (1, 3), "{}", ran.out);
    for (row, says) in rows.iter().zip([
        "found 1 of the 3 rows of a 3x4 board",
        "'?' at character 8 is not a cell",
        "'\u{fffd}' at character 7 is not a cell",
    ]) {
        assert!(row["error"].starts_with(says), "{}\nshould say: {says}", ran.out);
    }
    assert_eq!(ran.err, "error: 3 of the lines have no answer; the column 'error' says why\n");
}

#[test]
fn positions_that_no_game_reaches() {
    for (words, says) in [
        ("'XO../..../.... X'", &["X on tile 1 (a1) and O on tile 2 (b1) share a side"][..]),
        ("'X.../O.../.... X'", &["X on tile 1 (a1) and O on tile 5 (a2) share a side"]),
        ("'X.X./..../.... X'", &["second player would have passed 2 times"]),
        ("'X.../..../.... X'", &["second player would have passed 1 time "]),
        ("'..../..../...O X'", &["first player would have passed 1 time "]),
        (
            "'..../..../.... O'",
            &[
                "first player would have passed 1 time ",
                "X has as many pieces as O when X is to move",
            ],
        ),
        ("--pieces 1 'X.X./..../...O O'", &["first player has placed 2 pieces", "only 1"]),
        // The game ended when X could not move.
        ("'.O.O/X.X./.O.X O'", &["the game was over before O came to move"]),
    ] {
        let says = [says, &["no game reaches this position"]].concat();
        refused(&format!("solve --board 3x4 {words}"), &says);
    }
    let centre = ["first move may not take the centre, unless the rule 'center allowed' is set"];
    refused("solve --board 3x3 '.../.X./... O'", &centre);
}

#[test]
fn moves_that_are_not_legal() {
    for (words, says) in [
        ("--board 3x3 --moves 5", "5 (b2) is not legal here: the first move may not take"),
        ("--board 3x3 --moves '1 2'", "2 (b1) is not legal here: the tile shares a side"),
        ("--board 3x3 --moves '1 1'", "1 (a1) is not legal here: the tile is taken"),
        ("--board 3x3 --moves 'a1 pass'", "a player with a legal move may not pass"),
        ("--board 3x4 --pieces 1 --moves '1 12 3'", "the game is over"),
        ("--board 3x4 '.O.O/X.X./.O.X X' --moves pass", "the game is over"),
        ("--board 3x4 --moves '1 12 11'", "shares a side with an opponent's piece"),
    ] {
        refused(&format!("solve {words}"), &["not legal here", says]);
    }
    for word in ["10", "d1", "a4", "-1", "c", "1.5", "é"] {
        let says = [&format!("'{word}' is not a tile"), "from 1 to 9", "from a1 to c3"];
        refused(&format!("solve --board 3x3 --moves=1,{word}"), &says);
    }
}

#[test]
fn several_tables_are_not_mixed_into_one_csv() {
    for line in ["analyze all --board 3x3", "analyze all --board 3x3 --format csv"] {
        refused(line, &["--out DIR", "--format table"]);
    }
}

#[test]
fn folders_that_cannot_be_written() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "mine").unwrap();
    for line in ["solve", "analyze playouts", "analyze all", "test-heuristic greedy"] {
        for inside in [file.join("x"), file.clone()] {
            let line = format!("{line} --board 3x3 --out '{}'", inside.display());
            fails(1, &line, &["cannot write into the folder", &inside.display().to_string()]);
        }
    }
    assert_eq!((files(folder.path()), read(folder.path(), "file")), left_alone());
    if Path::new("/dev/null").exists() {
        fails(1, "analyze playouts --board 3x3 --out /dev/null/x", &["/dev/null/x"]);
    }
}

/// The content of a folder that must not change: one file with its text.
fn left_alone() -> (Vec<String>, String) {
    (vec!["file".to_string()], "mine".to_string())
}

#[test]
fn failures_files_that_cannot_be_written() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "mine").unwrap();
    for path in [file.join("x.csv"), folder.path().join("missing/x.csv"), folder.path().into()] {
        let line = format!("test-heuristic greedy --board 3x3 --failures '{}'", path.display());
        fails(1, &line, &["cannot write"]);
    }
    assert_eq!((files(folder.path()), read(folder.path(), "file")), left_alone());
}

#[test]
fn logs_that_cannot_be_written() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "mine").unwrap();
    let ran = run(&format!("solve --board 3x3 --log '{}'", file.join("log").display()));
    assert!(ran.code == 1 || ran.code == 2, "{}", ran.code);
    assert!(ran.err.contains("cannot write the log"), "{}", ran.err);
    assert_eq!(ran.out, "");
    assert_eq!((files(folder.path()), read(folder.path(), "file")), left_alone());
}

#[test]
fn nothing_is_made_for_rules_that_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let new = folder.path().join("new");
    for flags in ["--board 6x6 --pieces 9", "--board 3x3 --bias 65", "--board 3x3 --pieces 0"] {
        refused(&format!("analyze all {flags} --out '{}'", new.display()), &[]);
        refused(&format!("solve {flags} --out '{}'", new.display()), &[]);
        refused(&format!("test-heuristic random {flags} --failures '{}'", new.display()), &[]);
    }
    refused(&format!("solve --board 3x3 --moves 5 --out '{}'", new.display()), &[]);
    assert_eq!(files(folder.path()), [""; 0]);
}

#[test]
fn a_manifest_of_somebody_else_is_left_alone() {
    for text in [
        "not json at all",
        "[]",
        r#"{"name": "something-else"}"#,
        r#"{"name": "bsq-results", "resources": {}}"#,
        r#"{"name": "bsq-results", "resources": [{"path": "birds.csv"}]}"#,
        r#"{"name": "my-birds", "licenses": [{"name": "ODC-PDDL-1.0"}], "resources": [{"name": "birds", "path": "birds.csv"}]}"#,
    ] {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("datapackage.json"), text).unwrap();
        for line in ["solve", "analyze playouts", "analyze all", "test-heuristic greedy"] {
            let line = format!("{line} --board 3x3 --out '{}'", folder.path().display());
            refused(&line, &["datapackage.json is not a manifest of this program", "remove it or"]);
        }
        assert_eq!(files(folder.path()), ["datapackage.json"]);
        assert_eq!(read(folder.path(), "datapackage.json"), text);
    }
}

#[test]
fn errors_are_one_message_even_when_quiet() {
    let ran = run("solve --board 3x3 --moves 5 --quiet");
    assert_eq!(ran.code, 2);
    assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
}

#[test]
fn a_failed_run_does_not_stop_the_next() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().display();
    refused(&format!("solve --board 3x3 --moves 5 --out '{path}'"), &[]);
    out(&format!("solve --board 3x3 --moves 1 --out '{path}'"));
    assert_eq!(files(folder.path()), ["datapackage.json", "solve.csv"]);
}

#[test]
fn a_board_that_takes_too_much_memory_is_refused_before_the_count() {
    let line = "analyze states --board 7x7 --memory 4GiB";
    fails(1, line, &["takes about 14.9 GiB of memory, and 4.0 GiB are allowed", "--method sets"]);
    fails(1, "analyze growth --board 8x8 --memory 1TiB", &["--method sets"]);
}

/// Only a game record has rules.
#[test]
fn a_file_that_is_no_record() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    std::fs::write(&path, "hello\n").unwrap();
    for line in ["solve FILE --bias 2", "mnk solve FILE --k 3", "dots solve FILE --penalty -1"] {
        let ran = run(&line.replace("FILE", &path.display().to_string()));
        assert_eq!(ran.code, 2, "{}", ran.err);
        assert!(!ran.err.contains("contains the rules"), "{}", ran.err);
        assert!(ran.err.contains("a file contains a position, or a game such as"), "{}", ran.err);
    }
}

#[cfg(feature = "full")]
#[test]
fn an_address_of_another_machine() {
    let says = ["cannot listen on 192.0.2.1:1978; give an --address of this machine"];
    fails(1, "serve --quiet --address 192.0.2.1", &says);
}
