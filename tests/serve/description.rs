//! Compares `openapi.json` with the running server.

use crate::server::{Reply, Server, Tablebase, query};
use serde_json::{Value, json};

const WRITTEN: &str = include_str!("../../src/serve/openapi.json");

fn document() -> Value {
    serde_json::from_str(WRITTEN).unwrap()
}

/// Resolves a JSON pointer that begins with `#`.
fn follow<'a>(document: &'a Value, value: &'a Value) -> &'a Value {
    match value.get("$ref").and_then(Value::as_str) {
        Some(pointer) => document.pointer(&pointer[1..]).unwrap_or_else(|| panic!("no {pointer}")),
        None => value,
    }
}

fn operation<'a>(document: &'a Value, path: &str) -> &'a Value {
    &document["paths"][path]["get"]
}

/// Checks the status and the body of an answer against what is documented for a path.
fn check(document: &Value, path: &str, reply: &Reply, asked: &str) {
    let status = reply.status.to_string();
    let known = operation(document, path)["responses"].get(&status);
    let known = known.unwrap_or_else(|| panic!("{asked}: status {status} is not documented"));
    let known = follow(document, known);
    for (name, header) in known.get("headers").and_then(Value::as_object).into_iter().flatten() {
        let found = reply.header(&name.to_lowercase());
        assert!(!found.is_empty(), "{asked}: no {name}");
        if let Some(example) = header.get("example").or(header["schema"].get("const")) {
            assert_eq!(found, example, "{asked}: {name}");
        }
    }
    let mut schema = known["content"]["application/json"]["schema"].clone();
    schema["components"] = document["components"].clone();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let body = reply.json();
    let errors: Vec<String> = validator
        .iter_errors(&body)
        .map(|error| format!("{} at {}", error, error.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{asked}: {errors:?}");
}

fn parameters<'a>(document: &'a Value, path: &str) -> impl Iterator<Item = &'a Value> {
    operation(document, path)["parameters"].as_array().into_iter().flatten()
}

/// Each example of each parameter: name and value.
fn examples(document: &Value, path: &str) -> Vec<(String, String)> {
    let of_one = |parameter: &Value| -> Vec<(String, String)> {
        let name = parameter["name"].as_str().unwrap().to_string();
        let examples = parameter["examples"].as_object().expect("examples").values();
        let text = |value: &Value| value.as_str().map_or(value.to_string(), str::to_string);
        examples.map(|example| (name.clone(), text(&example["value"]))).collect()
    };
    parameters(document, path).flat_map(of_one).collect()
}

