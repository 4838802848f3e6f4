//! Tests Dots-and-Boxes with searches and with a tablebase.

use crate::server::{Reply, Server, bsq, query, wait_until};
use bsq_engine::game::{Game, Notation};
use bsq_engine::monitor::Monitor;
use bsq_games::dots::search::Solver;
use bsq_games::dots::{Board, Rules, Variant, parse_position};
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use tempfile::TempDir;

const SLOW: &str = "/api/dots?board=4x4&moves=a1-b1,c2-d2,e3-e4,b4-c4,c1-c2,a4-a5,d1-e1,b3-b4";

fn reply(server: &Server, parameters: &[(&str, &str)]) -> Reply {
    server.get(&format!("/api/dots?{}", query(parameters)))
}

fn ask(server: &Server, parameters: &[(&str, &str)]) -> Value {
    let reply = reply(server, parameters);
    assert_eq!(reply.status, 200, "{parameters:?}: {}", reply.body);
    reply.json()
}

/// A temporary folder with the tablebase of a board, and its path.
fn folder(board: &str, flags: &[&str]) -> (TempDir, String) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("run").into_os_string().into_string().unwrap();
    let mut command = bsq();
    command.args(["dots", "tablebase", "build", &path, "--quiet", "--board", board]).args(flags);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    (folder, path)
}

#[test]
fn a_position_is_told_in_full() {
    let server = Server::start(&[]);
    let asked = [("position", "-./|.|../../...../.. B"), ("moves", "a2-b2")];
    let answer = ask(&server, &asked);
    assert_eq!(answer["position"], "-./|B|../-./...../.. B");
    assert_eq!(answer["rules"], json!({ "board": "2x2", "penalty": 0 }));
    assert_eq!((&answer["to_move"], &answer["game_over"]), (&json!("second"), &json!(false)));
    assert_eq!(answer["taken"], json!({ "first": 0, "second": 1, "unknown": 0 }));
    assert_eq!(answer["boxes"], json!([{ "box": "a1", "player": "second" }]));
    assert_eq!(answer["drawn"], json!(["a1-b1", "a1-a2", "b1-b2", "a2-b2"]));
    assert_eq!(answer["legal"].as_array().unwrap().len(), 8);
    assert_eq!((&answer["score"], &answer["value"]), (&json!(-1), &json!(-1)));
    assert_eq!(answer["moves"][0], json!({ "move": "b2-c2", "takes": 0, "score": -1 }));
    assert_eq!(answer["played"], json!(["a2-b2"]));
    let over = ask(&server, &[("position", "-/|?|/- B"), ("penalty", "-2")]);
    assert_eq!((&over["game_over"], &over["value"]), (&json!(true), &json!(-2)));
    assert_eq!(over["boxes"], json!([{ "box": "a1", "player": null }]));
    assert_eq!((&over["score"], &over["moves"]), (&json!(2), &json!([])));
}

/// Compares values and scores with those of the engine in all positions of some games.
#[test]
fn values_are_those_of_the_engine() {
    let server = Server::start(&[]);
    for (board, variant, penalty) in [
        ("2x2", Variant::Standard, 0),
        ("3x3", Variant::Icelandic, -1),
        ("1x5", Variant::Swedish, 0),
    ] {
        let rules = Rules { board: Board::parse(board).unwrap(), variant, penalty: penalty.into() };
        let solver = Solver::new(rules.board, penalty, 1 << 20).unwrap();
        let penalty = penalty.to_string();
        let mut moves = String::new();
        for turn in 0.. {
            let asked = [
                ("board", board),
                ("variant", variant.name()),
                ("penalty", &penalty),
                ("moves", &moves),
            ];
            let answer = ask(&server, &asked);
            let text = answer["position"].as_str().unwrap();
            let (_, position) = parse_position(text).unwrap();
            let value = solver.value(position.lines, &Monitor::default()).unwrap();
            assert_eq!(answer["value"], value, "{text}");
            let scores = solver.moves(position.lines, &Monitor::default()).unwrap();
            let told = answer["moves"].as_array().unwrap();
            assert_eq!(told.len(), scores.len());
            for (line, score) in scores {
                let name = rules.format_move(line);
                let told = told.iter().find(|told| told["move"] == name).unwrap();
                assert_eq!(told["score"], score, "{text} {name}");
            }
            let in_order = told.is_sorted_by_key(|told| -told["score"].as_i64().unwrap());
            assert!(in_order, "{text}");
            let legal = rules.moves(&position);
            let Some(&line) = legal.get((7 * turn) % legal.len().max(1)) else { break };
            moves += &format!(" {}", rules.format_move(line));
        }
    }
}

