use super::*;
use crate::dots::Variant;
use bsq_engine::game::Player;

#[test]
fn positions_of_any_size_are_read() {
    let closed = "--/|A|B|/--/|?|.|/-- B";
    let (board, position) = parse_position(closed).unwrap();
    assert_eq!((board, position.lines), (Board::new(2, 2).unwrap(), board.all()));
    assert_eq!((position.taken, position.to_move), ([0b01, 0b10], Player::Second));
    let written = "--/|A|B|/--/|?|?|/-- B";
    assert_eq!(format_position(&board, &position), written);
    assert_eq!(parse_position(written), Ok((board, position)));
    let small = closed.to_lowercase();
    assert_eq!(parse_position(&format!("  {small} ")), Ok((board, position)));
    for text in [closed.replace('/', " "), closed.replace(['/', ' '], "\r\n")] {
        assert_eq!(parse_position(&text), Ok((board, position)), "{text}");
    }
    let unsaid = parse_position("./.../.").unwrap();
    assert_eq!(unsaid, parse_position("./.../. A").unwrap());
    // Boxes that the variant closes before play begins have no owner.
    let rules = Rules { variant: Variant::Swedish, ..Rules::standard(Board::new(1, 1).unwrap()) };
    assert_eq!(rules.format_position(&rules.start()), "-/|?|/- A");
}

#[test]
fn errors_name_the_place() {
    let rules = Rules::standard(Board::new(1, 2).unwrap());
    let cases = [
        ("", "no position was given; "),
        (" A", "1 row cannot be a board; "),
        ("../...../../..... A", "4 rows cannot be a board; "),
        ("/./ A", "a board has at least one row and one column of boxes"),
        (
            "../..../.. A",
            "row 2 is 4 characters long; on a 1x2 board a row of vertical lines and boxes has 5",
        ),
        (
            "../...../.... A",
            "row 3 is 4 characters long; on a 1x2 board a row of horizontal lines has 2",
        ),
        ("../...../.| A", "row 3, column 2: '|' is not a horizontal line; write - (drawn)"),
        ("../..-../.. A", "row 2, column 3: '-' is not a vertical line; write | (drawn)"),
        ("../.X.../.. A", "row 2, column 2: 'X' is not a box; write A or B (taken), ?"),
        ("-./|.|.B/-. A", "row 2, column 5: 'B' is not a vertical line"),
        ("-./|A|../.. A", "row 2, column 2: 'A' stands in a box that is not closed"),
        ("-./|A|?./-. A", "row 2, column 4: '?' stands in a box that is not closed"),
        ("../...../.. C", "'C' is not a player; end the position with A (first) or B (second)"),
        ("../...../.. A B", "'A B' is not a player"),
        ("./.../. A", "this is a position on a 1x1 board; the board here is 1x2"),
        ("\u{e9}./...../.. A", "row 1, column 1: '\u{e9}' is not a horizontal line"),
    ];
    for (text, said) in cases {
        let error = rules.parse_position(text).unwrap_err().to_string();
        assert!(error.starts_with(said), "{text}: {error}");
    }
    let large = format!("{}/{}/{}", ".".repeat(22), ".".repeat(45), ".".repeat(22));
    let error = rules.parse_position(&large).unwrap_err().to_string();
    assert_eq!(
        error,
        "a board of 1x22 boxes has 67 lines; at most 64 are possible, or 10x10 boxes of which at most 64 lines are open"
    );
}

#[test]
fn moves_are_two_dots() {
    let board = Board::new(2, 3).unwrap();
    for line in 0..board.lines() {
        let name = board.line_name(line);
        let (from, to) = name.split_once('-').unwrap();
        let turned = format!("{}{}", to.to_uppercase(), from);
        assert_eq!([board.parse_line(&name), board.parse_line(&turned)], [Ok(line), Ok(line)]);
    }
    assert_eq!(board.line_name(board.horizontal(2, 2)), "c3-d3");
    assert_eq!(board.line_name(board.vertical(1, 0)), "a2-a3");
    let cases = [
        ("", "'' is not a move; write the two dots that it joins, from a1 to d3, such as a1-b1"),
        ("a1", "'a1' is not a move"),
        ("a1-b1-c1", "'a1-b1-c1' is not a move"),
        ("a1--b1", "'a1--b1' is not a move"),
        ("\u{e4}1-b1", "'\u{e4}1-b1' is not a move"),
        ("a99999999999999999999b1", "'a99999999999999999999b1' is not a move"),
        ("a0-a1", "there is no dot a0 on a 2x3 board; its dots are a1 to d3"),
        ("D3-E3", "there is no dot e3 on a 2x3 board; its dots are a1 to d3"),
        ("a1-c1", "a1 and c1 are not neighbours; a line joins"),
        ("b2-a1", "b2 and a1 are not neighbours"),
        ("b1-a2", "b1 and a2 are not neighbours"),
        ("a1-a1", "a1 and a1 are not neighbours"),
    ];
    for (text, said) in cases {
        let error = board.parse_line(text).unwrap_err().to_string();
        assert!(error.starts_with(said), "{text}: {error}");
    }
}
