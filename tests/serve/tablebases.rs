//! Tests with tablebases of several games.

use crate::server::{Server, bsq};
use bsq_engine::monitor::Monitor;
use bsq_games::dots::Board;
use bsq_games::dots::tablebase::{Limits, Plan, build};
use bsq_games::rpsw::Rules;
use bsq_games::rpsw::retrograde::Layout;
use bsq_games::rpsw::tablebase::LEAST_PLIES;
use bsq_games::rpsw::tablebase::solution::Solution;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// The file of a small game of rock-paper-scissors-well.
fn rpsw(folder: &Path) -> PathBuf {
    let rules = Rules::standard().on_board(3, 4).unwrap().with_pieces(2).unwrap();
    let solution = Solution::solve(Layout::new(rules), LEAST_PLIES, &Monitor::default()).unwrap();
    let mut bytes = Vec::new();
    solution
        .into_rows(&Monitor::default())
        .unwrap()
        .write(&mut bytes, &Monitor::default())
        .unwrap();
    let path = folder.join("small.rpsw");
    std::fs::write(&path, bytes).unwrap();
    path
}

/// The folder of a board of Dots-and-Boxes.
fn dots(folder: &Path) -> PathBuf {
    let path = folder.join("dots");
    let plan = Plan::new(&Board::new(2, 2).unwrap(), 0, -1, None, &Limits::default()).unwrap();
    build(&plan, &path, &Monitor::default()).unwrap();
    path
}

const RPSW: [(&str, &str); 2] = [("board", "4x3"), ("pieces", "2")];
const DOTS: [(&str, &str); 2] = [("board", "2x2"), ("penalty", "-1")];

#[test]
fn values_are_looked_up_where_a_tablebase_has_them() {
    let folder = TempDir::new().unwrap();
    let paths = [rpsw(folder.path()), dots(folder.path())];
    let paths = paths.map(|path| path.into_os_string().into_string().unwrap());
    let answers = |arguments: &[&str]| {
        let server = Server::start(arguments);
        let games = server.get("/api/games").json();
        let rules = |at: usize| games["games"][at]["tablebases"][0]["board"].clone();
        let found = [("rpsw", &RPSW), ("dots", &DOTS)].map(|(game, rules)| {
            let asked = [&rules[..], &[("values", "no")]].concat();
            let cost = server.ask(game, &asked).json()["cost"]["kind"].clone();
            (server.ask(game, rules).json()["value"].clone(), cost)
        });
        // Other rules have other values.
        let wide = server.ask("dots", &[("board", "2x2")]).json()["value"].clone();
        (found, wide, rules(1), rules(2))
    };
    let ([one, two], wide, dots, rpsw) =
        answers(&["--tablebase", &paths[0], "--tablebase", &paths[1]]);
    let ([one_alone, two_alone], wide_alone, ..) = answers(&[]);
    assert_eq!([&one.0, &two.0, &wide], [&one_alone.0, &two_alone.0, &wide_alone]);
    assert_eq!([one.1, two.1], ["look-up", "look-up"]);
    assert_eq!([one_alone.1, two_alone.1], ["build", "quick"]);
    assert_eq!((dots, rpsw), ("2x2".into(), "4x3".into()));
}

#[test]
fn a_tablebase_that_cannot_be_used_is_reported_at_once() {
    let folder = TempDir::new().unwrap();
    let refused = |path: &Path, code: i32, message: &str| {
        let output =
            bsq().args(["serve", "--port", "0", "--tablebase"]).arg(path).output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!((output.status.code(), output.stdout.len()), (Some(code), 0), "{error}");
        assert!(error.contains(message) && error.contains(&*path.to_string_lossy()), "{error}");
    };
    let path = rpsw(folder.path());
    let whole = std::fs::read(&path).unwrap();
    std::fs::write(&path, &whole[..whole.len() - 1]).unwrap();
    refused(&path, 1, "ends too early");
    std::fs::write(&path, b"something else altogether\n").unwrap();
    refused(&path, 2, "is not a tablebase of rock-paper-scissors-well");
    std::fs::remove_file(&path).unwrap();
    refused(&path, 2, "there is no tablebase");
    refused(folder.path(), 2, "holds no tablebase");
    let layers = dots(folder.path());
    std::fs::write(layers.join("manifest"), "bsq dots layers, version 2, crc32 00000000\n{}\n")
        .unwrap();
    refused(&layers, 2, "remove it, and run the command that made it again");
}

/// Damage that the headers do not reveal is detected when a value is read. The answer does not
/// contain the path.
#[test]
fn damage_is_reported_without_the_path() {
    let folder = TempDir::new().unwrap();
    let (file, layers) = (rpsw(folder.path()), dots(folder.path()));
    let mut bytes = std::fs::read(&file).unwrap();
    let header = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
    let blocks = header.map(|(at, _)| at + 1).nth(1).unwrap();
    let end = bytes.len() - 20;
    let directory = u64::from_le_bytes(bytes[end..end + 8].try_into().unwrap());
    bytes[blocks..directory as usize].iter_mut().for_each(|byte| *byte ^= 0x55);
    std::fs::write(&file, bytes).unwrap();
    for entry in std::fs::read_dir(&layers).unwrap().map(Result::unwrap) {
        if entry.file_name().to_string_lossy().starts_with("layer-") {
            let bytes = std::fs::read(entry.path()).unwrap();
            let bytes: Vec<u8> = bytes.into_iter().map(|byte| byte ^ 0x55).collect();
            std::fs::write(entry.path(), bytes).unwrap();
        }
    }
    let arguments = [&file, &layers].map(|path| format!("--tablebase={}", path.display()));
    let server = Server::start(&arguments.each_ref().map(String::as_str));
    for (game, rules) in [("rpsw", RPSW), ("dots", DOTS)] {
        let reply = server.ask(game, &rules);
        assert_eq!(reply.status, 500, "{}", reply.body);
        let (code, _, message) = reply.error();
        assert_eq!(code, "failed");
        assert!(!message.contains(&*folder.path().to_string_lossy()), "{message}");
    }
}

/// An intact layer of another tablebase does not give values.
#[test]
fn a_moved_layer_is_reported() {
    let folder = TempDir::new().unwrap();
    let layers = dots(folder.path());
    let other = folder.path().join("other");
    let plan = Plan::new(&Board::new(2, 2).unwrap(), 0, 0, None, &Limits::default()).unwrap();
    build(&plan, &other, &Monitor::default()).unwrap();
    std::fs::copy(other.join("layer-00"), layers.join("layer-00")).unwrap();
    let server = Server::start(&[&format!("--tablebase={}", layers.display())]);
    let reply = server.ask("dots", &DOTS);
    assert_eq!((reply.status, reply.error().0), (500, "failed".to_string()), "{}", reply.body);
}