#[test]
fn a_folder_answers_where_it_can() {
    let (_kept, path) = folder("3x3", &["--penalty", "-1", "--book", "9"]);
    let ten = "a1-b1 b1-c1 c1-d1 a1-a2 b1-b2 c1-c2 a3-b3 b3-c3 c3-d3 d1-d2";
    let answers = |flags: &[&str]| {
        let server = Server::start(flags);
        let moves = ["", "a1-b1", ten];
        moves.map(|moves| ask(&server, &[("board", "3x3"), ("penalty", "-1"), ("moves", moves)]))
    };
    assert_eq!(answers(&["--dots", &path]), answers(&[]));
    // Errors about missing or changed files do not reveal the path.
    let (_kept, path) = folder("2x2", &[]);
    for entry in std::fs::read_dir(&path).unwrap() {
        let entry = entry.unwrap();
        if entry.file_name().to_string_lossy().starts_with("layer-") {
            let mut bytes = std::fs::read(entry.path()).unwrap();
            bytes.iter_mut().for_each(|byte| *byte ^= 0x55);
            std::fs::write(entry.path(), bytes).unwrap();
        }
    }
    let reply = reply(&Server::start(&["--dots", &path]), &[("board", "2x2")]);
    assert_eq!(reply.status, 500, "{}", reply.body);
    assert!(reply.error().contains("cannot be read") && !reply.error().contains(&path));
    let output = bsq().args(["serve", "--port", "0", "--dots", "/nowhere"]).output().unwrap();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(error.contains("cannot play from the folder /nowhere"), "{error}");
}

#[test]
fn what_cannot_be_meant_is_refused_in_a_sentence() {
    let server = Server::start(&[]);
    let long = format!("position={}", ".".repeat(2001));
    let word = format!("moves={}", "a".repeat(1999));
    let digits = format!("moves=a{}-b1", "1".repeat(15));
    let cases: [(&str, u16, &[&str]); 17] = [
        ("size=3x3", 400, &["'size' is no parameter", "board, variant, penalty, position"]),
        ("board=3x3&board=3x3", 400, &["board is given twice"]),
        ("board=wide", 400, &["board: 'wide' is no board"]),
        ("board=0x3", 400, &["board: a board has at least one row"]),
        ("board=9x9", 422, &["board: a board of 9x9 boxes has 180 lines; at most 64"]),
        ("variant=odd", 400, &["variant: 'odd' is none; there are standard, icelandic, swedish"]),
        ("penalty=1", 400, &["penalty: '1' is no whole number from -100 to 0"]),
        ("penalty=-0.5", 400, &["penalty: '-0.5'"]),
        ("position=", 400, &["position: no position was given"]),
        ("position=../..&board=1x1", 400, &["board: it cannot be given with a position"]),
        ("position=../...../..+C", 400, &["position: 'C' is no player"]),
        ("position=./.A./.+A", 400, &["'A' stands in a box that is not closed"]),
        ("moves=a1-c1", 400, &["moves: a1 and c1 are not neighbours"]),
        ("moves=a1-b1,b1-a1", 400, &["moves: a1-b1 is drawn already"]),
        (&long, 400, &["position: longer than 2000 bytes"]),
        (&word, 400, &["moves: 'aaa", "...", "is no move"]),
        (&digits, 400, &["there is no dot"]),
    ];
    for (query, status, phrases) in cases {
        let reply = server.get(&format!("/api/dots?{query}"));
        assert_eq!(reply.status, status, "{query}: {}", reply.body);
        let error = reply.error();
        for phrase in phrases {
            assert!(error.contains(phrase), "{query}: no '{phrase}' in '{error}'");
        }
        assert!(error.len() < 400, "{query}: '{error}' is long");
    }
}

#[test]
fn too_many_open_lines_are_refused_but_drawn() {
    let server = Server::start(&[]);
    let reply = reply(&server, &[("board", "5x5")]);
    assert_eq!(reply.status, 422);
    let error = reply.error();
    assert!(error.contains("60 lines are open") && error.contains("values=false"), "{error}");
    let drawn = ask(&server, &[("board", "5x5"), ("values", "false")]);
    assert_eq!((&drawn["value"], &drawn["moves"][59]["score"]), (&Value::Null, &Value::Null));
    assert_eq!(drawn["legal"].as_array().unwrap().len(), 60);
    // The bound is on open lines, not on the board: Swedish 4x4 has 24.
    ask(&server, &[("board", "4x4"), ("variant", "swedish")]);
}

/// A cancelled request cancels its search, and cached answers are given while a search is running.
#[test]
fn a_search_is_cut_off_and_others_wait_in_turn() {
    let server = Server::start_alone(&["--time-limit", "1", "--threads", "1"]);
    let known = || server.get("/api/dots?board=2x2").status == 200;
    wait_until("2x2 is known", Duration::from_secs(10), known);
    let began = Instant::now();
    let open = server.begin(SLOW);
    assert!(known());
    assert_eq!(server.get("/api/dots?board=5x5&values=false").status, 200);
    drop(open);
    let slow = server.get(SLOW);
    if slow.status != 200 {
        assert_eq!(slow.status, 503, "{}", slow.body);
        assert!(slow.error().contains("not found within 1 s"), "{}", slow.body);
        assert!(began.elapsed() >= Duration::from_millis(900));
    }
    let next = || server.get("/api/dots?board=2x3").status == 200;
    wait_until("the next one is searched", Duration::from_secs(5), next);
}

#[test]
fn it_is_among_the_games() {
    let games = Server::start(&[]).get("/api/games").json();
    let dots = &games[2];
    assert_eq!((&dots["name"], &dots["page"]), (&json!("dots"), &json!("/dots")));
    assert_eq!((&dots["api"], &dots["missing"]), (&json!("/api/dots"), &Value::Null));
}
