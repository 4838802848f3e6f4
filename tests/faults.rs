//! Makes the disk fail in every kind of long job, and runs the job again without faults: it prints
//! and leaves what an undisturbed run does.
//!
//! `BSQ_FAULTS` is the number of faults, 300 by default; they are spread over the jobs, the kinds of
//! faults (see `bsq_engine::storage::faults`) and the operations of each job.
//! `BSQ_FAULTS_ONLY=NUMBER` repeats a single one.

#![cfg(unix)]

use bsq_engine::storage::faults::EXIT_CODE;
use bsq_test_support::processes::{Ran, Running, contents};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tempfile::TempDir;

/// The time limit of a run.
const LONGEST: Duration = Duration::from_secs(120);
const KINDS: [&str; 6] = ["error", "gone", "full", "short", "kill", "power"];

/// A job whose files are in the current folder.
struct Job {
    line: &'static str,
    /// A file whose bytes depend on interruptions.
    varying: &'static str,
}

const fn job(line: &'static str) -> Job {
    Job { line, varying: "" }
}

const JOBS: &[Job] = &[
    job("analyze terminals --method sets --board 4x4 --part 1/2 --output one.part"),
    job("dots tablebase build base --board 2x3 --book 5 --format json"),
    job("rpsw tablebase build base --board 3x3 --pieces 2 --scratch scratch --format json"),
    Job { varying: "search", ..job("solve 4x4 --checkpoint search --format json") },
    Job { varying: "search", ..job("dots solve 2x3 --checkpoint search --format json") },
    job("search-heuristic local --rounds 2 --board 3x3 --checkpoint rounds --out found"),
    job("export states --board 3x4 --out all"),
    job("analyze all --board 3x3 --out tables"),
];

/// The result of a job: what it printed, and the files.
#[derive(PartialEq)]
struct Outcome {
    printed: String,
    files: BTreeMap<String, Vec<u8>>,
}

impl Job {
    /// Runs the job, with a fault.
    fn run(&self, folder: &Path, fault: Option<&str>) -> Ran {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("bsq"));
        command.args(self.line.split_whitespace()).current_dir(folder);
        command.env_remove("BSQ_FAULT").envs(fault.map(|fault| ("BSQ_FAULT", fault)));
        command.stdin(Stdio::null());
        Running::start(command).end_within(LONGEST)
    }

    /// What the job printed and left.
    fn outcome(&self, folder: &Path, ran: &Ran) -> Outcome {
        let printed = ran.out.clone();
        let mut found = contents(folder);
        let is_there = found.remove(self.varying).is_some();
        assert_eq!(is_there, !self.varying.is_empty(), "{}: {}", self.line, self.varying);
        Outcome { printed, files: found }
    }
}

/// An undisturbed run: its outcome, and the number of operations.
fn reference(job: &Job) -> (Outcome, u64) {
    let [folder, log] = folders();
    let none = format!("error:0:0:{}", log.path().display());
    let ran = job.run(folder.path(), Some(&none));
    assert_eq!(
        ran.code,
        Some(0),
        "bsq {}
{}",
        job.line,
        ran.err
    );
    let operations = std::fs::read_to_string(log.path().join("operations")).unwrap();
    (job.outcome(folder.path(), &ran), operations.parse().unwrap())
}

/// A folder for the files of a job and one for the log of its faults, on the same file system.
fn folders() -> [TempDir; 2] {
    [(); 2].map(|()| tempfile::tempdir().unwrap())
}

/// What a fault did.
#[derive(Clone, Copy, Default)]
struct Tally {
    faults: usize,
    /// The process reported an error.
    reported: usize,
    /// The process was ended.
    ended: usize,
    /// The job finished nevertheless.
    finished: usize,
}

