//! Compares the analyses of any game with published numbers, with the methods of the games
//! themselves, and with plain recursion.

use bsq_analyses::{Cell, Table, any};
use bsq_engine::error::{HasKind, Kind};
use bsq_engine::explore::{Exploration, Limits, Merging, explore};
use bsq_engine::game::{Game, Player, Value};
use bsq_engine::monitor::Monitor;
use bsq_games::{british_square, dots, mnk, rpsw};
use num_bigint::BigInt;
use std::collections::{BTreeMap, HashSet};

fn explored<G: Game>(game: G) -> Exploration<G> {
    explore(game, Limits::default(), &Monitor::default()).unwrap()
}

/// The sum of a column of integers.
fn sum(table: &Table, column: &str) -> BigInt {
    cells(table, column).map(integer).sum()
}

fn cells<'a>(table: &'a Table, column: &str) -> impl Iterator<Item = &'a Cell> {
    let at = table.columns.iter().position(|found| found.name == column).unwrap();
    table.rows.iter().map(move |row| &row[at])
}

fn integer(cell: &Cell) -> BigInt {
    match cell {
        Cell::Integer(value) => value.clone(),
        other => panic!("{other:?} is not an integer"),
    }
}

/// The numbers of `tests/golden/mnk.csv`.
#[test]
fn tic_tac_toe_has_the_published_numbers() {
    let monitor = Monitor::default();
    let explored = explored(mnk::Rules::tic_tac_toe());
    let positions = any::positions::table(&explored);
    let sums = ["positions", "canonical", "terminal", "first", "second", "equal"];
    let sums = sums.map(|column| sum(&positions, column));
    assert_eq!(sums, [5478, 765, 138, 91, 44, 3].map(BigInt::from));
    let playouts = any::playouts::table(&explored, &monitor).unwrap();
    let by_outcome: Vec<_> =
        cells(&playouts, "outcome").zip(cells(&playouts, "playouts")).collect();
    let wanted: [(Cell, Cell); 3] = [
        ("first".into(), 131_184u32.into()),
        ("tie".into(), 46_080u32.into()),
        ("second".into(), 77_904u32.into()),
    ];
    assert_eq!(by_outcome, wanted.each_ref().map(|(outcome, count)| (outcome, count)));

    let solution = explored.solve(&monitor).unwrap();
    let openings = any::openings::table(&solution);
    assert_eq!(openings.rows.len(), 9);
    assert!(cells(&openings, "outcome").all(|outcome| *outcome == "tie".into()));
    let depths = any::depths::table(&solution, &monitor).unwrap();
    assert_eq!(sum(&depths, "canonical"), 765.into());
    // Of the terminal positions up to symmetry, 91 and 44 are won.
    let won: Vec<_> =
        depths.rows.iter().filter(|row| row[0] != "tie".into() && row[1] == 0u32.into()).collect();
    assert_eq!(won.iter().map(|row| integer(&row[3])).collect::<Vec<_>>(), [91.into(), 44.into()]);
}

/// The positions in which the player to move has exactly one winning move, by plain recursion.
#[test]
fn only_moves_are_those_of_plain_recursion() {
    fn value(game: &mnk::Rules, position: &mnk::Position) -> i32 {
        let moves = game.moves(position).into_iter();
        let sign = game.to_move(position).sign();
        let after = moves.map(|mv| sign * value(game, &game.play(position, mv)));
        after.max().map_or(game.score(position), |best| sign * best)
    }
    let game = mnk::Rules::tic_tac_toe();
    let solution = explored(game.clone()).solve(&Monitor::default()).unwrap();
    let table = any::only_moves::table(&solution, &Monitor::default()).unwrap();
    let mut level = HashSet::from([game.start()]);
    for (won, only) in cells(&table, "won").zip(cells(&table, "only")) {
        let winning = |position: &mnk::Position| {
            let sign = game.to_move(position).sign();
            let moves = game.moves(position).into_iter();
            moves.filter(|&mv| value(&game, &game.play(position, mv)) == sign).count()
        };
        let counts: Vec<usize> = level.iter().map(winning).collect();
        let of = |wanted: fn(usize) -> bool| counts.iter().filter(|&&n| wanted(n)).count();
        assert_eq!((won, only), (&of(|n| n > 0).into(), &of(|n| n == 1).into()));
        let next = |position: &mnk::Position| {
            let position = *position;
            game.moves(&position).into_iter().map(|mv| game.play(&position, mv)).collect::<Vec<_>>()
        };
        level = level.iter().flat_map(next).collect();
    }
    assert!(sum(&table, "only") > 0.into());
}

