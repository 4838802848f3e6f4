//! Compares the OpenAPI document with the running server.

use crate::answers::BOARDS;
use crate::server::{Reply, Server, query};
use bsq_api::requests::asked_for;
use serde_json::{Value, json};

fn document(server: &Server) -> Value {
    server.get("/api/openapi.json").json()
}

/// Checks an answer against the schema of its path, method and status.
fn check(document: &Value, path: &str, method: &str, reply: &Reply) {
    let responses = &document["paths"][path][method]["responses"];
    let response = match reply.status / 100 {
        2 => &responses["200"],
        class => &responses[format!("{class}XX")],
    };
    let mut schema = response["content"]["application/json"]["schema"].clone();
    assert!(schema.is_object(), "{path} {method} {}", reply.status);
    schema["components"] = document["components"].clone();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let body = reply.json();
    let errors: Vec<String> = validator
        .iter_errors(&body)
        .map(|error| format!("{error} at {}", error.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{path}: {errors:?}");
}

#[test]
fn the_document_is_openapi_3_1() {
    let text = Server::start(&[]).get("/api/openapi.json").body;
    let parsed = oas3::from_json(&text).unwrap();
    assert_eq!(parsed.info.version, env!("CARGO_PKG_VERSION"));
    let operations: Vec<_> = parsed.operations().collect();
    let registry = bsq_api::Registry::standard();
    let analyses = registry.games().map(|game| 1 + asked_for(game).count());
    assert_eq!(operations.len(), 1 + 4 * 7 + analyses.sum::<usize>());
    for (path, _, operation) in operations {
        assert!(operation.responses(&parsed).contains_key("200"), "{path}");
    }
}

/// Clients may rely on every key of an answer. Those of a request may be left out.
#[test]
fn all_keys_of_answers_are_required() {
    let document = document(&Server::start(&[]));
    let keys = |keys: &[&str], schema: &str| {
        let mut schema = document["components"]["schemas"][schema].clone();
        let found = ["properties", "required"].map(|list| match schema[list].take() {
            Value::Object(properties) => properties.into_iter().map(|(name, _)| name).collect(),
            list => serde_json::from_value::<Vec<String>>(list).unwrap_or_default(),
        });
        let [mut properties, mut required] = found;
        properties.retain(|name| !keys.contains(&name.as_str()));
        properties.sort();
        required.sort();
        assert_eq!(properties, required, "{schema}");
    };
    keys(&["rules", "rows", "values", "line", "time"], "Batch");
    keys(&["position", "places", "to_move", "moves"], "BatchPosition");
    for schema in document["components"]["schemas"].as_object().unwrap().keys() {
        if !["Batch", "BatchPosition"].contains(&schema.as_str()) {
            keys(&[], schema);
        }
    }
}

#[test]
fn answers_are_as_described() {
    let server = Server::start(&["--time-limit", "60"]);
    let document = document(&server);
    check(&document, "/api/games", "get", &server.get("/api/games"));
    for (game, rules) in BOARDS {
        for (route, own) in [
            ("position", ("line", "2")),
            ("line", ("limit", "2")),
            ("move", ("seed", "1")),
            ("puzzle", ("seed", "1")),
            ("record", ("moves", "")),
        ] {
            let path = format!("/api/{game}/{route}");
            let reply = server.get(&format!("{path}?{}", query(&[rules, &[own]].concat())));
            // A small board may have no puzzle.
            let is_refused = reply.status == 422 && route == "puzzle";
            assert!(reply.status == 200 || is_refused, "{path}: {}", reply.body);
            check(&document, &path, "get", &reply);
            let reply = server.get(&format!("{path}?stranger=1"));
            assert_eq!(reply.status, 400, "{path}");
            check(&document, &path, "get", &reply);
        }
        let batch = json!({ "positions": [{}, { "moves": "nonsense" }], "values": "no" });
        let own: serde_json::Map<String, Value> =
            rules.iter().map(|(name, value)| (name.to_string(), json!(value))).collect();
        let two = json!([{}, { "moves": "nonsense" }]);
        let rows = json!({ "positions": two, "rules": own, "rows": true });
        let record = server.get(&format!("/api/{game}/record")).json();
        for (route, body) in [
            ("position", &*batch.to_string()),
            ("position", &*rows.to_string()),
            ("record", record["record"].as_str().unwrap()),
        ] {
            let path = format!("/api/{game}/{route}");
            for body in [body, "{"] {
                let reply = server.post(&path, body);
                assert_eq!(reply.status, if body == "{" { 400 } else { 200 }, "{}", reply.body);
                check(&document, &path, "post", &reply);
            }
        }
    }
}

/// Ranges and defaults of parameters are those of the server.
#[test]
fn parameters_are_as_described() {
    let server = Server::start(&[]);
    let document = document(&server);
    for (path, item) in document["paths"].as_object().unwrap() {
        for parameter in item["get"]["parameters"].as_array().unwrap() {
            let (name, schema) = (parameter["name"].as_str().unwrap(), &parameter["schema"]);
            let invalid = |value: &str| {
                // Without values, so that only the parameter is checked.
                let values =
                    if path.ends_with("/position") && name != "values" { "&values=no" } else { "" };
                let reply = server.get(&format!("{path}?{}{values}", query(&[(name, value)])));
                reply.status == 400 && reply.error().1 == name
            };
            for (bound, beyond) in [("minimum", -1), ("maximum", 1)] {
                let Some(number) = schema[bound].as_i64() else { continue };
                assert!(invalid(&(number + beyond).to_string()), "{path} {name} {number}");
            }
            if let Some(most) = schema["maxLength"].as_u64() {
                assert!(invalid(&"?".repeat(most as usize + 1)), "{path} {name}");
            }
            for word in schema["enum"].as_array().into_iter().flatten() {
                assert!(!invalid(word.as_str().unwrap()), "{path} {name} {word}");
            }
            if schema.get("enum").is_some() {
                assert!(invalid("nonsense"), "{path} {name}");
            }
        }
    }
}
