//! Compares the engine with slower methods (brute force on small boards, a plain engine and a count
//! by orders of placement on 5x5) and with the published figures.

use bsq_engine::explore::{ExploreError, Limits};
use bsq_engine::game::Player;
use bsq_engine::monitor::{Monitor, SolveError};
use bsq_engine::strong;
use bsq_engine::strong::{AcyclicGame, Solved};
use bsq_games::british_square::Kernel;
use bsq_games::british_square::count::closed_form;
use bsq_games::british_square::count::state_bounds::states_at_most;
use bsq_games::british_square::count::territory::{TerritoryCountError, Width};
use bsq_games::british_square::count::{Census, LevelCount, explorer, sets, territory};
use bsq_games::british_square::{Board, BritishSquare, Cells, Move, Position, Rules};
use bsq_plain::british_square as plain;
use bsq_test_support::oracle::{EMPTY, FIRST, Findings, Next, SECOND, Situation, Variant, orders};
use num_bigint::BigUint;
use std::collections::{BTreeMap, HashMap, HashSet};

fn rules(variant: &Variant) -> Rules {
    Rules {
        board: Board::new(variant.rows, variant.cols).unwrap(),
        center_allowed: variant.center_allowed,
        bias: 0,
        pieces: variant.pieces.map(|limit| limit as u32),
    }
}

fn game(variant: &Variant) -> BritishSquare {
    BritishSquare::new(rules(variant)).unwrap()
}

fn solve(game: &BritishSquare) -> Solved {
    strong::solve(game, &game.root(), &Monitor::default()).unwrap()
}

/// States and playouts by the methods that do not visit states.
fn count(rules: &Rules) -> Census {
    let states = sets::count_states(rules, &Monitor::default()).unwrap();
    Census::new(states, closed_form::playouts_by_score(rules, &Monitor::default()).unwrap())
}

/// States and playouts by the explorer.
fn explored(rules: &Rules) -> Census {
    explorer::census(rules, Limits::default(), &Monitor::default()).unwrap()
}

/// Playouts by score.
type Playouts = BTreeMap<i32, BigUint>;

fn playouts_explored(rules: &Rules) -> Playouts {
    let scores = explored(rules).scores.into_iter();
    scores.map(|(score, count)| (score, count.playouts)).collect()
}

fn by_closed_form(rules: &Rules) -> Playouts {
    closed_form::playouts_by_score(rules, &Monitor::default()).unwrap()
}

/// Playouts by the territory method; `None` if pieces are limited.
fn by_territory(rules: &Rules) -> Option<Playouts> {
    match territory::playouts_by_score(rules, &Monitor::default()) {
        Err(TerritoryCountError::Pieces) => None,
        counted => Some(counted.unwrap()),
    }
}

/// The situation of the oracle for a position of the engine.
fn situation(rules: &Rules, position: &Position) -> Situation {
    let [first, second] = position.pieces;
    let owner = |cell: usize| match (first >> cell & 1, second >> cell & 1) {
        (0, 0) => EMPTY,
        (1, 0) => FIRST,
        (0, 1) => SECOND,
        _ => panic!("both players on cell {cell}"),
    };
    let cells = (0..rules.board.cells()).map(owner).collect();
    Situation { cells, turn: position.turn as usize }
}

/// The cells of an owner as a set of the engine.
fn cells_owned(situation: &Situation, owner: u8) -> Cells {
    let bit = |(cell, &found): (usize, &u8)| Cells::from(found == owner) << cell;
    situation.cells.iter().enumerate().map(bit).sum()
}

/// The census of the oracle's solutions.
fn census(findings: &Findings) -> Census {
    let mut census = Census::default();
    for (situation, truth) in findings.states() {
        if census.levels.len() < situation.turn {
            census.levels.resize(situation.turn, LevelCount::default());
        }
        let level = &mut census.levels[situation.turn - 1];
        if truth.over {
            level.terminals += 1;
            census.scores.entry(situation.score()).or_default().terminals += 1;
            continue;
        }
        if level.by_moves.len() <= truth.moves {
            level.by_moves.resize(truth.moves + 1, 0);
        }
        level.by_moves[truth.moves] += 1;
    }
    for (score, playouts) in &findings.root().playouts {
        census.scores.get_mut(score).expect("play ends in that score").playouts =
            (*playouts).into();
    }
    census
}

