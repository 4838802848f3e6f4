//! Compares all rows of the export of states with brute force on small boards, and on 5x5 with
//! golden numbers and with the analyses.

use bsq_analyses::{Rows, Values, export_by_name};
use bsq_engine::monitor::Monitor;
use bsq_games::british_square::{Board, Rules};
use bsq_test_support::oracle::{FIRST, Findings, Next, SECOND, Situation, Variant};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// A row of the export.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Row {
    turn: usize,
    player: String,
    first_cells: u64,
    second_cells: u64,
    value: i32,
    moves: usize,
    move_cells: u64,
    perfect: usize,
    perfect_cells: u64,
    pass: bool,
    over: bool,
    position: String,
}

fn begin(rules: Rules) -> Box<dyn Rows> {
    export_by_name("states").unwrap().begin(&rules, &Monitor::default()).unwrap()
}

/// A range of rows, decoded by the names of the columns.
fn rows_of(rows: &dyn Rows, places: Range<usize>) -> Vec<Row> {
    let columns = export_by_name("states").unwrap().table().columns;
    let batch = rows.batch(places.clone());
    assert_eq!(columns.len(), batch.len());
    let column = |name: &str| &batch[columns.iter().position(|c| c.name == name).unwrap()];
    let integer = |name: &str, i: usize| match column(name) {
        Values::Tiny(values) => i64::from(values[i]),
        Values::Integer(values) => i64::from(values[i]),
        other => panic!("{name}: {other:?}"),
    };
    let cells = |name: &str, i| u64::try_from(integer(name, i)).unwrap();
    let count = |name: &str, i| usize::try_from(integer(name, i)).unwrap();
    let truth = |name: &str, i: usize| match column(name) {
        Values::Truth(values) => values[i],
        other => panic!("{name}: {other:?}"),
    };
    let text = |name: &str, i: usize| match column(name) {
        Values::Text(texts) => texts.get(i).to_string(),
        other => panic!("{name}: {other:?}"),
    };
    let row = |i| Row {
        turn: count("turn", i),
        player: text("player", i),
        first_cells: cells("first_cells", i),
        second_cells: cells("second_cells", i),
        value: integer("value", i) as i32,
        moves: count("moves", i),
        move_cells: cells("move_cells", i),
        perfect: count("perfect", i),
        perfect_cells: cells("perfect_cells", i),
        pass: truth("pass", i),
        over: truth("over", i),
        position: text("position", i),
    };
    (0..places.len()).map(row).collect()
}

fn set(cells: impl IntoIterator<Item = usize>) -> u64 {
    cells.into_iter().fold(0, |set, cell| set | 1 << cell)
}

fn cells_of(situation: &Situation, owner: u8) -> u64 {
    let cells = situation.cells.iter().enumerate();
    set(cells.filter(|(_, cell)| **cell == owner).map(|(i, _)| i))
}

/// The sort key of the rows.
fn order(situation: &Situation) -> (usize, u64, u64) {
    (situation.turn, cells_of(situation, SECOND), cells_of(situation, FIRST))
}

/// The expected rows, by brute force.
fn expected(variant: &Variant, findings: &Findings, bias: i32) -> Vec<Row> {
    let image = |situation: Situation| {
        let images = variant.images(&situation.cells).into_iter();
        let images = images.map(|cells| Situation { cells, turn: situation.turn });
        images.min_by_key(order).unwrap()
    };
    let reachable = variant.reachable().into_iter();
    let states: BTreeMap<_, _> = reachable.map(image).map(|s| (order(&s), s)).collect();
    states.into_values().map(|state| expected_row(variant, findings, bias, &state)).collect()
}

fn expected_row(variant: &Variant, findings: &Findings, bias: i32, state: &Situation) -> Row {
    let truth = findings.of(state);
    let moves = match variant.next(state) {
        Next::Place(cells) => cells,
        Next::Pass | Next::Over => Vec::new(),
    };
    let keeps = |&cell: &usize| findings.of(&variant.place(state, cell)).value == truth.value;
    let perfect: Vec<usize> = moves.iter().copied().filter(keeps).collect();
    let [player, letter] = if state.mover() == FIRST { ["first", "X"] } else { ["second", "O"] };
    let line = |row: &[u8]| row.iter().map(|&cell| ['.', 'X', 'O'][cell as usize]).collect();
    let lines: Vec<String> = state.cells.chunks(variant.cols).map(line).collect();
    Row {
        turn: state.turn,
        player: player.to_string(),
        first_cells: cells_of(state, FIRST),
        second_cells: cells_of(state, SECOND),
        value: truth.value - bias,
        moves: moves.len(),
        move_cells: set(moves.clone()),
        perfect: perfect.len(),
        perfect_cells: set(perfect),
        pass: variant.next(state) == Next::Pass,
        over: truth.over,
        position: format!("{} {letter}", lines.join("/")),
    }
}

