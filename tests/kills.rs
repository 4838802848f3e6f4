//! Kills every kind of long job at random times, and runs it again until it finishes. The result
//! and the files are those of a run that is not interrupted.
//!
//! `BSQ_KILLS` is the number of kills, 12 by default, and `BSQ_KILLS_SEED` selects their times,
//! signals and victims. Times also depend on the load of the machine, so a failure may need several
//! runs with its seed.

#![cfg(target_os = "linux")]

use bsq_engine::random::Random;
use bsq_test_support::processes::{Ran, Running, contents, words};
use std::collections::BTreeMap;
use std::io::Write;
use std::process::Command;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// The time limit of an end by SIGTERM, with a margin for a loaded machine.
const PROMPT: Duration = Duration::from_secs(10);
/// The most kills of a job before it runs to its end.
const MOST_KILLS: usize = 3;

/// A job, whose files are in the current folder.
struct Job {
    line: &'static str,
    /// Files one of which exists if the job can be resumed.
    checkpoints: &'static [&'static str],
    /// The notes of a job that is resumed.
    resumed: &'static [&'static str],
    /// Files that change until the job is finished. Other files that remain when it is finished
    /// have their final content from the moment they exist.
    replaced: &'static [&'static str],
    /// Files that depend on the order of the threads, and on interruptions.
    varying: &'static [&'static str],
    /// The beginnings of paths of files that are removed when the job is finished.
    removed: &'static [&'static str],
}

impl Job {
    const fn new(line: &'static str) -> Job {
        Job { line, checkpoints: &[], resumed: &[], replaced: &[], varying: &[], removed: &[] }
    }
}

const JOBS: &[Job] = &[
    Job::new("analyze states --method sets --board 4x7 --part 1/3 --threads 2 --output one.part"),
    Job {
        checkpoints: &["base/manifest"],
        resumed: &["continues the tablebase in base after ", "in base is finished already"],
        replaced: &["base/manifest"],
        removed: &["base/layer-"],
        ..Job::new("dots tablebase build base --board 2x5 --book 20 --threads 2 --format json")
    },
    Job {
        checkpoints: &["scratch/checkpoint", "base"],
        resumed: &["continues the tablebase after ", "base is finished already"],
        removed: &["scratch/"],
        ..Job::new(
            "rpsw tablebase build base --board 5x4 --pieces 2 --threads 2 --scratch scratch \
             --format json",
        )
    },
    Job {
        checkpoints: &["search"],
        resumed: &["continues the search after "],
        varying: &["search"],
        removed: &[".search.lock"],
        ..Job::new("solve --board 5x7 --threads 2 --memory 64MiB --checkpoint search --format json")
    },
    Job {
        checkpoints: &["search"],
        resumed: &["continues the search after "],
        varying: &["search"],
        removed: &[".search.lock"],
        ..Job::new(
            "dots solve --board 3x4 --threads 2 --memory 64MiB --checkpoint search --format json",
        )
    },
    Job {
        checkpoints: &["rounds"],
        resumed: &["continues the search after "],
        replaced: &["rounds"],
        removed: &[".rounds.lock"],
        ..Job::new(
            "search-heuristic local --rounds 8 --board 4x4 --threads 2 --checkpoint rounds \
             --out found",
        )
    },
    Job::new("export states --board 4x5 --threads 2 --out all"),
    #[cfg(feature = "full")]
    Job::new("export states --board 4x5 --threads 2 --format parquet --out all"),
    Job::new("analyze all --board 4x4 --threads 2 --out tables"),
    Job::new("analyze heuristics --board 4x4 --threads 2 --output heuristics.json"),
];

/// The files of a folder and of those in it, by their paths.
type Files = BTreeMap<String, Vec<u8>>;

/// The result of a job that is not interrupted.
struct Expected {
    out: String,
    files: Files,
    time: Duration,
}

