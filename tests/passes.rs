//! Every pass and every heuristic against brute force, cell by cell, on small boards; what the
//! heuristics are on 5x5; and that they do not depend on how the board is turned.

#[path = "oracle/decisions.rs"]
mod decisions;
#[path = "oracle/features.rs"]
mod features;
#[expect(dead_code, reason = "other tests use the rest")]
mod oracle;
#[path = "passes/rule_lists.rs"]
mod rule_lists;

use bsq_analyses::{Cell, Context, Table, by_name};
use bsq_engine::game::Player;
use bsq_engine::monitor::Monitor;
use bsq_games::british_square::heuristic;
use bsq_games::british_square::heuristic::tester;
use bsq_games::british_square::heuristic::tester::{Counts, Failure};
use bsq_games::british_square::heuristic::{ALL, Decision, Heuristic};
use bsq_games::british_square::{Board, BritishSquare, Cells, Move, Position, Rules, cells_of};
use decisions::{Choice, Solution, State, opposite};
use num_bigint::BigInt;
use oracle::{EMPTY, FIRST, Next, SECOND, Situation, Variant};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::LazyLock;

/// What brute force says about each of the boards below.
static SOLUTIONS: LazyLock<Vec<Solution>> =
    LazyLock::new(|| variants().into_iter().map(Solution::of).collect());

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

fn run(pass: &str, rules: Rules) -> Vec<Table> {
    by_name(pass).unwrap().run(&Context::new(rules)).unwrap()
}

/// Runs a pass on every board without and with a bias and asks what its tables should hold.
fn assert_pass(pass: &str, biases: &[i32], wanted: impl Fn(&Solution, i32) -> Vec<Wanted>) {
    for solution in SOLUTIONS.iter() {
        for &bias in biases {
            let rules = rules(&solution.variant, bias);
            let case = format!("{pass} of {}", bsq_analyses::rules_label(&rules));
            assert_tables(&case, &run(pass, rules), &wanted(solution, bias));
        }
    }
}

/// What a table should hold.
struct Wanted {
    name: String,
    columns: &'static [&'static str],
    rows: Vec<Vec<Cell>>,
}

impl Wanted {
    fn new(name: &str, columns: &'static [&'static str], rows: Vec<Vec<Cell>>) -> Wanted {
        Wanted { name: name.to_string(), columns, rows }
    }
}

fn assert_tables(case: &str, found: &[Table], wanted: &[Wanted]) {
    let names: Vec<&String> = found.iter().map(|table| &table.name).collect();
    assert_eq!(names, wanted.iter().map(|table| &table.name).collect::<Vec<_>>(), "{case}");
    for (found, wanted) in found.iter().zip(wanted) {
        let case = format!("{case}, table {}", found.name);
        let columns: Vec<&str> = found.columns.iter().map(|column| column.name).collect();
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

/// Reals may differ by rounding, nothing else may.
fn is_same(found: &Cell, wanted: &Cell) -> bool {
    match (found, wanted) {
        (Cell::Real(a), Cell::Real(b)) => (a - b).abs() < 1e-9,
        _ => found == wanted,
    }
}

/// The quotient of two counts; nothing where there is nothing to divide by.
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

/// Who wins with that score.
fn result(score: i32) -> &'static str {
    match score.signum() {
        1 => "first",
        -1 => "second",
        _ => "tie",
    }
}

/// Who moves on a turn.
fn mover(turn: usize) -> &'static str {
    if turn % 2 == 1 { "first" } else { "second" }
}

/// What belongs to one row of a table: a turn or all of them, a player or both.
struct Group<'a, T> {
    turn: Cell,
    player: &'static str,
    items: Vec<&'a T>,
}

fn by_turn<T>(items: &[T], turn_of: impl Fn(&T) -> usize) -> Vec<Group<'_, T>> {
    let mut turns: BTreeMap<usize, Vec<&T>> = BTreeMap::new();
    items.iter().for_each(|item| turns.entry(turn_of(item)).or_default().push(item));
    let group = |(turn, items)| Group { turn: Cell::from(turn), player: mover(turn), items };
    turns.into_iter().map(group).collect()
}

fn totals<T>(items: &[T], turn_of: impl Fn(&T) -> usize) -> Vec<Group<'_, T>> {
    let total = |player: &'static str| {
        let belongs = |item: &&T| player == "all" || player == mover(turn_of(item));
        Group { turn: "all".into(), player, items: items.iter().filter(belongs).collect() }
    };
    ["first", "second", "all"].map(total).into()
}

/// How often play ends in each score: playouts and terminal states, the bias left out.
fn ends(solution: &Solution) -> BTreeMap<i32, (u128, usize)> {
    let playouts = &solution.findings.root().playouts;
    let end = |(&lead, &playouts): (&i32, &u128)| {
        let is_end = |state: &State| state.over && state.situation.score() == lead;
        (lead, (playouts, count(&solution.states, is_end)))
    };
    playouts.iter().map(end).collect()
}

