//! Answers of all games. The expected ones are those of the library.

use crate::server::{Server, query};
use bsq_api::{Detail, Engine, Monitor, Registry, Request, Resources, Session};
use serde_json::{Value, json};
use std::sync::Arc;

/// A small board of each game: parameters of the rules.
pub const BOARDS: [(&str, &[(&str, &str)]); 8] = [
    ("british-square", &[]),
    ("british-square", &[("board", "3x4"), ("center_allowed", "yes"), ("bias", "1")]),
    ("british-square", &[("board", "4x4"), ("pieces", "3")]),
    ("dots", &[("board", "2x2")]),
    ("dots", &[("board", "2x3"), ("variant", "icelandic"), ("penalty", "-1")]),
    ("rpsw", &[("board", "4x3"), ("pieces", "2")]),
    ("mnk", &[]),
    ("mnk", &[("board", "3x4"), ("k", "3")]),
];

/// The engine of the library.
pub fn engine(registry: &Registry, game: &str, rules: &[(&str, &str)]) -> Arc<dyn Engine> {
    let game = registry.get(game).unwrap();
    let name = |parameter: &str| {
        &*game.options().iter().find(|option| option.parameter() == parameter).unwrap().name
    };
    let rules: Vec<_> = rules.iter().map(|&(parameter, value)| (name(parameter), value)).collect();
    game.engine(&rules, &Resources::new(1 << 28)).unwrap()
}

fn expected(session: &dyn Session, request: Request) -> Value {
    serde_json::to_value(session.answer(request, &Monitor::default()).unwrap()).unwrap()
}

/// An answer without its cost: a table that is not yet built in the library may be built here.
fn without_cost(mut answer: Value) -> Value {
    answer.as_object_mut().unwrap().remove("cost");
    answer
}

const MOVES: Request = Request { detail: Some(Detail::Moves), line: 3, time: None };

#[test]
fn answers_of_every_game_are_those_of_the_library() {
    let (server, registry) = (Server::start(&["--time-limit", "60"]), Registry::standard());
    let names: Vec<&str> = registry.games().map(|game| &*game.info().name).collect();
    assert!(names.iter().all(|name| BOARDS.iter().any(|(game, _)| game == name)));
    for (name, rules) in BOARDS {
        let mut session = engine(&registry, name, rules).session(None).unwrap();
        for (values, line, request) in [
            ("yes", "3", MOVES),
            ("value", "0", Request { detail: Some(Detail::Value), line: 0, time: None }),
            ("no", "0", Request::default()),
        ] {
            session.go_to(0);
            for ply in 0..5 {
                let moves = session.moves()[..session.at()].join(" ");
                let own = [("moves", moves.as_str()), ("values", values), ("line", line)];
                let reply = server.ask(name, &[rules, &own].concat());
                assert_eq!(reply.status, 200, "{name} {rules:?}: {}", reply.body);
                let expected = without_cost(expected(session.as_ref(), request));
                assert_eq!(without_cost(reply.json()), expected, "{name} {rules:?} {moves}");
                // Games of different length, and not only best play.
                let moves = session.answer(Request::default(), &Monitor::default()).unwrap().moves;
                let Some(next) = moves.get((7 * ply + 1) % moves.len().max(1)) else { break };
                session.play(&next.name).unwrap();
            }
        }
    }
}

#[test]
fn a_position_can_be_asked_about_again() {
    let server = Server::start(&["--time-limit", "60"]);
    for (game, rules) in BOARDS {
        let first = server.ask(game, rules).json();
        let mv = first["moves"][0]["move"].as_str().unwrap();
        let next = server.ask(game, &[rules, &[("moves", mv)]].concat()).json();
        let position = next["position"].as_str().unwrap();
        let again = server.ask(game, &[rules, &[("position", position)]].concat()).json();
        assert_eq!(again["value"], next["value"], "{game} {rules:?}");
        assert_eq!((&next["played"], &again["played"]), (&json!([mv]), &json!([])));
    }
    // A position that contains the size of its board needs no rule.
    let dots = server.ask("dots", &[("position", "-./|.|../../...../.. B"), ("moves", "a2-b2")]);
    assert_eq!(dots.json()["rules"]["board"], "2x2", "{}", dots.body);
}

