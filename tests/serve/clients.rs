//! Tests limits of client addresses. Attackers use other loopback addresses.

use crate::server::{Server, get_with};
use socket2::{Domain, SockAddr, Socket, Type};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

/// Opens a connection from a loopback address, with a small buffer for what it receives.
pub fn connect(server: &Server, from: [u8; 4]) -> TcpStream {
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
    socket.set_recv_buffer_size(4096).unwrap();
    socket.bind(&SockAddr::from(SocketAddr::from((from, 0)))).unwrap();
    socket.connect(&SockAddr::from(server.at.parse::<SocketAddr>().unwrap())).unwrap();
    socket.into()
}

/// Sends a request from an address, and returns the head of the reply.
fn ask(server: &Server, from: [u8; 4], headers: &str) -> String {
    let mut stream = connect(server, from);
    let head =
        format!("GET /api/games HTTP/1.1\r\nHost: localhost\r\n{headers}Connection: close\r\n\r\n");
    // A refused connection may be closed before everything is written and read.
    let _ = stream.write_all(head.as_bytes());
    let mut reply = Vec::new();
    let _ = stream.read_to_end(&mut reply);
    String::from_utf8_lossy(&reply).into_owned()
}

const ATTACKER: [u8; 4] = [127, 0, 0, 2];

/// Other clients are answered within a second.
fn others_are_answered(server: &Server) {
    for _ in 0..20 {
        let began = Instant::now();
        let reply = server.get("/api/british-square/position?board=3x3");
        assert_eq!(reply.status, 200, "{}", reply.body);
        assert!(began.elapsed() < Duration::from_secs(1), "{:?}", began.elapsed());
    }
}

#[test]
fn clients_that_never_read_delay_nobody_else() {
    let server = Server::start_alone(&[]);
    let mut requests = String::new();
    for _ in 0..300 {
        requests += "GET /view/board.js HTTP/1.1\r\nHost: localhost\r\n\r\n";
    }
    let attackers: Vec<TcpStream> = (0..520)
        .map(|_| {
            let mut stream = connect(&server, ATTACKER);
            stream.set_write_timeout(Some(Duration::from_millis(20))).unwrap();
            // Connections over the limit are closed.
            let _ = stream.write_all(requests.as_bytes());
            stream
        })
        .collect();
    others_are_answered(&server);
    drop(attackers);
}

#[test]
fn slow_heads_delay_nobody_else() {
    let server = Server::start_alone(&[]);
    let attackers: Vec<TcpStream> = (0..540)
        .map(|_| {
            let mut stream = connect(&server, ATTACKER);
            let _ = stream.write_all(b"GET /api/games HTTP/1.1\r\nHost: ");
            stream
        })
        .collect();
    others_are_answered(&server);
    drop(attackers);
}

/// A client that neither reads nor sends loses its connection.
#[test]
fn connections_without_progress_are_closed() {
    let server = Server::start(&["--connections", "2"]);
    let mut idle = connect(&server, ATTACKER);
    let mut deaf = connect(&server, ATTACKER);
    let request = "GET /view/board.js HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(2000);
    deaf.set_write_timeout(Some(Duration::from_millis(100))).unwrap();
    let _ = deaf.write_all(request.as_bytes());
    assert!(ask(&server, ATTACKER, "").starts_with("HTTP/1.1 429"), "the limit is reached");
    idle.set_read_timeout(Some(Duration::from_secs(25))).unwrap();
    let mut rest = Vec::new();
    let _ = idle.read_to_end(&mut rest);
    let closed = Instant::now();
    while server.get("/metrics").body.contains("\nbsq_connections 2\n") {
        assert!(closed.elapsed() < Duration::from_secs(25), "the deaf client is still connected");
        std::thread::sleep(Duration::from_millis(100));
    }
}

#[test]
fn connections_of_an_address_are_limited() {
    let server = Server::start(&["--connections", "3"]);
    let kept: Vec<TcpStream> = (0..3).map(|_| connect(&server, ATTACKER)).collect();
    let refused = ask(&server, ATTACKER, "");
    assert!(refused.starts_with("HTTP/1.1 429") && refused.contains("Retry-After: 1"), "{refused}");
    assert!(ask(&server, [127, 0, 0, 3], "").starts_with("HTTP/1.1 200"));
    drop(kept);
    crate::server::wait_until("the address is admitted again", Duration::from_secs(5), || {
        ask(&server, ATTACKER, "").starts_with("HTTP/1.1 200")
    });
}

#[test]
fn requests_of_an_address_are_limited() {
    let server = Server::start(&["--rate", "2"]);
    let statuses: Vec<u16> = (0..20).map(|_| server.get("/api/games").status).collect();
    let answered = statuses.iter().filter(|&&status| status == 200).count();
    assert!((8..12).contains(&answered), "four seconds of requests at once: {statuses:?}");
    let refused = server.get("/api/games");
    assert_eq!((refused.status, refused.header("retry-after")), (429, "1"), "{}", refused.body);
    assert!(refused.error().2.contains("too many requests"));
    assert!(ask(&server, ATTACKER, "").starts_with("HTTP/1.1 200"), "another address");
    // The positions of a batch count.
    let positions = vec!["{}"; 50].join(",");
    let body = format!("{{\"positions\":[{positions}]}}");
    let head = format!("Content-Length: {}\r\n", body.len());
    let mut stream = connect(&server, [127, 0, 0, 4]);
    write!(stream, "POST /api/mnk/position HTTP/1.1\r\nHost: localhost\r\n{head}Connection: close\r\n\r\n{body}").unwrap();
    let mut reply = String::new();
    stream.read_to_string(&mut reply).unwrap();
    assert!(reply.starts_with("HTTP/1.1 429"), "{reply}");
}