fn british_square(rows: usize, cols: usize, bias: i32) -> british_square::Rules {
    british_square::Rules { bias, ..british_square::Rules::standard(rows, cols).unwrap() }
}

/// The main table of an analysis of British Square.
fn own(name: &str, rules: &british_square::Rules) -> Table {
    crate::run(name, rules.clone()).swap_remove(0)
}

#[test]
fn the_methods_of_british_square_agree() {
    let monitor = Monitor::default();
    for rules in [british_square(3, 4, 0), british_square(4, 4, 2), british_square(1, 7, -1)] {
        let explored = explored(rules.clone());
        let (playouts, positions) =
            (any::playouts::table(&explored, &monitor).unwrap(), any::positions::table(&explored));
        let scores = own("scores", &rules);
        // The other table begins with the lowest score.
        let mut by_score: Vec<_> =
            cells(&playouts, "score").zip(cells(&playouts, "playouts")).collect();
        by_score.sort_by_key(|(score, _)| integer(score));
        let wanted = cells(&scores, "score").zip(cells(&scores, "playouts"));
        let mut wanted: Vec<_> = wanted.collect();
        wanted.sort_by_key(|(score, _)| integer(score));
        assert_eq!(by_score, wanted);

        let states = own("states", &rules);
        let by_turn: Vec<_> = cells(&states, "states").take(positions.rows.len()).collect();
        assert_eq!(cells(&positions, "canonical").collect::<Vec<_>>(), by_turn);
        let total = states.total.as_deref().unwrap();
        assert_eq!(sum(&positions, "canonical"), sum(&states, "states"));
        assert_eq!(sum(&states, "states"), sum(total, "states"));

        let solution = explored.solve(&monitor).unwrap();
        let (found, wanted) = (any::openings::table(&solution), own("openings", &rules));
        let score_of = |cell: &Cell| {
            let Cell::Text(name) = cell else { panic!("{cell:?}") };
            let named = |row: &&Vec<Cell>| {
                let Cell::Text(coordinate) = &row[1] else { panic!("{row:?}") };
                *name == format!("{} ({coordinate})", integer(&row[0]))
            };
            let row = wanted.rows.iter().find(named).unwrap();
            (row[2].clone(), row[4].clone())
        };
        for row in &found.rows {
            assert_eq!((row[2].clone(), row[3].clone()), score_of(&row[0]));
        }
        assert_eq!(found.rows.len(), wanted.rows.len());
    }
}

/// The number of sequences of moves by plain recursion.
fn sequences<G: Game>(game: &G, position: &G::Position, depth: usize) -> u64 {
    if depth == 0 {
        1
    } else {
        let moves = game.moves(position).into_iter();
        moves.map(|mv| sequences(game, &game.play(position, mv), depth - 1)).sum()
    }
}

#[test]
fn perft_is_that_of_plain_recursion() {
    fn check<G: Game>(game: &G, most: usize) {
        // From the start, and below moves after which no symmetry need remain.
        let mut start = game.start();
        for _ in 0..3 {
            let (limits, monitor) = (Limits::default(), Monitor::default());
            let table = any::perft::table(game, &start, most, limits, &monitor).unwrap();
            // The table ends with the longest sequences.
            let wanted = (0..=most).map(|depth| sequences(game, &start, depth));
            let wanted = wanted.filter(|&sequences| sequences > 0).map(Cell::from);
            assert!(cells(&table, "sequences").eq(&wanted.collect::<Vec<_>>()));
            let moves = game.moves(&start);
            start = game.play(&start, moves[moves.len() / 3].clone());
        }
    }
    check(&mnk::Rules::new(3, 4, 3).unwrap(), 5);
    check(&british_square(3, 3, 0), 9);
    check(&dots::Rules::standard(dots::Board::new(2, 2).unwrap()), 5);
    check(&rpsw::Rules::standard(), 5);
}

#[test]
fn playouts_of_dots_and_boxes_are_those_of_plain_recursion() {
    fn by_score(game: &dots::Rules, position: &dots::Position, found: &mut BTreeMap<i32, u64>) {
        if let Some(value) = game.result(position) {
            *found.entry(-value.points().unwrap()).or_default() += 1;
        }
        for mv in game.moves(position) {
            by_score(game, &game.play(position, mv), found);
        }
    }
    let game = dots::Rules {
        penalty: (-1).into(),
        ..dots::Rules::standard(dots::Board::new(1, 2).unwrap())
    };
    let mut wanted = BTreeMap::new();
    by_score(&game, &game.start(), &mut wanted);
    let table = any::playouts::table(&explored(game), &Monitor::default()).unwrap();
    let found: Vec<_> = cells(&table, "playouts").map(integer).collect();
    assert_eq!(found, wanted.into_values().map(BigInt::from).collect::<Vec<_>>());
    assert_eq!(sum(&table, "playouts"), (2..=7u32).map(BigInt::from).product());
}

