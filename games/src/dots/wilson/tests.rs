use super::*;

#[test]
fn headers_may_be_short() {
    let header = |text: &str| BoardFile::parse(&format!("{text}\n+ +\n\n+ +"));
    for (text, written) in [
        ("0", "0 A"),
        ("0 B", "0 B"),
        ("-1/2 100", "-0.5 100 A"),
        (" -2  100   20 ", "-2 100 20 A"),
        ("-1/3 0 4294967295 B", "-1/3 0 4294967295 B"),
    ] {
        let file = header(text).unwrap();
        assert_eq!(file.to_string(), format!("{written}\n+ +\n   \n+ +\n"));
        assert_eq!(header(written), Ok(file));
    }
    let disk = BoardFile { disk_gb: Some(5), ..header("0").unwrap() };
    assert_eq!(disk.to_string(), "0 A\n+ +\n   \n+ +\n");
    for (text, column, said) in [
        ("", 1, "a penalty belongs here, such as 0 or -1; "),
        ("  ", 1, "a penalty belongs here"),
        (" 1001 A", 2, "the penalty 1001 is too high; a penalty is from -1000 to 1000"),
        ("A", 1, "'A' is not a penalty; a penalty is a number such as -1"),
        ("0 7000 25 C", 11, "'C' cannot stand here; after the penalty come at most"),
        ("0 7000 25 30", 11, "'30' cannot stand here"),
        ("0 A 7000", 5, "'7000' cannot stand here"),
        ("0 A B", 5, "'B' cannot stand here"),
        ("0 AB", 3, "'AB' cannot stand here"),
        ("0 -1", 3, "'-1' cannot stand here"),
        ("0 4294967296", 3, "4294967296 is too large; the RAM in MB is a whole number"),
        ("0 1 99999999999999999999 A", 5, "99999999999999999999 is too large; the disk in GB"),
        ("0 \u{e9}\u{e9} A\tB", 7, "this is a tab; write blanks"),
    ] {
        let error = header(text).unwrap_err();
        assert_eq!((error.line, error.column), (1, column), "{text}: {error}");
        assert!(error.problem.to_string().starts_with(said), "{text}: {error}");
    }
}

#[test]
fn boxes_may_be_taken_or_only_closed() {
    let text = "0 B\n+-+-+-+\n|A| |B|\n+-+-+-+\n";
    let file = BoardFile::parse(text).unwrap();
    assert_eq!((file.position.taken, file.position.lead(&file.board)), ([0b001, 0b100], None));
    assert_eq!(file.position.to_move, Player::Second);
    assert_eq!(file.to_string(), text);
}