#[test]
fn it_is_served_as_written_and_names_this_version() {
    let server = Server::start(&[]);
    assert_eq!(server.get("/api/openapi.json").body, WRITTEN);
    let document = document();
    assert_eq!(document["info"]["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(serde_json::to_string_pretty(&document).unwrap() + "\n", WRITTEN, "indented");
}

#[test]
fn answers_and_refusals_are_as_described() {
    let database = Tablebase::of("4x6", "1");
    let server = Server::start(&["--time-limit", "20", "--db", &database.path()]);
    let document = document();
    for path in document["paths"].as_object().unwrap().keys() {
        check(&document, path, &server.get(path), path);
        for (name, value) in examples(&document, path) {
            let asked = format!("{path}?{}", query(&[(&name, &value)]));
            let reply = server.get(&asked);
            assert_eq!(reply.status, 200, "{name}={value}: {}", reply.body);
            check(&document, path, &reply, &format!("{name}={value}"));
        }
        let stranger = server.get(&format!("{path}?stranger=1"));
        assert_eq!(stranger.status, 400, "{path}");
        check(&document, path, &stranger, path);
        check(&document, path, &server.request("POST", path, ""), path);
        let body = server.request("GET", path, "Content-Length: 2000\r\n");
        assert_eq!(body.status, 413, "{path}");
        check(&document, path, &body, path);
    }
}

#[test]
fn unusual_positions_are_as_described() {
    let server = Server::start(&["--time-limit", "1"]);
    let document = document();
    let cases = [
        ("board=1x3&center_allowed=true&moves=2&heuristic=any", 200), // must pass
        ("board=1x3&center_allowed=true&moves=2+pass+1+pass+3&heuristic=any", 200), // is over
        ("board=8x8&values=false&heuristic=greedy&moves=1+64", 200),
        ("board=2x32&values=false&bias=64", 200),
        ("board=4x4&pieces=2", 200),
        ("board=9x9", 422),
        ("board=6x6&pieces=3", 422),
        ("moves=99", 400),
        ("board=7x8&moves=1", 503),
    ];
    for (query, status) in cases {
        let path = "/api/british-square";
        let reply = server.get(&format!("{path}?{query}"));
        assert_eq!(reply.status, status, "{query}: {}", reply.body);
        check(&document, path, &reply, query);
    }
}

#[test]
fn unusual_positions_of_rpsw_are_as_described() {
    let database = Tablebase::of("3x4", "2");
    let server = Server::start(&["--db", &database.path()]);
    let document = document();
    let cases = [
        ("", 200),
        ("position=R../..r/.../...+second", 200),
        ("position=.../.../P../...+second", 200),
        ("position=r../.../.../R..+first&moves=a1a2,a4a3", 200),
        ("position=r../.../.../R..+first&line=3", 200),
        ("moves=a1a4", 400),
    ];
    for (query, status) in cases {
        let reply = server.get(&format!("/api/rpsw?{query}"));
        assert_eq!(reply.status, status, "{query}: {}", reply.body);
        check(&document, "/api/rpsw", &reply, query);
    }
    drop(server);
    let without = Server::start(&[]);
    for (path, status) in [("/api/rpsw", 404), ("/api/games", 200)] {
        let reply = without.get(path);
        assert_eq!(reply.status, status, "{path}: {}", reply.body);
        check(&document, path, &reply, path);
    }
}

/// Ranges and lengths are those of the server.
#[test]
fn ranges_are_as_described() {
    let server = Server::start(&[]);
    let document = document();
    let path = "/api/british-square";
    for parameter in parameters(&document, path) {
        let (name, schema) = (parameter["name"].as_str().unwrap(), &parameter["schema"]);
        let status = |value: String| server.ask(&[("values", "false"), (name, &value)]).status;
        if let Some(least) = schema["minimum"].as_i64() {
            assert_eq!([least, least - 1].map(|n| status(n.to_string())), [200, 400], "{name}");
        }
        if let Some(most) = schema["maximum"].as_i64() {
            assert_eq!([most, most + 1].map(|n| status(n.to_string())), [200, 400], "{name}");
        }
        if let Some(most) = schema["maxLength"].as_u64() {
            let error = |length: u64| server.ask(&[(name, &"?".repeat(length as usize))]).error();
            assert!(error(most + 1).contains(&format!("longer than {most} bytes")), "{name}");
            assert!(!error(most).contains("longer than"), "{name}");
        }
        if schema["type"] == "boolean" && name != "values" {
            let statuses = ["true", "false", "1"].map(|value| status(value.to_string()));
            assert_eq!(statuses, [200, 200, 400], "{name}");
        }
    }
    let usual = server.get(path).json();
    for parameter in parameters(&document, path) {
        let name = parameter["name"].as_str().unwrap();
        let default = &parameter["schema"]["default"];
        match name {
            "board" | "center_allowed" | "bias" => assert_eq!(usual["rules"][name], *default),
            "moves" => assert_eq!(*default, json!("")),
            "values" => assert_eq!(*default, json!(true)),
            _ => assert_eq!(*default, Value::Null, "{name}"),
        }
    }
}

/// A field without a description is detected at any depth.
#[test]
fn every_object_is_described_in_full() {
    fn check(value: &Value, at: &str) {
        if let Value::Object(fields) = value {
            if fields.contains_key("properties") && !at.starts_with("/paths") {
                assert_eq!(fields["additionalProperties"], json!(false), "{at}");
            }
            for (name, field) in fields {
                check(field, &format!("{at}/{name}"));
            }
        }
    }
    check(&document(), "");
}
