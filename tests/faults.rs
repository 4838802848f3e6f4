//! Makes the disk fail in every kind of long job, and runs the job again without faults: it prints
//! and leaves what an undisturbed run does.
//!
//! `BSQ_FAULTS` is the number of faults, 300 by default; they are spread over the jobs, the kinds of
//! faults (see `bsq_engine::storage::faults`) and the operations of each job.
//! `BSQ_FAULTS_ONLY=NUMBER` repeats a single one.

#![cfg(unix)]

#[allow(dead_code, reason = "the tests of distributed counts use more of it")]
#[path = "shared/processes.rs"]
mod processes;

use bsq_engine::storage::faults::EXIT_CODE;
use processes::{Ran, Running, addresses, contents};
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
    /// The number of processes, each with `--process` and a scratch folder of its own.
    processes: usize,
    /// A file whose bytes depend on interruptions.
    varying: &'static str,
}

const fn job(line: &'static str) -> Job {
    Job { line, processes: 1, varying: "" }
}

const JOBS: &[Job] = &[
    job("analyze scores --board 4x4 --threads 1 --memory 20MiB --scratch scratch --format json"),
    job("dots tablebase build base --board 2x3 --book 5 --format json"),
    job("rpsw tablebase build base --board 3x3 --pieces 2 --scratch scratch --format json"),
    Job { varying: "search", ..job("solve 4x4 --checkpoint search --format json") },
    Job { varying: "search", ..job("dots solve 2x3 --checkpoint search --format json") },
    job("search-heuristic local --rounds 2 --board 3x3 --checkpoint rounds --out found"),
    job("export states --board 3x4 --out all"),
    job("analyze all --board 3x3 --out tables"),
    #[cfg(feature = "cluster")]
    Job {
        processes: 2,
        ..job("analyze scores --board 3x4 --threads 1 --hosts hosts --wait 5 --format json")
    },
];

/// The result of a job: what the first process printed, and the files.
#[derive(PartialEq)]
struct Outcome {
    printed: String,
    files: BTreeMap<String, Vec<u8>>,
}

impl Job {
    /// Starts a process of the job, with a fault.
    fn start(&self, folder: &Path, process: usize, fault: Option<&str>) -> Running {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("bsq"));
        command.args(self.line.split_whitespace()).current_dir(folder);
        if self.processes > 1 {
            let scratch = format!("scratch-{process}");
            command.args(["--process", &process.to_string(), "--scratch", &scratch]);
        }
        command.env_remove("BSQ_FAULT").envs(fault.map(|fault| ("BSQ_FAULT", fault)));
        command.stdin(Stdio::null());
        Running::start(command)
    }

    /// Runs all processes, the given one with a fault.
    fn run(&self, folder: &Path, fault: Option<(usize, &str)>) -> Vec<Ran> {
        if self.processes > 1 {
            std::fs::write(folder.join("hosts"), addresses(self.processes).join("\n")).unwrap();
        }
        let start = |process| {
            let fault = fault.filter(|(faulty, _)| *faulty == process);
            self.start(folder, process, fault.map(|(_, fault)| fault))
        };
        let running: Vec<Running> = (0..self.processes).map(start).collect();
        running.into_iter().map(|process| process.end_within(LONGEST)).collect()
    }

    /// What the processes printed and left.
    fn outcome(&self, folder: &Path, ran: &[Ran]) -> Outcome {
        let printed = ran[0].out.clone();
        let mut found = contents(folder);
        found.remove("hosts");
        let is_there = found.remove(self.varying).is_some();
        assert_eq!(is_there, !self.varying.is_empty(), "{}: {}", self.line, self.varying);
        Outcome { printed, files: found }
    }
}

fn succeeded(ran: &[Ran]) -> bool {
    ran.iter().all(|ran| ran.code == Some(0))
}

fn errors(ran: &[Ran]) -> String {
    ran.iter().map(|ran| ran.err.as_str()).collect()
}

