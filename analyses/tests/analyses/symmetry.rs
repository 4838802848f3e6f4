//! Tests that liked moves are invariant under the symmetries of the board.

use super::*;
use proptest::collection::vec;
use proptest::prelude::*;

/// The symmetries of the board as permutations of the cells.
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

/// Plays the moves selected by the numbers, and checks every decision.
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
