//! Tests invalid requests, which receive a status and a message.

use crate::server::Server;

#[test]
fn what_cannot_be_meant_is_refused_in_a_sentence() {
    let server = Server::start(&["--max-cells", "36"]);
    let long = format!("moves={}", "1+".repeat(1500));
    let cases: [(&str, u16, &[&str]); 36] = [
        (
            "bord=5x5",
            400,
            &["'bord' is no parameter", "there are board, center_allowed", "and heuristic"],
        ),
        ("Board=5x5", 400, &["'Board' is no parameter"]),
        ("=1", 400, &["'' is no parameter"]),
        ("board=5x5&board=5x5", 400, &["board is given twice"]),
        ("board=", 400, &["board: '' is not a board", "such as 5x5"]),
        ("board=5", 400, &["board: '5' is not a board"]),
        ("board=-1x5", 400, &["board: '-1x5' is not a board"]),
        ("board=99999999999999999999x1", 400, &["is not a board"]),
        ("board=0x5", 400, &["board: a 0x5 board has no cells"]),
        ("board=9x9", 422, &["board: a 9x9 board is too large", "at most 64 cells"]),
        ("board=4294967296x4294967296", 422, &["is too large"]),
        ("board=7x7", 422, &["board: a 7x7 board is too large for this server", "up to 36 cells"]),
        ("bias=two", 400, &["bias: 'two' is no whole number from -64 to 64"]),
        ("bias=65", 400, &["bias: '65' is no whole number from -64 to 64"]),
        ("bias=-99999999999999999999", 400, &["bias: '-99999999999999999999' is no whole number"]),
        ("pieces=0", 400, &["pieces: '0' is no whole number from 1 to 64"]),
        ("pieces=-1", 400, &["pieces: '-1'"]),
        ("pieces=1.5", 400, &["pieces: '1.5'"]),
        ("pieces=9&board=6x6", 422, &["up to 25 cells", "values=false"]),
        ("pieces=12&board=1x25", 422, &["a 1x25 board has too many states", "values=false"]),
        ("center_allowed=yes", 400, &["center_allowed: 'yes' is neither true nor false"]),
        ("values", 400, &["values: '' is neither true nor false"]),
        ("position=", 400, &["position: no position was given"]),
        (
            "position=...../...../..Z../...../.....",
            400,
            &["position: 'Z' at character 15 is no cell"],
        ),
        (
            "position=XO.../...../...../...../.....+X",
            400,
            &["position: no game reaches", "share a side"],
        ),
        ("position=...../...../..X../...../.....+O", 400, &["centre", "center_allowed=true"]),
        ("moves=26", 400, &["moves: '26' is no tile", "from 1 to 25"]),
        ("moves=8+8", 400, &["moves: 8 (c2) is not legal here: the tile is taken"]),
        ("moves=pass", 400, &["moves: pass is not legal", "may not pass"]),
        ("board=1x1&center_allowed=true&moves=1+1", 400, &["the game is over"]),
        (
            "heuristic=most+clame",
            400,
            &[
                "heuristic: 'clame' is no feature",
                "did you mean 'claim'?\n  most clame\n       ^^^^^",
            ],
        ),
        ("heuristic=", 400, &["heuristic: a list needs a rule"]),
        ("moves=%zz", 400, &["moves: a % in '%zz' is not followed by two hexadecimal digits"]),
        ("moves=%2", 400, &["write %25 for the sign itself"]),
        ("moves=%ff", 400, &["moves: '%ff' is not UTF-8"]),
        (&long, 400, &["moves: longer than 2000 bytes"]),
    ];
    for (query, status, phrases) in cases {
        let reply = server.get(&format!("/api/british-square?{query}"));
        assert_eq!(reply.status, status, "{query}: {}", reply.body);
        let error = reply.error();
        for phrase in phrases {
            assert!(error.contains(phrase), "{query}: no '{phrase}' in '{error}'");
        }
        assert!(!error.contains("--"), "{query}: '{error}' speaks of the command line");
    }
}

