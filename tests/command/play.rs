//! `bsq [GAME] play`: words from standard input, the board and its values on standard output.

use super::errors::refused;
use super::{Ran, bsq, finish, out};
use std::path::{Path, PathBuf};

/// A game of two pieces each on 4x3.
const RPSW: &str = "rpsw play --board 4x3 --pieces 2";

fn play(line: &str, typed: impl Into<Vec<u8>>) -> Ran {
    let mut command = bsq(line);
    command.write_stdin(typed);
    finish(command)
}

/// The output for some input, at whose end the command succeeds.
fn printed(line: &str, typed: &str) -> String {
    let ran = play(line, typed);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{line}: {typed}");
    ran.out
}

/// The lines of suggestions.
fn suggestions(printed: &str) -> Vec<&str> {
    printed.lines().filter_map(|line| line.strip_prefix("Suggestions: ")).collect()
}

/// The last board with its coordinates.
fn board(printed: &str) -> Vec<&str> {
    let lines: Vec<&str> = printed.lines().collect();
    let is_title = |line: &&str| line.contains(", turn ") || line.ends_with("the game is over");
    let title = lines.iter().rposition(is_title).expect("a title");
    lines[title + 2..].iter().take_while(|line| !line.is_empty()).copied().collect()
}

/// The moves of the record printed at the end.
fn moves(printed: &str) -> &str {
    printed.lines().last().and_then(|line| line.strip_prefix("moves:")).expect("a game").trim()
}

fn file(text: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.txt");
    std::fs::write(&path, text).unwrap();
    (folder, path)
}

#[test]
fn a_short_session_of_each_game() {
    insta::assert_snapshot!("british_square", printed("play", "8\n13\nc2\n0\nhelp"));
    let typed = "a1-b1 a1-a2\nb1-b2\nmoves hint a2-b2 undo values\nb2-c2 a2-b2\n";
    insta::assert_snapshot!("dots", printed("dots play 2x2", typed));
    let typed = "b1a2\na4a3 a2a3\nhint moves line\nvalues\nb4a4\n";
    insta::assert_snapshot!("rpsw", printed(RPSW, typed));
    let typed = "b1 moves hint line values a1 undo game";
    insta::assert_snapshot!("mnk", printed("mnk play --second perfect", typed));
}

#[test]
fn best_moves_are_suggested() {
    assert_eq!(suggestions(&printed("play", "")), ["7 9 17 19"]);
    assert_eq!(
        suggestions(&printed("play", "7 -1")),
        ["7 9 17 19", "3 9 10 11 13 14 15 17 18 19 22 23", "7 9 17 19"]
    );
}

#[test]
fn a_pass_is_refused_while_a_move_is_legal() {
    let said = printed("play", "0");
    assert!(said.ends_with("pass is not legal here: a player with a legal move may not pass; tiles are numbered from 1, and 0 is a pass\n"));
    let said = printed("play --board 1x3 --center-allowed", "2 0 0 1 0 3");
    assert!(said.contains("pass is not legal here"), "{said}");
    assert_eq!(suggestions(&said), ["2", "pass", "1 3", "pass", "3"]);
    assert!(said.ends_with("\nThe first player has won by 3 points.\n"), "{said}");
}

