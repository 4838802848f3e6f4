//! Tests the memory of a server whose clients read slowly.

use crate::clients::connect;
use crate::server::Server;
use std::io::{Read, Write};
use std::time::{Duration, Instant};

const LIMIT_MIB: u64 = 256;
/// What a process takes besides tables and answers, in MiB.
const OVERHEAD_MIB: u64 = 32;

/// Anonymous memory now, in MiB.
fn anonymous(server: &Server) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).unwrap();
    line.trim().strip_suffix(" kB").unwrap().parse::<u64>().unwrap() >> 10
}

/// Answers take memory until they are read. Batches are answered as fast as they are read.
#[test]
fn answers_that_wait_for_slow_readers_keep_to_the_memory() {
    let limit = format!("{LIMIT_MIB}MiB");
    let server = Server::start_alone(&["--memory", &limit]);
    let positions = vec!["{}"; 500].join(",");
    let body = format!(
        "{{\"rules\":{{\"board\":\"5x5\"}},\"values\":\"no\",\"positions\":[{positions}]}}"
    );
    let batch = format!(
        "POST /api/dots/position HTTP/1.1\r\nHost: localhost\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    let line = "GET /api/mnk/analyses/openings HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(10);
    let mut streams = Vec::new();
    for number in 0..400_u16 {
        let mut stream = connect(&server, [127, 0, 0, 2 + (number % 4) as u8]);
        stream.set_write_timeout(Some(Duration::from_millis(50))).unwrap();
        stream.set_read_timeout(Some(Duration::from_millis(1))).unwrap();
        let request = if number % 8 == 0 { &line } else { &batch };
        let _ = stream.write_all(request.as_bytes());
        streams.push(stream);
    }
    let (began, mut peak, mut read) = (Instant::now(), 0, 0);
    let mut buffer = [0; 512];
    while began.elapsed() < Duration::from_secs(6) {
        for stream in &mut streams {
            read += stream.read(&mut buffer).unwrap_or(0);
        }
        peak = peak.max(anonymous(&server));
    }
    println!("{peak} MiB, {read} bytes read");
    assert!(read > 100_000, "{read} bytes read");
    assert!(peak <= LIMIT_MIB + OVERHEAD_MIB, "{peak} MiB of anonymous memory");
}
