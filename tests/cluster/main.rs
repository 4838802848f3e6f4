//! Tests counts by several processes: the result is that of one process, or a message names the
//! cause.

mod failing;
mod netns;
mod refusing;
mod same;

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// The time limit of a run.
const LONGEST: Duration = Duration::from_secs(240);
/// The time limit of immediate actions, with a margin for a loaded machine.
const PROMPT: Duration = Duration::from_secs(60);

/// The words of a line as a shell would split it.
fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split_whitespace()
}

/// The output of a count by a single process.
fn alone(line: &str) -> String {
    let output = Command::new(assert_cmd::cargo::cargo_bin!("bsq")).args(words(line)).output();
    let output = output.unwrap();
    assert!(output.status.success(), "{line}\n{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The processes of a count, with their addresses and scratch folders.
struct Cluster {
    folder: TempDir,
    hosts: Vec<String>,
    threads: usize,
    /// Whether all processes share one scratch folder.
    shared: bool,
    /// Seconds for `--wait`.
    wait: u32,
    /// More flags.
    flags: String,
    /// The network namespaces in which the processes run, if not in that of the test.
    namespaces: Vec<String>,
}

impl Cluster {
    /// Creates this number of processes on the local machine.
    fn new(processes: usize) -> Cluster {
        // All ports are bound at once, so that they differ.
        let listeners: Vec<_> =
            (0..processes).map(|_| TcpListener::bind("127.0.0.1:0").unwrap()).collect();
        let address = |listener: &TcpListener| listener.local_addr().unwrap().to_string();
        Cluster::of(listeners.iter().map(address).collect())
    }

    fn of(hosts: Vec<String>) -> Cluster {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("hosts"), hosts.join("\n")).unwrap();
        let (flags, namespaces) = (String::new(), Vec::new());
        Cluster { folder, hosts, threads: 1, shared: false, wait: 20, flags, namespaces }
    }

    /// Other processes with the same scratch folders.
    fn again(self, processes: usize) -> Cluster {
        let Cluster { folder, shared, .. } = self;
        let new = Cluster::new(processes);
        std::fs::copy(new.folder.path().join("hosts"), folder.path().join("hosts")).unwrap();
        Cluster { folder, shared, ..new }
    }

    fn name(&self, process: usize) -> String {
        format!("process {process} ({})", self.hosts[process])
    }

    fn scratch(&self, process: usize) -> PathBuf {
        let name = if self.shared { "all".to_string() } else { process.to_string() };
        self.folder.path().join(name)
    }

    /// Starts a process.
    fn start(&self, process: usize, line: &str) -> Running {
        let bsq = assert_cmd::cargo::cargo_bin!("bsq");
        let mut command = match self.namespaces.get(process) {
            None => Command::new(bsq),
            Some(namespace) => {
                let mut command = Command::new("ip");
                command.args(["netns", "exec", namespace]).arg(bsq);
                command
            }
        };
        command.args(words(line)).args(words(&self.flags));
        command.arg("--hosts").arg(self.folder.path().join("hosts"));
        command.args(["--process", &process.to_string(), "--wait", &self.wait.to_string()]);
        command.args(["--threads", &self.threads.to_string()]);
        command.arg("--scratch").arg(self.scratch(process));
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        Running { child: Some(command.spawn().unwrap()) }
    }

    /// Starts all processes.
    fn begin(&self, line: &str) -> Vec<Running> {
        // In reverse order, because early processes must wait.
        let mut all: Vec<_> =
            (0..self.hosts.len()).rev().map(|process| self.start(process, line)).collect();
        all.reverse();
        all
    }

    /// Runs all processes, which must succeed. Returns the output of process 0.
    fn run(&self, line: &str) -> String {
        let all: Vec<_> = self.begin(line).into_iter().map(Running::end).collect();
        for (process, ran) in all.iter().enumerate() {
            assert_eq!(ran.code, Some(0), "{line}, {}\n{}", self.name(process), ran.err);
            assert!(process == 0 || ran.out.is_empty(), "{}", ran.out);
            assert_eq!(files(&self.scratch(process)), [""; 0], "{line}");
        }
        all.into_iter().next().unwrap().out
    }

    /// Waits until a process has a manifest, not one of `old`, of at least this turn.
    fn wait_for(&self, process: usize, turn: u32, old: &[String]) {
        let began = Instant::now();
        let turn_of = |name: &str| {
            name.strip_suffix(".json")?
                .split('-')
                .nth(2)?
                .parse()
                .ok()
                .filter(|&it: &u32| it >= turn)
        };
        let come = |name: &String| turn_of(name).is_some() && !old.contains(name);
        while !files(&self.scratch(process)).iter().any(come) {
            assert!(began.elapsed() < LONGEST, "no level of turn {turn}");
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

/// A running process, killed when dropped.
struct Running {
    child: Option<Child>,
}

/// The result of a finished process.
#[derive(Debug)]
struct Ran {
    /// `None` if it was killed by a signal.
    code: Option<i32>,
    out: String,
    err: String,
}

impl Ran {
    /// Checks the exit code and the message.
    fn says(&self, code: i32, words: &[&str]) {
        assert_eq!(self.code, Some(code), "{self:#?}");
        assert_eq!(self.out, "");
        assert!(!self.err.contains("panicked"), "{}", self.err);
        for words in words {
            assert!(self.err.contains(words), "{}\nshould say: {words}", self.err);
        }
    }
}

impl Running {
    fn signal(&self, signal: &str) {
        let id = self.child.as_ref().unwrap().id().to_string();
        assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
    }

    /// Waits until it ends.
    fn end(mut self) -> Ran {
        let mut child = self.child.take().unwrap();
        let began = Instant::now();
        while child.try_wait().unwrap().is_none() {
            if began.elapsed() > LONGEST {
                let _ = child.kill();
                let output = child.wait_with_output().unwrap();
                panic!("it does not end: {}", String::from_utf8_lossy(&output.stderr));
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        let Output { status, stdout, stderr } = child.wait_with_output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Ran { code: status.code(), out: text(stdout), err: text(stderr) }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// The names of the files in a folder, sorted.
fn files(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    let mut names: Vec<_> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}
