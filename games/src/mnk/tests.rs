use super::{Error, NAME, Position, Rules};
use bsq_engine::evaluate::{Detail, Evaluator};
use bsq_engine::explore::{Limits, OnDemand, explore, explore_from};
use bsq_engine::game::{Game, Notation, Player, Value};
use bsq_engine::monitor::Monitor;
use bsq_engine::view::View;
use num_bigint::BigUint;
use std::collections::{HashMap, HashSet};

/// The playouts of each score from a position, by plain recursion over the rules.
type Playouts = [u64; 3];

fn playouts(
    rules: &Rules,
    position: &Position,
    known: &mut HashMap<Position, (Playouts, i32)>,
) -> (Playouts, i32) {
    if let Some(&found) = known.get(position) {
        return found;
    }
    let after: Vec<(Playouts, i32)> = rules
        .moves(position)
        .into_iter()
        .map(|mv| playouts(rules, &rules.play(position, mv), known))
        .collect();
    let scores = after.iter().map(|(_, score)| *score);
    let found = match rules.to_move(position) {
        _ if after.is_empty() => {
            let score = rules.score(position);
            let mut playouts = [0; 3];
            playouts[(1 - score) as usize] = 1;
            (playouts, score)
        }
        player => {
            let sums = std::array::from_fn(|i| after.iter().map(|(playouts, _)| playouts[i]).sum());
            let best = match player {
                Player::First => scores.max(),
                Player::Second => scores.min(),
            };
            (sums, best.expect("a move"))
        }
    };
    known.insert(*position, found);
    found
}

/// The rows of the golden file.
fn rows() -> impl Iterator<Item = Vec<&'static str>> {
    include_str!("../../../tests/golden/mnk.csv").lines().map(|row| row.split(',').collect())
}

/// A row of the golden file: positions, positions up to symmetry, terminal positions up to
/// symmetry, playouts won by the first player, won by the second and drawn, and the value.
fn golden(game: &str) -> [i64; 7] {
    let row = rows().find(|row| row[0] == game).unwrap_or_else(|| panic!("{game} in the file"));
    std::array::from_fn(|i| row[i + 1].parse().unwrap())
}

/// Compares recursion and the explorer with the golden numbers, and the values of all positions.
fn check(rows: usize, cols: usize, k: usize) {
    let rules = Rules::new(rows, cols, k).unwrap();
    let [all, classes, ends, first, second, draws, value] = golden(&format!("{rows}x{cols} {k}"));

    let mut known = HashMap::new();
    let (by_score, score) = playouts(&rules, &rules.start(), &mut known);
    assert_eq!(by_score.map(|playouts| playouts as i64), [first, draws, second]);
    assert_eq!((known.len() as i64, i64::from(score)), (all, value));
    let canonical: HashSet<Position> = known.keys().map(|p| rules.canonical(p)).collect();
    assert_eq!(canonical.len() as i64, classes);
    let is_end = |position: &&Position| rules.result(position).is_some();
    assert_eq!(canonical.iter().filter(is_end).count() as i64, ends);

    let monitor = Monitor::default();
    let explored = explore(rules.clone(), Limits::default(), &monitor).unwrap();
    let terminals = explored.terminals();
    let terminals: u64 = terminals.iter().map(|(_, count)| count.canonical).sum();
    assert_eq!((explored.count().canonical as i64, terminals as i64), (classes, ends));
    let by_result = explored.playouts(&monitor).unwrap().by_result;
    for (winner, playouts) in
        [(Some(Player::First), first), (Some(Player::Second), second), (None, draws)]
    {
        let found = by_result.iter().filter(|(result, _)| result.unwrap().winner() == winner);
        let found: BigUint = found.map(|(_, count)| count).sum();
        assert_eq!(found, (playouts as u64).into(), "{winner:?}");
    }

    let solution = explored.solve(&monitor).unwrap();
    for (position, (_, score)) in &known {
        let found = solution.value(position).unwrap().winner().map_or(0, Player::sign);
        assert_eq!(found, *score, "{}", rules.format_position(position));
    }
}

#[test]
fn two_methods_agree_on_tic_tac_toe() {
    check(3, 3, 3);
}

#[test]
fn two_methods_agree_on_other_games() {
    for (rows, cols, k) in [(1, 1, 1), (2, 2, 2), (1, 7, 3), (3, 4, 3), (4, 3, 4), (3, 4, 4)] {
        check(rows, cols, k);
    }
}

/// Also on 4x4, where plain recursion takes long.
#[test]
fn the_explorer_finds_the_golden_numbers() {
    let monitor = Monitor::default();
    for game in rows().skip(1).map(|row| row[0]) {
        let (board, k) = game.split_once(' ').unwrap();
        let (rows, cols) = board.split_once('x').unwrap();
        let [rows, cols, k] = [rows, cols, k].map(|number| number.parse().unwrap());
        let rules = Rules::new(rows, cols, k).unwrap();
        let [all, classes, ends, first, second, draws, value] = golden(game);
        let explored = explore(rules, Limits::default(), &monitor).unwrap();
        let (count, terminals) = (explored.count(), explored.terminals());
        let terminals: u64 = terminals.iter().map(|(_, count)| count.canonical).sum();
        assert_eq!((count.positions as i64, count.canonical as i64), (all, classes), "{game}");
        assert_eq!(terminals as i64, ends, "{game}");
        let by_result = explored.playouts(&monitor).unwrap().by_result;
        let of = |wanted: Option<Player>| -> BigUint {
            let found = by_result.iter().filter(|(result, _)| result.unwrap().winner() == wanted);
            found.map(|(_, count)| count).sum()
        };
        let wanted = [(Some(Player::First), first), (Some(Player::Second), second), (None, draws)];
        for (winner, playouts) in wanted {
            assert_eq!(of(winner), (playouts as u64).into(), "{game} {winner:?}");
        }
        let solution = explored.solve(&monitor).unwrap();
        let found = solution.value(solution.start()).unwrap().winner();
        assert_eq!(i64::from(found.map_or(0, Player::sign)), value, "{game}");
    }
}