/// What happened in all trials.
#[derive(Debug, Default)]
struct Tally {
    /// Signals sent.
    kills: usize,
    /// Those that ended a process before it was finished.
    hits: usize,
    /// Runs that finished a job after kills.
    finished: usize,
    /// Those that went on from what was kept.
    resumed: usize,
    /// The longest time in which SIGTERM ended a process.
    slowest: Duration,
}

impl Job {
    fn start(&self, folder: &TempDir) -> Running {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("bsq"));
        command.args(words(self.line)).current_dir(folder.path());
        Running::start(command)
    }

    /// Runs the job without interruptions.
    fn expected(&self) -> Expected {
        let folder = tempfile::tempdir().unwrap();
        let began = Instant::now();
        let ran = self.start(&folder).end();
        let time = began.elapsed();
        assert_eq!(ran.code, Some(0), "{}\n{ran:#?}", self.line);
        Expected { out: ran.out, files: contents(folder.path()), time }
    }

    /// Runs the job, kills it up to that number of times, and runs it to its end.
    fn survives(&self, expected: &Expected, kills: usize, random: &mut Random, tally: &mut Tally) {
        let folder = tempfile::tempdir().unwrap();
        for kill in 0..kills {
            let before = contents(folder.path());
            let began = Instant::now();
            let running = self.start(&folder);
            // Less is left of a job that has been resumed.
            let limit = expected.time.mul_f64(0.95) / (kill + 1) as u32;
            let delay = Duration::from_micros(random.below(limit.as_micros() as usize) as u64);
            let signal = ["-KILL", "-TERM"][random.below(2)];
            std::thread::sleep(delay.saturating_sub(began.elapsed()));
            println!("{}: {signal} after {delay:?}", self.line);
            let listened = bsq_test_support::signals::listens(running.id());
            let sent = Instant::now();
            running.signal(signal);
            tally.kills += 1;
            let killed = running.end();
            let took = sent.elapsed();
            let is_hit = killed.code != Some(0);
            tally.hits += usize::from(is_hit);
            match (signal, killed.code) {
                (_, Some(0)) | ("-KILL", None) => {}
                ("-TERM", None) => assert!(!listened, "SIGTERM was not handled"),
                ("-TERM", Some(130)) => {
                    assert!(took < PROMPT, "{took:?}");
                    tally.slowest = tally.slowest.max(took);
                    self.check_message(&killed, &folder);
                }
                _ => panic!("{killed:#?}"),
            }
            if !is_hit {
                assert_same(&killed.out, &expected.out);
                self.check_end(&folder, expected);
                return;
            }
            let is_begun = expected.out.starts_with(&killed.out);
            assert!(is_begun || is_so_far(&killed.out), "{}", killed.out);
            self.check_files(&folder, expected, (signal == "-TERM").then_some(&before));
        }
        let files = contents(folder.path());
        let is_kept = self.checkpoints.iter().any(|path| files.contains_key(*path));
        let ran = self.start(&folder).end();
        assert_eq!(ran.code, Some(0), "{ran:#?}");
        assert_same(&ran.out, &expected.out);
        let is_resumed = self.resumed.iter().any(|note| ran.err.contains(note));
        assert_eq!(is_resumed, is_kept, "{:?}\n{}", files.keys(), ran.err);
        tally.finished += 1;
        tally.resumed += usize::from(is_resumed);
        self.check_end(&folder, expected);
    }

    /// Checks the message of a process that SIGTERM ended, which says whether something is kept.
    fn check_message(&self, stopped: &Ran, folder: &TempDir) {
        assert!(stopped.out.is_empty() || is_so_far(&stopped.out), "{}", stopped.out);
        assert!(!stopped.err.contains("panicked"), "{}", stopped.err);
        let last = stopped.err.lines().last().unwrap_or_default();
        assert!(last.starts_with("error: stopped "), "{}", stopped.err);
        let says = last.contains(" saved; ") || last.contains(" are kept");
        assert_ne!(says, last.contains("nothing was kept"), "{last}");
        let files = contents(folder.path());
        let is_kept = self.checkpoints.iter().any(|path| files.contains_key(*path));
        assert_eq!(says, is_kept, "{last}\n{:?}", files.keys());
    }

    /// Checks the files of a job that was killed. A process that ended in order, `before` which
    /// there were those files, leaves no new temporary files.
    fn check_files(&self, folder: &TempDir, expected: &Expected, before: Option<&Files>) {
        let files = contents(folder.path());
        let is_one = |paths: &[&str], path: &str| paths.contains(&path);
        for (path, bytes) in &files {
            if path.ends_with(".new") {
                let is_old = before.is_none_or(|before| before.contains_key(path));
                assert!(is_old, "{path} is left behind");
            } else if !self.removed.iter().any(|start| path.starts_with(start)) {
                let end = expected.files.get(path);
                let end = end.unwrap_or_else(|| panic!("no such file belongs there: {path}"));
                let changes = is_one(self.replaced, path) || is_one(self.varying, path);
                assert!(changes || bytes == end, "{path} is not whole: {} bytes", bytes.len());
            }
            // The manifest of a folder of results is the last file to appear.
            if let Some(folder) = path.strip_suffix("datapackage.json") {
                let mut listed = expected.files.keys().filter(|path| path.starts_with(folder));
                assert!(listed.all(|path| files.contains_key(path)), "{:?}", files.keys());
            }
        }
    }

    /// Checks the files of a job that is finished.
    fn check_end(&self, folder: &TempDir, expected: &Expected) {
        let files = contents(folder.path());
        assert!(files.keys().eq(expected.files.keys()), "{:?}", files.keys());
        for (path, bytes) in files.iter().filter(|(path, _)| !self.varying.contains(&&***path)) {
            assert!(bytes == &expected.files[path], "{path} differs");
        }
    }
}

