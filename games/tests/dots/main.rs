//! Compares the solver of Dots-and-Boxes with plain recursion over the rules.

mod parts;

use bsq_engine::evaluate::{Detail, Evaluator as _};
use bsq_engine::game::Game;
use bsq_engine::monitor::Monitor;
use bsq_engine::score::Score;
use bsq_games::dots::search::{AnySolver, Captures, Every, Loony, Marked, Reductions, Solver};
use bsq_games::dots::tablebase::{Limits, Plan, Tablebase, build};
use bsq_games::dots::{
    Bitboard, Board, Evaluator, Lines, Nimber, Nimstring, Penalty, Position, Rules, Variant, Word,
    lines_of,
};
use proptest::prelude::*;
use std::collections::{HashMap, HashSet};

const TABLE: u64 = 1 << 22;

fn with_marks(board: Board, penalty: i32) -> Solver {
    Solver::with_options(board, penalty, TABLE, true, Reductions::ALL).unwrap()
}

/// Computes values by plain recursion over the rules, without forced captures, symmetries and
/// bounds.
struct Plain {
    rules: Rules,
    values: HashMap<Lines, i32>,
}

impl Plain {
    fn new(board: Board, penalty: i32) -> Plain {
        let rules = Rules { penalty: penalty.into(), ..Rules::standard(board) };
        Plain { rules, values: HashMap::new() }
    }

    /// The net score of the points still to come for the player to move.
    fn value(&mut self, drawn: Lines) -> i32 {
        if let Some(&value) = self.values.get(&drawn) {
            return value;
        }
        let open = self.rules.board.all() & !drawn;
        let best = lines_of(open).map(|line| self.score(drawn, line)).max();
        let value = best.unwrap_or(self.rules.penalty.floor());
        self.values.insert(drawn, value);
        value
    }

    /// The score of a line for the player who draws it.
    fn score(&mut self, drawn: Lines, line: usize) -> i32 {
        let position = Position::of_lines(drawn);
        let next = self.rules.play(&position, line);
        let taken = next.taken[0].count_ones() as i32;
        let rest = self.value(next.lines);
        if next.to_move == position.to_move { taken + rest } else { taken - rest }
    }
}

/// The same with loony marks, which break ties between equal scores.
struct PlainMarks {
    rules: Rules,
    values: HashMap<Lines, (i32, i32)>,
}

impl PlainMarks {
    fn value(&mut self, drawn: Lines) -> (i32, i32) {
        if let Some(&value) = self.values.get(&drawn) {
            return value;
        }
        let open = self.rules.board.all() & !drawn;
        let moves: Vec<_> = lines_of(open).map(|line| self.worth(drawn, line)).collect();
        let (score, mark) = moves.into_iter().max().unwrap_or((self.rules.penalty.floor(), 0));
        let value = (score, if self.after_loony(drawn) { 1 } else { mark });
        self.values.insert(drawn, value);
        value
    }

    fn worth(&mut self, drawn: Lines, line: usize) -> (i32, i32) {
        let taken = self.rules.closes(drawn, line).count_ones() as i32;
        let (score, mark) = self.value(drawn | 1 << line);
        if taken > 0 { (taken + score, mark) } else { (-score, -mark) }
    }

    /// Whether a box can be taken whose neighbour across the open line has two open sides.
    fn after_loony(&self, drawn: Lines) -> bool {
        let board = &self.rules.board;
        let open = |cell: usize| board.sides(cell) & !drawn;
        (0..board.boxes()).filter(|&cell| open(cell).count_ones() == 1).any(|cell| {
            let line = open(cell).trailing_zeros() as usize;
            let other = board.beside(line) & !(1 << cell);
            other != 0 && open(other.trailing_zeros() as usize).count_ones() == 2
        })
    }
}

fn pair(marked: Marked) -> (i32, i32) {
    let mark = match marked.loony {
        Loony::Mover => -1,
        Loony::Nobody => 0,
        Loony::Other => 1,
    };
    (marked.score, mark)
}

fn board(rows: usize, cols: usize) -> Board {
    Board::new(rows, cols).unwrap()
}

/// Compares every move of a position.
fn compare<W: Word>(plain: &mut Plain, solver: &Solver<W>, drawn: Lines) {
    let monitor = Monitor::default();
    let board = plain.rules.board;
    assert_eq!(solver.value(drawn, &monitor).unwrap(), plain.value(drawn), "{board} {drawn:#x}");
    for (line, score) in solver.moves(drawn, &monitor).unwrap() {
        assert_eq!(score, plain.score(drawn, line), "{board} {drawn:#x} line {line}");
    }
}