#[test]
fn only_get_and_head_are_understood() {
    let server = Server::start(&[]);
    for path in [
        "/",
        "/rpsw",
        "/dots",
        "/api/british-square",
        "/api/rpsw",
        "/api/dots",
        "/api/games",
        "/api/heuristics",
        "/api/openapi.json",
    ] {
        for method in ["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "BREW"] {
            let reply = server.request(method, path, "");
            assert_eq!(reply.status, 405, "{method} {path}");
            assert_eq!(reply.header("allow"), "GET,HEAD", "{method} {path}");
            assert!(reply.error().contains("only GET and HEAD"), "{method} {path}");
        }
    }
}

#[test]
fn what_is_not_there_is_said_so() {
    let server = Server::start(&[]);
    let long = format!("/{}", "a".repeat(5000));
    for path in [
        "/api",
        "/api/",
        "/api/chess",
        "/api/british-square/",
        "/%zz",
        "/%00",
        "//",
        "/api/../x",
        &long,
    ] {
        let reply = server.request("GET", path, "");
        assert_eq!(reply.status, 404, "{path}");
        let error = reply.error();
        assert!(error.contains("there is no /") && error.len() < 200, "{path}: {error}");
    }
    assert_eq!(server.request("POST", "/api/chess", "").status, 404);
    let heuristics = server.get("/api/heuristics?name=greedy");
    assert_eq!(
        (heuristics.status, heuristics.error().contains("there are none here")),
        (400, true)
    );
}

#[test]
fn bodies_are_not_read() {
    let server = Server::start(&[]);
    let send = |lines: &str, body: &str| {
        let host = &server.at;
        let head = format!(
            "GET /api/heuristics HTTP/1.1\r\nHost: {host}\r\n{lines}Connection: close\r\n\r\n"
        );
        server.send(format!("{head}{body}").as_bytes())
    };
    assert_eq!(send("Content-Length: 1024\r\n", &"a".repeat(1024)).status, 200);
    let refused = [
        send("Content-Length: 1025\r\n", &"a".repeat(1025)),
        send("Content-Length: 99999999999999\r\n", "a"),
        send("Transfer-Encoding: chunked\r\n", "1\r\na\r\n0\r\n\r\n"),
    ];
    for reply in refused {
        assert_eq!(reply.status, 413);
        assert!(reply.error().contains("no request needs a body"));
    }
}

#[test]
fn what_is_no_http_does_no_harm() {
    let server = Server::start(&[]);
    let long = format!("GET /{} HTTP/1.1\r\n\r\n", "a".repeat(100_000));
    assert_eq!(server.send(long.as_bytes()).status, 431);
    assert_eq!(server.send(b"GET /\xff HTTP/1.1\r\n\r\n").status, 400);
    assert_eq!(server.send(b"\x16\x03\x01\r\n\r\n").status, 400);
    assert_eq!(server.get("/api/heuristics").status, 200);
}

/// A foreign page may use a host name of its own that resolves to this machine.
#[test]
fn strange_names_are_refused_on_this_machine_alone() {
    let get = |server: &Server, hosts: &str| {
        let request = format!("GET /api/heuristics HTTP/1.1\r\n{hosts}Connection: close\r\n\r\n");
        server.send(request.as_bytes())
    };
    let server = Server::start(&[]);
    for host in ["localhost", "LOCALHOST:80", "127.0.0.1:1978", "[::1]:1978", "192.168.0.1"] {
        assert_eq!(get(&server, &format!("Host: {host}\r\n")).status, 200, "{host}");
    }
    for host in ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example:80", "[x]", ""] {
        let reply = get(&server, &format!("Host: {host}\r\n"));
        assert_eq!(reply.status, 403, "{host}");
        assert!(reply.error().contains("as localhost"));
    }
    assert_eq!(get(&server, "Host: localhost\r\nHost: evil.example\r\n").status, 403);
    assert_eq!(get(&server, "").status, 200);
    drop(server);
    let open = Server::start(&["--address", "0.0.0.0"]);

    assert!(open.at.starts_with("0.0.0.0:"), "{}", open.at);

    assert_eq!(get(&open, "Host: bsq.example\r\n").status, 200);
}
