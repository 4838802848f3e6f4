//! Tests invalid requests, which receive a status and an error.

use crate::server::Server;

#[test]
fn invalid_requests_are_refused_with_the_part_that_is_wrong() {
    let server = Server::start(&[]);
    let long = format!("moves={}", "1+".repeat(1500));
    let wide = format!("position={}", ".".repeat(1900));
    let cases: [(&str, &str, u16, &str, &[&str]); 36] = [
        (
            "british-square",
            "bord=5x5",
            400,
            "bord",
            &["'bord' is not a parameter", "board, center_allowed"],
        ),
        ("british-square", "Board=5x5", 400, "Board", &["is not a parameter"]),
        ("british-square", "=1", 400, "", &["'' is not a parameter"]),
        ("british-square", "board=5x5&board=5x5", 400, "board", &["board is given twice"]),
        ("british-square", "board=", 400, "board", &[]),
        ("british-square", "board=-1x5", 400, "board", &[]),
        ("british-square", "board=99999999999999999999x1", 400, "board", &[]),
        (
            "british-square",
            "board=9x9",
            400,
            "board",
            &["a 9x9 board is too large", "at most 64 cells"],
        ),
        ("british-square", "bias=two", 400, "bias", &["'two'"]),
        ("british-square", "bias=65", 400, "bias", &[]),
        ("british-square", "pieces=0", 400, "pieces", &[]),
        ("british-square", "center_allowed=maybe", 400, "center_allowed", &["'maybe'"]),
        ("british-square", "values", 400, "values", &["'' is not one of yes, value and no"]),
        ("british-square", "line=201", 400, "line", &["'201' is not an integer from 0 to 200"]),
        ("british-square", "line=-1", 400, "line", &["'-1'"]),
        ("british-square", "position=", 400, "position", &["no position was given"]),
        (
            "british-square",
            "position=...../...../..Z../...../.....",
            400,
            "position",
            &["'Z' at character 15"],
        ),
        ("british-square", "moves=26", 400, "moves", &["'26'", "from 1 to 25"]),
        ("british-square", "moves=8+8", 400, "moves", &["8 (c2) is not legal here"]),
        ("british-square", "moves=%ff", 400, "moves", &["\u{fffd}"]),
        ("british-square", &long, 400, "moves", &["longer than 2000 bytes"]),
        ("british-square", "pieces=9&board=6x6", 400, "", &["up to 25 cells"]),
        ("dots", "board=wide", 400, "board", &["'wide'"]),
        ("dots", "board=9x9", 400, "board", &["180 lines"]),
        ("dots", "variant=odd", 400, "variant", &["standard, icelandic, swedish"]),
        ("dots", "penalty=1001", 400, "penalty", &[]),
        ("dots", "position=../...../..+C", 400, "position", &["'C'"]),
        ("dots", "position=./.A./.+A", 400, "position", &["a box that is not closed"]),
        ("dots", "moves=a1-c1", 400, "moves", &["a1 and c1 are not neighbours"]),
        ("rpsw", "position=x../.../.../R..+first", 400, "position", &[]),
        ("rpsw", "board=4x3&pieces=2&moves=a1a4", 400, "moves", &["a1a4 is not legal here"]),
        ("rpsw", "moves=a1a2", 422, "", &["6.2 GiB"]),
        ("rpsw", &wide, 400, "position", &["..."]),
        ("mnk", "k=0", 400, "k", &[]),
        ("mnk", "moves=z9", 400, "moves", &[]),
        ("mnk", "moves=a1+a1", 400, "moves", &[]),
    ];
    for (game, query, status, location, phrases) in cases {
        let reply = server.get(&format!("/api/{game}/position?{query}"));
        assert_eq!(reply.status, status, "{query}: {}", reply.body);
        let (code, place, message) = reply.error();
        assert_eq!(code, if status == 400 { "invalid" } else { "refused" }, "{query}");
        assert_eq!(place, location, "{query}: {message}");
        for phrase in phrases {
            assert!(message.contains(phrase), "{query}: no '{phrase}' in '{message}'");
        }
        assert!(message.chars().count() <= 603, "{query}: '{message}' is long");
        assert!(!message.contains("--"), "{query}: '{message}' speaks of the command line");
    }
    let agent = server.get("/api/british-square/move?agent=most+clame");
    let (_, location, message) = agent.error();
    assert_eq!((agent.status, location.as_str()), (400, "agent"));
    assert!(message.contains("did you mean 'claim'?"), "{message}");
    assert_eq!(server.get("/api/mnk/move?seed=x").error().1, "seed");
}

