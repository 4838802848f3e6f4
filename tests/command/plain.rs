//! `bsq play --plain`: moves from standard input, the board and its values on standard output.

use super::errors::refused;
use super::{Ran, bsq, finish};
use std::path::PathBuf;

fn play(line: &str, typed: impl Into<Vec<u8>>) -> Ran {
    let mut command = bsq(&format!("play --plain {line}"));
    command.write_stdin(typed);
    finish(command)
}

/// The output for some input, at whose end the command succeeds.
fn printed(line: &str, typed: &str) -> String {
    let ran = play(line, typed);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{line}");
    ran.out
}

/// The lines of suggestions.
fn suggestions(printed: &str) -> Vec<&str> {
    printed.lines().filter_map(|line| line.strip_prefix("Suggestions: ")).collect()
}

/// The printed rows of the last position.
fn board(printed: &str) -> String {
    let rows = printed.lines().filter(|line| line.starts_with("    "));
    let rows: Vec<&str> = rows.map(|line| line.trim_start()).collect();
    rows[rows.len() - 5..].iter().map(|row| row[..9].replace(' ', "") + "/").collect()
}

fn file(text: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.txt");
    std::fs::write(&path, text).unwrap();
    (folder, path)
}

#[test]
fn a_short_session() {
    insta::assert_snapshot!(printed("", "7\n13\nc2\n0\n"));
}

#[test]
fn the_perfect_moves_of_the_start_are_suggested() {
    assert_eq!(suggestions(&printed("", "")), ["7 9 17 19"]);
    assert_eq!(
        suggestions(&printed("", "7 -1")),
        ["7 9 17 19", "3 9 10 11 13 14 15 17 18 19 22 23", "7 9 17 19"]
    );
}

#[test]
fn without_a_terminal_it_is_plain_by_itself() {
    let mut command = bsq("play");
    command.write_stdin("");
    assert_eq!(finish(command).out, printed("", ""));
}

#[test]
fn a_pass_is_refused_while_a_move_is_legal() {
    let said = printed("", "0");
    assert!(said.ends_with("pass is not legal here: a player with a legal move may not pass\n"));
    let said = printed("--board 1x3 --center-allowed", "2 0 0 1 0 3");
    assert!(said.contains("pass is not legal here"), "{said}");
    assert_eq!(suggestions(&said), ["2", "0", "1 3", "0", "3"]);
    assert!(said.ends_with("has won by 3 points\n\n    X X X    -  -  -\n\nThe game is over.\n"));
}

#[test]
fn illegal_moves_change_nothing() {
    for (typed, says) in [
        ("13", "the first move may not take the centre"),
        ("26", "'26' is no tile; write a number from 1 to 25"),
        ("frog", "'frog' is no tile"),
        ("-2", "'-2' is no tile"),
    ] {
        let said = printed("", typed);
        assert!(said.contains(says), "{said}");
        assert_eq!(suggestions(&said).len(), 1, "{said}");
    }
    assert!(printed("", "7 7").contains("7 (b2) is not legal here: the tile is taken"));
    assert!(printed("", "7 8").contains("shares a side with an opponent's piece"));
}

#[test]
fn a_costly_move_is_named() {
    let said = printed("", "8");
    let warning = "8 (c2) costs 2 points: the first player's win by 2 becomes a tie.\n";
    assert!(said.contains(warning), "{said}");
    assert!(!printed("", "7").contains("costs"));
}

#[test]
fn one_move_back_and_on() {
    let at = |typed: &str| board(&printed("", typed));
    assert_eq!(at("7 19 undo"), at("7"));
    assert_eq!(at("7 19 undo redo"), at("7 19"));
    assert_eq!(at("7 19 undo undo undo"), at(""));
    assert_eq!(at("7 19 undo 9 undo 3"), at("7 3"));
    assert_eq!(at("7 19 u u r r r"), at("7 19"));
}

#[test]
fn perfect_play_wins_by_two_against_itself() {
    let said = printed("--first perfect --second perfect", "");
    assert!(said.contains("perfect (first) plays 7 (b2)"), "{said}");
    assert!(said.contains("The first player has won by 2 points\n"), "{said}");
}

#[test]
fn a_heuristic_answers() {
    let said = printed("--second greedy", "7");
    assert!(said.contains("greedy (second) plays 9 (d2)"), "{said}");
    assert_eq!(suggestions(&said).len(), 2);
    let said = printed("--second 'least claim'", "7 undo");
    assert!(said.contains("least claim (second) plays 1 (a1)"), "{said}");
    assert_eq!(suggestions(&said).first(), suggestions(&said).last());
    refused(
        "play --plain --second greedi",
        &["greedi", "did you mean 'greedy'", "'you' and 'perfect' play too"],
    );
}