/// Compares the values of first moves with those of the oracle.
fn assert_openings_agree(variant: &Variant, findings: &Findings, solved: &Solved) {
    let (rules, game) = (rules(variant), game(variant));
    let start = variant.start();
    let Next::Place(cells) = variant.next(&start) else { return };
    let moves: Vec<Move> = cells.iter().map(|&cell| Move::Place(cell)).collect();
    assert_eq!(rules.moves(&rules.start()), moves, "{variant:?}");
    for cell in cells {
        let after = rules.play(&rules.start(), Move::Place(cell));
        let value = findings.of(&variant.place(&start, cell)).value;
        assert_eq!(solved.get(game.key(&game.node(&after))), Some(value), "{variant:?} {cell}");
    }
}

fn assert_agrees_with_brute_force(variant: &Variant) {
    let findings = variant.solve();
    let (rules, game) = (rules(variant), game(variant));
    let found = census(&findings);
    assert_eq!(count(game.rules()), found, "{variant:?}");
    assert_eq!(explored(game.rules()), found, "{variant:?}, explorer");

    let solved = solve(&game);
    let mut states = findings.states();
    assert_eq!(solved.value(), findings.root().value, "{variant:?}");
    assert_eq!(solved.positions(), states.len() as u64, "{variant:?}");
    for (key, value) in solved.iter() {
        let state = variant.merged(&situation(&rules, &game.position(key)));
        let truth = states.remove(&state).unwrap_or_else(|| panic!("{variant:?}: {state:?}"));
        assert_eq!(value, truth.value, "{variant:?}: {state:?}");
    }
    assert!(states.is_empty(), "{variant:?}: states that the search missed");
    assert_openings_agree(variant, &findings, &solved);
}

#[test]
fn every_state_of_small_games_agrees_with_brute_force() {
    for board in Variant::boards(1..=9) {
        for variant in board.variations() {
            assert_agrees_with_brute_force(&variant);
        }
    }
}

#[test]
fn every_state_of_games_on_up_to_12_cells_agrees_with_brute_force() {
    for variant in Variant::boards(10..=12) {
        assert_agrees_with_brute_force(&variant);
    }
    for variant in Variant::standard(3, 4).variations() {
        assert_agrees_with_brute_force(&variant);
    }
}

/// Compares counts on boards too large for the strong solution, with a limit on pieces that makes
/// brute force feasible.
#[test]
fn counts_on_up_to_32_cells_agree_with_brute_force() {
    for (rows, cols) in [(2, 13), (3, 9), (4, 7), (5, 6), (1, 31), (4, 8), (8, 4)] {
        let variant = Variant { pieces: Some(2), ..Variant::standard(rows, cols) };
        let (rules, findings) = (self::rules(&variant), census(&variant.solve()));
        assert_eq!(count(&rules), findings, "{variant:?}");
        assert_eq!(explored(&rules), findings, "{variant:?}, explorer");
    }
}

#[test]
fn playouts_played_one_by_one_are_as_many() {
    for board in Variant::boards(1..=9) {
        for variant in board.variations() {
            let played = variant.playouts_one_by_one().into_iter();
            let played: Playouts = played.map(|(s, n)| (s, n.into())).collect();
            let rules = rules(&variant);
            assert_eq!(playouts_explored(&rules), played, "{variant:?}, explorer");
            assert_eq!(by_closed_form(&rules), played, "{variant:?}, closed form");
            let counted = by_territory(&rules);
            assert_eq!(counted, takes_territory(&variant).then_some(played), "{variant:?}");
        }
    }
}

/// Whether the territory method supports the rules, because a limit on pieces cannot be reached.
fn takes_territory(variant: &Variant) -> bool {
    variant.pieces.is_none_or(|limit| limit >= variant.size())
}