/// Answers about the same position after other moves are computed once, but name their own moves.
#[test]
fn a_known_answer_names_the_moves_of_the_request() {
    let server = Server::start(&[]);
    for moves in ["a1 b2 c3", "c3 b2 a1"] {
        let answer = server.ask("mnk", &[("moves", moves)]).json();
        assert_eq!(answer["played"], json!(moves.split(' ').collect::<Vec<_>>()));
    }
    let metrics = server.get("/metrics").body;
    assert!(metrics.contains("\nbsq_cached_answers_total 1\n"), "{metrics}");
}

#[test]
fn without_values_every_board_is_answered() {
    let server = Server::start(&["--time-limit", "1"]);
    for (game, rules) in [
        ("british-square", [("board", "8x8")]),
        ("british-square", [("board", "1x64")]),
        ("dots", [("board", "5x5")]),
        ("rpsw", [("board", "6x4")]),
        ("mnk", [("board", "5x5")]),
    ] {
        let answer = server.ask(game, &[&rules[..], &[("values", "no")]].concat()).json();
        assert_eq!(answer["rules"]["board"], rules[0].1);
        assert_eq!((&answer["value"], &answer["moves"][0]["value"]), (&Value::Null, &Value::Null));
    }
}

#[test]
fn a_batch_is_answered_in_order() {
    let server = Server::start(&["--time-limit", "60"]);
    for (game, rules) in BOARDS {
        let first = server.ask(game, rules).json();
        let mv = first["moves"][0]["move"].as_str().unwrap();
        let rules: serde_json::Map<_, _> =
            rules.iter().map(|(name, value)| (name.to_string(), json!(value))).collect();
        let positions = json!([{ "moves": mv }, { "moves": "nonsense" }, { "position": null }]);
        let body = json!({ "rules": rules, "positions": positions }).to_string();
        let reply = server.post(&format!("/api/{game}/position"), &body);
        assert_eq!(reply.status, 200, "{}", reply.body);
        let answers = &reply.json()["answers"];
        assert_eq!(answers.as_array().unwrap().len(), 3);
        assert_eq!(answers[0]["played"], json!([mv]));
        assert_eq!(answers[1]["error"]["location"], "moves");
        assert_eq!(without_cost(answers[2].clone()), without_cost(first), "{game}");
    }
}

/// A batch may be answered with the rows that the command writes.
#[test]
fn a_batch_has_the_rows_of_the_command() {
    let server = Server::start(&["--time-limit", "60"]);
    let positions = json!([
        { "position": ".../.../..." }, { "position": ".." }, { "position": "XXX/OO./..." },
        { "moves": "b2 a1" },
    ]);
    for (values, flags) in [("value", ""), ("yes", "--values")] {
        let body = json!({ "positions": positions, "values": values, "rows": true });
        let reply = server.post("/api/mnk/position", &body.to_string());
        assert_eq!(reply.status, 200, "{}", reply.body);
        let mut command = assert_cmd::Command::new(assert_cmd::cargo::cargo_bin!("bsq"));
        command.args(["mnk", "solve", "-", "-f", "jsonl"]).args(flags.split_whitespace());
        command.write_stdin(".../.../...\n..\nXXX/OO./...\nb2 a1\n");
        let output = String::from_utf8(command.output().unwrap().stdout).unwrap();
        let rows: Vec<Value> =
            output.lines().map(|row| serde_json::from_str(row).unwrap()).collect();
        assert_eq!(reply.json()["rows"], json!(rows), "{values}");
    }
    let empty = json!({ "positions": [], "rows": true }).to_string();
    assert_eq!(server.post("/api/dots/position", &empty).json(), json!({ "rows": [] }));
    let without = json!({ "positions": [], "rows": true, "values": "no" }).to_string();
    assert_eq!(server.post("/api/dots/position", &without).status, 400);
}

