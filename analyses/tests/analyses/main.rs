//! Compares the analyses of any game, and all analyses and heuristics of British Square, with brute
//! force on small boards, tests heuristics on 5x5 and under the symmetries of the board.

mod agents;
mod any;
mod blunders;
mod choices;
mod counts;
mod failures;
mod golden;
mod heuristics;
mod matches;
mod mirror;
mod openings;
mod query;
mod rule_lists;
mod sample;
mod symmetry;
mod variants;

use bsq_analyses::options::MOVES;
use bsq_analyses::{Cell, Column, ColumnType, Table, by_name};
use bsq_engine::game::Player;
use bsq_engine::monitor::Monitor;
use bsq_engine::record::Recorded as _;
use bsq_games::british_square::heuristic;
use bsq_games::british_square::heuristic::tester;
use bsq_games::british_square::heuristic::tester::{Counts, Failure};
use bsq_games::british_square::heuristic::{ALL, Decision, Heuristic};
use bsq_games::british_square::{
    Board, BritishSquare, Cells, Move, NAME, Position, Rules, cells_of,
};
use bsq_test_support::oracle::decisions::{Choice, Solution, State, opposite};
use bsq_test_support::oracle::{EMPTY, FIRST, Next, SECOND, Situation, Truth, Variant};
use num_bigint::BigInt;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::LazyLock;

/// The brute-force solutions of the boards below.
static SOLUTIONS: LazyLock<Vec<Solution>> =
    LazyLock::new(|| variants().into_iter().map(Solution::of).collect());

/// The parts of each solution: the whole game, and what is left of it below some roots.
static PARTS: LazyLock<Vec<Vec<Part>>> =
    LazyLock::new(|| SOLUTIONS.iter().map(Part::all_of).collect());

/// A game below a root.
struct Part<'a> {
    solution: &'a Solution,
    variant: Variant,
    /// The moves that lead to the root, as tiles and passes.
    moves: Vec<String>,
    root: Situation,
    /// The states below the root, by turn.
    states: Vec<&'a State>,
    /// The number of the part among those of the game.
    number: usize,
}

impl<'a> Part<'a> {
    fn whole(solution: &'a Solution) -> Part<'a> {
        Part::below(solution, Vec::new(), solution.variant.start(), 0)
    }

    fn below(
        solution: &'a Solution,
        moves: Vec<String>,
        root: Situation,
        number: usize,
    ) -> Part<'a> {
        let variant = solution.variant;
        let (mut seen, mut waiting) = (HashSet::from([root.clone()]), vec![root.clone()]);
        while let Some(situation) = waiting.pop() {
            for child in variant.children(&situation) {
                if seen.insert(child.clone()) {
                    waiting.push(child);
                }
            }
        }
        let merged: HashSet<Situation> = seen.iter().map(|it| variant.merged(it)).collect();
        let states = solution.states.iter().filter(|state| merged.contains(&state.situation));
        Part { solution, variant, moves, root, states: states.collect(), number }
    }

    /// The whole game, and the parts below the first positions and the last one of a round.
    fn all_of(solution: &'a Solution) -> Vec<Part<'a>> {
        let variant = solution.variant;
        let (mut line, mut moves, mut now) = (Vec::new(), Vec::new(), variant.start());
        loop {
            line.push((moves.clone(), now.clone()));
            now = match variant.next(&now) {
                Next::Place(cells) => {
                    let cell = cells[line.len() * 5 % cells.len()];
                    moves.push((cell + 1).to_string());
                    variant.place(&now, cell)
                }
                Next::Pass => {
                    moves.push("pass".to_string());
                    Situation { turn: now.turn + 1, ..now }
                }
                Next::Over => break,
            };
        }
        let last = line.len() - 1;
        let roots = (0..=last).filter(|&ply| ply < 4 || ply == last);
        let parts = roots.enumerate().map(|(number, ply)| {
            let (moves, root) = line[ply].clone();
            Part::below(solution, moves, root, number)
        });
        parts.collect()
    }

    /// The solution of the root.
    fn truth(&self) -> &Truth {
        self.solution.findings.of(&self.root)
    }

    /// The states whose mover has a legal placement.
    fn decisions(&self) -> impl Iterator<Item = &'a State> {
        self.states.iter().copied().filter(|state| !state.choices.is_empty())
    }
}

