//! Tests time limits, cancelled requests and shutdown.

use crate::server::{Reply, Server, bsq, wait_until};
use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// A request that takes minutes.
const SLOW: &str = "/api/british-square/position?board=7x8&moves=1";
/// A request that takes more than a second, independent of earlier requests.
const SLOW_PIECES: &str = "/api/british-square/position?pieces=11&center_allowed=yes";

fn timed(ask: impl FnOnce() -> Reply) -> (Reply, Duration) {
    let began = Instant::now();
    (ask(), began.elapsed())
}

/// Processor time taken so far, in ticks of 10 ms.
fn ticks(server: &Server) -> u64 {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", server.id())).unwrap();
    let (_, fields) = stat.rsplit_once(") ").unwrap();
    let fields: Vec<&str> = fields.split(' ').collect();
    fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
}

/// Processor time taken within 200 ms.
fn pace(server: &Server) -> u64 {
    let before = ticks(server);
    std::thread::sleep(Duration::from_millis(200));
    ticks(server) - before
}

fn wait_for_work(server: &Server) {
    wait_until("a search begins", Duration::from_secs(5), || pace(server) >= 3);
}

fn wait_for_rest(server: &Server, what: &str) {
    wait_until(what, Duration::from_secs(5), || pace(server) <= 1);
}

#[test]
fn who_waits_too_long_is_told_so_and_short_answers_stay_fast() {
    let server = Server::start_alone(&["--time-limit", "1"]);
    let warm = || server.get("/api/british-square/position").status == 200;
    wait_until("5x5 is known", Duration::from_secs(10), warm);
    let slow = |limit: Duration| {
        let (reply, took) = timed(|| server.get(SLOW));
        assert_eq!(reply.status, 503, "{}", reply.body);
        assert_eq!(reply.header("retry-after"), "1");
        assert!(reply.error().2.contains("within 1 s"), "{}", reply.body);
        assert!(took >= Duration::from_millis(900), "{took:?}");
        assert!(took < limit, "{took:?}");
    };
    slow(Duration::from_millis(1500));
    std::thread::scope(|scope| {
        // More simultaneous requests than long searches, some of them for the same game.
        let boards = ["7x8", "8x7", "8x8", "7x9", "9x7", "7x8&moves=2", "7x8&moves=3"];
        for board in boards {
            let path = format!("/api/british-square/position?board={board}");
            let server = &server;
            scope.spawn(move || assert_ne!(server.get(&path).status, 500, "{path}"));
        }
        // An overloaded machine may be late.
        let slow = scope.spawn(|| slow(Duration::from_secs(3)));
        let mut times = Vec::new();
        for first in [1, 2, 3, 6, 7, 8, 11, 12] {
            for second in [20, 22, 24] {
                let path = format!("/api/british-square/position?moves={first}+{second}");
                let (reply, took) = timed(|| server.get(&path));
                assert_eq!(reply.status, 200, "{}", reply.body);
                times.extend((!slow.is_finished()).then_some(took));
            }
        }
        times.sort_unstable();
        assert!(times.len() > 5, "only {} answers while others searched", times.len());
        let half = times[times.len() / 2];
        assert!(half < Duration::from_millis(100), "half of the answers took more than {half:?}");
        slow.join().unwrap();
    });
    wait_for_rest(&server, "searches end with the limit");
}

#[test]
fn a_search_ends_when_its_client_is_gone() {
    let server = Server::start_alone(&["--time-limit", "600"]);
    for path in [SLOW, SLOW_PIECES] {
        let stream: TcpStream = server.begin(path);
        wait_for_work(&server);
        drop(stream);
        wait_for_rest(&server, path);
    }
}

/// Two clients wait for the same search, which is cancelled when both have disconnected, and not
/// before.
#[test]
fn a_search_goes_on_while_somebody_waits_for_it() {
    let server = Server::start_alone(&["--time-limit", "600"]);
    let one = server.begin(SLOW);
    wait_for_work(&server);
    let other = server.begin(SLOW);
    let next = server.begin("/api/british-square/position?board=7x8&moves=2");
    std::thread::sleep(Duration::from_millis(100));
    drop(one);
    for _ in 0..2 {
        wait_for_work(&server);
    }
    drop(other);
    wait_for_work(&server); // the next search has begun
    drop(next);
    wait_for_rest(&server, "all searches end");
}

#[test]
fn it_ends_within_a_second_while_searching() {
    for signal in ["-INT", "-TERM"] {
        let server = Server::start_alone(&["--time-limit", "600"]);
        let searching = [SLOW, SLOW_PIECES].map(|path| server.begin(path));
        wait_for_work(&server);
        server.signal(signal);
        let status = server.end_within(Duration::from_millis(1000));
        assert_eq!(status.code(), Some(0), "{signal}");
        drop(searching);
    }
}

#[test]
fn a_port_that_is_taken_is_said_so() {
    let server = Server::start(&[]);
    let port = server.at.rsplit(':').next().unwrap();
    let output = bsq().args(["serve", "--port", port]).output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(error.starts_with(&format!("error: cannot listen on 127.0.0.1:{port}")), "{error}");
    assert!(error.contains("another --port"), "{error}");
    assert_eq!(output.stdout, b"");
}

