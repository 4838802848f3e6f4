//! Tests of files that are not regular, and of reads and writes that the system interrupts or refuses.

#![cfg(target_os = "linux")]

use super::streams::wait_until_it_listens;
use super::words;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// The time limit of what happens at once, with a margin for a loaded machine.
const PROMPT: Duration = Duration::from_secs(30);

/// The commands that read a file, without its path.
const READERS: &[&str] = &[
    "solve --board 4x4 --checkpoint",
    "dots solve",
    "dots solve 2x2 --checkpoint",
    "mnk play --plain",
    "search-heuristic local --checkpoint",
    "test-heuristic greedy --lists",
    #[cfg(feature = "full")]
    "plot",
    "merge",
    "rpsw solve",
];

pub fn start(line: &str) -> Child {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("bsq"));
    command.args(words(line)).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// The output of a process that ends at once.
pub fn ended(mut child: Child, line: &str) -> Output {
    let began = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if began.elapsed() > PROMPT {
            child.kill().unwrap();
            panic!("bsq {line} does not end");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    child.wait_with_output().unwrap()
}

pub fn signal(child: &Child, name: &str) {
    let kill = Command::new("kill").args([name, &child.id().to_string()]).status();
    assert!(kill.unwrap().success());
}

#[test]
fn files_that_are_not_regular_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for path in [pipe.as_path(), Path::new("/dev/zero"), folder.path()] {
        for reader in READERS.iter().chain(&["solve 3x3 --log"]) {
            let line = format!("{reader} '{}'", path.display());
            let output = ended(start(&line), &line);
            let error = String::from_utf8_lossy(&output.stderr);
            assert!(matches!(output.status.code(), Some(1 | 2)), "bsq {line}\n{error}");
            assert!(error.contains("not a regular file"), "bsq {line}\n{error}");
        }
    }
}

#[test]
fn files_that_are_too_large_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("large");
    // A file with a hole takes no space.
    std::fs::File::create(&path).unwrap().set_len(1 << 40).unwrap();
    for reader in &READERS[1..] {
        if reader.ends_with("2x2 --checkpoint") {
            // A checkpoint is read in blocks, and its first line is wrong.
            continue;
        }
        let line = format!("{reader} '{}'", path.display());
        let output = ended(start(&line), &line);
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(matches!(output.status.code(), Some(1 | 2)), "bsq {line}\n{error}");
        assert!(error.contains("it has more than "), "bsq {line}\n{error}");
    }
}

/// A process that waits for standard input ends at the first signal.
#[test]
fn a_signal_interrupts_a_wait_for_input() {
    for name in ["-INT", "-TERM"] {
        let folder = tempfile::tempdir().unwrap();
        let line = format!("mnk solve - -o '{}'", folder.path().join("values").display());
        let mut child = start(&line);
        let input = child.stdin.take();
        wait_until_it_listens(child.id());
        signal(&child, name);
        let output = ended(child, &line);
        assert_eq!(output.status.code(), Some(130), "{name}");
        assert_eq!(super::files(folder.path()), [""; 0]);
        drop(input);
    }
}

/// A process that waits for a reader of its output does not react to the first signal.
#[test]
fn the_second_signal_ends_the_process_at_once() {
    for names in [["-INT", "-INT"], ["-TERM", "-TERM"], ["-INT", "-TERM"]] {
        // The output is larger than the buffer of a pipe.
        let line = "analyze all --board 3x3 --format json";
        let mut child = start(line);
        wait_until_it_listens(child.id());
        child.stdout.as_mut().unwrap().read_exact(&mut [0]).unwrap();
        // Signals that arrive together count as one.
        let id = child.id().to_string();
        let kill = Command::new("kill").args([names[0], &id, &id]).status();
        assert!(kill.unwrap().success());
        std::thread::sleep(Duration::from_millis(500));
        assert!(child.try_wait().unwrap().is_none(), "the output fits the pipe");
        signal(&child, names[1]);
        assert_eq!(ended(child, line).status.code(), Some(130), "{names:?}");
    }
}

/// Lines are answered as they come, while the input is open.
#[test]
fn lines_are_answered_while_the_input_is_open() {
    let mut command = Command::new("timeout");
    command.args(["60"]).arg(assert_cmd::cargo::cargo_bin!("bsq")).args(["mnk", "solve", "-"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    writeln!(input, ".../.../...").unwrap();
    assert!(answers.next().unwrap().unwrap().starts_with("line,"));
    let answer = answers.next().unwrap().unwrap();
    assert!(answer.starts_with("1,"), "{answer}");
    writeln!(input, ".../.../...").unwrap();
    let answer = answers.next().unwrap().unwrap();
    assert!(answer.starts_with("2,"), "{answer}");
    drop(input);
    assert!(child.wait().unwrap().success());
}

/// A file that grows beyond the limit of the process is an error of the write, not a signal.
#[test]
fn a_limit_on_files_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    for line in [
        format!("analyze states --board 3x4 --quiet -o '{}'", file.display()),
        format!("analyze openings --board 3x4 --quiet --out '{}'", folder.path().display()),
        format!("solve 4x5 --quiet --checkpoint '{}'", file.display()),
    ] {
        let mut command = Command::new("sh");
        command.args(["-c", r#"ulimit -f 0; exec "$0" "$@""#]);
        command.arg(assert_cmd::cargo::cargo_bin!("bsq")).args(words(&line));
        let output = command.output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(matches!(output.status.code(), Some(0 | 1)), "{line}\n{error}{:?}", output.status);
        assert!(
            error.contains("File too large") || line.contains("--checkpoint"),
            "{line}\n{error}"
        );
        assert_eq!(super::files(folder.path()), [""; 0], "{line}");
    }
}

#[test]
fn help_that_cannot_be_printed_is_an_error() {
    for line in ["--help", "--version", "solve --help", "help mnk"] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("bsq"));
        let output = command.args(words(line)).stdout(full).output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "bsq {line}\n{error}");
        assert!(error.contains("No space left"), "bsq {line}\n{error}");
    }
}
