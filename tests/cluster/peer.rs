//! Peers made by hand: processes that speak the protocol, or break it, over a real connection.

use super::processes::addresses;
use super::{Cluster, Ran};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::process::Command;
use std::time::{Duration, Instant};

/// A short count.
pub const LINE: &str = "analyze states --board 3x4 --format json";
pub const MAGIC: &[u8; 16] = b"bsq cluster 1\r\n\0";

/// The kinds of frames.
pub const DATA: u8 = 0;
pub const ALIVE: u8 = 1;
pub const COMPLETE: u8 = 2;
pub const DELIVERED: u8 = 3;
pub const ENDED: u8 = 4;
pub const BYE: u8 = 5;

/// A greeting.
fn greet(hello: &Value) -> Vec<u8> {
    let json = hello.to_string().into_bytes();
    [MAGIC.as_slice(), &(json.len() as u32).to_le_bytes(), &json].concat()
}

/// The greeting of a process of the given version, in a count of [`LINE`].
pub fn hello(cluster: &Cluster, process: usize, version: &str) -> Vec<u8> {
    greet(&json!({ "Hello": {
        "version": version,
        "rules": "british-square 3x4",
        "hosts": cluster.hosts,
        "process": process,
        "threads": 1,
        "inventory": { "attempt": 0, "shards": [], "damaged": 0 },
        "began": 0,
    }}))
}

/// The version of the program in greetings, with the commit.
pub fn version() -> String {
    let printed = Command::new(env!("CARGO_BIN_EXE_bsq")).arg("--version").output().unwrap();
    let printed = String::from_utf8(printed.stdout).unwrap();
    let version = printed.strip_prefix("bsq ").unwrap().split_once(", features").unwrap().0;
    format!("{version})").replace(" (commit unknown)", "")
}

/// Reads the greeting of a process.
pub fn greeting(mut from: &TcpStream) -> Value {
    let mut head = [0; 20];
    from.read_exact(&mut head).unwrap();
    assert_eq!(head[..16], *MAGIC);
    let length = u32::from_le_bytes(head[16..].try_into().unwrap());
    let mut json = vec![0; length as usize];
    from.read_exact(&mut json).unwrap();
    serde_json::from_slice(&json).unwrap()
}

