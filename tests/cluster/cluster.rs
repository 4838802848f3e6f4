//! The processes of a distributed count.

use super::processes::{LONGEST, Running, addresses, files, words};
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// The output of a count by a single process.
pub fn alone(line: &str) -> String {
    let output = Command::new(assert_cmd::cargo::cargo_bin!("bsq")).args(words(line)).output();
    let output = output.unwrap();
    assert!(output.status.success(), "{line}\n{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The processes of a count, with their addresses and scratch folders.
pub struct Cluster {
    pub folder: TempDir,
    pub hosts: Vec<String>,
    pub threads: usize,
    /// Whether all processes share one scratch folder.
    pub shared: bool,
    /// Seconds for `--wait`.
    pub wait: u32,
    /// More flags.
    pub flags: String,
    /// The network namespaces in which the processes run, if not in that of the test.
    pub namespaces: Vec<String>,
}

impl Cluster {
    /// Creates this number of processes on the local machine.
    pub fn new(processes: usize) -> Cluster {
        Cluster::of(addresses(processes))
    }

    pub fn of(hosts: Vec<String>) -> Cluster {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("hosts"), hosts.join("\n")).unwrap();
        let (flags, namespaces) = (String::new(), Vec::new());
        Cluster { folder, hosts, threads: 1, shared: false, wait: 20, flags, namespaces }
    }

    /// Other processes with the same scratch folders.
    pub fn again(self, processes: usize) -> Cluster {
        let Cluster { folder, shared, wait, .. } = self;
        let new = Cluster::new(processes);
        std::fs::copy(new.folder.path().join("hosts"), folder.path().join("hosts")).unwrap();
        Cluster { folder, shared, wait, ..new }
    }

    pub fn name(&self, process: usize) -> String {
        format!("process {process} ({})", self.hosts[process])
    }

    pub fn scratch(&self, process: usize) -> PathBuf {
        let name = if self.shared { "all".to_string() } else { process.to_string() };
        self.folder.path().join(name)
    }

    /// Starts a process.
    pub fn start(&self, process: usize, line: &str) -> Running {
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
        Running::start(command)
    }

    /// Starts all processes.
    pub fn begin(&self, line: &str) -> Vec<Running> {
        // In reverse order, because early processes must wait.
        let mut all: Vec<_> =
            (0..self.hosts.len()).rev().map(|process| self.start(process, line)).collect();
        all.reverse();
        all
    }

    /// Runs all processes, which must succeed. Returns the output of process 0.
    pub fn run(&self, line: &str) -> String {
        let all: Vec<_> = self.begin(line).into_iter().map(Running::end).collect();
        for (process, ran) in all.iter().enumerate() {
            assert_eq!(ran.code, Some(0), "{line}, {}\n{}", self.name(process), ran.err);
            assert!(process == 0 || ran.out.is_empty(), "{}", ran.out);
            assert_eq!(files(&self.scratch(process)), [""; 0], "{line}");
        }
        all.into_iter().next().unwrap().out
    }

    /// Waits until a process has a manifest, not one of `old`, of at least this turn.
    pub fn wait_for(&self, process: usize, turn: u32, old: &[String]) {
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