#[test]
fn invalid_moves_are_explained_and_change_nothing() {
    for (line, typed, says) in [
        ("play", "13", "the first move may not take the centre"),
        ("play", "26", "'26' is not a tile; write a number from 1 to 25"),
        ("play", "frog", "'frog' is not a tile"),
        ("play", "-2", "'-2' is not a tile"),
        ("dots play 2x2", "what", "'what' is not a move; write the two dots that it joins"),
        ("dots play 2x2", "a1-c1", "a1 and c1 are not neighbours"),
        ("dots play 2x2", "a1-a9", "there is no dot a9 on a 2x2 board"),
        (RPSW, "b1b3", "b1b3 is not legal here: a piece goes to one of the squares around it"),
        (RPSW, "a4a3", "the rock on a4 is the second player's"),
        (RPSW, "c1c2", "nothing stands on c1"),
        (RPSW, "a1b1", "your own paper stands on b1"),
        (RPSW, "d1d2", "'d1d2' is not a move; write the square a piece leaves"),
        ("mnk play", "nowhere", "'nowhere' is not a move; write a letter and a number"),
    ] {
        let said = printed(line, typed);
        assert!(said.contains(says), "{said}");
        assert_eq!(board(&said), board(&printed(line, "")));
    }
    assert!(printed("play", "7 7").contains("7 (b2) is not legal here: the tile is taken"));
    assert!(printed("play", "7 8").contains("shares a side with an opponent's piece"));
    assert!(printed("mnk play", "b2 b2").contains("b2 is not empty\n"));
    assert!(printed("dots play 2x2", "a1-b1 a1-b1").contains("a1-b1 is drawn already\n"));
}

#[test]
fn mistakes_are_named_unless_values_are_hidden() {
    let costs = "8 costs 2 points: a tie (best: the first player wins by 2 points).\n";
    assert!(printed("play", "8").contains(costs));
    assert!(!printed("play", "7").contains("costs"));
    let said = printed(RPSW, "b1c1");
    assert!(said.contains("b1c1 is a mistake: the second player wins in"), "{said}");
    let said = printed("mnk play", "b2 b1");
    assert!(said.contains("b1 is a mistake: the first player wins in 6 plies (best: a tie)"));
    for (line, worst) in [("play", "8"), (RPSW, "b1c1"), ("mnk play", "b2 b1")] {
        let said = printed(&format!("{line} --hide-values"), worst);
        for word in ["costs", "mistake", "Suggestions", "wins", "draw"] {
            assert!(!said.contains(word), "{line}: {said}");
        }
        assert_eq!(suggestions(&printed(&format!("{line} --hide-values"), "hint")).len(), 1);
    }
    assert!(printed(&format!("{RPSW} --hide-values"), "values").contains("wins in 5 plies"));
}

#[test]
fn one_move_back_and_on() {
    for (line, one, other, third) in [
        ("play", "7", "19", "9"),
        ("dots play 2x2", "A1B1", "b2-a2", "c1-c2"),
        (RPSW, "B1A2", "a4a3", "b4c3"),
        ("mnk play", "b2", "a1", "c3"),
    ] {
        let at = |typed: &str| board(&printed(line, typed)).join("\n");
        assert_eq!(at(&format!("{one} {other} undo")), at(one));
        assert_eq!(at(&format!("{one}, {other} u r")), at(&format!("{one} {other}")));
        assert_eq!(at(&format!("{one} {other} u {third} r")), at(&format!("{one} {third}")));
        assert_eq!(at(&format!("{one} u u u redo redo restart")), at(""));
    }
}

/// The result of perfect play by both players is the value of the position.
#[test]
fn perfect_play_against_itself() {
    for (line, ends) in [
        ("play", "The first player has won by 2 points."),
        ("dots play 2x2", "The first player has won by 2 points."),
        ("dots play 1x1", "The second player has won by 1 point."),
        ("dots play 2x2 --variant swedish", "The second player has won by 4 points."),
        (RPSW, "The first player has won."),
        ("mnk play", "The game is a tie."),
    ] {
        let said = printed(&format!("{line} --first perfect --second perfect"), "");
        assert!(said.ends_with(&format!("\n{ends}\n")), "{line}: {said}");
    }
    let said = printed(&format!("{RPSW} --first perfect --second perfect"), "");
    assert_eq!(said.matches(" plays ").count(), 5, "won in 5 plies: {said}");
    assert!(said.starts_with("perfect (first) plays b1a2\nperfect (second) plays "), "{said}");
    let said = printed("dots play '--/....|/--/|...|/.. B' --second perfect", "");
    assert!(said.starts_with("perfect (second) plays b1-b2\n"), "a box first: {said}");
}

