//! Every analysis of every game gives the same tables and totals through the command, the library
//! and the server.

use crate::server::{Server, bsq, query};
use bsq_api::requests::{Local, asked_for};
use bsq_api::{Analysis, Game, Monitor, Registry, tables};
use serde_json::{Value, json};

/// Options of small rules; an analysis gets those that it has.
const SMALL: [(&str, &[(&str, &str)]); 4] = [
    ("british-square", &[("board", "3x3"), ("bias", "1"), ("to", "5"), CONDITION, BY]),
    ("dots", &[("board", "2x2"), ("lines", "12"), ("depth", "4"), CONDITION, BY]),
    ("mnk", &[("board", "3x3"), ("k", "3"), ("depth", "5"), CONDITION, BY]),
    ("rpsw", &[("board", "3x3"), ("pieces", "1"), ("depth", "5"), CONDITION, BY]),
];

/// A query of any game.
const CONDITION: (&str, &str) = ("condition", "best_moves < legal_moves");
const BY: (&str, &str) = ("by", "terminal,legal_moves / 2");

/// The options of small rules that an analysis has.
fn small(game: &dyn Game, analysis: &Analysis) -> Vec<(&'static str, &'static str)> {
    let (_, options) = SMALL.iter().find(|(name, _)| *name == game.info().name).unwrap();
    options.iter().copied().filter(|(name, _)| analysis.option(name).is_some()).collect()
}

/// The tables of the library as JSON, and the rules; or the error.
fn of_library(analysis: &Analysis, given: &[(&str, &str)]) -> Result<Value, String> {
    let job = analysis.prepare(given, None).map_err(|error| error.to_string())?;
    let found = job.run(&Monitor::default()).map_err(|error| error.to_string())?;
    let found: Vec<Value> = found.iter().map(tables::json::table).collect();
    Ok(json!({ "rules": job.described().fields, "tables": found }))
}

/// The same from the command.
fn of_command(game: &str, analysis: &str, given: &[(&str, &str)]) -> Result<Value, String> {
    let mut command = bsq();
    // The condition of a query has no flag.
    let (conditions, given): (Vec<_>, Vec<_>) =
        given.iter().partition(|(name, _)| *name == "condition");
    let verb: &[&str] = if analysis == "query" { &["query"] } else { &["analyze", analysis] };
    command.arg(game).args(verb).args(conditions.into_iter().map(|(_, text)| text));
    command.args(["--format", "json", "--quiet"]);
    for (name, value) in given {
        command.args([&*format!("--{}", name.replace(' ', "-")), value]);
    }
    let output = command.output().unwrap();
    if !output.status.success() {
        return Err(String::from_utf8(output.stderr).unwrap());
    }
    let mut answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(answer.as_object_mut().unwrap().remove("command").is_some());
    Ok(answer)
}

#[test]
fn every_analysis_is_the_same_everywhere() {
    let server = Server::start(&[]);
    let mut local = Local::new(Registry::standard(), 64 << 20);
    let (mut compared, mut unanswered) = (0, Vec::new());
    let registry = Registry::standard();
    for game in registry.games() {
        let name = &*game.info().name;
        for analysis in asked_for(game) {
            let given = small(game, analysis);
            let parameters: Vec<(String, &str)> =
                given.iter().map(|(name, value)| (name.replace(' ', "_"), *value)).collect();
            let parameters: Vec<(&str, &str)> =
                parameters.iter().map(|(name, value)| (name.as_str(), *value)).collect();
            let path = format!("{name}/analyses/{}?{}", analysis.name(), query(&parameters));
            let (reply, case) = (server.get(&format!("/api/{path}")), path.clone());
            let local = local.answer(&path, None, &Monitor::default());
            let local = local.map(|text| serde_json::from_str::<Value>(&text).unwrap());
            let local = local.map_err(|error| error.to_string());
            let found = of_command(name, analysis.name(), &given);
            match of_library(analysis, &given) {
                Ok(wanted) => {
                    assert_eq!(found.as_ref(), Ok(&wanted), "{case}");
                    assert_eq!(reply.json(), wanted, "{case}");
                    assert_eq!(local.as_ref(), Ok(&wanted), "{case}");
                    assert!(wanted["tables"][0]["rows"].is_array(), "{case}");
                    compared += 1;
                }
                Err(error) => {
                    assert!(found.unwrap_err().contains(&error), "{case}: {error}");
                    assert_eq!(reply.error().2, error, "{case}");
                    assert_eq!(local, Err(error), "{case}");
                    unanswered.push(analysis.name());
                }
            }
        }
    }
    // Play of rock-paper-scissors-well need not end.
    assert_eq!(unanswered, ["playouts", "agents"]);
    assert!(compared >= 34, "{compared}");
}

