//! Speedups relative to plain reference implementations, measured in one run.
//!
//! Reference and candidate run on the same machine, one after the other, so ratios are comparable
//! between machines. Commands are measured as whole processes. The table at the end also contains
//! their peak memory, if the system reports it.
//!
//! `cargo bench` takes some minutes; `cargo bench -- --test` runs everything once.

use bsq_engine::explore::{Count, Limits, explore};
use bsq_engine::game::{Game, Value};
use bsq_engine::monitor::Monitor;
use bsq_engine::strong;
use bsq_games::british_square::heuristic::corpus::{Corpus, Failures, Selection};
use bsq_games::british_square::heuristic::{DecisionList, language};
use bsq_games::british_square::territory::StrongSolution;
use bsq_games::british_square::{BritishSquare, Rules, TerritoryBoard};
use bsq_games::dots::{Board, Lines};
use bsq_games::rpsw::census::Census;
use bsq_games::rpsw::retrograde::{self, ByMaterial, Layout};
use bsq_games::{mnk, rpsw};
use bsq_plain as plain;
use bsq_plain::rpsw::{ALL_KINDS, OPEN};
use criterion::{Criterion, SamplingMode};
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::hint::black_box;
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

const THREADS: usize = 2;
/// The limit on the peak memory of a command, and the goal.
const PEAK_MIB: (f64, f64) = (200.0, 130.0);

/// The failures of the decision list below.
const RULES_FAIL: Failures = Failures { fails: 519_600, fails_badly: 429_379 };

/// The numbers of won, lost and drawn positions of rock-paper-scissors-well on 3x4.
const RPSW_COUNTS: [u64; 3] = [4_126_523, 840_311, 1_366];
/// The same on the standard board.
const WHOLE_RPSW_COUNTS: [u64; 3] = [4_218_125_125, 1_306_208_074, 7_875_889];

/// The positions of four in a row on 4x4, and those up to symmetry.
const FOUR_IN_A_ROW_POSITIONS: [u64; 2] = [9_722_011, 1_217_977];

const PLAIN_TALLY: &str = "plain tally";
const PLAIN_MINIMAX: &str = "plain minimax";
const PLAIN_SEARCH: &str = "plain search";
const PLAIN_RPSW: &str = "plain rpsw";
const PLAIN_DOTS: &str = "plain dots";
const PLAIN_EXPLORER: &str = "plain hash map";
const CANONICAL_EXPLORER: &str = "with symmetry";
const STRONG_4X5: &str = "strong 4x5";

/// Positions of Dots-and-Boxes with their values: rows and columns, and the lines that are drawn.
/// The third one is in the middle of a game on 4x4.
const DOTS: [(usize, usize, Lines, i32); 3] =
    [(2, 4, 0, 2), (3, 3, 0, -3), (4, 4, 0x6C_8DB2_4354, 4)];
/// The least ratio of the nodes of plain alpha-beta to those of the solver.
const DOTS_NODES: f64 = 100.0;

/// A job that is compared with a reference.
struct Job {
    name: &'static str,
    reference: &'static str,
    /// The required ratio, and the goal.
    target: Option<(f64, f64)>,
    work: Work,
}

enum Work {
    /// The whole command with these arguments.
    Command(&'static [&'static str]),
    /// A function in this process, on this number of threads.
    InProcess(usize, fn()),
    /// The failures of a decision list over all decisions of the standard game, likewise.
    Rules(usize, &'static str),
}