/// The same for each result, and for all of them.
fn results(solution: &Solution, bias: i32) -> [(&'static str, u128, usize); 4] {
    let ends = ends(solution);
    ["first", "second", "tie", "all"].map(|name| {
        let counts = |lead: i32| name == "all" || name == result(lead - bias);
        let wanted = ends.iter().filter(|(lead, _)| counts(**lead)).map(|(_, end)| end);
        let sum = |(a, b), &(playouts, terminals): &(u128, usize)| (a + playouts, b + terminals);
        let (playouts, terminals) = wanted.fold((0, 0), sum);
        (name, playouts, terminals)
    })
}

#[test]
fn playouts_by_result() {
    assert_pass("playouts", &BIASES, |solution, bias| {
        let results = results(solution, bias);
        let row = |(name, playouts, _): (&str, u128, usize)| {
            vec![name.into(), big(playouts), quotient(playouts, results[3].1)]
        };
        let rows = results.map(row).to_vec();
        vec![Wanted::new("playouts", &["result", "playouts", "share"], rows)]
    });
}

#[test]
fn terminals_by_result() {
    assert_pass("terminals", &BIASES, |solution, bias| {
        let results = results(solution, bias);
        let row = |(name, _, terminals): (&str, u128, usize)| {
            vec![name.into(), terminals.into(), share(terminals, results[3].2)]
        };
        let rows = results.map(row).to_vec();
        vec![Wanted::new("terminals", &["result", "terminals", "share"], rows)]
    });
}

#[test]
fn scores_with_playouts_and_terminals() {
    assert_pass("scores", &BIASES, |solution, bias| {
        let [.., (_, playouts, terminals)] = results(solution, bias);
        let row = |score: Cell, (p, t): (u128, usize)| {
            vec![score, big(p), quotient(p, playouts), t.into(), share(t, terminals)]
        };
        let ends = ends(solution).into_iter();
        let mut rows: Vec<_> = ends.map(|(lead, end)| row((lead - bias).into(), end)).collect();
        rows.push(row("all".into(), (playouts, terminals)));
        let columns = &["score", "playouts", "playouts_share", "terminals", "terminals_share"];
        vec![Wanted::new("scores", columns, rows)]
    });
}

const STATES: [&str; 9] = [
    "turn",
    "player",
    "states",
    "decisions",
    "passes",
    "terminals",
    "moves",
    "moves_mean",
    "moves_most",
];

fn states_row(group: &Group<State>) -> Vec<Cell> {
    let states = &group.items;
    let decisions = count(states, |state| !state.choices.is_empty());
    let terminals = count(states, |state| state.over);
    let moves: Vec<usize> = states.iter().map(|state| state.choices.len()).collect();
    vec![
        group.turn.clone(),
        group.player.into(),
        states.len().into(),
        decisions.into(),
        (states.len() - decisions - terminals).into(),
        terminals.into(),
        moves.iter().sum::<usize>().into(),
        share(moves.iter().sum(), decisions),
        (*moves.iter().max().unwrap()).into(),
    ]
}

/// A row for each number of legal moves that some state has.
fn moves_rows(group: &Group<State>) -> Vec<Vec<Cell>> {
    let mut states: BTreeMap<usize, usize> = BTreeMap::new();
    for state in group.items.iter().filter(|state| !state.over) {
        *states.entry(state.choices.len()).or_default() += 1;
    }
    let row =
        |(moves, states): (usize, usize)| vec![group.turn.clone(), moves.into(), states.into()];
    states.into_iter().map(row).collect()
}

#[test]
fn states_by_turn_and_by_moves() {
    assert_pass("states", &[0, 2], |solution, _| {
        let turn = |state: &State| state.situation.turn;
        let mut groups = by_turn(&solution.states, turn);
        groups.extend(totals(&solution.states, turn).pop());
        let by_turn = groups.iter().map(states_row).collect();
        let by_moves = groups.iter().flat_map(moves_rows).collect();
        vec![
            Wanted::new("states", &STATES, by_turn),
            Wanted::new("states_by_moves", &["turn", "moves", "states"], by_moves),
        ]
    });
}

#[test]
fn capacity_is_the_states_without_passes() {
    assert_pass("capacity", &[0], |solution, _| {
        let pieces = |state: &State| state.situation.cells.iter().filter(|&&c| c != EMPTY).count();
        let nobody_passed = |state: &&State| pieces(state) + 1 == state.situation.turn;
        let states: Vec<&State> = solution.states.iter().filter(nobody_passed).collect();
        let row = |group: &Group<&State>| {
            let images = |state: &&&State| solution.variant.images(&state.situation.cells).len();
            let positions: usize = group.items.iter().map(images).sum();
            vec![
                group.turn.clone(),
                group.player.into(),
                positions.into(),
                group.items.len().into(),
            ]
        };
        let turn = |state: &&State| state.situation.turn;
        let mut groups = by_turn(&states, turn);
        groups.extend(totals(&states, turn).pop());
        let columns = &["turn", "player", "positions", "states"];
        vec![Wanted::new("capacity", columns, groups.iter().map(row).collect())]
    });
}

/// The score under perfect play after each first move that is legal.
fn openings(solution: &Solution) -> HashMap<usize, Choice> {
    let start = solution.state(solution.variant.start());
    start.choices.into_iter().map(|choice| (choice.cell, choice)).collect()
}

/// Column letter and row number; no board here has more columns than letters.
fn coordinate(variant: &Variant, cell: usize) -> String {
    let letter = "abcdefgh".chars().nth(cell % variant.cols).unwrap();
    format!("{letter}{}", cell / variant.cols + 1)
}

#[test]
fn openings_with_value_and_cost() {
    assert_pass("openings", &BIASES, |solution, bias| {
        let openings = openings(solution);
        let row = |cell: usize| {
            let opening = openings.get(&cell);
            vec![
                (cell + 1).into(),
                coordinate(&solution.variant, cell).into(),
                opening.map(|choice| choice.value - bias).into(),
                opening.map(|choice| choice.cost).into(),
                opening.map(|choice| choice.cost == 0).into(),
            ]
        };
        let rows = (0..solution.variant.size()).map(row).collect();
        vec![Wanted::new("openings", &["tile", "coordinate", "value", "cost", "perfect"], rows)]
    });
}

mod variants_pass {
    use super::*;

    const COLUMNS: [&str; 19] = [
        "rules",
        "board",
        "center_allowed",
        "bias",
        "pieces",
        "value",
        "openings",
        "playouts",
        "playouts_first",
        "playouts_second",
        "playouts_tie",
        "playouts_first_share",
        "playouts_second_share",
        "playouts_tie_share",
        "states",
        "terminals",
        "terminals_first",
        "terminals_second",
        "terminals_tie",
    ];

    /// Rows joined by `/`; values apart where some take more than one character.
    fn map(solution: &Solution, bias: i32) -> String {
        let openings = openings(solution);
        let text = |cell| match openings.get(&cell) {
            Some(choice) => (choice.value - bias).to_string(),
            None => "-".to_string(),
        };
        let texts: Vec<String> = (0..solution.variant.size()).map(text).collect();
        let apart = if texts.iter().all(|text| text.len() == 1) { "" } else { " " };
        let rows = texts.chunks(solution.variant.cols).map(|row| row.join(apart));
        rows.collect::<Vec<_>>().join("/")
    }

    fn row(label: &str, variant: Variant, bias: i32) -> Vec<Cell> {
        let solution = Solution::of(variant);
        let results = results(&solution, bias);
        let [first, second, tie, all] = results;
        let wins = [first, second, tie];
        let mut row: Vec<Cell> = vec![
            label.into(),
            format!("{}x{}", variant.rows, variant.cols).into(),
            variant.center_allowed.into(),
            bias.into(),
            variant.pieces.into(),
            (solution.findings.root().value - bias).into(),
            map(&solution, bias).into(),
            big(all.1),
        ];
        row.extend(wins.map(|(_, playouts, _)| big(playouts)));
        row.extend(wins.map(|(_, playouts, _)| quotient(playouts, all.1)));
        row.push(solution.states.len().into());
        row.push(all.2.into());
        row.extend(wins.map(|(_, _, terminals)| terminals.into()));
        row
    }

    fn assert_variants(asked: Rules, wanted: Vec<Vec<Cell>>) {
        let case = format!("variants of {}", bsq_analyses::rules_label(&asked));
        let wanted = Wanted::new("variants", &COLUMNS, wanted);
        assert_tables(&case, &run("variants", asked), &[wanted]);
    }

    #[test]
    fn maps_of_values_with_a_sign_are_spaced_evenly() {
        let standard = Variant::standard(3, 3);
        let wanted = vec![row("3x3 standard", standard, 0), row("3x3 bias 1", standard, 1)];
        assert_variants(rules(&standard, 1), wanted);
    }

    #[test]
    fn standard_set_on_3x3() {
        let standard = Variant::standard(3, 3);
        let centre = Variant { center_allowed: true, ..standard };
        let eleven = Variant { pieces: Some(11), ..standard };
        let wanted = vec![
            row("3x3 standard", standard, 0),
            row("3x3 centre allowed", centre, 0),
            row("3x3 bias 2", standard, 2),
            row("3x3 centre allowed, bias 2", centre, 2),
            row("3x3 11 pieces", eleven, 0),
        ];
        assert_variants(rules(&standard, 0), wanted);
    }

    #[test]
    fn rules_asked_for_stand_beside_the_standard() {
        let three = Variant { pieces: Some(3), ..Variant::standard(3, 4) };
        let wanted = vec![
            row("3x4 standard", Variant::standard(3, 4), 0),
            row("3x4 bias 3, 3 pieces", three, 3),
        ];
        assert_variants(rules(&three, 3), wanted);
    }
}

mod blunders_pass {
    use super::*;

    const COLUMNS: [&str; 15] = [
        "rules",
        "turn",
        "player",
        "decisions",
        "moves",
        "perfect",
        "perfect_share",
        "risky",
        "risky_share",
        "cost_mean",
        "cost_most",
        "upsets",
        "upset_share",
        "fateful",
        "fateful_share",
    ];

    fn row(label: &str, bias: i32, group: &Group<&State>) -> Vec<Cell> {
        let decisions = &group.items;
        let moves: usize = decisions.iter().map(|state| state.choices.len()).sum();
        let is_upset = |state: &State, choice: &Choice| {
            result(state.value - bias) != result(choice.value - bias)
        };
        let upsets_of =
            |state: &&&State| state.blunders().filter(|choice| is_upset(state, choice)).count();
        let costs: Vec<i32> =
            decisions.iter().flat_map(|state| state.blunders()).map(|c| c.cost).collect();
        let upsets: usize = decisions.iter().map(upsets_of).sum();
        let risky = count(decisions, |state| state.is_risky());
        let fateful = count(decisions, |state| upsets_of(state) > 0);
        vec![
            label.into(),
            group.turn.clone(),
            group.player.into(),
            decisions.len().into(),
            moves.into(),
            (moves - costs.len()).into(),
            share(moves - costs.len(), moves),
            risky.into(),
            share(risky, decisions.len()),
            share(costs.iter().sum::<i32>() as usize, costs.len()),
            costs.iter().max().copied().into(),
            upsets.into(),
            share(upsets, costs.len()),
            fateful.into(),
            share(fateful, decisions.len()),
        ]
    }

    #[test]
    fn every_column_with_and_without_two_points_to_the_second_player() {
        assert_pass("blunders", &BIASES, |solution, bias| {
            let decisions: Vec<&State> = solution.decisions().collect();
            let turn = |state: &&State| state.situation.turn;
            let mut groups = by_turn(&decisions, turn);
            groups.extend(totals(&decisions, turn));
            let mut rows = Vec::new();
            for bias in [bias, if bias == 2 { 0 } else { 2 }] {
                let label = bsq_analyses::rules_label(&rules(&solution.variant, bias));
                rows.extend(groups.iter().map(|group| row(&label, bias, group)));
            }
            vec![Wanted::new("blunders", &COLUMNS, rows)]
        });
    }
}

mod mirror_pass {
    use super::*;

    const COLUMNS: [&str; 10] = [
        "tile",
        "coordinate",
        "holds",
        "positions",
        "ends",
        "better",
        "gain_most",
        "better_first_turn",
        "example",
        "example_replies",
    ];

    /// The games from one opening in which the second player answers the last move through the
    /// centre, as long as that is legal.
    struct Mirrored {
        holds: bool,
        /// Where the second player is to mirror, also where that turns out to be illegal.
        positions: BTreeSet<Situation>,
        ends: HashSet<Situation>,
    }

    impl Mirrored {
        fn from(variant: &Variant, opening: usize) -> Mirrored {
            let (positions, ends) = (BTreeSet::new(), HashSet::new());
            let mut mirrored = Mirrored { holds: true, positions, ends };
            mirrored.answer(variant, &variant.place(&variant.start(), opening), opening);
            mirrored
        }

        fn answer(&mut self, variant: &Variant, situation: &Situation, last: usize) {
            if !self.positions.insert(situation.clone()) {
                return;
            }
            let answer = opposite(variant, last);
            match variant.next(situation) {
                Next::Place(cells) if cells.contains(&answer) => {
                    self.answered(variant, &variant.place(situation, answer));
                }
                _ => self.holds = false,
            }
        }

        fn answered(&mut self, variant: &Variant, situation: &Situation) {
            match variant.next(situation) {
                Next::Place(cells) => cells
                    .into_iter()
                    .for_each(|cell| self.answer(variant, &variant.place(situation, cell), cell)),
                Next::Pass => panic!("both sides are alike, so the second would pass too"),
                Next::Over => {
                    self.holds &= situation.score() == 0;
                    self.ends.insert(situation.clone());
                }
            }
        }
    }

    /// A position with what the second player gains by leaving the mirror for perfect play.
    fn gains(solution: &Solution, mirrored: &Mirrored) -> Vec<(Situation, i32)> {
        let gain = |s: &Situation| (s.clone(), -solution.findings.of(s).value);
        mirrored.positions.iter().map(gain).collect()
    }

    /// The sets of pieces as numbers, cell 0 counting least.
    fn order(situation: &Situation) -> [u64; 2] {
        [FIRST, SECOND].map(|owner| set(situation, owner))
    }

    fn better_and_most(gains: &[&(Situation, i32)]) -> [Cell; 2] {
        let better = gains.iter().map(|(_, gain)| *gain).filter(|&gain| gain > 0);
        [better.clone().count().into(), better.max().unwrap_or(0).into()]
    }

    fn best_replies(solution: &Solution, situation: &Situation) -> String {
        let perfect = solution.state(situation.clone()).perfect();
        perfect.iter().map(|cell| (cell + 1).to_string()).collect::<Vec<_>>().join(" ")
    }

    fn opening_row(solution: &Solution, opening: usize) -> Vec<Cell> {
        let mirrored = Mirrored::from(&solution.variant, opening);
        let gains = gains(solution, &mirrored);
        let better = gains.iter().filter(|(_, gain)| *gain > 0).map(|(situation, _)| situation);
        let example = better.min_by_key(|situation| (situation.turn, order(situation)));
        let rules = rules(&solution.variant, 0);
        let [better, gain_most] = better_and_most(&gains.iter().collect::<Vec<_>>());
        vec![
            (opening + 1).into(),
            coordinate(&solution.variant, opening).into(),
            mirrored.holds.into(),
            mirrored.positions.len().into(),
            mirrored.ends.len().into(),
            better,
            gain_most,
            example.map(|situation| situation.turn).into(),
            example.map(|situation| rules.format_position(&position(situation))).into(),
            example.map(|situation| best_replies(solution, situation)).into(),
        ]
    }

    fn turn_rows(solution: &Solution, opening: usize) -> Vec<Vec<Cell>> {
        let gains = gains(solution, &Mirrored::from(&solution.variant, opening));
        let turn = |(situation, _): &(Situation, i32)| situation.turn;
        let mut groups = by_turn(&gains, turn);
        groups.extend(totals(&gains, turn).pop());
        let row = |group: &Group<(Situation, i32)>| {
            let [better, most] = better_and_most(&group.items);
            vec![(opening + 1).into(), group.turn.clone(), group.items.len().into(), better, most]
        };
        groups.iter().map(row).collect()
    }

    #[test]
    fn mirrored_games_one_after_the_other() {
        assert_pass("mirror", &[0], |solution, _| {
            let values = openings(solution);
            let mut level: Vec<usize> =
                values.values().filter(|c| c.value == 0).map(|c| c.cell).collect();
            level.sort_unstable();
            let openings = level.iter().map(|&cell| opening_row(solution, cell)).collect();
            let turns = level.iter().flat_map(|&cell| turn_rows(solution, cell)).collect();
            let turns_columns = &["tile", "turn", "positions", "better", "gain_most"];
            vec![
                Wanted::new("mirror", &COLUMNS, openings),
                Wanted::new("mirror_by_turn", turns_columns, turns),
            ]
        });
    }

    #[test]
    fn boards_where_mirroring_holds_fails_and_is_worth_leaving_are_among_them() {
        let rows = SOLUTIONS.iter().flat_map(|solution| {
            let tied = openings(solution).into_values().filter(|choice| choice.value == 0);
            tied.map(|choice| opening_row(solution, choice.cell)).collect::<Vec<_>>()
        });
        let rows: Vec<Vec<Cell>> = rows.collect();
        assert!(rows.iter().any(|row| row[2] == Cell::Truth(true)));
        assert!(rows.iter().any(|row| row[2] == Cell::Truth(false)));
        assert!(rows.iter().any(|row| row[7] != Cell::Empty));
    }
}

/// The cells of one owner as the engine writes them.
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

/// The engine's position as the oracle writes it.
fn situation(variant: &Variant, position: &Position) -> Situation {
    let mut cells = vec![EMPTY; variant.size()];
    for (owner, pieces) in [FIRST, SECOND].into_iter().zip(position.pieces) {
        cells_of(pieces).for_each(|cell| cells[cell] = owner);
    }
    let situation = Situation { cells, turn: position.turn as usize };
    assert_eq!(mover(situation.turn), position.to_move.name());
    situation
}

/// What the mover sees.
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

mod heuristics_pass {
    use super::*;

    const COLUMNS: [&str; 16] = [
        "heuristic",
        "rules",
        "difficulty",
        "turn",
        "player",
        "decisions",
        "risky",
        "fails",
        "fails_share",
        "fails_share_risky",
        "fails_badly",
        "fails_badly_share",
        "fails_badly_share_risky",
        "cost_mean",
        "cost_mean_risky",
        "cost_most",
    ];

    /// A number of points, exactly.
    #[derive(Clone, Copy)]
    struct Fraction {
        over: u128,
        under: u128,
    }

    impl Fraction {
        fn plus(self, other: Fraction) -> Fraction {
            let over = self.over * other.under + other.over * self.under;
            let under = self.under * other.under;
            let common = common_divisor(over, under);
            Fraction { over: over / common, under: under / common }
        }

        /// A mean; nothing where there is nothing to divide by.
        fn shared_by(self, count: usize) -> Option<f64> {
            let under = self.under * count as u128;
            (count > 0).then(|| self.over as f64 / under as f64)
        }
    }

    fn common_divisor(a: u128, b: u128) -> u128 {
        if b == 0 { a } else { common_divisor(b, a % b) }
    }

    /// One heuristic at one decision.
    pub struct Judged<'a> {
        pub state: &'a State,
        pub liked: BTreeSet<usize>,
        costs: Vec<i32>,
    }

    impl Judged<'_> {
        pub fn fails(&self) -> bool {
            self.costs.iter().any(|&cost| cost > 0)
        }

        fn fails_badly(&self) -> bool {
            self.costs.iter().all(|&cost| cost > 0)
        }

        pub fn worst(&self) -> i32 {
            self.costs.iter().max().copied().expect("it likes some move")
        }

        fn mean_cost(&self) -> Fraction {
            let total: i32 = self.costs.iter().sum();
            Fraction { over: total as u128, under: self.costs.len() as u128 }
        }
    }

    pub fn judge<'a>(state: &'a State, name: &str, variant: &Variant) -> Judged<'a> {
        let liked = state.liked(&heuristic::by_name(name).unwrap().list, variant);
        let is_liked = |choice: &&Choice| liked.contains(&choice.cell);
        let costs = state.choices.iter().filter(is_liked).map(|choice| choice.cost).collect();
        Judged { state, liked, costs }
    }

    /// Every decision of every solution, judged once for each heuristic: plain code is slow.
    static JUDGED: LazyLock<Vec<Vec<Vec<Judged<'static>>>>> = LazyLock::new(|| {
        let judge_all = |solution: &'static Solution, name: &String| {
            let decisions: Vec<&State> = solution.decisions().collect();
            decisions.into_par_iter().map(|state| judge(state, name, &solution.variant)).collect()
        };
        let of = |solution| HEURISTICS.iter().map(|name| judge_all(solution, name)).collect();
        SOLUTIONS.iter().map(of).collect()
    });

    pub fn judged(solution: &Solution, name: &str) -> &'static [Judged<'static>] {
        let which = SOLUTIONS.iter().position(|known| std::ptr::eq(known, solution)).unwrap();
        &JUDGED[which][HEURISTICS.iter().position(|known| known == name).unwrap()]
    }

    /// What comes of a set of decisions.
    #[derive(Debug, PartialEq)]
    struct Tally {
        decisions: usize,
        risky: usize,
        fails: usize,
        fails_badly: usize,
        worst: usize,
    }

    /// Besides the counts, the mean costs over all and over the risky decisions.
    fn tally(judged: &[&Judged]) -> (Tally, [Option<f64>; 2]) {
        let tally = Tally {
            decisions: judged.len(),
            risky: count(judged, |j| j.state.is_risky()),
            fails: count(judged, |j| j.fails()),
            fails_badly: count(judged, |j| j.fails_badly()),
            worst: judged.iter().map(|j| j.worst()).max().unwrap_or(0) as usize,
        };
        let nothing = Fraction { over: 0, under: 1 };
        let cost = judged.iter().fold(nothing, |sum, j| sum.plus(j.mean_cost()));
        let means = [tally.decisions, tally.risky].map(|count| cost.shared_by(count));
        (tally, means)
    }

    fn row(name: &str, group: &Group<Judged>) -> Vec<Cell> {
        let (tally, [mean, risky_mean]) = tally(&group.items);
        let list = &heuristic::by_name(name).unwrap().list;
        vec![
            name.into(),
            list.to_string().into(),
            list.difficulty().into(),
            group.turn.clone(),
            group.player.into(),
            tally.decisions.into(),
            tally.risky.into(),
            tally.fails.into(),
            share(tally.fails, tally.decisions),
            share(tally.fails, tally.risky),
            tally.fails_badly.into(),
            share(tally.fails_badly, tally.decisions),
            share(tally.fails_badly, tally.risky),
            mean.into(),
            risky_mean.into(),
            tally.worst.into(),
        ]
    }

    fn turn(judged: &Judged) -> usize {
        judged.state.situation.turn
    }

    #[test]
    fn every_heuristic_by_turn_and_player() {
        assert_pass("heuristics", &[0, 2], |solution, bias| {
            let mut tables = ["heuristics", "heuristics_by_turn"]
                .map(|name| Wanted::new(name, &COLUMNS, Vec::new()));
            for name in HEURISTICS.iter() {
                let judged = judged(solution, name);
                let rows = |groups: Vec<Group<Judged>>| -> Vec<Vec<Cell>> {
                    groups.iter().map(|group| row(name, group)).collect()
                };
                let (turns, totals) = (rows(by_turn(judged, turn)), rows(totals(judged, turn)));
                tables[0].rows.extend(totals);
                tables[1].rows.extend(turns);
            }
            tables.into_iter().chain([rule_lists::from_start(solution, bias)]).collect()
        });
    }

    fn assert_counts(case: &str, found: &Counts, judged: &[&Judged]) {
        let (wanted, means) = tally(judged);
        let counts = Tally {
            decisions: found.decisions as usize,
            risky: found.risky as usize,
            fails: found.fails as usize,
            fails_badly: found.fails_badly as usize,
            worst: found.worst as usize,
        };
        assert_eq!(counts, wanted, "{case}");
        for (found, wanted) in [found.mean_cost(), found.mean_risky_cost()].into_iter().zip(means) {
            assert!(is_same(&found.into(), &wanted.into()), "{case}: {found:?}, not {wanted:?}");
        }
    }

    #[test]
    fn reports_of_the_tester_by_turn_and_player() {
        for solution in SOLUTIONS.iter() {
            let game = BritishSquare::new(rules(&solution.variant, 0)).unwrap();
            let reports = tester::test(&game, &ALL, &Monitor::default()).unwrap();
            for (name, report) in HEURISTICS.iter().zip(&reports) {
                let judged = judged(solution, name);
                let case = format!("{name}, {:?}", solution.variant);
                let last = judged.iter().map(turn).max().unwrap_or(0);
                assert_eq!(report.by_turn.len(), last, "{case}");
                for (i, counts) in report.by_turn.iter().enumerate() {
                    let of_turn: Vec<_> = judged.iter().filter(|j| turn(j) == i + 1).collect();
                    assert_counts(&format!("{case}, turn {}", i + 1), counts, &of_turn);
                }
                let players = [Some(Player::First), Some(Player::Second), None];
                for (player, group) in players.into_iter().zip(totals(judged, turn)) {
                    let case = format!("{case}, {player:?}");
                    assert_counts(&case, &report.total(player), &group.items);
                }
            }
        }
    }
}