#[test]
fn errors_name_line_and_column() {
    let wide = format!("0\n{}+\n\n{}+", "+ ".repeat(22), "+ ".repeat(22));
    let cases = [
        ("0", (2, 1), "the drawing ends here; a row of dots must follow"),
        ("0\n\n\n", (2, 1), "the drawing ends here"),
        ("0\n\n+ +\n", (2, 1), "' ' is not a dot"),
        ("0\n+ +\n| |", (4, 1), "the drawing ends here"),
        ("0\n+\n\n+", (2, 1), "a board has at least one row and one column"),
        ("0\n+-+", (2, 1), "a board has at least one row and one column"),
        (wide.as_str(), (2, 1), "a board of 1x22 boxes has 67 lines; at most 64"),
        ("0\n+  +-", (2, 6), "' ' is not a horizontal line"),
        ("0\n+-\n\n+ +", (2, 3), "' ' is not a dot; the corners of boxes are '+'"),
        ("0\n+-o\n\n+ +", (2, 3), "'o' is not a dot; the corners of boxes are '+'"),
        ("0\n+|+\n\n+ +", (2, 2), "'|' is not a horizontal line; write '-' (drawn)"),
        ("0\n+ +\n-  \n+ +", (3, 1), "'-' is not a vertical line; write '|' (drawn)"),
        ("0\n+ +\n|C \n+ +", (3, 2), "'C' is not a box; write A or B (taken) or a blank"),
        (
            "0\n+ +\n| | |\n+ +",
            (3, 4),
            "this row is 5 wide; all are as wide as the first row of dots, 3",
        ),
        (
            "0\n+ + +\n\n+ +",
            (4, 4),
            "this row is 3 wide; all are as wide as the first row of dots, 5",
        ),
        ("0\n+ +\n\n+-+-", (4, 4), "this row is 4 wide; all are"),
        ("0\n+ +\n\n-+-", (4, 1), "'-' is not a dot"),
        ("0\n+ +\n\n+x+", (4, 2), "'x' is not a horizontal line"),
        ("0\n+ +\n\n+ +\n\nend", (6, 1), "'e' is not a dot"),
        ("0\n+-+\n|A \n+-+", (3, 2), "'A' stands in a box that is not closed; draw all four"),
        ("0\n+-+-+\n|A|B|\n+-+ +", (3, 4), "'B' stands in a box that is not closed"),
        ("0\n+ +\n \t\n+ +", (3, 2), "this is a tab; write blanks"),
        ("0\n+ +\n\n+ +\r\r\n", (4, 4), "this row is 4 wide"),
    ];
    for (text, (line, column), said) in cases {
        let error = BoardFile::parse(text).unwrap_err();
        assert_eq!((error.line, error.column), (line, column), "{text:?}: {error}");
        assert!(error.problem.to_string().starts_with(said), "{text:?}: {error}");
        assert!(error.to_string().starts_with(&format!("line {line}, column {column}: ")));
    }
}

#[test]
fn strokes_may_have_any_width() {
    let narrow = "0 A\n+-+ +\n|A|  \n+-+-+\n    |\n+ +-+\n";
    let expected = BoardFile::parse(narrow).unwrap();
    for text in [
        "0\n+--+  +\n|A |\n+--+--+\n      |\n+  +--+\n",
        "0\n+---+   +\n| A |   .\n+---+---+\n.   .   |\n+   +---+",
        "0\n+---+ . +\r\n|  A|\r\n+---+---+\r\n        |\r\n+ . +---+\r\n",
        "0\n+-+.+\n|A|.\n+-+-+\n. . |\n+.+-+",
    ] {
        assert_eq!(BoardFile::parse(text), Ok(expected), "{text}");
        let drawing = text.strip_prefix("0\n").unwrap();
        assert!(has_header(text) && is_drawing(drawing), "{text}");
        assert_eq!(parse_drawing(drawing), Ok((expected.board, expected.position)), "{text}");
        assert_eq!(parse_drawing(&format!("\u{feff}{drawing}")), parse_drawing(drawing));
    }
    for (text, (line, column), said) in [
        ("+---+\n|AB |\n+---+", (2, 3), "'B' is not a box"),
        ("+---+\n|   |\n+- -+", (3, 3), "' ' is not a horizontal line"),
        ("+---+\n|\n+  -+", (3, 4), "'-' is not a horizontal line"),
        ("+---+\n|A\n+---+", (2, 2), "'A' stands in a box that is not closed"),
        ("+---+---+\n\n+---+", (3, 6), "this row is 5 wide; all are as wide as the first row"),
        ("+---+\n    x\n+---+", (2, 5), "'x' is not a vertical line"),
        ("+---+\n|   |\n", (3, 1), "the drawing ends here"),
    ] {
        let error = parse_drawing(text).unwrap_err();
        assert_eq!((error.line, error.column), (line, column), "{text}: {error}");
        assert!(error.problem.to_string().starts_with(said), "{text}: {error}");
    }
    for text in ["-./|A|../-. B", "../|A|../-. B", "game: Dots-and-Boxes"] {
        assert!(!has_header(text) && !is_drawing(text), "{text}");
    }
}