#[test]
fn that_others_can_ask_is_said_so() {
    for (address, said) in [("0.0.0.0", true), ("127.0.0.1", false)] {
        let mut command = bsq();
        command.args(["serve", "--port", "0", "--address", address]).stderr(Stdio::piped());
        let mut child = command.stdout(Stdio::null()).spawn().unwrap();
        let mut notes = BufReader::new(child.stderr.take().unwrap()).lines();
        let first = notes.next().unwrap().unwrap();
        assert_eq!(first.starts_with("Every client that reaches this address"), said, "{first}");
        child.kill().unwrap();
        child.wait().unwrap();
    }
}

/// The size of all tables in bytes, according to the metrics.
pub fn table_bytes(metrics: &Reply) -> u64 {
    let bytes = metrics.body.lines().find_map(|line| line.strip_prefix("bsq_engine_bytes "));
    bytes.expect("the size of the tables").parse().unwrap()
}

/// Engines are evicted, the standard ones last, so that their tables fit in the budget.
#[test]
fn tables_are_kept_within_the_budget() {
    let server = Server::start(&["--memory", "64MiB", "--time-limit", "60"]);
    let standard = || server.ask("british-square", &[("values", "no")]).json()["cost"].clone();
    assert_eq!(server.ask("british-square", &[]).status, 200);
    assert_eq!(standard()["kind"], "look-up");
    let mut most = 0;
    for bias in 1..6 {
        for board in ["5x5", "4x6"] {
            let rules = [("board", board), ("bias", &bias.to_string())];
            assert_eq!(server.ask("british-square", &rules).status, 200);
            most = most.max(table_bytes(&server.get("/metrics")));
        }
    }
    assert!(most <= 64 << 20, "{most} bytes");
    assert_eq!(standard()["kind"], "look-up", "the standard board is kept");
    // The least recently used one is gone.
    let first = [("bias", "1"), ("values", "no")];
    assert_eq!(server.ask("british-square", &first).json()["cost"]["kind"], "build");
}

/// Searches wait for memory if the tables of all of them would not fit in the budget.
#[test]
fn tables_of_searches_are_kept_within_the_budget() {
    let server = Server::start(&["--memory", "64MiB", "--time-limit", "60"]);
    assert_eq!(server.ask("british-square", &[]).status, 200);
    let boards = ["british-square/position?board=7x8", "british-square/position?board=8x7&bias=1"];
    let others = ["dots/position?board=4x4", "dots/position?board=4x4&penalty=-1"];
    let paths = boards.iter().chain(&others);
    let searching: Vec<_> = paths.map(|path| server.begin(&format!("/api/{path}"))).collect();
    wait_until("two of them search", Duration::from_secs(20), || {
        table_bytes(&server.get("/metrics")) >= 2 * (16 << 20)
    });
    for _ in 0..20 {
        let bytes = table_bytes(&server.get("/metrics"));
        assert!(bytes <= 64 << 20, "{bytes} bytes");
        std::thread::sleep(Duration::from_millis(100));
    }
    drop(searching);
}

/// A table takes more than its memory, or longer than its limit. It is not built for every request.
#[test]
fn a_table_that_cannot_be_built_is_refused_from_then_on() {
    for (limits, board, phrase) in [
        (["--memory", "1GiB", "--time-limit", "60"], "6x4", "256.0 MiB are allowed"),
        (["--memory", "16GiB", "--time-limit", "1"], "5x4", "too long to build"),
    ] {
        let server = Server::start_alone(&limits);
        let ask = || timed(|| server.ask("rpsw", &[("board", board), ("moves", "a1a2")]));
        wait_until("the table is refused", Duration::from_secs(30), || {
            let (reply, _) = ask();
            assert!([422, 503].contains(&reply.status), "{}", reply.body);
            // A fast machine reaches the limit of memory before that of time.
            reply.status == 422 || reply.error().2.contains(phrase)
        });
        for _ in 0..3 {
            let (reply, took) = ask();
            assert!(reply.status == 422 || reply.error().2.contains(phrase), "{}", reply.body);
            assert!(took < Duration::from_millis(500), "{took:?}");
        }
    }
}

/// Requests in turn over many boards build each table once.
#[test]
fn the_tables_of_twelve_boards_are_kept() {
    let server = Server::start_alone(&["--time-limit", "60"]);
    let boards =
        ["5x5", "4x6", "3x8", "5x4", "4x4", "3x7", "3x6", "2x9", "2x8", "4x5", "3x5", "6x4"];
    let ask = |board: &str| server.ask("british-square", &[("board", board)]).status;
    assert!(boards.iter().all(|board| ask(board) == 200));
    let (_, took) = timed(|| {
        for number in 0..100 {
            let moves = (number % 7 + 1).to_string();
            let asked = [("board", boards[number % 12]), ("moves", &*moves)];
            assert_eq!(server.ask("british-square", &asked).status, 200);
        }
        server.get("/api/games")
    });
    assert!(took < Duration::from_secs(2), "100 look-ups took {took:?}");
}