/// Compares the test of reachability for all pairs of sets of cells and either player to move.
#[test]
fn positions_are_accepted_exactly_where_play_reaches_them() {
    for board in Variant::boards(1..=9) {
        for variant in board.variations() {
            assert_reach_agrees(&variant);
        }
    }
}

fn assert_reach_agrees(variant: &Variant) {
    let rules = rules(variant);
    let mut reached = HashMap::new();
    for situation in variant.reachable() {
        let sets = [FIRST, SECOND].map(|owner| cells_owned(&situation, owner));
        let known = reached.insert((sets, situation.mover()), situation.turn);
        assert!(known.is_none(), "{variant:?}: two turn numbers for {situation:?}");
    }
    let sets = 0..=rules.board.all();
    for pieces in sets.clone().flat_map(|first| sets.clone().map(move |second| [first, second])) {
        for (owner, player) in [(FIRST, Player::First), (SECOND, Player::Second)] {
            let [first, second] = pieces;
            let found = rules.position(first, second, player);
            let turn = found.as_ref().ok().map(|position| position.turn as usize);
            let wanted = reached.get(&(pieces, owner)).copied();
            assert_eq!(turn, wanted, "{variant:?}: {first:b} {second:b} {player} {found:?}");
            let given = found.ok().map(|position| (position.pieces, position.to_move));
            assert_eq!(given, wanted.map(|_| (pieces, player)));
        }
    }
}

#[test]
fn wider_tallies_give_the_same_playouts_by_territory() {
    for variant in Variant::boards(1..=12).into_iter().chain([Variant::standard(4, 4)]) {
        let rules = rules(&variant);
        for width in [Width::Bits128, Width::Unbounded] {
            let wider = territory::count_at_least(&rules, width, &Monitor::default());
            assert_eq!(wider.unwrap(), by_closed_form(&rules), "{variant:?} {width:?}");
        }
    }
}

/// From every position of small boards, through every move, against brute force.
#[test]
fn playouts_below_every_position() {
    let mut compared = 0;
    for variant in Variant::boards(1..=9).into_iter().chain([Variant::standard(2, 5)]) {
        let (rules, findings) = (rules(&variant), variant.solve());
        let mut seen = HashSet::from([rules.start()]);
        let mut left = vec![rules.start()];
        while let Some(position) = left.pop() {
            let found = territory::playouts_by_move(&rules, &position, &Monitor::default());
            let found = found.unwrap();
            let moves: Vec<Move> = found.iter().map(|(mv, _)| *mv).collect();
            assert_eq!(moves, rules.moves(&position), "{variant:?} {position:?}");
            for (mv, playouts) in found {
                let next = rules.play(&position, mv);
                let wanted = &findings.of(&situation(&rules, &next)).playouts;
                let wanted: Playouts =
                    wanted.iter().map(|(score, count)| (*score, (*count).into())).collect();
                assert_eq!(playouts, wanted, "{variant:?} {position:?} {mv:?}");
                compared += 1;
                if seen.insert(next) {
                    left.push(next);
                }
            }
        }
    }
    assert!(compared > 10_000, "{compared}");
}

#[test]
fn playouts_by_territory_keep_to_their_memory() {
    for (bytes, fits) in [(0, false), (1 << 10, false), (1 << 18, false), (1 << 24, true)] {
        let rules = rules(&Variant::standard(4, 5));
        let monitor = Monitor::default().within(Some(bytes));
        match territory::playouts_by_score(&rules, &monitor) {
            Err(TerritoryCountError::Solve(SolveError::OverLimit { bytes: limit, .. }))
                if !fits =>
            {
                assert_eq!(limit, bytes);
            }
            counted => assert_eq!(counted, Ok(by_closed_form(&rules))),
        }
    }
}

/// The values of all states, in an order that does not depend on threads.
fn values(solved: &Solved) -> Vec<(u64, i32)> {
    let mut values: Vec<_> = solved.iter().collect();
    values.sort_unstable();
    values
}