#[test]
fn endless_games_have_no_number_of_playouts() {
    let rules = rpsw::Rules::standard().on_board(3, 4).unwrap().with_pieces(2).unwrap();
    let explored = explored(rules);
    let error = any::playouts::table(&explored, &Monitor::default()).unwrap_err();
    assert_eq!(error.kind(), Kind::Usage);
    assert_eq!(error.to_string(), "positions can repeat, so the number of playouts is infinite");
    let solution = explored.solve(&Monitor::default()).unwrap();
    let table = any::depths::table(&solution, &Monitor::default()).unwrap();
    let counted: u64 = solution.count().positions;
    assert_eq!(sum(&table, "positions"), counted.into());
    let by_winner = solution.count_by(&Monitor::default(), |_, position| {
        solution.value(position).and_then(|value: Value| value.winner())
    });
    let by_winner = by_winner.unwrap();
    for player in Player::BOTH {
        let won = table.rows.iter().filter(|row| row[0] == player.name().into());
        let won: BigInt = won.map(|row| integer(&row[3])).sum();
        assert_eq!(won, by_winner[&player].canonical.into());
    }
}

/// The mirror image of the start is another position.
#[test]
fn positions_of_rock_paper_scissors_well_are_those_without_symmetry() {
    let rules = rpsw::Rules::standard().on_board(3, 4).unwrap().with_pieces(2).unwrap();
    let apart = Limits { merging: Merging::Nothing, ..Limits::default() };
    let apart = explore(rules.clone(), apart, &Monitor::default()).unwrap();
    let found = any::positions::table(&explored(rules));
    assert!(cells(&found, "positions").eq(cells(&any::positions::table(&apart), "positions")));
}

/// The table of an analysis of tic-tac-toe or Dots-and-Boxes, from a position on.
fn answered<G: bsq_engine::record::Recorded + Send + Sync + 'static>(
    rules: &G,
    analysis: &str,
    given: &[(&str, &str)],
) -> Table {
    let analyses = any::analyses("game", rules);
    let analysis = analyses.iter().find(|one| one.name() == analysis).unwrap();
    let job = analysis.prepare(given, None).unwrap_or_else(|error| panic!("{given:?}: {error}"));
    job.run(&Monitor::default()).unwrap().remove(0)
}

/// The playouts after each first move are together all playouts, and the positions are those of plain
/// play.
#[test]
fn analyses_begin_at_any_position() {
    fn compare<G: bsq_engine::record::Recorded + Send + Sync + 'static>(rules: &G) {
        let start = rules.start();
        let all = sum(&answered(rules, "playouts", &[]), "playouts");
        let mut after = BigInt::from(0);
        for mv in rules.moves(&start) {
            let text = rules.record_move(&start, mv.clone());
            let moves = [("moves", text.as_str())];
            after += sum(&answered(rules, "playouts", &moves), "playouts");
            let next = rules.play(&start, mv);
            let mut seen = HashSet::from([rules.reduced(&next)]);
            let mut left = vec![next.clone()];
            while let Some(position) = left.pop() {
                for mv in rules.moves(&position) {
                    let after = rules.play(&position, mv);
                    if seen.insert(rules.reduced(&after)) {
                        left.push(after);
                    }
                }
            }
            let found = answered(rules, "positions", &moves);
            assert_eq!(sum(&found, "positions"), seen.len().into(), "{text}");
            assert_eq!(answered(rules, "openings", &moves).rows.len(), rules.moves(&next).len());
            let position = rules.format_position(&next);
            let from = [("position", position.as_str())];
            for analysis in ["positions", "playouts", "depths", "only-moves"] {
                let [one, other] =
                    [&moves, &from].map(|given| answered(rules, analysis, &given[..]));
                assert_eq!(one, other, "{analysis} after {text}");
            }
        }
        assert_eq!(after, all);
    }
    compare(&mnk::Rules::tic_tac_toe());
    compare(&british_square::Rules::standard(3, 3).unwrap());
    compare(&dots::Rules::standard(dots::Board::new(1, 2).unwrap()));
    // A position may contain its board.
    let rules = dots::Rules::standard(dots::Board::new(2, 2).unwrap());
    let small = answered(&rules, "positions", &[("position", "-./|A|../-. A")]);
    assert_eq!(sum(&small, "positions"), 8.into()); // three lines are left
}
