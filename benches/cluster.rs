//! The overhead of a distributed count on one machine, relative to a single process, with and
//! without a scratch folder.
//!
//! `cargo bench --features cluster --bench cluster` takes a minute; `-- --test` runs everything
//! once on a small board. Times are medians over the rounds. All processes share one machine, so
//! the benchmark measures the overhead of exchanging states and of writing levels to disk, not a
//! speedup.

use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Instant;

const PASS: &str = "scores";
/// The largest acceptable ratio to a single process.
const TARGET: f64 = 3.0;

/// A configuration of a count.
#[derive(Clone, Copy)]
struct Way {
    name: &'static str,
    /// 0 for a count that is not distributed.
    processes: usize,
    threads: usize,
    scratch: bool,
}

const WAYS: [Way; 4] = [
    Way { name: "one machine's pass", processes: 0, threads: 2, scratch: false },
    Way { name: "the same, with --scratch", processes: 0, threads: 2, scratch: true },
    Way { name: "1 process of 2 threads", processes: 1, threads: 2, scratch: true },
    Way { name: "2 processes of 1 thread", processes: 2, threads: 1, scratch: true },
];

/// The measurements of a run.
#[derive(Clone, Debug, Default)]
struct Cost {
    seconds: f64,
    /// Summed over all processes.
    sent_bytes: u64,
    /// The maximum over all processes.
    peak_kib: u64,
    moves: u64,
    out: Vec<u8>,
}

fn main() {
    let test = std::env::args().any(|arg| arg == "--test");
    let (boards, rounds) = if test { (vec!["4x4"], 1) } else { (vec!["5x5", "4x6"], 5) };
    println!(
        "{:<8}{:<26}{:>9}{:>8}{:>12}{:>16}",
        "board", "way", "seconds", "ratio", "sent/move", "peak/process"
    );
    for board in boards {
        let mut runs = WAYS.map(|_| Vec::new());
        // Configurations alternate, so that other load on the machine affects all of them.
        for _ in 0..rounds {
            for (runs, way) in runs.iter_mut().zip(WAYS) {
                runs.push(run(board, way));
            }
        }
        let costs = runs.map(median);
        for (way, cost) in WAYS.iter().zip(&costs) {
            assert_eq!(cost.out, costs[0].out, "{board}: {} finds something else", way.name);
            let ratio = cost.seconds / costs[0].seconds;
            let sent = cost.sent_bytes as f64 / cost.moves.max(1) as f64;
            let note = if way.processes > 0 && ratio > TARGET { " (above target)" } else { "" };
            println!(
                "{board:<8}{:<26}{:>9.2}{ratio:>8.2}{sent:>10.2} B{:>12.1} MiB{note}",
                way.name,
                cost.seconds,
                cost.peak_kib as f64 / 1024.0
            );
        }
    }
}

fn median(mut runs: Vec<Cost>) -> Cost {
    runs.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
    runs.swap_remove(runs.len() / 2)
}

fn run(board: &str, way: Way) -> Cost {
    let folder = tempfile::tempdir().expect("a folder for temporary files");
    let folder = folder.path();
    let processes = way.processes.max(1);
    let listeners: Vec<_> =
        (0..processes).map(|_| TcpListener::bind("127.0.0.1:0").expect("a port")).collect();
    let hosts = listeners.iter().map(|l| l.local_addr().expect("an address").to_string());
    let hosts: Vec<_> = hosts.collect();
    std::fs::write(folder.join("hosts"), hosts.join("\n")).expect("a file");
    drop(listeners);
    let began = Instant::now();
    let all: Vec<_> = (0..processes).map(|p| start(folder, board, way, p)).collect();
    let outputs: Vec<_> =
        all.into_iter().map(|child| child.wait_with_output().expect("a process")).collect();
    let seconds = began.elapsed().as_secs_f64();
    let mut cost = Cost { seconds, ..Cost::default() };
    for (process, output) in outputs.into_iter().enumerate() {
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let log = std::fs::read_to_string(folder.join(format!("log-{process}")));
        let log = log.expect("a log");
        cost.sent_bytes += number(&log, "sent_bytes=");
        cost.peak_kib = cost.peak_kib.max(number(&log, "peak_kib="));
        cost.moves = number(&log, "moves=");
        cost.out.extend(output.stdout);
    }
    cost
}

fn start(folder: &Path, board: &str, way: Way, process: usize) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bsq"));
    command.args(["analyze", PASS, "--board", board, "--format", "csv", "--quiet"]);
    command.args(["--threads", &way.threads.to_string()]);
    command.arg("--log").arg(folder.join(format!("log-{process}")));
    if way.scratch {
        command.arg("--scratch").arg(folder.join(format!("scratch-{process}")));
    }
    if way.processes > 0 {
        command.arg("--hosts").arg(folder.join("hosts"));
        command.args(["--process", &process.to_string()]);
    }
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("a process")
}

/// The number after the last occurrence of `words` in a log; 0 if there is none.
fn number(log: &str, words: &str) -> u64 {
    let rest = log.rsplit_once(words).map_or("", |(_, rest)| rest);
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().unwrap_or(0)
}