#[test]
fn any_number_of_threads_gives_the_same() {
    for variant in [Variant::standard(4, 4), Variant::standard(4, 5)] {
        let game = game(&variant);
        let with_threads = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let solved = solve(&game);
                let rules = game.rules();
                let censuses = (count(rules), explored(rules));
                (solved.value(), solved.positions(), values(&solved), censuses)
            })
        };
        let alone = with_threads(1);
        for threads in [2, 3] {
            assert!(with_threads(threads) == alone, "{variant:?} with {threads} threads");
        }
    }
}

#[test]
fn every_kernel_gives_the_same() {
    let boards = [(1, 7), (3, 3), (5, 2), (3, 5), (4, 4), (4, 5)];
    for (rows, cols) in boards {
        let rules = rules(&Variant::standard(rows, cols));
        let with_kernel = |kernel| {
            let game = BritishSquare::with_kernel(rules.clone(), kernel).unwrap();
            let solved = solve(&game);
            (solved.value(), solved.positions(), values(&solved))
        };
        let plain = with_kernel(Kernel::Plain);
        for kernel in Kernel::available() {
            assert!(with_kernel(kernel) == plain, "{rows}x{cols} with {kernel:?}");
        }
    }
}

#[test]
fn the_table_has_room_for_every_state() {
    for variant in Variant::boards(1..=20) {
        let game = game(&variant);
        let states = sets::count_states(game.rules(), &Monitor::default()).unwrap().states();
        assert!(states_at_most(&game.rules().board) >= states, "{variant:?}");
        let solved = solve(&game);
        assert_eq!(u128::from(solved.positions()), states, "{variant:?}");
        assert!(solved.slots() as u128 > states, "{variant:?}");
    }
}

#[test]
fn a_job_stops_when_asked() {
    let stop = std::sync::atomic::AtomicBool::new(true);
    let monitor = Monitor { stop: Some(&stop), ..Monitor::default() };
    let game = game(&Variant::standard(4, 4));
    let counted = explorer::census(game.rules(), Limits::default(), &monitor);
    assert_eq!(counted.err(), Some(ExploreError::Solve(SolveError::Stopped)));
    let counted = sets::count_states(game.rules(), &monitor);
    assert_eq!(counted.err(), Some(SolveError::Stopped));
    let counted = closed_form::playouts_by_score(game.rules(), &monitor);
    assert_eq!(counted.err(), Some(SolveError::Stopped));
    let counted = territory::playouts_by_score(game.rules(), &monitor);
    assert_eq!(counted.err(), Some(TerritoryCountError::Solve(SolveError::Stopped)));
    assert_eq!(strong::solve(&game, &game.root(), &monitor).err(), Some(SolveError::Stopped));
}

mod golden {
    use super::*;
    use std::path::PathBuf;

    fn path(name: &str) -> PathBuf {
        [env!("CARGO_MANIFEST_DIR"), "..", "tests", "golden", name].iter().collect()
    }

    fn records(name: &str) -> Vec<HashMap<String, String>> {
        let mut reader = csv::Reader::from_path(path(name)).unwrap();
        reader.deserialize().map(Result::unwrap).collect()
    }

    /// Parses the rules of a golden file: a board, then variants.
    fn named_rules(name: &str) -> Rules {
        let mut words = name.split(' ');
        let board = Board::parse(words.next().unwrap()).unwrap();
        let mut rules = Rules { board, center_allowed: false, bias: 0, pieces: None };
        for word in words {
            match word.split_once('=') {
                None if word == "center-allowed" => rules.center_allowed = true,
                Some(("bias", points)) => rules.bias = points.parse().unwrap(),
                _ => panic!("'{word}' is not a variant"),
            }
        }
        rules
    }

    /// Playouts and terminal states with a score above, below, or at zero.
    fn split(census: &Census, sign: i32) -> (BigUint, u128) {
        let wanted = census.scores.iter().filter(|(score, _)| score.signum() == sign);
        wanted.fold((BigUint::default(), 0), |(playouts, terminals), (_, outcome)| {
            (playouts + &outcome.playouts, terminals + outcome.terminals)
        })
    }

