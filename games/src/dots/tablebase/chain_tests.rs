//! Chains of the start against plain recursion over all lines.

use super::tests::{Scratch, StopAfter, counted, files_by_threads, limits};
use super::*;
use crate::dots::board::{Board, Lines, lines_of};
use crate::dots::notation::parse_position;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

/// The value of every set of lines that contains those of a start, by plain recursion over the
/// rules.
struct Plain {
    open: Vec<usize>,
    from: Lines,
    values: Vec<i8>,
}

impl Plain {
    fn new(board: &Board, from: Lines, penalty: i32) -> Plain {
        let open: Vec<usize> = lines_of(board.all() & !from).collect();
        let mut plain = Plain { values: vec![0; 1 << open.len()], open, from };
        let last = plain.values.len() - 1;
        plain.values[last] = penalty as i8;
        for at in (0..last).rev() {
            let lines = plain.lines(at);
            let worth = |bit: usize| {
                let (line, after) = (plain.open[bit], plain.values[at | 1 << bit]);
                let closed = board.closed_by(lines, line).count_ones() as i8;
                if closed == 0 { -after } else { closed + after }
            };
            let moves = (0..plain.open.len()).filter(|bit| at >> bit & 1 == 0);
            plain.values[at] = moves.map(worth).max().unwrap();
        }
        plain
    }

    fn lines(&self, at: usize) -> Lines {
        let drawn = self.open.iter().enumerate().filter(|&(bit, _)| at >> bit & 1 == 1);
        drawn.fold(self.from, |set, (_, line)| set | 1 << line)
    }

    fn all(&self) -> impl Iterator<Item = (Lines, i8)> {
        self.values.iter().enumerate().map(|(at, &value)| (self.lines(at), value))
    }
}

/// The values of a tablebase are those of plain recursion, and none is missing if all layers are
/// kept.
fn compare(board: &Board, from: Lines, penalty: i32, left_out: u32, row: usize) -> Plan {
    let all = Plan::new(board, from, penalty, None, &limits(row)).unwrap();
    let most = (all.most_lines() - left_out).max(from.count_ones());
    let plan = Plan::new(board, from, penalty, Some(most), &limits(row)).unwrap();
    let folder = Scratch::new();
    build(&plan, &folder.0, &Monitor::default()).unwrap();
    let tablebase = Tablebase::open(&folder.0).unwrap();
    let is_whole = plan.kept_lines() == plan.most_lines();
    for (lines, value) in Plain::new(board, from, penalty).all() {
        let found = tablebase.value(lines).unwrap();
        let kept = match counted(&plan, lines) {
            Some(count) => count <= plan.kept_lines(),
            None => found.is_some() || is_whole,
        };
        assert_eq!(found, kept.then_some(value), "{board} {from:#x} {lines:#x} {penalty} {row}");
        assert_eq!(tablebase.has(lines), kept);
    }
    tablebase.verify(&Monitor::default()).unwrap();
    let compared = tablebase.check_sample(20, 7, &Monitor::default()).unwrap();
    assert!(compared == 20 || !is_whole);
    plan
}

/// A random start with this number of open lines. If `quiet`, a second side of each box with one
/// open side is opened before any other line. `in_loop` boxes of the four around a dot keep two
/// open sides each.
fn start(board: &Board, open: u32, quiet: bool, in_loop: usize, random: &mut SmallRng) -> Lines {
    let mut from = board.all();
    let mut kept = 0;
    if in_loop > 0 {
        let row = random.random_range(0..board.rows() - 1);
        let col = random.random_range(0..board.cols() - 1);
        from &= !(1 << board.horizontal(row + 1, col) | 1 << board.horizontal(row + 1, col + 1));
        from &= !(1 << board.vertical(row, col + 1) | 1 << board.vertical(row + 1, col + 1));
        let cell = row * board.cols() + col;
        let cells = [cell, cell + 1, cell + board.cols(), cell + board.cols() + 1];
        kept = cells[..in_loop].iter().fold(0, |set, &cell| set | board.sides(cell));
    }
    while (board.all() & !from).count_ones() < open && from & !kept != 0 {
        let can_be_taken = |&cell: &usize| (board.sides(cell) & !from).count_ones() == 1;
        let cell = (0..board.boxes()).find(|cell| quiet && can_be_taken(cell));
        let lines = cell.map_or(from, |cell| board.sides(cell) & from) & !kept;
        let lines = if lines == 0 { from & !kept } else { lines };
        let count = lines.count_ones() as usize;
        let line = lines_of(lines).nth(random.random_range(0..count)).unwrap();
        from &= !(1 << line);
    }
    from
}