#[test]
fn a_line_has_the_positions_of_the_principal_variation() {
    let server = Server::start(&["--time-limit", "60"]);
    for (game, rules) in BOARDS {
        let asked = [rules, &[("limit", "4")]].concat();
        let line = server.get(&format!("/api/{game}/line?{}", query(&asked))).json();
        let moves = line["moves"].as_array().unwrap();
        assert_eq!((moves.len(), line["answers"].as_array().unwrap().len()), (4, 5), "{game}");
        let own = [("line", "4"), ("values", "no")];
        let answer = server.ask(game, &[rules, &own].concat()).json();
        assert_eq!(answer["principal_variation"], line["moves"]);
        for (at, answer) in line["answers"].as_array().unwrap().iter().enumerate() {
            assert_eq!(answer["played"], json!(moves[..at]), "{game}");
            assert_eq!(answer["value"], Value::Null);
        }
    }
}

#[test]
fn agents_move_as_they_do_in_the_library() {
    let (server, registry) = (Server::start(&["--time-limit", "60"]), Registry::standard());
    let games = server.get("/api/games").json();
    for (name, rules) in BOARDS {
        let session = engine(&registry, name, rules).session(None).unwrap();
        let game = games["games"].as_array().unwrap().iter().find(|game| game["name"] == name);
        for agent in game.unwrap()["agents"].as_array().unwrap() {
            let agent = agent["name"].as_str().unwrap();
            for seed in 1..4 {
                let text = seed.to_string();
                let asked = [rules, &[("agent", agent), ("seed", &text)]].concat();
                let reply = server.get(&format!("/api/{name}/move?{}", query(&asked)));
                let chosen = session.choose(agent, seed, None, &Monitor::default()).unwrap().mv;
                let expected = json!({
                    "move": chosen, "liked_by": session.liked_by(&chosen), "is_sure": true
                });
                assert_eq!(reply.json(), expected, "{name} {agent} {seed}");
            }
        }
    }
}

#[test]
fn records_come_back() {
    let server = Server::start(&[]);
    for (game, rules) in BOARDS {
        let first = server.ask(game, &[rules, &[("values", "no")]].concat()).json();
        let mv = first["moves"][0]["move"].as_str().unwrap();
        let asked = query(&[rules, &[("moves", mv)]].concat());
        let path = format!("/api/{game}/record");
        let record = server.get(&format!("{path}?{asked}")).json();
        let loaded = server.post(&path, record["record"].as_str().unwrap()).json();
        assert_eq!((&loaded["moves"], &loaded["at"]), (&json!([mv]), &json!(1)), "{game}");
        assert_eq!(loaded["position"], first["position"]);
        for (name, value) in rules {
            assert_eq!(loaded["rules"][name], *value);
        }
    }
}

#[test]
fn games_are_listed_with_options_and_agents() {
    let server = Server::start(&[]);
    let listed = server.get("/api/games").json();
    let listed = listed["games"].as_array().unwrap();
    let registry = Registry::standard();
    assert_eq!(listed.len(), registry.games().count());
    for (listed, game) in listed.iter().zip(registry.games()) {
        let name = &*game.info().name;
        assert_eq!(listed["name"], name);
        for (option, known) in listed["options"].as_array().unwrap().iter().zip(game.options()) {
            assert_eq!(option["parameter"], known.parameter());
            // The defaults are those of the answers.
            let answer = server.ask(name, &[("values", "no")]).json();
            assert_eq!(answer["rules"][known.parameter()], option["default"], "{name}");
        }
        let agents = listed["agents"].as_array().unwrap();
        assert_eq!(
            (&agents[0]["name"], listed["tablebases"].clone()),
            (&json!("random"), json!([]))
        );
        assert_eq!(agents.last().unwrap()["name"], "perfect");
    }
}