#[test]
fn every_position_of_small_boards() {
    for (rows, cols) in [(1, 1), (1, 2), (2, 1), (1, 3), (2, 2)] {
        for penalty in [0, -1, -2, -5, 1, 2, 6] {
            let board = board(rows, cols);
            let mut plain = Plain::new(board, penalty);
            let solver = Solver::new(board, penalty, TABLE).unwrap();
            for drawn in 0..=board.all() {
                compare(&mut plain, &solver, drawn);
            }
        }
    }
}

#[test]
fn every_value_at_once() {
    for (rows, cols) in [(1, 1), (1, 2), (2, 1), (1, 4), (2, 2), (2, 3)] {
        let board = board(rows, cols);
        let mut plain = Plain::new(board, 0);
        let every = Every::new(board, &Monitor::default()).unwrap();
        for drawn in 0..=board.all() {
            assert_eq!(every.value(drawn), plain.value(drawn), "{board} {drawn:#x}");
            let mut perfect = 0;
            for line in lines_of(board.all() & !drawn) {
                let score = plain.score(drawn, line);
                assert_eq!(every.score(drawn, line), score, "{board} {drawn:#x} {line}");
                perfect |= Lines::from(score == every.value(drawn)) << line;
            }
            assert_eq!(every.perfect(drawn), perfect, "{board} {drawn:#x}");
        }
    }
}

#[test]
fn positions_of_2x3_and_longer_rows() {
    for (rows, cols, penalty) in [(2, 3, 0), (3, 2, -4), (1, 5, -2), (2, 3, 1), (1, 5, 3)] {
        let board = board(rows, cols);
        let mut plain = Plain::new(board, penalty);
        let solver = Solver::new(board, penalty, TABLE).unwrap();
        // Compares the values of many positions, and the moves of some.
        for drawn in (0..=board.all()).step_by(5) {
            let value = solver.value(drawn, &Monitor::default()).unwrap();
            assert_eq!(value, plain.value(drawn), "{board} {drawn:#x}");
            if drawn % 101 == 0 {
                compare(&mut plain, &solver, drawn);
            }
        }
    }
}

#[test]
fn published_values() {
    let mut golden = csv::Reader::from_path("../tests/golden/dots_boards.csv").unwrap();
    for row in golden.records() {
        let row = row.unwrap();
        let board = Board::parse(&row[0]).unwrap();
        if board.lines() > 24 {
            continue;
        }
        let solver = Solver::new(board, 0, TABLE).unwrap();
        let value = solver.value(0, &Monitor::default()).unwrap();
        assert_eq!(value, row[1].parse::<i32>().unwrap(), "{board}");
    }
}

/// A random board with few open lines.
fn endgames() -> impl Strategy<Value = (Board, Lines, i32)> {
    let sizes = vec![(3, 3), (3, 4), (4, 4), (5, 5), (4, 6), (1, 21), (21, 1), (2, 12), (6, 2)];
    let lines = prop::collection::vec(any::<prop::sample::Index>(), 1..14);
    let penalty = prop_oneof![Just(0), -30..0, 1..30];
    (prop::sample::select(sizes), lines, penalty).prop_map(|((rows, cols), lines, penalty)| {
        let board = board(rows, cols);
        let open = lines.iter().fold(0, |set, line| set | 1 << line.index(board.lines()));
        (board, board.all() & !open, penalty)
    })
}

/// Positions with connected open lines, such as chains and loops.
fn tangles() -> impl Strategy<Value = (Board, Lines, i32)> {
    let sizes = vec![(3, 3), (3, 4), (4, 4), (5, 5)];
    let steps = prop::collection::vec(any::<prop::sample::Index>(), 4..15);
    (prop::sample::select(sizes), steps, -3..=3).prop_map(|((rows, cols), steps, penalty)| {
        let board = board(rows, cols);
        let mut open: Lines = 0;
        for step in steps {
            let near = lines_of(open).fold(0, |set, line| {
                let boxes = board.beside(line);
                (0..board.boxes())
                    .filter(|cell| boxes >> cell & 1 == 1)
                    .fold(set, |set, cell| set | board.sides(cell))
            });
            let near: Vec<usize> =
                lines_of(if near & !open == 0 { board.all() } else { near & !open }).collect();
            open |= 1 << near[step.index(near.len())];
        }
        (board, board.all() & !open, penalty)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..Default::default() })]

    #[test]
    fn endgames_of_larger_boards((board, drawn, penalty) in endgames()) {
        compare(&mut Plain::new(board, penalty), &Solver::new(board, penalty, TABLE).unwrap(), drawn);
    }

    #[test]
    fn marks_of_endgames((board, drawn, penalty) in endgames()) {
        let rules = Rules { penalty: penalty.into(), ..Rules::standard(board) };
        let mut plain = PlainMarks { rules, values: HashMap::new() };
        let solver = with_marks(board, penalty);
        prop_assert_eq!(pair(solver.marked(drawn, &Monitor::default()).unwrap()), plain.value(drawn));
    }

    #[test]
    fn marks_of_tangled_endgames((board, drawn, penalty) in tangles()) {
        let rules = Rules { penalty: penalty.into(), ..Rules::standard(board) };
        let mut plain = PlainMarks { rules, values: HashMap::new() };
        let solver = with_marks(board, penalty);
        for (line, found) in solver.marked_moves(drawn, &Monitor::default()).unwrap() {
            prop_assert_eq!(pair(found), plain.worth(drawn, line), "{} {:#x} {}", board, drawn, line);
        }
    }

    #[test]
    fn tangled_endgames((board, drawn, penalty) in tangles()) {
        compare(&mut Plain::new(board, penalty), &Solver::new(board, penalty, TABLE).unwrap(), drawn);
    }
}