#[test]
fn every_row_is_what_brute_force_makes() {
    let standard = [(1, 1), (1, 6), (2, 5), (3, 3), (3, 4), (4, 3), (4, 4)];
    let mut variants = standard.map(|(rows, cols)| Variant::standard(rows, cols)).to_vec();
    variants.extend(Variant::standard(3, 3).variations());
    variants.extend(Variant::standard(3, 4).variations());
    variants.extend(Variant::standard(1, 5).variations());
    for variant in variants {
        let findings = variant.solve();
        for bias in [0, 2, -64] {
            let rules = Rules {
                board: Board::new(variant.rows, variant.cols).unwrap(),
                center_allowed: variant.center_allowed,
                bias,
                pieces: variant.pieces.map(|limit| limit as u32),
            };
            let rows = begin(rules.clone());
            let found = rows_of(rows.as_ref(), 0..rows.count());
            let wanted = expected(&variant, &findings, bias);
            for (found, wanted) in found.iter().zip(&wanted) {
                assert_eq!(found, wanted, "{variant:?} bias {bias}");
                let position = rules.parse_position(&found.position).unwrap();
                assert_eq!(position.pieces, [found.first_cells, found.second_cells]);
            }
            assert_eq!(found.len(), wanted.len(), "{variant:?} bias {bias}");
        }
    }
}

#[test]
fn batches_are_pieces_of_the_whole() {
    let rows = begin(Rules::standard(4, 4).unwrap());
    let whole = rows_of(rows.as_ref(), 0..rows.count());
    let half = rows.count() / 2;
    let parts = [0..1, 1..1, 1..half, half..rows.count()];
    let parts: Vec<Row> = parts.into_iter().flat_map(|part| rows_of(rows.as_ref(), part)).collect();
    assert_eq!(parts, whole);
}

#[test]
fn threads_do_not_change_the_order() {
    let on_threads = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let rows = pool.install(|| begin(Rules::standard(4, 5).unwrap()));
        rows_of(rows.as_ref(), 0..rows.count())
    };
    assert_eq!(on_threads(1), on_threads(3));
}

/// Cells of a CSV file by the names of its columns.
fn table(text: &str) -> Vec<BTreeMap<String, String>> {
    csv::Reader::from_reader(text.as_bytes()).into_deserialize().map(Result::unwrap).collect()
}

/// Counts of the rows of a turn.
#[derive(Debug, Default, PartialEq, Eq)]
struct Counts {
    states: usize,
    decisions: usize,
    passes: usize,
    terminals: usize,
    moves: usize,
    perfect: usize,
}

#[test]
fn the_standard_game_has_the_golden_numbers() {
    let rows = begin(Rules::standard(5, 5).unwrap());
    let mut turns: BTreeMap<usize, Counts> = BTreeMap::new();
    let mut ends: BTreeMap<i32, usize> = BTreeMap::new();
    let mut values = BTreeSet::new();
    let mut last = None;
    for start in (0..rows.count()).step_by(1 << 16) {
        for row in rows_of(rows.as_ref(), start..rows.count().min(start + (1 << 16))) {
            let counts = turns.entry(row.turn).or_default();
            counts.states += 1;
            counts.decisions += usize::from(row.moves > 0);
            counts.passes += usize::from(row.pass);
            counts.terminals += usize::from(row.over);
            counts.moves += row.moves;
            counts.perfect += row.perfect;
            if row.over {
                *ends.entry(row.value).or_default() += 1;
            }
            values.insert(row.value);
            let place = Some((row.turn, row.second_cells, row.first_cells));
            assert!(last < place, "{row:?}");
            last = place;
        }
    }

    let golden = table(include_str!("../../tests/golden/british_square.csv"));
    let golden = |quantity: &str| -> i64 {
        let row = golden.iter().find(|r| r["rules"] == "5x5" && r["quantity"] == quantity);
        row.unwrap()["number"].parse().unwrap()
    };
    assert_eq!(rows.count() as i64, golden("states"));
    assert_eq!(rows_of(rows.as_ref(), 0..1)[0].value as i64, golden("value"));
    let ended = |sign: i32| -> i64 {
        let alike = ends.iter().filter(|(value, _)| value.signum() == sign);
        alike.map(|(_, &count)| count as i64).sum()
    };
    assert_eq!(ended(1), golden("terminals first"));
    assert_eq!(ended(-1), golden("terminals second"));
    assert_eq!(ended(0), golden("terminals ties"));
    let ends = |value: Option<&i32>| i64::from(*value.unwrap());
    assert_eq!(ends(values.first()), golden("lowest score"));
    assert_eq!(ends(values.last()), golden("highest score"));
    assert_eq!(*turns.keys().next().unwrap() as i64, golden("first turn"));
    assert_eq!(*turns.keys().next_back().unwrap() as i64, golden("last turn"));

    // The analyses count the same by other methods: from sets of pieces, and by retrograde analysis.
    let number = |row: &BTreeMap<String, String>, name: &str| row[name].parse::<usize>().unwrap();
    let by_turn = table(include_str!("../../results/states.csv"));
    let slips = table(include_str!("../../results/blunders.csv"));
    for (turn, counts) in &turns {
        let turn = turn.to_string();
        let level = by_turn.iter().find(|row| row["turn"] == turn).unwrap();
        let slip = slips.iter().find(|r| r["rules"] == "5x5 standard" && r["turn"] == turn);
        let wanted = Counts {
            states: number(level, "states"),
            decisions: number(level, "decisions"),
            passes: number(level, "passes"),
            terminals: number(level, "terminals"),
            moves: number(level, "moves"),
            perfect: slip.map_or(0, |row| number(row, "perfect")),
        };
        assert_eq!(counts, &wanted, "turn {turn}");
    }
    assert_eq!(by_turn.len(), turns.len());
}
