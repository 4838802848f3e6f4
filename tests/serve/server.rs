//! A server for tests, and its replies.

use serde_json::Value;
use std::cell::Cell;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::time::{Duration, Instant};
use ureq::Agent;

/// A lock that all tests share, and that tests which measure time hold exclusively.
static MACHINE: RwLock<()> = RwLock::new(());

thread_local! {
    /// Whether this test has a server. A second server could deadlock with a test that waits for
    /// exclusive access.
    static HAS_ONE: Cell<bool> = const { Cell::new(false) };
}

#[expect(dead_code, reason = "guards matter when they are dropped")]
enum Turn {
    Shared(RwLockReadGuard<'static, ()>),
    Alone(RwLockWriteGuard<'static, ()>),
}

/// A running server, ended when dropped.
pub struct Server {
    child: Child,
    /// Address and port.
    pub at: String,
    agent: Agent,
    _turn: Turn,
}

/// A reply.
pub struct Reply {
    pub status: u16,
    /// Names in lower case.
    pub headers: Vec<(String, String)>,
    pub body: String,
    pub bytes: Vec<u8>,
}

impl Reply {
    pub fn header(&self, name: &str) -> &str {
        let found = self.headers.iter().find(|(known, _)| known == name);
        found.map_or("", |(_, value)| value)
    }

    pub fn json(&self) -> Value {
        assert_eq!(self.header("content-type"), "application/json", "{}", self.body);
        serde_json::from_str(&self.body).expect("JSON")
    }

    /// The error: its code, its location and its message.
    pub fn error(&self) -> (String, String, String) {
        assert!(self.status >= 400, "{}", self.body);
        let answer = self.json();
        assert_eq!(answer.as_object().unwrap().len(), 1, "{}", self.body);
        let text = |name: &str| answer["error"][name].as_str().unwrap_or_default().to_string();
        (text("code"), text("location"), text("message"))
    }
}

/// The command `bsq`.
pub fn bsq() -> Command {
    Command::new(env!("CARGO_BIN_EXE_bsq"))
}

/// A client with persistent connections.
pub fn agent() -> Agent {
    let config = Agent::config_builder().http_status_as_error(false);
    config.timeout_global(Some(Duration::from_secs(60))).build().into()
}

/// Parameters in URL encoding.
pub fn query(parameters: &[(&str, &str)]) -> String {
    let escaped =
        |text: &str| -> String { text.bytes().map(|byte| format!("%{byte:02x}")).collect() };
    let pairs = parameters.iter().map(|(name, value)| format!("{name}={}", escaped(value)));
    pairs.collect::<Vec<_>>().join("&")
}

impl Server {
    /// Starts a server while other tests run. A test has one server at a time.
    pub fn start(arguments: &[&str]) -> Server {
        Server::the_only_one();
        let turn = MACHINE.read().unwrap_or_else(PoisonError::into_inner);
        Server::with(arguments, Turn::Shared(turn))
    }

    /// Starts a server while no other test runs.
    pub fn start_alone(arguments: &[&str]) -> Server {
        Server::the_only_one();
        let turn = MACHINE.write().unwrap_or_else(PoisonError::into_inner);
        Server::with(arguments, Turn::Alone(turn))
    }

    fn the_only_one() {
        assert!(!HAS_ONE.replace(true), "one server at a time");
    }

    fn with(arguments: &[&str], turn: Turn) -> Server {
        let mut command = bsq();
        command.args(["serve", "--port", "0", "--quiet"]).args(arguments);
        let mut child = command.stdout(Stdio::piped()).spawn().expect("the program starts");
        let mut line = String::new();
        let output = child.stdout.take().expect("it is piped");
        BufReader::new(output).read_line(&mut line).expect("it says where it is");
        let at = line.trim_end().strip_prefix("bsq is at http://").expect("an address");
        Server { at: at.to_string(), child, agent: agent(), _turn: turn }
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    pub fn get(&self, path: &str) -> Reply {
        get(&self.agent, &self.at, path)
    }

    /// Requests a position.
    pub fn ask(&self, game: &str, parameters: &[(&str, &str)]) -> Reply {
        self.get(&format!("/api/{game}/position?{}", query(parameters)))
    }

    /// Sends a body.
    pub fn post(&self, path: &str, body: &str) -> Reply {
        let (host, length) = (&self.at, body.len());
        let head = format!("POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: {length}");
        self.send(format!("{head}\r\nConnection: close\r\n\r\n{body}").as_bytes())
    }

    /// Sends bytes, and reads until the server closes the connection.
    pub fn send(&self, bytes: &[u8]) -> Reply {
        let mut stream = TcpStream::connect(&self.at).expect("it listens");
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        // The server may reply before it has read everything.
        let _ = stream.write_all(bytes);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        reply(&answer)
    }

    /// Sends a request with any method and additional headers.
    pub fn request(&self, method: &str, path: &str, lines: &str) -> Reply {
        let host = &self.at;
        let head =
            format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\n{lines}Connection: close\r\n\r\n");
        self.send(head.as_bytes())
    }

    /// Sends a request without waiting for the reply.
    pub fn begin(&self, path: &str) -> TcpStream {
        let mut stream = TcpStream::connect(&self.at).expect("it listens");
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {}\r\n\r\n", self.at).unwrap();
        stream
    }

    /// Sends a signal, such as `-INT`.
    pub fn signal(&self, signal: &str) {
        let sent = Command::new("kill").args([signal, &self.id().to_string()]).status();
        assert!(sent.unwrap().success());
    }

    /// Waits until the server has ended.
    pub fn end_within(mut self, limit: Duration) -> ExitStatus {
        let mut status = None;
        wait_until("the server ends", limit, || {
            status = self.child.try_wait().unwrap();
            status.is_some()
        });
        status.unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        HAS_ONE.set(false);
    }
}

/// Sends a request through the given client.
pub fn get(agent: &Agent, at: &str, path: &str) -> Reply {
    received(agent.get(format!("http://{at}{path}")).call().expect("an answer"))
}

/// Sends a request with additional headers.
pub fn get_with(at: &str, path: &str, headers: &[(&str, &str)]) -> Reply {
    let request = agent().get(format!("http://{at}{path}"));
    let request =
        headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
    received(request.call().expect("an answer"))
}

/// The reply of a client.
pub fn received(mut response: ureq::http::Response<ureq::Body>) -> Reply {
    let text = |value: &ureq::http::HeaderValue| value.to_str().expect("a text").to_string();
    let headers = response.headers().iter();
    let headers = headers.map(|(name, value)| (name.to_string(), text(value))).collect();
    let bytes = response.body_mut().read_to_vec().expect("a body");
    Reply { status: response.status().as_u16(), headers, body: lossy(&bytes), bytes }
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn reply(bytes: &[u8]) -> Reply {
    let text = lossy(bytes);
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let mut lines = head.lines();
    let status = lines.next().and_then(|line| line.split(' ').nth(1)?.parse().ok());
    let pairs = lines.filter_map(|line| line.split_once(": "));
    let headers: Vec<(String, String)> =
        pairs.map(|(name, value)| (name.to_lowercase(), value.to_string())).collect();
    let is_chunked = headers.contains(&("transfer-encoding".to_string(), "chunked".to_string()));
    Reply {
        status: status.unwrap_or_else(|| panic!("no status in '{text}'")),
        body: if is_chunked { joined(body) } else { body.to_string() },
        headers,
        bytes: body.as_bytes().to_vec(),
    }
}

/// The content of chunks, each of which begins with its length in hexadecimal digits.
fn joined(mut chunks: &str) -> String {
    let mut content = String::new();
    while let Some((length, rest)) = chunks.split_once("\r\n") {
        let length = usize::from_str_radix(length, 16).expect("the length of a chunk");
        content += &rest[..length];
        chunks = &rest[length + 2..];
    }
    content
}

/// Waits for a condition, and fails after the time limit.
pub fn wait_until(what: &str, limit: Duration, mut holds: impl FnMut() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < limit, "{what}: not within {limit:?}");
        std::thread::sleep(Duration::from_millis(10));
    }
}