const BIASES: [i32; 4] = [0, 1, 2, -1];

static HEURISTICS: LazyLock<Vec<String>> =
    LazyLock::new(|| ALL.iter().map(|heuristic| heuristic.label()).collect());

fn variants() -> Vec<Variant> {
    let sizes = [(1, 1), (1, 6), (2, 5), (3, 3), (3, 4), (4, 3), (4, 4)];
    let mut variants = sizes.map(|(rows, cols)| Variant::standard(rows, cols)).to_vec();
    variants.push(Variant { center_allowed: true, ..Variant::standard(3, 3) });
    variants.push(Variant { pieces: Some(3), ..Variant::standard(3, 4) });
    variants
}

fn rules(variant: &Variant, bias: i32) -> Rules {
    Rules {
        board: Board::new(variant.rows, variant.cols).unwrap(),
        center_allowed: variant.center_allowed,
        bias,
        pieces: variant.pieces.map(|limit| limit as u32),
    }
}

/// The tables of an analysis of rules, with further options.
fn run_with(analysis: &str, rules: &Rules, more: &[(&str, &str)]) -> Vec<Table> {
    let entries = rules.entries();
    let given = entries.iter().map(|(name, value)| (*name, value.as_str()));
    let given: Vec<(&str, &str)> = given.chain(more.iter().copied()).collect();
    let job = by_name(NAME, analysis).unwrap().prepare(&given, None).unwrap();
    job.run(&Monitor::default()).unwrap()
}

fn run(analysis: &str, rules: Rules) -> Vec<Table> {
    run_with(analysis, &rules, &[])
}

/// Runs an analysis on every board under each bias, and from every root if it takes one, and compares
/// its tables with the expected ones.
fn assert_analysis(
    analysis: &str,
    biases: &[i32],
    wanted: impl Fn(&Part<'static>, i32) -> Vec<Wanted>,
) {
    let takes_root = by_name(NAME, analysis).unwrap().option(&MOVES.name).is_some();
    for part in PARTS.iter().flatten().filter(|part| takes_root || part.number == 0) {
        for &bias in biases {
            let (rules, moves) = (rules(&part.variant, bias), part.moves.join(" "));
            let label = bsq_analyses::rules_label(&rules);
            let case = format!("{analysis} of {label} after '{moves}'");
            let given = [(&*MOVES.name, &*moves)];
            let given = if moves.is_empty() { &[] } else { &given[..] };
            assert_tables(&case, &run_with(analysis, &rules, given), &wanted(part, bias));
        }
    }
}

/// The expected content of a table.
struct Wanted {
    name: String,
    columns: &'static [&'static str],
    rows: Vec<Vec<Cell>>,
    /// The columns without a value in rows that are expected in the total.
    over: &'static [&'static str],
}

impl Wanted {
    fn new(name: &str, columns: &'static [&'static str], rows: Vec<Vec<Cell>>) -> Wanted {
        Wanted { name: name.to_string(), columns, rows, over: &[] }
    }

    /// The same table with its total as further rows.
    fn with_total(self, over: &'static [&'static str]) -> Wanted {
        Wanted { over, ..self }
    }
}

/// A table with its total as further rows, which are empty in the columns of which it is the sum.
fn with_total(table: &Table, over: &[&str]) -> Table {
    let mut table = table.clone();
    let Some(total) = table.total.take() else {
        assert!(over.is_empty(), "{} has no total", table.name);
        return table;
    };
    let kept = table.columns.iter().filter(|column| !over.contains(&&*column.name));
    assert!(kept.eq(&total.columns), "columns of {}", total.name);
    for row in total.rows {
        let mut cells = row.into_iter();
        let cell = |column: &Column| {
            if over.contains(&&*column.name) { Cell::Empty } else { cells.next().unwrap() }
        };
        table.rows.push(table.columns.iter().map(cell).collect());
    }
    table
}

