use super::*;
use crate::dots::parse_position;

/// The kind of a position, and the lines that each rule likes.
fn assert_liked(position: &str, kind: PositionKind, words: [&str; 3]) {
    let (board, lines) = parse_position(position).unwrap();
    let layout = Layout::new(board);
    let situation = layout.situation(lines.lines);
    let names = |lines| lines_of(lines).map(|line| board.line_name(line)).collect::<Vec<_>>();
    let liked = situation.liked().map(|lines| names(lines).join(" "));
    assert_eq!((situation.kind(), liked), (kind, words.map(String::from)), "{position}");
}

#[test]
fn the_last_boxes_of_a_chain_are_left() {
    // Two boxes to take, and a long chain below.
    assert_liked("---/|?|..../---/......./---", PositionKind::Take, ["c1-c2", "d1-d2", "d1-d2"]);
    // Three: the first one is free.
    assert_liked("---/|....../---/......./---", PositionKind::Take, ["b1-b2"; 3]);
    // No other lines are left, so no boxes are declined.
    assert_liked("---/|?|..../---", PositionKind::Take, ["c1-c2"; 3]);
    // A closed chain of four, and an open one of three.
    let left = ["b1-b2 b2-b3", "b2-c2", "b2-c2"];
    assert_liked("--.--/|...|....../-.---/|...|?|?|?|/-----", PositionKind::Take, left);
}

#[test]
fn the_shortest_chain_is_given_away() {
    // Two boxes above, three below.
    assert_liked("-.-/....|?|/---/......./---", PositionKind::Give, ["b1-c1 a1-a2 b1-b2"; 3]);
}

#[test]
fn safe_lines_make_the_number_of_long_chains_right() {
    // Ten dots. After six turns an even number of long chains, none, is right for the first player.
    let safe = "d1-d2 e1-e2 c2-d2 d2-e2";
    assert_liked("----/........./--..", PositionKind::Safe, [safe, safe, "e1-e2 d2-e2"]);
    // After five turns one long chain is right for the second player.
    let safe = "d1-e1 d1-d2 e1-e2 c2-d2 d2-e2";
    assert_liked("---./........./--..", PositionKind::Safe, [safe, safe, "d1-d2 c2-d2"]);
    // Nine dots, before the first turn: one long chain would be right for the first player, but is
    // impossible.
    let (board, start) = parse_position("../...../../...../..").unwrap();
    let layout = Layout::new(board);
    assert_eq!(layout.situation(start.lines).liked(), [board.all(); 3]);
}

#[test]
fn a_long_chain_is_a_string_of_three_and_no_loop() {
    for (position, chains) in [
        ("---/......./---", 1),
        ("--/...../--", 0),
        ("--/|...|/../|...|/--", 0),
        ("--/....|/../|...|/--", 1),
        ("---/......./---/......./---", 2),
    ] {
        let (board, drawn) = parse_position(position).unwrap();
        let layout = Layout::new(board);
        let situation = layout.situation(drawn.lines);
        assert_eq!(situation.long_chains(situation.open), chains, "{position}");
    }
}

/// Boxes that can be taken one after the other.
fn to_take(board: &Board, drawn: Lines) -> u32 {
    let more = |line: &usize| board.closed(drawn | 1 << line) != board.closed(drawn);
    match lines_of(board.all() & !drawn).find(more) {
        Some(line) => to_take(board, drawn | 1 << line),
        None => board.closed(drawn).count_ones(),
    }
}

#[test]
fn greed_by_its_definition() {
    for (rows, cols) in [(1, 1), (1, 4), (2, 2)] {
        let board = Board::new(rows, cols).unwrap();
        let layout = Layout::new(board);
        for drawn in 0..board.all() {
            let cost = |line: usize| {
                let (next, closed) = (drawn | 1 << line, board.closed(drawn));
                if board.closed(next) == closed {
                    to_take(&board, next) as i32 - closed.count_ones() as i32
                } else {
                    -1
                }
            };
            let open = || lines_of(board.all() & !drawn);
            let least = open().map(cost).min();
            let liked = open().filter(|&line| Some(cost(line)) == least);
            let liked = liked.fold(0, |set: Lines, line| set | 1 << line);
            let situation = layout.situation(drawn);
            assert_eq!(situation.liked_by(Rule::Greedy), liked, "{board} {drawn:#x}");
            assert!(situation.liked().iter().all(|&lines| lines != 0));
        }
    }
}

/// Images of a position have the images of its liked lines.
#[test]
fn rules_do_not_depend_on_how_a_board_is_turned() {
    for (rows, cols) in [(1, 4), (2, 2), (2, 3)] {
        let board = Board::new(rows, cols).unwrap();
        let layout = Layout::new(board);
        let mut images = board.symmetries();
        for group in board.exchanges() {
            let pair: Vec<usize> = lines_of(group).take(2).collect();
            let mut swap: Vec<usize> = (0..board.lines()).collect();
            swap.swap(pair[0], pair[1]);
            images.push(swap);
        }
        let step = if board.lines() > 13 { 7 } else { 1 };
        for drawn in (0..board.all()).step_by(step) {
            for image in &images {
                let moved =
                    |set: Lines| lines_of(set).fold(0, |moved: Lines, at| moved | 1 << image[at]);
                let liked = layout.situation(drawn).liked().map(moved);
                assert_eq!(layout.situation(moved(drawn)).liked(), liked, "{board} {drawn:#x}");
            }
        }
    }
}