#[test]
fn two_agents_stop_when_they_repeat_positions() {
    let line = format!("{RPSW} --first perfect --second perfect '.sw/.../.../PR. first'");
    let said = printed(&line, "game");
    let stops = "\nThe position repeats: play need not end. 'redo' plays the next move.\n";
    assert!(said.contains(stops), "{said}");
    let more = printed(&line, "redo redo game");
    assert_eq!(more.matches(stops).count(), 3, "{more}");
    let count = |said: &str| moves(said).split_whitespace().count();
    assert_eq!(count(&more), count(&said) + 2, "{more}");
}

#[test]
fn an_agent_answers_and_undo_takes_both_back() {
    for (line, mv) in [
        ("play --second greedy", "7"),
        ("play --second 'least claim'", "7"),
        ("dots play 2x2 --second chain-rule", "a1-b1"),
        ("mnk play --second mistakes-50", "b2"),
    ] {
        let (game, agent) = line.split_once(" --second ").unwrap();
        let said = printed(line, &format!("{mv} undo game"));
        let plays = format!("{} (second) plays ", agent.trim_matches('\''));
        assert!(said.contains(&plays), "{line}: {said}");
        assert_eq!(board(&said), board(&printed(game, "")));
        let (first, answers) = moves(&said).split_once(' ').unwrap();
        assert!(first == mv && !answers.is_empty(), "{said}");
        // The same seed, the same game; and the agent repeats the moves that are known.
        assert_eq!(printed(line, &format!("{mv} undo game")), said);
        let again = printed(line, &format!("{mv} undo redo game"));
        assert_eq!(moves(&again), moves(&said));
    }
    let random = |seed: u32| {
        let line = format!("mnk play --first random --second random --seed {seed} --hide-values");
        moves(&printed(&line, "game")).to_string()
    };
    assert_eq!(random(7), random(7));
    assert!((0..4).any(|seed| random(seed) != random(7)));
    refused("play --second greedi", &["greedi", "did you mean 'greedy'", "agents: random, mirror"]);
    refused("rpsw play --first greedy", &["unknown agent 'greedy'", "mistakes-10, perfect"]);
}

#[test]
fn a_game_is_loaded_again() {
    for (line, typed, text, more) in [
        (
            "play --center-allowed --bias 2 --board 4x5",
            "7 19 c1 game",
            "game: British Square\nboard: 4x5\ncenter allowed: yes\nbias: 2\nmoves: 7 19 3\n",
            "1",
        ),
        (
            "dots play 2x2 --variant icelandic --penalty -1",
            "a1-b1 b1-b2 game",
            "game: Dots-and-Boxes\nboard: 2x2\nvariant: icelandic\npenalty: -1\nmoves: a1-b1 b1-b2\n",
            "a2-b2",
        ),
        (
            &format!("{RPSW} '.r./..p/.../RP. first'"),
            "b1b2 game",
            "game: rock-paper-scissors-well\nboard: 4x3\npieces: 2\nstart: .r./..p/.../RP. \
             first\nmoves: b1b2\n",
            "b4a3",
        ),
        (
            "mnk play",
            "b2 a1 undo undo redo game",
            "game: m,n,k\nboard: 3x3\nk: 3\nmoves: b2 a1\n",
            "c3",
        ),
    ] {
        let said = printed(line, typed);
        assert_eq!(&said[said.rfind("game: ").unwrap()..], text);
        let (_folder, path) = file(text);
        let verb = &line[..line.find("play").unwrap() + 4];
        let again = printed(&format!("{verb} '{}' --moves {more}", path.display()), "game");
        let played = text.trim_end().rsplit_once("moves: ").unwrap().1;
        assert_eq!(moves(&again), format!("{played} {more}"));
    }
    assert!(printed("play", "7 19 restart game").ends_with("moves: 7 19\n"));
    let (_folder, path) = file("board: 1x3\ncenter allowed: yes\nmoves: 2 0 1 pass 3");
    let said = printed(&format!("play '{}'", path.display()), "game");
    assert!(said.contains("the game is over") && said.ends_with("moves: 2 pass 1 pass 3\n"));
}

