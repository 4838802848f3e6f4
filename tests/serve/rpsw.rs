//! Tests rock-paper-scissors-well with a tablebase.

use crate::server::{Server, Tablebase, bsq, query};
use serde_json::{Value, json};
use std::collections::HashMap;

fn with(database: &Tablebase) -> Server {
    Server::start(&["--db", &database.path()])
}

fn ask(server: &Server, parameters: &[(&str, &str)]) -> Value {
    let reply = server.get(&format!("/api/rpsw?{}", query(parameters)));
    assert_eq!(reply.status, 200, "{parameters:?}: {}", reply.body);
    reply.json()
}

/// The outcome for the opponent, one ply earlier.
fn before(answer: &Value) -> (String, Option<u64>) {
    let result = match answer["result"].as_str().unwrap() {
        "won" => "lost",
        "lost" => "won",
        other => other,
    };
    (result.to_string(), answer["plies"].as_u64().map(|plies| plies + 1))
}

#[test]
fn a_position_is_told_in_full() {
    let database = Tablebase::of("4x6", "1");
    let server = with(&database);
    let start = ask(&server, &[]);
    assert_eq!(start["position"], "r.../..../..../..../..../R... first");
    assert_eq!(start["rules"]["board"], "4x6");
    assert_eq!(start["rules"]["takes"]["paper"], json!(["rock", "well"]));
    assert_eq!(
        start["pieces"],
        json!([
            { "square": "a1", "player": "first", "kind": "rock" },
            { "square": "a6", "player": "second", "kind": "rock" },
        ])
    );
    assert_eq!((&start["game_over"], &start["winner"]), (&json!(false), &Value::Null));
    assert_eq!((&start["result"], &start["plies"]), (&json!("won"), &json!(9)));
    assert_eq!(start["line"].as_array().unwrap().len(), 9, "a race that is over in nine plies");
    let capture =
        ask(&server, &[("position", "..../..../..../.r../P.../.... first"), ("line", "0")]);
    assert_eq!(
        capture["moves"][0],
        json!({ "move": "a2b3", "from": "a2", "to": "b3", "capture": "rock", "result": "won", "plies": 1 })
    );
    assert_eq!(capture["line"], json!([]));
}

/// The value of every move is that of the position after it, and the best moves come first. Follows
/// a game with captures for some plies.
#[test]
fn verdicts_fit_together() {
    let database = Tablebase::of("3x4", "2");
    let server = with(&database);
    let mut known: HashMap<String, Value> = HashMap::new();
    let mut open = vec![ask(&server, &[])];
    while let Some(answer) = open.pop().filter(|_| known.len() < 300) {
        let position = answer["position"].as_str().unwrap().to_string();
        let moves = answer["moves"].as_array().unwrap();
        for mv in moves {
            let played = [("position", &*position), ("moves", mv["move"].as_str().unwrap())];
            let next = ask(&server, &played);
            let worth = (mv["result"].as_str().unwrap().to_string(), mv["plies"].as_u64());
            assert_eq!(worth, before(&next), "{position} {mv}");
            assert_eq!(next["played"], json!([mv["move"]]));
            assert_ne!(next["to_move"], answer["to_move"]);
            if !known.contains_key(next["position"].as_str().unwrap()) {
                open.push(next);
            }
        }
        let rank = |mv: &Value| {
            let plies = mv["plies"].as_i64().unwrap_or(0);
            match mv["result"].as_str().unwrap() {
                "won" => (0, plies),
                "drawn" => (1, 0),
                _ => (2, -plies),
            }
        };
        assert!(moves.is_sorted_by_key(rank), "{position}");
        if let Some(best) = moves.first() {
            assert_eq!((&best["result"], &best["plies"]), (&answer["result"], &answer["plies"]));
        }
        known.insert(position, answer);
    }
    assert!(known.len() > 100, "only {}", known.len());
}

/// The depth decreases by one ply with every move of the principal variation.
#[test]
fn best_play_ends_the_game() {
    let database = Tablebase::of("3x4", "2");
    let server = with(&database);
    let start = ask(&server, &[]);
    let line: Vec<&str> =
        start["line"].as_array().unwrap().iter().map(|mv| mv.as_str().unwrap()).collect();
    assert_eq!(start["plies"], line.len());
    for played in 0..=line.len() {
        let answer = ask(&server, &[("moves", &line[..played].join(" "))]);
        assert_eq!(answer["plies"], line.len() - played);
        assert_eq!(answer["line"], json!(line[played..]));
        let is_over = played == line.len();
        assert_eq!(answer["game_over"], is_over);
        assert_eq!(answer["moves"] == json!([]), is_over);
        let winner = if is_over { json!("first") } else { Value::Null };
        assert_eq!(answer["winner"], winner);
    }
}

#[test]
fn games_that_are_over_are_answered() {
    let database = Tablebase::of("3x4", "2");
    let server = with(&database);
    let cases = [
        ("R../..r/.../... second", "second", json!("first"), "lost"),
        (".../.../P../... second", "second", json!("first"), "lost"),
        (".../.../p../... first", "first", json!("second"), "lost"),
        (".../.../R../..p first", "first", json!("second"), "lost"),
    ];
    for (position, to_move, winner, result) in cases {
        let answer = ask(&server, &[("position", position)]);
        assert_eq!(answer["position"], position);
        assert_eq!(answer["game_over"], true, "{position}");
        assert_eq!((&answer["to_move"], &answer["winner"]), (&json!(to_move), &winner));
        assert_eq!((&answer["result"], &answer["plies"]), (&json!(result), &json!(0)));
        assert_eq!((&answer["moves"], &answer["line"]), (&json!([]), &json!([])));
    }
    drop(server);
    let narrow = Tablebase::of("1x4", "1");
    let stuck = ask(&with(&narrow), &[("position", "././r/R first")]);
    assert_eq!((&stuck["game_over"], &stuck["winner"]), (&json!(true), &Value::Null));
    assert_eq!((&stuck["result"], &stuck["plies"]), (&json!("drawn"), &Value::Null));
}