mod failures {
    use super::heuristics_pass::{judge, judged};
    use super::*;

    fn cells(set: Cells) -> BTreeSet<usize> {
        cells_of(set).collect()
    }

    /// Looks at the very image that the tester shows.
    fn assert_failure(solution: &Solution, name: &str, found: &Failure) {
        let state = solution.state(situation(&solution.variant, &found.position));
        let judged = judge(&state, name, &solution.variant);
        let case = format!("{name}, {:?}, {:?}", solution.variant, found.position);
        assert!(judged.fails(), "{case}");
        assert_eq!(found.value, state.value, "{case}");
        assert_eq!(cells(found.perfect), state.perfect(), "{case}");
        assert_eq!(cells(found.liked), judged.liked, "{case}");
        assert_eq!(found.worst as i32, judged.worst(), "{case}");
    }

    fn assert_failures(solution: &Solution, name: &str) {
        let game = BritishSquare::new(rules(&solution.variant, 0)).unwrap();
        let heuristic = heuristic::by_name(name).unwrap();
        let tested = tester::test_with_failures(&game, heuristic, &Monitor::default());
        let (report, failures) = tested.unwrap();
        let alone =
            tester::test(&game, std::slice::from_ref(heuristic), &Monitor::default()).unwrap();
        assert_eq!(vec![report], alone, "{name}, {:?}", solution.variant);

        let found: Vec<Failure> = failures.iter().collect();
        assert_eq!(failures.len(), found.len());
        assert_eq!(failures.is_empty(), found.is_empty());
        assert!(found.is_sorted_by_key(|failure| failure.position.turn));
        found.iter().for_each(|failure| assert_failure(solution, name, failure));

        let merged =
            |f: &Failure| solution.variant.merged(&situation(&solution.variant, &f.position));
        let states: BTreeSet<Situation> = found.iter().map(merged).collect();
        assert_eq!(states.len(), found.len(), "{name}, {:?}: one twice", solution.variant);
        let judged = judged(solution, name).iter().filter(|judged| judged.fails());
        let wanted: BTreeSet<Situation> = judged.map(|j| j.state.situation.clone()).collect();
        assert_eq!(states, wanted, "{name}, {:?}", solution.variant);
    }

