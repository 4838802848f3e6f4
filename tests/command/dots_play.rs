//! `bsq play --game dots`.

use super::errors::refused;
use super::{Ran, bsq, finish, json, out};

fn play(flags: &str, typed: impl Into<Vec<u8>>) -> Ran {
    let mut command = bsq(&format!("play --game dots {flags}"));
    command.write_stdin(typed);
    finish(command)
}

/// The output for some input, at whose end the command succeeds.
fn printed(flags: &str, typed: &str) -> String {
    let ran = play(flags, typed);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{flags}");
    ran.out
}

/// The last board.
fn board(printed: &str) -> Vec<&str> {
    let at = printed.rfind("\n  a  b").expect("a board") + 1;
    printed[at..].lines().take_while(|line| !line.is_empty()).collect()
}

/// The moves of the game record printed at the end.
fn moves(printed: &str) -> Vec<&str> {
    let at = printed.rfind("\nmoves: ").expect("a game") + "\nmoves: ".len();
    printed[at..].split_whitespace().collect()
}

#[test]
fn a_short_session() {
    let typed = "a1-b1 a1-a2\nb1-b2\nmoves hint a2-b2 undo values\nb2-c2 a2-b2\n";
    insta::assert_snapshot!(printed("2x2", typed));
}

#[test]
fn a_whole_game_of_two_people() {
    let all = "a1-b1 a1-a2 b1-b2 a2-b2 b1-c1 c1-c2 b2-c2 a2-a3 a3-b3 b2-b3 b3-c3 c2-c3";
    let said = printed("2x2", &format!("{all} a1-b1 game"));
    assert!(said.contains("Boxes: A 1, B 3\n"), "{said}");
    assert!(said.contains("\nThe second player (B) has won by 2.\n"), "{said}");
    assert!(said.contains("a1-b1 is drawn already\n"), "{said}");
    assert_eq!(moves(&said).join(" "), all);
    assert!(said.lines().all(|line| line.chars().count() <= 80), "{said}");
    // The same game with a penalty for the last line.
    let said = printed("2x2 --penalty -2", all);
    assert!(said.contains("2x2 with -2 for the last line"), "{said}");
    assert!(said.ends_with("\nThe second player (B) has won by 4.\n"), "{said}");
}

/// The result of perfect play by both players is the value of the position.
#[test]
fn perfect_play_against_itself() {
    for (start, ends) in [
        ("2x2", "The first player (A) has won by 2."),
        ("1x1", "The second player (B) has won by 1."),
        ("2x2 --variant swedish", "The second player (B) has won by 4."),
        ("2x2 --variant icelandic", "The first player (A) has won by 2."),
    ] {
        let said = printed(&format!("{start} --first perfect --second perfect"), "");
        assert!(said.ends_with(&format!("{ends}\n")), "{said}");
    }
    let said = printed("2x2 --first perfect --second perfect", "game");
    assert!(said.contains("perfect, the first player (A), draws a1-b1\n"), "{said}");
    assert!(said.contains(", taking "), "{said}");
    assert_eq!(moves(&said).len(), 12);
}

#[test]
fn captures_come_before_other_moves_that_are_as_good() {
    let said = printed("'--/....|/--/|...|/.. B' --second perfect", "");
    let first = said.lines().next().unwrap();
    assert_eq!(first, "perfect, the second player (B), draws b1-b2, taking a box");
}

#[test]
fn one_move_back_and_on() {
    let at = |typed: &str| board(&printed("2x2", typed)).join("\n");
    assert_eq!(at("a1-b1 a2-b2 undo"), at("a1-b1"));
    assert_eq!(at("A1B1, b2-a2 u r"), at("a1-b1 a2-b2"));
    assert_eq!(at("a1-b1 u u u redo redo -1"), at(""));
    assert_eq!(at("a1-b1 u a2-b2 redo"), at("a2-b2"));
    // Undo also takes back the machine's moves.
    let said = printed("2x2 --second perfect", "a1-b1 undo game");
    assert_eq!(board(&said), board(&printed("2x2", "")));
    assert_eq!(moves(&said)[0], "a1-b1");
    assert!(moves(&said).len() >= 2, "{said}");
}

#[test]
fn words_that_are_no_moves() {
    let start = printed("2x2", "");
    for (typed, says) in [
        ("what", "'what' is no move; write the two dots that it joins, from a1 to c3"),
        ("a1-c1", "a1 and c1 are not neighbours"),
        ("a1-a9", "there is no dot a9 on a 2x2 board"),
        ("a1-", "'a1-' is no move"),
    ] {
        let said = printed("2x2", typed);
        assert!(said.contains(says), "{said}");
        assert_eq!(board(&said), board(&start));
    }
    for typed in [&b"\xff\xfe\x00 a1-b1"[..], b"\n\n ,, \na1-b1", "\u{1F600} a1-b1".as_bytes()] {
        let ran = play("2x2", typed);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
        assert!(ran.out.contains("move 2: "), "{}", ran.out);
    }
    let said = printed("2x2", "help quit a1-b1");
    assert!(said.contains("the best moves") && !said.contains("move 2: "), "{said}");
}