/// Injects a fault, and runs the job again. Returns an error if the outcome is wrong.
fn inject(
    job: &Job,
    wanted: &Outcome,
    (fault, at, seed): (&str, u64, usize),
    tally: &mut Tally,
) -> Result<(), String> {
    let [folder, log] = folders();
    let request = format!("{fault}:{at}:{seed}:{}", log.path().display());
    let faulty = job.run(folder.path(), Some(&request));
    let what = format!(
        "bsq {}
{fault} at {at}",
        job.line
    );
    tally.faults += 1;
    match faulty.code {
        Some(0) => {
            tally.finished += 1;
            // Files that the fault kept from being removed are removed by the next run.
            if faulty.out != wanted.printed {
                return Err(format!(
                    "{what}: another result at once
{}",
                    faulty.err
                ));
            }
        }
        Some(EXIT_CODE) if matches!(fault, "kill" | "power") => tally.ended += 1,
        Some(1 | 2) if matches!(fault, "error" | "gone" | "full") => {
            tally.reported += 1;
            if !faulty.err.contains("error: ") {
                return Err(format!(
                    "{what}: no message
{}",
                    faulty.err
                ));
            }
        }
        code => {
            return Err(format!(
                "{what}: exit code {code:?}
{}",
                faulty.err
            ));
        }
    }
    let again = job.run(folder.path(), None);
    if again.code != Some(0) {
        let (again, faulty) = (again.err, faulty.err);
        return Err(format!(
            "{what}: the next run fails
{again}
after
{faulty}"
        ));
    }
    let outcome = job.outcome(folder.path(), &again);
    if outcome != *wanted {
        let files = outcome.files.keys().collect::<Vec<_>>();
        let (printed, errors) = (&outcome.printed, &faulty.err);
        return Err(format!(
            "{what}: another result afterwards
{printed}
{files:?}
{errors}"
        ));
    }
    Ok(())
}

#[test]
fn jobs_go_on_after_any_fault() {
    let variable = |name: &str| std::env::var(name).ok().map(|number| number.parse().unwrap());
    let (count, only): (usize, Option<usize>) =
        (variable("BSQ_FAULTS").unwrap_or(300), variable("BSQ_FAULTS_ONLY"));
    let references: Vec<_> = JOBS.iter().map(reference).collect();
    let rounds = count.div_ceil(JOBS.len() * KINDS.len());
    let next = AtomicUsize::new(only.unwrap_or(0));
    let end = only.map_or(count, |only| only + 1);
    let found: Mutex<(Tally, Vec<String>)> = Mutex::default();
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(|| {
                let mut tally = Tally::default();
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= end {
                        break;
                    }
                    let (job, rest) = (number % JOBS.len(), number / JOBS.len());
                    let (kind, round) = (rest % KINDS.len(), rest / KINDS.len());
                    let (wanted, operations) = &references[job];
                    // The rounds cover all operations evenly, each kind and job with an offset.
                    let most = *operations;
                    let offset = (7 * kind + job) as u64 * most / 42;
                    let at = 1 + (round as u64 * most / rounds as u64 + offset) % most;
                    let fault = (KINDS[kind], at, number);
                    if let Err(error) = inject(&JOBS[job], wanted, fault, &mut tally) {
                        let error = format!("fault {number}: {error}");
                        found.lock().unwrap().1.push(error);
                    }
                }
                let all = &mut found.lock().unwrap().0;
                all.faults += tally.faults;
                all.reported += tally.reported;
                all.ended += tally.ended;
                all.finished += tally.finished;
            });
        }
    });
    let (tally, wrong) = found.into_inner().unwrap();
    println!(
        "{} faults: {} errors reported, {} processes ended, {} jobs finished nevertheless",
        tally.faults, tally.reported, tally.ended, tally.finished
    );
    for (job, (_, operations)) in JOBS.iter().zip(&references) {
        println!("{operations} operations: bsq {}", job.line);
    }
    assert!(wrong.is_empty(), "{} faults did harm:\n{}", wrong.len(), wrong.join("\n\n"));
    // Most faults hit something.
    assert!(only.is_some() || 2 * (tally.reported + tally.ended) > tally.faults);
}