#[test]
fn every_value_with_chains_is_that_of_plain_recursion() {
    let mut random = SmallRng::seed_from_u64(18);
    let (mut chains, mut loops, mut digits_saved) = (0, 0, 0);
    for (rows, cols, most, starts) in
        [(1, 5, 12, 8), (2, 3, 13, 24), (3, 3, 14, 32), (3, 4, 15, 24), (4, 4, 14, 8)]
    {
        let board = Board::new(rows, cols).unwrap();
        for number in 0..starts {
            let open = random.random_range(most / 2..=most);
            let in_loop = if rows > 1 && number % 4 == 3 { 3 + number / 4 % 2 } else { 0 };
            let from = start(&board, open, number % 3 > 0, in_loop, &mut random);
            let penalty = i32::from(number % 5 == 0) * ((number % 7) as i32 - 3);
            let left_out = if number % 4 == 0 { random.random_range(1..6) } else { 0 };
            let plan = compare(&board, from, penalty, left_out, 1 << random.random_range(0..14));
            let lines = |chain: &Lines| chain.count_ones() as usize;
            let found = plan.chains();
            chains += found.len();
            loops += found.iter().filter(|&&chain| is_loop(&board, from, chain)).count();
            digits_saved += found.iter().map(lines).sum::<usize>() - found.len();
        }
    }
    assert!(chains > 150 && loops > 5 && digits_saved > 250, "{chains} {loops} {digits_saved}");
}

fn is_loop(board: &Board, from: Lines, chain: Lines) -> bool {
    lines_of(chain)
        .flat_map(|line| lines_of(board.beside(line)))
        .all(|cell| (board.sides(cell) & !from).count_ones() == 2)
        && lines_of(chain).all(|line| board.beside(line).count_ones() == 2)
}

/// The position of problem 12.18 of Berlekamp's book: 15 lines drawn, and of the open ones 15 in
/// six chains and 30 others.
const PROBLEM: &str = "...../..|......../-.---/..........|/..--./......|..../...../....|...|../.-.-./........|../..-..";

#[test]
fn a_problem_has_a_digit_for_each_chain() {
    let (board, position) = parse_position(PROBLEM).unwrap();
    let make = |limits: &Limits| Plan::new(&board, position.lines, 0, Some(20), limits);
    let plan = make(&Limits::default()).unwrap();
    let lines = plan.chains().iter().map(|chain| chain.count_ones()).sum::<u32>();
    assert_eq!((position.lines.count_ones(), plan.chains().len(), lines), (15, 6, 15));
    assert_eq!(plan.most_lines() - 15, 36);
    assert!(plan.positions() <= 1 << 36);
    assert_eq!(plan.stored().len(), 52);
    assert!(matches!(
        make(&Limits { disk: Some(1 << 30), ..Limits::default() }),
        Err(TablebaseError::LimitTooSmall { what: "disk", .. })
    ));
    // One chain consists of two interchangeable lines at a corner.
    let single = Plan::new(&board, position.lines, 0, None, &line_by_line(128 << 10)).unwrap();
    assert_eq!((single.most_lines(), single.positions()), (60, 3 * (plan.positions() << 7)));
}

/// Limits for which every line of a chain counts.
fn line_by_line(row: usize) -> Limits {
    Limits { chains: false, ..limits(row) }
}

