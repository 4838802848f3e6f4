//! Answers without a server are those of the server.

use crate::answers::BOARDS;
use crate::server::{Server, query};
use bsq_api::requests::Local;
use bsq_api::{Monitor, Registry};
use serde_json::{Value, json};

/// The answer without its cost, which depends on the tables that are built.
fn comparable(mut answer: Value) -> Value {
    for one in answer.get_mut("answers").and_then(Value::as_array_mut).into_iter().flatten() {
        *one = comparable(one.take());
    }
    if let Some(keys) = answer.as_object_mut() {
        keys.shift_remove("cost");
    }
    answer
}

#[test]
fn local_answers_are_those_of_the_server() {
    let server = Server::start(&["--time-limit", "60"]);
    let mut local = Local::new(Registry::standard(), 256 << 20);
    let mut ask = |path: &str, body: Option<&str>| {
        let full = format!("/api/{path}");
        let reply = match body {
            None => server.get(&full),
            Some(body) => server.post(&full, body),
        };
        let own = local.answer(path, body, &Monitor::default());
        let own: Value = match own {
            Ok(found) => serde_json::from_str(&found).unwrap(),
            Err(error) => json!({ "error": error }),
        };
        assert_eq!(comparable(own), comparable(reply.json()), "{path} {body:?}");
        (reply.status, reply.json())
    };
    assert_eq!(ask("games", None).0, 200);
    for (game, rules) in BOARDS {
        let given = query(rules);
        let (status, start) = ask(&format!("{game}/position?{given}&values=yes&line=3"), None);
        assert_eq!(status, 200, "{start}");
        let first = start["moves"][0]["move"].as_str().unwrap();
        let moves = query(&[("moves", first)]);
        for path in [
            format!("{game}/position?{given}&{moves}"),
            format!("{game}/position?{given}&{moves}&values=no"),
            format!("{game}/line?{given}&{moves}&limit=5"),
            format!("{game}/move?{given}&{moves}&agent=random&seed=7"),
            format!("{game}/move?{given}&{moves}"),
            format!("{game}/puzzle?{given}&seed=5"),
        ] {
            let (status, found) = ask(&path, None);
            // A small board may have no puzzle.
            let may_fail = status == 422 && path.contains("/puzzle");
            assert!(status == 200 || may_fail, "{path}: {found}");
        }
        let (status, record) = ask(&format!("{game}/record?{given}&{moves}"), None);
        let text = record["record"].as_str().unwrap();
        assert_eq!((status, ask(&format!("{game}/record"), Some(text)).0), (200, 200));
        let rules: serde_json::Map<_, _> =
            rules.iter().map(|&(name, value)| (name.to_string(), value.into())).collect();
        let empty = json!({ "places": {}, "to_move": "second" });
        let positions = json!([{}, { "moves": first }, { "moves": "no move" }, empty]);
        let batch = json!({ "rules": rules, "line": 2, "positions": positions });
        let (status, found) = ask(&format!("{game}/position"), Some(&batch.to_string()));
        assert_eq!((status, found["answers"].as_array().unwrap().len()), (200, 4));
        assert_eq!(found["answers"][2]["error"]["location"], "moves");
        let rows =
            json!({ "rules": rules, "rows": true, "values": "value", "positions": positions });
        let (status, found) = ask(&format!("{game}/position"), Some(&rows.to_string()));
        let lines = found["rows"].as_array().unwrap().iter().map(|row| row["line"].as_u64());
        assert_eq!((status, lines.collect::<Vec<_>>()), (200, (1..=4).map(Some).collect()));
    }
    for (path, location) in [
        ("chess/position", ""),
        ("mnk/position?board=9x", "board"),
        ("mnk/position?colour=red", "colour"),
        ("mnk/position?k=3&k=4", "k"),
        ("mnk/position?values=all", "values"),
        ("mnk/position?line=201", "line"),
        ("mnk/line?limit=-1", "limit"),
        ("mnk/move?agent=nobody", "agent"),
        ("mnk/puzzle?task=lose", "task"),
        ("mnk/puzzle?level=0", "level"),
        ("mnk/puzzle?level=4", "level"),
        ("mnk/record?moves=a1,a1", "moves"),
        ("british-square/position?center_allowed=maybe", "center_allowed"),
        ("games?x=1", "x"),
    ] {
        let (status, found) = ask(path, None);
        assert!(status >= 400, "{path}");
        assert_eq!(found["error"]["location"].as_str().unwrap_or(""), location, "{path}: {found}");
    }
    for body in [
        "",
        "{}",
        "[",
        r#"{"positions": [], "line": 201}"#,
        r#"{"positions": [], "rules": {"z": "1"}}"#,
    ] {
        assert_eq!(ask("mnk/position", Some(body)).0, 400, "{body}");
    }
}

/// Engines that do not fit in the memory are created again.
#[test]
fn little_memory_changes_no_answer() {
    let [mut small, mut large] =
        [1 << 20, 256 << 20].map(|memory| Local::new(Registry::standard(), memory));
    for _ in 0..2 {
        for board in ["2x3", "3x3", "3x4", "4x4"] {
            let path = format!("british-square/position?board={board}");
            let [one, other] = [&mut small, &mut large]
                .map(|local| local.answer(&path, None, &Monitor::default()).unwrap());
            let parsed = |text: &str| comparable(serde_json::from_str(text).unwrap());
            assert_eq!(parsed(&one), parsed(&other), "{board}");
        }
    }
}

/// Without a server a search answers at once, where a table of the whole board would take a second.
#[test]
fn no_table_is_built_for_one_position() {
    let mut local = Local::new(Registry::standard(), 256 << 20);
    for _ in 0..2 {
        let found = local.answer("british-square/position", None, &Monitor::default()).unwrap();
        let found: Value = serde_json::from_str(&found).unwrap();
        assert_eq!(found["cost"]["kind"], "quick");
    }
}