    #[test]
    fn failing_positions_with_perfect_and_liked_moves() {
        for solution in SOLUTIONS.iter() {
            HEURISTICS.iter().for_each(|name| assert_failures(solution, name));
        }
    }
}

/// The numbers of the standard game, kept as data.
mod golden {
    use super::*;

    fn records() -> Vec<HashMap<String, String>> {
        let path: std::path::PathBuf =
            [env!("CARGO_MANIFEST_DIR"), "tests", "golden", "heuristics.csv"].iter().collect();
        csv::Reader::from_path(path).unwrap().deserialize().map(Result::unwrap).collect()
    }

    fn found(counts: &Counts, quantity: &str) -> u64 {
        match quantity {
            "decisions" => counts.decisions,
            "risky" => counts.risky,
            "fails" => counts.fails,
            "fails_badly" => counts.fails_badly,
            other => panic!("what is {other}?"),
        }
    }

    #[test]
    fn heuristics_on_5x5() {
        let game = BritishSquare::new(Rules::standard(5, 5).unwrap()).unwrap();
        let records = records();
        let named = |h: &&Heuristic| records.iter().any(|record| record["heuristic"] == h.label());
        let heuristics: Vec<Heuristic> = ALL.iter().filter(named).cloned().collect();
        let reports = tester::test(&game, &heuristics, &Monitor::default()).unwrap();
        let totals =
            heuristics.iter().zip(&reports).map(|(h, report)| (h.label(), report.total(None)));
        let totals: HashMap<String, Counts> = totals.collect();
        for record in records {
            let (name, quantity) = (record["heuristic"].as_str(), record["quantity"].as_str());
            assert_eq!(record["rules"], "5x5");
            let number = found(&totals[name], quantity).to_string();
            assert_eq!(number, record["number"], "{quantity} of {name}");
        }
    }
}