#[test]
fn a_position_may_come_first() {
    let said = printed("play '..... .X... ..... ...O. ..... X'", "game");
    assert!(said.ends_with("start: ...../.X.../...../...O./..... X\nmoves:\n"), "{said}");
    assert!(said.contains("turn 1: the first player to move"), "{said}");
}

/// What takes a long search, or does not fit in memory, is played without values.
#[test]
fn large_boards_are_drawn_at_once() {
    let said = printed("dots play 5x5", "a1-b1 f5-f6 game");
    assert!(said.contains("\nThe value takes a long search, which 'hint' makes.\n"), "{said}");
    assert_eq!(moves(&said), "a1-b1 f5-f6");
    assert!(said.lines().all(|line| line.chars().count() <= 80), "{said}");
    let said = printed("dots play 5x5 --variant swedish --hide-values", "");
    assert!(said.contains("\n1 +--+--+--+--+--+\n"), "{said}");
    let said = printed("mnk play 4x4 --k 4 --memory 0", "b2 hint c3 game");
    assert!(said.contains("it takes at least 64.0 KiB"), "{said}");
    assert_eq!(moves(&said), "b2 c3");
}

#[test]
fn values_from_a_tablebase() {
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path().join("all").display().to_string();
    out(&format!("dots tablebase build {db} --board 2x3 --penalty -1 --quiet"));
    let typed = "moves a1-b1 moves b2-b3 c2-c3 moves";
    let line = "dots play 2x3 --penalty -1";
    // Moves of the same value have another order.
    let words = |line: &str| {
        let said = printed(line, typed);
        let mut words: Vec<String> = said.split_whitespace().map(str::to_string).collect();
        words.sort();
        words
    };
    let searched = words(line);
    assert_eq!(words(&format!("{line} --tablebase {db}")), searched);
    let own = format!("dots play --tablebase {db}");
    assert_eq!(words(&own), searched);
    refused(&format!("{own} 2x2"), &["of board 2x3 with a penalty of -1, not of board 2x2"]);
    let db = folder.path().join("small.db").display().to_string();
    out(&format!("rpsw tablebase build '{db}' --board 4x3 --pieces 2 --quiet"));
    let typed = "b1a2 a4a3 moves";
    assert_eq!(printed(&format!("{RPSW} --tablebase {db}"), typed), printed(RPSW, typed));
    assert_eq!(printed(&format!("rpsw play --tablebase {db}"), typed), printed(RPSW, typed));
    let other = format!("rpsw play --tablebase {db} --pieces 3");
    refused(&other, &["of board 4x3, pieces 2, not of board 4x3, pieces 3"]);
    refused("rpsw play --tablebase nowhere.db", &["there is no tablebase nowhere.db"]);
}

#[test]
fn any_bytes_are_only_refused() {
    for typed in [&b"\xff\xfe\x00 7"[..], b"7", b"\n\n  ,, \n7", "\u{1F600} 7".as_bytes()] {
        let ran = play("play", typed);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
        assert!(ran.out.contains("turn 2"), "{}", ran.out);
    }
    let ran = play("play --hide-values", vec![b'7'; 200_000]);
    assert_eq!(ran.code, 0);
}

#[test]
fn words_that_help() {
    let said = printed("play", "help quit 7");
    assert!(said.contains("the best moves") && !said.contains("turn 2"), "{said}");
}

