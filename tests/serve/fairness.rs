//! Tests that one client's work does not delay another's. Hostile clients use other loopback
//! addresses.

use crate::clients::connect;
use crate::server::{Server, agent, get};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Two hostile clients.
const HOSTILE: [[u8; 4]; 2] = [[127, 0, 0, 2], [127, 0, 0, 3]];
/// The connections of each hostile client.
const CONNECTIONS: usize = 40;
/// The game of most searches here.
const SQUARE: &str = "british-square";
/// The most that they may add to the 99th percentile of another client.
const MOST_DELAY: Duration = Duration::from_millis(250);
/// The time in which a search has its share of the places.
const SHARE_OF_SEARCHES: Duration = Duration::from_secs(5);

/// A request for every route that takes at most 50 ms alone.
const QUICK: [&str; 12] = [
    "/",
    "/main.js",
    "/metrics",
    "/api/games",
    "/api/openapi.json",
    "/api/mnk/analyses",
    "/api/mnk/analyses/positions",
    "/api/british-square/position?moves=b2",
    "/api/british-square/line",
    "/api/british-square/move?agent=greedy",
    "/api/mnk/puzzle",
    "/api/mnk/record?moves=b2",
];

fn position(query: &str) -> String {
    format!("GET /api/{query} HTTP/1.1\r\nHost: localhost\r\n\r\n")
}

fn post(path: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "POST /api/{path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {length}\r\n\r\n{body}"
    )
}

/// What the hostile clients send, by a name.
fn attacks() -> Vec<(&'static str, Vec<String>)> {
    let many = |one: &str| vec![one; 500].join(",");
    let batch = |positions: &str| format!("{{\"values\":\"no\",\"positions\":[{positions}]}}");
    let moves = "c2,".repeat(340_000);
    let boards = ["7x8", "8x7", "8x8", "7x9", "9x7"];
    vec![
        (
            "costs of the whole game",
            vec![post("rpsw/position", &batch(&many("{}"))), position("rpsw/position")],
        ),
        (
            "long moves",
            vec![post("british-square/position", &batch(&format!("{{\"moves\":\"{moves}\"}}")))],
        ),
        (
            "large answers",
            vec![
                post(
                    "dots/position",
                    &batch(&many("{}"))
                        .replace("{\"values", "{\"rules\":{\"board\":\"6x6\"},\"values"),
                ),
                position("dots/line?board=3x3"),
            ],
        ),
        (
            "hard searches",
            boards
                .map(|board| position(&format!("british-square/position?board={board}")))
                .to_vec(),
        ),
        (
            "tables of many boards",
            (2..9)
                .flat_map(|n| {
                    (2..5).map(move |m| position(&format!("mnk/position?board={n}x{m}&k=3")))
                })
                .collect(),
        ),
        (
            "analyses",
            vec![
                position("british-square/analyses/blunders?board=4x4"),
                position("mnk/analyses/positions?board=4x3"),
            ],
        ),
    ]
}

/// Sends requests from an address over many connections until the end. Answers are read at once.
fn attack(server: &Server, from: [u8; 4], requests: &[String], is_over: &AtomicBool) {
    std::thread::scope(|scope| {
        for number in 0..CONNECTIONS {
            scope.spawn(move || {
                let mut buffer = vec![0; 1 << 16];
                let mut streams: Vec<TcpStream> = Vec::new();
                for at in number.. {
                    if is_over.load(Ordering::Relaxed) {
                        return;
                    }
                    let mut stream = streams.pop().unwrap_or_else(|| {
                        let stream = connect(server, from);
                        stream.set_read_timeout(Some(Duration::from_millis(200))).unwrap();
                        stream.set_write_timeout(Some(Duration::from_millis(200))).unwrap();
                        stream
                    });
                    let request = &requests[at % requests.len()];
                    let is_alive = stream.write_all(request.as_bytes()).is_ok()
                        && stream.read(&mut buffer).is_ok_and(|length| length > 0);
                    if is_alive {
                        streams.push(stream);
                    } else {
                        sleep(Duration::from_millis(5));
                    }
                }
            });
        }
    });
}

/// The latencies of requests by a good client, sorted.
fn latencies(server: &Server, path: &str, count: usize) -> Vec<Duration> {
    let agent = agent();
    let mut took: Vec<Duration> = (0..count)
        .map(|_| {
            let began = Instant::now();
            let reply = get(&agent, &server.at, path);
            assert_eq!(reply.status, 200, "{path}: {}", reply.body);
            began.elapsed()
        })
        .collect();
    took.sort_unstable();
    took
}

