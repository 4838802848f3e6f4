//! The board for people: dots with letters and numbers at the margins, lines, and who took which box.

use super::board::Board;
use super::grid::{Element, Owner, letter};
use super::rules::Position;
use std::ops::Range;

/// What a terminal has at least.
const WIDTH: usize = 80;
/// The longest label, in characters.
const LONGEST: usize = 5;

impl Board {
    /// The position as text, every line ended: letters above the columns of dots, numbers left of
    /// their rows, `A`, `B` or, if nobody knows, `?` in a closed box. At most 66 characters wide.
    ///
    /// ```
    /// use bsq_games::dots::parse_position;
    ///
    /// let (board, position) = parse_position("-./|A|../-. A").unwrap();
    /// let drawn = "  a  b  c\n1 +--+  +\n  | A|\n2 +--+  +\n";
    /// assert_eq!(board.drawing(&position), drawn);
    /// ```
    pub fn drawing(&self, position: &Position) -> String {
        self.labelled(position, |_| None)
    }

    /// The same with a label on open lines, of which the first 5 characters are shown. Dots stand
    /// further apart where a label is longer than 2; then a long board is drawn in several parts,
    /// one below the other, with the dots between them in both. At most 80 characters wide.
    pub fn labelled(&self, position: &Position, label: impl Fn(usize) -> Option<String>) -> String {
        let shown = |line: usize| {
            let open = position.lines >> line & 1 == 0;
            let label = if open { label(line) } else { None };
            label.unwrap_or_default().chars().take(LONGEST).collect()
        };
        let labels: Vec<Vec<char>> = (0..self.lines()).map(shown).collect();
        let gap = labels.iter().map(Vec::len).max().unwrap_or(0).max(2);
        let picture = Picture { board: self, position, labels, gap };
        // Beside the columns: the margin, the last dot, and what a label of its takes up.
        let most = (WIDTH - picture.margin() - 1 - gap / 2) / (gap + 1);
        let parts = self.cols().div_ceil(most);
        let each = self.cols().div_ceil(parts);
        let part = |part: usize| picture.columns(part * each..self.cols().min((part + 1) * each));
        (0..parts).map(part).collect::<Vec<String>>().join("\n")
    }
}

/// What is drawn.
struct Picture<'a> {
    board: &'a Board,
    position: &'a Position,
    /// The label of each line.
    labels: Vec<Vec<char>>,
    /// Characters between two dots.
    gap: usize,
}

impl Picture<'_> {
    /// Where the first dot stands: after the longest number and a blank.
    fn margin(&self) -> usize {
        (self.board.rows() + 1).to_string().len() + 1
    }

    /// The columns of boxes of that range, and the dots on both sides.
    fn columns(&self, cols: Range<usize>) -> String {
        let at = |col: usize| self.margin() + (col - cols.start) * (self.gap + 1);
        let mut header = Text::default();
        for col in cols.start..=cols.end {
            header.put(at(col), &[char::from(b'a' + col as u8)]);
        }
        let mut drawn = header.ended();
        for row in 0..self.board.grid().0 {
            let mut text = Text::default();
            if row % 2 == 0 {
                let number = format!("{:>1$}", row / 2 + 1, self.margin() - 1);
                text.put(0, &number.chars().collect::<Vec<char>>());
            }
            for col in 2 * cols.start..=2 * cols.end {
                self.put(&mut text, self.board.element(row, col), at(col / 2));
            }
            drawn += &text.ended();
        }
        drawn
    }

    /// Puts what belongs to a place into a row; the dot of the place, or left or above it, stands
    /// in that column.
    fn put(&self, text: &mut Text, place: Element, at: usize) {
        let drawn = |line: usize| self.position.lines >> line & 1 == 1;
        let middle = |length: usize| at + 1 + (self.gap - length).div_ceil(2);
        match place {
            Element::Dot => text.put(at, &['+']),
            Element::Horizontal(line) if drawn(line) => text.put(at + 1, &vec!['-'; self.gap]),
            Element::Vertical(line) if drawn(line) => text.put(at, &['|']),
            Element::Horizontal(line) => {
                text.put(middle(self.labels[line].len()), &self.labels[line])
            }
            Element::Vertical(line) => {
                text.put(at - self.labels[line].len() / 2, &self.labels[line])
            }
            Element::Box(cell) => match self.board.owner(self.position, cell) {
                Owner::Known(player) => text.put(middle(1), &[letter(player)]),
                Owner::Unknown => text.put(middle(1), &['?']),
                Owner::Unclosed => {}
            },
        }
    }
}

/// A row of characters, blank where nothing was put.
#[derive(Default)]
struct Text(Vec<char>);

impl Text {
    fn put(&mut self, at: usize, what: &[char]) {
        let end = at + what.len();
        if self.0.len() < end {
            self.0.resize(end, ' ');
        }
        self.0[at..end].copy_from_slice(what);
    }

    /// The row without blanks at the end, and the end of the line.
    fn ended(self) -> String {
        self.0.into_iter().collect::<String>().trim_end().to_string() + "\n"
    }
}

#[cfg(test)]
mod tests {
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
        // A label of a line that is drawn is not shown, nor makes room.
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
}