const JOBS: [Job; 27] = [
    counting("analyze terminals", &["analyze", "terminals"], (60.0, 100.0)),
    counting("analyze states", &["analyze", "states"], (60.0, 100.0)),
    counting("analyze scores", &["analyze", "scores"], (50.0, 100.0)),
    Job {
        name: "all states, 1 thread",
        reference: PLAIN_MINIMAX,
        target: None,
        work: Work::InProcess(1, solve),
    },
    Job {
        name: "all states",
        reference: PLAIN_MINIMAX,
        target: Some((7.0, 12.0)),
        work: Work::InProcess(THREADS, solve),
    },
    // The target is one second if the plain minimax takes six. Features are computed beforehand.
    Job {
        name: "rules, all decisions",
        reference: PLAIN_MINIMAX,
        target: Some((6.0, 60.0)),
        work: Work::Rules(THREADS, "most claim, most free-difference, least opponent-best-claim"),
    },
    Job {
        name: "all states, territory",
        reference: PLAIN_MINIMAX,
        target: Some((25.0, 25.0)),
        work: Work::InProcess(THREADS, every),
    },
    Job {
        name: "solve, without map",
        reference: PLAIN_SEARCH,
        target: Some((20.0, 20.0)),
        work: Work::Command(&["solve", "--threads", "1"]),
    },
    Job {
        name: "rpsw 3x4, 1 thread",
        reference: PLAIN_RPSW,
        target: None,
        work: Work::InProcess(1, rpsw),
    },
    Job {
        name: "rpsw 3x4",
        reference: PLAIN_RPSW,
        target: Some((50.0, 50.0)),
        work: Work::InProcess(THREADS, rpsw),
    },
    Job {
        name: "dots, 3 positions, 1 thread",
        reference: PLAIN_DOTS,
        target: None,
        work: Work::InProcess(1, dots),
    },
    Job {
        name: "dots, 3 positions",
        reference: PLAIN_DOTS,
        target: Some((50.0, 50.0)),
        work: Work::InProcess(THREADS, dots),
    },
    Job {
        name: "explore 4x4, 1 thread",
        reference: PLAIN_EXPLORER,
        target: None,
        work: Work::InProcess(1, four_in_a_row),
    },
    Job {
        name: "explore 4x4",
        reference: PLAIN_EXPLORER,
        target: Some((2.0, 2.0)),
        work: Work::InProcess(THREADS, four_in_a_row),
    },
    // The same, compared with a hash map of canonical positions.
    Job {
        name: "explore 4x4, symmetry",
        reference: CANONICAL_EXPLORER,
        target: None,
        work: Work::InProcess(THREADS, four_in_a_row),
    },
    // The explorer knows only the rules.
    Job {
        name: "explore 4x5",
        reference: STRONG_4X5,
        target: Some((0.05, 0.05)),
        work: Work::InProcess(THREADS, explore_4x5),
    },
    solving("test-heuristic greedy", &["test-heuristic", "greedy"], 0.6),
    solving("analyze blunders", &["analyze", "blunders"], 0.6),
    solving("solve", &["solve"], 0.02),
    solving("analyze openings", &["analyze", "openings"], 0.05),
    solving("solve --board 6x6 --values", &["solve", "--board", "6x6", "--values"], 1.0),
    solving("solve --board 6x7", &["solve", "--board", "6x7"], 10.0),
    solving("dots solve 3x3", &["dots", "solve", "3x3"], 0.05),
    solving("dots solve 3x4", &["dots", "solve", "3x4"], 1.0),
    solving("dots solve 4x4 icelandic", &["dots", "solve", "4x4", "--variant", "icelandic"], 5.0),
    solving(
        "dots, problem 12.15",
        &["dots", "solve", "tests/golden/dots/problem-12.15.txt", "--values"],
        2.0,
    ),
    solving("dots solve 5x5 swedish", &["dots", "solve", "5x5", "--variant", "swedish"], 10.0),
];

/// Jobs of many seconds, which run once, and not with `--test`. Targets are in seconds, for a
/// machine on which the plain minimax takes six.
const LONG_JOBS: [Job; 7] = [
    solving("solve --board 5x9", &["solve", "--board", "5x9"], 40.0),
    solving("solve --board 7x7", &["solve", "--board", "7x7"], 120.0),
    solving("dots solve 3x5", &["dots", "solve", "3x5"], 90.0),
    solving("dots solve 4x4", &["dots", "solve", "4x4"], 90.0),
    // Fifteen lines drawn at random, none of them the third side of a box.
    solving(
        "dots, 45 open lines",
        &["dots", "solve", "benches/dots/5x5-45-open.txt", "--values"],
        120.0,
    ),
    timed("rpsw, whole", Work::InProcess(THREADS, whole_rpsw), 35.0),
    timed("rpsw tablebase build", Work::InProcess(THREADS, rpsw_tablebase), 60.0),
];

const fn counting(
    name: &'static str,
    arguments: &'static [&'static str],
    target: (f64, f64),
) -> Job {
    Job { name, reference: PLAIN_TALLY, target: Some(target), work: Work::Command(arguments) }
}