#[test]
fn marks_of_every_position_of_small_boards() {
    let monitor = Monitor::default();
    for (rows, cols, penalty) in
        [(1, 3, 0), (2, 2, 0), (2, 2, -1), (2, 2, -6), (2, 2, 1), (2, 2, 7), (2, 3, 0)]
    {
        let board = board(rows, cols);
        let rules = Rules { penalty: penalty.into(), ..Rules::standard(board) };
        let mut plain = PlainMarks { rules, values: HashMap::new() };
        let solver = with_marks(board, penalty);
        for drawn in (0..=board.all()).step_by(if rows * cols > 4 { 7 } else { 1 }) {
            let found = solver.marked(drawn, &monitor).unwrap();
            assert_eq!(pair(found), plain.value(drawn), "{board} {penalty} {drawn:#x}");
        }
    }
}

/// Nimbers by their definition: a box that can be taken must be, and a loony position is better
/// than any nimber.
fn plain_nimber(board: &Board, drawn: Lines, known: &mut HashMap<Lines, Nimber>) -> Nimber {
    if let Some(&nimber) = known.get(&drawn) {
        return nimber;
    }
    let open = |cell: usize| board.sides(cell) & !drawn;
    let to_take: Vec<usize> =
        (0..board.boxes()).filter(|&cell| open(cell).count_ones() == 1).collect();
    let loony = to_take.iter().any(|&cell| {
        let other = board.beside(open(cell).trailing_zeros() as usize) & !(1 << cell);
        other != 0 && open(other.trailing_zeros() as usize).count_ones() == 2
    });
    let nimber = if loony {
        Nimber::Loony
    } else if let Some(&cell) = to_take.first() {
        plain_nimber(board, drawn | open(cell), known)
    } else {
        let moves = lines_of(board.all() & !drawn);
        let led_to: Vec<Nimber> =
            moves.map(|line| plain_nimber(board, drawn | 1 << line, known)).collect();
        let least = (0..).find(|&size| !led_to.contains(&Nimber::Heap(size)));
        Nimber::Heap(least.unwrap())
    };
    known.insert(drawn, nimber);
    nimber
}

#[test]
fn nimbers_of_every_position_of_small_boards() {
    for (rows, cols, step) in [(1, 1, 1), (1, 3, 1), (3, 1, 1), (2, 2, 1), (2, 3, 13)] {
        let board = board(rows, cols);
        let bitboard = Bitboard::new(board);
        let mut nimstring = Nimstring::new(board, 1 << 24);
        let mut known = HashMap::new();
        for drawn in (0..=board.all()).step_by(step) {
            // Compares positions with captures, in which a closed chain of three is not loony.
            let plain = plain_nimber(&board, drawn, &mut known);
            let found = nimstring.value(drawn, &Monitor::default()).unwrap();
            if Captures::new(&bitboard, bitboard.open(drawn)).boxes == 0 {
                assert_eq!(found, plain, "{board} {drawn:#x}");
            }
        }
    }
}

/// Scores of all moves by their lines, and the value, from an evaluator.
fn evaluated(board: Board, drawn: Lines, penalty: Penalty) -> (Score, Vec<(usize, Score)>) {
    let rules = Rules { penalty, ..Rules::standard(board) };
    let evaluator = Evaluator::new(rules, None, TABLE, u32::MAX);
    let evaluate = |detail| {
        evaluator.evaluate(&Position::of_lines(drawn), detail, &Monitor::default()).unwrap()
    };
    let moves = evaluate(Detail::Moves).moves.unwrap();
    let mut scores: Vec<_> = moves.iter().map(|mv| (mv.mv, mv.facts.to_come.unwrap())).collect();
    assert!(scores.windows(2).all(|two| two[0].1 >= two[1].1));
    let value = evaluate(Detail::Value).to_come.unwrap();
    assert_eq!(scores.first().map_or(value, |best| best.1), value);
    scores.sort_by_key(|mv| mv.0);
    (value, scores)
}