#[test]
fn a_chain_is_one_line() {
    let board = Board::new(3, 4).unwrap();
    let from =
        1 << board.horizontal(0, 1) | 1 << board.horizontal(1, 1) | 1 << board.vertical(2, 1);
    let whole = Plan::new(&board, from, 0, None, &Limits::default()).unwrap();
    let chain = 1 << board.vertical(0, 1) | 1 << board.vertical(0, 2);
    assert_eq!(whole.chains(), [chain]);
    let single = Plan::new(&board, from, 0, None, &line_by_line(128 << 10)).unwrap();
    assert_eq!(single.most_lines(), whole.most_lines() + 1);
    assert_eq!(single.positions(), 2 * whole.positions());
    assert!(whole.describe().contains("with a chain as one line"));
    // Without chains the two tablebases are equal.
    let empty = [limits(99), line_by_line(99)].map(|limits| Plan::new(&board, 0, 0, None, &limits));
    assert_eq!(empty[0], empty[1]);
}

#[test]
fn with_and_without_chains_values_are_the_same() {
    let board = Board::new(3, 4).unwrap();
    let from = start(&board, 19, true, 3, &mut SmallRng::seed_from_u64(4));
    let tablebases = [limits(4000), line_by_line(4000)].map(|limits| {
        let plan = Plan::new(&board, from, -1, None, &limits).unwrap();
        let folder = Scratch::new();
        build(&plan, &folder.0, &Monitor::default()).unwrap();
        (Tablebase::open(&folder.0).unwrap(), folder)
    });
    let [(chains, folder), (single, _)] = &tablebases;
    assert!(chains.plan().chains().len() > 1 && single.plan().chains().is_empty());
    assert!(4 * chains.plan().positions() <= single.plan().positions());
    let open = board.all() & !from;
    let mut random = SmallRng::seed_from_u64(5);
    for _ in 0..20_000 {
        let lines = from | random.random::<u64>() & open;
        assert_eq!(chains.value(lines).unwrap(), single.value(lines).unwrap(), "{lines:#x}");
    }
    // A build with chains cannot resume one without, and vice versa.
    let again = build(single.plan(), &folder.0, &Monitor::default());
    assert!(matches!(again, Err(TablebaseError::Other { .. })));
}

#[test]
fn a_run_with_chains_is_resumed_and_the_same_for_any_number_of_threads() {
    let board = Board::new(3, 3).unwrap();
    let from = start(&board, 15, true, 3, &mut SmallRng::seed_from_u64(2));
    let plan = Plan::new(&board, from, 0, Some(from.count_ones() + 6), &limits(64)).unwrap();
    assert!(plan.layers() > 4 && !plan.chains().is_empty());
    let files = files_by_threads(&plan);
    let folder = Scratch::new();
    let mut stops = 0;
    for rows in 1.. {
        let progress = StopAfter::new(rows);
        let monitor =
            Monitor { progress: Some(&progress), stop: Some(&progress.stop), ..Monitor::default() };
        match build(&plan, &folder.0, &monitor) {
            Err(TablebaseError::Stopped { .. }) => stops += 1,
            Err(error) => panic!("{error}"),
            Ok(_) => break,
        }
    }
    assert!(stops > 3);
    assert_eq!(folder.files(), files);
}

#[test]
fn a_wrong_value_beside_chains_is_found() {
    let board = Board::new(2, 3).unwrap();
    let from = start(&board, 12, true, 0, &mut SmallRng::seed_from_u64(1));
    let plan = Plan::new(&board, from, 0, None, &limits(1 << 20)).unwrap();
    assert!(plan.chains().len() > 1);
    let folder = Scratch::new();
    build(&plan, &folder.0, &Monitor::default()).unwrap();
    let sample = || Tablebase::open(&folder.0).unwrap().check_sample(3000, 1, &Monitor::default());
    assert_eq!(sample(), Ok(3000));
    let mut run = folder::Folder::open(&folder.0, &plan).unwrap();
    let mut manifest = run.manifest.clone();
    let path = folder.0.join(&manifest.files[0].record.name);
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[plan.low.size / 3] ^= 2;
    let name = &manifest.files[0].record.name;
    let crc = plan.identity(name).crc32(0, &bytes[..plan.low.size]);
    bytes[plan.low.size..].copy_from_slice(&crc.to_le_bytes());
    std::fs::write(&path, &bytes).unwrap();
    manifest.files[0].record.sha256 = bsq_engine::storage::Digest::of(&bytes[plan.low.size..]);
    run.save(manifest).unwrap();
    drop(run);
    assert!(matches!(sample(), Err(TablebaseError::Wrong { .. })));
}