const fn solving(name: &'static str, arguments: &'static [&'static str], seconds: f64) -> Job {
    timed(name, Work::Command(arguments), seconds)
}

const fn timed(name: &'static str, work: Work, seconds: f64) -> Job {
    let target = Some((6.0 / seconds, 6.0 / seconds));
    Job { name, reference: PLAIN_MINIMAX, target, work }
}

/// All measured durations, by name.
#[derive(Default)]
struct Clock(RefCell<BTreeMap<&'static str, Vec<Duration>>>);

impl Clock {
    fn time(&self, name: &'static str, work: impl FnOnce()) -> Duration {
        let start = Instant::now();
        work();
        let elapsed = start.elapsed();
        self.0.borrow_mut().entry(name).or_default().push(elapsed);
        elapsed
    }

    /// The median of the measured durations, in seconds.
    fn median(&self, name: &str) -> Option<f64> {
        let mut durations = self.0.borrow().get(name)?.clone();
        durations.sort_unstable();
        Some(durations[durations.len() / 2].as_secs_f64())
    }
}

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bsq"));
    command.args(arguments).args(["--format", "csv", "--quiet"]);
    if !arguments.contains(&"--threads") {
        command.arg("--threads").arg(THREADS.to_string());
    }
    command.stdin(Stdio::null()).stdout(Stdio::null());
    command
}

/// Runs a command and returns its peak memory in MiB from its log, if the system reports it.
fn peak_of(arguments: &[&str]) -> Option<f64> {
    let log = std::env::temp_dir().join(format!("bsq-ratios-{}.log", std::process::id()));
    let mut command = command(arguments);
    let status = command.arg("--log").arg(&log).status();
    assert!(status.is_ok_and(|status| status.success()), "{command:?} failed");
    let text = std::fs::read_to_string(&log).ok()?;
    std::fs::remove_file(&log).ok()?;
    let kib: f64 = text.rsplit_once("peak_kib=")?.1.split_whitespace().next()?.parse().ok()?;
    (kib > 0.0).then_some(kib / 1024.0)
}

/// The duration of one run of a job.
fn run(job: &Job, clock: &Clock) -> Duration {
    match job.work {
        Work::Command(arguments) => {
            let mut command = command(arguments);
            clock.time(job.name, || {
                let status = command.status();
                assert!(status.is_ok_and(|s| s.success()), "{command:?} failed");
            })
        }
        Work::InProcess(threads, work) => {
            let pool = pool(threads);
            clock.time(job.name, || pool.install(work))
        }
        Work::Rules(threads, rules) => {
            let pool = pool(threads);
            let list = language::parse(rules, &[]).expect("rules");
            let corpus = pool.install(|| corpus(&list));
            clock.time(job.name, || assert_eq!(pool.install(|| corpus.failures(&list)), RULES_FAIL))
        }
    }
}

fn pool(threads: usize) -> rayon::ThreadPool {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.expect("threads can be started")
}

/// Solves the game, including the construction of all tables.
fn solve() {
    let rules = Rules::standard(5, 5).expect("5x5 is a board");
    let game = BritishSquare::new(rules).expect("5x5 is small enough");
    let solved = strong::solve(&game, &game.root(), &Monitor::default());
    assert_eq!(solved.expect("the table is large enough").value(), 2);
}

/// Values all territories, from which the value of every state can be looked up.
fn every() {
    let rules = Rules::standard(5, 5).expect("5x5 is a board");
    let field = TerritoryBoard::new(rules.board);
    let root = field.territory(&rules, &rules.start());
    let every = StrongSolution::solve(field, root, 1_000_000, &Monitor::default());
    assert_eq!(every.expect("the table is large enough").value(root), Some(2));
}

/// The rules with all pieces on a board that is small enough for the plain solver.
fn rpsw_rules() -> rpsw::Rules {
    rpsw::Rules::standard().on_board(3, 4).expect("a board")
}

/// Solves the game on a small board by bit-set retrograde analysis, including the construction of
/// all tables.
fn rpsw() {
    solve_rpsw(rpsw_rules(), RPSW_COUNTS);
}

/// The same on the standard board.
fn whole_rpsw() {
    solve_rpsw(rpsw::Rules::standard(), WHOLE_RPSW_COUNTS);
}

/// Solves the game on the standard board and writes its tablebase.
fn rpsw_tablebase() {
    let folder = tempfile::tempdir().expect("a folder for the tablebase");
    let file = folder.path().join("rpsw.db");
    let mut command = command(&["rpsw", "tablebase", "build"]);
    let status = command.arg(file).status();
    assert!(status.is_ok_and(|status| status.success()), "{command:?} failed");
}

fn solve_rpsw(rules: rpsw::Rules, counts: [u64; 3]) {
    let solved = retrograde::solve(&Layout::new(rules), &|_, _, _| {}, &Monitor::default());
    let census = Census::of(&solved.expect("the tables are small"));
    let found = |plies: &[ByMaterial]| plies.iter().step_by(2).map(ByMaterial::total).sum();
    let (won, lost) = (found(&census.iterations), found(&census.iterations[1..]));
    assert_eq!([won, lost, census.drawn()], counts);
}

/// Solves the game position by position, on one thread.
fn plain_rpsw() {
    let solved = pool(1).install(|| plain::rpsw::Plain::solve(&rpsw_rules(), [ALL_KINDS; 2]));
    let mut counts = [0; 3];
    for ((plies, ..), count) in solved.counts() {
        let result = if plies == OPEN { 2 } else { usize::from(plies % 2 == 0) };
        counts[result] += count;
    }
    assert_eq!(counts, RPSW_COUNTS);
}

/// The nodes of the solver for each position, with a new table.
fn dots_nodes() -> [u64; 3] {
    DOTS.map(|(rows, cols, drawn, value)| {
        let board = Board::new(rows, cols).expect("a board");
        let solver = bsq_games::dots::search::Solver::new(board, 0, 16 << 20)
            .expect("the table is large enough");
        assert_eq!(solver.value(drawn, &Monitor::default()), Ok(value));
        solver.nodes()
    })
}

fn dots() {
    black_box(dots_nodes());
}

/// The nodes of plain alpha-beta for each position.
fn plain_dots_nodes() -> [u64; 3] {
    DOTS.map(|(rows, cols, drawn, value)| {
        let mut plain = plain::dots::Plain::new(Board::new(rows, cols).expect("a board"));
        assert_eq!(plain.value(drawn), value);
        plain.nodes
    })
}

fn plain_dots() {
    black_box(plain_dots_nodes());
}

fn four_in_a_row_rules() -> mnk::Rules {
    mnk::Rules::new(4, 4, 4).expect("a game")
}

/// Explores and solves four in a row on 4x4.
fn four_in_a_row() {
    let explored = explore(four_in_a_row_rules(), Limits::default(), &Monitor::default());
    let solution = explored.expect("memory").solve(&Monitor::default()).expect("small values");
    let Count { positions, canonical } = solution.count();
    assert_eq!([positions, canonical], FOUR_IN_A_ROW_POSITIONS);
    assert_eq!(solution.value(solution.start()), Some(Value::TIE));
}

fn plain_explorer() {
    solve_plainly(mnk::Position::clone, FOUR_IN_A_ROW_POSITIONS[0]);
}

fn canonical_explorer() {
    let rules = four_in_a_row_rules();
    solve_plainly(|position| rules.canonical(position), FOUR_IN_A_ROW_POSITIONS[1]);
}

fn solve_plainly(representative: impl Fn(&mnk::Position) -> mnk::Position + Copy, positions: u64) {
    let (rules, mut known) = (four_in_a_row_rules(), HashMap::new());
    let value = plain::mnk::solve(&rules, &rules.start(), representative, &mut known);
    assert_eq!((value, known.len() as u64), (Value::TIE, positions));
}

/// Explores and solves British Square on 4x5.
fn explore_4x5() {
    let rules = Rules::standard(4, 5).expect("4x5 is a board");
    let explored = explore(rules, Limits::default(), &Monitor::default()).expect("memory");
    let solution = explored.solve(&Monitor::default()).expect("small values");
    assert_eq!(solution.value(solution.start()), Some(Value::of_score(1.into())));
}

/// Its strong solution, including the construction of all tables.
fn strong_4x5() {
    let rules = Rules::standard(4, 5).expect("4x5 is a board");
    let game = BritishSquare::new(rules).expect("4x5 is small enough");
    let solved = strong::solve(&game, &game.root(), &Monitor::default());
    assert_eq!(solved.expect("the table is large enough").value(), 1);
}

fn corpus(list: &DecisionList) -> &'static Corpus {
    static CORPUS: OnceLock<Corpus> = OnceLock::new();
    CORPUS.get_or_init(|| {
        let rules = Rules::standard(5, 5).expect("5x5 is a board");
        let game = BritishSquare::new(rules).expect("5x5 is small enough");
        let features = list.features();
        let seen = Selection { moves: &features, ..Selection::default() };
        Corpus::new(&game, seen, &Monitor::default()).expect("the table is large enough")
    })
}