/// A tablebase is a file of this machine, so that the server has no analyses of one.
#[test]
fn analyses_of_a_tablebase_are_those_of_the_command() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("small.db").display().to_string();
    let mut build = bsq();
    build.args(["rpsw", "tablebase", "build", &path, "--board", "4x4", "--pieces", "1", "-q"]);
    assert!(build.output().unwrap().status.success());
    let registry = Registry::standard();
    let game = registry.get("rpsw").unwrap();
    let server = Server::start(&[]);
    let mut compared = 0;
    for analysis in game.analyses().iter().filter(|one| one.option("tablebase").is_some()) {
        let given = [("tablebase", path.as_str())];
        match (of_library(analysis, &given), of_command("rpsw", analysis.name(), &given)) {
            (Ok(wanted), Ok(found)) => {
                assert_eq!(found, wanted);
                compared += 1;
            }
            (Err(error), Err(found)) => assert!(found.contains(&error), "{found}"),
            different => panic!("{}: {different:?}", analysis.name()),
        }
        let reply = server.get(&format!("/api/rpsw/analyses/{}", analysis.name()));
        assert_eq!(reply.status, 404);
    }
    assert_eq!(compared, 2); // `arrangements` needs four pieces
}

#[test]
fn analyses_are_listed_with_their_parameters() {
    let server = Server::start(&[]);
    let listed = server.get("/api/british-square/analyses").json();
    let listed = listed["analyses"].as_array().unwrap();
    let states = listed.iter().find(|one| one["name"] == "states").unwrap();
    let names: Vec<&str> = states["options"]
        .as_array()
        .unwrap()
        .iter()
        .map(|option| option["parameter"].as_str().unwrap())
        .collect();
    let rules = ["board", "center_allowed", "bias", "pieces"];
    assert_eq!(names, [&rules[..], &["method", "position", "moves"]].concat());
    for one in listed {
        assert!(!one["summary"].as_str().unwrap().is_empty());
    }
}

#[test]
fn what_takes_longer_is_refused_with_its_command() {
    let server = Server::start(&[]);
    let (code, location, message) = server.get("/api/british-square/analyses/heuristics").error();
    assert_eq!((code.as_str(), location.as_str()), ("refused", ""));
    assert!(message.contains("run 'bsq analyze heuristics'"), "{message}");
    let (_, _, message) =
        server.get("/api/british-square/analyses/states?board=8x8&bias=2&method=sets").error();
    assert!(message.ends_with("run 'bsq analyze states --board 8x8 --bias 2'"));
    let (_, _, message) = server.get("/api/mnk/analyses/positions?board=5x5&k=4").error();
    assert!(message.contains("perhaps hours"), "{message}");
    // Boards whose time is not that of their cells: a reflection leaves many sets unchanged, and a
    // limit on pieces takes a strong solution.
    for slow in ["states?board=1x60", "terminals?board=3x16", "variants?board=1x23"] {
        let (_, _, message) = server.get(&format!("/api/british-square/analyses/{slow}")).error();
        assert!(message.starts_with("this takes about "), "{slow}: {message}");
    }
}

/// A condition in an address, and the command of a query that takes longer.
#[test]
fn queries_have_answers() {
    let server = Server::start(&[]);
    let parameters = [("condition", "terminal and outcome = tie"), ("sum", "orbit_size")];
    let reply = server.get(&format!("/api/mnk/analyses/query?{}", query(&parameters)));
    assert_eq!(reply.json()["tables"][0]["rows"], json!([{ "sum_orbit_size": 16 }]));
    let parameters = [("condition", "best_moves = 1"), ("by", "ply")];
    let slow = server.get(&format!("/api/british-square/analyses/query?{}", query(&parameters)));
    let (code, _, message) = slow.error();
    assert_eq!(code, "refused");
    assert!(message.ends_with("run 'bsq query 'best_moves = 1' --by ply'"), "{message}");
    let wrong = server.get(&format!("/api/mnk/analyses/query?{}", query(&[("condition", "plie")])));
    assert_eq!((wrong.status, wrong.error().1.as_str()), (400, "condition"));
    let file = server.get("/api/rpsw/analyses/query?condition=true&tablebase=x.db");
    assert_eq!((file.status, file.error().1.as_str()), (400, "tablebase"));
}

#[test]
fn wrong_requests_of_analyses_are_located() {
    let server = Server::start(&[]);
    let unknown = server.get("/api/mnk/analyses/nothing");
    assert_eq!(unknown.status, 404);
    assert!(unknown.error().2.contains("there is no analysis 'nothing'; there are positions"));
    for (query, location) in [
        ("states?board=9x9", "board"),
        ("states?method=closed-form", "method"),
        ("states?memory=1GiB", "memory"),
        ("boards?pieces=3", "pieces"),
        ("states?bias=x", "bias"),
    ] {
        let reply = server.get(&format!("/api/british-square/analyses/{query}"));
        assert_eq!((reply.status, reply.error().1.as_str()), (400, location), "{query}");
    }
}
