//! Tests large counts: memory limits, scratch folders, and resuming.

use super::errors::{COUNTING, fails, refused};
use super::{files, out, read, run};
use std::path::Path;

/// A count whose states exceed the least memory limit of up to two threads.
const LARGE: &str = "--board 4x6 --threads 2";

fn scratch(folder: &Path) -> String {
    format!("--scratch '{}'", folder.display())
}

#[test]
fn results_do_not_depend_on_memory_or_disk() {
    let folder = tempfile::tempdir().unwrap();
    let scratch = scratch(folder.path());
    for analysis in COUNTING {
        for board in ["--board 3x4", "--board 3x3 --center-allowed --bias 2 --pieces 3"] {
            let line = format!("analyze {analysis} {board} --format json --threads 2");
            let plain = out(&line);
            for room in ["--memory 20MiB", "--memory 1G", &scratch] {
                assert_eq!(out(&format!("{line} {room}")), plain, "{line} {room}");
            }
        }
    }
    let line = format!("analyze scores {LARGE} --format json");
    assert_eq!(out(&format!("{line} --memory 21MB {scratch}")), out(&line));
    assert_eq!(files(folder.path()), [""; 0]);
}

#[test]
fn a_count_by_territory_takes_a_memory_limit() {
    let line = "analyze playouts --board 3x4 --format json";
    assert_eq!(out(&format!("{line} --method territory --memory 1MiB")), out(line));
}

#[test]
fn sizes_that_are_none() {
    for size in ["", "much", "8GiBs", "-1G", "GiB", "8 apples"] {
        let says = ["is not a size", "8GiB, 500MB or 2G"];
        refused(&format!("analyze states --memory='{size}'"), &says);
    }
}

#[test]
fn too_little_memory() {
    let line = "analyze states --board 3x4 --threads 2 --memory";
    let says = ["limit of 1.0 MiB is too small", "on 2 threads the least is 20.0 MiB"];
    refused(&format!("{line} 1MiB"), &says);
    out(&format!("{line} 20MiB"));
    let says = ["the states of turn", "limit of 20.0 MiB", "raise --memory", "--scratch DIR"];
    fails(1, &format!("analyze states {LARGE} --memory 20MiB"), &says);
}

#[test]
fn only_counts_take_memory_and_scratch() {
    let folder = tempfile::tempdir().unwrap();
    for analysis in
        ["openings", "variants", "blunders", "heuristics", "mirror", "all --format json"]
    {
        for (flag, more) in [
            ("--memory", "--memory 1G".to_string()),
            ("--scratch", scratch(&folder.path().join("new"))),
        ] {
            let says = [flag, "playouts, states, terminals, scores"];
            refused(&format!("analyze {analysis} --board 3x3 {more}"), &says);
        }
    }
    assert_eq!(files(folder.path()), [""; 0]);
}

#[test]
fn scratch_folders_that_cannot_be_written() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "mine").unwrap();
    for path in [&file, &file.join("inside")] {
        let line = format!("analyze states --board 3x4 {}", scratch(path));
        fails(1, &line, &["cannot make", &path.display().to_string()]);
    }
    assert_eq!(read(folder.path(), "file"), "mine");
    assert_eq!(files(folder.path()), ["file"]);
}

/// The scratch files are kept if the result cannot be delivered.
#[cfg(target_os = "linux")]
#[test]
fn the_scratch_files_stay_until_the_result_is_delivered() {
    let folder = tempfile::tempdir().unwrap();
    let line = format!("analyze states --board 3x4 --format csv {}", scratch(folder.path()));
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin!("bsq"));
    let status = command.args(super::words(&line)).stdout(full).output().unwrap().status;
    assert_eq!(status.code(), Some(1));
    assert_eq!(out(&line), out("analyze states --board 3x4 --format csv"));
    assert_eq!(files(folder.path()), [""; 0]);
}

