//! Every command keeps to `--memory`: every verb, every analysis, export, heuristic test and way of
//! search, with every option of the rules, on boards at the limits.
//!
//! A command that still runs after a while is interrupted. Its peak of memory without that of mapped
//! files is at most the limit and 32 MiB; a command that refuses its job says what it takes. Each verb
//! runs with pseudo-random rules, then with others, as long as `BSQ_MEMORY_SECONDS` says, 40 by
//! default; `all` runs every case.

#![cfg(target_os = "linux")]

use bsq_api::{Game, OptionKind, Registry, RuleOption};
use bsq_engine::random::Random;
use bsq_test_support::signals::listens;
use std::collections::BTreeMap;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// What a process may take beyond the limit, in bytes: code and data of the program, stacks, and what
/// the allocator keeps.
const BEYOND: u64 = 32 << 20;
/// The time after which a process is interrupted.
const LONG: Duration = Duration::from_millis(900);
/// The time in which it then ends, with a margin for a loaded machine.
const PROMPT: Duration = Duration::from_secs(30);
/// The limits, in MiB.
const LIMITS: [u64; 2] = [64, 256];
/// Boards of which each game has some: the smallest and the largest ones, long and square.
const BOARDS: [&str; 15] = [
    "1x1", "1x20", "1x25", "1x30", "1x64", "2x12", "2x32", "3x3", "3x4", "4x4", "4x6", "5x5",
    "6x4", "7x8", "8x8",
];

/// A command without the flag for the memory.
type Line = Vec<String>;

fn line(words: &[&str]) -> Line {
    words.iter().map(|word| word.to_string()).collect()
}

/// The flag of an option with a value. A truth value has none.
fn flag(option: &RuleOption, value: &str) -> Line {
    match option.kind {
        OptionKind::Truth => vec![format!("--{}", option.flag())],
        _ => vec![format!("--{}={value}", option.flag())],
    }
}

/// Values of an option at the limits and between them.
fn values(option: &RuleOption) -> Vec<String> {
    match &option.kind {
        OptionKind::Truth => vec!["yes".to_string()],
        OptionKind::Board => BOARDS.map(str::to_string).to_vec(),
        OptionKind::Integer { least, most } => {
            let mut values = vec![*least, 2, 3, 9, *most];
            values.retain(|value| (least..=most).contains(&value));
            values.dedup();
            values.iter().map(i64::to_string).collect()
        }
        OptionKind::Points { .. } => vec!["-1".to_string(), "-0.3".to_string()],
        OptionKind::Choice { values } => values.iter().map(|value| value.to_string()).collect(),
        _ => Vec::new(),
    }
}

/// The rules of a game: every board that it has with the defaults, and with each other option.
fn rules(game: &dyn Game) -> Vec<Line> {
    let (boards, others): (Vec<_>, Vec<_>) =
        game.options().iter().partition(|option| option.kind == OptionKind::Board);
    let mut all = Vec::new();
    let mut add = |given: &[(&RuleOption, &str)]| {
        let texts: Vec<(&str, &str)> =
            given.iter().map(|(option, value)| (&*option.name, *value)).collect();
        if game.rules(&texts).is_ok() {
            all.push(given.iter().flat_map(|(option, value)| flag(option, value)).collect());
        }
    };
    for board in boards {
        for size in BOARDS {
            add(&[(board, size)]);
            for option in &others {
                values(option).iter().for_each(|value| add(&[(board, size), (option, value)]));
            }
        }
    }
    all
}

/// The command of a game without its rules, each followed by the options that it takes.
fn verbs(game: &dyn Game) -> Vec<Line> {
    let name = &*game.info().name;
    let mut all = vec![line(&["solve"]), line(&["solve", "--values", "--pv"])];
    all.extend(game.methods().iter().map(|method| line(&["solve", "--method", method])));
    all.extend(
        game.optional_facts().iter().map(|fact| vec!["solve".into(), format!("--{}", fact.name)]),
    );
    all.push(line(&["solve", "-"]));
    all.push(line(&["solve", "--checkpoint", "DIR/search"]));
    all.push(line(&["play", "--plain", "--first", "perfect", "--second", "perfect"]));
    for analysis in game.analyses() {
        let command = line(&["analyze", analysis.name()]);
        let is_rule = |option: &&RuleOption| game.options().iter().any(|it| it.name == option.name);
        for option in analysis.options().iter().filter(|option| !is_rule(option)) {
            let given = |value: String| [command.clone(), flag(option, &value)].concat();
            all.extend(values(option).into_iter().map(given));
        }
        all.push(command);
    }
    let heuristics = game.heuristics();
    if let (Some(_), Some(heuristic)) = (game.heuristic_test(), heuristics.last()) {
        all.push(line(&["test-heuristic", &heuristic.name]));
    }
    if let Some(info) = game.tablebases() {
        all.push(line(&["tablebase", "build", "DIR/base"]));
        for option in info.options.iter().filter(|option| option.kind != OptionKind::Folder) {
            let given =
                |value: String| [line(&["tablebase", "build", "DIR/base"]), flag(option, &value)];
            all.extend(values(option).into_iter().map(|value| given(value).concat()));
        }
    }
    if name == bsq_games::british_square::NAME {
        for export in bsq_analyses::EXPORTS {
            all.push(line(&["export", export.name, "--out", "DIR/out"]));
            all.push(line(&["export", export.name, "--out", "DIR/out", "--format", "parquet"]));
        }
        for way in ["beam", "exhaustive", "local"] {
            all.push(line(&["search-heuristic", way]));
        }
        all.push(line(&["search-heuristic", "--replies", "--conditions", "regions"]));
        all.push(line(&["test-heuristic", "greedy", "--failures", "DIR/failures.csv"]));
        all.push(line(&["test-heuristic", "greedy", "--from-start"]));
        all.push(line(&["test-heuristic", "greedy", "--method", "depth-first"]));
    }
    all.into_iter().map(|verb| [vec![name.to_string()], verb].concat()).collect()
}

