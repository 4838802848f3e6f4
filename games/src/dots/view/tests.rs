use super::*;
use crate::dots::{lines_of, parse_position};

#[test]
fn lines_and_boxes_are_drawn() {
    let (board, position) = parse_position("---/|A|B|?|/---/......|/..- B").unwrap();
    let drawn = "
  a  b  c  d
1 +--+--+--+
  | A| B| ?|
2 +--+--+--+
           |
3 +  +  +--+
";
    assert_eq!(board.drawing(&position), drawn[1..]);
}

#[test]
fn labels_stand_on_open_lines() {
    let (board, position) = parse_position("-./|A|../-. A").unwrap();
    let names = |label: [&'static str; 4]| {
        let open: Vec<usize> = lines_of(board.all() & !position.lines).collect();
        move |line| {
            let at = open.iter().position(|&open| open == line)?;
            label.get(at % 4).map(|label| label.to_string())
        }
    };
    let short = "
  a  b  c
1 +--+ 7+
  | A| -3
2 +--+12+
";
    assert_eq!(board.labelled(&position, names(["7", "-3", "12", ""])), short[1..]);
    let long = "
  a   b   c
1 +---+ 7 +
  | A |  -10
2 +---+ -3+
";
    assert_eq!(board.labelled(&position, names(["7", "-10", "-3", ""])), long[1..]);
    let longer = "
  a     b     c
1 +-----+  7  +
  |  A  |   -10.5
2 +-----+  -3 +
";
    assert_eq!(board.labelled(&position, names(["7", "-10.5x", "-3", ""])), longer[1..]);
    // A label of a drawn line is not shown and does not affect the layout.
    let drawn = |line| (position.lines >> line & 1 == 1).then(|| "long".to_string());
    assert_eq!(board.labelled(&position, drawn), board.drawing(&position));
}

#[test]
fn long_boards_fit_a_terminal() {
    let label = |text: &'static str| move |_| Some(text.to_string());
    let widest = |text: &str| text.lines().map(|line| line.chars().count()).max().unwrap();
    for (rows, cols) in [(1, 19), (1, 20), (1, 21), (2, 12), (21, 1), (9, 2), (5, 5)] {
        let board = Board::new(rows, cols).unwrap();
        let start = Position::of_lines(0);
        for text in ["", "1", "-1", "-10", "-1.5", "-10.5"] {
            let drawn = board.labelled(&start, label(text));
            assert!(widest(&drawn) <= WIDTH, "{board} {text}: {}", widest(&drawn));
            let most = [usize::MAX, usize::MAX, usize::MAX, 19, 15, 12][text.len()];
            let parts = cols.div_ceil(most);
            assert_eq!(drawn.lines().count(), parts * (2 * rows + 3) - 1, "{board} {text}");
        }
    }
    let board = Board::new(1, 21).unwrap();
    assert_eq!(widest(&board.drawing(&Position::of_lines(board.all()))), 66);
    let drawn = board.labelled(&Position::of_lines(0), label("-10"));
    let parts: Vec<&str> = drawn.split("\n\n").collect();
    let first: String = ('a'..='l').map(|letter| format!("   {letter}")).collect();
    assert_eq!(parts[0].lines().next(), Some(&first[1..]));
    let last = "
  l   m   n   o   p   q   r   s   t   u   v
1 +-10+-10+-10+-10+-10+-10+-10+-10+-10+-10+
 -10 -10 -10 -10 -10 -10 -10 -10 -10 -10 -10
2 +-10+-10+-10+-10+-10+-10+-10+-10+-10+-10+
";
    assert_eq!(parts[1], &last[1..]);
}

#[test]
fn numbers_are_aligned() {
    let board = Board::new(9, 1).unwrap();
    let drawn = board.drawing(&Position::of_lines(1 << board.vertical(8, 0)));
    let lines: Vec<&str> = drawn.lines().collect();
    assert_eq!([lines[0], lines[1]], ["   a  b", " 1 +  +"]);
    assert_eq!(lines[17..], [" 9 +  +", "   |", "10 +  +"]);
}