#[test]
fn invalid_batches_and_records_are_refused() {
    let server = Server::start(&[]);
    let many = format!("{{\"positions\":[{}]}}", vec!["{}"; 501].join(","));
    for (path, body, status, location, phrase) in [
        ("position", "", 400, "", "invalid JSON"),
        ("position", "{}", 400, "", "missing field `positions`"),
        ("position", "{\"position\":1}", 400, "", "unknown field"),
        ("position", "{\"rules\":{\"size\":\"3\"},\"positions\":[]}", 400, "rules", "board, k"),
        ("position", "{\"line\":201,\"positions\":[]}", 400, "line", "more than 200"),
        ("position", &many, 400, "positions", "at most 500"),
        ("position", "[{},\"no\",0,[]]", 400, "", "expected an object"),
        ("position", "{\"positions\":[[\".../.../...\"]]}", 400, "", "expected an object"),
        ("position", &" ".repeat((1 << 20) + 1), 413, "", "1048576 bytes"),
        ("record", "moves: z9", 400, "record", "z9"),
        ("record", "", 400, "record", "there is no game here"),
    ] {
        let reply = server.post(&format!("/api/mnk/{path}"), body);
        assert_eq!(reply.status, status, "{}", reply.body);
        let (_, found, message) = reply.error();
        assert_eq!(found, location, "{message}");
        assert!(message.contains(phrase), "no '{phrase}' in '{message}'");
    }
    // The limits of texts are those of parameters.
    let long = "a1,".repeat(1000);
    for (name, text) in [("moves", &long), ("position", &long)] {
        let reply = server
            .post("/api/mnk/position", &format!("{{\"positions\":[{{\"{name}\":\"{text}\"}}]}}"));
        let error = &reply.json()["answers"][0]["error"];
        assert_eq!(
            (&error["location"], &error["message"]),
            (&name.into(), &"longer than 2000 bytes".into())
        );
    }
    let empty = server.post("/api/mnk/position", "{\"positions\":[]}");
    assert_eq!(empty.body, "{\"answers\":[]}");
}

#[test]
fn other_methods_are_refused() {
    let server = Server::start(&[]);
    for (path, allowed) in [
        ("/api/games", "GET,HEAD"),
        ("/api/openapi.json", "GET,HEAD"),
        ("/api/mnk/line", "GET,HEAD"),
        ("/api/mnk/position", "GET,HEAD,POST"),
        ("/metrics", "GET,HEAD"),
    ] {
        for method in ["PUT", "DELETE", "OPTIONS", "BREW"] {
            let reply = server.request(method, path, "");
            assert_eq!(reply.status, 405, "{method} {path}");
            assert_eq!(reply.header("allow"), allowed, "{method} {path}");
            assert_eq!(reply.error().0, "invalid");
        }
    }
    assert_eq!(server.request("POST", "/main.js", "").status, 404);
}

#[test]
fn unknown_paths_are_refused() {
    let server = Server::start(&[]);
    let long = format!("/{}", "a".repeat(5000));
    for path in [
        "/api",
        "/api/",
        "/api/chess",
        "/api/mnk",
        "/api/heuristics",
        "/api/chess/position",
        "/api/mnk/",
        "/%00",
        "//",
        "/api/../x",
        &long,
    ] {
        let reply = server.request("GET", path, "");
        assert_eq!(reply.status, 404, "{path}");
        assert!(reply.error().2.len() < 700, "{path}");
    }
}

#[test]
fn malformed_http_does_no_harm() {
    let server = Server::start(&[]);
    let long = format!("GET /{} HTTP/1.1\r\n\r\n", "a".repeat(100_000));
    assert_eq!(server.send(long.as_bytes()).status, 431);
    assert_eq!(server.send(b"GET /\xff HTTP/1.1\r\n\r\n").status, 400);
    assert_eq!(server.send(b"\x16\x03\x01\r\n\r\n").status, 400);
    assert_eq!(server.get("/api/games").status, 200);
}

#[test]
fn browsers_get_the_page_for_an_unknown_name() {
    let server = Server::start(&[]);
    let page = server.request("GET", "/chess", "Accept: text/html,*/*;q=0.8\r\n");
    assert_eq!(page.status, 404);
    assert!(page.body.starts_with("<!doctype html>"), "{}", page.body);
    for (path, lines) in [
        ("/chess", ""),
        ("/chess.js", "Accept: text/html\r\n"),
        ("/api/chess", "Accept: text/html\r\n"),
    ] {
        let refused = server.request("GET", path, lines);
        assert_eq!(refused.status, 404);
        assert!(refused.body.starts_with("{\"error\""), "{path}: {}", refused.body);
    }
}
