//! Running processes, which are sent signals.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// The time limit of a run.
pub const LONGEST: Duration = Duration::from_secs(240);

/// The words of a line as a shell would split it.
pub fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split_whitespace()
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