#[test]
fn values_may_be_hidden() {
    let said = printed("--no-values", "7 hint moves");
    let lines: Vec<&str> = said.lines().filter(|line| line.starts_with("    ")).collect();
    assert!(lines.iter().all(|line| line.len() == 13), "no map beside the board: {said}");
    assert_eq!(suggestions(&said), ["3 9 10 11 13 14 15 17 18 19 22 23"]);
    assert!(said.contains("Perfect moves: 3 9 10"), "{said}");
}

#[test]
fn the_game_so_far_is_loaded_again() {
    let line = "--center-allowed --bias 2 --board 4x5";
    let said = printed(line, "7 19 c1 game");
    let text = &said[said.find("game: British Square").unwrap()..];
    assert_eq!(
        text,
        "game: British Square\nboard: 4x5\ncenter allowed: yes\nbias: 2\nmoves: 7 19 3\n"
    );
    let (_folder, path) = file(text);
    let path = path.display();
    let again = printed(&format!("'{path}'"), "undo");
    assert!(said.contains(again.split("\n\n").next().unwrap()), "{again}");
    assert_eq!(
        printed(&format!("'{path}' --moves 1"), "game").matches("moves: 7 19 3 1\n").count(),
        1
    );
}

#[test]
fn machines_follow_a_game_that_is_known() {
    let (_folder, path) = file("moves: 7 19 9 3");
    let said =
        printed(&format!("'{}' --second greedy", path.display()), "undo undo redo redo game");
    assert!(said.ends_with("moves: 7 19 9 3\n"), "{said}");
    assert!(printed("", "7 19 -1 game").ends_with("moves:\n"));
}

#[test]
fn zero_is_a_pass_in_a_game_too() {
    let (_folder, path) = file("board: 1x3\ncenter allowed: yes\nmoves: 2 0 1 pass 3");
    let said = printed(&format!("'{}'", path.display()), "game");
    assert!(said.contains("The game is over") && said.ends_with("moves: 2 pass 1 pass 3\n"));
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_it_while_it_waits() {
    use std::io::{BufRead, BufReader};
    use std::process::Stdio;
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_bsq"));
    command.args(["play", "--plain"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::null()).spawn().unwrap();
    let _typing = child.stdin.take(); // open, without input
    let out = BufReader::new(child.stdout.take().unwrap());
    let suggested = out.lines().any(|line| line.unwrap().starts_with("Suggestions"));
    assert!(suggested);
    let kill = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

#[test]
fn a_position_may_come_first() {
    let said = printed("'..... .X... ..... ...O. ..... X'", "game");
    assert!(said.ends_with("start: ...../.X.../...../...O./..... X\nmoves:\n"), "{said}");
    assert!(said.contains("turn 3: X to move"), "{said}");
}

#[test]
fn games_that_cannot_be_meant() {
    refused("play --plain nowhere.txt", &["there is no file nowhere.txt, and it is no position"]);
    refused("play --plain 'X../... X'", &["2 of the 5 rows", "nor is there such a file"]);
    refused("play --plain --moves '7 8'", &["8 (c2) is not legal here"]);
    refused("play --plain --bias 99", &["a bias of 99 is out of range"]);
    for (text, says) in [
        ("", "there is no game here; write at least 'moves: 7 19 9'"),
        ("# nothing\n\n", "there is no game here"),
        ("7 19 9", "line 1: '7 19 9' is not of the form 'name: value'"),
        ("board: 5x5\nmovs: 7", "line 2: 'movs' is not known; a game has game, board"),
        ("moves: 7\nboard: 5x5", "line 2: 'board' comes too late or twice"),
        ("board: 5x5\nboard: 5x5", "line 2: 'board' comes too late or twice"),
        ("game: chess", "line 1: game: 'chess' is not British Square"),
        ("board: 9x9", "line 1: board: a 9x9 board is too large"),
        ("bias: much", "line 1: bias: 'much' is no whole number"),
        ("pieces: 0", "line 1: pieces: with no pieces nobody can move"),
        ("center allowed: maybe", "line 1: center allowed: 'maybe' is neither yes nor no"),
        ("start: XX X", "line 1: start: "),
        ("moves: 7\n  8", "line 1: moves: 8 (c2) is not legal here"),
    ] {
        let (_folder, path) = file(text);
        refused(&format!("play --plain '{}'", path.display()), &["game.txt: ", says]);
    }
    let (_folder, path) = file("board: 4x4");
    refused(
        &format!("play --plain --bias 2 '{}'", path.display()),
        &["other rules than the flags"],
    );
}

#[test]
fn any_bytes_are_only_refused() {
    for typed in [&b"\xff\xfe\x00 7"[..], b"7", b"\n\n  ,, \n7", "\u{1F600} 7".as_bytes()] {
        let ran = play("", typed);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
        assert!(ran.out.contains("turn 2"), "{}", ran.out);
    }
    let ran = play("--no-values", vec![b'7'; 200_000]);
    assert_eq!(ran.code, 0);
}

#[test]
fn words_that_help() {
    let said = printed("", "help quit 7");
    assert!(said.contains("play there") && !said.contains("turn 2"), "{said}");
}