    /// The quantities of a golden file, computed by the fast methods.
    fn found(rules: &Rules) -> HashMap<&'static str, String> {
        let game = BritishSquare::new(rules.clone()).unwrap();
        let (census, solved) = (count(rules), solve(&game));
        assert_eq!(census.states(), solved.positions().into());
        let [first, second, ties] = [1, -1, 0].map(|sign| split(&census, sign));
        HashMap::from([
            ("playouts", census.playouts().to_string()),
            ("first wins", first.0.to_string()),
            ("second wins", second.0.to_string()),
            ("ties", ties.0.to_string()),
            ("states", census.states().to_string()),
            ("terminals", census.terminals().to_string()),
            ("terminals first", first.1.to_string()),
            ("terminals second", second.1.to_string()),
            ("terminals ties", ties.1.to_string()),
            ("first turn", rules.start().turn.to_string()),
            ("last turn", census.levels.len().to_string()),
            ("lowest score", census.scores.keys().next().unwrap().to_string()),
            ("highest score", census.scores.keys().last().unwrap().to_string()),
            ("value", (solved.value() - rules.bias).to_string()),
        ])
    }

    /// Compares the published figures of the standard game and of a bias of two.
    #[test]
    fn published_figures() {
        let records = records("british_square.csv");
        let mut names: Vec<&String> = records.iter().map(|record| &record["rules"]).collect();
        names.dedup();
        for name in names {
            let found = found(&named_rules(name));
            for record in records.iter().filter(|record| record["rules"] == *name) {
                let quantity = record["quantity"].as_str();
                assert_eq!(found[quantity], record["number"], "{quantity} of {name}");
            }
        }
    }

    /// The value of each first move, row by row; `-` where it is not allowed.
    fn opening_map(rules: &Rules) -> String {
        let game = BritishSquare::new(rules.clone()).unwrap();
        let solved = solve(&game);
        let legal = rules.moves(&rules.start());
        let symbol = |cell: usize| {
            let mv = Move::Place(cell);
            let after = rules.play(&rules.start(), mv);
            match solved.get(game.key(&game.node(&after))) {
                Some(value) if legal.contains(&mv) => value.to_string(),
                _ => "-".to_string(),
            }
        };
        let (rows, cols) = (rules.board.rows(), rules.board.cols());
        let row = |r: usize| (r * cols..(r + 1) * cols).map(symbol).collect::<String>();
        (0..rows).map(row).collect::<Vec<_>>().join("/")
    }

    #[test]
    fn published_opening_maps() {
        for record in records("openings.csv") {
            let rules = &record["rules"];
            assert_eq!(opening_map(&named_rules(rules)), record["map"], "{rules}");
        }
    }

    /// Compares each number by all methods that the golden file lists for it, under the names that
    /// they had when it was computed.
    fn assert_larger_boards(is_wanted: impl Fn(&str) -> bool) {
        for record in records("playouts.csv").iter().filter(|record| is_wanted(&record["rules"])) {
            let rules = named_rules(&record["rules"]);
            for method in record["routes"].split(", ") {
                let playouts = match method {
                    "orders" => by_closed_form(&rules),
                    // Slow, see the ignored tests.
                    "enumeration" => continue,
                    // A method of version 0.2.0. On smaller boards, the explorer replaces it.
                    "levels" if rules.board.cells() > 21 => continue,
                    "levels" => playouts_explored(&rules),
                    "territory" => by_territory(&rules).unwrap(),
                    _ => panic!("'{method}' is not a method"),
                };
                let sum = |is_counted: &dyn Fn(i32) -> bool| -> String {
                    let counted = playouts.iter().filter(|(score, _)| is_counted(**score));
                    counted.map(|(_, playouts)| playouts).sum::<BigUint>().to_string()
                };
                let case = format!("{} by {method}", record["rules"]);
                assert_eq!(sum(&|_| true), record["playouts"], "{case}");
                assert_eq!(sum(&|score| score > 0), record["first wins"], "{case}");
                assert_eq!(sum(&|score| score < 0), record["second wins"], "{case}");
                assert_eq!(sum(&|score| score == 0), record["ties"], "{case}");
            }
        }
    }

    /// Boards whose counts take long.
    const LARGEST: [&str; 3] = ["7x7 center-allowed", "7x8", "8x8"];

    #[test]
    fn playouts_of_larger_boards() {
        assert_larger_boards(|rules| !LARGEST.contains(&rules));
    }

    #[test]
    #[ignore = "a GiB of memory, and half a minute: cargo test --release -p bsq-games --test oracles -- --ignored"]
    fn playouts_of_the_largest_boards() {
        assert_larger_boards(|rules| LARGEST.contains(&rules));
    }

    const SMALL_BOARDS: &str = "small_boards.csv";
    const SMALL_BOARDS_COLUMNS: [&str; 9] = [
        "rules",
        "value",
        "states",
        "terminals",
        "playouts",
        "first wins",
        "second wins",
        "ties",
        "source",
    ];

    fn small_boards() -> Vec<Variant> {
        let alike = |variant: &Variant| variant.pieces.is_none();
        Variant::boards(1..=9).into_iter().flat_map(Variant::variations).filter(alike).collect()
    }

    fn name(variant: &Variant) -> String {
        let center = if variant.center_allowed { " center-allowed" } else { "" };
        format!("{}x{}{center}", variant.rows, variant.cols)
    }

    fn brute_force_record(variant: &Variant) -> [String; 9] {
        let findings = variant.solve();
        let states = findings.states();
        let playouts = variant.playouts_one_by_one();
        let won_by = |sign: i32| -> u128 {
            playouts.iter().filter(|(score, _)| score.signum() == sign).map(|(_, n)| n).sum()
        };
        [
            name(variant),
            findings.root().value.to_string(),
            states.len().to_string(),
            states.values().filter(|truth| truth.over).count().to_string(),
            playouts.values().sum::<u128>().to_string(),
            won_by(1).to_string(),
            won_by(-1).to_string(),
            won_by(0).to_string(),
            "first computed here, by brute force; not found in OEIS or elsewhere".to_string(),
        ]
    }

    /// A mismatch shows the expected content of the file.
    #[test]
    fn small_boards_recomputed_by_brute_force() {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(SMALL_BOARDS_COLUMNS).unwrap();
        for variant in small_boards() {
            writer.write_record(brute_force_record(&variant)).unwrap();
        }
        let computed = String::from_utf8(writer.into_inner().unwrap()).unwrap();
        let kept = std::fs::read_to_string(path(SMALL_BOARDS)).unwrap_or_default();
        let kept = kept.replace("\r\n", "\n");
        assert!(computed == kept, "{SMALL_BOARDS} should be\n{computed}");
    }

    #[test]
    fn small_boards_by_the_fast_passes() {
        let records = records(SMALL_BOARDS);
        assert_eq!(records.len(), small_boards().len());
        for record in records {
            let found = found(&named_rules(&record["rules"]));
            for column in &SMALL_BOARDS_COLUMNS[1..8] {
                assert_eq!(found[column], record[*column], "{column} of {}", record["rules"]);
            }
        }
    }
}