/// A cell that is empty only says that there is no value where its column is described so, and
/// integers are only empty if they are unknown.
fn assert_described(table: &Table) {
    for (at, column) in table.columns.iter().enumerate() {
        let is_empty = table.rows.iter().any(|row| row[at] == Cell::Empty);
        let case = format!("{} {}: {}", table.name, column.name, column.description);
        assert!(!is_empty || column.description.contains("empty "), "{case}");
        let is_unknown = column.description.contains("unknown");
        assert!(!is_empty || column.kind != ColumnType::Integer || is_unknown, "{case}");
        assert!(!is_empty || !column.is_key, "{case}");
    }
    let key: Vec<usize> = (0..table.columns.len()).filter(|&at| table.columns[at].is_key).collect();
    let keys: HashSet<String> = table
        .rows
        .iter()
        .map(|row| format!("{:?}", key.iter().map(|&at| &row[at]).collect::<Vec<_>>()))
        .collect();
    assert_eq!(keys.len(), table.rows.len(), "{}: rows with the same key", table.name);
}

fn assert_tables(case: &str, found: &[Table], wanted: &[Wanted]) {
    let names: Vec<&String> = found.iter().map(|table| &table.name).collect();
    assert_eq!(names, wanted.iter().map(|table| &table.name).collect::<Vec<_>>(), "{case}");
    for (found, wanted) in found.iter().zip(wanted) {
        let case = format!("{case}, table {}", found.name);
        [Some(found), found.total.as_deref()].into_iter().flatten().for_each(assert_described);
        let found = with_total(found, wanted.over);
        let columns: Vec<&str> = found.columns.iter().map(|column| &*column.name).collect();
        assert_eq!(columns, wanted.columns, "{case}");
        for (i, (found, wanted)) in found.rows.iter().zip(&wanted.rows).enumerate() {
            assert_row(&format!("{case}, row {i}"), &columns, found, wanted);
        }
        assert_eq!(found.rows.len(), wanted.rows.len(), "{case}: number of rows");
    }
}

fn assert_row(case: &str, columns: &[&str], found: &[Cell], wanted: &[Cell]) {
    assert_eq!(wanted.len(), columns.len(), "{case}: a cell for every column");
    for ((column, a), b) in columns.iter().zip(found).zip(wanted) {
        assert!(is_same(a, b), "{case}: {column} is {a:?}, not {b:?}, in {found:?}");
    }
}

/// Whether two cells are equal, reals up to rounding errors.
fn is_same(found: &Cell, wanted: &Cell) -> bool {
    match (found, wanted) {
        (Cell::Real(a), Cell::Real(b)) => (a - b).abs() < 1e-9,
        _ => found == wanted,
    }
}

/// The quotient of two counts; an empty cell if the divisor is 0.
fn quotient(part: u128, whole: u128) -> Cell {
    if whole == 0 { Cell::Empty } else { Cell::Real(part as f64 / whole as f64) }
}

fn share(part: usize, whole: usize) -> Cell {
    quotient(part as u128, whole as u128)
}

fn big(count: u128) -> Cell {
    Cell::Integer(BigInt::from(count))
}

fn count<T>(items: &[T], is_counted: impl Fn(&T) -> bool) -> usize {
    items.iter().filter(|item| is_counted(item)).count()
}

/// The winner of a game with that score.
fn result(score: i32) -> &'static str {
    match score.signum() {
        1 => "first",
        -1 => "second",
        _ => "tie",
    }
}

/// The player to move on a turn.
fn mover(turn: usize) -> &'static str {
    if turn % 2 == 1 { "first" } else { "second" }
}

/// The items of one row of a table: those of a turn or of all, of a player or of both. What all have
/// in common is empty.
struct Group<'a, T> {
    turn: Cell,
    player: Cell,
    items: Vec<&'a T>,
}

