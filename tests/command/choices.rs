//! Tests `test-heuristic --choices` and `--program`.

use super::{Row, bsq, finish, out, rows, run, table};
use std::time::Instant;

/// The total of a test.
fn total(line: &str) -> Row {
    let found = rows(&out(&format!("{line} --table heuristic_choices_total -f csv")));
    found[0].clone()
}

/// All best moves of a small board as a file, in the format of its ending.
fn best(folder: &std::path::Path, ending: &str) -> String {
    let path = folder.join(format!("best.{ending}")).display().to_string();
    out(&format!("export moves best --board 3x4 --show position,move -q -o '{path}'"));
    path
}

#[test]
fn perfect_choices_never_fail() {
    let folder = tempfile::tempdir().unwrap();
    let endings: &[&str] = if cfg!(feature = "full") { &["csv", "parquet"] } else { &["csv"] };
    for ending in endings {
        let path = best(folder.path(), ending);
        let line = format!("test-heuristic --choices '{path}' --board 3x4 -q");
        let total = total(&line);
        assert_eq!((total["decisions"].as_str(), total["fails"].as_str()), ("964", "0"));
        let shown = out(&format!("{line} -f table"));
        assert!(shown.starts_with(&format!("best.{ending} against perfect play (3x4)")), "{shown}");
        assert!(shown.contains("Of 730 positions with several legal moves"), "{shown}");
    }
}

/// A program that looks its answers up in a file: at once, or after it has read everything.
#[test]
fn a_program_is_asked() {
    let folder = tempfile::tempdir().unwrap();
    let path = best(folder.path(), "csv");
    let lookup = r#"NR == FNR { best[$1] = best[$1] " " $2; next }"#;
    let script = |name: &str, rest: &str| {
        let script = folder.path().join(name).display().to_string();
        std::fs::write(&script, format!("{lookup}\n{rest}\n")).unwrap();
        format!("awk -F, -f '{script}' '{path}' -")
    };
    let at_once = script("at_once.awk", "{ print best[$0]; fflush() }");
    let buffered = script("buffered.awk", "{ print best[$0] }");
    let at_the_end = script(
        "at_the_end.awk",
        "{ asked[++n] = $0 } END { for (i = 1; i <= n; i++) print best[asked[i]] }",
    );
    for program in [at_once, buffered, at_the_end] {
        let program = program.replace('\'', "\"");
        let found = total(&format!("test-heuristic --program '{program}' --board 3x4 -q"));
        assert_eq!((found["decisions"].as_str(), found["fails"].as_str()), ("964", "0"));
    }
    // Every other answer.
    let some = script("some.awk", "{ print FNR % 2 ? best[$0] : \"\" }").replace('\'', "\"");
    let line = format!("test-heuristic --program '{some}' --board 3x4 -q -f table");
    assert!(out(&line).contains("365 (50.00 %) have a"), "{}", out(&line));
}

#[test]
fn a_program_that_fails_is_named() {
    let refused = |program: &str, more: &str| {
        let line = format!("test-heuristic --program '{program}' --board 3x4 -q {more}");
        let ran = run(&line);
        assert_eq!(ran.out, "", "{line}");
        (ran.code, ran.err)
    };
    let begun = Instant::now();
    let (code, late) = refused("sleep 600", "--time 1s");
    assert_eq!(code, 1);
    assert!(
        late.contains("the program did nothing for 1s (answers: 0); --time gives it more time"),
        "{late}"
    );
    assert!(begun.elapsed().as_secs() < 60);
    let (code, ended) = refused("head -n 5", "");
    assert_eq!(code, 1);
    assert!(ended.contains("the program ended too early (exit status: 0; answers: 5)"), "{ended}");
    let (_, failed) = refused("false", "");
    assert!(
        failed.contains("the program ended too early (exit status: 1; answers: 0)"),
        "{failed}"
    );
    let (_, many) = refused("yes", "");
    assert!(many.contains("before it was asked") || many.contains("answer 1: 'y'"), "{many}");
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("long.awk").display().to_string();
    std::fs::write(&script, "{ for (i = 0; i < 5000; i++) printf \"x\"; print \"\" }\n").unwrap();
    let (_, long) = refused(&format!("awk -f {script}"), "");
    assert!(long.contains("answer 1 of the program has more than 4096 bytes"), "{long}");
    let (code, nonsense) = refused("cat", "");
    assert_eq!(code, 2);
    assert!(
        nonsense.contains("--program: answer 1: '..../..../....' is not a legal move in"),
        "{nonsense}"
    );
    let (code, missing) = refused("no-such-program", "");
    assert_eq!(code, 1);
    assert!(missing.contains("cannot start the program 'no-such-program'"), "{missing}");
    let (code, quotes) = refused("a \"b", "");
    assert_eq!(code, 2);
    assert!(quotes.contains("missing closing quote"), "{quotes}");
    assert_eq!(refused("", "").0, 2);
}

#[test]
fn a_table_that_is_wrong_is_named() {
    let refused = |text: &str| {
        let mut command = bsq("test-heuristic --choices - --board 3x3 -q");
        command.write_stdin(text);
        let ran = finish(command);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{text}: {}", ran.err);
        ran.err
    };
    let header = refused("position,moves\n");
    assert!(
        header.contains("there is no column 'move'; the columns are position, moves"),
        "{header}"
    );
    let illegal = refused("move,position\na1,.../.../... X\nb2,.../.../... X\n");
    assert!(
        illegal.contains("--choices: row 2: 'b2' is not a legal move in '.../.../... X'"),
        "{illegal}"
    );
    let position = refused("move,position\na1,.../...\n");
    assert!(position.contains("--choices: row 1: "), "{position}");
    let uneven = refused("position,move\n.../.../... X\n");
    assert!(uneven.contains("cannot read the choices in -"), "{uneven}");
    let both = run("test-heuristic greedy --choices -");
    assert_eq!(both.code, 2);
}

#[test]
fn choices_have_their_share_of_the_memory() {
    let folder = tempfile::tempdir().unwrap();
    let path = best(folder.path(), "csv");
    let limited = run(&format!("test-heuristic --choices {path} --board 3x4 --memory 50kB"));
    assert_eq!(limited.code, 1);
    assert!(limited.err.contains("the choices take more than 24.4 KiB"), "{}", limited.err);
    let limited = run("test-heuristic --program cat --board 5x5 --memory 200MB");
    assert_eq!(limited.code, 1);
    assert!(limited.err.contains("raise --memory"), "{}", limited.err);
    let refused = run("test-heuristic --choices /dev/zero");
    assert!(refused.err.contains("it is not a regular file"), "{}", refused.err);
}

/// Games without heuristics test choices, too.
#[test]
fn every_game_tests_choices() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("best.csv").display().to_string();
    out(&format!("mnk export moves best --show position,move -q -o '{path}'"));
    let found = total(&format!("mnk test-heuristic --choices '{path}' -q"));
    assert_eq!(found["fails"], "0");
    let tablebase = folder.path().join("small.db").display().to_string();
    out(&format!("rpsw tablebase build '{tablebase}' --pieces 1 --board 3x3"));
    out(&format!(
        "rpsw export moves best --tablebase '{tablebase}' --show position,move -q -o '{path}'"
    ));
    let line = format!("rpsw test-heuristic --choices '{path}' --tablebase '{tablebase}' -q");
    assert_eq!(total(&line)["fails"], "0");
    assert!(table(&line).is_empty());
}