/// Compares totals of the standard game and of small games with those of other methods.
mod second_routes {
    use super::*;

    /// Compares all boards of up to 20 cells.
    #[test]
    fn every_method_finds_the_same_playouts() {
        let sizes = Variant::boards(1..=20).into_iter().flat_map(Variant::variations);
        let many = (5..=21).map(|n| Variant { pieces: Some(n), ..Variant::standard(3, 7) });
        for variant in sizes.chain(many) {
            let rules = rules(&variant);
            let counted = by_closed_form(&rules);
            if variant.size() <= 18 {
                assert_eq!(playouts_explored(&rules), counted, "{variant:?}, explorer");
            }
            if variant.rows <= variant.cols || variant.size() <= 12 {
                let wanted = takes_territory(&variant).then_some(counted);
                assert_eq!(by_territory(&rules), wanted, "{variant:?}, territory");
            }
        }
    }

    fn assert_orders_agree(variant: &Variant) -> BTreeMap<i32, orders::Ends> {
        let ends = orders::count(variant);
        let by_orders: BTreeMap<i32, (BigUint, u128)> = ends
            .iter()
            .map(|(&score, e)| (score, (e.playouts.into(), e.terminals.into())))
            .collect();
        let counted: BTreeMap<i32, (BigUint, u128)> = count(&rules(variant))
            .scores
            .into_iter()
            .map(|(score, count)| (score, (count.playouts, count.terminals)))
            .collect();
        assert_eq!(by_orders, counted, "{variant:?}");
        ends
    }