#[test]
fn games_without_cells_or_rows_are_refused() {
    assert_eq!(Rules::new(0, 3, 1).unwrap_err(), Error::Board(0, 3));
    assert_eq!(Rules::new(13, 5, 3).unwrap_err(), Error::Board(13, 5));
    assert!(matches!(Rules::new(usize::MAX, 2, 1), Err(Error::Board(..))));
    for k in [0, 6] {
        assert_eq!(Rules::new(3, 5, k).unwrap_err(), Error::Row(k, 5));
    }
    assert!(Rules::new(5, 5, 5).is_ok());
}

/// All positions are parsed but those in which both players have a row, and those that play can reach
/// are told from the others.
#[test]
fn the_reachable_positions_are_known() {
    let rules = Rules::new(2, 3, 2).unwrap();
    let mut reachable = HashMap::new();
    playouts(&rules, &rules.start(), &mut reachable);
    for code in 0..3usize.pow(6) {
        let cell = |at: u32| ['.', 'X', 'O'][code / 3usize.pow(at) % 3];
        let row = |from: u32| (from..from + 3).map(cell).collect::<String>();
        let text = format!("{}/{}", row(0), row(3));
        match rules.parse_position(&text) {
            Ok(found) => {
                assert_eq!(rules.is_reachable(&found), reachable.contains_key(&found), "{text}");
            }
            Err(error) => assert_eq!(error, Error::TwoWinners(text, 2)),
        }
    }
    let texts: HashSet<String> = reachable.keys().map(|p| rules.format_position(p)).collect();
    assert_eq!(texts.len(), reachable.len());
    assert!(texts.iter().all(|text| rules.parse_position(text).is_ok()));
}

#[test]
fn errors_tell_what_is_wrong() {
    let rules = Rules::tic_tac_toe();
    let start = rules.start();
    let error = |text| rules.parse_position(text).unwrap_err().to_string();
    assert_eq!(
        error("../..."),
        "found 2 of the 3 rows of a 3x3 board; write them from the top, separated by / or blanks, as in .../.../..."
    );
    let cells = "use X (first), O (second) or . (empty), as in .../.../...";
    assert_eq!(error("..é/.../..."), format!("'é' at character 3 is not a cell; {cells}"));
    assert_eq!(
        error("X../.../... X"),
        "the second player is to move: the number of pieces is odd; leave the player out, or write O"
    );
    let why = "has no value: both players have 3 in a row";
    assert_eq!(error("XXX/OOO/..."), format!("'XXX/OOO/...' {why}"));
    assert_eq!(
        rules.parse_move(&start, "d1"),
        Err(Error::Move { text: "d1".to_string(), cells: 9, last: "c3".to_string() })
    );
    assert_eq!(rules.parse_move(&start, "3"), Ok(2));
    assert!(rules.parse_move(&start, "0").is_err());
    assert_eq!(rules.parse_move(&start, " C1 "), Ok(2));
    assert_eq!(NAME, "mnk");
}

/// Long boards are drawn in at most 52 columns, with numbers of two digits in line.
#[test]
fn drawings_of_long_boards_are_aligned() {
    let wide = Rules::new(1, 25, 3).unwrap();
    let position = wide.play(&wide.start(), 24);
    let letters = "  a b c d e f g h i j k l m n o p q r s t u v w x y\n";
    assert_eq!(wide.drawing(&position, &|_| None), format!("{letters}1{} X\n", " .".repeat(24)));
    assert_eq!(wide.format_move(&wide.start(), 24), "y1");

    let tall = Rules::new(25, 1, 3).unwrap();
    let drawing = tall.drawing(&tall.play(&tall.start(), 24), &|_| None);
    let lines: Vec<&str> = drawing.lines().collect();
    assert_eq!((lines.len(), lines[0], lines[1]), (26, "   a", " 1 ."));
    assert_eq!((lines[9], lines[10], lines[25]), (" 9 .", "10 .", "25 X"));
}

/// After a corner move the symmetries of the board are no symmetries of the game any more.
#[test]
fn counts_after_a_corner_move_are_those_of_plain_recursion() {
    let rules = Rules::tic_tac_toe();
    let start = rules.play(&rules.start(), 0);
    let mut known = HashMap::new();
    playouts(&rules, &start, &mut known);
    let explored = explore_from(rules, &start, Limits::default(), &Monitor::default()).unwrap();
    assert_eq!(explored.count().positions, known.len() as u64);
    assert_eq!(explored.plies()[0].all.positions, 1);
}

/// Positions that play does not reach have the value that the rules give them, and are marked.
#[test]
fn positions_that_play_does_not_reach() {
    let rules = Rules::tic_tac_toe();
    let reached = |text: &str| rules.is_reachable(&rules.parse_position(text).unwrap());
    assert!([".../.../...", ".X./.../...", "XXX/OO./..."].into_iter().all(reached));
    // The second player has moved more often, or the game was over before the last move.
    for text in ["OO./.X./...", "O../.../...", "XXX/OO./O..", "XXX/.../..."] {
        assert!(!reached(text), "{text}");
    }
    let position = rules.parse_position("OO./.X./...").unwrap();
    assert_eq!(rules.to_move(&position), Player::Second);
    let evaluator = OnDemand::new(rules, Limits::default());
    let value = evaluator.evaluate(&position, Detail::Value, &Monitor::default()).unwrap().value;
    assert_eq!(value, Some(Value::win(Player::Second, 1)));
}
