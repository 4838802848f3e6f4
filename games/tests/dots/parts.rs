//! Boards of which only a part is in play.

use super::*;
use bsq_games::dots::heuristic::Layout;
use bsq_games::dots::parse_position;
use prop::sample::Index;
use std::collections::BTreeSet;

/// A line: whether it is vertical, and the dot at its left or upper end.
type Line = (bool, usize, usize);

/// All lines of a size.
fn lines_of_size((rows, cols): (usize, usize)) -> Vec<Line> {
    let at = |rows: usize, cols: usize, vertical| {
        (0..rows).flat_map(move |row| (0..cols).map(move |col| (vertical, row, col)))
    };
    at(rows + 1, cols, false).chain(at(rows, cols + 1, true)).collect()
}

/// The lines around a box.
fn around((row, col): (usize, usize)) -> [Line; 4] {
    [(false, row, col), (false, row + 1, col), (true, row, col), (true, row, col + 1)]
}

/// The rows of a position with some open lines, the owners of boxes unknown.
fn rows_of((rows, cols): (usize, usize), open: &BTreeSet<Line>) -> String {
    let mark = |line: Line, drawn: char| if open.contains(&line) { '.' } else { drawn };
    let row = |row: usize| -> String {
        match row % 2 {
            0 => (0..cols).map(|col| mark((false, row / 2, col), '-')).collect(),
            _ => (0..=2 * cols)
                .map(|at| match at % 2 {
                    0 => mark((true, row / 2, at / 2), '|'),
                    _ => '.',
                })
                .collect(),
        }
    };
    (0..=2 * rows).map(row).collect::<Vec<String>>().join("/")
}

/// The board on which these lines are in play.
fn part_of(size: (usize, usize), open: &BTreeSet<Line>) -> Board {
    let board = Board::parse(&rows_of(size, open)).unwrap();
    assert_eq!((board.is_whole(), board.lines()), (false, open.len()));
    board
}

/// Few lines of a large board, side by side or apart.
fn few() -> impl Strategy<Value = ((usize, usize), BTreeSet<Line>)> {
    let sizes = vec![(5, 6), (6, 6), (7, 7), (8, 8), (3, 10), (10, 10)];
    let steps = prop::collection::vec((any::<Index>(), 0..8), 1..13);
    (prop::sample::select(sizes), steps).prop_map(|(size, steps)| {
        let all = lines_of_size(size);
        let mut open = BTreeSet::new();
        for (step, far) in steps {
            let boxes = (0..size.0).flat_map(|row| (0..size.1).map(move |col| (row, col)));
            let near =
                boxes.map(around).filter(|sides| sides.iter().any(|side| open.contains(side)));
            let near: Vec<Line> = near.flatten().filter(|line| !open.contains(line)).collect();
            let from = if far == 0 || near.is_empty() { &all } else { &near };
            open.insert(from[step.index(from.len())]);
        }
        (size, open)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..Default::default() })]

    #[test]
    fn values_on_large_boards((size, open) in few(), penalty in -3..=3) {
        let board = part_of(size, &open);
        let solver = Solver::<u128>::with_options(board, penalty, TABLE, false, Reductions::ALL);
        compare(&mut Plain::new(board, penalty), &solver.unwrap(), 0);
    }

    #[test]
    fn marks_and_nimbers_on_large_boards((size, open) in few(), penalty in -3..=3) {
        let board = part_of(size, &open);
        let rules = Rules { penalty: whole(penalty), ..Rules::standard(board) };
        let mut plain = PlainMarks { rules, values: HashMap::new() };
        let solver =
            Solver::<u128>::with_options(board, penalty, TABLE, true, Reductions::ALL).unwrap();
        let monitor = Monitor::default();
        prop_assert_eq!(pair(solver.marked(0, &monitor).unwrap()), plain.value(0));
        let bitboard = Bitboard::<u128>::of(board);
        if Captures::new(&bitboard, bitboard.open(0)).boxes == 0 {
            let found = Nimstring::<u128>::of(board, 1 << 24).value(0, &monitor).unwrap();
            prop_assert_eq!(found, plain_nimber(&board, 0, &mut HashMap::new()));
        }
    }

    /// A part of a small board is as good as the board with its other lines drawn.
    #[test]
    fn parts_of_small_boards(drawn: [u64; 2], draw: u64, penalty in -3..=3) {
        let whole = board(3, 4);
        let drawn = (drawn[0] | drawn[1]) & whole.all();
        let numbered = |line: &usize| whole.locate(*line);
        let open: Vec<usize> = lines_of(whole.all() & !drawn).collect();
        let part = part_of((3, 4), &open.iter().map(numbered).collect());
        let number = |line: usize| {
            let (vertical, row, col) = part.locate(line);
            if vertical { whole.vertical(row, col) } else { whole.horizontal(row, col) }
        };
        let later = draw & part.all();
        let both = lines_of(later).fold(drawn, |both, line| both | 1 << number(line));
        prop_assert_eq!(part.closed(later).count_ones() + whole.closed(drawn).count_ones(), whole.closed(both).count_ones());

        let monitor = Monitor::default();
        let solver = with_marks(whole, penalty);
        let wanted = solver.marked_moves(both, &monitor).unwrap();
        let in_part = |moves: Vec<(usize, Marked)>| {
            let mut moves: Vec<_> = moves.into_iter().map(|(line, found)| (number(line), found)).collect();
            moves.sort_by_key(|found| found.0);
            moves
        };
        let small = with_marks(part, penalty).marked_moves(later, &monitor).unwrap();
        prop_assert_eq!(in_part(small), &wanted[..]);
        let wide = Solver::<u128>::with_options(part, penalty, TABLE, true, Reductions::ALL).unwrap();
        prop_assert_eq!(in_part(wide.marked_moves(later, &monitor).unwrap()), wanted);

        // The rules of thumb like the same lines, the parity of turns included.
        let liked = Layout::new(whole).situation(both).liked();
        let of_part = |liked: Lines| lines_of(liked).fold(0, |set, line| set | 1 << number(line));
        prop_assert_eq!(Layout::<u64>::of(part).situation(later).liked().map(of_part), liked);
        prop_assert_eq!(Layout::<u128>::of(part).situation(later).liked().map(of_part), liked);
    }

    /// Positions, moves and boards as text.
    #[test]
    fn parts_come_back_from_text((size, open) in few(), draw: u64, second: bool) {
        let board = part_of(size, &open);
        prop_assert_eq!(Board::parse(&board.to_string()), Ok(board));
        let rules = Rules::standard(board);
        let mut position = rules.start();
        for line in lines_of(draw & board.all()) {
            prop_assert_eq!(board.parse_line(&board.line_name(line)), Ok(line));
            position = rules.play(&position, line);
        }
        if second {
            position.to_move = position.to_move.other();
        }
        use bsq_engine::game::Notation;
        let text = rules.format_position(&position);
        prop_assert_eq!(rules.parse_position(&text), Ok(position));
        // Alone, the text is a position of the board of what is still open.
        let (alone, same) = parse_position(&text).unwrap();
        prop_assert_eq!(alone.lines(), (board.all() & !position.lines).count_ones() as usize);
        prop_assert_eq!(Rules::standard(alone).format_position(&same), text);
        prop_assert_eq!(same.lead(&alone), position.lead(&board));
    }
}

