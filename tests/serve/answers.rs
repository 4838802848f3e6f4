//! Tests valid requests.

use crate::server::{Server, bsq};
use serde_json::{Value, json};

fn perfect(answer: &Value) -> Vec<u64> {
    let moves = answer["moves"].as_array().unwrap().iter();
    moves.filter(|mv| mv["perfect"] == true).filter_map(|mv| mv["move"].as_u64()).collect()
}

#[test]
fn the_start_of_5x5_is_worth_two_points() {
    let server = Server::start(&[]);
    let reply = server.get("/api/british-square");
    assert_eq!(reply.status, 200);
    let answer = reply.json();
    assert_eq!((&answer["value"], &answer["turn"]), (&json!(2), &json!(1)));
    assert_eq!(perfect(&answer), [7, 9, 17, 19]);
    assert_eq!(answer["legal"].as_array().unwrap().len(), 24);
    assert_eq!(answer["played"], json!([]));
    assert_eq!(answer.get("liked"), None);
    assert_eq!(server.get("/api/british-square").body, reply.body, "from memory");
}

#[test]
fn a_bias_shifts_values_and_the_centre_may_be_allowed() {
    let server = Server::start(&[]);
    let bias = server.ask(&[("bias", "3")]).json();
    assert_eq!((&bias["value"], &bias["score"]), (&json!(-1), &json!(-3)));
    assert_eq!(perfect(&bias), [7, 9, 17, 19]);
    let centre = server.ask(&[("center_allowed", "true")]).json();
    assert_eq!(centre["legal"].as_array().unwrap().len(), 25);
    let opened = server.ask(&[("center_allowed", "true"), ("moves", "13")]).json();
    assert_eq!(opened["position"], "...../...../..X../...../..... O");
}

/// The answer of `bsq solve` to the same question.
fn solved(parameters: &[(&str, &str)]) -> Value {
    let mut command = bsq();
    command.args(["solve", "--map", "--format", "json", "--quiet"]);
    for (name, value) in parameters {
        match *name {
            "position" => command.arg(value),
            "center_allowed" => command.arg("--center-allowed"),
            name => command.arg(format!("--{name}={value}")),
        };
    }
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn answers_are_those_of_solve() {
    let server = Server::start(&["--time-limit", "60"]);
    let cases: [&[(&str, &str)]; 13] = [
        &[],
        &[("board", "1x1")], // must pass at once
        &[("moves", "7 19 9 17")],
        &[("moves", "b2, d4")],
        &[("position", "..... .X... ..... ...O. ..... X")],
        &[("position", "..... .X... ..... ...O. ..... X"), ("moves", "c2"), ("bias", "-2")],
        &[("center_allowed", "true"), ("bias", "1")],
        &[("board", "4x4"), ("pieces", "3"), ("moves", "6")],
        &[("board", "4x4"), ("pieces", "64")],
        &[("board", "1x3"), ("center_allowed", "true"), ("moves", "2")], // must pass
        &[("board", "1x3"), ("center_allowed", "true"), ("moves", "2 pass 1 pass 3")], // is over
        &[("board", "6x6")],
        &[("board", "6x6"), ("moves", "8 29 11"), ("bias", "1")],
    ];
    for case in cases {
        let reply = server.ask(case);
        assert_eq!(reply.status, 200, "{case:?}: {}", reply.body);
        let mut answer = reply.json();
        answer.as_object_mut().unwrap().shift_remove("played");
        assert_eq!(answer, solved(case), "{case:?}");
    }
}

#[test]
fn without_values_every_board_is_answered() {
    let server = Server::start(&[]);
    for board in ["8x8", "1x64", "64x1", "1x2"] {
        let answer = server.ask(&[("board", board), ("values", "false"), ("moves", "1")]).json();
        assert_eq!(answer["rules"]["board"], board);
        assert_eq!((&answer["value"], &answer["moves"]), (&Value::Null, &Value::Null));
    }
    let beyond = [("board", "6x6"), ("pieces", "9"), ("values", "false")];
    assert_eq!(server.ask(&beyond).status, 200);
}

#[test]
fn heuristics_say_what_they_like() {
    let server = Server::start(&[]);
    let all = server.get("/api/heuristics").json();
    let all = all.as_array().unwrap();
    assert!(all.iter().any(|one| one["name"] == "greedy" && one["rules"] == "most claim"));
    let liked = |heuristic: &str, moves: &str| {
        let asked = [("heuristic", heuristic), ("moves", moves), ("values", "false")];
        server.ask(&asked).json()["liked"].clone()
    };
    for greedy in ["greedy", "most claim"] {
        assert_eq!(liked(greedy, ""), json!([7, 8, 9, 12, 14, 17, 18, 19]));
    }
    for one in all {
        let (name, rules) = (one["name"].as_str().unwrap(), one["rules"].as_str().unwrap());
        assert_eq!(liked(name, "7 19"), liked(rules, "7 19"), "{name}");
    }
    let stuck = [("board", "1x3"), ("center_allowed", "true"), ("heuristic", "any")];
    let after = |moves| server.ask(&[&stuck[..], &[("moves", moves)]].concat()).json();
    assert_eq!(after("2")["liked"], json!(["pass"]));
    assert_eq!(after("2 pass 1 pass 3")["liked"], json!([]));
}

#[test]
fn heads_say_what_may_be_kept() {
    let server = Server::start(&[]);
    for path in ["/api/british-square", "/api/heuristics", "/api/openapi.json"] {
        let reply = server.get(path);
        assert_eq!(reply.header("cache-control"), "max-age=3600", "{path}");
        assert_eq!(reply.header("x-content-type-options"), "nosniff", "{path}");
        assert!(reply.header("content-security-policy").contains("default-src 'self'"), "{path}");
        assert_eq!(reply.header("access-control-allow-origin"), "", "{path}");
        let head = server.request("HEAD", path, "");
        assert_eq!((head.status, head.body.as_str()), (200, ""), "{path}");
        assert_eq!(head.header("content-length"), reply.body.len().to_string(), "{path}");
    }
    assert_eq!(server.get("/api/nothing").header("cache-control"), "no-store");
}