#[test]
fn what_cannot_be_meant_is_refused_in_a_sentence() {
    let database = Tablebase::of("3x4", "2");
    let server = with(&database);
    let long = format!("position={}", ".".repeat(2001));
    let wide = format!("position={}", ".".repeat(1900));
    let cases: [(&str, &[&str]); 17] = [
        ("board=3x4", &["'board' is no parameter", "there are position, moves and line"]),
        ("line=1&line=2", &["line is given twice"]),
        ("line=71", &["line: '71' is no whole number from 0 to 70"]),
        ("line=-1", &["line: '-1'"]),
        ("position=", &["position: a position is 4 rows of 3 squares"]),
        ("position=r../.../.../R..", &["and then first or second"]),
        ("position=rpsw/..../..../RPSW+first", &["4 rows of 3 squares"]),
        ("position=x../.../.../R..+first", &["position: 'x' is no square"]),
        ("position=r../.../.../RR.+first", &["there are two of 'R'"]),
        ("position=rps/.../.../R..+first", &["the second player has 3 pieces", "at most 2"]),
        ("position=R../.../.../...+first", &["the game is over there"]),
        ("moves=a1", &["moves: 'a1' is no move", "from a1 to c4"]),
        ("moves=a1a2,%e2%82%ac", &["'€' is no move"]),
        ("moves=a1a4", &["moves: a1a4 is not legal at", "; legal are", "a1a2"]),
        (
            "position=R../..r/.../...+second&moves=c3c2",
            &["c3c2 is not legal: the game is over at R../..r/.../... second"],
        ),
        (&long, &["position: longer than 2000 bytes"]),
        (&wide, &["..."]),
    ];
    for (query, phrases) in cases {
        let reply = server.get(&format!("/api/rpsw?{query}"));
        assert_eq!(reply.status, 400, "{query}: {}", reply.body);
        let error = reply.error();
        for phrase in phrases {
            assert!(error.contains(phrase), "{query}: no '{phrase}' in '{error}'");
        }
        assert!(error.len() < 400, "{query}: '{error}' is long");
    }
    assert_eq!(server.get("/api/games?name=rpsw").status, 400);
}

#[test]
fn without_a_database_it_says_how_to_make_one() {
    let server = Server::start(&[]);
    let reply = server.get("/api/rpsw");
    assert_eq!(reply.status, 404);
    let error = reply.error();
    for command in ["bsq rpsw tablebase build rpsw.db", "bsq serve --db rpsw.db"] {
        assert!(error.contains(command), "{error}");
    }
    let games = server.get("/api/games").json();
    assert_eq!(games[0]["missing"], Value::Null);
    assert_eq!((&games[1]["name"], &games[1]["missing"]), (&json!("rpsw"), &json!(error)));
    assert_eq!(games[1]["rules"], Value::Null);
    drop(server);
    let database = Tablebase::of("3x4", "2");
    let games = with(&database).get("/api/games").json();
    assert_eq!(games[1]["missing"], Value::Null);
    assert_eq!(games[1]["rules"]["board"], "3x4");
    assert_eq!(games[1]["rules"]["pieces"], 2);
}

#[test]
fn a_database_that_cannot_be_read_is_told_at_once() {
    let database = Tablebase::of("3x4", "2");
    let whole = std::fs::read(database.path()).unwrap();
    let refused = |what: &str| {
        let output =
            bsq().args(["serve", "--port", "0", "--db", &database.path()]).output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0), "{what}: {error}");
        assert!(error.starts_with("error: cannot play from the database"), "{what}: {error}");
        assert!(error.contains("rpsw.db"), "{what}: {error}");
    };
    std::fs::write(database.path(), &whole[..whole.len() - 1]).unwrap();
    refused("cut off");
    std::fs::write(database.path(), b"").unwrap();
    refused("empty");
    std::fs::write(database.path(), b"something else altogether\n").unwrap();
    refused("no database");
    std::fs::remove_file(database.path()).unwrap();
    refused("not there");
}

/// Damage that header and directory do not reveal is detected when the block is read.
#[test]
fn a_damaged_block_is_told_when_it_is_asked_for() {
    let database = Tablebase::of("3x4", "2");
    let mut bytes = std::fs::read(database.path()).unwrap();
    let header = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
    let blocks = header.map(|(at, _)| at + 1).nth(1).unwrap();
    let end = bytes.len() - 20;
    let directory = u64::from_le_bytes(bytes[end..end + 8].try_into().unwrap());
    for byte in &mut bytes[blocks..usize::try_from(directory).unwrap()] {
        *byte ^= 0x55;
    }
    std::fs::write(database.path(), bytes).unwrap();
    let server = with(&database);
    let reply = server.get("/api/rpsw");
    assert_eq!(reply.status, 500, "{}", reply.body);
    let error = reply.error();
    assert!(error.contains("the database is damaged in block"), "{error}");
    assert!(!error.contains(&database.path()), "{error}");
    // A position decided by the rules needs no block.
    assert_eq!(server.get("/api/rpsw?position=R../..r/.../...+second").status, 200);
}

#[test]
fn answers_are_not_kept_for_another_database() {
    let database = Tablebase::of("3x4", "2");
    let server = with(&database);
    for path in ["/api/rpsw", "/api/games"] {
        assert_eq!(server.get(path).header("cache-control"), "no-cache", "{path}");
        let head = server.request("HEAD", path, "");
        assert_eq!((head.status, head.body.as_str()), (200, ""), "{path}");
    }
}
