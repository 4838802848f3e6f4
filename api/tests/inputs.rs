//! The inputs of `tests/inputs/inputs.jsonl` as the library and the page read them.

use bsq_api::requests::Local;
use bsq_api::{Error, Monitor, Registry, Request, Resources, Session};
use serde_json::{Value, json};

const INPUTS: &str = include_str!("../../tests/inputs/inputs.jsonl");

/// The inputs, each with its game, its rules as names and values, and its text.
fn inputs() -> Vec<(Value, String)> {
    let inputs = INPUTS.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    inputs.map(|input| (input.clone(), text(&input["text"]))).collect()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_string()
}

fn rules(input: &Value) -> Vec<(String, String)> {
    let rules = input["rules"].as_object().unwrap();
    rules.iter().map(|(name, value)| (name.clone(), text(value))).collect()
}

fn parsed(reply: String) -> Value {
    serde_json::from_str(&reply).unwrap()
}

/// What is wrong with what was read, compared with what the input says.
fn check(input: &Value, found: Result<String, Error>) -> Option<String> {
    let is_right = match &found {
        Ok(position) => input["position"] == json!(position),
        Err(error) => input["error"].as_str().is_some_and(|said| error.to_string().contains(said)),
    };
    (!is_right).then(|| format!("{input}: {found:?}"))
}

#[test]
fn the_library_reads_them() {
    let (registry, resources) = (Registry::standard(), Resources::new(1 << 26));
    assert!(inputs().len() >= 120);
    let mut wrong = Vec::new();
    for (input, text) in inputs() {
        let game = registry.get(input["game"].as_str().unwrap()).unwrap();
        let given = rules(&input);
        let given: Vec<_> = given.iter().map(|(name, value)| (&**name, &**value)).collect();
        let opened = if input["file"] == true {
            game.load(&text, &given, &resources)
        } else {
            game.open(&given, Some(&text), &resources)
        };
        let position = |session: Box<dyn Session>| {
            Ok(session.answer(Request::default(), &Monitor::default())?.position)
        };
        wrong.extend(check(&input, opened.and_then(position)));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_page_reads_them() {
    let mut local = Local::new(Registry::standard(), 1 << 26);
    let mut wrong = Vec::new();
    for (input, text) in inputs() {
        let game = input["game"].as_str().unwrap();
        let mut ask = |rules: Vec<(String, String)>, position: &str, moves: &str| {
            let mut query = form_urlencoded::Serializer::new(String::new());
            query.extend_pairs(rules).append_pair("position", position);
            query.append_pair("moves", moves).append_pair("values", "no");
            let path = format!("{game}/position?{}", query.finish());
            Ok(self::text(&parsed(local.answer(&path, None, &Monitor::default())?)["position"]))
        };
        let position = if input["file"] == true {
            let loaded = Local::new(Registry::standard(), 1 << 26).answer(
                &format!("{game}/record"),
                Some(&text),
                &Monitor::default(),
            );
            loaded.map(parsed).and_then(|loaded| {
                let moves = loaded["moves"].as_array().unwrap().iter().map(self::text);
                let moves = moves.collect::<Vec<_>>().join(" ");
                let rules = json!({ "rules": loaded["rules"] });
                ask(self::rules(&rules), loaded["position"].as_str().unwrap(), &moves)
            })
        } else {
            ask(rules(&input), &text, "")
        };
        wrong.extend(check(&input, position));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
