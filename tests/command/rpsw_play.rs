//! Tests `bsq play --game rpsw --plain` with a small tablebase.

use super::errors::{fails, refused};
use super::{Ran, bsq, finish, out};
use std::path::Path;
use std::sync::LazyLock;

/// A game of two pieces each on 3x4.
static DATABASE: LazyLock<tempfile::TempDir> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("small.db");
    out(&format!("rpsw tablebase build '{}' --board 4x3 --pieces 2 --quiet", path.display()));
    folder
});

fn line(flags: &str) -> String {
    let path = DATABASE.path().join("small.db");
    format!("play --game rpsw --db '{}' {flags}", path.display())
}

fn play(flags: &str, typed: impl Into<Vec<u8>>) -> Ran {
    let mut command = bsq(&line(flags));
    command.write_stdin(typed);
    finish(command)
}

/// The output for some input, at whose end the command succeeds.
fn printed(flags: &str, typed: &str) -> String {
    let ran = play(flags, typed);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{flags}");
    ran.out
}

/// The rows of the last board.
fn board(printed: &str) -> Vec<String> {
    let is_row = |line: &&str| line.starts_with("  ") && line.contains(['1', '2', '3', '4']);
    let rows: Vec<&str> = printed.lines().filter(is_row).collect();
    rows[rows.len() - 4..].iter().map(|row| row[3..].replace(' ', "")).collect()
}

#[test]
fn a_short_session() {
    insta::assert_snapshot!(printed("", "b1a2\na4a3 a2a3\nhint moves line\nvalues\nb4a4\n"));
}

#[test]
fn one_move_back_and_on() {
    let at = |typed: &str| board(&printed("", typed));
    assert_eq!(at("b1a2 a4a3 undo"), at("b1a2"));
    assert_eq!(at("b1a2 a4a3 undo redo"), at("b1a2 a4a3"));
    assert_eq!(at("b1a2 u u u -1"), at(""));
    assert_eq!(at("B1A2, a4a3 u b4c3"), at("b1a2 b4c3"));
}

#[test]
fn perfect_play_against_itself_ends_in_time() {
    let said = printed("--first perfect --second perfect", "");
    assert!(said.contains("perfect (first) plays b1a2\n"), "{said}");
    assert!(said.contains("perfect (first) plays a2a3, taking the rock\n"), "{said}");
    assert!(said.contains("The first player has won: the paper has reached b4"), "{said}");
    assert_eq!(said.matches(" plays ").count(), 5, "won in 5 plies: {said}");
}

#[test]
fn two_machines_do_not_go_round_for_ever() {
    let drawn = "'.sw/.../.../PR. first'";
    let said = printed(&format!("--first perfect --second perfect {drawn}"), "game");
    assert!(said.contains("This position has come up 3 times: play need not end"), "{said}");
    assert!(said.contains("Drawn with best play"), "{said}");
}

#[test]
fn a_machine_answers_and_undo_takes_both_back() {
    let said = printed("--second perfect", "b1a2 undo game");
    assert!(said.contains("perfect (second) plays"), "{said}");
    assert_eq!(board(&said), board(&printed("", "")));
    let moves = said.lines().last().unwrap();
    assert!(moves.starts_with("moves: b1a2 ") && moves.len() == "moves: b1a2 a4a3".len());
}

#[test]
fn mistakes_are_named_and_illegal_moves_change_nothing() {
    let said = printed("", "b1c1");
    assert!(said.contains("b1c1 is a mistake: what was won in 5 is lost in"), "{said}");
    for (typed, says) in [
        ("b1b3", "b1b3 is not legal here: a piece goes to one of the squares around it"),
        ("a4a3", "the rock on a4 is the second player's"),
        ("c1c2", "nothing stands on c1"),
        ("a1b1", "your own paper stands on b1"),
        ("d1d2", "'d1d2' is no move; write the square a piece leaves"),
        ("frog", "'frog' is no move"),
    ] {
        let said = printed("", typed);
        assert!(said.contains(says), "{said}");
        assert_eq!(board(&said), board(&printed("", "")));
    }
}