/// All commands with their limits in MiB: each verb once, then each once more, and so on.
fn cases() -> Vec<(Line, u64)> {
    let mut random = Random::of(1, "memory");
    let mut by_round: BTreeMap<usize, Vec<(Line, u64)>> = BTreeMap::new();
    for game in Registry::standard().games() {
        let rules = rules(game);
        for verb in verbs(game) {
            let given = rules.iter().flat_map(|rules| LIMITS.map(|limit| (rules, limit)));
            let mut given: Vec<(&Line, u64)> = given.collect();
            for at in (1..given.len()).rev() {
                given.swap(at, random.below(at + 1));
            }
            for (round, (rules, limit)) in given.into_iter().enumerate() {
                let line = verb.iter().chain(rules).cloned().collect();
                by_round.entry(round).or_default().push((line, limit));
            }
        }
    }
    by_round.into_values().flatten().collect()
}

/// The memory of a process besides that of mapped files, in bytes; 0 if it has ended.
fn anonymous(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"));
    let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kib.unwrap_or(0) << 10
}

/// Runs a command with a limit in MiB. Returns its exit code, its messages and its peak.
fn run(line: &Line, limit: u64) -> (Option<i32>, String, u64) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().display().to_string();
    let mut command = Command::new(env!("CARGO_BIN_EXE_bsq"));
    command.args(line.iter().map(|word| word.replace("DIR", &path)));
    command.arg(format!("--memory={limit}MiB")).args(["--quiet", "--threads=2"]);
    let input = if line.iter().any(|word| word == "-") {
        let positions = folder.path().join("input");
        std::fs::write(&positions, "\n").unwrap();
        Stdio::from(std::fs::File::open(positions).unwrap())
    } else {
        Stdio::null()
    };
    command.stdin(input).stdout(Stdio::null()).stderr(Stdio::piped());
    let (mut child, began) = (command.spawn().unwrap(), Instant::now());
    let process = child.id();
    let (mut peak, mut is_stopped) = (0, false);
    while child.try_wait().unwrap().is_none() {
        peak = anonymous(process).max(peak);
        if began.elapsed() > PROMPT {
            child.kill().unwrap();
        } else if began.elapsed() > LONG && !is_stopped && listens(process) {
            let id = process.to_string();
            assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
            is_stopped = true;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    let output = child.wait_with_output().unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap(), peak)
}

/// What is wrong with a run, if anything is.
fn fault(line: &Line, limit: u64) -> Option<String> {
    let (code, messages, peak) = run(line, limit);
    let says_size = ["KiB", "MiB", "GiB", "TiB"].iter().any(|unit| messages.contains(unit));
    let fault = if peak > (limit << 20) + BEYOND {
        format!("takes {} MiB", peak >> 20)
    } else {
        match code {
            Some(0 | 2 | 130) => return None,
            Some(1) if says_size => return None,
            Some(code) => format!("ends with {code}"),
            None => "does not stop".to_string(),
        }
    };
    Some(format!("bsq {} --memory {limit}MiB: {fault}\n{messages}", line.join(" ")))
}

#[test]
fn every_command_keeps_to_its_memory() {
    let seconds = std::env::var("BSQ_MEMORY_SECONDS").unwrap_or("40".to_string());
    let time = match seconds.as_str() {
        "all" => Duration::MAX,
        number => Duration::from_secs(number.parse().unwrap()),
    };
    let (cases, began, next) = (cases(), Instant::now(), AtomicUsize::new(0));
    let work = || {
        let mut faults = Vec::new();
        while began.elapsed() < time {
            let Some((line, limit)) = cases.get(next.fetch_add(1, Ordering::Relaxed)) else {
                break;
            };
            faults.extend(fault(line, *limit));
        }
        faults
    };
    let faults: Vec<String> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..2).map(|_| scope.spawn(work)).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    println!("{} of {} cases", next.into_inner().min(cases.len()), cases.len());
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