/// Heuristics and the ways to turn a board.
mod turned {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;

    /// For each way to turn or flip the board: where every cell goes.
    fn ways(rows: usize, cols: usize) -> Vec<Vec<usize>> {
        let mut ways = BTreeSet::new();
        for (down, right) in [(false, false), (false, true), (true, false), (true, true)] {
            let goes = |cell: usize| {
                let (row, col) = (cell / cols, cell % cols);
                let row = if down { rows - 1 - row } else { row };
                let col = if right { cols - 1 - col } else { col };
                (row, col)
            };
            let cells = 0..rows * cols;
            ways.insert(cells.clone().map(goes).map(|(r, c)| r * cols + c).collect::<Vec<_>>());
            if rows == cols {
                ways.insert(cells.map(goes).map(|(r, c)| c * cols + r).collect());
            }
        }
        ways.into_iter().collect()
    }

    fn turned(set: Cells, way: &[usize]) -> Cells {
        (0..way.len()).filter(|&cell| set >> cell & 1 == 1).map(|cell| 1 << way[cell]).sum()
    }

    fn assert_liked_turns(game: &BritishSquare, position: &Position, ways: &[Vec<usize>]) {
        let here = decision(game, position);
        for heuristic in ALL.iter() {
            let liked = heuristic.liked(&here);
            assert!(liked != 0, "{} likes nothing at {position:?}", heuristic.label());
            assert_eq!(liked & !here.legal, 0, "{} at {position:?}", heuristic.label());
            for way in ways {
                let pieces = position.pieces.map(|set| turned(set, way));
                let image = decision(game, &Position { pieces, ..*position });
                let wanted = turned(liked, way);
                assert_eq!(
                    heuristic.liked(&image),
                    wanted,
                    "{} at {position:?} turned by {way:?}",
                    heuristic.label()
                );
            }
        }
    }