#[cfg(not(feature = "cluster"))]
#[test]
fn builds_without_it_say_how_to_count_on_several_machines() {
    let folder = tempfile::tempdir().unwrap();
    let line = format!("analyze states --board 3x4 {}", scratch(&folder.path().join("new")));
    let says = ["counts on one machine only", "--features cluster"];
    refused(&format!("{line} --hosts hosts --process 0"), &says);
    assert_eq!(files(folder.path()), [""; 0]);
}

#[cfg(target_os = "linux")]
pub mod stopped {
    use super::*;
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};

    /// Starts a count and stops it with a signal once its checkpoint has at least `size` bytes.
    /// Returns the exit code, if there is one, and the message.
    pub fn stop(line: &str, folder: &Path, signal: &str, size: u64) -> (Option<i32>, String) {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("bsq"));
        command.args(super::super::words(line)).stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = command.spawn().unwrap();
        let checkpoint = folder.join("checkpoint");
        let began = Instant::now();
        while std::fs::metadata(&checkpoint).map_or(0, |file| file.len()) < size {
            assert!(began.elapsed() < Duration::from_secs(60), "no checkpoint");
            std::thread::sleep(Duration::from_millis(1));
        }
        if signal == "-INT" {
            // A resumed count has a checkpoint before its signal handler is installed.
            super::super::streams::wait_until_it_listens(child.id());
        }
        let began = Instant::now();
        let kill = Command::new("kill").args([signal, &child.id().to_string()]).status();
        assert!(kill.unwrap().success());
        let output = child.wait_with_output().unwrap();
        assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
        assert_eq!(output.stdout, b"", "{line}");
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    }

    #[test]
    fn a_killed_count_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let scratch = scratch(folder.path());
        let line = format!("analyze playouts {LARGE} --format json");
        let (code, _) = stop(&format!("{line} {scratch}"), folder.path(), "-KILL", 1);
        assert_eq!(code, None);
        assert!(files(folder.path()).contains(&"checkpoint".to_string()));

        let says = ["is of british-square 4x6, not of british-square 3x4"];
        refused(&format!("analyze states --board 3x4 {scratch}"), &says);

        let resumed = run(&format!("{line} {scratch} --memory 24MiB"));
        assert!(resumed.err.contains("continues the count with turn "), "{}", resumed.err);
        assert_eq!(resumed.out, out(&line));
        assert_eq!(files(folder.path()), [""; 0]);
    }

    #[test]
    fn ctrl_c_keeps_the_last_turn_and_says_so() {
        let folder = tempfile::tempdir().unwrap();
        let scratch = scratch(folder.path());
        let line = format!("analyze playouts --board 5x6 --memory 1GiB {scratch}");
        let (code, error) = stop(&line, folder.path(), "-INT", 500);
        assert_eq!(code, Some(130), "{error}");
        assert!(error.contains("error: stopped in turn "), "{error}");
        assert!(error.contains("are kept; the same command resumes from there"), "{error}");
        let (code, error) = stop(&line, folder.path(), "-INT", 600);
        assert_eq!(code, Some(130), "{error}");

        // A damaged checkpoint.
        let path = folder.path().join("checkpoint");
        let text = std::fs::read_to_string(&path).unwrap();
        for (damaged, code, says) in [
            (text.replacen("version 2", "version 9", 1), 2, "has format version 9"),
            (text.replacen("\"turn\":", "\"turn\":1", 1), 1, "its checksum is wrong"),
            (text[..text.len() / 2].to_string(), 1, "its checksum is wrong"),
            (String::new(), 1, "does not begin as a checkpoint does"),
        ] {
            std::fs::write(&path, damaged).unwrap();
            fails(code, &line, &[says]);
        }
        std::fs::write(&path, text).unwrap();
        for name in files(folder.path()).iter().filter(|name| name.starts_with("states-")) {
            let file = std::fs::OpenOptions::new().write(true).open(folder.path().join(name));
            file.unwrap().set_len(3).unwrap();
        }
        let says = ["states-", "is damaged: it has 3 bytes instead of", "to begin again"];
        fails(1, &line, &says);
        assert_eq!(run(&line).out, "");
    }
}