#[test]
fn mistakes_are_named_unless_values_are_hidden() {
    let chain = "'-../|....../-../|....../--- A'";
    let before = printed(chain, "moves");
    let worst = before.lines().last().unwrap().split_whitespace().last().unwrap();
    let said = printed(chain, worst);
    assert!(said.contains(&format!("{worst} costs ")), "{said}");
    let said = printed(&format!("{chain} --no-values"), worst);
    assert!(!said.contains("costs") && !said.contains("Suggestions"), "{said}");
    assert!(printed(&format!("{chain} --no-values"), "hint").contains("Suggestions"));
}

/// Scores of large boards are computed on request only.
#[test]
fn large_boards_are_drawn_at_once() {
    let said = printed("5x5", "a1-b1 f5-f6 game");
    assert!(said.contains("'hint' takes its time"), "{said}");
    assert_eq!(moves(&said), ["a1-b1", "f5-f6"]);
    assert!(said.lines().all(|line| line.chars().count() <= 80), "{said}");
    let said = printed("5x5 --variant swedish --no-values", "");
    assert!(said.contains("\n1 +--+--+--+--+--+\n"), "{said}");
}

#[test]
fn a_game_is_loaded_again() {
    let said = printed("2x2 --variant icelandic --penalty -1", "a1-b1 b1-b2 game");
    let text = &said[said.rfind("game: ").unwrap()..];
    assert_eq!(
        text,
        "game: Dots-and-Boxes\nboard: 2x2\nvariant: icelandic\npenalty: -1\nmoves: a1-b1 b1-b2\n"
    );
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.txt");
    let file = format!("'{}'", path.display());
    std::fs::write(&path, text).unwrap();
    let again = printed(&format!("{file} --moves a2-b2"), "game");
    assert!(again.ends_with("moves: a1-b1 b1-b2 a2-b2\n"), "{again}");
    refused(&format!("play --game dots {file} --penalty 0"), &["says its own penalty"]);
    std::fs::write(&path, "moves: a1-z9").unwrap();
    refused(&format!("play --game dots {file}"), &["line 1: moves: there is no dot z9"]);
    // A file of Wilson's analyser.
    std::fs::write(&path, "-1 B\n+-+ +\n|A|\n+-+ +\n\n+ + +\n").unwrap();
    let said = printed(&file, "game");
    let told = "board: 2x2\npenalty: -1\nstart: -./|A|../-./...../.. B\nmoves:\n";
    assert!(said.ends_with(told), "{said}");
}

#[test]
fn scores_from_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path().join("all").display().to_string();
    out(&format!("dots tablebase build {db} --board 2x3 --penalty -1 --quiet"));
    let typed = "moves a1-b1 moves b2-b3 c2-c3 moves";
    assert_eq!(printed(&format!("--db {db}"), typed), printed("2x3 --penalty -1", typed));
    let start = json(&format!("dots tablebase probe {db} '.../......./.../......./...'"));
    let value = start["to_come"].as_i64().unwrap();
    let says = format!("wins by {} with best play", value.abs());
    assert!(printed(&format!("--db {db}"), "").contains(&says));
    let line = format!("play --game dots --db {db}");
    refused(&format!("{line} 2x2"), &["the folder is for 2x3 with a penalty of -1"]);
    refused(&format!("{line} 2x3 --penalty 0"), &["this is 2x3 with one of 0"]);
    refused("play --game dots --db nowhere", &["nowhere holds no tablebase"]);
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_it_while_it_thinks() {
    use std::io::{BufRead, BufReader, Read};
    use std::process::Stdio;
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_bsq"));
    command.args(["play", "--game", "dots", "5x5", "--moves", "a1-b1", "--second", "perfect"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut said = BufReader::new(child.stderr.take().unwrap()).lines();
    assert_eq!(said.next().unwrap().unwrap(), "Still thinking; Ctrl-C ends the game.");
    let kill = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let mut out = String::new();
    child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    assert!(out.ends_with("board: 5x5\nmoves: a1-b1\n"), "what was played is not lost: {out}");
}

#[test]
fn what_cannot_be_played() {
    let line = |flags: &str| format!("play --game dots {flags}");
    refused(&line("0x3"), &["at least one row"]);
    refused(&line("9x9"), &["at most 64 are possible"]);
    refused(&line("wide"), &["there is no file wide"]);
    refused(&line("'../..'"), &["2 rows cannot be a board"]);
    refused(&line("'../...../.. C'"), &["'C' is no player"]);
    refused(&line("2x2 --moves 'a1-b1 a1-b1'"), &["a1-b1 is drawn already"]);
    refused(&line("2x2 --penalty 1"), &["'1' is no penalty here; it can be from -123 to 0"]);
    refused(&line("2x2 --penalty -2000000000"), &["is no penalty here"]);
    refused(&line("'../...../..' --variant swedish"), &["--variant is for the start of a game"]);
    refused(&line("2x2 --variant odd"), &["'odd'", "standard, icelandic, swedish"]);
    refused(&line("2x2 --first greedy"), &["'greedy' does not play Dots-and-Boxes"]);
    refused(&line("--board 3x3"), &["--board says nothing about Dots-and-Boxes"]);
    refused(&line("--lists x"), &["--lists says nothing"]);
    refused(&line("--frst"), &["'--frst'", "there is no such flag"]);
    refused("play -x", &["'-x'", "there is no such flag"]);
    refused("play --variant swedish", &["--variant and --penalty are for --game dots"]);
}