    /// Plays the moves that the numbers pick and looks at every decision on the way.
    fn assert_liked_turns_along(game: &BritishSquare, picks: &[usize]) {
        let rules = game.rules();
        let ways = ways(rules.board.rows(), rules.board.cols());
        let mut position = rules.start();
        for pick in picks {
            let moves = rules.moves(&position);
            if moves.is_empty() {
                return;
            }
            if moves != [Move::Pass] {
                assert_liked_turns(game, &position, &ways);
            }
            position = rules.play(&position, moves[pick % moves.len()]);
        }
    }

    fn games() -> Vec<BritishSquare> {
        let standard = |rows, cols| Rules::standard(rows, cols).unwrap();
        let all_rules = [
            standard(4, 4),
            standard(3, 4),
            standard(5, 5),
            Rules { pieces: Some(3), ..standard(3, 4) },
            Rules { center_allowed: true, ..standard(3, 3) },
        ];
        all_rules.map(|rules| BritishSquare::new(rules).unwrap()).into()
    }

    #[test]
    fn there_are_eight_ways_to_turn_a_square_and_four_for_other_boards() {
        assert_eq!([ways(4, 4).len(), ways(3, 4).len(), ways(1, 6).len()], [8, 4, 2]);
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]

        #[test]
        fn what_a_heuristic_likes_turns_with_the_board(picks in vec(any::<usize>(), 1..32)) {
            games().iter().for_each(|game| assert_liked_turns_along(game, &picks));
        }
    }
}
