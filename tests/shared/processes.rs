//! Running processes, which are sent signals.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// The time limit of a run.
pub const LONGEST: Duration = Duration::from_secs(240);

/// The words of a line as a shell would split it.
pub fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split_whitespace()
}

/// Addresses for processes that listen. They are on a loopback address of their own, because a free
/// port of 127.0.0.1 may be taken by any connection before a process listens on it.
pub fn addresses(count: usize) -> Vec<String> {
    static USED: AtomicU32 = AtomicU32::new(0);
    let own = std::process::id().wrapping_mul(64) + USED.fetch_add(1, Ordering::Relaxed);
    let [_, high, middle, low] = own.to_be_bytes();
    (0..count)
        .map(|process| format!("127.{}.{middle}.{low}:{}", high | 128, 4100 + process))
        .collect()
}

/// A running process, killed when dropped.
pub struct Running {
    child: Option<Child>,
}

/// The result of a finished process.
#[derive(Debug)]
pub struct Ran {
    /// `None` if it was killed by a signal.
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Ran {
    /// Checks the exit code and the message.
    pub fn says(&self, code: i32, words: &[&str]) {
        assert_eq!(self.code, Some(code), "{self:#?}");
        assert_eq!(self.out, "");
        assert!(!self.err.contains("panicked"), "{}", self.err);
        for words in words {
            assert!(self.err.contains(words), "{}\nshould say: {words}", self.err);
        }
    }
}

impl Running {
    /// Starts a process with its output in pipes.
    pub fn start(mut command: Command) -> Running {
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        Running { child: Some(command.spawn().unwrap()) }
    }

    pub fn id(&self) -> u32 {
        self.child.as_ref().unwrap().id()
    }

    pub fn signal(&self, signal: &str) {
        let id = self.id().to_string();
        assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
    }

    /// Waits until it ends.
    pub fn end(self) -> Ran {
        self.end_within(LONGEST)
    }

    /// Waits until it ends, which takes at most the given time.
    pub fn end_within(mut self, longest: Duration) -> Ran {
        let mut child = self.child.take().unwrap();
        let began = Instant::now();
        while child.try_wait().unwrap().is_none() {
            if began.elapsed() > longest {
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
pub fn files(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    let mut names: Vec<_> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// The bytes of all files below a folder, by their paths.
pub fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let (mut found, mut folders) = (BTreeMap::new(), vec![folder.to_path_buf()]);
    while let Some(below) = folders.pop() {
        for entry in std::fs::read_dir(below).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().display().to_string();
                found.insert(name, std::fs::read(&path).unwrap());
            }
        }
    }
    found
}