fn plain_search() {
    assert_eq!(black_box(plain::territory::value()).0, 2);
}

fn plain_tally() {
    assert_eq!(black_box(plain::british_square::tally()).playouts, 4_233_789_642_926_592);
}

fn plain_minimax() {
    assert_eq!(
        black_box(plain::british_square::minimax()),
        plain::british_square::Minimax { value: 2, states: 8_659_987 }
    );
}

/// The total duration of the number of runs that Criterion requests.
fn repeat(times: u64, mut once: impl FnMut() -> Duration) -> Duration {
    (0..times).map(|_| once()).sum()
}

fn bench(criterion: &mut Criterion, clock: &Clock) {
    let mut group = criterion.benchmark_group("ratios");
    group.sample_size(10).sampling_mode(SamplingMode::Flat);
    group.warm_up_time(Duration::from_millis(100));

    group.measurement_time(Duration::from_secs(30));
    let on_two_threads = || pool(THREADS).install(strong_4x5);
    let references: [(&str, fn()); 8] = [
        (PLAIN_TALLY, plain_tally),
        (PLAIN_MINIMAX, plain_minimax),
        (PLAIN_SEARCH, plain_search),
        (PLAIN_RPSW, plain_rpsw),
        (PLAIN_DOTS, plain_dots),
        (PLAIN_EXPLORER, plain_explorer),
        (CANONICAL_EXPLORER, canonical_explorer),
        (STRONG_4X5, on_two_threads),
    ];
    for (name, work) in references {
        group.bench_function(name, |b| b.iter_custom(|n| repeat(n, || clock.time(name, work))));
    }

    group.measurement_time(Duration::from_secs(5));
    for job in &JOBS {
        group.bench_function(job.name, |b| b.iter_custom(|n| repeat(n, || run(job, clock))));
    }
    group.finish();
    if !std::env::args().any(|argument| ["--test", "--list"].contains(&&*argument)) {
        for job in &LONG_JOBS {
            run(job, clock);
        }
    }
}