/// A program on this machine may ask as much as it likes; only a limit that is given applies to it.
#[test]
fn the_own_machine_is_not_limited_by_number() {
    let server = Server::start(&[]);
    let positions = vec!["{}"; 500].join(",");
    for _ in 0..10 {
        let reply = server.post(
            "/api/mnk/position",
            &format!("{{\"values\":\"no\",\"positions\":[{positions}]}}"),
        );
        assert_eq!(reply.status, 200, "{}", reply.body);
        assert_eq!(reply.json()["answers"].as_array().unwrap().len(), 500);
    }
}

/// The length of a body counts as well.
#[test]
fn long_bodies_count_as_many_requests() {
    let server = Server::start(&["--rate", "10"]);
    let body = format!("{{\"positions\":[{}]}}", " ".repeat(900_000));
    let reply = server.post("/api/mnk/position", &body);
    assert_eq!(reply.status, 429, "{}", reply.body);
}

/// The connections of a proxy are those of many clients, whose simultaneous requests are limited.
#[test]
fn requests_of_a_client_behind_a_proxy_are_limited() {
    let server = Server::start(&[
        "--connections",
        "2",
        "--trusted-proxy",
        "127.0.0.1",
        "--time-limit",
        "60",
    ]);
    let begin = |client: &str, path: &str| {
        let mut stream = TcpStream::connect(&server.at).unwrap();
        let forwarded = format!("X-Forwarded-For: {client}");
        write!(
            stream,
            "GET {path} HTTP/1.1\r\nHost: localhost\r\n{forwarded}\r\nConnection: close\r\n\r\n"
        )
        .unwrap();
        stream
    };
    let status = |client: &str| {
        let mut reply = String::new();
        begin(client, "/api/games").read_to_string(&mut reply).unwrap();
        reply.split(' ').nth(1).unwrap().to_string()
    };
    let kept = ["7x8", "8x7"].map(|board| {
        begin("192.0.2.1", &format!("/api/british-square/position?board={board}&moves=1"))
    });
    // A request that comes before them would take the place of one.
    std::thread::sleep(Duration::from_millis(500));
    crate::server::wait_until("two requests are in progress", Duration::from_secs(5), || {
        status("192.0.2.1") == "429"
    });
    assert_eq!(status("192.0.2.2"), "200");
    drop(kept);
    crate::server::wait_until("they have ended", Duration::from_secs(5), || {
        status("192.0.2.1") == "200"
    });
}

/// The clients of a trusted proxy are told apart; nobody else may name an address.
#[test]
fn a_trusted_proxy_names_the_client() {
    let server = Server::start(&["--rate", "1", "--trusted-proxy", "127.0.0.5"]);
    let answered = |from: [u8; 4], named: &dyn Fn(usize) -> String| {
        let ask = |at: usize| ask(&server, from, &format!("X-Forwarded-For: {}\r\n", named(at)));
        (0..12).filter(|&at| ask(at).starts_with("HTTP/1.1 200")).count()
    };
    assert_eq!(answered([127, 0, 0, 5], &|at| format!("10.0.0.{at}")), 12);
    assert!(answered([127, 0, 0, 5], &|at| format!("10.0.1.{at}, 10.9.9.9")) < 8);
    assert!(answered([127, 0, 0, 6], &|at| format!("10.0.2.{at}")) < 8);
}

/// A foreign page may use a host name of its own that resolves to this machine.
#[test]
fn strange_names_are_refused_on_this_machine_alone() {
    let get = |server: &Server, hosts: &str| {
        let request = format!("GET /api/games HTTP/1.1\r\n{hosts}Connection: close\r\n\r\n");
        server.send(request.as_bytes())
    };
    let server = Server::start(&[]);
    for host in ["localhost", "LOCALHOST:80", "127.0.0.1:1978", "[::1]:1978", "192.168.0.1"] {
        assert_eq!(get(&server, &format!("Host: {host}\r\n")).status, 200, "{host}");
    }
    for host in ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example:80", "[x]", ""] {
        let reply = get(&server, &format!("Host: {host}\r\n"));
        assert_eq!(reply.status, 403, "{host}");
        assert!(reply.error().2.contains("as localhost"));
    }
    assert_eq!(get(&server, "Host: localhost\r\nHost: evil.example\r\n").status, 403);
    assert_eq!(get(&server, "").status, 400);
    let old = server.send(b"GET /api/games HTTP/1.0\r\n\r\n");
    assert_eq!(old.status, 200, "clients of HTTP/1.0 need not name the host");
    drop(server);
    let open = Server::start(&["--address", "0.0.0.0"]);
    assert!(open.at.starts_with("0.0.0.0:"), "{}", open.at);
    assert_eq!(get(&open, "Host: bsq.example\r\n").status, 200);
}

#[test]
fn requests_of_other_sites_are_refused() {
    let server = Server::start(&[]);
    let status = |headers: &[(&str, &str)]| get_with(&server.at, "/api/games", headers).status;
    let (site, document) = ("Sec-Fetch-Site", ("Sec-Fetch-Dest", "document"));
    assert_eq!(status(&[(site, "same-origin")]), 200);
    assert_eq!(status(&[(site, "none"), document]), 200);
    assert_eq!(status(&[(site, "cross-site"), document]), 200, "a link");
    assert_eq!(status(&[(site, "cross-site"), ("Sec-Fetch-Dest", "image")]), 403);
    assert_eq!(status(&[(site, "same-site"), ("Sec-Fetch-Dest", "empty")]), 403);
    assert_eq!(status(&[("Origin", "https://evil.example")]), 403);
    assert_eq!(status(&[("Origin", &format!("http://{}", server.at))]), 200);
}
