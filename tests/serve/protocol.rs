//! Tests the use of HTTP: caching, compression, methods, the log and the measurements.

use crate::server::{Server, get_with};
use tempfile::TempDir;

const PATHS: [&str; 5] = ["/", "/dots", "/main.js", "/api/openapi.json", "/api/mnk/position"];

#[test]
fn the_page_is_served_for_every_game() {
    let server = Server::start(&[]);
    let page = server.get("/");
    assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
    for game in ["british-square", "dots", "rpsw", "mnk"] {
        assert_eq!(server.get(&format!("/{game}")).body, page.body);
    }
    assert_eq!(server.get("/main.js").header("content-type"), "text/javascript; charset=utf-8");
    assert_eq!(server.get("/style.css").header("content-type"), "text/css; charset=utf-8");
    assert_eq!(server.get("/icon.svg").header("content-type"), "image/svg+xml");
}

#[test]
fn what_has_not_changed_is_not_sent_again() {
    let server = Server::start(&[]);
    for path in PATHS {
        let first = server.get(path);
        let tag = first.header("etag");
        assert!(!tag.is_empty(), "{path}");
        assert_eq!(first.header("cache-control"), "no-cache", "{path}");
        for known in [tag, &format!("\"other\", {tag}"), &tag[2..], "*"] {
            let again = get_with(&server.at, path, &[("If-None-Match", known)]);
            assert_eq!((again.status, again.body.as_str()), (304, ""), "{path} {known}");
            assert_eq!(again.header("etag"), tag);
        }
        let other = get_with(&server.at, path, &[("If-None-Match", "\"other\"")]);
        assert_eq!((other.status, other.body), (200, first.body), "{path}");
    }
    let [one, other] = ["a1", "b1"].map(|mv| server.ask("mnk", &[("moves", mv)]));
    assert_ne!(one.header("etag"), other.header("etag"));
    let refused = server.get("/api/mnk/position?moves=z9");
    assert_eq!((refused.header("etag"), refused.header("cache-control")), ("", "no-store"));
}

#[test]
fn bodies_are_compressed_if_the_client_accepts_that() {
    let server = Server::start(&[]);
    for path in PATHS {
        let plain = server.get(path);
        assert_eq!(plain.header("content-encoding"), "", "{path}");
        let packed = get_with(&server.at, path, &[("Accept-Encoding", "gzip")]);
        assert_eq!(packed.header("content-encoding"), "gzip", "{path}");
        assert!(packed.bytes.starts_with(&[0x1f, 0x8b]), "{path}");
        assert!(packed.bytes.len() < plain.body.len(), "{path}");
    }
}

#[test]
fn every_answer_has_the_headers_of_security() {
    let server = Server::start(&[]);
    for path in PATHS.into_iter().chain(["/nothing", "/metrics", "/api/mnk/position?k=x"]) {
        let reply = server.get(path);
        assert_eq!(reply.header("x-content-type-options"), "nosniff", "{path}");
        assert!(reply.header("content-security-policy").contains("default-src 'self'"), "{path}");
        assert_eq!(reply.header("access-control-allow-origin"), "", "{path}");
    }
}

#[test]
fn heads_are_those_of_the_answers() {
    let server = Server::start(&[]);
    for path in PATHS {
        let reply = server.get(path);
        let head = server.request("HEAD", path, "");
        assert_eq!((head.status, head.body.as_str()), (200, ""), "{path}");
        assert_eq!(head.header("content-type"), reply.header("content-type"), "{path}");
    }
}

#[test]
fn requests_are_counted_and_logged() {
    let folder = TempDir::new().unwrap();
    let log = folder.path().join("log").into_os_string().into_string().unwrap();
    let server = Server::start(&["--log", &log, "--trusted-proxy", "127.0.0.1"]);
    for path in ["/api/mnk/position", "/api/mnk/position", "/api/mnk/position?k=x", "/nothing"] {
        server.get(path);
    }
    let metrics = server.get("/metrics");
    assert!(metrics.header("content-type").starts_with("text/plain; version=0.0.4"));
    let count = |route: &str, status: u16, count: u32| {
        let line = format!("bsq_requests_total{{route=\"{route}\",status=\"{status}\"}} {count}\n");
        assert!(metrics.body.contains(&line), "no {line} in {}", metrics.body);
    };
    count("/api/{game}/position", 200, 2);
    count("/api/{game}/position", 400, 1);
    count("other", 404, 1);
    assert!(metrics.body.contains("bsq_request_seconds_count{route=\"/api/{game}/position\"} 3\n"));
    assert!(metrics.body.contains("\nbsq_engines 1\n"));
    assert!(metrics.body.contains("# TYPE bsq_cached_answers_total counter\n"));
    server.request("GET", "/api/games", "X-Forwarded-For: 192.0.2.7\r\n");
    // Lines of solvers would hide those of requests, and addresses have any length.
    assert_eq!(server.get("/api/british-square/position?board=5x6").status, 200);
    server.get(&format!("/api/games?{}", "x".repeat(5000)));
    let log = std::fs::read_to_string(log).unwrap();
    assert!(log.lines().all(|line| line.contains(" request peer=") && line.len() < 400), "{log}");
    let forwarded = log.lines().find(|line| line.contains("uri=/api/games")).unwrap();
    assert!(forwarded.contains("peer=127.0.0.1 client=192.0.2.7"), "{forwarded}");
    let lines: Vec<&str> = log.lines().filter(|line| line.contains("uri=/api/mnk")).collect();
    assert_eq!(lines.len(), 3, "{log}");
    assert!(lines[2].contains("uri=/api/mnk/position?k=x status=400"), "{}", lines[2]);
    assert!(lines[0].contains("127.0.0.1"), "{}", lines[0]);
}

#[test]
fn requests_that_are_not_http_are_refused() {
    let server = Server::start(&[]);
    let head = "POST /api/mnk/position HTTP/1.1\r\nHost: localhost\r\nConnection: close";
    let chunk = format!("{head}\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n");
    let reply = server.send(chunk.as_bytes());
    assert_eq!(reply.status, 400, "{}", reply.body);
    assert!(reply.error().2.contains("cannot read the body"), "{}", reply.body);
    for (method, path) in [("TRACE", "/"), ("OPTIONS", "*"), ("TRACE", "/api/games")] {
        let reply = server.request(method, path, "");
        assert_eq!((reply.status, reply.header("allow")), (405, "GET,HEAD"), "{method} {path}");
    }
}