fn report(clock: &Clock, peaks: &BTreeMap<&'static str, f64>) {
    let (most, aim) = PEAK_MIB;
    println!("\n{THREADS} threads unless it says otherwise; at most {most} MiB, aim {aim}");
    println!(
        "{:<24} {:<14} {:>11} {:>11} {:>7} {:>9} {:>9}",
        "job", "reference", "reference s", "candidate s", "ratio", "target", "peak MiB"
    );
    for job in JOBS.iter().chain(&LONG_JOBS) {
        let Some(candidate) = clock.median(job.name) else { continue };
        let reference = clock.median(job.reference);
        let ratio = reference.map(|seconds| seconds / candidate);
        let number = |value: Option<f64>, digits: usize| match value {
            Some(value) => format!("{value:.digits$}"),
            None => "-".to_string(),
        };
        let target = match job.target {
            Some((least, aim)) if least < aim => format!("{least} ({aim})"),
            Some((least, _)) => format!("{least:.2}").trim_end_matches(".00").to_string(),
            None => "-".to_string(),
        };
        println!(
            "{:<24} {:<14} {:>11} {:>11.3} {:>7} {target:>9} {:>9}",
            job.name,
            job.reference,
            number(reference, 3),
            candidate,
            number(ratio, if ratio < Some(1.0) { 3 } else { 1 }),
            number(peaks.get(job.name).copied(), 0),
        );
    }
}

/// Prints the number of nodes of the solver of Dots-and-Boxes, on one thread.
fn report_nodes() {
    println!("\nnodes of Dots-and-Boxes; at least {DOTS_NODES} times fewer");
    println!("{:<24} {:>11} {:>11} {:>7}", "position", "plain", "solver", "ratio");
    let nodes = plain_dots_nodes().into_iter().zip(pool(1).install(dots_nodes));
    for ((rows, cols, drawn, _), (plain, solver)) in DOTS.into_iter().zip(nodes) {
        let position = format!("{rows}x{cols}, {} lines drawn", drawn.count_ones());
        let ratio = plain as f64 / solver as f64;
        println!("{position:<24} {plain:>11} {solver:>11} {ratio:>7.0}");
    }
}

/// The peak memory of every command.
fn peaks() -> BTreeMap<&'static str, f64> {
    let measured = JOBS.iter().filter_map(|job| match job.work {
        Work::Command(arguments) => Some((job.name, peak_of(arguments)?)),
        Work::InProcess(..) | Work::Rules(..) => None,
    });
    measured.collect()
}

fn main() {
    let peaks = if std::env::args().any(|a| a == "--list") { BTreeMap::new() } else { peaks() };
    let clock = Clock::default();
    let mut criterion = Criterion::default().without_plots().configure_from_args();
    bench(&mut criterion, &clock);
    criterion.final_summary();
    report(&clock, &peaks);
    if clock.median(PLAIN_DOTS).is_some() {
        report_nodes();
    }
}