fn percentile_99(took: &[Duration]) -> Duration {
    took[took.len() * 99 / 100]
}

/// Runs `good` while the hostile clients send requests.
fn during<T>(server: &Server, requests: &[String], good: impl FnOnce() -> T) -> T {
    let is_over = &AtomicBool::new(false);
    std::thread::scope(|scope| {
        for from in HOSTILE {
            scope.spawn(move || attack(server, from, requests, is_over));
        }
        sleep(Duration::from_millis(300));
        let found = std::panic::catch_unwind(std::panic::AssertUnwindSafe(good));
        is_over.store(true, Ordering::Relaxed);
        found.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

#[test]
fn hostile_clients_do_not_delay_quick_requests() {
    let server = Server::start_alone(&["--time-limit", "5", "--memory", "512MiB"]);
    let alone = QUICK.map(|path| {
        latencies(&server, path, 3);
        percentile_99(&latencies(&server, path, 30))
    });
    let mut late = Vec::new();
    for (name, requests) in attacks() {
        during(&server, &requests, || {
            for (path, alone) in QUICK.iter().zip(alone) {
                // The machine may be busy: a second attempt is permitted.
                let tries = (0..2).map(|_| percentile_99(&latencies(&server, path, 20)));
                let tries: Vec<_> = tries.take_while(|took| *took > alone + MOST_DELAY).collect();
                if tries.len() == 2 {
                    late.push(format!("{name}, {path}: {alone:?} alone, then {tries:?}"));
                }
            }
        });
    }
    assert!(late.is_empty(), "{late:#?}");
}

/// Asks for a value, and returns the time that it took.
fn value_takes(server: &Server, game: &str, query: &str) -> Duration {
    let began = Instant::now();
    let path = format!("/api/{game}/position?values=value&{query}");
    let reply = get(&agent(), &server.at, &path);
    assert_eq!(reply.status, 200, "{}", reply.body);
    assert!(!reply.json()["value"]["outcome"].is_null(), "{}", reply.body);
    began.elapsed()
}

/// Moves of a heuristic from the start of a game.
fn moves_of_greedy(server: &Server, board: &str, count: usize) -> String {
    let mut moves = String::new();
    for _ in 0..count {
        let query = format!("board={board}&agent=greedy&moves={moves}");
        let reply = server.get(&format!("/api/british-square/move?{query}"));
        moves += &format!("{},", reply.json()["move"].as_str().expect("a move"));
    }
    moves
}

/// Compares the time that a search takes alone with that while hostile clients send `requests`.
fn search_has_its_share(
    server: &Server,
    name: &str,
    requests: &[String],
    game: &str,
    [first, second]: [&str; 2],
) {
    let alone = value_takes(server, game, first);
    let took = during(server, requests, || value_takes(server, game, second));
    println!("{name}: {alone:?} alone, then {took:?}");
    // On two places for three clients and as many cores, a search takes a few times as long, and it is
    // interrupted every second.
    assert!(took < SHARE_OF_SEARCHES + 8 * alone, "{name}: {alone:?} alone, then {took:?}");
}

/// Long searches make room for that of a client who has none.
#[test]
fn a_search_has_its_share_of_the_places() {
    let server = Server::start_alone(&["--time-limit", "30"]);
    let boards = ["7x8", "8x7", "8x8", "7x9", "9x7"];
    let hard = boards.map(|board| position(&format!("british-square/position?board={board}")));
    let openings = ["board=6x7&moves=1", "board=6x7&moves=2"];
    search_has_its_share(&server, "another engine", &hard, SQUARE, openings);
    // With a game that the others do not use.
    let openings = ["board=5x5&k=4&moves=c3", "board=5x5&k=4&moves=b2"];
    search_has_its_share(&server, "another game", &hard, "mnk", openings);
    // With an engine that the others use, and that their requests also wait with.
    let others = ["1", "2", "3", "9", "10"];
    let same = others.map(|mv| position(&format!("british-square/position?board=7x8&moves={mv}")));
    let same = [&same[..], &hard].concat();
    let ends =
        [14, 13].map(|count| format!("board=7x8&moves={}", moves_of_greedy(&server, "7x8", count)));
    search_has_its_share(&server, "the same engine", &same, SQUARE, ends.each_ref().map(|e| &**e));
}