/// An undisturbed run: its outcome, and the number of operations of each process.
fn reference(job: &Job) -> (Outcome, Vec<u64>) {
    let operations = (0..job.processes).map(|process| {
        let [folder, log] = folders();
        let none = format!("error:0:0:{}", log.path().display());
        let outputs = job.run(folder.path(), Some((process, &none)));
        assert!(succeeded(&outputs), "bsq {}\n{}", job.line, errors(&outputs));
        let operations = std::fs::read_to_string(log.path().join("operations")).unwrap();
        (job.outcome(folder.path(), &outputs), operations.parse::<u64>().unwrap())
    });
    let (outcomes, operations): (Vec<Outcome>, Vec<u64>) = operations.unzip();
    (outcomes.into_iter().next().unwrap(), operations)
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
    /// The next run explained why it cannot continue.
    refused: usize,
}

/// Injects a fault, and runs the job again. Returns an error if the outcome is wrong.
fn inject(
    job: &Job,
    wanted: &Outcome,
    (process, fault, at, seed): (usize, &str, u64, usize),
    tally: &mut Tally,
) -> Result<(), String> {
    let [folder, log] = folders();
    let request = format!("{fault}:{at}:{seed}:{}", log.path().display());
    let faulty = job.run(folder.path(), Some((process, &request)));
    let what = format!("bsq {}\n{fault} at {at} of process {process}", job.line);
    tally.faults += 1;
    let as_wanted = |outputs: &[Ran], when: &str| match job.outcome(folder.path(), outputs) {
        outcome if outcome == *wanted => Ok(()),
        outcome => Err(format!(
            "{what}: another result {when}\n{}\nfiles: {:?}\n{}",
            outcome.printed,
            outcome.files.keys().collect::<Vec<_>>(),
            errors(&faulty)
        )),
    };
    match faulty[process].code {
        Some(0) if succeeded(&faulty) => {
            tally.finished += 1;
            // Files that the fault kept from being removed are removed by the next run.
            let printed = faulty[0].out == wanted.printed;
            if !printed {
                return Err(format!("{what}: another result at once\n{}", errors(&faulty)));
            }
        }
        Some(0) => {}
        Some(EXIT_CODE) if matches!(fault, "kill" | "power") => tally.ended += 1,
        Some(1 | 2) if matches!(fault, "error" | "gone" | "full") => {
            tally.reported += 1;
            if !errors(&faulty[process..][..1]).contains("error: ") {
                return Err(format!("{what}: no message\n{}", errors(&faulty)));
            }
        }
        code => return Err(format!("{what}: exit code {code:?}\n{}", errors(&faulty))),
    }
    let again = job.run(folder.path(), None);
    // When the result is delivered, each process removes its files. If one of them fails, the files
    // of the others are not enough to continue, and the next run says so.
    let is_delivered = job.processes > 1 && faulty[0].out == wanted.printed;
    match succeeded(&again) {
        true => as_wanted(&again, "afterwards"),
        false if is_delivered && errors(&again).contains("in no process's scratch folder") => {
            tally.refused += 1;
            Ok(())
        }
        false => Err(format!(
            "{what}: the next run fails\n{}\nafter\n{}",
            errors(&again),
            errors(&faulty)
        )),
    }
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
                    let process = round % operations.len();
                    // The rounds cover all operations evenly, each kind and job with an offset.
                    let most = operations[process];
                    let offset = (7 * kind + job) as u64 * most / 42;
                    let at = 1 + (round as u64 * most / rounds as u64 + offset) % most;
                    let fault = (process, KINDS[kind], at, number);
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
                all.refused += tally.refused;
            });
        }
    });
    let (tally, wrong) = found.into_inner().unwrap();
    println!(
        "{} faults: {} errors reported, {} processes ended, {} jobs finished nevertheless; {} times \
         the next run explained why it cannot continue",
        tally.faults, tally.reported, tally.ended, tally.finished, tally.refused
    );
    for (job, (_, operations)) in JOBS.iter().zip(&references) {
        println!("{operations:?} operations: bsq {}", job.line);
    }
    assert!(wrong.is_empty(), "{} faults did harm:\n{}", wrong.len(), wrong.join("\n\n"));
    // Most faults hit something.
    assert!(only.is_some() || 2 * (tally.reported + tally.ended) > tally.faults);
}