fn whole(penalty: i32) -> Penalty {
    Penalty::new(penalty.into(), 1).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..Default::default() })]

    /// Compares penalties far beyond those of the solver, and fractional ones: a penalty that is lower
    /// by one changes every score by one (Wilson).
    #[test]
    fn penalties_of_any_size((board, drawn, penalty) in tangles(), far in -999..1000i32, part in 0..=60i64) {
        for penalty in [penalty, -far] {
            let mut plain = Plain::new(board, penalty);
            let mut lower = Plain::new(board, penalty - 1);
            let (value, moves) = evaluated(board, drawn, whole(penalty));
            prop_assert_eq!(value, Score::from(plain.value(drawn)));
            let between = Penalty::new(i64::from(penalty) * 60 - part, 60);
            let between = between.map(|penalty| evaluated(board, drawn, penalty).1);
            for (i, &(line, score)) in moves.iter().enumerate() {
                let [above, below] = [plain.score(drawn, line), lower.score(drawn, line)];
                prop_assert_eq!(score, Score::from(above));
                prop_assert_eq!((above - below).abs(), 1);
                if let Ok(moves) = &between {
                    let expected = i64::from(above) * 60 + i64::from(below - above) * part;
                    prop_assert_eq!(moves[i], (line, Score::new(expected, 60)));
                }
            }
        }
    }

    #[test]
    fn whether_a_value_is_reached((board, drawn, penalty) in endgames(), off in -3..=3i32) {
        let solver = Solver::new(board, penalty, TABLE).unwrap();
        let value = solver.value(drawn, &Monitor::default()).unwrap();
        let fresh = Solver::new(board, penalty, TABLE).unwrap();
        let marked = with_marks(board, penalty);
        for solver in [fresh, solver, marked] {
            let reached = solver.reaches(drawn, value + off, &Monitor::default()).unwrap();
            prop_assert_eq!(reached, off <= 0);
        }
    }
}

/// Compares the search with a tablebase.
#[test]
#[ignore = "takes minutes: cargo test --release -p bsq-games --test dots -- --ignored"]
fn search_and_layers_agree_on_3x3() {
    let board = board(3, 3);
    let folder = tempfile::tempdir().unwrap();
    let plan = Plan::new(&board, 0, 0, None, &Limits::default()).unwrap();
    build(&plan, folder.path(), &Monitor::default()).unwrap();
    let tablebase = Tablebase::open(folder.path()).unwrap();
    let solver = Solver::new(board, 0, 1 << 26).unwrap();
    let bitboard = Bitboard::new(board);
    let mut seen = HashSet::new();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    pool.install(|| {
        // One position of each class of images.
        for drawn in
            (0..=board.all()).filter(|&drawn| seen.insert(bitboard.canonical(bitboard.open(drawn))))
        {
            let value = solver.value(drawn, &Monitor::default()).unwrap();
            assert_eq!(tablebase.value(drawn).unwrap(), Some(value as i8), "{drawn:#x}");
        }
    });
    assert_eq!(seen.len(), 667_884);
}

/// Values do not depend on the reductions of the search.
#[test]
fn each_reduction_keeps_the_values() {
    let off = [
        Reductions { components: false, ..Reductions::ALL },
        Reductions { endgames: false, ..Reductions::ALL },
        Reductions { isomorphism: false, ..Reductions::ALL },
    ];
    let monitor = Monitor::default();
    for (rows, cols, variant) in [
        (2, 3, Variant::Standard),
        (3, 3, Variant::Standard),
        (3, 3, Variant::Icelandic),
        (3, 4, Variant::Swedish),
        (1, 7, Variant::Standard),
    ] {
        let board = board(rows, cols);
        let start = variant.lines(&board);
        let all = Solver::new(board, 0, TABLE).unwrap();
        for reductions in off {
            let less = Solver::with_options(board, 0, TABLE, false, reductions).unwrap();
            for line in lines_of(board.all() & !start).step_by(3) {
                let drawn = start | 1 << line;
                let values = [&all, &less].map(|solver| solver.moves(drawn, &monitor).unwrap());
                assert_eq!(values[0], values[1], "{board} {reductions:?} {drawn:#x}");
            }
        }
    }
}