fn by_turn<T>(items: &[T], turn_of: impl Fn(&T) -> usize) -> Vec<Group<'_, T>> {
    let mut turns: BTreeMap<usize, Vec<&T>> = BTreeMap::new();
    items.iter().for_each(|item| turns.entry(turn_of(item)).or_default().push(item));
    let group = |(turn, items)| Group { turn: Cell::from(turn), player: mover(turn).into(), items };
    turns.into_iter().map(group).collect()
}

fn totals<T>(items: &[T], turn_of: impl Fn(&T) -> usize) -> Vec<Group<'_, T>> {
    let total = |player: Option<&'static str>| {
        let belongs = |item: &&T| player.is_none_or(|player| player == mover(turn_of(item)));
        let items = items.iter().filter(belongs).collect();
        Group { turn: Cell::Empty, player: player.into(), items }
    };
    [Some("first"), Some("second"), None].map(total).into()
}

/// Playouts and terminal states by score, without the bias.
fn ends(part: &Part) -> BTreeMap<i32, (u128, usize)> {
    let playouts = &part.truth().playouts;
    let end = |(&lead, &playouts): (&i32, &u128)| {
        let is_end = |state: &&State| state.over && state.situation.score() == lead;
        (lead, (playouts, count(&part.states, is_end)))
    };
    playouts.iter().map(end).collect()
}

/// Playouts and terminal states by result, and in total.
fn results(part: &Part, bias: i32) -> [(&'static str, u128, usize); 4] {
    let ends = ends(part);
    ["first", "second", "tie", "all"].map(|name| {
        let counts = |lead: i32| name == "all" || name == result(lead - bias);
        let wanted = ends.iter().filter(|(lead, _)| counts(**lead)).map(|(_, end)| end);
        let sum = |(a, b), &(playouts, terminals): &(u128, usize)| (a + playouts, b + terminals);
        let (playouts, terminals) = wanted.fold((0, 0), sum);
        (name, playouts, terminals)
    })
}

/// The score under perfect play after each legal move from the root.
fn openings(part: &Part) -> HashMap<usize, Choice> {
    let root = part.solution.state(part.root.clone());
    root.choices.into_iter().map(|choice| (choice.cell, choice)).collect()
}

/// Column letter and row number; no board here has more columns than letters.
fn coordinate(variant: &Variant, cell: usize) -> String {
    let letter = "abcdefgh".chars().nth(cell % variant.cols).unwrap();
    format!("{letter}{}", cell / variant.cols + 1)
}

/// The cells of an owner as a set of the engine.
fn set(situation: &Situation, owner: u8) -> Cells {
    (0..situation.cells.len()).filter(|&cell| situation.cells[cell] == owner).map(|c| 1 << c).sum()
}

/// The engine's position.
fn position(situation: &Situation) -> Position {
    let to_move = match situation.mover() {
        FIRST => Player::First,
        _ => Player::Second,
    };
    let pieces = [FIRST, SECOND].map(|owner| set(situation, owner));
    Position { pieces, to_move, turn: situation.turn as u32 }
}

/// The situation of the oracle for a position of the engine.
fn situation(variant: &Variant, position: &Position) -> Situation {
    let mut cells = vec![EMPTY; variant.size()];
    for (owner, pieces) in [FIRST, SECOND].into_iter().zip(position.pieces) {
        cells_of(pieces).for_each(|cell| cells[cell] = owner);
    }
    let situation = Situation { cells, turn: position.turn as usize };
    assert_eq!(mover(situation.turn), position.to_move.name());
    situation
}

/// The decision at a position.
fn decision<'a>(game: &'a BritishSquare, position: &Position) -> Decision<'a> {
    let rules = game.rules();
    let [own, opponent] = position.seen_by(position.to_move);
    Decision {
        board: &rules.board,
        reach: game.reach(),
        own,
        opponent,
        legal: rules.legal(position, position.to_move),
        own_usable: rules.usable(own, opponent),
        opponent_usable: rules.usable(opponent, own),
        player: position.to_move,
        turn: position.turn,
    }
}