#[test]
fn what_cannot_be_played() {
    refused("play nowhere.txt", &["nowhere.txt", "there is no file nowhere.txt"]);
    refused("play --board 5x5 'X../... X'", &["2 of the 5 rows"]);
    refused("play --moves '7 8'", &["8 (c2) is not legal here"]);
    refused("play --bias 99", &["--bias: '99' is not an integer from -64 to 64"]);
    refused("play --pieces 0", &["--pieces: '0' is not an integer from 1 to 64"]);
    refused("dots play 0x3", &["at least one row"]);
    refused("dots play 9x9", &["at most 64 are possible"]);
    refused("dots play '../...../.. C'", &["'C' is not a player"]);
    refused("dots play 2x2 --moves 'a1-b1 a1-b1'", &["a1-b1 is drawn already"]);
    refused("dots play 2x2 --penalty 1001", &["--penalty: the penalty 1001 is too high"]);
    refused("dots play 2x2 --variant odd", &["'odd'", "standard, icelandic, swedish"]);
    refused("dots play --frst", &["unexpected argument '--frst'"]);
    refused(&format!("{RPSW} 'rps/.../.../RP. first'"), &["the second player has 3 pieces"]);
    refused(&format!("{RPSW} --moves a1a3"), &["a1a3 is not legal here"]);
    for (text, says) in [
        ("", "there is no game here; write at least 'moves: 7 19 9'"),
        ("7 19 x", "; a file contains a position, or a game such as 'moves: 7 19 9'"),
        ("board: 5x5\nmovs: 7", "line 2: 'movs' is not known; a game has game, board"),
        ("moves: 7\nboard: 5x5", "line 2: 'board' comes too late or twice"),
        ("game: chess", "line 1: game: 'chess' is not British Square"),
        ("board: 9x9", "line 1: board: a 9x9 board is too large"),
        ("moves: 7\n  8", "line 1: moves: 8 (c2) is not legal here"),
    ] {
        let (_folder, path) = file(text);
        refused(&format!("play '{}'", path.display()), &["game.txt: ", says]);
    }
    let (_folder, path) = file("board: 4x4");
    refused(
        &format!("play --bias 2 '{}'", path.display()),
        &["contains the rules; leave --bias out"],
    );
}

#[test]
fn values_are_hidden_by_either_flag() {
    assert_eq!(printed("play --no-values", "8"), printed("play --hide-values", "8"));
}

#[test]
fn files_that_are_no_tablebase() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("text.db");
    std::fs::write(&path, "nothing").unwrap();
    let line = |path: &Path| format!("rpsw play --tablebase '{}'", path.display());
    for path in [&path, folder.path()] {
        refused(&line(path), &["is not a tablebase of rock-paper-scissors-well"]);
    }
    refused(&format!("dots play --tablebase '{}'", path.display()), &["holds no tablebase"]);
}

/// Ctrl-C ends the command while it waits, and while it searches; the game is not lost.
#[cfg(unix)]
#[test]
fn ctrl_c_ends_it() {
    use std::io::{BufRead, BufReader};
    use std::process::Stdio;
    for (line, last, record) in [
        ("play --plain --hide-values", "5 . . . . .", None),
        ("dots play 5x5 --moves a1-b1 --plain", "The value takes", Some("moves: a1-b1")),
    ] {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_bsq"));
        command.args(line.split(' ')).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.stderr(Stdio::null()).spawn().unwrap();
        let mut typing = child.stdin.take().unwrap(); // open until the end
        if record.is_some() {
            std::io::Write::write_all(&mut typing, b"hint\n").unwrap();
        }
        let mut out = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
        assert!(out.any(|line| line.starts_with(last)), "{line}");
        std::thread::sleep(std::time::Duration::from_millis(200));
        let kill =
            std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        assert!(kill.unwrap().success());
        assert_eq!(child.wait().unwrap().code(), Some(130));
        assert_eq!(out.last(), record.map(str::to_string), "{line}");
    }
}