/// Compares texts, of which a difference is shown by its line.
fn assert_same(found: &str, expected: &str) {
    let mut lines = found.lines().zip(expected.lines());
    let different = lines.position(|(found, expected)| found != expected);
    let different = different.map(|at| (found.lines().nth(at), expected.lines().nth(at)));
    assert!(found == expected, "{} bytes, {different:?}", found.len());
}

/// The number that a variable of the environment gives.
fn number(variable: &str, default: usize) -> usize {
    let given = std::env::var(variable).ok();
    given.map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{variable}={text}")))
}

/// Prints a line in spite of the capture of output by the test harness.
fn print(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

#[test]
fn killed_jobs_go_on_to_the_same_bytes() {
    let (kills, seed) = (number("BSQ_KILLS", 12), number("BSQ_KILLS_SEED", 1));
    println!("BSQ_KILLS={kills} BSQ_KILLS_SEED={seed}");
    let mut tally = Tally::default();
    for (number, job) in JOBS.iter().enumerate() {
        let mut left = kills * (number + 1) / JOBS.len() - kills * number / JOBS.len();
        if left == 0 {
            continue;
        }
        let expected = job.expected();
        println!("{}: {:?}", job.line, expected.time);
        let mut random = Random::of(seed as u64, &format!("{number}"));
        while left > 0 {
            let most = left.min(1 + random.below(MOST_KILLS));
            let before = tally.kills;
            job.survives(&expected, most, &mut random, &mut tally);
            left -= tally.kills - before;
        }
    }
    let Tally { kills, hits, finished, resumed, slowest } = tally;
    print(&format!(
        "seed {seed}: {kills} kills, {hits} of running jobs; {resumed} of {finished} jobs that were \
         run to their end went on from what was kept; SIGTERM took up to {slowest:?}"
    ));
    assert!(2 * hits >= kills, "{hits} of {kills} kills met a running job");
    assert!(kills < 100 || 4 * resumed >= finished, "{resumed} of {finished} jobs were resumed");
}

/// Whether an output is what a search has proved before it was stopped.
fn is_so_far(out: &str) -> bool {
    out.contains("\"proved\": false") && out.ends_with("}\n")
}