    #[test]
    fn orders_of_placement_on_small_boards() {
        for board in Variant::boards(1..=16).into_iter().chain([Variant::standard(4, 5)]) {
            for center_allowed in [false, true] {
                if board.size() > 1 || center_allowed {
                    assert_orders_agree(&Variant { center_allowed, ..board });
                }
            }
        }
    }

    /// Takes some minutes and some GiB of memory.
    #[test]
    #[ignore = "large: cargo test --release -p bsq-games --test oracles -- --ignored"]
    fn orders_of_placement_on_boards_beyond_the_search() {
        for (rows, cols) in [(3, 9), (4, 7), (5, 6)] {
            let variant = Variant::standard(rows, cols);
            assert_orders_agree(&variant);
        }
    }

    #[test]
    fn orders_of_placement_on_5x5() {
        let ends = assert_orders_agree(&Variant::standard(5, 5));
        let sum = |sign: i32| -> u128 {
            let wanted = ends.iter().filter(|(score, _)| score.signum() == sign);
            wanted.map(|(_, ends)| ends.playouts).sum()
        };
        assert_eq!(sum(1), 2_179_847_574_830_592);
        assert_eq!(sum(-1), 1_174_071_341_606_400);
        assert_eq!(sum(0), 879_870_726_489_600);
        assert_eq!(sum(1) + sum(-1) + sum(0), 4_233_789_642_926_592);
        assert_eq!(ends.values().map(|ends| ends.terminals).sum::<u64>(), 6955);
        assert_orders_agree(&Variant { center_allowed: true, ..Variant::standard(5, 5) });
    }

    /// Takes half a gigabyte of memory.
    #[test]
    fn every_method_finds_the_same_numbers_on_5x5() {
        let rules = rules(&Variant::standard(5, 5));
        let census = explored(&rules);
        assert_eq!(census.playouts(), 4_233_789_642_926_592_u64.into());
        assert_eq!(count(&rules), census);
        let playouts = census.scores.into_iter().map(|(score, count)| (score, count.playouts));
        assert_eq!(by_territory(&rules), Some(playouts.collect()));
    }

    /// Takes some minutes.
    #[test]
    #[ignore = "slow: cargo test --release -p bsq-games --test oracles -- --ignored"]
    fn the_explorer_finds_the_same_numbers_on_other_boards() {
        let variants = [
            Variant { center_allowed: true, ..Variant::standard(5, 5) },
            Variant { pieces: Some(8), ..Variant::standard(5, 5) },
            Variant::standard(4, 6),
        ];
        for variant in variants {
            let rules = rules(&variant);
            assert_eq!(count(&rules), explored(&rules), "{variant:?}");
        }
    }

    #[test]
    fn plain_minimax_on_5x5() {
        assert_eq!(plain::minimax(), plain::Minimax { value: 2, states: 8_659_987 });
    }

    #[test]
    fn plain_tally_on_5x5() {
        let published = plain::Tally {
            playouts: 4_233_789_642_926_592,
            first_wins: 2_179_847_574_830_592,
            second_wins: 1_174_071_341_606_400,
            ties: 879_870_726_489_600,
            states: 8_659_987,
            terminals: 6955,
        };
        assert_eq!(plain::tally(), published);
    }
}