/// Connects to a process once it listens.
pub fn connect(address: &str) -> TcpStream {
    let began = Instant::now();
    loop {
        match TcpStream::connect(address) {
            Ok(socket) => return socket,
            Err(error) => assert!(began.elapsed() < Duration::from_secs(20), "{error}"),
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Accepts the connection of a process that was started.
pub fn accept(listener: &TcpListener) -> TcpStream {
    let began = Instant::now();
    listener.set_nonblocking(true).unwrap();
    loop {
        match listener.accept() {
            Ok((socket, _)) => {
                socket.set_nonblocking(false).unwrap();
                return socket;
            }
            Err(error) => assert!(began.elapsed() < Duration::from_secs(20), "{error}"),
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// A frame with a length that may be wrong.
pub fn frame(kind: u8, length: u32, bytes: &[u8]) -> Vec<u8> {
    [[kind].as_slice(), &length.to_le_bytes(), bytes].concat()
}

/// The head of a message of timely.
pub fn head(channel: u64, source: u64, targets: [u64; 2], length: u64) -> Vec<u8> {
    let numbers = [channel, source, targets[0], targets[1], length, 0];
    numbers.into_iter().flat_map(u64::to_be_bytes).collect()
}

/// A frame of timely's bytes.
pub fn data(bytes: &[u8]) -> Vec<u8> {
    frame(DATA, bytes.len() as u32, bytes)
}

/// The frames with which a process ends its part: timely's last message, and `Complete`.
pub fn complete() -> Vec<u8> {
    [data(&head(0, 0, [0, 0], 0)), frame(COMPLETE, 0, b"")].concat()
}

/// Runs process `1 - process` of two with a peer of a valid identity that then does as it likes.
pub fn with_peer(cluster: &Cluster, process: usize, acts: impl FnOnce(&TcpStream)) -> Ran {
    let own = hello(cluster, process, &version());
    let (running, mut socket) = match process {
        0 => {
            let listener = TcpListener::bind(&cluster.hosts[0]).unwrap();
            let running = cluster.start(1, LINE);
            (running, accept(&listener))
        }
        _ => (cluster.start(0, LINE), connect(&cluster.hosts[0])),
    };
    socket.write_all(&own).unwrap();
    assert!(greeting(&socket)["Hello"].is_object());
    acts(&socket);
    running.end()
}

/// What happens to a frame.
pub enum Fate {
    Passes,
    IsDropped,
    IsSentTwice,
    /// The connection is closed instead.
    IsTheEnd,
}

/// Runs two processes whose frames pass through the test, which may change them. `change` receives
/// the sender, the kind and the content of every frame. `waits` are the values of `--wait`.
pub fn between(
    waits: [u32; 2],
    line: &str,
    change: impl Fn(usize, u8, &mut Vec<u8>) -> Fate + Sync,
) -> (Cluster, [Ran; 2]) {
    let cluster = Cluster { wait: waits[0], ..Cluster::new(2) };
    // Process 1 takes the test for process 0.
    let [own] = addresses(1).try_into().unwrap();
    let listener = TcpListener::bind(&own).unwrap();
    let hosts = vec![own, cluster.hosts[1].clone()];
    let other = Cluster { wait: waits[1], ..Cluster::of(hosts) };
    let all = [cluster.start(0, line), other.start(1, line)];
    let sockets = [connect(&cluster.hosts[0]), accept(&listener)];
    for (from, to, hosts) in [(1, 0, &cluster.hosts), (0, 1, &other.hosts)] {
        let mut hello = greeting(&sockets[from]);
        hello["Hello"]["hosts"] = json!(hosts);
        (&sockets[to]).write_all(&greet(&hello)).unwrap();
    }
    std::thread::scope(|threads| {
        for from in [0, 1] {
            let (sockets, change) = (&sockets, &change);
            threads.spawn(move || pass_on(from, sockets, change));
        }
    });
    (cluster, all.map(super::Running::end))
}

/// Passes the frames of a process on to the other, until it or the other closes the connection.
fn pass_on(
    from: usize,
    sockets: &[TcpStream; 2],
    change: &(impl Fn(usize, u8, &mut Vec<u8>) -> Fate + Sync),
) {
    let (mut source, mut target) = (&sockets[from], &sockets[1 - from]);
    let mut head = [0; 5];
    while source.read_exact(&mut head).is_ok() {
        let mut bytes = vec![0; u32::from_le_bytes(head[1..].try_into().unwrap()) as usize];
        if source.read_exact(&mut bytes).is_err() {
            break;
        }
        let times = match change(from, head[0], &mut bytes) {
            Fate::Passes => 1,
            Fate::IsDropped => 0,
            Fate::IsSentTwice => 2,
            Fate::IsTheEnd => {
                let _ = sockets.each_ref().map(|socket| socket.shutdown(Shutdown::Both));
                return;
            }
        };
        let frame = frame(head[0], bytes.len() as u32, &bytes).repeat(times);
        if target.write_all(&frame).is_err() {
            break;
        }
    }
    let _ = target.shutdown(Shutdown::Write);
}

/// Passes timely's messages in the content of a frame to `change`: their channel and content.
pub fn messages(bytes: &mut [u8], mut change: impl FnMut(u64, &mut [u8])) {
    let mut rest = bytes;
    while rest.len() >= 48 {
        let number = |i: usize| u64::from_be_bytes(rest[8 * i..][..8].try_into().unwrap());
        let (channel, length) = (number(0), number(4) as usize);
        // Messages of small boards are in one frame.
        let (message, after) = rest.split_at_mut(48 + length);
        if length > 0 {
            change(channel, &mut message[48..]);
        }
        rest = after;
    }
    assert!(rest.is_empty());
}