#[test]
fn values_may_be_hidden() {
    let said = printed("--no-values", "b1c1");
    assert!(!said.contains("wins") && !said.contains("Suggestions") && !said.contains("mistake"));
    assert!(printed("--no-values", "hint").contains("Suggestions: b1a2"));
    assert!(printed("--no-values", "values").contains("The first player wins in 5 plies"));
}

#[test]
fn a_game_is_loaded_again() {
    let said = printed("'.r./..p/.../RP. first'", "b1b2 game");
    let text = &said[said.find("game: ").unwrap()..];
    assert_eq!(
        text,
        "game: rock-paper-scissors-well\nboard: 4x3\npieces: 2\nstart: .r./..p/.../RP. first\nmoves: b1b2\n"
    );
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.txt");
    std::fs::write(&path, text).unwrap();
    let again = printed(&format!("'{}' --moves b4a3", path.display()), "game");
    assert!(again.ends_with("moves: b1b2 b4a3\n"), "{again}");
    for (text, says) in [
        ("board: 4x6\nmoves: b1b2", "line 1: board: a board of 4 rows and 6 columns is out of"),
        (
            "board: 6x4\nmoves: b1b2",
            "other rules (board 6x4, pieces 2) than the database (board 4x3, pieces 2)",
        ),
        ("game: British Square", "'British Square' is not rock-paper-scissors-well"),
        ("moves: b1b4", "line 1: moves: b1b4 is not legal here"),
        ("", "there is no game here"),
    ] {
        std::fs::write(&path, text).unwrap();
        refused(&line(&format!("'{}'", path.display())), &[says]);
    }
}

#[test]
fn any_bytes_are_only_refused() {
    for typed in [&b"\xff\xfe\x00 b1a2"[..], b"\n\n ,, \nb1a2", "\u{1F600} b1a2".as_bytes()] {
        let ran = play("", typed);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
        assert!(ran.out.contains("turn 2"), "{}", ran.out);
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_it_while_it_waits() {
    use std::io::{BufRead, BufReader};
    use std::process::Stdio;
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_bsq"));
    command.args(super::words(&line("--plain"))).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::null()).spawn().unwrap();
    let _typing = child.stdin.take(); // open, without input
    let out = BufReader::new(child.stdout.take().unwrap());
    assert!(out.lines().any(|line| line.unwrap().starts_with("Suggestions")));
    let kill = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

#[test]
fn words_that_help() {
    let said = printed("", "help quit b1a2");
    assert!(said.contains("the best moves") && !said.contains("turn 2"), "{said}");
}

#[test]
fn what_cannot_be_played() {
    let how = "'bsq rpsw tablebase build rpsw.db' makes one";
    refused("play --game rpsw", &["give it with --db", how, "--pieces 2"]);
    refused("play --game rpsw --db nowhere.db", &["there is no file nowhere.db", how]);
    refused("play --db small.db", &["--db is for --game rpsw"]);
    refused("play --game chess", &["'chess'", "british-square, rpsw"]);
    for flag in ["--board 5x5", "--bias 0", "--pieces 2", "--center-allowed"] {
        refused(&line(flag), &[flag.split(' ').next().unwrap(), "those of the database"]);
    }
    refused(&line("--lists x.txt"), &["--lists says nothing"]);
    refused(&line("--table-size 1GiB"), &["--table-size says nothing"]);
    refused(&line("--first greedy"), &["'greedy' does not play", "'you' and 'perfect' do"]);
    refused(&line("rpsw.txt"), &["there is no file rpsw.txt, and it is no position either"]);
    refused(&line("'rpsw/..../RPSW first'"), &["a position is 4 rows of 3 squares"]);
    refused(&line("'rps/.../.../RP. first'"), &["the second player has 3 pieces", "at most 2"]);
    refused(&line("--moves a1a3"), &["a1a3 is not legal here"]);
}

#[test]
fn files_that_are_no_database() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("text.db");
    std::fs::write(&path, "nothing").unwrap();
    let play = |path: &Path| format!("play --game rpsw --db '{}'", path.display());
    fails(1, &play(&path), &["is no tablebase of rock-paper-scissors-well"]);
    fails(1, &play(folder.path()), &["cannot be read"]);
    let whole = std::fs::read(DATABASE.path().join("small.db")).unwrap();
    std::fs::write(&path, &whole[..whole.len() / 2]).unwrap();
    fails(1, &play(&path), &["text.db"]);
}