/// Rows of the whole board with all lines open but some.
#[test]
fn what_is_too_large_is_refused() {
    let error = |rows: &str| Board::parse(rows).unwrap_err().to_string();
    let open = lines_of_size((8, 8)).into_iter().take(65).collect();
    assert!(error(&rows_of((8, 8), &open)).starts_with("65 lines are open"), "{open:?}");
    let all: BTreeSet<Line> = lines_of_size((8, 8)).into_iter().collect();
    assert!(error(&rows_of((8, 8), &all)).starts_with("144 lines are open"));
    assert!(error("8x8").starts_with("a board of 8x8 boxes has 144 lines; at most 64"));
    assert!(error("11x11").starts_with("a board of 11x11 boxes has 264 lines; at most 64"));
    let wide = (10, 10);
    // One side of each of 64 boxes, no two of which share it.
    let sides: BTreeSet<Line> = lines_of_size(wide)
        .into_iter()
        .filter(|&(vertical, row, col)| !vertical && row % 2 == 1 && row < 7 && col < 8)
        .collect();
    assert_eq!(part_of(wide, &sides).boxes(), 2 * sides.len());
    let more: BTreeSet<Line> = lines_of_size(wide)
        .into_iter()
        .filter(|&(vertical, row, col)| !vertical && row % 2 == 1 && col < 8)
        .collect();
    assert!(error(&rows_of(wide, &more)).starts_with("80 boxes are not closed"), "{}", more.len());
}

#[test]
fn boxes_that_were_closed_before_count() {
    // The second player has three boxes of the first row, and the first player nothing yet.
    let rows = ["------", "|B|B|B|.....|", "---...", "............."];
    let rest = ["......"; 1];
    let text = [&rows[..], &rest[..]].concat().join("/");
    let (whole, position) = parse_position(&text).unwrap();
    assert!(whole.is_whole());
    assert_eq!(position.lead(&whole), Some(-3));
    let board = Board::parse(&text).unwrap();
    let rules = Rules::standard(board);
    assert_eq!(rules.start().lead(&board), Some(-3));
    let unknown = Board::parse(&text.replacen('B', "?", 1)).unwrap();
    assert_eq!(Rules::standard(unknown).start().lead(&unknown), None);
    let value = |rules: Rules, position: &Position| {
        let evaluator = Evaluator::new(rules, None, TABLE, u32::MAX);
        evaluator.evaluate(position, Detail::Value, &Monitor::default()).unwrap().value
    };
    let whole = value(Rules::standard(whole), &position);
    assert!(whole.is_some());
    assert_eq!(value(rules, &rules.start()), whole);
}

/// Positions of random games on 5x6 to 10x10 boxes with 16 to 30 open lines, and the net score of the
/// player to move by plain alpha-beta.
fn golden() -> impl Iterator<Item = (Board, i32)> {
    let rows = include_str!("../../../tests/golden/dots/large.csv").lines().skip(1);
    rows.map(|row| {
        let (text, score) = row.split_once(',').unwrap();
        (parse_position(text).unwrap().0, score.parse().unwrap())
    })
}

#[test]
fn positions_of_games_on_large_boards() {
    let monitor = Monitor::default();
    for (board, score) in golden() {
        for reductions in [Reductions::ALL, Reductions { endgames: false, ..Reductions::ALL }] {
            let solver = Solver::<u128>::with_options(board, 0, TABLE, true, reductions).unwrap();
            assert_eq!(solver.value(0, &monitor), Ok(score), "{board}");
            let moves = solver.marked_moves(0, &monitor).unwrap();
            assert_eq!(moves.len(), board.lines());
            assert_eq!(moves.iter().map(|(_, marked)| marked.score).max(), Some(score));
        }
    }
}

#[test]
#[ignore = "takes six minutes: cargo test --release -p bsq-games --test dots golden -- --ignored"]
fn the_golden_values_are_those_of_plain_alpha_beta() {
    for (board, score) in golden() {
        assert_eq!(bsq_plain::dots::Plain::new(board).value(0), score, "{board}");
    }
}
